/**
 * With an idempotency key a request runs once: every repetition gets the first response, with any status, for 24
 * hours of the sandbox's clock. Decision `idempotency-keys` in docs/fidelity.md.
 */
import Database, { type Database as Sqlite } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/bank/kernel/time.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { CASES, prepareCase, send } from './cases.ts';
import { digestOf } from './digest.ts';
import { expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, type Method, useHttp } from './support.ts';

const http = useHttp();
const HEADERS = { v1: 'sd-idempotency-key', v2: 'idempotency-key' };
const OTHER_REQUEST = /used for another request/;
const expectReused = (answer: Answer) =>
  expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_IDEMPOTENCY_BAD_REQUEST' });
const repeatable = CASES.filter(
  ({ operation }) => ['POST', 'PATCH'].includes(operation.method) && operation.keepsNoAnswer !== true,
).map((entry) => [entry.title, entry] as const);

/**
 * Those whose responses are stored as text, because they contain more or less than the record of a fact, or none.
 */
const TEXTS: ReadonlySet<string> = new Set([
  'v2_submit_kyc',
  'v2_submit_kyb',
  'v2_submit_idv',
  'v2_provision_card',
  'v2_set_pin',
  'v2_update_debit_card',
  'v2_set_debit_card',
  'v2_create_set_pin_token',
  'v2_create_show_token',
  'v2_update_transaction',
  'v2_create_attachment',
  'v2_create_webhook',
  'logout',
  'submitPersonKyc',
  'submitPersonIdv',
  'submitKyb',
  'updateProjection',
  'generateDisclosure',
  'submitMemberKyc',
  'submitOwnerKyc',
  'createPersonDocument',
  'updatePersonDocument',
  'createBusinessDocument',
  'updateBusinessDocument',
  'createAccount',
  'createDebitCardToken',
  'createPlaidToken',
  'activateCard',
  'provisionCard',
  'createShowToken',
  'createShowTokenOlder',
  'setPin',
  'createPinToken',
  'sendCard',
  'updateSendCard',
  'createIntrabankBatch',
  'testCard',
  'createWebhook',
  'updateWebhook',
]);

/** Reads or changes a database of a bank; answers what was read, and the database. */
function inImage<T>(image: Buffer, action: (db: Sqlite) => T): { found: T; image: Buffer } {
  const db = new Database(Buffer.from(image));
  try {
    return { found: action(db), image: db.serialize() };
  } finally {
    db.close();
  }
}

/** The view of a kept answer, from which it is written again; `''` for one that is kept as a text. */
const viewOf = (sandbox: Sandbox, key: string): unknown =>
  inImage(sandbox.image(), (db) =>
    db.prepare('SELECT view FROM idempotency_keys WHERE key = ?').pluck().get(key),
  ).found;

/** Writes another time into every record that an answer may show. Nothing of the bank is left in memory. */
function touchRecords(sandbox: Sandbox, ms: number): void {
  const { image } = inImage(sandbox.image(), (db) => {
    for (const table of [
      'holders',
      'members',
      'families',
      'accounts',
      'card_holders',
      'cards',
      'counterparties',
      'transactions',
    ])
      db.exec(`UPDATE ${table} SET updated_at = updated_at + ${ms}, created_at = created_at + ${ms}`);
  });
  sandbox.replaceWith(image);
}

const pull = (caller: Caller, key: string, change: object = {}) =>
  caller.v2(
    'POST',
    '/v2/payments/ach/pull',
    {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '10.00',
      ...change,
    },
    { 'idempotency-key': key },
  );
