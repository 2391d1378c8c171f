/**
 * Tabs and windows of the inspector: visible ones share one stream, because a browser opens only six connections to a
 * host. A hidden tab has none, and leaving a page ends its part.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pull, type Running, startBank, stop } from '../server/process/support.ts';
import { describeInBrowser } from './browser.ts';

const TABS = 12;
const SHOW = (isHidden: boolean): string => `
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
  document.dispatchEvent(new Event('visibilitychange'));`;

describeInBrowser('tabs of the inspector', ({ visit }) => {
  let bank: Running;

  beforeEach(async () => {
    bank = await startBank({ SANDBANK_RAILS: 'manual' });
    // The page creates no sandbox; programs do with their first call.
    for (const name of ['other', ...Array.from({ length: TABS }, (_, count) => `s${count}`)]) {
      await fetch(`${bank.url}/_sandbox/clock`, { headers: { 'api-key': `test_${name}` } });
    }
  });
  afterEach(async () => {
    await stop(bank);
  });

  const observers = async (): Promise<number> => {
    const text = await (await fetch(`${bank.url}/metrics`)).text();
    return Number(/^sandbank_observers (\d+)$/m.exec(text)?.[1]);
  };

  const tabAt = async (first: Page, name: string): Promise<Page> => {
    const tab = await first.context().newPage();
    await tab.goto(`${bank.url}/_sandbox/ui/${name}/transactions`);
    await tab.getByText('shown').first().waitFor();
    return tab;
  };

  // Headless Chromium shows all tabs at once, like windows beside each other.
  it('twelve visible windows share one stream, and each shows new events', async () => {
    const first = await visit(`${bank.url}/_sandbox/ui/default/transactions`);
    const windows: Page[] = [first];
    for (let count = 1; count < TABS; count += 1) {
      windows.push(await tabAt(first, count % 3 === 0 ? 'other' : 'default'));
    }
    await expect.poll(observers).toBe(1);
    await pull(bank, '62.40');
    await Promise.all(
      windows
        .filter((tab) => tab.url().includes('/default/'))
        .map((tab) => tab.getByText('62.40').first().waitFor()),
    );
    expect(await windows[3]?.getByText('62.40').count()).toBe(0);
    await Promise.all(windows.slice(1).map((tab) => tab.close()));
    await pull(bank, '17.30');
    await first.getByText('17.30').first().waitFor();
    await expect.poll(observers).toBe(1);
    await first.goto('about:blank');
    await expect.poll(observers).toBe(0);
  });

  // Android's browsers have no shared workers.
  it('a browser without shared workers has a stream for each tab', async () => {
    const first = await visit(`${bank.url}/_sandbox/ui/default`);
    await first.context().addInitScript('delete globalThis.SharedWorker');
    const tabs = [await tabAt(first, 'default'), await tabAt(first, 'other')];
    await expect.poll(observers).toBe(3);
    await pull(bank, '62.40');
    await tabs[0]?.getByText('62.40').first().waitFor();
    await Promise.all(tabs.map((tab) => tab.close()));
    await expect.poll(observers).toBe(1);
  });

  it('a worker that ends is replaced', async () => {
    const page = await visit(`${bank.url}/_sandbox/ui/default/transactions`);
    await page.getByText('shown').first().waitFor();
    await expect.poll(observers).toBe(1);
    const devtools = await page.context().browser()?.newBrowserCDPSession();
    const { targetInfos } = (await devtools?.send('Target.getTargets')) ?? { targetInfos: [] };
    const worker = targetInfos.find(({ type }) => type === 'shared_worker');
    expect(worker).toBeDefined();
    await devtools?.send('Target.closeTarget', { targetId: worker?.targetId ?? '' });
    await expect.poll(observers).toBe(0);
    await expect.poll(observers).toBe(1);
    await pull(bank, '62.40');
    await page.getByText('62.40').first().waitFor();
  });

  // The test hides those behind, like a window does.
  it('twelve tabs work with only the last one visible, and a tab resumes when it becomes visible', async () => {
    const first = await visit(`${bank.url}/_sandbox/ui/default/transactions`);
    const tabs: Page[] = [first];
    for (let count = 1; count < TABS; count += 1) {
      await expect.poll(observers).toBe(1);
      await tabs.at(-1)?.evaluate(SHOW(true));
      const tab = await first.context().newPage();
      await tab.goto(`${bank.url}/_sandbox/ui/${count % 2 === 0 ? 'default' : `s${count}`}`);
      await tab.getByRole('heading', { level: 1 }).waitFor();
      tabs.push(tab);
    }
    await expect.poll(observers).toBe(1);
    await pull(bank, '62.40');
    await tabs.at(-1)?.evaluate(SHOW(true));
    await expect.poll(observers).toBe(0);
    await first.bringToFront();
    await first.evaluate(SHOW(false));
    await expect.poll(observers).toBe(1);
    await pull(bank, '17.30');
    await first.getByText('17.30').first().waitFor();
  });

  it('navigation in both directions leaks no stream', async () => {
    const page = await visit(`${bank.url}/_sandbox/ui/default`);
    for (let count = 0; count < 8; count += 1) {
      await page.goto(`${bank.url}/_sandbox/ui/s${count}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    for (let count = 0; count < 8; count += 1) await page.goBack();
    for (let count = 0; count < 4; count += 1) await page.goForward();
    await expect.poll(observers).toBe(1);
    await page.goto('about:blank');
    await expect.poll(observers).toBe(0);
  });
});
