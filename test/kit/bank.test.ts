/**
 * The `Sandbank` object, member by member, against a server in this process. `connectSandbank` returns the same
 * object for a server that is already running.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, vi } from 'vitest';
import { SandbankError } from '../../src/kit/client/index.ts';
import { connectSandbank, type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { test } from '../../src/kit/vitest.ts';
import { PATIENTLY } from '../support/patience.ts';

const NOON = '2026-11-20T12:00:00.000Z';

/** Originates an ACH pull of the seeded account; returns its id. */
async function pull(bank: Sandbank, amount = '40.00'): Promise<string> {
  const { sub_account_id, ach_counterparty_id: counterparty_id } = await bank.seeded();
  const { id } = await bank.v2.originateAchPull({ body: { sub_account_id, counterparty_id, amount } });
  return id;
}

async function statusOf(bank: Sandbank, transaction_id: string): Promise<string> {
  return (await bank.v2.retrieveTransaction({ params: { transaction_id } })).status;
}

async function labelOf(bank: Sandbank): Promise<string> {
  const { sub_account_id } = await bank.seeded();
  return (await bank.v2.retrieveSubAccount({ params: { sub_account_id } })).label;
}

async function setLabel(bank: Sandbank, label: string): Promise<void> {
  const { sub_account_id } = await bank.seeded();
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label } });
}

/** A call from JavaScript, with options that TypeScript would refuse. */
type Untyped = (...words: unknown[]) => Promise<unknown>;

describe('an option that does not exist', () => {
  test.for<[string, (bank: Sandbank) => unknown]>([
    [
      'bank.receiver has no option "kinds"; its options are types',
      (bank) => (bank.receiver as Untyped)({ kinds: [] }),
    ],
    [
      'bank.receiver takes an object with types, not "card.spend"',
      (bank) => (bank.receiver as Untyped)('card.spend'),
    ],
    [
      'receiver.next has no option "id"; its options are resource, timeout',
      async (bank) => ((await bank.receiver()).next as Untyped)('card.created', { id: 'card_1' }),
    ],
    [
      'events.waitFor has no option "ms"; its options are resource, timeout',
      (bank) => (bank.events.waitFor as Untyped)('card.created', { ms: 1 }),
    ],
    [
      'events.list has no option "max"; its options are resource, limit',
      (bank) => (bank.events.list as Untyped)('card.created', { max: 1 }),
    ],
    [
      'inSandbox has no option "copy"; its options are from',
      (bank) => (bank.inSandbox as Untyped)('copy', { copy: 'default' }),
    ],
    [
      'connectSandbank has no option "key"; its options are url, apiKey, controlToken, ca',
      async ({ url }) => (connectSandbank as unknown as Untyped)({ url, key: 'test_default' }),
    ],
    [
      'toHaveBalance takes an object with available_balance, pending_credits, pending_debits, not "1.00"',
      (bank) => (expect(bank).toHaveBalance as Untyped)('sub_1', '1.00'),
    ],
    [
      'toHaveBalance has no option "balance"; its options are available_balance, pending_credits, pending_debits',
      (bank) => (expect(bank).toHaveBalance as Untyped)('sub_1', { balance: '1.00' }),
    ],
    [
      'toHavePublished has no option "id"; its options are resource',
      (bank) => (expect(bank).toHavePublished as Untyped)('card.created', { id: 'card_1' }),
    ],
  ])('%s', async ([message, call], { bank }) => {
    await expect((async () => call(bank))()).rejects.toThrow(new TypeError(message));
  });
});

const scheduled = test.extend('bankOptions', { scope: 'worker' }, { rails: 'calendar' });

