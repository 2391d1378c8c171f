/**
 * The mobile app of the platform, whose user passes the identity check in a real browser and returns to the address
 * of the app, in both storage modes.
 */
import { it } from 'vitest';
import { type Decide, PLACES, runApp } from '../contract/acceptance/mobile-app.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('the app with its browser', (browser) => {
  const decideInBrowser: Decide = async (url) => {
    const { page, origin } = await browser.openPage();
    await page.goto(`${url}&redirect-uri=${origin}/idv`);
    await page.getByRole('link', { name: 'Pass', exact: true }).click();
    await page.waitForURL((to) => to.origin === origin);
    return page.url();
  };

  it.each(PLACES)('does everything for a person in %s, and shows nothing of another', async (place) => {
    await runApp(place, decideInBrowser);
  });
});