const pendingCredits = async (caller: Caller) =>
  (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`)).at('pending_credits');
const seen = ({ status, text }: Answer) => ({ status, text });
const hint = (answer: Answer) => answer.headers['x-sandbox-hint'];
/** Whether the response of the last request was stored. */
const wasReplayed = async (caller: Caller) =>
  (await caller.v2('GET', '/_sandbox/requests?limit=1')).at('requests.0.replayed');

describe('a repeated request', () => {
  it.each(repeatable)('of %s returns the first response and has no effect', async (_, entry) => {
    const caller = http.caller();
    const prepared = prepareCase(caller, entry);
    const call = () =>
      send(caller, entry.operation, {
        ...prepared,
        headers: { ...prepared.headers, [HEADERS[entry.apiVersion]]: 'once' },
      });
    const first = await call();
    expect(first.status).toBe(entry.operation.status);
    const before = digestOf(caller.sandbox);
    http.clock.advance(60_000);
    const again = await call();
    expect(seen(again)).toEqual(seen(first));
    expect(hint(again)).toBeUndefined();
    expect(await wasReplayed(caller)).toBe(true);
    expect(digestOf(caller.sandbox)).toBe(before);
    const { sandbox } = caller;
    touchRecords(sandbox, HOUR_MS);
    expect(seen(await call())).toEqual(seen(first));
    touchRecords(sandbox, -HOUR_MS);
    expect(viewOf(sandbox, `${entry.apiVersion}:once`) === '').toBe(TEXTS.has(entry.operation.id));
  });

  it.each(repeatable)('of %s without a key is a new request', async (_, entry) => {
    const caller = http.caller();
    const prepared = prepareCase(caller, entry);
    await send(caller, entry.operation, prepared);
    http.clock.advance(60_000);
    await send(caller, entry.operation, prepared);
    expect(await wasReplayed(caller)).toBe(false);
  });

  it.each(repeatable)('of %s with the header of the other version is a new request', async (_, entry) => {
    const caller = http.caller();
    const prepared = prepareCase(caller, entry);
    const other = HEADERS[entry.apiVersion === 'v1' ? 'v2' : 'v1'];
    const call = () =>
      send(caller, entry.operation, { ...prepared, headers: { ...prepared.headers, [other]: 'once' } });
    await call();
    http.clock.advance(60_000);
    await call();
    expect(await wasReplayed(caller)).toBe(false);
  });

  it('with an empty key is a new request', async () => {
    const caller = http.caller();
    await pull(caller, '');
    await pull(caller, '');
    expect(await pendingCredits(caller)).toBe('20.00');
  });

  it('with a key of any form returns the first response', async () => {
    const caller = http.caller();
    for (const key of ['k', crypto.randomUUID(), 'x'.repeat(255), '__proto__', "' OR 1=1 --"]) {
      const first = await pull(caller, key);
      expect(seen(await pull(caller, key))).toEqual(seen(first));
    }
    expect(await pendingCredits(caller)).toBe('50.00');
  });

  it('in another sandbox is a new request', async () => {
    const [one, two] = [http.caller(), http.caller()];
    await pull(one, 'shared');
    expect((await pull(two, 'shared')).status).toBe(201);
    expect(await pendingCredits(two)).toBe('10.00');
  });

  it('with the same key in the other version is a new request', async () => {
    const caller = http.caller();
    await pull(caller, 'shared');
    const inV1 = await caller.v1(
      'POST',
      '/v1/receive/ach',
      { accountId: caller.seed('account_id'), contactId: caller.seed('contact_id'), amount: '10.00' },
      { 'sd-idempotency-key': 'shared' },
    );
    expect(inV1.at('transferType')).toBe('ach');
    expect(await pendingCredits(caller)).toBe('20.00');
  });

  it('returns the first response even if its record has changed', async () => {
    const caller = http.caller();
    const { seed, sandbox } = caller;
    const counterparty = {
      sub_account_id: seed('sub_account_id'),
      label: 'Printer',
      type: 'business',
      business: { legal_name: 'Ash & Daughters' },
      intra_account: { sub_account_id: seed('other_sub_account_id') },
    };
    const transfer = {
      accountId: seed('account_id'),
      contactId: seed('contact_id'),
      amount: '3.00',
      metadata: { 7: 'seven', b: 'b', a: 'é "' },
    };
    const card = `/v2/issuing/card/${seed('virtual_card_id')}`;
    const label = { label: 'Travel' };
    const keyed = (key: string) => ({ 'idempotency-key': key, 'sd-idempotency-key': key });
    const calls = [
      () => pull(caller, 'settled'),
      () => pull(caller, 'returned', { description: 'x' }),
      () => caller.v1('POST', '/v1/receive/ach', { ...transfer, type: 'nextDay' }, keyed('receive')),
      () => caller.v2('PATCH', card, label, keyed('card')),
      () => caller.v2('POST', '/v2/payments/counterparty', counterparty, keyed('counterparty')),
    ];
    const first: Answer[] = [];
    for (const call of calls) first.push(await call());
    expect(first.map(({ status, text }) => (status < 300 ? 'made' : text))).toEqual(calls.map(() => 'made'));
    const [settled = '', returned = '', transferred = '', , party = ''] = first.map(({ id }) => id());
    const expectSame = async (): Promise<void> => {
      for (const [place, call] of calls.entries())
        expect(seen(await call())).toEqual(seen(first[place] as Answer));
    };
    const change = async (method: Method, path: string, body?: object) =>
      expect((await caller.v2(method, path, body)).status, path).toBeLessThan(300);

    await change('POST', '/_sandbox/clock/settle', {});
    await change('POST', `/_sandbox/simulate/transactions/${returned}/return`, { return_code: 'R01' });
    await change('PATCH', `/v2/payments/transaction/${settled}`, { description: 'another' });
    await change('PATCH', card, { label: 'Another', status: 'closed' });
    await change('PATCH', `/v2/payments/counterparty/${party}`, { label: 'Another' });
    await change('POST', '/v2/attachment', { reference_id: party, label: 'Contract' });
    await change('POST', '/v2/attachment', { reference_id: settled, label: 'Receipt' });
    const update = await caller.v1('PATCH', `/v1/receive/ach/${transferred}`, { title: 'Another' });
    expect(update.status).toBe(200);
    await expectSame();
    expect(sandbox.rest(0)).toBeDefined();
    await expectSame();
    sandbox.replaceWith(sandbox.image());
    await expectSame();
    const views = ['v2:settled', 'v2:returned', 'v1:receive', 'v2:card', 'v2:counterparty'];
    expect(views.map((key) => viewOf(sandbox, key))).toEqual([
      'transaction',
      'transaction',
      'transfer',
      'card',
      'counterparty',
    ]);
  });

  it('returns the attachments at the time of the first response', async () => {
    const caller = http.caller();
    const card = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
    const attach = (label: string) =>
      caller.v2('POST', '/v2/attachment', { reference_id: caller.seed('virtual_card_id'), label });
    await attach('one');
    const call = () => caller.v2('PATCH', card, { label: 'Travel' }, { 'idempotency-key': 'k' });
    const first = await call();
    expect(first.at('attachments.0.label')).toBe('one');
    await attach('two');
    expect(seen(await call())).toEqual(seen(first));
  });

  it('has a request id of its own, and names the first one', async () => {
    const caller = http.caller();
    const first = await pull(caller, 'k');
    expect((await pull(caller, 'k')).headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });
});

describe('an error', () => {
  it.each([
    ['400 of a field', () => ({ amount: '1e5' }), 400],
    ['400 of a rule', (caller: Caller) => ({ counterparty_id: caller.seed('intra_counterparty_id') }), 400],
    ['404', () => ({ sub_account_id: `sub_${'0'.repeat(32)}` }), 404],
  ])('with %s is stored, and a repetition cannot succeed', async (_, change, status) => {
    const caller = http.caller();
    const own = change(caller);
    const first = await pull(caller, 'k', own);
    expect(first.status).toBe(status);
    http.clock.advance(60_000);
    expect(seen(await pull(caller, 'k', own))).toEqual(seen(first));
    expectReused(await pull(caller, 'k'));
    expect(await pendingCredits(caller)).toBe('0.00');
    expect((await pull(caller, 'another')).status).toBe(201);
  });

  it('is stored even if its cause has changed', async () => {
    const caller = http.caller();
    const change = { counterparty_id: caller.seed('intra_counterparty_id') };
    expect((await pull(caller, 'k', change)).status).toBe(400);
    const ach = { accountNumber: '1', routingNumber: '122235821', accountType: 'businessSavings' };
    await caller.v1('PATCH', `/v1/contact/${caller.seed('intra_counterparty_id')}`, { ach });
    expect((await pull(caller, 'k', change)).status).toBe(400);
    expect((await pull(caller, 'another', change)).status).toBe(201);
  });

  it.each([
    ['malformed', '{', {}, 400],
    ['of another type', 'x', { 'content-type': 'text/plain' }, 415],
    ['too large', `{"x":"${'x'.repeat(1_048_576)}"}`, {}, 413],
  ])('of a body that is %s is stored', async (_, body, headers, status) => {
    const caller = http.caller();
    const call = () =>
      caller.v2('POST', '/v2/payments/ach/pull', body, { 'idempotency-key': 'k', ...headers });
    const first = await call();
    expect(first.status).toBe(status);
    expect(seen(await call())).toEqual(seen(first));
    expectReused(await pull(caller, 'k'));
  });

  it('in v1 is stored as well', async () => {
    const caller = http.caller();
    const call = (amount: string) =>
      caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount }, { 'sd-idempotency-key': 'k' });
    const first = await call('0.00');
    expect(first.status).toBe(400);
    expect(seen(await call('0.00'))).toEqual(seen(first));
    const corrected = await call('1.00');
    expect(seen(corrected)).toEqual(seen(first));
    expect(hint(corrected)).toMatch(OTHER_REQUEST);
  });

  it('without an API key is not stored', async () => {
    const caller = http.caller();
    const body = { amount: '10.00' };
    const refused = await http.call('POST', '/v2/payments/ach/pull', {
      body,
      headers: { 'idempotency-key': 'k' },
    });
    expect(refused.status).toBe(401);
    expect((await pull(caller, 'k')).status).toBe(201);
  });

  it('that is a declined payment is stored as a normal response', async () => {
    const caller = http.caller();
    const call = () =>
      caller.v1(
        'POST',
        `/v1/card/${caller.seed('card_id')}/test`,
        { amount: '5000.01' },
        { 'sd-idempotency-key': 'k' },
      );
    const first = await call();
    expect(first.at('status')).toBe('declined');
    const before = digestOf(caller.sandbox);
    expect(seen(await call())).toEqual(seen(first));
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('the same request with other spaces in its JSON', () => {
  it('gets the first response, and is not executed', async () => {
    const caller = http.caller();
    const send = async (spaces?: number) => {
      const { statusCode, body } = await http.app.server.inject({
        method: 'POST',
        url: '/v2/payments/ach/pull',
        headers: { 'api-key': caller.key, 'idempotency-key': 'k', 'content-type': 'application/json' },
        payload: JSON.stringify(
          {
            sub_account_id: caller.seed('sub_account_id'),
            counterparty_id: caller.seed('ach_counterparty_id'),
            amount: '10.00',
            description: 'a  text with spaces',
          },
          null,
          spaces,
        ),
      });
      return { statusCode, id: JSON.parse(body).id };
    };
    const first = await send();
    expect(first.statusCode).toBe(201);
    const before = digestOf(caller.sandbox);
    expect(await send(2)).toEqual(first);
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('another request with the same key', () => {
  it.each([
    ['another body', (caller: Caller) => pull(caller, 'k', { amount: '20.00' })],
    ['the same body in another order', (caller: Caller) => pull(caller, 'k', { sub_account_id: undefined })],
    [
      'another path',
      (caller: Caller) =>
        caller.v2(
          'POST',
          '/v2/payments/intra_account/pull',
          {
            sub_account_id: caller.seed('sub_account_id'),
            counterparty_id: caller.seed('intra_counterparty_id'),
            amount: '10.00',
          },
          { 'idempotency-key': 'k' },
        ),
    ],
    [
      'another method',
      (caller: Caller) =>
        caller.v2(
          'PATCH',
          `/v2/issuing/card/${caller.seed('virtual_card_id')}`,
          { label: 'never' },
          { 'idempotency-key': 'k' },
        ),
    ],
  ])('with %s is refused, and the first response stays', async (_, call) => {
    const caller = http.caller();
    const first = await pull(caller, 'k');
    const before = digestOf(caller.sandbox);
    const other = await call(caller);
    expectReused(other);
    expect(digestOf(caller.sandbox)).toBe(before);
    expect(seen(await pull(caller, 'k'))).toEqual(seen(first));
  });
});

describe('concurrent requests with one key', () => {
  it('have one effect, and the others are refused while it is in progress', async () => {
    const caller = http.caller();
    const answers = await Promise.all(Array.from({ length: 8 }, () => pull(caller, 'k')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.at('error.code')).toBe(
      'ERROR_CODE_IDEMPOTENCY_KEY_CONFLICT',
    );
    expect(await pendingCredits(caller)).toBe('10.00');
  });

  it('with different bodies execute one of them', async () => {
    const caller = http.caller();
    const amounts = ['1.00', '2.00', '4.00', '8.00'];
    const answers = await Promise.all(amounts.map((amount) => pull(caller, 'k', { amount })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(await pendingCredits(caller)).toBe(made[0]?.at('amount'));
  });

  it('do not affect requests with other keys', async () => {
    const caller = http.caller();
    const keys = ['a', 'b', 'a', 'c', 'b', 'a'];
    await Promise.all(keys.map((key) => pull(caller, key)));
    expect(await pendingCredits(caller)).toBe('30.00');
  });
});

describe('an idempotency key', () => {
  it('expires after 24 hours of the sandbox’s clock, and not before', async () => {
    const caller = http.caller();
    const first = await pull(caller, 'k');
    http.clock.advance(DAY_MS - 1);
    expect(seen(await pull(caller, 'k'))).toEqual(seen(first));
    http.clock.advance(1);
    const anew = await pull(caller, 'k', { amount: '5.00' });
    expect({ status: anew.status, amount: anew.at('amount'), hint: hint(anew) }).toEqual({
      status: 201,
      amount: '5.00',
      hint: undefined,
    });
    http.clock.advance(DAY_MS - 1);
    expect(seen(await pull(caller, 'k', { amount: '5.00' }))).toEqual(seen(anew));
    expect(await pendingCredits(caller)).toBe('15.00');
  });

  it('is ignored in GET requests', async () => {
    const caller = http.caller();
    const path = `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
    const headers = { 'idempotency-key': 'k' };
    expect((await caller.v2('GET', path, undefined, headers)).at('pending_credits')).toBe('0.00');
    await pull(caller, 'k');
    expect((await caller.v2('GET', path, undefined, headers)).at('pending_credits')).toBe('10.00');
    const inV1 = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`, undefined, {
      'sd-idempotency-key': 'k',
    });
    expect(inV1.at('pendingCredit')).toBe('10.00');
  });

  it('is ignored in DELETE requests', async () => {
    const caller = http.caller();
    const path = `/v2/webhook/${caller.seed('webhook_id')}`;
    const headers = { 'idempotency-key': 'k' };
    expect((await caller.v2('DELETE', path, undefined, headers)).status).toBe(204);
    expect((await caller.v2('DELETE', path, undefined, headers)).status).toBe(404);
    expect((await pull(caller, 'k')).status).toBe(201);
  });
});
