/** `GET /` links to everything else, for people and for programs. */
import { expect, it } from 'vitest';
import { useHttp } from './support.ts';

const http = useHttp({ small: true });
const bare = useHttp({ small: true, control: false });
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

it('the root returns the version and all addresses to a program', async () => {
  const { status, headers, body } = await http.call('GET', '/');
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('application/json');
  expect(headers.vary).toBe('accept');
  expect(body).toEqual({
    name: 'sandbank',
    version: expect.any(String),
    links: {
      docs: '/docs/',
      inspector: '/_sandbox/ui/',
      openapi: { v2: '/openapi/v2.json', v1: '/openapi/v1.json', sandbox: '/openapi/sandbox.json' },
      control_plane: '/_sandbox',
      live: '/livez',
      ready: '/readyz',
    },
  });
});

it('the root redirects a browser to the inspector', async () => {
  const { status, headers } = await http.call('GET', '/', { headers: BROWSER });
  expect({ status, location: headers.location }).toEqual({ status: 303, location: '/_sandbox/ui/' });
  const { body } = await bare.call('GET', '/');
  expect(body).toMatchObject({ links: { inspector: null, control_plane: null } });
  expect((await bare.call('GET', '/_sandbox/ui/')).status).toBe(404);
});

it('without a control plane, the root shows a browser a page with valid links', async () => {
  const { status, headers, text } = await bare.call('GET', '/', { headers: BROWSER });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? '');
  expect(links).toContain('/docs/');
  for (const path of links) expect((await bare.call('GET', path)).status, path).toBe(200);
});

it('the page has no permissions, and escapes the host name', async () => {
  const { headers, text } = await bare.call('GET', '/', {
    headers: { ...BROWSER, host: 'a"<b>.localhost' },
  });
  expect(text).not.toContain('<b>');
  expect(text).toContain('&lt;b&gt;');
  expect(text).not.toMatch(/<script|\son\w+="|\sstyle="/);
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("style-src 'self'");
  expect(policy).not.toMatch(/unsafe|script-src/);
});

it.each(['/nothing', '/_sandbox/nothing', '/docs.html', '/openapi/v3.json'])(
  'an unknown path returns a page to a browser: %s',
  async (path) => {
    const { status, headers, text } = await http.call('GET', path, { headers: BROWSER });
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    });
    expect(text).toContain(path);
    for (const [, link = ''] of text.matchAll(/href="(\/[^"]*)"/g)) {
      expect([200, 303], link).toContain((await http.call('GET', link, { headers: BROWSER })).status);
    }
    const { body } = await http.call('GET', path);
    expect(body).toMatchObject({ error: { code: 'path_unknown' } });
  },
);

it('the page escapes the path', async () => {
  const { text } = await http.call('GET', '/a<b>', { headers: BROWSER });
  expect(text).not.toContain('<b>');
  // A client of the API gets its error, whatever it accepts.
  const { headers } = await http.call('GET', '/v2/nothing', { headers: BROWSER });
  expect(headers['content-type']).toContain('application/json');
});
