/** The headers of the pages for people: a browser may load resources only from this server. */
import { expect, it } from 'vitest';
import { readLibrary } from '../../src/reference/pages/library.ts';
import { useHttp } from '../server/http/support.ts';

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
  '/docs/reference/v2.html',
  '/docs/page.js',
  '/docs/reference/v2/v2_originate_ach_pull.html',
  '/docs/nothing',
  '/docs/nothing.js',
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

it('a drawing may have styles, and nothing else', async () => {
  const { headers } = await http.app.server.inject({ url: '/docs/pictures/cluster-instances.svg' });
  expect(headers).toMatchObject({ ...SHUT, 'content-type': 'image/svg+xml' });
  expect(directives(String(headers['content-security-policy']))).toEqual({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'style-src': "'unsafe-inline'",
  });
});

it('a page contains no inline script or style', async () => {
  const { pages } = await readLibrary();
  expect(pages.size).toBeGreaterThan(40);
  for (const name of pages.keys()) {
    const { statusCode, body } = await http.app.server.inject({ url: `/docs/${name}.html` });
    const inline = /<script(?![^>]*\ssrc=)|<style|\s(?:style|on\w+)="[^"]*"/.exec(body)?.[0];
    expect([name, statusCode, inline]).toEqual([name, 200, undefined]);
  }
});

it.each([
  ['/docs/pictures/../../../package.json', 404],
  ['/docs/..%2f..%2fpackage.json', 404],
  ['/docs/reference', 404],
  ['/docs/reference/nothing.html', 404],
  ['/docs/decisions/0016-pages.html', 404],
  ['/docs/architecture.md', 404],
  ['/docs/reference/v1', 308],
  ['/docs/pictures/inspector-now.webp', 200],
  ['/docs/pictures/cluster-instances.svg', 200],
  ['/docs/pictures/nothing.webp', 404],
])('%s has the status %i', async (url, status) => {
  expect((await http.app.server.inject({ url })).statusCode).toBe(status);
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