describe('the clock', () => {
  test('stands still when it is frozen, and runs afterwards', async ({ bank }) => {
    await bank.clock.freeze(NOON);
    expect((await bank.clock.now()).toISOString()).toBe(NOON);
    await bank.clock.freeze(new Date('2026-11-20T13:00:00Z'));
    expect((await bank.clock.now()).toISOString()).toBe('2026-11-20T13:00:00.000Z');
    expect((await bank.sandbox.retrieveClock()).mode).toBe('frozen');
    await bank.clock.run();
    expect((await bank.sandbox.retrieveClock()).mode).toBe('live');
    await bank.clock.run('2027-01-04T00:00:00Z');
    expect((await bank.clock.now()).toISOString()).toMatch(/^2027-01-04T00:00:0/);
  });

  test('is advanced by a duration, to an instant, or by banking days', async ({ bank }) => {
    await bank.clock.freeze(NOON);
    await bank.clock.advance('PT30M');
    expect((await bank.clock.now()).toISOString()).toBe('2026-11-20T12:30:00.000Z');
    await bank.clock.advance({ to: new Date('2026-11-20T20:00:00Z') });
    expect((await bank.clock.now()).toISOString()).toBe('2026-11-20T20:00:00.000Z');
    // Starts on a Friday.
    await bank.clock.advance({ businessDays: 1 });
    expect((await bank.clock.now()).toISOString()).toMatch(/^2026-11-23/);
  });

  test('runs every step that is due on the way', async ({ bank }) => {
    await bank.clock.freeze(NOON);
    const id = await pull(bank);
    expect(await statusOf(bank, id)).toBe('originated');
    await bank.clock.settle();
    expect(await statusOf(bank, id)).toBe('settled');
  });

  test('fails if it could not be advanced completely', async ({ bank }) => {
    vi.spyOn(bank.sandbox, 'advanceClock').mockResolvedValue({
      ...(await bank.sandbox.advanceClock({ body: { by: 'PT0S' } })),
      quiescent: false,
    });
    await expect(bank.clock.advance('P1D')).rejects.toThrow('the clock did not reach its target in time');
  });

  test('is not advanced by an invalid time', async ({ bank }) => {
    await expect(bank.clock.advance('tomorrow')).rejects.toMatchObject({ code: 'field_invalid', hint: 'by' });
    await expect(bank.clock.freeze('noon')).rejects.toMatchObject({ code: 'field_invalid', hint: 'now' });
  });
});

