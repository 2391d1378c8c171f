/**
 * Rate limits, if they are enabled: 50 reads and 50 writes per sandbox in any second, and 1000 requests per address
 * in any 5 minutes, in real time. Decision `rate-limits` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { digestOf } from './digest.ts';
import { expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const PULL = (caller: Caller) => ({
  sub_account_id: caller.seed('sub_account_id'),
  counterparty_id: caller.seed('ach_counterparty_id'),
  amount: '1.00',
});
const read = (caller: Caller) => caller.v2('GET', '/v2/webhook');
const write = (caller: Caller, headers: Record<string, string> = {}) =>
  caller.v2('POST', '/v2/payments/ach/pull', PULL(caller), headers);

async function times(count: number, request: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await request()).status);
  return statuses;
}
const all = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('a sandbox', () => {
  const http = useHttp({ rates: 'sandbox' });
  const tooMany = { v1: 'EC_RATE_LIMITED', v2: 'ERROR_CODE_RATE_LIMIT_EXCEEDED' };

  it('accepts 50 reads per second, and refuses the next in the format of its version', async () => {
    const caller = http.caller();
    expect(await times(50, () => read(caller))).toEqual(all(50, 200));
    expectRefusedV2(await read(caller), { status: 429, code: tooMany.v2, message: /50 reads/ });
    expectRefusedV1(await caller.v1('GET', '/v1/webhook'), { status: 429, code: tooMany.v1 });
    http.clock.advance(1000);
    expect((await read(caller)).status).toBe(200);
  });

  it('counts the requests of both versions together, and reads and writes separately', async () => {
    const caller = http.caller();
    http.clock.advance(300_000);
    expect(await times(25, () => read(caller))).toEqual(all(25, 200));
    expect(await times(25, () => caller.v1('GET', '/v1/webhook'))).toEqual(all(25, 200));
    expect((await read(caller)).status).toBe(429);
    expect(await times(50, () => write(caller))).toEqual(all(50, 201));
    expect((await write(caller)).status).toBe(429);
  });

  it('accepts requests while another one is limited', async () => {
    const [busy, quiet] = [http.caller(), http.caller()];
    http.clock.advance(300_000);
    await times(51, () => read(busy));
    expect((await read(busy)).status).toBe(429);
    expect((await read(quiet)).status).toBe(200);
  });

  it('removes each request from the count one second after it', async () => {
    const caller = http.caller();
    http.clock.advance(300_000);
    await times(25, () => read(caller));
    http.clock.advance(600);
    await times(25, () => read(caller));
    expect((await read(caller)).status).toBe(429);
    http.clock.advance(400);
    expect(await times(26, () => read(caller))).toEqual([...all(25, 200), 429]);
  });

  it('does not execute refused requests, and stores no response under their key', async () => {
    const caller = http.caller();
    http.clock.advance(300_000);
    await times(50, () => write(caller));
    const before = digestOf(caller.sandbox);
    const key = { 'idempotency-key': 'once' };
    expect((await write(caller, key)).status).toBe(429);
    expect(digestOf(caller.sandbox)).toBe(before);
    http.clock.advance(1000);
    expect((await write(caller, key)).status).toBe(201);
  });

  it('uses the real time, not its own clock', async () => {
    const caller = http.caller();
    http.clock.advance(300_000);
    await times(50, () => read(caller));
    const moved = await http.call('POST', '/_sandbox/clock/advance', {
      body: { by: 'P1D' },
      headers: { 'api-key': caller.key },
    });
    expect(moved.status).toBe(200);
    expect((await read(caller)).status).toBe(429);
    http.clock.advance(1000);
    expect((await read(caller)).status).toBe(200);
  });

  it('does not count control-plane requests', async () => {
    const caller = http.caller();
    http.clock.advance(300_000);
    await times(51, () => read(caller));
    const headers = { 'api-key': caller.key };
    expect((await http.call('GET', '/_sandbox', { headers })).status).toBe(200);
  });
});

describe('an address', () => {
  const http = useHttp({ rates: 'sandbox' });

  it('may send 1000 requests in 5 minutes, to all sandboxes together', async () => {
    const callers = Array.from({ length: 20 }, () => http.caller());
    for (const caller of callers) expect(await times(50, () => read(caller))).toEqual(all(50, 200));
    http.clock.advance(1000);
    const [first] = callers as [Caller];
    expectRefusedV2(await read(first), {
      status: 429,
      code: 'ERROR_CODE_RATE_LIMIT_EXCEEDED',
      message: /1000 requests in 5 minutes/,
    });
    http.clock.advance(299_000);
    expect((await read(first)).status).toBe(200);
  });
});

describe('a sandbox with the limits of production', () => {
  const http = useHttp({ rates: 'production' });

  it('accepts 100 reads per second', async () => {
    const caller = http.caller();
    expect(await times(101, () => read(caller))).toEqual([...all(100, 200), 429]);
  });
});

describe('a sandbox without limits', () => {
  const http = useHttp();

  it('accepts any number of requests', async () => {
    const caller = http.caller();
    expect(await times(150, () => read(caller))).toEqual(all(150, 200));
  });
});
