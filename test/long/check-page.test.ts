/**
 * The page of an identity check in a real browser: the user presses a button and returns to the app. Decision
 * `check-pages` in docs/fidelity.md.
 */
import { expect, it } from 'vitest';
import { type Running, startBank } from '../server/process/support.ts';
import { describeInBrowser } from './browser.ts';

/** A new person with markup in its name, and the page of its check. */
async function beginCheck(bank: Running): Promise<{ person: string; url: string }> {
  const body = {
    firstName: '<b id="hostile">Ida</b>',
    lastName: 'Moss',
    phone: '+15555555555',
    email: 'ida@moss.example',
  };
  const { id: person } = (await bank.v1('POST', '/v1/person', body)).body as { id: string };
  const { url } = (await bank.v1('POST', `/v1/person/${person}/idv`)).body as { url: string };
  return { person, url };
}

const statusOf = async (bank: Running, person: string): Promise<unknown> =>
  (await bank.v1('POST', `/v1/person/${person}/idv`, { action: 'resume' })).body.status;

describeInBrowser('the page of an identity check', (browser) => {
  it.each([
    ['Pass', 'completed', 'approved'],
    ['Fail', 'failed', 'declined'],
    ['Needs review', 'needs_review', 'inReview'],
  ])('redirects to the app after %s', async (button, word, status) => {
    const bank = await startBank();
    const { person, url } = await beginCheck(bank);
    const { page, origin } = await browser.openPage();
    // Appended as in the app's own sample.
    await page.goto(`${url}&redirect-uri=${origin}`);
    expect(await page.locator('#hostile').count()).toBe(0);
    expect(await page.locator('main').innerText()).toContain('<b id="hostile">Ida</b> Moss');
    expect(await page.locator('main').innerText()).toContain('imitation');
    await page.getByRole('link', { name: button, exact: true }).click();
    await page.waitForURL((to) => to.origin === origin);
    const back = new URL(page.url()).searchParams;
    expect([back.get('status'), back.get('reference-id')]).toEqual([word, person]);
    expect(back.get('inquiry-id')).toMatch(/^idv-/);
    expect(await statusOf(bank, person)).toBe(status);
  });

  it('shows the result without a redirect URL, and offers nothing else', async () => {
    const bank = await startBank();
    const { person, url } = await beginCheck(bank);
    const page = await browser.visit(url);
    await page.getByRole('link', { name: 'Pass', exact: true }).click();
    await page.getByText('You can close this page.').waitFor();
    expect(await page.getByRole('link').count()).toBe(0);
    expect(await statusOf(bank, person)).toBe('approved');
  });
});