describe('the events', () => {
  test('are listed, newest first, by kind and by record', async ({ bank }) => {
    const first = await pull(bank);
    const second = await pull(bank);
    const events = await bank.events.list('transaction.created');
    expect(events.map(({ resource_id }) => resource_id)).toEqual([second, first]);
    expect(await bank.events.list('transaction.*', { resource: first, limit: 1 })).toMatchObject([
      { resource_id: first, api_version: 'v2' },
    ]);
    expect((await bank.events.list()).length).toBeGreaterThan(events.length);
    expect(await bank.events.list('card.*')).toEqual([]);
  });

  test('from the past are returned to a caller that waits, each once, oldest first', async ({ bank }) => {
    const ids = [await pull(bank), await pull(bank)];
    for (const id of ids) {
      const { resource_id, data } = await bank.events.waitFor('transaction.created', PATIENTLY);
      expect(resource_id).toBe(id);
      expect(data).toMatchObject({ id });
    }
    await expect(bank.events.waitFor('transaction.created', { timeout: 0 })).rejects.toThrow();
  });

  test('from the future are waited for', async ({ bank }) => {
    const waited = bank.events.waitFor('transaction.created', PATIENTLY);
    const id = await pull(bank);
    expect((await waited).resource_id).toBe(id);
  });

  test('of another record do not end a wait', async ({ bank }) => {
    await pull(bank);
    const id = await pull(bank);
    const { resource_id } = await bank.events.waitFor('transaction.created', { resource: id, ...PATIENTLY });
    expect(resource_id).toBe(id);
  });

  test('that do not occur result in an error with those that did', async ({ bank }) => {
    const id = await pull(bank);
    const wait = bank.events.waitFor('transaction.status.settled', { resource: id, timeout: 1 });
    const text = await wait.then(
      () => '',
      (error: Error) => error.message,
    );
    const [first, ...rest] = text.split('\n');
    expect(first).toBe(`no event transaction.status.settled about ${id} within 1 ms; the newest events are`);
    expect(rest.at(-1)).toMatch(
      /Nothing is scheduled: simulate the next step of a payment, or settle the clock/,
    );
    expect(rest).toContain(`  transaction.created ${id}`);
  });

  test('that cannot occur because the clock is frozen end a wait soon, and the error says why', async ({
    bank,
  }) => {
    await bank.clock.freeze(NOON);
    const began = performance.now();
    await expect(bank.events.waitFor('card.created')).rejects.toThrow(
      /^no event card\.created: the clock is frozen at 2026-11-20T12:00:00\.000Z, and nothing is due now; there are no events yet\.\nNothing is scheduled: simulate/,
    );
    // Less than the default timeout of 4000 ms.
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  scheduled('that are scheduled after a frozen clock are named with their time', async ({ bank }) => {
    await bank.clock.freeze(NOON);
    const resource = await pull(bank);
    await expect(bank.events.waitFor('transaction.status.settled', { resource })).rejects.toThrow(
      /\nNext is at 2026-11-20T\S+ \(ach pull: submit, originated to pending\): advance the clock/,
    );
  });

  test('of a clock that runs are waited for less than five seconds', async ({ bank }) => {
    await bank.clock.run();
    const { message } = await bank.events.waitFor('card.created').then(
      () => new Error('found'),
      (error: Error) => error,
    );
    expect(message).toContain('no event card.created within 4000 ms');
  });

  test('of the seed do not end a wait', async ({ bank }) => {
    const wait = bank.events.waitFor('sub_account.created', { timeout: 1 });
    await expect(wait).rejects.toThrow('no event sub_account.created within 1 ms; there are no events yet.');
  });

  test('of an unknown kind are refused', async ({ bank }) => {
    // @ts-expect-error there is no such kind
    await expect(bank.events.waitFor('transaction.lost')).rejects.toMatchObject({ hint: 'type' });
  });

  test('are matched by a prefix of their kind up to any dot, and a misspelt one is refused', async ({
    bank,
  }) => {
    await bank.clock.freeze(NOON);
    const id = await pull(bank);
    await bank.clock.settle();
    for (const pattern of ['transaction.*', 'transaction.status.*', '*'] as const) {
      const events = await bank.events.list(pattern, { resource: id });
      expect(events.length, pattern).toBeGreaterThan(0);
    }
    // @ts-expect-error no kind begins so
    await expect(bank.events.waitFor('transactoin.*')).rejects.toMatchObject({ hint: 'type' });
    // @ts-expect-error no kind begins so
    await expect(bank.events.list('transaction.state.*')).rejects.toMatchObject({ hint: 'type' });
    // @ts-expect-error no kind begins so
    await expect(expect(bank).toHavePublished('transactoin.*')).rejects.toMatchObject({ hint: 'type' });
  });
});

describe('the state', () => {
  test('of a snapshot is restored, with or without a name', async ({ bank }) => {
    await setLabel(bank, 'one');
    await bank.snapshot();
    await setLabel(bank, 'two');
    await bank.snapshot('with-two');
    await setLabel(bank, 'three');
    await bank.restore();
    expect(await labelOf(bank)).toBe('one');
    await bank.restore('with-two');
    expect(await labelOf(bank)).toBe('two');
    await expect(bank.restore('never-taken')).rejects.toBeInstanceOf(SandbankError);
  });

  test('of the seed is restored by a reset', async ({ bank }) => {
    const before = await labelOf(bank);
    await setLabel(bank, 'changed');
    await bank.reset();
    expect(await labelOf(bank)).toBe(before);
  });

  test('is restored so that the same events can be waited for again', async ({ bank }) => {
    await bank.clock.freeze(NOON);
    await setLabel(bank, 'one');
    await bank.events.waitFor('sub_account.updated', PATIENTLY);
    await bank.snapshot();
    const id = await pull(bank);
    const event = await bank.events.waitFor('transaction.created', PATIENTLY);
    await bank.restore();
    // The state is restored: the same call has the same response.
    expect(await pull(bank)).toBe(id);
    expect(await bank.events.waitFor('transaction.created', PATIENTLY)).toEqual(event);
    // What was returned before the snapshot is not returned again.
    await expect(bank.events.waitFor('sub_account.updated', { timeout: 0 })).rejects.toThrow('no event');
  });
});

describe('another sandbox', () => {
  test('is created, is a separate bank, and ends with its object', async ({ bank, task }) => {
    const name = `other_${task.id.slice(0, 8).replaceAll(/\W/g, '')}`;
    {
      await using other = await bank.inSandbox(name);
      expect(other.url).toBe(bank.url);
      expect(other.apiKey).toBe(`test_${name}`);
      await setLabel(other, 'of the other');
      expect(await labelOf(bank)).not.toBe('of the other');
    }
    const names = (await bank.sandbox.listSandboxes()).sandboxes.map((sandbox) => sandbox.name);
    expect(names).not.toContain(name);
  });

  test('that exists is opened and does not end with its object', async ({ bank }) => {
    await using first = await bank.inSandbox('shared');
    await setLabel(first, 'of the first');
    const second = await bank.inSandbox('shared');
    expect(await labelOf(second)).toBe('of the first');
    await second.close();
    expect(await labelOf(first)).toBe('of the first');
  });

  test('may start as a snapshot of this one', async ({ bank }) => {
    await setLabel(bank, 'kept');
    await bank.snapshot('before');
    await setLabel(bank, 'changed');
    await using copy = await bank.inSandbox('copied', { from: 'before' });
    expect(await labelOf(copy)).toBe('kept');
    await expect(bank.inSandbox('copied', { from: 'before' })).rejects.toMatchObject({
      code: 'sandbox_exists',
      hint: 'name',
    });
  });

  test('that was deleted by others ends without an error', async ({ bank }) => {
    const other = await bank.inSandbox('ended');
    await bank.sandbox.deleteSandbox({ params: { name: 'ended' } });
    await expect(other.close()).resolves.toBeUndefined();
  });

  test('has a name that the bank accepts', async ({ bank }) => {
    await expect(bank.inSandbox('no/name')).rejects.toMatchObject({ code: 'field_invalid', hint: 'name' });
  });
});

describe('other functions', () => {
  test('a path is fetched with the keys of both versions, and with one of the caller', async ({ bank }) => {
    const { sub_account_id, account_id } = await bank.seeded();
    expect((await bank.fetch(`/v2/accounts/sub_account/${sub_account_id}`)).status).toBe(200);
    expect((await bank.fetch(`/v1/account/${account_id}`)).status).toBe(200);
    const refused = await bank.fetch(`/v1/account/${account_id}`, { headers: { 'sd-api-key': 'wrong' } });
    expect(refused.status).toBe(401);
    const made = await bank.fetch('/v2/webhook', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:1/', events: ['sub_account.updated'], description: '' }),
    });
    expect(made.status).toBe(201);
  });

  test('the requests of both versions are recorded, those of the control plane are not', async ({ bank }) => {
    await bank.v1.listPersons();
    await bank.clock.now();
    const { requests } = await bank.requests();
    expect(requests.map(({ path }) => path)).toEqual(['/v1/person']);
  });

  test('a refusal contains the id of the request in the journal', async ({ bank }) => {
    const refused = await bank.v2.retrieveSubAccount({ params: { sub_account_id: 'sub_1' } }).then(
      () => null,
      (error: SandbankError) => error,
    );
    const { requests } = await bank.requests();
    expect(refused?.requestId).toBe(requests[0]?.id);
    expect(refused?.status).toBe(requests[0]?.status);
  });

  test('the ids of the seeded records are available', async ({ bank }) => {
    const seeded = await bank.seeded();
    const names = readFileSync(new URL('../../src/kit/seeded.ts', import.meta.url), 'utf8').matchAll(
      /'(\w+)'/g,
    );
    expect(Object.keys(seeded)).toEqual([...names].map(([, name]) => name));
    expect(seeded.sub_account_id).toMatch(/^sub_[0-9a-f]{32}$/);
    expect(seeded.person_id).toMatch(/^per-[0-9a-f-]{36}$/);
  });

  test('the environment for a program under test selects this sandbox', async ({ bank }) => {
    expect(bank.env).toEqual({ SANDBANK_URL: bank.url, SANDBANK_API_KEY: bank.apiKey });
    await setLabel(bank, 'seen by the program');
    vi.stubEnv('SANDBANK_URL', bank.env.SANDBANK_URL);
    vi.stubEnv('SANDBANK_API_KEY', bank.env.SANDBANK_API_KEY);
    try {
      expect(await labelOf(connectSandbank())).toBe('seen by the program');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a bank that runs elsewhere', () => {
  test('is used by its URL, and not stopped', async ({ bankServer }) => {
    const bank = connectSandbank({ url: `${bankServer.url}/`, apiKey: 'test_elsewhere' });
    expect(bank.url).toBe(bankServer.url);
    expect((await bank.sandbox.retrieveSummary()).sandbox).toBe('elsewhere');
    await bank.close();
    expect((await bank.sandbox.retrieveSummary()).sandbox).toBe('elsewhere');
  });

  test('gets its control token, and so does a program under test', async ({ bankServer }) => {
    const { url } = bankServer;
    expect(connectSandbank({ url, controlToken: 'a-token' }).env).toEqual({
      SANDBANK_URL: url,
      SANDBANK_API_KEY: 'test_default',
      SANDBANK_CONTROL_TOKEN: 'a-token',
    });
    const sent: string[] = [];
    const elsewhere = createHttpServer((request, response) => {
      sent.push(`${request.url} ${request.headers['x-control-token']}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"now":"2026-11-20T12:00:00Z"}');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    vi.stubEnv('SANDBANK_CONTROL_TOKEN', 'of-the-environment');
    try {
      const bank = connectSandbank({ url: `http://127.0.0.1:${port}` });
      await bank.clock.now();
      await bank.fetch('/_sandbox/clock');
      await bank.fetch('/v1/person');
      expect(sent).toEqual([
        '/_sandbox/clock of-the-environment',
        '/_sandbox/clock of-the-environment',
        '/v1/person undefined',
      ]);
    } finally {
      vi.unstubAllEnvs();
      elsewhere.close();
    }
  });

  test('is not guessed', () => {
    vi.stubEnv('SANDBANK_URL', '');
    try {
      expect(() => connectSandbank()).toThrow('pass a url, or set SANDBANK_URL');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('that does not respond is an error with its URL', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const url = `http://127.0.0.1:${port}`;
    await expect(connectSandbank({ url }).clock.now()).rejects.toThrow(`no answer from ${url}`);
  });
});

describe('a server in this process', () => {
  test('stops when it is closed, any number of times', async () => {
    const bank = await startSandbank();
    await Promise.all([bank.close(), bank.close()]);
    await bank[Symbol.asyncDispose]();
    await expect(bank.clock.now()).rejects.toThrow('no answer from');
  });

  test('does not stop before a running request has its response', async () => {
    const bank = await startSandbank({ rails: 'manual' });
    const { sub_account_id } = await bank.seeded();
    await bank.sandbox.createFault({ body: { latency: { fixed_ms: 600_000 }, times: 1 } });
    const running = bank.v2.retrieveSubAccount({ params: { sub_account_id } });
    const hits = async () => (await bank.sandbox.listFaults()).faults.map((fault) => fault.hits);
    await expect.poll(hits).toEqual([1]);
    await Promise.all([expect(running).resolves.toHaveProperty('label', 'Everyday'), bank.close()]);
  });
});
