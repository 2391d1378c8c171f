// The proxy between a program and the platform: what it passes on, what it refuses, and what it keeps.

import { mkdtempSync, readFileSync } from 'node:fs';
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

describe('sandbank proxy', () => {
  it('passes calls on as they are and records them without keys', async () => {
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
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(404);
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

  it('passes nothing on but /v1 and /v2', async () => {
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

  it('answers 502 when the platform does not answer', async () => {
    const passthrough = await startPassthrough({ to: `http://127.0.0.1:${await freePort()}`, port: 0 });
    const answer = await fetch(`${passthrough.url}/v2/webhook`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('does not answer');
    await passthrough.close();
  });
});
