/**
 * The inspector in a real browser, with the real server: every screen, light, dark and in the width of a telephone,
 * and the effects of user actions compared with the API.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Opened, openSandbox, pull, type Running, startBank, stop } from '../server/process/support.ts';
import { IS_WHOLE, partOfToday } from '../support/runs.ts';
import { describeInBrowser, longestTask } from './browser.ts';

const ALL_MS = 240_000;
/** The height of the bar at the top, and on a telephone of that with the list of the screens. */
const MOST_ABOVE_PX = 110;
const HOSTILE = '<img src=x onerror="document.title=1">';

/** The findings of axe on the page, with their location. */
const VIOLATIONS = `(async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => id + ': ' + target.join(' ') + ' ' + html));
})()`;

/** Run in the page. */
const scrollTo = (element: unknown, top: number): void => {
  (element as { scrollTop: number }).scrollTop = top;
};
const hasFocus = (element: unknown): boolean =>
  (element as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement === element;
const scrollTop = (element: unknown): number => (element as { scrollTop: number }).scrollTop;

describeInBrowser('the inspector', ({ visit, openPage }) => {
  let server: Running;
  let bank: Opened;
  let tests = 0;

  beforeAll(async () => {
    server = await startBank({ SANDBANK_RAILS: 'manual' });
  });
  afterAll(() => stop(server));
  beforeEach(async () => {
    tests += 1;
    bank = await openSandbox(server, `test-${tests}`);
  });

  const open = (path = '', options?: BrowserContextOptions): Promise<Page> =>
    visit(`${bank.ui}${path}`, options);

  /** Collects all errors on a page from now on. */
  function watch(page: Page): string[] {
    const wrong: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
    });
    page.on('pageerror', ({ message }) => wrong.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(bank.url) && !request.url().startsWith('data:')) {
        wrong.push(`asks for ${request.url()}`);
      }
    });
    return wrong;
  }

  const post = (path: string, body: unknown) => bank.v2('POST', path, body);

  /** A bank with something on every screen. */
  async function fill(): Promise<{ transaction: string }> {
    const { body } = await pull(bank, '62.40');
    const transaction = String(body.id);
    await post(`/_sandbox/simulate/transactions/${transaction}/settle`, {});
    await pull(bank, '10.00');
    await post('/_sandbox/simulate/incoming/rtp', {
      sub_account_id: bank.seeded.sub_account_id,
      amount: '25.00',
    });
    await post(`/_sandbox/simulate/cards/${bank.seeded.virtual_card_id}/authorize`, { amount: '12.00' });
    await bank.v2('GET', '/v2/accounts/sub_account/sub_nothing');
    await post('/_sandbox/faults', { error: { status: 503 }, match: { route: '/v2/nothing' } });
    await bank.v2('PUT', '/_sandbox/rules', {
      rules: [{ match: { rail: 'ach_push' }, outcome: { return_code: 'R03' } }],
    });
    await bank.v2('PUT', '/_sandbox/snapshots/before');
    await post('/_sandbox/webhooks', { api_version: 'v2', url: 'http://127.0.0.1:9/', events: ['*'] });
    await pull(bank, '11.00');
    return { transaction };
  }

  // Colors do not depend on the width.
  it.each([['dark', 390] as const, ...(IS_WHOLE ? [['light', 1280] as const] : [])])(
    'every screen is shown: %s, %i px wide',
    async (colorScheme, width) => {
      const { transaction } = await fill();
      const { webhooks } = (await bank.v2('GET', '/_sandbox/webhooks')).body as {
        webhooks: { id: string }[];
      };
      const kept = await post('/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] });
      await pull(bank, '13.00');
      const { events } = (await bank.v2('GET', '/_sandbox/events?limit=1')).body as {
        events: { id: string }[];
      };
      const { requests } = (await bank.v2('GET', '/_sandbox/requests')).body as {
        requests: { id: string }[];
      };
      const { seeded } = bank;
      const screens = {
        '': 'Activity',
        '/accounts': 'Accounts',
        [`/accounts/${seeded.sub_account_id}`]: 'Everyday',
        [`/accounts/${seeded.master_account_id}`]: '',
        '/transactions': 'Transactions',
        [`/transactions/${transaction}`]: 'ACH pull',
        '/cards': 'Cards',
        [`/cards/${seeded.virtual_card_id}`]: '',
        '/people': 'People',
        [`/people/${seeded.business_holder_id}`]: '',
        '/webhooks': 'Webhooks',
        [`/webhooks/${webhooks[0]?.id}`]: 'http://127.0.0.1:9/',
        [`/webhooks/${kept.body.id}`]: 'Built-in receiver',
        '/events': 'Events',
        [`/events/${events[0]?.id}`]: '',
        '/counterparties': 'Counterparties',
        [`/counterparties/${seeded.ach_counterparty_id}`]: '',
        [`/people/${seeded.family_id}`]: '',
        '/requests': 'Requests',
        [`/requests/${requests[0]?.id}`]: '/v2/',
        '/what-if': 'Simulate',
        '/send': 'Send a request',
        '/books': 'Books',
        '/sandboxes': 'Sandboxes',
        '/coverage': 'Coverage',
      };
      const page = await open('', { colorScheme, viewport: { width, height: 900 } });
      const wrong = watch(page);
      // It takes longer than everything else on a screen.
      const examined = new Set(partOfToday(Object.keys(screens), 4));
      for (const [path, title] of Object.entries(screens)) {
        await page.goto(`${bank.ui}${path}`);
        await page.getByRole('heading', { level: 1 }).getByText(title).first().waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        if (examined.has(path)) {
          await page.evaluate(axe.source);
          const found: string[] = await page.evaluate(VIOLATIONS);
          // A row of a live list can leave the page while it is read, so a violation counts if it is there again.
          const again: string[] = found.length === 0 ? [] : await page.evaluate(VIOLATIONS);
          wrong.push(...found.filter((one) => again.includes(one)).map((one) => `${path}: ${one}`));
        }
        const across: number = await page.evaluate('document.documentElement.scrollWidth');
        if (across > width) wrong.push(`${path} is ${across} px wide`);
        const above: number = await page.evaluate("document.getElementById('main').offsetTop");
        if (above > MOST_ABOVE_PX) wrong.push(`${path} begins at ${above} px`);
      }
      expect(wrong.join('\n')).toBe('');
    },
    ALL_MS,
  );

  it('a payment appears by itself, and each of its ids links to it', async () => {
    const page = await open();
    const wrong = watch(page);
    await page.getByRole('table', { name: 'Activity' }).waitFor();
    const { body } = await pull(bank, '62.40');
    await page.getByRole('link', { name: 'ACH pull +62.40 from Harbor Supplies' }).waitFor();
    await page.getByTitle(String(body.id)).first().click();
    await page.getByRole('heading', { level: 1 }).getByText('62.40').waitFor();
    expect(page.url()).toBe(`${bank.ui}/transactions/${body.id}`);
    expect(wrong).toEqual([]);
  });

  it('the inspector does not appear in its own lists', async () => {
    const page = await open('/accounts');
    await page.getByText('Everyday').first().waitFor();
    const { body } = await bank.v2('GET', '/_sandbox/requests');
    expect(body).toMatchObject({ kept: 0 });
  });

  it('a payment is returned by a button; books and states equal those of the API', async () => {
    const { body } = await pull(bank, '62.40');
    await post(`/_sandbox/simulate/transactions/${body.id}/settle`, {});
    const page = await open(`/transactions/${body.id}`);
    const button = page.getByRole('button', { name: 'return', exact: true });
    await button.press('Enter');
    await page.locator('main .status').first().getByText('returned').waitFor();
    await page.locator('.timeline').getByText('child').waitFor();
    const { status, ach } = (await bank.v2('GET', `/v2/payments/transaction/${body.id}`)).body as {
      status: string;
      ach: { return_code: string };
    };
    expect([status, ach.return_code]).toEqual(['returned', 'R01']);
    expect(await page.locator('main .status').first().innerText()).toContain('returned');
    // An action that is impossible now has a reason.
    const settle = page.getByRole('button', { name: 'settle', exact: true });
    await expect.poll(() => settle.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => settle.getAttribute('title')).toContain('returned');
    // A keyboard user stays at the button, though it cannot be used again.
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    expect(await button.evaluate(hasFocus)).toBe(true);
  });

  it('the effects of a test that ran before the page was opened are shown', async () => {
    await post('/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] });
    const { body } = await pull(bank, '62.40');
    await post(`/_sandbox/simulate/transactions/${body.id}/settle`, {});
    await post(`/_sandbox/simulate/transactions/${body.id}/return`, { return_code: 'R01' });
    await pull(bank, '1.2');
    await post('/_sandbox/drain', {});
    const page = await open('?kind=v2');
    const rows = page.getByRole('table', { name: 'Activity' }).locator('.rows [role=row]');
    const payment = rows.filter({ hasText: 'ACH pull +62.40 from Harbor Supplies' });
    await expect.poll(() => payment.first().innerText()).toMatch(/returned\s+R01/);
    expect(await rows.filter({ hasText: '/_sandbox/' }).count()).toBe(0);
    // The newest is last.
    await expect.poll(() => rows.last().innerText()).toContain('400');
    await payment.first().locator('[role=cell]').first().click();
    await rows.filter({ hasText: 'delivery of transaction.created' }).first().waitFor();
    await rows.filter({ hasText: 'posting' }).first().waitFor();
    await rows
      .filter({ hasText: /^.*POST \/v2\/payments\/ach\/pull \d/s })
      .first()
      .waitFor();
    // Filters are part of the address, and can be combined.
    await page.getByLabel('Outcome').first().selectOption('failed');
    await expect.poll(() => page.url()).toContain('kind=v2&only=failed');
    await page.getByLabel('Kind').first().selectOption('control');
    await page.getByPlaceholder('filter by text').fill('r01');
    await rows.filter({ hasText: 'simulate/transactions' }).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'HAR' }).click();
    expect((await download).suggestedFilename()).toBe('sandbank.har');
  });

  it('an advance shows its preview, its result, and why it stopped early', async () => {
    await bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen' });
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const page = await open('/accounts');
    const dialog = page.getByRole('dialog');
    const advance = async (title: string) => {
      await page.getByRole('button', { name: 'Advance …' }).click();
      await dialog.getByText(/Until .*scheduled/).waitFor();
      await dialog.getByRole('button', { name: 'Advance' }).click();
      await dialog.getByRole('heading', { name: title }).waitFor({ timeout: 30_000 });
    };
    await advance('Clock advanced');
    await dialog.getByText('Nothing was due.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await post('/_sandbox/webhooks', { api_version: 'v2', url, events: ['*'] });
    await pull(bank, '62.40');
    await advance('The clock did not move');
    await dialog.getByText('The clock stopped early: a receiver has not responded.').waitFor();
    expect(await dialog.getByText('The clock stopped early').count()).toBe(1);
    expect(await dialog.getByText('Nothing was due.').count()).toBe(0);
    silent.closeAllConnections();
    silent.close();
  });

  it('the deliveries of one webhook are listed with the responses and the reason for a wait', async () => {
    const receiver = createServer((_, response) => response.writeHead(500).end('out of memory'));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen' });
    const made = await post('/_sandbox/webhooks', {
      api_version: 'v2',
      url,
      events: ['transaction.created'],
    });
    await post('/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] });
    await pull(bank, '62.40');
    await post('/_sandbox/drain', {});
    const page = await open('/webhooks');
    await page.getByRole('row').filter({ hasText: url }).getByText('failing').waitFor();
    await page.goto(`${bank.ui}/webhooks/${made.body.id}?outcome=failed`);
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('.rows [role=row]');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    await rows.first().click();
    await page.getByText('out of memory').waitFor();
    await page
      .getByRole('region', { name: /^Attempt 1/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('heading', { name: 'Delivery', exact: true }).waitFor();
    await page.getByText('clock stopped').or(page.getByText('retry due')).first().waitFor();
    receiver.closeAllConnections();
    receiver.close();
  });

  it('a record is created with a form that contains an example, and a request is repeated', async () => {
    const page = await open('/send');
    await page.getByRole('button', { name: 'New payment' }).click();
    const body = page.getByLabel('Body (JSON)');
    await expect.poll(() => body.inputValue()).toContain('counterparty_id');
    const example = JSON.parse(await body.inputValue()) as Record<string, unknown>;
    await body.fill(
      JSON.stringify({
        ...example,
        sub_account_id: bank.seeded.sub_account_id,
        counterparty_id: bank.seeded.ach_counterparty_id,
        amount: '17.30',
      }),
    );
    await page.getByLabel('Idempotency key').fill('once');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.status').filter({ hasText: '201' }).waitFor();
    await page.getByText('idempotency-key: once').waitFor();
    await page.getByRole('link', { name: /req_/ }).first().click();
    await page.getByRole('link', { name: 'Edit and send again' }).click();
    await expect.poll(() => page.getByLabel('Body (JSON)').inputValue()).toContain('17.30');
  });

  it('deliveries to the built-in receiver are stored, and retries are drawn on a time line', async () => {
    const page = await open('/webhooks');
    await page.getByRole('button', { name: 'Use the built-in receiver' }).click();
    await page.getByRole('heading', { name: 'Built-in receiver' }).waitFor();
    await page.getByRole('button', { name: 'Set the response' }).click();
    await page.getByText('to the next 2').waitFor();
    await pull(bank, '62.40');
    const deliveries = page.getByRole('table', { name: 'Received' }).locator('.rows .row');
    await deliveries.filter({ hasText: '503' }).first().waitFor();
    await page.getByRole('button', { name: '+1 hour' }).click();
    await deliveries.filter({ hasText: '200' }).first().waitFor();
    await deliveries.filter({ hasText: 'transaction.created' }).first().click();
    await page
      .getByRole('region', { name: /^Delivery \d+$/ })
      .getByText('signature ok')
      .waitFor();
    const { deliveries: kept } = (await bank.v2('GET', '/_sandbox/receiver')).body as {
      deliveries: { event_id: string; status: number }[];
    };
    const failed = kept.filter(({ status }) => status === 503);
    expect(failed).toHaveLength(2);
    await page.goto(`${bank.ui}/events/${failed[0]?.event_id}`);
    const made = kept.filter(({ event_id: id }) => id === failed[0]?.event_id).length;
    await page.getByRole('img', { name: `${made} attempts` }).waitFor();
    expect(await page.locator('.timeline .bad path').count()).toBeGreaterThan(0);
  });

  it('limits are set on the page of a card, and a decline has its reason and a link', async () => {
    const { virtual_card_id: card } = bank.seeded;
    const page = await open(`/cards/${card}`);
    await page.getByLabel(/^Period/).selectOption('daily');
    await page.getByLabel('In the period (USD)').fill('50.00');
    await page.getByRole('button', { name: 'Set the limits' }).click();
    await page.getByRole('meter', { name: /daily: 0.00 of 50.00/ }).waitFor();
    await page.getByRole('textbox', { name: 'Amount (USD)', exact: true }).fill('50.01');
    await page.getByRole('button', { name: 'Authorize' }).click();
    const toast = page.getByRole('status').filter({ hasText: '50.01 USD is declined (' });
    const { id, reason } = await declined();
    expect(await toast.innerText()).toContain(`(${reason.code}: ${reason.message})`);
    await toast.getByRole('link').click();
    await expect.poll(() => page.url()).toBe(`${bank.ui}/transactions/${id}`);

    async function declined() {
      await toast.waitFor();
      const list = await bank.v2('GET', '/_sandbox/transactions?status=declined&limit=1');
      const [made] = list.body.transactions as { id: string }[];
      const why = await bank.v2('GET', `/_sandbox/explain/${made?.id}`);
      return { id: made?.id, ...(why.body as { reason: { code: string; message: string } }) };
    }
  });

  it('a time that is none, or past, is refused before the clock is moved', async () => {
    const page = await open('/accounts');
    await page.getByRole('button', { name: 'Advance …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('By').selectOption('a time');
    const advance = dialog.getByRole('button', { name: 'Advance' });
    for (const [typed, problem] of [
      ['tomorrow', 'tomorrow is not a time.'],
      ['2001-01-01 10:00', 'The clock is past this time.'],
    ] as const) {
      await dialog.getByRole('textbox').fill(typed);
      await dialog.getByRole('alert').getByText(problem).waitFor();
      expect(await advance.isDisabled()).toBe(true);
    }
    await dialog.getByRole('textbox').fill('2199-12-31 10:00');
    await dialog.getByText(/Until 2199-12-31 15:00:00/).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect(await advance.isEnabled()).toBe(true);
  });

  it('a physical card is activated on its page, and a file is downloaded', async () => {
    const { physical_card_id: card } = bank.seeded;
    const page = await open(`/cards/${card}`);
    await page.getByText('(not activated yet)').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await expect
      .poll(async () => (await bank.v2('GET', `/v2/issuing/card/${card}`)).body)
      .toMatchObject({ status: 'open' });
    await page.goto(`${bank.ui}/send?version=v1&operation=retrieveStatement`);
    await page.getByLabel(/^export/).fill('pdf');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download/ }).click();
    expect((await download).suggestedFilename()).toBe('retrieveStatement.pdf');
  });

  it('the clock is moved to a time of New York, or to 10:00 there on the next banking day', async () => {
    // Friday at 19:00 in New York.
    await bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-12-05T00:00:00.000Z' });
    const page = await open('/accounts');
    await page.getByRole('button', { name: 'Advance …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('By').selectOption('the next banking day, 10:00 in New York');
    await dialog.getByText('Until 2026-12-07 15:00:00 UTC Mon 10:00 New York').waitFor();
    await dialog.getByLabel('By').selectOption('a time');
    await dialog.getByLabel(/^New York, like/).fill('2026-12-08 09:30');
    await dialog.getByLabel(/^New York, like/).press('Tab');
    await dialog.getByText('Until 2026-12-08 14:30:00 UTC Tue 09:30 New York').waitFor();
    await dialog.getByRole('button', { name: 'Advance' }).click();
    await page.locator('.clock', { hasText: '2026-12-08 14:30:00 UTC Tue 09:30 New York' }).waitFor();
    expect((await bank.v2('GET', '/_sandbox/clock')).body).toMatchObject({ now: '2026-12-08T14:30:00.000Z' });
  });

  it('a trace fits a telephone', async () => {
    await pull(bank, '62.40');
    const error = `expected "settled" at /${'folder'.repeat(20)}/rent.test.ts`;
    const { text } = await post('/_sandbox/trace', { test: 'pays the rent', error });
    const { page } = await openPage(text);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'ACH pull +62.40 from Harbor Supplies' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate("document.querySelector('.trace pre').scrollWidth")).toBeLessThanOrEqual(390);
  });

  it('an unknown id says what is missing', async () => {
    const page = await open('/cards/nonsense');
    await page.getByRole('alert').getByText('Copy the whole id, with its prefix.').waitFor();
    await page.goto(`${bank.ui}/transactions/txn_${'0'.repeat(32)}`);
    await page.getByRole('alert').getByText('This sandbox has no such record.').waitFor();
    expect(await page.getByRole('alert').innerText()).not.toContain('Copy the whole id');
  });

  it('a merchant authorizes, increments, captures in parts and refunds', async () => {
    const { virtual_card_id: card } = bank.seeded;
    const page = await open(`/cards/${card}`);
    await page.getByRole('textbox', { name: 'Amount (USD)', exact: true }).fill('62.00');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByRole('table', { name: 'Card payments' }).locator('.rows .row').first().click();
    const amount = page.getByRole('textbox', { name: 'Amount (USD)' });
    const heading = page.getByRole('heading', { level: 1 });
    const press = async (event: string, given: string, then: string): Promise<void> => {
      await amount.fill(given);
      await page.getByRole('button', { name: event, exact: true }).click();
      await heading.getByText(then).waitFor();
    };
    await press('increment', '18.00', '80.00');
    await press('capture', '80.00', '80.00');
    await page.locator('main .status').first().getByText('settled').waitFor();
    await amount.fill('30.00');
    await page.getByRole('button', { name: 'refund', exact: true }).click();
    await page.locator('.timeline').getByText('30.00').waitFor();
    const id = page.url().split('/').at(-1);
    const { status, amount: captured } = (await bank.v2('GET', `/v2/payments/transaction/${id}`)).body;
    expect([status, captured]).toEqual(['settled', '80.00']);
  });

  it('the palette finds records by what a person remembers, and runs its commands', async () => {
    const made = await pull(bank, '1234.56');
    const page = await open('/coverage');
    await page.getByRole('heading', { level: 1, name: 'Coverage' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'A screen' }).fill('1234.56');
    await page.getByRole('option', { name: /transaction/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).getByText('1,234.56').waitFor();
    expect(page.url()).toContain(String(made.body.id));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'A screen' }).fill('stop the clock');
    await page.getByRole('option', { name: /Freeze/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('frozen').waitFor();
    expect((await bank.v2('GET', '/_sandbox/clock')).body).toMatchObject({ mode: 'frozen' });
  });

  it('a fault is added and removed, like in the API', async () => {
    const page = await open('/what-if');
    const faults = async () =>
      ((await bank.v2('GET', '/_sandbox/faults')).body as { faults: unknown[] }).faults;
    await page.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByRole('button', { name: /^End flt/ }).waitFor();
    expect(await faults()).toHaveLength(1);
    await page.getByRole('button', { name: /^End flt/ }).press('Enter');
    await page.getByRole('button', { name: /^End flt/ }).waitFor({ state: 'detached' });
    expect(await faults()).toHaveLength(0);
    // The focus moves from the removed button to its box.
    const box = page.locator('.box', { has: page.getByRole('heading', { name: 'Faults' }) });
    await expect.poll(() => box.evaluate(hasFocus)).toBe(true);
  });

  it('a payment that the account cannot make is refused, or recorded as declined after a choice', async () => {
    const payment = async () => {
      const { sub_account_id, ach_counterparty_id: counterparty_id } = bank.seeded;
      return post('/v2/payments/ach/push', { sub_account_id, counterparty_id, amount: '999999.00' });
    };
    expect((await payment()).status).toBe(400);
    const page = await open('/what-if');
    await page.getByLabel('Payment over the balance or a limit in v2').selectOption('declined');
    await expect
      .poll(async () => (await bank.v2('GET', '/_sandbox/settings')).body)
      .toMatchObject({ shortfall: 'declined' });
    expect(await payment()).toMatchObject({ status: 201, body: { status: 'declined' } });
    await page.goto(`${bank.ui}/requests`);
    await page.getByLabel('Text').fill('insufficient');
    const refused = page.getByRole('row').filter({ hasText: '/v2/payments/ach/push' });
    await expect.poll(() => refused.count()).toBe(1);
    expect(await refused.innerText()).toMatch(
      /400\s+POST \/v2\/payments\/ach\/push\s+ERROR_CODE_INSUFFICIENT_BALANCE/,
    );
  });

  it('money is received from another bank, and the account is locked', async () => {
    const { sub_account_id: account } = bank.seeded;
    const page = await open(`/accounts/${account}`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('list', { name: 'Totals in USD' }).getByText('25.00').waitFor();
    await page.getByRole('button', { name: 'Lock the account' }).click();
    await page.getByRole('button', { name: 'Unlock the account' }).waitFor();
    const { body } = await bank.v2('GET', `/v2/accounts/sub_account/${account}`);
    expect(body).toMatchObject({ status: 'locked', pending_credits: '25.00' });
  });

  it('limits are shown with their usage', async () => {
    const { account_id: account, sub_account_id: sub } = bank.seeded;
    const config = { limits: { receive: { daily: '500.00' } } };
    expect((await bank.v1('PATCH', `/v1/account/${account}`, { config })).status).toBe(200);
    await pull(bank, '125.00');
    const page = await open(`/accounts/${sub}`);
    const limit = page.getByRole('meter', { name: /receive, daily: 125.00 of 500.00/ });
    await limit.waitFor();
    expect(await limit.getAttribute('value')).toBe('125');
  });

  it('a payment has its request, states, postings and deliveries on one timeline, in order', async () => {
    const webhook = await post('/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] });
    expect(webhook.status).toBe(201);
    const payment = (await pull(bank, '62.40')).body.id;
    await bank.v2('POST', `/_sandbox/simulate/transactions/${payment}/settle`, {});
    await bank.v2('POST', '/_sandbox/drain', {});
    const page = await open(`/transactions/${payment}`);
    const line = page.locator('.timeline li');
    await line
      .filter({ hasText: 'event transaction.status.settled' })
      .filter({ hasText: 'delivered' })
      .waitFor();
    await line.filter({ hasText: 'request POST /v2/payments/ach/pull' }).waitFor();
    const steps = (await line.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const at = (words: RegExp): number => steps.findIndex((text) => words.test(text));
    const order = [
      at(/request POST \/v2\/payments\/ach\/pull/),
      at(/created .*originated 62\.40/),
      at(/\(hold 62\.40\) from .* to/),
      at(/event transaction\.created .*1 delivered/),
      at(/status .*settled/),
      at(/posting settle 62\.40/),
      at(/event transaction\.status\.settled .*1 delivered/),
    ];
    expect(order, steps.join('\n')).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  it('the same rows and filters are shown when the reader goes back', async () => {
    for (let count = 0; count < 40; count += 1) await bank.v2('GET', `/v2/webhook?limit=${count + 1}`);
    await bank.v2('GET', '/v2/issuing/card');
    const page = await open('/requests');
    await page.getByLabel('Text').fill('/v2/webhook');
    const rows = page.getByRole('table', { name: 'Requests' }).locator('.rows');
    await rows.getByText('/v2/webhook').first().waitFor();
    await rows.hover();
    await page.mouse.wheel(0, 700);
    const top = (): Promise<number> => rows.evaluate((element) => element.scrollTop);
    await expect.poll(top).toBeGreaterThan(300);
    // The wheel scrolls for some frames.
    let before = -1;
    await expect
      .poll(async () => {
        const last = before;
        before = await top();
        return before === last;
      })
      .toBe(true);
    await rows.getByText('/v2/webhook').nth(12).click();
    await page.getByRole('heading', { name: 'GET /v2/webhook' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Text').inputValue()).toBe('/v2/webhook');
    await expect.poll(top).toBe(before);
    // A link starts at the top.
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('link', { name: 'Requests' }).click();
    await rows.getByText('/v2/webhook').first().waitFor();
    expect(await top()).toBe(0);
  });

  it('the newest activity is visible, and the filter of the coverage is in the address', async () => {
    for (let count = 0; count < 60; count += 1) await bank.v2('GET', `/v2/webhook?limit=${count + 1}`);
    const { body } = await pull(bank, '62.40');
    const page = await open('', { viewport: { width: 1280, height: 900 } });
    const newest = page.getByRole('table', { name: 'Activity' }).getByTitle(String(body.id));
    await newest.waitFor();
    const bottom = async () => {
      const box = await newest.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect.poll(bottom).toBeLessThan(900);
    await page.goto(`${bank.ui}/coverage`);
    await page.getByLabel('Find').fill('webhook');
    await page.getByLabel('Evidence').selectOption('inferred');
    expect(new URL(page.url()).search).toBe('?find=webhook&evidence=inferred');
    await page.reload();
    await expect.poll(() => page.getByLabel('Find').inputValue()).toBe('webhook');
    expect(await page.getByLabel('Evidence').inputValue()).toBe('inferred');
  });

  it('a long list is read to its end, and keeps its position when newer rows arrive', async () => {
    for (let count = 0; count < 130; count += 1)
      await bank.v2('GET', `/v2/webhook?limit=${(count % 99) + 1}`);
    const page = await open('/requests');
    const table = page.getByRole('table', { name: 'Requests' });
    const rows = table.locator('.rows');
    const count = async () => Number(await table.getAttribute('aria-rowcount')) - 1;
    await rows.getByText('/v2/webhook').first().waitFor();
    expect(await count()).toBe(50);
    await rows.evaluate(scrollTo, 50 * 34);
    await expect.poll(count).toBe(130);
    await bank.v2('GET', '/v2/issuing/card');
    await expect.poll(count).toBe(131);
  });

  it('897 of 900 is shown as nearly used, not green', async () => {
    const { account_id: account, sub_account_id: sub } = bank.seeded;
    await bank.v1('PATCH', `/v1/account/${account}`, {
      config: { limits: { receive: { daily: '900.00' } } },
    });
    await pull(bank, '897.00');
    const page = await open(`/accounts/${sub}`);
    const limit = page.getByRole('meter', { name: /receive, daily: 897.00 of 900.00 nearly used up/ });
    await limit.waitFor();
    const [value, low, high, optimum] = await Promise.all(
      ['value', 'low', 'high', 'optimum'].map(async (name) => Number(await limit.getAttribute(name))),
    );
    // A browser draws a value green near the optimum, and red two segments away from it.
    expect(value).toBe(897);
    expect(optimum).toBeLessThan(low ?? 0);
    expect(value).toBeGreaterThan(high ?? 1_000);
  });

  it('the verification of a person is decided', async () => {
    const { new_person_id: person } = bank.seeded;
    const page = await open(`/people/${person}`);
    await page.getByRole('button', { name: 'pass', exact: true }).waitFor();
    const isOff = await page.getByRole('button', { name: 'pass', exact: true }).getAttribute('aria-disabled');
    const { simulations } = (await bank.v2('GET', `/_sandbox/explain/${person}`)).body as {
      simulations: { event: string; legal: boolean }[];
    };
    expect(isOff === 'true').toBe(simulations.find(({ event }) => event === 'pass')?.legal === false);
    await page.getByRole('button', { name: 'lock', exact: true }).click();
    await page.locator('main .status').first().getByText('locked').waitFor();
  });

  it('a check in review has its reason, and a person the token with which an app acts', async () => {
    const { person_id: person, person_holder_id: holder } = bank.seeded;
    await bank.v2('POST', `/_sandbox/simulate/holders/${person}/review`, {
      code: 'R112',
      message: 'Ask again',
    });
    const page = await open(`/people/${holder}`);
    const reasons = page.getByRole('list', { name: 'Reasons' });
    expect(await reasons.innerText()).toMatch(/^fraud\b.*\breview\s+R112\s+Ask again$/s);
    await page.getByText(`Authorization: Bearer ${bank.key}:${person}`, { exact: true }).waitFor();
    await bank.v2('POST', `/_sandbox/simulate/holders/${person}/pass`, {});
    await reasons.waitFor({ state: 'detached' });
  });

  it('sandboxes and snapshots are created, compared and restored', async () => {
    const page = await open('/sandboxes');
    await page.getByRole('button', { name: 'Snapshot', exact: true }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('before');
    await page.getByRole('button', { name: 'Take snapshot' }).click();
    await page.getByText('Snapshot before is taken.').waitFor();
    const { body } = await pull(bank, '5.00');
    await page.getByRole('button', { name: 'Compare before with now' }).click();
    await page.getByRole('heading', { name: 'Changed since before' }).waitFor();
    await page.getByTitle(String(body.id)).first().waitFor();
    await page.getByRole('button', { name: 'Restore before' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('before is restored').waitFor();
    expect((await bank.v2('GET', `/v2/payments/transaction/${body.id}`)).status).toBe(404);
  });

  it('a reset and a restore require a confirmation, and one action undoes them', async () => {
    const { body } = await pull(bank, '62.40');
    const page = await open(`/transactions/${body.id}`);
    await page.getByRole('heading', { level: 1 }).getByText('62.40').waitFor();
    const isThere = async () => (await bank.v2('GET', `/v2/payments/transaction/${body.id}`)).status === 200;
    const snapshots = async () => {
      const { body: list } = await bank.v2('GET', '/_sandbox/snapshots');
      return (list.snapshots as { name: string }[]).map(({ name }) => name);
    };
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await isThere()).toBe(true);
    for (let count = 0; count < 4; count += 1) {
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
      await page.getByText('is reset to the seed').waitFor();
      await expect.poll(isThere).toBe(false);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(isThere).toBe(true);
      await page.getByText(/before-reset-\d+ is restored/).waitFor();
    }
    const kept = await snapshots();
    expect(kept.filter((name) => name.startsWith('before-reset-'))).toHaveLength(3);
    expect(kept.filter((name) => name.startsWith('before-restore-'))).toHaveLength(3);
    await page.goto(`${bank.ui}/sandboxes`);
    const oldest = kept.filter((name) => name.startsWith('before-reset-')).toSorted()[0] ?? '';
    await page.getByRole('button', { name: `Delete ${oldest}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(snapshots).not.toContain(oldest);
  });

  it('a mistyped name creates no sandbox, and a button offers it', async () => {
    const names = async () => JSON.stringify((await bank.v2('GET', '/_sandbox/sandboxes')).body);
    const page = await visit(`${bank.url}/_sandbox/ui/mistyped/transactions`);
    await page.getByRole('heading', { name: 'There is no sandbox called mistyped' }).waitFor();
    expect(await page.locator('main').innerText()).toBe('');
    expect(await names()).not.toContain('mistyped');
    await page.getByRole('button', { name: 'Create it' }).click();
    await page.getByText('transactions in the sandbox').waitFor();
    expect(await names()).toContain('mistyped');
    // A button for a deleted sandbox.
    await page.locator('[data-stream=open]').waitFor();
    await bank.v2('DELETE', '/_sandbox/sandboxes/mistyped');
    await page.getByText('The sandbox mistyped was deleted.').waitFor();
    await page.getByRole('button', { name: '+1 hour' }).click();
    await page.getByRole('heading', { name: 'There is no sandbox called mistyped' }).waitFor();
    expect(await names()).not.toContain('mistyped');
  });

  it('every state is found in all transactions, and a declined amount is not shown as a loss', async () => {
    const { virtual_card_id: card } = bank.seeded;
    await bank.v2('PATCH', `/v2/issuing/card/${card}`, { controls: { blocked: { categories: ['7995'] } } });
    await post(`/_sandbox/simulate/cards/${card}/authorize`, {
      amount: '12.00',
      merchant: { name: 'Harbor Casino', mcc: '7995' },
    });
    for (let count = 0; count < 120; count += 1) {
      await post('/_sandbox/simulate/incoming/rtp', {
        sub_account_id: bank.seeded.sub_account_id,
        amount: '1.00',
      });
    }
    const page = await open('/transactions');
    await page.getByText('50 shown so far').waitFor();
    await page.getByLabel('State').selectOption('declined');
    const row = page.getByRole('row').filter({ hasText: 'Harbor Casino' });
    await row.waitFor();
    expect(await row.locator('s.void').innerText()).toBe('12.00');
    expect(await row.locator('.money.out').count()).toBe(0);
    await page.getByLabel('State').selectOption('refunded');
    await page.getByText('No transaction matches the filter.').waitFor();
  });

  it('long names stay in their boxes on a telephone', async () => {
    const name = `a${'long-name'.repeat(7)}`;
    await bank.v2('PUT', `/_sandbox/snapshots/${name}`);
    await post('/_sandbox/sandboxes', { name });
    const { sub_account_id, business_holder_id } = bank.seeded;
    await bank.v2('PATCH', `/v2/accounts/sub_account/${sub_account_id}`, { label: 'Name'.repeat(40) });
    await post('/_sandbox/webhooks', {
      api_version: 'v2',
      url: `http://127.0.0.1:9/${'hooks'.repeat(40)}`,
      events: ['*'],
    });
    // Its own name is in the bar at the top.
    const page = await visit(`${bank.url}/_sandbox/ui/${name}`, { viewport: { width: 390, height: 800 } });
    const wide: string[] = [];
    const look = async (path: string): Promise<void> => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      const across: number = await page.evaluate('document.documentElement.scrollWidth');
      if (across > 390) wide.push(`${path}: ${across}`);
    };
    await page.getByRole('option', { name }).waitFor({ state: 'attached' });
    await look(name);
    const screens = [
      '',
      '/accounts',
      `/accounts/${sub_account_id}`,
      `/people/${business_holder_id}`,
      '/webhooks',
    ];
    for (const path of [...screens, '/sandboxes', '/transactions', '/requests']) {
      await page.goto(`${bank.ui}${path}`);
      await look(path);
    }
    expect(wide).toEqual([]);
  });

  it('rows stay in place when newer ones arrive', async () => {
    const receive = (amount: string) =>
      post('/_sandbox/simulate/incoming/rtp', { sub_account_id: bank.seeded.sub_account_id, amount });
    for (let count = 1; count <= 60; count += 1) await receive(`${count}.00`);
    const page = await open('/transactions');
    const rows = page.getByRole('table', { name: /Transactions/ }).locator('.rows');
    await rows.getByText('60.00').waitFor();
    await rows.evaluate(scrollTo, 680);
    const row = rows.getByRole('row').filter({ hasText: '+35.00' });
    const before = await row.boundingBox();
    await receive('99.00');
    // A list is read again at most once a second.
    await expect.poll(() => rows.evaluate(scrollTop)).toBe(680 + 34);
    await expect
      .poll(async () => Math.round((await row.boundingBox())?.y ?? 0))
      .toBe(Math.round(before?.y ?? 0));
  });

  it('the key of a sandbox is requested if it is not found by its name', async () => {
    const closed = await startBank({ SANDBANK_SANDBOXES: 'closed' });
    const { body } = await closed.v2('POST', '/_sandbox/sandboxes', { name: 'hidden' });
    const page = await visit(`${closed.url}/_sandbox/ui/hidden`);
    await page.getByRole('textbox', { name: 'Key' }).fill(String(body.key));
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('link', { name: /^Everyday/ }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Key' }).count()).toBe(0);
  });

  it('the clock is moved, and the calls are shown as shell commands', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByText('frozen').waitFor();
    const before = (await bank.v2('GET', '/_sandbox/clock')).body as { now: string };
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.getByText(/payment steps?/).waitFor();
    const after = (await bank.v2('GET', '/_sandbox/clock')).body as { now: string };
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(86_400_000);
    await page.getByRole('button', { name: 'Calls' }).click();
    await page.getByText(`curl -s '${bank.url}/_sandbox/clock/advance'`).first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.drawer').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Calls' }).evaluate(hasFocus)).toBe(true);
  });

  it('texts of clients are escaped everywhere', async () => {
    const { sub_account_id, ach_counterparty_id, virtual_card_id } = bank.seeded;
    await bank.v2('PATCH', `/v2/accounts/sub_account/${sub_account_id}`, { label: HOSTILE });
    await bank.v2('PATCH', `/v2/issuing/card/${virtual_card_id}`, { label: HOSTILE });
    const made = await post('/v2/payments/ach/pull', {
      sub_account_id,
      counterparty_id: ach_counterparty_id,
      amount: '5.00',
      description: HOSTILE,
    });
    await post('/_sandbox/webhooks', {
      api_version: 'v2',
      url: 'http://127.0.0.1:9/',
      events: ['*'],
      description: HOSTILE,
    });
    const page = await open();
    const wrong = watch(page);
    for (const path of [
      '',
      '/accounts',
      `/accounts/${sub_account_id}`,
      `/cards/${virtual_card_id}`,
      '/webhooks',
      `/transactions/${made.body.id}`,
    ]) {
      await page.goto(`${bank.ui}${path}`);
      await page.getByText(HOSTILE).first().waitFor();
      expect(await page.locator('img').count()).toBe(0);
    }
    expect(wrong).toEqual([]);
  });

  it(
    'ten thousand transactions scroll smoothly, and a burst does not freeze a frame',
    async () => {
      const page = await open();
      const body = { sub_account_id: bank.seeded.sub_account_id, amount: '1.00' };
      const longest = await longestTask(page, async () => {
        for (let round = 0; round < 10; round += 1) {
          await Promise.all(Array.from({ length: 50 }, () => post('/_sandbox/simulate/incoming/rtp', body)));
        }
        await post('/_sandbox/simulate/incoming/rtp', { ...body, amount: '7.77' });
        await page.getByText('7.77').first().waitFor();
      });
      const rows = await page.locator('.table .rows .row').count();
      expect(rows).toBeLessThan(100);
      expect(longest, 'milliseconds of the longest task').toBeLessThan(200);
      await page.goto(`${bank.ui}/accounts/${bank.seeded.sub_account_id}`);
      await page.getByRole('heading', { name: /Entries \(\d{3,}\)/ }).waitFor();
      await page.getByRole('table', { name: 'Entries' }).locator('.rows').evaluate(scrollTo, 9e9);
      expect(await page.getByRole('table', { name: 'Entries' }).locator('.rows .row').count()).toBeLessThan(
        100,
      );
    },
    ALL_MS,
  );

  it('a lost connection is reported, and the page continues when the bank is back', async () => {
    const lost = await startBank({ SANDBANK_RAILS: 'manual' });
    const page = await visit(`${lost.url}/_sandbox/ui/default`);
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    const { port } = new URL(lost.url);
    await stop(lost);
    await page.getByText('The bank does not answer.').waitFor();
    const back = await startBank({ SANDBANK_RAILS: 'manual', SANDBANK_PORT: port });
    await page.getByText('The bank does not answer.').waitFor({ state: 'detached' });
    await pull(back, '1.00');
    await page.getByText('ACH pull +1.00').first().waitFor();
    expect(await page.getByText('The bank does not answer.').count()).toBe(0);
  });

  it('a deleted sandbox is reported', async () => {
    await post('/_sandbox/sandboxes', { name: 'short' });
    const page = await visit(`${bank.url}/_sandbox/ui/short/coverage`);
    await page.locator('[data-stream=open]').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Which days are banking days?' }).waitFor();
    await page.evaluate('scrollTo(0, 1e6)');
    await bank.v2('DELETE', '/_sandbox/sandboxes/short');
    await page.getByText('The sandbox short was deleted.').waitFor();
    // Wherever the page is scrolled to.
    const alert = page.getByRole('alert');
    await expect.poll(async () => (await alert.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
    // Later requests find no sandbox, but no dialog asks for its key.
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the control token is requested once, if the bank requires one', async () => {
    const guarded = await startBank({ SANDBANK_CONTROL_TOKEN: 'tiger-lily-and-rose' });
    const page = await visit(`${guarded.url}/docs/`);
    const read: string[] = [];
    page.on('request', (request) => read.push(new URL(request.url()).pathname));
    for (const path of ['/accounts', '/people', '', '/webhooks']) {
      await page.goto(`${guarded.url}/_sandbox/ui/default${path}`);
      await page.getByRole('textbox', { name: 'Control token' }).waitFor();
      // Nothing of the bank is drawn, or read with the public key of the sandbox.
      expect(await page.locator('main').innerText()).toBe('');
      expect(read.filter((one) => /^\/v[12]\//.test(one))).toEqual([]);
    }
    await page.getByRole('textbox', { name: 'Control token' }).fill('tiger-lily');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The bank refused this token.').waitFor();
    await page.getByRole('textbox', { name: 'Control token' }).fill('tiger-lily-and-rose');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Every event of v1').waitFor();
    await page.reload();
    await page.getByText('Every event of v1').waitFor();
    await page.getByRole('button', { name: 'Calls' }).click();
    expect(await page.locator('.drawer').innerText()).not.toContain('tiger-lily');
  });
});
