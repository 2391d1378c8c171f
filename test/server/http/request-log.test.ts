// The log lines of requests are composed from prepared texts. They must equal the lines of a pino logger without
// prepared texts, for all requests.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { createRequestLog } from '../../../src/server/http/request-log.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const sourceOf = (name: string): string =>
  JSON.stringify(new URL(`../../../src/${name}`, import.meta.url).href);

/** The parts of a request and its reply that the log reads. */
interface Logged {
  headers?: Record<string, string | string[]>;
  operationId?: string;
  method?: string;
  url?: string;
  sandbox?: string;
  fault?: string;
  status?: number;
  elapsedTime?: number;
  requestId?: string;
  broken?: string;
}

const PULL: Logged = {
  headers: { 'api-key': 'test_default_0123456789' },
  operationId: 'v2_originate_ach_pull',
  method: 'POST',
  url: '/v2/payments/ach/pull',
  sandbox: 'default',
  status: 201,
  elapsedTime: 1.23456,
  requestId: 'req_019a',
};

const REQUESTS: Logged[] = [
  PULL,
  { ...PULL, url: '/v2/payments/ach/pull?a=1', elapsedTime: 0, requestId: 'req_019b' },
  { ...PULL, sandbox: 'other' },
  { ...PULL, operationId: 'v2_list' },
  { ...PULL, method: 'PATCH' },
  { ...PULL, headers: { 'sd-api-key': 'a_key_of_v1_9876543210' } },
  { ...PULL, headers: { 'api-key': ['one', 'two'] } },
  { ...PULL, headers: { 'api-key': 'short' } },
  { ...PULL, headers: {} },
  { ...PULL, fault: 'fault_1', status: 503 },
  { ...PULL, fault: 'fault_"2"', broken: 'reset' },
  { ...PULL, broken: 'broken' },
  { ...PULL, operationId: '', sandbox: 'default' },
  { method: 'GET', url: '/readyz', status: 200, elapsedTime: 12 },
  {
    method: 'GET',
    url: '/v2/x',
    status: 401,
    elapsedTime: 1e-7,
    requestId: 'req_1',
    headers: { 'api-key': 'unknown_key_of_nobody' },
  },
  ...['"', '\\', '\u0000', '\u001f', '\u007f', 'é', '\u2028', '😀', 'x'.repeat(300)].map((text) => ({
    ...PULL,
    url: `/v2/${text}`,
    sandbox: `of ${text}`,
    headers: { 'api-key': `a_long_key_${text}` },
  })),
  PULL,
];

/** Logs the requests. Its source also runs in another process, so it uses nothing from outside. */
function logAll(write: ReturnType<typeof createRequestLog>, requests: Logged[]): void {
  const sandboxes = new Map<string, object>();
  for (const { sandbox: name, fault, status, elapsedTime, requestId, broken, ...rest } of requests) {
    const faultHit = fault === undefined ? null : { fault: { id: fault } };
    const sandbox = sandboxes.get(name ?? '') ?? { name };
    sandboxes.set(name ?? '', sandbox);
    const call = name === undefined ? null : { sandbox, faultHit };
    const reply = { statusCode: status, elapsedTime, getHeader: () => requestId };
    const request = { operationId: '', headers: {}, ...rest, call };
    write(request as unknown as FastifyRequest, reply as unknown as FastifyReply, broken);
  }
}

/** The output of a process that logs the requests at a level. */
function written(logLevel: string, requests: Logged[]): string[] {
  const script = `
    import { createLog, writerOf } from ${sourceOf('server/process/log.ts')};
    import { createRequestLog } from ${sourceOf('server/http/request-log.ts')};
    import { readFileSync } from 'node:fs';
    const { log } = await createLog({ logLevel: ${JSON.stringify(logLevel)}, logFormat: 'json' }, false);
    const logAll = ${logAll.toString()};
    logAll(createRequestLog(log, writerOf(log)), JSON.parse(readFileSync(0, 'utf8')));
    log.warn('last');`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: ROOT,
    encoding: 'utf8',
    input: JSON.stringify(requests),
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(0, -1);
}

const withoutTime = (line: string): string => line.replace(/"time":"[\d-]{10}T[\d:.]{12}Z"/, '"time":"now"');

describe('the request log', () => {
  it('has the same line as pino for the same fields', () => {
    const expected: string[] = [];
    const stream = { write: (line: string) => void expected.push(line.trimEnd()) };
    const formatters = { level: (level: string) => ({ level }) };
    const plain = pino({ base: null, timestamp: () => ',"time":"now"', formatters }, stream);
    logAll(createRequestLog(plain, undefined), REQUESTS);
    plain.warn('last');
    const lines = written('info', REQUESTS);
    expect(lines.map(withoutTime)).toEqual(expected);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/Z$/),
      sandbox: 'default',
      operation: 'v2_originate_ach_pull',
      method: 'POST',
      path: '/v2/payments/ach/pull',
      status: 201,
      ms: 1.23,
      request_id: 'req_019a',
      key: '****6789',
      msg: 'request',
    });
  });

  it('has no lines above its level', () => {
    expect(written('warn', [PULL]).map((line) => JSON.parse(line).msg)).toEqual(['last']);
  });
});
