/** A trace file in a real browser: it shows the failed test, its payment and its requests, and calls no server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startSandbank } from '../../src/kit/start.ts';
import { makeFolder } from '../support/folder.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('a trace', ({ visit }) => {
  it('a trace opens from a disk, shows what happened, and is read-only', async () => {
    const file = join(makeFolder(), 'trace.html');
    await using bank = await startSandbank({ rails: 'manual' });
    const { sub_account_id, ach_counterparty_id: counterparty_id } = await bank.seeded();
    const { id } = await bank.v2.originateAchPull({
      body: { sub_account_id, counterparty_id, amount: '62.40' },
    });
    await bank.clock.settle();
    await bank.sandbox.simulateTransaction({ params: { id, event: 'return' }, body: { return_code: 'R01' } });
    writeFileSync(file, await bank.trace({ test: 'pays the rent', error: 'expected "settled"' }));
    await bank.close();

    const page = await visit('about:blank');
    const called: string[] = [];
    page.on('request', (request) => called.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.getByRole('heading', { name: 'Failed: pays the rent' }).waitFor();
    expect(await page.locator('.trace').innerText()).toContain('expected "settled"');
    await page.getByRole('link', { name: 'Transactions' }).click();
    await page.locator(`a[href$="${id}"]`).first().click();
    await page.getByText('returned', { exact: false }).first().waitFor();
    expect(await page.locator('main').innerText()).toMatch(/62\.40/);
    expect(await page.locator('main').innerText()).toContain('R01');
    // Every screen of a trace is complete.
    for (const name of await page.getByRole('navigation').getByRole('link').allInnerTexts()) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      expect(await page.locator('.failure').allInnerTexts(), name).toEqual([]);
    }
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('/v2/payments/ach/pull').first().waitFor();
    // No controls that would change the sandbox are shown.
    expect(await page.getByRole('button', { name: /freeze|reset|advance|settle/i }).count()).toBe(0);
    expect(called.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
  });
});
