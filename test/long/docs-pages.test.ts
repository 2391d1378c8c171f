/**
 * Every page at /docs in a real browser, light, dark and in the width of a telephone: the text is readable, nothing
 * overflows, no other server is called, no error occurs, and all links work.
 */
import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { readLibrary } from '../../src/reference/pages/library.ts';
import { type Running, startBank } from '../server/process/support.ts';
import { IS_WHOLE, partOfToday } from '../support/runs.ts';
import { collectProblems, describeInBrowser } from './browser.ts';

/** On two idle cores it takes a fraction of this. */
const ALL_MS = 240_000;

/** Texts with too little contrast, with their location. */
const FAINT = `(async () => {
  const { violations } = await axe.run(document, { runOnly: ['color-contrast'], resultTypes: ['violations'] });
  return violations.flatMap(({ nodes }) => nodes.map(({ target, any }) => target.join(' ') + ': ' + any[0].message));
})()`;

/** Pages of operations, and files for programs. */
const WRITTEN = /^(\/docs\/reference\/\w+\/\w+\.html|\/openapi\/.*|\/docs\/collections\/.*)$/;
/** Some of the pages of operations. */
const OPERATIONS = [
  'v2/v2_originate_ach_pull',
  'v2/event_transaction_created',
  'v1/createPerson',
  'sandbox/sandbox_explain',
];

/** The names in tables that take two lines. */
const BROKEN = `[...document.querySelectorAll('td code')].filter((code) => code.getClientRects().length > 1 && /^[\\w.]+$/.test(code.textContent)).map((code) => code.textContent)`;
/** Whether a table is wider than its container. */
const SCROLLED = `[...document.querySelectorAll('main table')].some((table) => table.scrollWidth > table.clientWidth + 1)`;

interface Links {
  ids: string[];
  links: string[];
}

