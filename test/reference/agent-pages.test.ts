/**
 * The pages for coding agents: an overview at the root and at /docs, and every page as Markdown. A missing page gets
 * a page with the search.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../src/reference/pages/library.ts';
import { GROUPS } from '../../src/reference/pages/lists.ts';
import { useHttp } from '../server/http/support.ts';

/** Documents about the code, the page for npm, and the front page, which the menu does not list. */
const NOT_LISTED = /^(decisions\/|npm\/|architecture\.md|guides\/release\.md|index\.md)/;

const http = useHttp({ small: true });
const get = (url: string, accept = '*/*') => http.app.server.inject({ url, headers: { accept } });

describe('llms.txt', () => {
  it.each(['llms.txt', 'llms-full.txt'])('%s is the same at the root and at /docs', async (name) => {
    const [atRoot, atDocs] = await Promise.all([get(`/${name}`), get(`/docs/${name}`)]);
    expect(atRoot.statusCode).toBe(200);
    expect(atRoot.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(atRoot.body).toBe(atDocs.body);
    expect(atRoot.body).toMatch(/^# Sandbank\n\n> Sandbank is a local imitation of Solid's banking API/);
  });

  it('links every page with a description, and every link is valid', async () => {
    const { body } = await get('/llms.txt');
    const links = [...body.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link = '']) => link);
    const files = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true, encoding: 'utf8' });
    const pages = [
      ...files.filter((name) => name.endsWith('.md') && !NOT_LISTED.test(name)),
      ...['errors', 'events', 'reference/v2', 'reference/v1', 'reference/sandbox'].map(
        (name) => `${name}.md`,
      ),
    ];
    expect(links.filter((link) => link.startsWith('/docs/')).toSorted()).toEqual(
      pages.map((name) => `/docs/${name}`).toSorted(),
    );
    for (const link of links) expect([link, (await get(link)).statusCode]).toEqual([link, 200]);
    expect(body).toMatch(
      /\[Test your program against Sandbank\]\(\/docs\/guides\/test\.md\): Sandbank is a bank on your machine/,
    );
  });

  it('is complete in llms-full.txt, and contains nothing about the code', async () => {
    const { body } = await get('/llms-full.txt');
    const guide = await (await readLibrary()).pages.get('guides/test')?.text();
    expect(body).toContain(guide?.trim());
    expect(body).toContain('`POST /v2/payments/ach/pull` Originate an ACH pull');
    expect(body).not.toContain('/docs/decisions/');
  });
});

it('links a Markdown version of every page', async () => {
  const { statusCode, headers, body } = await get('/docs/guides/develop.md');
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(body).toMatch(/^# Develop against Sandbank\n/);
});

describe('a page that does not exist', () => {
  it.each(['/docs/nothing', '/docs/guides/nothing.html', '/docs/reference'])('is HTML: %s', async (url) => {
    const { statusCode, headers, body } = await get(url, 'text/html');
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(body).toMatch(/<title>Page not found · Sandbank[\s\S]*<form class="search"/);
  });

  it('is not served if its file is missing', async () => {
    const { statusCode, headers } = await get('/docs/pictures/nothing.js');
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

it('the front page names what is emulated, and links the inspector', async () => {
  const { body } = await get('/docs/');
  expect(body).toMatch(/imitates Solid/);
  expect(body).toContain('<a href="/">Inspector</a>');
});

describe('a page', () => {
  it('links only to existing pages and places', async () => {
    const { pages } = await readLibrary();
    // Their pages are read in test/reference/reference-pages.test.ts.
    const operations = new Set(
      GROUPS.flatMap(({ name, groups }) =>
        groups.flatMap(({ entries }) => entries.map(({ id }) => `/docs/reference/${name}/${id}.html`)),
      ),
    );
    const bodies = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const known = bodies.get(path);
      if (known !== undefined) return known;
      const { statusCode, body } = await get(path, 'text/html');
      bodies.set(path, statusCode < 400 ? body : '');
      return bodies.get(path) ?? '';
    };
    const dead: string[] = [];
    for (const name of pages.keys()) {
      const from = `/docs/${name}.html`;
      for (const [, href = ''] of (await read(from)).matchAll(/<(?:a|img)[^>]* (?:href|src)="([^"]+)"/g)) {
        const { protocol, host, pathname, hash } = new URL(
          href.replaceAll('&amp;', '&'),
          `http://bank${from}`,
        );
        if (protocol === 'data:' || pathname === '/' || operations.has(pathname)) continue;
        const page = host === 'bank' ? await read(pathname) : '';
        const isThere = hash === '' || page.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
        if (page === '' || !isThere) dead.push(`${from}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
    expect(bodies.size).toBeGreaterThan(pages.size);
  });

  it('shows commands for two shells as tabs, and the name of a column with each cell', async () => {
    const { pages } = await readLibrary();
    const bodies = await Promise.all(
      [...pages.keys()].map(async (name) => (await get(`/docs/${name}.html`)).body),
    );
    expect(bodies.filter((body) => body.includes('value="PowerShell"')).length).toBeGreaterThan(0);
    expect((await get('/docs/settings.html')).body).toMatch(/<td data-of="[^"]+"><code>SANDBANK_PORT/);
  });

  it('marks itself in the menu, and lists its sections', async () => {
    const { body } = await get('/docs/guides/develop.html');
    expect(body).toMatch(/<details open><summary>Guides<\/summary>/);
    expect(body).toContain('<a href="/docs/guides/develop.html" aria-current="page">');
    expect(body).toContain('<a href="#receive-webhooks">Receive webhooks</a>');
  });
});

describe('the search', () => {
  it.each([
    ['ach pull', '/docs/reference/v2/v2_originate_ach_pull.html'],
    ['receive webhooks', '/docs/guides/develop.html#receive-webhooks'],
    ['postmn', '/docs/guides/collections.html'],
  ])('finds %s', async (words, link) => {
    const { body } = await get(`/docs/search.html?q=${encodeURIComponent(words)}`);
    const [, results = ''] = /<div class="results">([\s\S]*)<\/main>/.exec(body) ?? [];
    expect(results).toContain(`<li><a href="${link}">`);
  });

  it('escapes its input', async () => {
    const { body } = await get(`/docs/search.html?q=${encodeURIComponent('<i>zzzz')}`);
    expect(body).toContain('No page contains &lt;i&gt;zzzz.');
  });
});
