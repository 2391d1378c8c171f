/** The headers of the pages for people: a browser may load resources only from this server. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useHttp } from '../server/http/support.ts';

const PAGES = new URL('../../dist/site/', import.meta.url);

const http = useHttp({ small: true });

const directives = (policy: string): Record<string, string> =>
  Object.fromEntries(
    policy.split('; ').map((one) => [one.split(' ', 1)[0], one.slice(one.indexOf(' ') + 1)]),
  );

const SHUT = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

it.each([
  '/docs',
  '/docs/',
  '/docs/v2.html',
  '/docs/reference/v2.html',
  '/docs/operation.js',
  '/docs/reference/v2/v2_originate_ach_pull.html',
  '/docs/nothing',
  '/docs/assets/nothing.js',
])('%s', async (url) => {
  const { headers } = await http.app.server.inject({ url });
  expect(headers).toMatchObject(SHUT);
  const policy = directives(String(headers['content-security-policy']));
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  });
  expect(Object.values(policy).join()).not.toMatch(/unsafe|\*|https?:/);
});

it('a page contains no inline script or style', () => {
  const pages = readdirSync(PAGES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  expect(pages.length).toBeGreaterThan(20);
  for (const name of pages) {
    const text = readFileSync(new URL(name, PAGES), 'utf8');
    expect([name, /<script(?![^>]*\ssrc=)|<style|\s(?:style|on\w+)="[^"]*"/.exec(text)?.[0]]).toEqual([
      name,
      undefined,
    ]);
  }
});

it.each([
  ['/docs/assets/../../../package.json', 404],
  ['/docs/..%2f..%2fpackage.json', 404],
  ['/docs/reference', 404],
  ['/docs/reference/nothing.html', 404],
  ['/docs/v1.html', 308],
])('%s has the status %i', async (url, status) => {
  expect((await http.app.server.inject({ url })).statusCode).toBe(status);
});

it('files with a hash in their name are cached, pages are not', async () => {
  const home = await http.app.server.inject({ url: '/docs/' });
  const [, sheet = ''] = /href="(\/docs\/assets\/style\.[^"]+\.css)"/.exec(home.body) ?? [];
  const { headers, statusCode } = await http.app.server.inject({ url: sheet });
  expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(home.headers['cache-control']).toBeUndefined();
});

it('a file has no permissions', async () => {
  const caller = http.caller();
  const made = await caller.v1('POST', `/v1/person/${caller.seed('person_id')}/document`, {
    name: 'Passport',
  });
  const { pathname, search } = new URL(made.id('url'));
  const url = pathname + search;
  await http.app.server.inject({
    method: 'PUT',
    url,
    payload: '<script>1</script>',
    headers: { 'content-type': 'text/html' },
  });
  const { headers, statusCode } = await http.app.server.inject({ url });
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject(SHUT);
  expect(directives(String(headers['content-security-policy']))).toEqual({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
});