describeInBrowser('the pages at /docs', ({ visit }) => {
  let bank: Running;
  let names: string[] = [];

  beforeAll(async () => {
    bank = await startBank();
    names = [...(await readLibrary()).pages.keys()].map((name) => `${name}.html`);
    expect(names.length).toBeGreaterThan(20);
  });

  const visitDocs = (name = '', options?: BrowserContextOptions): Promise<Page> =>
    visit(`${bank.url}/docs/${name}`, options);

  const watch = (page: Page): string[] => collectProblems(page, bank.url);

  // Colors do not depend on the width.
  it.each([['dark', 390] as const, ...(IS_WHOLE ? [['light', 1280] as const] : [])])(
    'are readable: %s, %i px wide',
    async (colorScheme, width) => {
      const page = await visitDocs('', { colorScheme, viewport: { width, height: 900 } });
      const wrong = watch(page);
      const all = [...names, ...OPERATIONS.map((id) => `reference/${id}.html`)];
      const examined = new Set(partOfToday(all, 4));
      for (const name of all) {
        await page.goto(`${bank.url}/docs/${name}`);
        if (examined.has(name)) {
          await page.evaluate(axe.source);
          const faint: string[] = await page.evaluate(FAINT);
          wrong.push(...faint.map((one) => `${name}: ${one}`));
        }
        const across: number = await page.evaluate('document.documentElement.scrollWidth');
        if (across > width) wrong.push(`${name} is ${across} px wide`);
        if (width > 640)
          wrong.push(...((await page.evaluate(BROKEN)) as string[]).map((word) => `${name} breaks ${word}`));
        else if (await page.evaluate(SCROLLED)) wrong.push(`${name} has a table that is no cards`);
      }
      expect(wrong).toEqual([]);
    },
    ALL_MS,
  );

  it.each(IS_WHOLE ? [768, 900, 1024] : [768])('are not wider than a screen of %i px', async (width) => {
    const page = await visitDocs('', { viewport: { width, height: 1000 } });
    for (const name of [
      '',
      'guides/develop.html',
      'fidelity.html',
      ...OPERATIONS.map((id) => `reference/${id}.html`),
    ]) {
      await page.goto(`${bank.url}/docs/${name}`);
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
    }
  });

  it(
    'have no broken links, to a page or within it',
    async () => {
      const page = await visitDocs();
      const found = new Map<string, Links>();
      for (const name of names) {
        await page.goto(`${bank.url}/docs/${name}`);
        const links: Links = await page.evaluate(`({
          ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
          links: [...document.querySelectorAll('a[href]')].map(({ href }) => href),
        })`);
        found.set(new URL(page.url()).pathname, links);
      }
      const dead: string[] = [];
      for (const [from, { links }] of found) {
        for (const link of new Set(links)) {
          const { origin, pathname, hash } = new URL(link);
          // The inspector, or the front page of a bank without a control plane.
          if (origin === bank.url && pathname === '/') continue;
          if (origin !== bank.url) {
            dead.push(`${from}: ${link} is elsewhere`);
            continue;
          }
          if (WRITTEN.test(pathname)) {
            const { status } = await fetch(link);
            if (status !== 200) dead.push(`${from}: ${link} is answered with ${status}`);
            continue;
          }
          const to = found.get(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
          if (to === undefined) dead.push(`${from}: ${link}`);
          else if (hash !== '' && !to.ids.includes(decodeURIComponent(hash.slice(1)))) {
            dead.push(`${from}: ${link} has no such place`);
          }
        }
      }
      expect(dead).toEqual([]);
    },
    ALL_MS,
  );

  it.each([
    ['ach pull', 'Originate an ACH pull', '/docs/reference/v2/v2_originate_ach_pull.html', ''],
    [
      'receive webhooks',
      /Develop against Sandbank.*Receive webhooks/s,
      '/docs/guides/develop.html',
      'receive-webhooks',
    ],
  ])('are searched: %s', async (words, title, path, anchor) => {
    const page = await visitDocs();
    const wrong = watch(page);
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    await page.locator('.search .results a').filter({ hasText: title }).first().click();
    await page.waitForURL((url) => url.pathname === path);
    expect(new URL(page.url()).hash).toBe(anchor === '' ? '' : `#${anchor}`);
    await page
      .locator(anchor === '' ? 'main h1' : `[id="${anchor}"]`)
      .first()
      .waitFor();
    expect(wrong).toEqual([]);
  });

  it.each(['postman', 'jest', 'commonjs', 'typescript', 'openapi'])(
    'the search for %s succeeds',
    async (word) => {
      const page = await visitDocs();
      await page.getByRole('searchbox').first().fill(word);
      const found = await page.locator('.search .results a').first().getAttribute('href');
      await page.goto(new URL(found ?? '', page.url()).href);
      expect((await page.locator('main').innerText()).toLowerCase()).toContain(word);
    },
  );

  it('the register is filtered by version, subject, evidence and words', async () => {
    const page = await visitDocs('fidelity.html');
    const shown = (): Promise<number> => page.locator('tbody tr:visible td[data-of="Decision"]').count();
    const all = await shown();
    expect(all).toBeGreaterThan(250);
    await page.getByLabel('Evidence').selectOption('sample');
    const samples = await shown();
    expect(samples).toBeLessThan(all / 4);
    await page.getByLabel('Version').selectOption('v1');
    await page.getByLabel('About').selectOption('payments');
    const fewer = await shown();
    expect(fewer).toBeGreaterThan(0);
    expect(fewer).toBeLessThan(samples);
    expect(await page.locator('.row-filter output').innerText()).toMatch(new RegExp(`^${fewer} of `));
    await page.getByLabel('Words').fill('no such words');
    expect(await shown()).toBe(0);
  });

  it('an unknown address shows a search', async () => {
    const page = await visitDocs('guides/nothing.html');
    await page.getByText('Page not found').waitFor();
    await page.getByRole('searchbox').fill('postman');
    await page.locator('.search .results a').first().waitFor();
    expect(await page.locator('.search .results').innerText()).toContain('Postman');
  });

  it('a code block is copied unchanged', async () => {
    const page = await visitDocs('guides/develop.html', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('main .code').first().hover();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    const guide = readFileSync(new URL('../../docs/guides/develop.md', import.meta.url), 'utf8');
    expect(copied.trim()).toBe(/```\w+\n([\s\S]*?)\n```/.exec(guide)?.[1]);
  });

  it('a telephone has a menu, which a button opens', async () => {
    const page = await visitDocs('guides/docker.html', { viewport: { width: 390, height: 844 } });
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Fidelity' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByText('Look up').click();
    await link.click();
    await page.waitForURL('**/docs/fidelity.html');
  });

  it('the colour mode is kept on the next page', async () => {
    const page = await visitDocs('', { colorScheme: 'light' });
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await paper();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.goto(`${bank.url}/docs/cli.html`);
    expect(await paper()).toBe(dark);
  });
});
