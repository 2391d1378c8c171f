/**
 * Faults from the view of a client, over real sockets if the connection matters: slow responses, errors in the format
 * of the called version, and broken connections, before the operation runs or after its commit. A request whose
 * response was lost can be repeated under its idempotency key without running again; a 409 uses the key up. Decisions
 * `idempotency-kept-answers` and `fault-effects` in docs/fidelity.md.
 */
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { usedMs } from '../../../support/processor-time.ts';
import { type Answer, type Caller, type Method, useHttp } from '../support.ts';
import { freezeAt } from './calls.ts';

const http = useHttp({ small: true });
let url = '';
beforeAll(async () => {
  url = await http.app.server.listen({ port: 0, host: '127.0.0.1' });
});

const PULL = '/v2/payments/ach/pull';

async function setFault(caller: Caller, fault: object): Promise<string> {
  const made = await caller.v2('POST', '/_sandbox/faults', fault);
  expect(made.status, made.text).toBe(201);
  return made.id();
}

function pull(caller: Caller, headers: Record<string, string> = {}): Promise<Answer> {
  return caller.v2('POST', PULL, pullBody(caller), headers);
}

function pullBody(caller: Caller): object {
  return {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '12.34',
  };
}

/** Waits until the only fault has been applied; what it sends at once has arrived then. */
async function applied(caller: Caller): Promise<void> {
  await expect.poll(async () => (await listFaults(caller)).map(({ hits }) => hits)).toEqual([1]);
  await listFaults(caller);
}

/** Without the two opening credits of the seed. */
const transactions = (caller: Caller) => (caller.sandbox.store.counts().transactions ?? 0) - 2;
const listFaults = async (caller: Caller) =>
  (await caller.v2('GET', '/_sandbox/faults')).at('faults') as Record<string, unknown>[];

/** The received bytes before the connection ended, and how it ended. */
interface Reply {
  text: string;
  error: string;
}

