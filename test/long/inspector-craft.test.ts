/** The inspector by keyboard: shortcuts, focus, titles and the palette; and how its lists fill the window. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Opened, openSandbox, pull, type Running, startBank, stop } from '../server/process/support.ts';
import { describeInBrowser } from './browser.ts';

const SCREENS = [
  'Activity',
  'Accounts',
  'Transactions',
  'Cards',
  'People',
  'Webhooks',
  'Requests',
  'Simulate',
  'Send',
  'Books',
  'Sandboxes',
  'Coverage',
];

describeInBrowser('the inspector', ({ visit }) => {
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

  const open = (path = '', height = 760): Promise<Page> =>
    visit(`${bank.ui}${path}`, { viewport: { width: 1280, height } });
  /** The text of the focused element. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(`document.activeElement.innerText.replace(/\\s+/g, ' ').trim()`);

  it('each screen has a title of its own, and its heading gets the focus', async () => {
    const page = await open();
    const titles: string[] = [];
    for (const screen of SCREENS) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect.poll(() => page.title()).toContain(screen);
      // The first link leads to the present screen.
      if (screen !== SCREENS[0]) await expect.poll(() => focused(page)).toBe(await heading.innerText());
      titles.push(await page.title());
    }
    expect(new Set(titles).size).toBe(SCREENS.length);
    expect(titles).toContain(`Accounts · ${bank.name} · Sandbank`);
  });

  it('the keyboard shortcuts work, and are listed on a sheet', async () => {
    for (let count = 1; count <= 60; count += 1) await bank.v2('GET', `/v2/webhook?limit=${count}`);
    const page = await open('/requests');
    await page.locator('.rows [data-at="0"]').waitFor();
    /** The index of the focused row; -1 for none. */
    const place = (): Promise<number> => page.evaluate('Number(document.activeElement.dataset.at ?? -1)');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
    for (const key of ['/', 'j', 'k', 'Enter', 'g', '?']) {
      await sheet.locator('kbd').getByText(key, { exact: true }).waitFor();
    }
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await expect.poll(place).toBe(0);
    for (const [key, at] of [
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(place).toBe(at);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'GET /v2/webhook' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 300 });
    await page.evaluate('scrollTo(0, 1e6)');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.keyboard.press('g');
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Find' }).waitFor();
  });

  it('a row keeps the focus and its place when the list is read again', async () => {
    const receive = async (from: number, to: number): Promise<void> => {
      const { sub_account_id } = bank.seeded;
      for (let count = from; count <= to; count += 1) {
        await bank.v2('POST', '/_sandbox/simulate/incoming/rtp', { sub_account_id, amount: `${count}.00` });
      }
    };
    await receive(1, 20);
    const page = await open('/transactions');
    const rows = page.getByRole('table', { name: /Transactions/ }).locator('.rows');
    await rows.getByText('+20.00').waitFor();
    /** Where the focused row is in the window, in pixels. */
    const top = (): Promise<number> =>
      page.evaluate('Math.round(document.activeElement.getBoundingClientRect().top)');
    const total = async (): Promise<number> =>
      Number(/(\d+) transactions/.exec(await page.getByText(/\d+ shown/).innerText())?.[1]);
    const count = await total();
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('+20.00');
    const before = await top();
    // More than the rows that are in the page.
    await receive(21, 45);
    await expect.poll(total, { timeout: 10_000 }).toBe(count + 25);
    expect(await focused(page)).toContain('+20.00');
    await expect.poll(top).toBe(before);
    await page.keyboard.press('j');
    await expect.poll(() => focused(page)).toContain('+19.00');
    // Also while the list is scrolled elsewhere.
    await rows.evaluate((element) => {
      element.scrollTop = 0;
    });
    await rows.getByText('+45.00').waitFor();
    expect(await focused(page)).toContain('+19.00');
  });

  it('times are in UTC with their day, and banking days are those of New York', async () => {
    const move = (now: string) => bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now });
    await move('2029-01-06T04:59:00.000Z');
    await bank.v2('GET', '/v2/issuing/card');
    // Saturday in New York, and still Friday in California.
    await move('2029-01-06T05:30:00.000Z');
    await pull(bank, '62.40');
    const page = await open();
    await page.locator('.clock', { hasText: '2029-01-06 05:30:00 UTC' }).waitFor();
    const days = page.getByRole('list', { name: 'Banking days in New York' }).getByRole('listitem');
    await expect.poll(() => days.first().innerText()).toMatch(/^Sat 06/);
    await page.getByRole('button', { name: 'Advance …' }).click();
    const preview = page.getByRole('dialog').getByRole('list', { name: /^Banking days in New York/ });
    await expect.poll(() => preview.getByRole('listitem').allInnerTexts()).toHaveLength(2);
    await page.goto(`${bank.ui}/requests`);
    await page.getByRole('columnheader', { name: 'UTC, New York' }).waitFor();
    await page.getByText('01-06 04:59:00').waitFor();
  });

  it('the palette finds states, return codes, amounts, paths and operations', async () => {
    const { body } = await pull(bank, '1234.56');
    await bank.v2('POST', `/_sandbox/simulate/transactions/${body.id}/settle`, {});
    await bank.v2('POST', `/_sandbox/simulate/transactions/${body.id}/return`, { return_code: 'R01' });
    const page = await open('/coverage');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const base = `${bank.ui}`;
    for (const [words, option, address] of [
      ['declined', /^Transactions: declined/, `${base}/transactions?status=declined`],
      ['R01', /1234\.56, returned.*20\d\d-/, `${base}/transactions/${body.id}`],
      ['1,234.56', /^ach pull 1234\.56/, `${base}/transactions/${body.id}`],
      ['/v2/payments', /^Requests with/, `${base}/requests?text=%2Fv2%2Fpayments`],
      ['ach/pull', /^Activity with/, `${base}?text=ach%2Fpull`],
      [
        'originate ach pull',
        /^POST \/v2\/payments\/ach\/pull/,
        `${base}/send?version=v2&operation=v2_originate_ach_pull`,
      ],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^A screen/ }).fill(words);
      await page.getByRole('option', { name: option }).first().click();
      await expect.poll(() => page.url().replace('/?', '?'), { message: words }).toBe(address);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^A screen/ }).fill('a');
    const list = page.getByRole('listbox');
    // The list scrolls, and not the page.
    expect(await list.evaluate((element) => element.clientHeight)).toBeLessThanOrEqual(760 * 0.6);
  });

  it('a list fills the window, and has one scrollbar', async () => {
    for (let count = 0; count < 60; count += 1) await pull(bank, '1.00');
    const page = await open();
    for (const [path, table] of [
      ['', 'Activity'],
      ['/transactions', 'Transactions'],
      ['/requests', 'Requests'],
      ['/events', 'Events'],
    ] as const) {
      await page.goto(`${bank.ui}${path}`);
      const rows = page.getByRole('table', { name: new RegExp(table) }).locator('.rows');
      await rows.locator('[role=row]').first().waitFor();
      const sizes = (): Promise<{ page: number; window: number; bottom: number }> =>
        rows.evaluate((element) => ({
          page: element.ownerDocument.documentElement.scrollHeight,
          window: element.ownerDocument.documentElement.clientHeight,
          bottom: element.getBoundingClientRect().bottom,
        }));
      await expect.poll(async () => `${path} ${(await sizes()).page}`).toBe(`${path} 760`);
      expect((await sizes()).bottom, path).toBeGreaterThan(760 - 60);
    }
  });

  it('the last selection is loaded if it changes during a request', async () => {
    await bank.v2('GET', '/v2/webhook');
    await bank.v2('GET', '/v2/issuing/card');
    const page = await open('/coverage');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(
      /\/_sandbox\/requests\?/,
      async (route) => {
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    const asked = page.waitForRequest(/\/_sandbox\/requests\?/);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await asked;
    await page.getByLabel('Text').fill('issuing');
    release();
    await page.locator('.rows').getByText('/v2/issuing/card').waitFor();
    expect(await page.locator('.rows').getByText('/v2/webhook').count()).toBe(0);
  });

  it('the chart of a balance has a note if the clock was set back', async () => {
    const { sub_account_id: account } = bank.seeded;
    const receive = () =>
      bank.v2('POST', '/_sandbox/simulate/incoming/rtp', { sub_account_id: account, amount: '25.00' });
    await bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2029-01-01T12:00:00.000Z' });
    await receive();
    await bank.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2027-01-01T12:00:00.000Z' });
    await receive();
    const page = await open(`/accounts/${account}`);
    await page.getByText('The clock was set back').waitFor();
    expect(await page.getByText('The clock was set back').count()).toBe(1);
  });
});
