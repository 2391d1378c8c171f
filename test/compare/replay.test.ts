// Invalid recordings, and HAR files. test/long replays the recordings of fixtures/recordings.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { type Printed, sandbank } from '../cli/support.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'recordings-'));

let bank: Sandbank;

beforeAll(async () => {
  bank = await startSandbank({ randomSeed: 'replay' });
});
afterAll(() => bank.close());

const compare = (file: string, ...more: string[]): Promise<Printed> =>
  sandbank(['compare', file, ...more], { SANDBANK_URL: bank.url, SANDBANK_API_KEY: bank.apiKey });

function write(name: string, document: unknown): string {
  const file = join(FOLDER, name);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

describe('a recording', () => {
  it('that is invalid exits with 2 and says how to record one', async () => {
    const { code, stderr } = await compare(write('none.json', { answers: [] }));
    expect(stderr).toContain('neither a recording nor a HAR file');
    expect(code).toBe(2);
  });
});

describe('a HAR file', () => {
  const entry = (method: string, url: string, status: number, body: unknown, sent?: unknown) => ({
    startedDateTime: '2026-11-25T10:00:00.000Z',
    request: {
      method,
      url: `https://platform.example${url}`,
      headers: [{ name: 'api-key', value: 'sk_live_0123456789' }],
      ...(sent !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status,
      headers: [
        { name: 'Content-Type', value: 'application/json; charset=utf-8' },
        { name: 'X-Request-Id', value: 'req_01a2130d71cf70008337f2812f7ef495' },
      ],
      content: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
  });

  it('is replayed: its calls below /v1 and /v2 run with the ids of this bank', async () => {
    const id = 'whk_01a2131c54c970009e49b0662b8f4f00';
    const sent = {
      url: 'https://hooks.example/v2',
      events: ['transaction.created'],
      description: 'From a browser',
    };
    const made = (await bank.v2.createWebhook({
      body: { ...sent, events: ['transaction.created'] },
    })) as unknown as Record<string, unknown>;
    const webhook = { ...made, id };
    const shown = { id };
    const kept = (await bank.v2.retrieveWebhook({
      params: { webhook_id: String(made.id) },
    })) as unknown as object;
    const file = write('session.har', {
      log: {
        entries: [
          entry('GET', '/assets/page.js', 200, {}),
          entry('POST', '/v2/webhook', 201, { ...webhook, secret: 'whsec_other' }, sent),
          entry('GET', `/v2/webhook/${id}`, 200, { ...kept, ...shown, description: 7 }),
        ],
      },
    });
    const { code, stdout } = await compare(file, '--json');
    const { operations, differences } = JSON.parse(stdout);
    expect(operations.map((one: { operation: string }) => one.operation)).toEqual([
      'v2_create_webhook',
      'v2_retrieve_webhook',
    ]);
    expect(differences).toMatchObject([
      { cause: 'type', field: 'description', operations: ['v2_retrieve_webhook'] },
    ]);
    expect(code).toBe(1);
  });
});
