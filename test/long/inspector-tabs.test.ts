/**
 * Tabs of the inspector: one that nobody sees holds no stream, so many tabs work although a browser opens six connections to a
 * host; and leaving a page ends its stream.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pull, type Running, startBank, stop } from '../process/support.ts';
import { describeInBrowser } from './browser.ts';

const TABS = 12;
const SHOW = (isHidden: boolean): string => `
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
  document.dispatchEvent(new Event('visibilitychange'));`;

describeInBrowser('tabs of the inspector', ({ visit }) => {
  let bank: Running;

  beforeEach(async () => {
    bank = await startBank({ SANDBANK_RAILS: 'manual' });
  });
  afterEach(async () => {
    await stop(bank);
  });

  const observers = async (): Promise<number> => {
    const text = await (await fetch(`${bank.url}/metrics`)).text();
    return Number(/^sandbank_observers (\d+)$/m.exec(text)?.[1]);
  };

  // Headless Chromium shows all tabs at once, so the test hides those behind, as a window does.
  it('twelve tabs work, of which the last is seen, and one that is seen again resumes', async () => {
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

  it('going back and forth leaks no stream', async () => {
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
