/**
 * The pages for people say what a browser may do with them: nothing but what this server gives.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useHttp } from './support.ts';

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

it.each(['/docs', '/docs/', '/docs/v2.html', '/docs/reference.js', '/docs/nothing'])('%s', async (url) => {
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

it('no script stands in a page itself', () => {
  const files = ['site/page.html', 'site/build.mjs'].map((name) =>
    readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'),
  );
  for (const text of files) {
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+="|<style|\sstyle="/);
  }
});

it('a file may do nothing at all', async () => {
  const caller = http.caller();
  const made = await caller.v1('POST', `/v1/person/${caller.seed('person_id')}/document`, {});
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