/** Sends one request over a separate socket; resolves at the connection's end, or leaves when `leave` resolves. */
function talk(
  caller: Caller,
  method: Method,
  path: string,
  body?: object,
  leave?: Promise<unknown>,
): Promise<Reply> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    `api-key: ${caller.key}`,
    'idempotency-key: one',
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${payload.length}`]),
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    let error = '';
    leave?.then(() => {
      error = 'left';
      socket.destroy();
    }, reject);
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      text += part;
    });
    socket.on('error', ({ message }) => {
      error = message;
    });
    socket.on('close', () => resolve({ text, error }));
    socket.write(`${head.join('\r\n')}\r\n\r\n${payload}`);
  });
}

describe('an injected error', () => {
  it('has the body of v2', async () => {
    const caller = http.caller();
    const id = await setFault(caller, { error: { status: 409, code: 'EC_QLDB_OCC_ERROR_RETRY' } });
    const answer = await pull(caller);
    expect(answer.status).toBe(409);
    expect(answer.headers['x-sandbox-hint']).toBe(`fault ${id}`);
    expect(answer.body).toEqual({
      request_id: answer.headers['x-request-id'],
      client_id: caller.seed('client_id'),
      method: 'POST',
      status: 409,
      error: { code: 'EC_QLDB_OCC_ERROR_RETRY', message: 'qldb occ error please retry', field_name: '' },
      created_at: '2026-11-20T18:00:00Z',
    });
    expect(transactions(caller)).toBe(0);
  });

  it('has the body of v1', async () => {
    const caller = http.caller();
    await setFault(caller, { error: { status: 503 } });
    const answer = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      requestId: answer.headers['x-request-id'],
      method: 'GET',
      status: 503,
      code: 'EC_SERVICE_UNAVAILABLE',
      message: 'service unavailable',
      sysMessage: 'service_unavailable',
      programId: caller.seed('program_id'),
      env: 'test',
      createdAt: '2026-11-20T18:00:00Z',
    });
  });

  it.each([
    [{ status: 409 }, 409, 'EC_QLDB_OCC_ERROR_RETRY', 'qldb occ error please retry'],
    [{ status: 429 }, 429, 'ERROR_CODE_RATE_LIMIT_EXCEEDED', 'too many requests'],
    [{ status: 401 }, 401, 'ERROR_CODE_UNAUTHORIZED', 'unauthorized'],
    [{ status: 500 }, 500, 'ERROR_CODE_INTERNAL_SERVER_ERROR', 'internal server error'],
    [{ status: 599 }, 599, 'ERROR_CODE_ERROR', 'error'],
    [{ status: 502, code: 'UPSTREAM' }, 502, 'UPSTREAM', 'bad gateway'],
    [
      { status: 400, code: 'insufficient_funds' },
      400,
      'ERROR_CODE_INSUFFICIENT_BALANCE',
      'the available balance of the account is not sufficient',
    ],
    [
      { status: 503, code: 'EC_QLDB_OCC_ERROR_RETRY' },
      503,
      'EC_QLDB_OCC_ERROR_RETRY',
      'qldb occ error please retry',
    ],
  ])('as %j is %i %s', async (error, status, code, message) => {
    const caller = http.caller();
    await setFault(caller, { error });
    const answer = await pull(caller);
    expect([answer.status, answer.at('status'), answer.at('error.code'), answer.at('error.message')]).toEqual(
      [status, status, code, message],
    );
  });

  it('also applies to paths without an operation, and after the key was checked', async () => {
    const caller = http.caller();
    await setFault(caller, { error: { status: 503 } });
    expect((await caller.v2('GET', '/v2/nothing')).status).toBe(503);
    expect((await caller.v2('GET', '/v2/accounts/master_account')).status).toBe(503);
    expect((await caller.v2('GET', '/v2/webhook', undefined, { 'api-key': 'wrong' })).status).toBe(401);
  });

  it('applies before a call would be refused', async () => {
    const caller = http.caller();
    await setFault(caller, { error: { status: 503 }, times: 1 });
    expect((await caller.v2('POST', PULL, {})).status).toBe(503);
    expect((await caller.v2('POST', PULL, {})).status).toBe(400);
  });

  it.each(['before', 'after_commit'])(
    'with 409 %s the operation is stored under the idempotency key: only a new key helps',
    async (when) => {
      const caller = http.caller();
      await setFault(caller, { error: { status: 409 }, when, times: 1 });
      const key = { 'idempotency-key': 'k' };
      const first = await pull(caller, key);
      expect([first.status, first.at('error.code')]).toEqual([409, 'EC_QLDB_OCC_ERROR_RETRY']);
      const made = when === 'before' ? 0 : 1;
      expect(transactions(caller)).toBe(made);
      for (let time = 0; time < 2; time += 1) {
        const again = await pull(caller, key);
        expect([again.status, again.text]).toEqual([409, first.text]);
      }
      const { body } = await caller.v2('GET', '/_sandbox/requests?limit=1');
      expect(body).toMatchObject({ requests: [{ replayed: true, fault: '' }] });
      expect(transactions(caller)).toBe(made);
      expect((await pull(caller, { 'idempotency-key': 'another' })).status).toBe(201);
      expect(transactions(caller)).toBe(made + 1);
    },
  );

  it('with 409 is also stored in v1, and instead of a refused field', async () => {
    const caller = http.caller();
    const document = () =>
      caller.v1(
        'POST',
        `/v1/person/${caller.seed('person_id')}/document`,
        { name: 'x' },
        { 'sd-idempotency-key': 'k' },
      );
    await setFault(caller, { error: { status: 409 }, when: 'after_commit', times: 1 });
    const first = await document();
    expect([first.status, first.at('code')]).toEqual([409, 'EC_QLDB_OCC_ERROR_RETRY']);
    expect((await document()).text).toBe(first.text);
  });

  it.each(['before', 'after_commit'])(
    'with 409 %s does not replace the stored response of a key',
    async (when) => {
      const caller = http.caller();
      const key = { 'idempotency-key': 'k' };
      const first = await pull(caller, key);
      await setFault(caller, { error: { status: 409 }, when });
      expect(await pull(caller, key)).toMatchObject({ status: 201, text: first.text });
      expect((await pull(caller, { 'idempotency-key': 'another' })).status).toBe(409);
    },
  );

  it.each([401, 429, 500, 503])(
    'with %i is never stored under an idempotency key: the repetition is executed',
    async (status) => {
      const caller = http.caller();
      await setFault(caller, { error: { status }, times: 2 });
      const key = { 'idempotency-key': 'k' };
      expect([(await pull(caller, key)).status, (await pull(caller, key)).status]).toEqual([status, status]);
      expect(transactions(caller)).toBe(0);
      const third = await pull(caller, key);
      expect(third.status).toBe(201);
      expect((await pull(caller, key)).text).toBe(third.text);
      expect(transactions(caller)).toBe(1);
    },
  );

  it('after the commit loses the response and not the payment: the repetition finds it, once', async () => {
    const caller = http.caller();
    await setFault(caller, {
      match: { operation: 'v2_originate_ach_pull' },
      error: { status: 500 },
      when: 'after_commit',
      times: 1,
    });
    const key = { 'idempotency-key': 'k' };
    expect((await pull(caller, key)).status).toBe(500);
    expect(transactions(caller)).toBe(1);
    const again = await pull(caller, key);
    expect(again.status).toBe(201);
    expect(transactions(caller)).toBe(1);
    const shown = await caller.v2('GET', `/v2/payments/transaction/${again.id()}`);
    expect(shown.at('amount')).toBe('12.34');
  });

  it('after the commit without a key has an effect that a repetition doubles, as at the platform', async () => {
    const caller = http.caller();
    await setFault(caller, { error: { status: 504 }, when: 'after_commit', times: 1 });
    await pull(caller);
    await pull(caller);
    expect(transactions(caller)).toBe(2);
  });
});

describe('a broken connection', () => {
  it.each([
    ['reset', /ECONNRESET/],
    ['empty', /^$/],
  ])('%s ends without a response and executes nothing', async (connection, error) => {
    const caller = http.caller();
    await setFault(caller, { connection, times: 1 });
    const received = await talk(caller, 'POST', PULL, pullBody(caller));
    expect(received.text).toBe('');
    expect(received.error).toMatch(error);
    expect(transactions(caller)).toBe(0);
    expect((await pull(caller, { 'idempotency-key': 'one' })).status).toBe(201);
  });

  it('hang stays open without a response until the caller disconnects', async () => {
    const caller = http.caller();
    await setFault(caller, { connection: 'hang', times: 1 });
    const received = talk(caller, 'POST', PULL, pullBody(caller), applied(caller));
    expect(await received).toEqual({ text: '', error: 'left' });
    expect(transactions(caller)).toBe(0);
  });

  it('truncate ends in the middle of the announced body, after the commit', async () => {
    const caller = http.caller();
    await setFault(caller, { connection: 'truncate', times: 1 });
    const { text, error } = await talk(caller, 'POST', PULL, pullBody(caller));
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 201 /);
    expect(head).toMatch(/content-type: application\/json/);
    const length = Number(/content-length: (\d+)/.exec(head)?.[1]);
    expect(body).toHaveLength(Math.floor(length / 2));
    expect(() => JSON.parse(body)).toThrow();
    expect(error).toBe('');
    const again = await pull(caller, { 'idempotency-key': 'one' });
    expect(again.text.startsWith(body)).toBe(true);
    expect(again.text).toHaveLength(length);
    expect(transactions(caller)).toBe(1);
  });

  it('truncate of a response without a body ends before it', async () => {
    const caller = http.caller();
    const webhook = await caller.v2('POST', '/v2/webhook', {
      url: 'http://a.example',
      events: ['card.updated'],
    });
    await setFault(caller, { connection: 'truncate', times: 1 });
    expect(await talk(caller, 'DELETE', `/v2/webhook/${webhook.id()}`)).toEqual({ text: '', error: '' });
    expect((await caller.v2('DELETE', `/v2/webhook/${webhook.id()}`)).status).toBe(404);
  });

  it.each(['reset', 'empty', 'hang'])('%s after the commit loses only the response', async (connection) => {
    const caller = http.caller();
    await setFault(caller, { connection, when: 'after_commit', times: 1 });
    const leave = connection === 'hang' ? applied(caller) : undefined;
    const received = await talk(caller, 'POST', PULL, pullBody(caller), leave);
    expect(received.text).toBe('');
    await expect.poll(() => transactions(caller)).toBe(1);
    expect((await pull(caller, { 'idempotency-key': 'one' })).status).toBe(201);
    expect(transactions(caller)).toBe(1);
  });

  it('is a network error of fetch', async () => {
    const caller = http.caller();
    const read = () => fetch(`${url}/v2/webhook`, { headers: { 'api-key': caller.key } });
    for (const connection of ['reset', 'empty']) {
      await setFault(caller, { connection, times: 1 });
      await expect(read()).rejects.toThrow('fetch failed');
    }
    await setFault(caller, { connection: 'truncate', times: 1 });
    await expect((await read()).text()).rejects.toThrow('terminated');
    expect((await read()).status).toBe(200);
  });

  it('also ends an injected request', async () => {
    const caller = http.caller();
    for (const connection of ['reset', 'empty', 'truncate']) {
      await setFault(caller, { connection, times: 1 });
      await expect(pull(caller)).rejects.toThrow();
    }
  });
});

describe('latency', () => {
  it('is real time, before or after the operation', async () => {
    const caller = http.caller();
    for (const when of ['before', 'after_commit']) {
      await setFault(caller, { latency: { fixed_ms: 60 }, when, times: 1 });
      const from = performance.now();
      expect((await pull(caller)).status).toBe(201);
      expect(performance.now() - from).toBeGreaterThan(55);
    }
    expect(transactions(caller)).toBe(2);
  });

  it('can be combined with an error or a broken connection', async () => {
    const caller = http.caller();
    await setFault(caller, { latency: { min_ms: 50, max_ms: 60 }, error: { status: 504 }, times: 1 });
    const from = performance.now();
    expect((await pull(caller)).status).toBe(504);
    expect(performance.now() - from).toBeGreaterThan(45);
  });

  it('does not delay other sandboxes', async () => {
    const [slow, quick] = [http.caller(), http.caller()];
    await setFault(slow, { latency: { fixed_ms: 1000 } });
    const late = pull(slow);
    const first = Promise.race([late.then(() => 'slow'), pull(quick).then(() => 'quick')]);
    expect(await first).toBe('quick');
    expect((await late).status).toBe(201);
  });

  it('continues when the caller disconnects: the operation is executed', async () => {
    const caller = http.caller();
    await setFault(caller, { latency: { fixed_ms: 1000 }, times: 1 });
    const received = talk(caller, 'POST', PULL, pullBody(caller), applied(caller));
    expect(await received).toEqual({ text: '', error: 'left' });
    await expect.poll(() => transactions(caller)).toBe(1);
    expect((await pull(caller, { 'idempotency-key': 'one' })).status).toBe(201);
    expect(transactions(caller)).toBe(1);
  });
});

describe('the list of faults', () => {
  it('shows each with its count, in the order of evaluation', async () => {
    const caller = http.caller();
    await setFault(caller, {
      match: { method: 'POST', route: '/v2/payments/*' },
      error: { status: 409 },
      every: 2,
      skip_first: 1,
      ttl: 'PT1M',
      seed: 's',
    });
    await setFault(caller, { latency: { median_ms: 1, sigma: 0.1 }, times: 1 });
    for (let call = 0; call < 3; call += 1) await pull(caller);
    expect(await listFaults(caller)).toEqual([
      {
        id: 'flt_1',
        match: { method: 'POST', route: '/v2/payments/*' },
        error: { status: 409 },
        when: 'before',
        every: 2,
        skip_first: 1,
        seed: 's',
        ttl: 'PT1M',
        created_at: '2026-11-20T18:00:00Z',
        expires_at: '2026-11-20T18:01:00Z',
        seen: 3,
        hits: 1,
        over: false,
      },
      {
        id: 'flt_2',
        match: {},
        latency: { median_ms: 1, sigma: 0.1 },
        when: 'before',
        times: 1,
        created_at: '2026-11-20T18:00:00Z',
        expires_at: '',
        seen: 1,
        hits: 1,
        over: true,
      },
    ]);
    expect((await caller.v2('DELETE', '/_sandbox/faults/flt_1')).status).toBe(204);
    expect((await caller.v2('DELETE', '/_sandbox/faults/flt_1')).at('error.code')).toBe('fault_not_found');
    expect((await caller.v2('DELETE', '/_sandbox/faults')).status).toBe(204);
    expect(await listFaults(caller)).toEqual([]);
    expect((await pull(caller)).status).toBe(201);
  });

  it("has a time to live on the sandbox's clock", async () => {
    const caller = http.caller();
    const start = http.clock.now();
    await freezeAt(caller, start);
    await setFault(caller, { error: { status: 503 }, ttl: 'PT30S' });
    const at = async (ms: number) => {
      await freezeAt(caller, start + ms);
      return (await pull(caller)).status;
    };
    expect([await at(0), await at(29_999), await at(30_000)]).toEqual([503, 503, 201]);
  });

  it('belongs to one sandbox and its bank: a restored bank has none', async () => {
    const [one, other] = [http.caller(), http.caller()];
    await setFault(one, { error: { status: 503 } });
    expect((await pull(other)).status).toBe(201);
    expect((await pull(one)).status).toBe(503);
    one.sandbox.replaceWith(one.sandbox.image());
    expect(await listFaults(one)).toEqual([]);
    expect((await pull(one)).status).toBe(201);
  });

  it('has the same effect in every sandbox with the same calls, and changes no id of the bank', async () => {
    const run = async (faulty: boolean) => {
      const caller = http.caller();
      if (faulty)
        await setFault(caller, { error: { status: 409 }, probability: 0.5, match: { method: 'GET' } });
      const statuses: number[] = [];
      for (let call = 0; call < 20; call += 1) statuses.push((await caller.v2('GET', '/v2/webhook')).status);
      return { statuses, id: (await pull(caller)).id() };
    };
    const [first, second, without] = [await run(true), await run(true), await run(false)];
    expect(second).toEqual(first);
    expect(new Set(first.statuses)).toEqual(new Set([200, 409]));
    expect(without.id).toBe(first.id);
  });

  it('has at most a hundred items', async () => {
    const caller = http.caller();
    for (let count = 0; count < 100; count += 1) await setFault(caller, { error: { status: 500 } });
    const full = await caller.v2('POST', '/_sandbox/faults', { error: { status: 500 } });
    expect([full.status, full.at('error.code')]).toEqual([400, 'field_invalid']);
  });
});

describe('an invalid fault', () => {
  it.each([
    [{}, 'latency'],
    [{ match: { method: 'GET' } }, 'latency'],
    [{ error: { status: 200 } }, 'error.status'],
    [{ error: { status: 500 }, connection: 'reset' }, 'connection'],
    [{ connection: 'explode' }, 'connection'],
    [{ connection: 'truncate', when: 'before' }, 'when'],
    [{ error: { status: 500 }, match: { operation: 'v2_originate_ach_pul' } }, 'match.operation'],
    [{ error: { status: 500 }, match: { method: 'get' } }, 'match.method'],
    [{ latency: {} }, 'latency'],
    [{ latency: { min_ms: 1 } }, 'latency'],
    [{ latency: { fixed_ms: 1, max_ms: 2 } }, 'latency'],
    [{ latency: { min_ms: 2, max_ms: 1 } }, 'latency.min_ms'],
    [{ latency: { fixed_ms: 600_001 } }, 'latency.fixed_ms'],
    [{ error: { status: 500 }, ttl: '30s' }, 'ttl'],
    [{ error: { status: 500 }, ttl: 'PT0S' }, 'ttl'],
    [{ error: { status: 500 }, times: 0 }, 'times'],
    [{ error: { status: 500 }, probability: 1.5 }, 'probability'],
  ])('as %j is refused with the name %s', async (fault, field) => {
    const caller = http.caller();
    const answer = await caller.v2('POST', '/_sandbox/faults', fault);
    expect(answer.status).toBe(400);
    expect(answer.at('error.code')).toBe('field_invalid');
    expect(answer.at('error.hint')).toBe(field);
    expect(await listFaults(caller)).toEqual([]);
  });

  it('with a misspelt field is refused with its name', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', '/_sandbox/faults', {
      error: { status: 500 },
      match: { path: '/v2' },
    });
    expect([answer.status, answer.at('error.code')]).toEqual([400, 'field_unknown']);
    expect(answer.at('error.message')).toContain('match.path');
  });
});

describe('the route pattern of a fault', () => {
  it('may be slow to match: other requests are not delayed', async () => {
    const caller = http.caller();
    await setFault(caller, { match: { route: `${'*/a'.repeat(7)}-` }, error: { status: 500 } });
    const before = usedMs();
    const answer = await caller.v2('GET', `/v2${'/a'.repeat(60)}`);
    expect(answer.status).toBe(404);
    expect(usedMs() - before).toBeLessThan(2000);
  });
});
