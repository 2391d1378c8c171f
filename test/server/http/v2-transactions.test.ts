/**
 * Transactions of v2: retrieving one by either of its ids, listing them in either ledger, changing their fields, and
 * moving money in suspense on the master account to a sub account. Decisions `list-paging`, `two-ledgers-shown`,
 * `master-account-incoming`, `sub-ledgering`, `v2-transaction-filters` and `reconciled-transactions` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { TransactionList } from '../../../src/bank/api/v2/transactions/shapes.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2, problemsWith } from './expectations.ts';
import { type Answer, type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp({ small: true });
const PATH = '/v2/payments/transaction';
const INVALID = 'ERROR_CODE_INVALID_FIELD';
const MISSING = {
  status: 404,
  code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
  message: 'cannot find transaction by id in qldb',
};

const kindsOf = (events: ReceivedEvent[]) => events.map(({ kind }) => kind);
const retrieve = (caller: Caller, id: string) => caller.v2('GET', `${PATH}/${id}`);
const idsOf = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);
const list = async (caller: Caller, query: Record<string, string> = {}): Promise<Answer> => {
  const answer = await caller.v2('GET', `${PATH}?${new URLSearchParams(query)}`);
  expect(answer.status, answer.text).toBe(200);
  expect(problemsWith(TransactionList, answer.body)).toEqual([]);
  return answer;
};
const simulate = async (caller: Caller, id: string, event: string) => {
  const answer = await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, {});
  expect(answer.status, answer.text).toBe(200);
};

const pull = async (caller: Caller, reference = '') =>
  (
    await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '10.00',
      external_reference_id: reference,
    })
  ).id();

/** An incoming payment of 100.00 to the program, by a rail of the simulate operations, settled by default. */
async function waiting(caller: Caller, rail = 'ach/push', settled = true): Promise<string> {
  const answer = await caller.v2('POST', `/v2/simulate/incoming/${rail}`, {
    master_account_id: caller.seed('master_account_id'),
    amount: '100.00',
    description: 'For whom it may concern',
    counterparty: { name: 'Pat Rowe' },
  });
  if (settled) await simulate(caller, answer.id(), 'settle');
  return answer.id();
}

const subLedger = (caller: Caller, entry: string, amount: string, change: object = {}) =>
  caller.v2('POST', PATH, {
    master_account_transaction_id: entry,
    sub_account_id: caller.seed('sub_account_id'),
    amount,
    ...change,
  });

describe('one transaction (v2_retrieve_transaction)', () => {
  it("is found by its own id and by its master transaction's", async () => {
    const caller = http.caller();
    const own = await retrieve(caller, caller.seed('transaction_id'));
    expectRecord(own, 'v2_retrieve_transaction', TRANSACTION);
    const entry = own.id('reconciliation.master_account.0.transaction_id');
    const leg = await retrieve(caller, entry);
    expectRecord(leg, 'v2_retrieve_transaction', TRANSACTION);
    expect(leg.body).toEqual({
      ...(own.body as object),
      id: entry,
      sub_account_id: '',
      sub_account_holder_id: '',
      available_balance: '5000.00',
      pending_credits: '0.00',
    });
    // Also in the format of v1.
    const uuid = entry.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    expect((await retrieve(caller, `txn-${uuid}`)).body).toEqual(leg.body);
  });

  it('is 404 if it does not exist', async () => {
    const caller = http.caller();
    for (const id of [`txn_${'0'.repeat(32)}`, 'nonsense', caller.seed('sub_account_id')]) {
      expectRefusedV2(await retrieve(caller, id), MISSING);
      expectRefusedV2(await caller.v2('PATCH', `${PATH}/${id}`, {}), MISSING);
    }
  });
});

