/**
 * The pages of an instance of workerd in a real browser: they are files of an assets binding, and the worker adds the
 * headers and writes the rest. No request fails, none goes elsewhere, and the policy of no page is violated.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { collectProblems, describeInBrowser, type Page } from '../../long/browser.ts';
import { pull, type Running, startBank } from '../../server/process/support.ts';

describeInBrowser('the pages of an instance', ({ visit }) => {
  let bank: Running;
  let wrong: string[] = [];

  beforeAll(async () => {
    bank = await startBank({ SANDBANK_RAILS: 'manual' });
  });
  beforeEach(() => {
    wrong = [];
  });

  /** Opens a page, and notes whatever goes wrong on it from its second address on. */
  const open = async (path: string): Promise<Page> => {
    const page = await visit(`${bank.url}/docs/`);
    collectProblems(page, bank.url, wrong);
    await page.goto(bank.url + path);
    return page;
  };

  it('at /docs are read, searched, and lead to those that the server writes', async () => {
    const page = await open('/docs/');
    await page.getByRole('searchbox').fill('ach pull');
    const found = page.locator('.search .results a');
    await found.filter({ hasText: 'Originate an ACH pull' }).first().click();
    await page.waitForURL((url) => url.pathname === '/docs/reference/v2/v2_originate_ach_pull.html');
    await page.getByRole('heading', { level: 1 }).getByText('Originate an ACH pull').waitFor();
    await page.goto(`${bank.url}/docs/guides/cluster.html`);
    await page.getByRole('heading', { level: 1 }).getByText('A bank for the whole company').waitFor();
    await page.goto(`${bank.url}/docs/fidelity.html`);
    await page.getByLabel('Evidence').selectOption('sample');
    expect(await page.locator('tbody tr:visible').count()).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  it('of the inspector show every list of a sandbox', async () => {
    await pull(bank, '11.00');
    const page = await open('/_sandbox/ui/default');
    for (const [path, title] of Object.entries({
      '': 'Activity',
      '/accounts': 'Accounts',
      [`/accounts/${bank.seeded.sub_account_id}`]: 'Everyday',
      '/transactions': 'Transactions',
      '/cards': 'Cards',
      '/people': 'People',
      '/webhooks': 'Webhooks',
      '/events': 'Events',
      '/counterparties': 'Counterparties',
      '/requests': 'Requests',
      '/what-if': 'Simulate',
      '/send': 'Send a request',
      '/books': 'Books',
      '/sandboxes': 'Sandboxes',
      '/coverage': 'Coverage',
    })) {
      await page.goto(`${bank.url}/_sandbox/ui/default${path}`);
      await page.getByRole('heading', { level: 1 }).getByText(title).first().waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    }
    expect(wrong).toEqual([]);
  });

  it('of the inspector follow a payment, and return it by a button', async () => {
    const page = await open('/_sandbox/ui/default');
    await page.getByRole('table', { name: 'Activity' }).waitFor();
    const { body } = await pull(bank, '62.40');
    await page.getByRole('link', { name: 'ACH pull +62.40 from Harbor Supplies' }).waitFor();
    await page.getByTitle(String(body.id)).first().click();
    await page.getByRole('heading', { level: 1 }).getByText('62.40').waitFor();
    await page.getByRole('button', { name: 'settle', exact: true }).click();
    await page.locator('main .status').first().getByText('settled').waitFor();
    await page.getByRole('button', { name: 'return', exact: true }).click();
    await page.locator('main .status').first().getByText('returned').waitFor();
    const { status } = (await bank.v2('GET', `/v2/payments/transaction/${body.id}`)).body;
    expect([status, wrong]).toEqual(['returned', []]);
  });

  it('of the inspector list a sandbox of another key, and lead to it', async () => {
    await bank.v2('GET', '/_sandbox', undefined, { 'api-key': 'test_neighbour' });
    const page = await open('/_sandbox/ui/default/sandboxes');
    await page.getByRole('link', { name: 'neighbour' }).first().click();
    await page.waitForURL((url) => url.pathname.startsWith('/_sandbox/ui/neighbour'));
    await page.getByRole('table', { name: 'Activity' }).waitFor();
    expect(wrong).toEqual([]);
  });
});
