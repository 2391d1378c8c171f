/** The files of the inspector, and the requests of observers. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from './support.ts';

const FOLDER = fileURLToPath(new URL('../../../dist/inspector/', import.meta.url));
const MOST_BYTES = 150_000;

const http = useHttp({ small: true });

describe('the page of the inspector', () => {
  it.each(['/_sandbox/ui', '/_sandbox/ui/', '/_sandbox/ui/default/transactions/txn_1'])(
    'is at %s',
    async (url) => {
      const { statusCode, headers, body } = await http.app.server.inject({ url });
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src data:; connect-src 'self'",
      );
      expect(body).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
    },
  );

  it('has immutable files, and no others', async () => {
    for (const name of readdirSync(FOLDER).filter((one) => one !== 'index.html')) {
      const { statusCode, headers } = await http.app.server.inject({ url: `/_sandbox/ui/${name}` });
      expect(statusCode, name).toBe(200);
      expect(headers['cache-control']).toContain('immutable');
    }
    for (const name of ['main.js', '../../../package.json.js', '%2e%2e%2fnotices.js']) {
      expect((await http.app.server.inject({ url: `/_sandbox/ui/${name}` })).statusCode, name).toBe(404);
    }
  });

  it('transfers at most 150 kB', () => {
    const sizes = readdirSync(FOLDER).map((name) => gzipSync(readFileSync(`${FOLDER}${name}`)).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  });

  it('is compressed, and each screen transfers at most 110 kB', async () => {
    const load = async (name: string): Promise<{ size: number; text: string }> => {
      const { headers, rawPayload } = await http.app.server.inject({
        url: `/_sandbox/ui/${name}`,
        headers: { 'accept-encoding': 'gzip' },
      });
      // Decoded once, it equals the file.
      const isZipped = headers['content-encoding'] === 'gzip';
      const text = (isZipped ? gunzipSync(rawPayload) : rawPayload).toString();
      expect(text, name).toBe(readFileSync(`${FOLDER}${name}`, 'utf8'));
      return { size: rawPayload.length, text };
    };
    const page = await load('index.html');
    const names = [...page.text.matchAll(/\/_sandbox\/ui\/([\w.-]+\.(?:js|css))/g)].map(
      ([, name = '']) => name,
    );
    const files = await Promise.all(names.map(load));
    expect(names).toHaveLength(3);
    const scripts = files.map(({ text }) => text).join('\n');
    // One script: the browser does not have to parse it to find a second one.
    expect(scripts).not.toMatch(/(?:from|import)"\.\/[\w.-]+\.js"/);
    // A library that some screens load additionally.
    const parts = [...scripts.matchAll(/import\("\.\/([\w.-]+\.js)"\)/g)].map(([, name = '']) => name);
    expect(parts).toHaveLength(2);
    const libraries = await Promise.all(parts.map(async (name) => (await load(name)).size));
    const all = [page, ...files].reduce((sum, { size }) => sum + size, 0);
    expect(all + Math.max(...libraries)).toBeLessThan(110_000);
  });
});

describe('a GET request of an observer', () => {
  const OBSERVER = { 'x-sandbox-observer': 'test' };
  const control = (caller: Caller, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    http.call(method, path, { headers: { 'api-key': caller.key }, ...(body !== undefined && { body }) });

  it('is not in the journal or the coverage, uses no id, and is not affected by faults', async () => {
    const [seen, watched] = [http.caller(), http.caller()];
    const balance = '/v2/accounts/sub_account';
    await control(watched, 'POST', '/_sandbox/faults', { error: { status: 503 }, match: { method: 'GET' } });
    for (let count = 0; count < 3; count += 1) {
      const { status } = await watched.v2('GET', balance, undefined, OBSERVER);
      expect(status).toBe(200);
    }
    expect((await control(watched, 'GET', '/_sandbox/requests')).body).toMatchObject({
      kept: 0,
      requests: [],
    });
    const { operations } = (await control(watched, 'GET', '/_sandbox/coverage')).body as {
      operations: { exercised: number };
    };
    expect(operations.exercised).toBe(0);
    expect((await watched.v2('GET', balance)).status).toBe(503);
    await control(watched, 'DELETE', '/_sandbox/faults');
    // One ordinary read each: after it, both create the same ids.
    await seen.v2('GET', balance);
    const webhook = { url: 'http://127.0.0.1:9/', events: ['transaction.created'] };
    const made = await Promise.all([seen, watched].map((one) => one.v2('POST', '/v2/webhook', webhook)));
    const [a, b] = made.map(({ body }) => String((body as { id: string }).id).slice(-12));
    expect(a).toBe(b);
  });

  it('does not change how writing requests are handled', async () => {
    const caller = http.caller();
    const webhook = { url: 'http://127.0.0.1:9/', events: ['transaction.created'] };
    await caller.v2('POST', '/v2/webhook', webhook, OBSERVER);
    expect((await control(caller, 'GET', '/_sandbox/requests')).body).toMatchObject({ kept: 1 });
  });
});
