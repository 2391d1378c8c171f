// The proxy between a program and the platform: the forwarded, refused and recorded calls.

import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPassthrough } from '../../src/compare/passthrough.ts';
import { type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { freePort, sandbank } from '../cli/support.ts';
import { type Platform, startPlatform } from './support.ts';

let bank: Sandbank;
let platform: Platform;

beforeAll(async () => {
  bank = await startSandbank();
  platform = await startPlatform(bank.url);
});
afterAll(async () => {
  await platform.close();
  await bank.close();
});

/** The status of the proxy's own response; 0 before it listens. */
const statusAt = (port: number): Promise<number> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    ({ status }) => status,
    () => 0,
  );

describe('sandbank proxy', () => {
  it('forwards calls unchanged and records them without keys', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'proxy-')), 'recording.json');
    const port = await freePort();
    const running = sandbank([
      'proxy',
      '--to',
      platform.url,
      '--port',
      String(port),
      '--record',
      file,
      '--max',
      '3',
    ]);
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'api-key': bank.apiKey, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    };
    await expect.poll(() => statusAt(port)).toBe(404);
    const webhook = { url: 'https://hooks.example/v2', events: ['transaction.created'], description: 'Mine' };
    const made = await call('POST', '/v2/webhook', webhook);
    expect(made.status).toBe(201);
    expect(made.body.description).toBe('Mine');
    expect((await call('GET', `/v2/webhook/${made.body.id}`)).status).toBe(200);
    expect((await call('DELETE', `/v2/webhook/${made.body.id}`)).status).toBe(204);
    const { code, stdout } = await running;
    expect(code).toBe(0);
    expect(stdout).toBe(
      `201  POST    /v2/webhook\n200  GET     /v2/webhook/${made.body.id}\n204  DELETE  /v2/webhook/${made.body.id}\n`,
    );
    const text = readFileSync(file, 'utf8');
    for (const word of [bank.apiKey, made.body.id, made.body.secret, 'hooks.example'])
      expect(text).not.toContain(word);
    const again = await sandbank(['compare', file], {
      SANDBANK_URL: bank.url,
      SANDBANK_API_KEY: bank.apiKey,
    });
    expect(again.stdout).toContain('3 operations: 3 equal, 0 different, 0 not compared');
  });

  it("also sends each call to the configured bank, whose responses it records beside the platform's", async () => {
    await using beside = await startSandbank({ randomSeed: 'beside' });
    const port = await freePort();
    platform.mutate({
      answer({ method, body }) {
        if (method === 'GET' && body?.description !== undefined) {
          delete body.description;
          body.secret = 'sk_live_0123456789abcdef';
        }
        if (body?.bank_name !== undefined) body.address.city = 'Elsewhere';
      },
    });
    const listeners = () => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));
    const before = listeners();
    const words = ['proxy', '--to', platform.url, '--port', String(port), '--max', '5'];
    const running = sandbank(words, { SANDBANK_URL: beside.url, SANDBANK_API_KEY: beside.apiKey });
    await expect.poll(() => statusAt(port)).toBe(404);
    const call = (method: string, path: string, body?: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'api-key': bank.apiKey, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const webhook = { url: 'https://hooks.example/v2', events: ['transaction.created'], description: 'Mine' };
    const { id } = (await (await call('POST', '/v2/webhook', webhook)).json()) as { id: string };
    await call('GET', `/v2/webhook/${id}`);
    await call('GET', `/v2/webhook/whk_${'7'.repeat(32)}`);
    await call('GET', '/v2/payments/counterparty/bank?type=aba&routing_number=121042882');
    await call('DELETE', `/v2/webhook/${id}`);
    const { code, stdout, stderr } = await running;
    platform.mutate({});
    expect(code).toBe(0);
    expect(listeners()).toEqual(before);
    expect(stderr).toContain(
      `shown beside the bank's responses at ${beside.url}/_sandbox/ui/default/requests`,
    );
    expect(stdout.split('\n').map((line) => line.split('  ').at(-1))).toEqual([
      'equal',
      'missing description, extra secret',
      `not shown: whk_${'7'.repeat(32)} is a record from before the recording`,
      // A text that no request sent; in a recording it would be redacted.
      'value city',
      'equal',
      '',
    ]);
    const { requests } = await beside.requests();
    const [deleted, , read, made] = requests;
    expect([deleted?.method, read?.method, made?.method]).toEqual(['DELETE', 'GET', 'POST']);
    expect(made?.platform).toMatchObject({ address: platform.url, status: 201, differences: [] });
    expect(read?.path).not.toContain(id);
    expect(read?.platform).toMatchObject({
      status: 200,
      differences: [
        { cause: 'missing', field: 'description', here: '"Mine"', there: 'absent', decision: '' },
        { cause: 'extra', field: 'secret' },
      ],
    });
    // Masked, like everything in the journal.
    expect(JSON.stringify(requests)).not.toContain('sk_live_0123456789abcdef');
  });

  it('forwards only /v1 and /v2', async () => {
    await using passthrough = Object.assign(await startPassthrough({ to: platform.url, port: 0 }), {
      async [Symbol.asyncDispose]() {
        await passthrough.close();
      },
    });
    const before = platform.calls.length;
    for (const path of ['/_sandbox', '/_sandbox/clock', '/v2/%2e%2e/_sandbox/clock', '/livez']) {
      expect((await fetch(passthrough.url + path)).status).toBe(404);
    }
    expect(platform.calls.length).toBe(before);
    expect(passthrough.exchanges).toEqual([]);
  });

  it('responds with 502 if the platform does not respond', async () => {
    const passthrough = await startPassthrough({ to: `http://127.0.0.1:${await freePort()}`, port: 0 });
    const answer = await fetch(`${passthrough.url}/v2/webhook`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('does not respond');
    await passthrough.close();
  });

  it('ends while the platform still owes an answer', async () => {
    let isAsked = false;
    const silent = createServer(() => {
      isAsked = true;
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const passthrough = await startPassthrough({ to: `http://127.0.0.1:${port}`, port: 0 });
    const answer = fetch(`${passthrough.url}/v2/webhook`).then(
      () => 'answered',
      () => 'closed',
    );
    await expect.poll(() => isAsked).toBe(true);
    await passthrough.close();
    expect(await answer).toBe('closed');
    silent.closeAllConnections();
    silent.close();
  }, 10_000);
});