describe('a change (v2_update_transaction)', () => {
  it('replaces description and metadata, in both ledgers and both versions', async () => {
    const caller = http.caller();
    const id = await pull(caller);
    await caller.listen();
    const before = await retrieve(caller, id);
    http.clock.advance(5_000);
    const changed = await caller.v2('PATCH', `${PATH}/${id}`, {
      description: 'February dues',
      metadata: { month: '2', gate: 'B' },
    });
    expectRecord(changed, 'v2_update_transaction', TRANSACTION);
    expect(changed.body).toEqual({
      ...(before.body as object),
      description: 'February dues',
      metadata: { month: '2', gate: 'B' },
      timestamps: {
        ...(before.at('timestamps') as object),
        updated_at: expect.not.stringMatching(String(before.at('timestamps.created_at'))),
      },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual(['transaction.updated']);
    expect(v2[0]?.record).toEqual(changed.body);
    expect(kindsOf(v1)).toEqual(['transfer.updated']);
    expect(v1[0]?.record).toMatchObject({
      description: 'February dues',
      metadata: { month: '2', gate: 'B' },
    });
    const merged = await caller.v2('PATCH', `${PATH}/${id}`, { metadata: { gate: '', dock: '4' } });
    expect(merged.at('metadata')).toEqual({ month: '2', dock: '4' });
    expect(merged.at('description')).toBe('February dues');
  });

  it('by the id of the master transaction changes the transaction', async () => {
    const caller = http.caller();
    const id = caller.seed('transaction_id');
    const entry = (await retrieve(caller, id)).id('reconciliation.master_account.0.transaction_id');
    // The audit after each test finds the record of the response under this key.
    const key = { 'idempotency-key': 'entry-1' };
    const changed = await caller.v2('PATCH', `${PATH}/${entry}`, { description: 'Seed' }, key);
    expect(changed.body).toMatchObject({ id: entry, sub_account_id: '', description: 'Seed' });
    expect((await retrieve(caller, id)).at('description')).toBe('Seed');
  });

  it('does not affect the amount or the status', async () => {
    const caller = http.caller();
    const id = await pull(caller);
    const before = await retrieve(caller, id);
    const tried = await caller.v2('PATCH', `${PATH}/${id}`, { status: 'canceled', amount: '1.00' });
    expect(tried.status).toBe(200);
    expect(tried.headers['x-sandbox-hint']).toContain('status, amount');
    expect(tried.body).toEqual(before.body);
  });

  it('applies the limits of metadata', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await caller.v2('PATCH', `${PATH}/${caller.seed('transaction_id')}`, {
      metadata: Object.fromEntries(Array.from({ length: 21 }, (_, place) => [`k${place}`, 'v'])),
    });
    expectRefusedV2(answer, { status: 400, code: INVALID, field: 'metadata' });
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('the list (v2_list_transactions)', () => {
  it('is sorted newest first and paginated in both directions', async () => {
    const caller = http.caller();
    const paid: string[] = [];
    for (let made = 0; made < 4; made += 1) paid.unshift(await pull(caller));
    const all = await list(caller);
    expect(all.at('total')).toBe(6);
    expect(idsOf(all).slice(0, 4)).toEqual(paid);
    expect([all.at('has_more'), all.at('starting_after'), all.at('ending_before')]).toEqual([
      'false',
      '',
      '',
    ]);
    const first = await list(caller, { limit: '3' });
    expect(first.at('has_more')).toBe('true');
    const second = await list(caller, { limit: '3', starting_after: first.id('starting_after') });
    expect(idsOf(second)).toEqual(idsOf(all).slice(3));
    const back = await list(caller, { limit: '3', ending_before: second.id('ending_before') });
    expect(idsOf(back)).toEqual(idsOf(first));
    expect(all.at('data.0')).toEqual((await retrieve(caller, paid[0] ?? '')).body);
  });

  it('paginates one account with the same cursors', async () => {
    const caller = http.caller();
    for (let made = 0; made < 4; made += 1) await pull(caller);
    const own = { sub_account_id: caller.seed('sub_account_id') };
    const all = await list(caller, own);
    expect(all.at('total')).toBe(5);
    const first = await list(caller, { ...own, limit: '2' });
    const second = await list(caller, { ...own, limit: '2', starting_after: first.id('starting_after') });
    const third = await list(caller, { ...own, limit: '2', starting_after: second.id('starting_after') });
    expect([first, second, third].flatMap(idsOf)).toEqual(idsOf(all));
    expect([third.at('has_more'), third.at('total')]).toEqual(['false', 5]);
    const back = await list(caller, { ...own, limit: '2', ending_before: third.id('ending_before') });
    expect(idsOf(back)).toEqual(idsOf(second));
  });

  it('combines its filters', async () => {
    const caller = http.caller();
    const [first, second] = [await pull(caller, 'dues-1'), await pull(caller, 'dues-2')];
    const opening = caller.seed('transaction_id');
    const sub = { sub_account_id: caller.seed('sub_account_id') };
    const holder = { sub_account_holder_id: caller.seed('person_holder_id') };
    const master = {
      master_account_id: caller.seed('master_account_id'),
      master_account_holder_id: caller.seed('master_account_holder_id'),
    };
    for (const query of [
      sub,
      holder,
      { ...sub, ...holder },
      { ...sub, ...holder, ...master },
      { ...sub, ledger_type: 'sub_account' },
    ]) {
      const found = await list(caller, query);
      expect(idsOf(found)).toEqual([second, first, opening]);
      expect(found.at('total')).toBe(3);
    }
    expect((await list(caller, master)).at('total')).toBe(4);
    expect(idsOf(await list(caller, { external_reference_id: 'dues-1' }))).toEqual([first]);
    expect(idsOf(await list(caller, { ...sub, external_reference_id: 'dues-2' }))).toEqual([second]);
    const other = { sub_account_id: caller.seed('other_sub_account_id') };
    expect(idsOf(await list(caller, { ...other, ...holder }))).toEqual([]);
    expect(idsOf(await list(caller, { ...other, external_reference_id: 'dues-2' }))).toEqual([]);
  });

  it.each([
    ['sub_account_id', `sub_${'0'.repeat(32)}`],
    ['sub_account_id', 'nonsense'],
    ['sub_account_holder_id', `sah_${'0'.repeat(32)}`],
    ['master_account_id', `mas_${'0'.repeat(32)}`],
    ['master_account_holder_id', 'nonsense'],
    ['external_reference_id', 'nobody’s'],
  ])('is empty for %s %s', async (filter, value) => {
    const found = await list(http.caller(), { [filter]: value });
    expect(found.body).toEqual({
      total: 0,
      data: [],
      has_more: 'false',
      starting_after: '',
      ending_before: '',
    });
  });

  it('ignores an empty filter', async () => {
    const caller = http.caller();
    const filters = ['sub_account_id', 'master_account_id', 'sub_account_holder_id', 'external_reference_id'];
    expect((await list(caller, Object.fromEntries(filters.map((name) => [name, ''])))).at('total')).toBe(2);
  });

  it.each([
    [{ ledger_type: 'both' }, 'ledger_type'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ starting_after: 'nonsense' }, 'starting_after'],
    [{ starting_after: Buffer.from(`sub_${'0'.repeat(32)}`).toString('base64') }, 'starting_after'],
  ])('is refused with %j', async (query, field) => {
    const answer = await http.caller().v2('GET', `${PATH}?${new URLSearchParams(query)}`);
    expectRefusedV2(answer, { status: 400, code: INVALID, field });
  });

  it('of the master account has each master transaction once, with its own ids and totals', async () => {
    const caller = http.caller();
    const own = await pull(caller);
    const entry = await waiting(caller);
    await subLedger(caller, entry, '60.00');
    await subLedger(caller, entry, '15.00');
    const master = { ledger_type: 'master_account' };
    const found = await list(caller, master);
    expect(found.at('total')).toBe(3);
    expect(idsOf(found)).toHaveLength(3);
    expect(idsOf(found)[0]).toBe(entry);
    expect(idsOf(found)).not.toContain(own);
    for (const [place, id] of idsOf(found).entries()) {
      expect(found.at(`data.${place}`)).toEqual((await retrieve(caller, id)).body);
      expect(found.at(`data.${place}.sub_account_id`)).toBe('');
    }
    expect(found.at('data.0.available_balance')).toBe('7600.00');
    const first = await list(caller, { ...master, limit: '2' });
    const second = await list(caller, { ...master, limit: '2', starting_after: first.id('starting_after') });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(found));
    expect(idsOf(await list(caller, { ...master, sub_account_id: caller.seed('sub_account_id') }))).toEqual(
      [],
    );
    expect(
      idsOf(await list(caller, { ...master, master_account_id: caller.seed('master_account_id') })),
    ).toEqual(idsOf(found));

    // After settlement, the pull has a master transaction too.
    await simulate(caller, own, 'settle');
    const after = await list(caller, master);
    expect(after.at('total')).toBe(4);
    expect(after.at('data.0.reconciliation.sub_account.0.transaction_id')).toBe(own);
  });

  it('contains money in suspense on the master account, unless only sub accounts are requested', async () => {
    const caller = http.caller();
    const entry = await waiting(caller);
    const part = (await subLedger(caller, entry, '60.00')).id();
    expect(idsOf(await list(caller)).slice(0, 2)).toEqual([part, entry]);
    const sub = await list(caller, { ledger_type: 'sub_account' });
    expect(idsOf(sub)[0]).toBe(part);
    expect(idsOf(sub)).not.toContain(entry);
    expect(sub.at('total')).toBe(3);
  });
});

describe('an incoming payment to the master account only', () => {
  it.each(['ach/push', 'domestic_wire', 'international_wire'])('is in suspense, by %s', async (rail) => {
    const caller = http.caller();
    await caller.listen();
    const id = await waiting(caller, rail, false);
    const received = await retrieve(caller, id);
    expect(received.body).toMatchObject({
      id,
      sub_account_id: '',
      sub_account_holder_id: '',
      master_account_id: caller.seed('master_account_id'),
      status: 'received',
      available_balance: '7500.00',
      pending_credits: '100.00',
      reconciliation: {
        status: 'not_reconciled',
        master_account: [{ id: caller.seed('master_account_id'), transaction_id: id, amount: '100.00' }],
        sub_account: null,
      },
    });
    const master = await caller.v2('GET', `/v2/accounts/master_account/${caller.seed('master_account_id')}`);
    expect(master.at('pending_credits')).toBe('100.00');
    await simulate(caller, id, 'settle');
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual([
      'transaction.created',
      'transaction.status.received',
      'transaction.status.settled',
    ]);
    expect(v2[0]?.record).toEqual(received.body);
    expect(kindsOf(v1)).toEqual([]);
  });
});

describe('POST /v2/payments/transaction (v2_sub_ledger_transaction)', () => {
  it("assigns a part of the suspense to a sub account, and both sides have each other's ids", async () => {
    const caller = http.caller();
    const entry = await waiting(caller, 'domestic_wire');
    await caller.listen();
    const part = await subLedger(caller, entry, '60.00');
    expectRecord(part, 'v2_sub_ledger_transaction', TRANSACTION);
    const mine = { id: caller.seed('sub_account_id'), transaction_id: part.id(), amount: '60.00' };
    const original = await retrieve(caller, entry);
    expect(part.body).toMatchObject({
      sub_account_id: caller.seed('sub_account_id'),
      sub_account_holder_id: caller.seed('person_holder_id'),
      status: 'settled',
      amount: '60.00',
      direction: 'credit',
      method: 'domestic_wire',
      type: 'push',
      message: 'incoming',
      description: 'For whom it may concern',
      available_balance: '5060.00',
      counterparty: original.at('counterparty'),
      domestic_wire: original.at('domestic_wire'),
      reconciliation: {
        status: 'reconciled',
        master_account: [{ id: caller.seed('master_account_id'), transaction_id: entry, amount: '60.00' }],
        sub_account: [mine],
      },
    });
    expect(original.at('reconciliation')).toEqual({
      status: 'not_reconciled',
      master_account: [{ id: caller.seed('master_account_id'), transaction_id: entry, amount: '100.00' }],
      sub_account: [mine],
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual(['transaction.created', 'transaction.status.settled', 'transaction.updated']);
    expect(v2[0]?.record).toEqual(part.body);
    expect(v2[2]?.record).toEqual(original.body);
    expect(kindsOf(v1)).toEqual(['wire.received.credit', 'account.credit']);
    expect(v1[0]?.record).toMatchObject({ amount: '60.00', balance: '5060.00', subType: 'received' });

    const other = { sub_account_id: caller.seed('other_sub_account_id') };
    const rest = await subLedger(caller, entry, '40.00', other);
    expect((await retrieve(caller, entry)).at('reconciliation')).toMatchObject({
      status: 'reconciled',
      sub_account: [
        mine,
        { id: caller.seed('other_sub_account_id'), transaction_id: rest.id(), amount: '40.00' },
      ],
    });
    expect((await retrieve(caller, part.id())).body).toEqual(part.body);
  });

  it('is refused for more than the remaining amount, which the error contains', async () => {
    const caller = http.caller();
    const entry = await waiting(caller);
    await subLedger(caller, entry, '60.00');
    const before = digestOf(caller.sandbox);
    const refused = { status: 400, code: INVALID, field: 'amount' };
    expectRefusedV2(await subLedger(caller, entry, '40.01'), {
      ...refused,
      message: /the 40\.00 of this entry/,
    });
    expect(digestOf(caller.sandbox)).toBe(before);
    expect((await subLedger(caller, entry, '40.00')).status).toBe(201);
    expectRefusedV2(await subLedger(caller, entry, '0.01'), {
      status: 400,
      code: 'ERROR_CODE_TRANSACTION_RECONCILED',
      field: 'master_account_transaction_id',
    });
  });

  it('is refused before the transaction settles', async () => {
    const caller = http.caller();
    const entry = await waiting(caller, 'ach/push', false);
    const answer = await subLedger(caller, entry, '1.00');
    expectRefusedV2(answer, {
      status: 400,
      code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
      message: /the entry is received/,
    });
  });

  it('is refused for a transaction that is not in suspense, and for an account that cannot accept it', async () => {
    const caller = http.caller();
    const entry = await waiting(caller);
    const before = digestOf(caller.sandbox);
    const opening = await retrieve(caller, caller.seed('transaction_id'));
    const known = opening.id('reconciliation.master_account.0.transaction_id');
    expectRefusedV2(await subLedger(caller, known, '1.00'), {
      status: 400,
      code: INVALID,
      field: 'master_account_transaction_id',
    });
    for (const id of [opening.id(), 'nonsense', `txn_${'0'.repeat(32)}`]) {
      expectRefusedV2(await subLedger(caller, id, '1.00'), MISSING);
    }
    expectRefusedV2(await subLedger(caller, entry, '1.00', { sub_account_id: `sub_${'0'.repeat(32)}` }), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is executed once under one idempotency key', async () => {
    const caller = http.caller();
    const entry = await waiting(caller);
    const body = {
      master_account_transaction_id: entry,
      sub_account_id: caller.seed('sub_account_id'),
      amount: '60.00',
    };
    const headers = { 'idempotency-key': 'once' };
    const first = await caller.v2('POST', PATH, body, headers);
    const second = await caller.v2('POST', PATH, body, headers);
    expect(second.body).toEqual(first.body);
    expect((await retrieve(caller, entry)).at('reconciliation.sub_account')).toHaveLength(1);
  });

  it('is reversed when the other bank reverses the transaction', async () => {
    const caller = http.caller();
    const entry = await waiting(caller);
    const part = (await subLedger(caller, entry, '60.00')).id();
    await caller.listen();
    await simulate(caller, entry, 'return');
    expect([
      (await retrieve(caller, entry)).at('status'),
      (await retrieve(caller, part)).at('status'),
    ]).toEqual(['returned', 'returned']);
    const rows = await list(caller, { limit: '2' });
    const [whole, own] = rows.at('data') as Record<string, unknown>[];
    const byParent = (parent: string) => [whole, own].find((row) => row?.parent_transaction_id === parent);
    expect(byParent(part)).toMatchObject({
      type: 'return',
      direction: 'debit',
      amount: '60.00',
      available_balance: '5000.00',
    });
    expect(byParent(entry)).toMatchObject({
      type: 'return',
      direction: 'debit',
      amount: '100.00',
      sub_account_id: '',
      available_balance: '7500.00',
    });
    expect(byParent(entry)?.reconciliation).toMatchObject({
      sub_account: [{ transaction_id: byParent(part)?.id }],
    });
    expect(byParent(part)?.reconciliation).toMatchObject({
      master_account: [{ transaction_id: byParent(entry)?.id }],
    });
    const { v1 } = await caller.receivedEvents();
    expect(kindsOf(v1)).toEqual(['ach.reversal.debit', 'account.debit']);
  });
});

describe('the control plane', () => {
  it('shows suspense in the books, and explains a master transaction with its parts and vice versa', async () => {
    const caller = http.caller();
    const entry = await waiting(caller);
    const part = (await subLedger(caller, entry, '60.00')).id();
    const books = await caller.v2('GET', '/_sandbox/ledger/suspense');
    expect(books.body).toMatchObject({
      account: 'suspense',
      available_balance: '40.00',
      entries: [
        { side: 'debit', amount: '60.00', against: caller.seed('sub_account_id'), transaction_id: part },
        {
          side: 'credit',
          amount: '100.00',
          against: caller.seed('master_account_id'),
          transaction_id: entry,
        },
        { kind: 'hold', amount: '100.00' },
      ],
    });
    const ofEntry = await caller.v2('GET', `/_sandbox/explain/${entry}`);
    expect(ofEntry.at('related')).toEqual([
      expect.objectContaining({ id: part, as: 'part', amount: '60.00' }),
    ]);
    const ofPart = await caller.v2('GET', `/_sandbox/explain/${part}`);
    expect(ofPart.at('related')).toEqual([expect.objectContaining({ id: entry, as: 'entry' })]);
    expect(ofPart.at('transfers.0')).toMatchObject({
      debit: 'suspense',
      credit: caller.seed('sub_account_id'),
    });
  });

  it('accepts the id of a master transaction for its transaction', async () => {
    const caller = http.caller();
    const opening = await retrieve(caller, caller.seed('transaction_id'));
    const entry = opening.id('reconciliation.master_account.0.transaction_id');
    expect((await caller.v2('GET', `/_sandbox/explain/${entry}`)).at('id')).toBe(opening.id());
    await simulate(caller, entry, 'return');
    expect((await retrieve(caller, opening.id())).at('status')).toBe('returned');
  });
});
