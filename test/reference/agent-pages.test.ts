/**
 * The pages for coding agents: an overview at the root and at /docs, and every page as Markdown. A missing page gets
 * a page with the search.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useHttp } from '../server/http/support.ts';

const SITE = new URL('../../dist/site/', import.meta.url);
const NAMES = readdirSync(SITE, { recursive: true, encoding: 'utf8' });

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
    const pages = NAMES.filter((name) => name.endsWith('.html') && !/^(index|404)\.html$/.test(name));
    expect(links.filter((link) => link.startsWith('/docs/')).toSorted()).toEqual(
      pages.map((name) => `/docs/${name.replace(/\.html$/, '.md')}`).toSorted(),
    );
    for (const link of links) expect([link, (await get(link)).statusCode]).toEqual([link, 200]);
    expect(body).toMatch(
      /\[Test your program against Sandbank\]\(\/docs\/guides\/test\.md\): Sandbank is a bank on your machine/,
    );
  });

  it('is complete in llms-full.txt, and contains nothing about the code', async () => {
    const { body } = await get('/llms-full.txt');
    expect(body).toContain(readFileSync(new URL('guides/test.md', SITE), 'utf8').trim());
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
    expect(body).toMatch(/<title>404 · Sandbank[\s\S]*<div id="app">/);
  });

  it('is not served if its file is missing', async () => {
    const { statusCode, headers } = await get('/docs/assets/nothing.js');
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

it('the front page names what is emulated, and links the inspector', async () => {
  const { body } = await get('/docs/');
  expect(body).toMatch(/imitates Solid/);
  expect(body).toMatch(/<a class="inspector" href="\/" target="_self">/);
});
