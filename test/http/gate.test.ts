/**
 * Requests before the bank is open: they wait for it, or get an error if it cannot open. Decision `refused-start` in
 * docs/fidelity.md.
 */
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { prepareRegistry } from '../../src/registry/registry.ts';
import { createHandClock } from '../support/sandbox.ts';

/** A server that is built, over a registry that is not open. */
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
  it('lets requests wait until it is, and answers them all', async () => {
    const { app, open, request, answers } = await build();
    const requested = PATHS.map(request);
    await turn();
    expect(answers).toEqual([]);
    open();
    app.open();
    const statuses = (await Promise.all(requested)).map(({ statusCode }) => statusCode);
    // Without v1's own key its path is refused, and what is not there is not there: as ever.
    expect(statuses).toEqual([200, 401, 200, 200, 200, 200, 404]);
    expect((await request('/v2/webhook')).statusCode).toBe(200);
  });

  it('answers 503 to those that wait, and to those that come after, when it does not open', async () => {
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

  it('answers as ever when it is stopped after it was open', async () => {
    const { app, open, request } = await build();
    open();
    app.open();
    const requested = request('/v2/webhook');
    await requested;
    await app.stop();
    expect((await requested).statusCode).toBe(200);
  });
});
