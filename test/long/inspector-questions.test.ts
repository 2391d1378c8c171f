/**
 * The questions with which a user opens the inspector, each answered within three clicks from the first screen of a
 * busy bank, and visible without scrolling. `questions.ts` has the routes.
 */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { type BusyBank, startBusyBank } from './busy-bank.ts';
import { QUESTIONS } from './questions.ts';

const MOST_CLICKS = 3;
const WIDE = { width: 1280, height: 760 };

describeInBrowser('the inspector of a busy bank', ({ visit }) => {
  let of: BusyBank;
  beforeAll(async () => {
    of = await startBusyBank();
  });
  afterAll(() => of.stop());

  it.each(QUESTIONS)('a question is answered within three clicks: $question', async ({ clicks, answer }) => {
    expect(clicks.length).toBeLessThanOrEqual(MOST_CLICKS);
    const page = await visit(`${of.bank.url}/_sandbox/ui`, { viewport: WIDE });
    for (const click of clicks) await click(page, of).click();
    for (const part of answer) {
      const shown = part(page, of);
      await shown.waitFor();
      await expect.poll(() => bottomOf(shown)).toBeLessThanOrEqual(WIDE.height);
    }
  });
});

/** The lower edge of a part of the page, in pixels from the top of the window. */
async function bottomOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box === null || box.y < 0 ? Number.POSITIVE_INFINITY : box.y + box.height;
}
