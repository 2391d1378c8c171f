// The inspector with a proxy: the list of requests marks calls with different responses of the platform, and a
// request shows both responses and their differences.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Running, startBank, stop } from '../server/process/support.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser("the platform's answers in the inspector", ({ visit }) => {
  let bank: Running;

  beforeAll(async () => {
    bank = await startBank({});
    const headers = { 'api-key': 'test_default', 'content-type': 'application/json' };
    const answers = [
      { status: 200, body: { data: [], has_more: true }, differences: [] },
      {
        status: 403,
        body: { error: { code: 'ERROR_CODE_FORBIDDEN' } },
        differences: [
          { cause: 'status', field: '', here: '200', there: '403 ERROR_CODE_FORBIDDEN', decision: '' },
          { cause: 'type', field: 'has_more', here: 'text', there: 'boolean', decision: 'has-more-words' },
        ],
      },
    ];
    for (const [index, answer] of answers.entries()) {
      const own = await fetch(`${bank.url}/v2/${index === 0 ? 'webhook' : 'attachment'}`, { headers });
      const kept = await fetch(`${bank.url}/_sandbox/requests/${own.headers.get('x-request-id')}/platform`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ address: 'https://test-api.example', ...answer }),
      });
      expect(kept.status).toBe(204);
    }
    await fetch(`${bank.url}/v2/issuing/card`, { headers });
  });
  afterAll(() => stop(bank));

  it('calls with different responses are marked, and both responses are shown', async () => {
    const page = await visit(`${bank.url}/_sandbox/ui/default/requests`);
    await page.getByText('2 differ').waitFor();
    expect(await page.getByText('equal', { exact: true }).count()).toBe(1);
    await page.getByText('2 differ').click();
    await page.getByRole('heading', { name: 'Response of the platform' }).waitFor();
    await page.getByRole('heading', { name: 'Response of this bank' }).waitFor();
    const table = page.getByRole('table');
    expect(await table.getByRole('row').count()).toBe(3);
    expect(await table.innerText()).toContain('403 ERROR_CODE_FORBIDDEN');
    const link = table.getByRole('link', { name: 'has-more-words' });
    expect(await link.getAttribute('href')).toBe('/docs/fidelity.html#has-more-words');
    expect(await page.getByText('https://test-api.example').count()).toBe(1);
  });

  it('a request without a proxy is shown as before', async () => {
    const page = await visit(`${bank.url}/_sandbox/ui/default/requests`);
    await page.getByText('/v2/issuing/card').click();
    await page.getByRole('heading', { name: 'Response', exact: true }).waitFor();
    expect(await page.getByText('Response of the platform').count()).toBe(0);
  });
});
