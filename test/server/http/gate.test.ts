/**
 * Requests before the bank is open: they wait for it, or get an error if it cannot open. Decision `refused-start` in
 * docs/fidelity.md.
 */
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareRegistry } from '../../../src/sandboxes/registry/registry.ts';
import { buildApp } from '../../../src/server/app.ts';
import { createHandClock } from '../../support/sandbox.ts';

/** A server that is built for a registry that is not open. */
async function build() {
  const clock = createHandClock();
  const failures: unknown[] = [];
  const { registry, open } = prepareRegistry({
    data: null,
    synchronous: 'off',
    seed: 'gate',
    rails: 'manual',
    webhookUrl: null,
    clock,
    wallClock: clock,
    send: async () => ({ status: 200, durationMs: 0, error: '', retryAfter: null }),
    onError: (_, error) => failures.push(error),
  });
  const app = await buildApp({
    registry,
    log: pino({ level: 'error' }, { write: (line: string) => failures.push(line) }),
    version: '0.0.0',
    bodyLimit: 1_000,
    control: true,
    strictFields: false,
    strictPersonHeader: false,
    shut: true,
  });
  onTestFinished(async () => {
    await app.stop();
    await registry.close();
    expect(failures).toEqual([]);
  });
  const answers: number[] = [];
  const request = async (url: string) => {
    const answer = await app.server.inject({ method: 'GET', url, headers: { 'api-key': 'test_default' } });
    answers.push(answer.statusCode);
    return answer;
  };
  return { app, open, request, answers };
}

const PATHS = ['/v2/webhook', '/v1/webhook', '/_sandbox', '/readyz', '/livez', '/openapi/v2.json', '/nope'];
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('a server whose bank is not open yet', () => {
  it('delays requests until it is open, and then responds to all', async () => {
    const { app, open, request, answers } = await build();
    const requested = PATHS.map(request);
    await turn();
    expect(answers).toEqual([]);
    open();
    app.open();
    const statuses = (await Promise.all(requested)).map(({ statusCode }) => statusCode);
    // As usual, a path of v1 without a key is refused, and an unknown path is 404.
    expect(statuses).toEqual([200, 401, 200, 200, 200, 200, 404]);
    expect((await request('/v2/webhook')).statusCode).toBe(200);
  });

  it('responds with 503 to waiting and later requests if it cannot be opened', async () => {
    const { app, request } = await build();
    const requested = PATHS.map(request);
    await turn();
    const stopped = app.stop();
    for (const answer of await Promise.all(requested)) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers.connection).toBe('close');
      expect(answer.json()).toEqual({
        error: { code: 'not_open', message: 'the bank could not be opened', hint: expect.any(String) },
      });
    }
    await stopped;
  });

  it('responds as usual if it is stopped after it was open', async () => {
    const { app, open, request } = await build();
    open();
    app.open();
    const requested = request('/v2/webhook');
    await requested;
    await app.stop();
    expect((await requested).statusCode).toBe(200);
  });
});
