/**
 * The send and receive operations of v1: the payment of each, its response, its outcome in both versions, and its
 * events. Decisions `too-little-money`, `unfit-payment-side`, `incoming-money-pending`, `outgoing-money-pending`,
 * `v1-magic-amounts`, `v1-transfer-texts`, `v1-transfer-status` and `bad-check-address` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { RAIL_OPERATIONS } from '../../../src/bank/api/v1/transfers/operations.ts';
import { TRANSFER } from '../../contract/v1/money.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';
import { available, entries, giveRails, kinds, ORDERS, order, orderOf, recordOf, send } from './v1-orders.ts';

const eachOrder = ORDERS.map((row) => [row.path, row] as const);
const operationOf = (method: string, path: string) => {
  const found = RAIL_OPERATIONS.find((row) => row.method === method && row.path === path);
  if (found === undefined) throw new Error(`no ${method} ${path}`);
  return found;
};

describe('an originated transfer', () => {
  const http = useHttp({ small: true });

  it.each(eachOrder)('%s returns the whole transfer', async (path, row) => {
    const caller = http.caller();
    await giveRails(caller);
    const answer = await order(caller, row, { title: 'Monthly', metadata: { externalId: '7' } });
    expectRecord(answer, operationOf('POST', path), TRANSFER);
    const time = '2026-11-20T18:00:00Z';
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^tra-[0-9a-f-]{36}$/),
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      name: 'Harbor Supplies',
      amount: '41.20',
      status: row.status,
      title: 'Monthly',
      description: 'Invoice 88',
      txnType: row.txnType,
      transferType: row.transferType,
      transferSubType: 'originated',
      type: row.transferType === 'ach' ? 'nextDay' : '',
      valid: row.transferType === 'domesticWire' ? 'true' : '',
      metadata: { externalId: '7' },
      createdAt: time,
      modifiedAt: time,
      transferredAt: time,
    });
  });

  it.each(eachOrder)('%s has its own title, whatever that is', async (path, row) => {
    const caller = http.caller();
    await giveRails(caller);
    const untitled = await order(caller, row);
    const generated = (await entries(caller))[0]?.title as string;
    expect(untitled.at('title')).toBe('');
    expect(generated).toContain('Harbor Supplies');
    const titled = await order(caller, row, { title: generated });
    expect(titled.at('title')).toBe(generated);
    for (const title of [generated, 'Rent', '']) {
      const changed = await caller.v1('PATCH', `${path}/${untitled.id()}`, { title });
      expect(changed.at('title')).toBe(title);
      const read = await caller.v1('GET', `${path}/${untitled.id()}`);
      expect(read.at('title')).toBe(title);
      const txnId = untitled.id().replace('tra-', 'txn-');
      const found = await entries(caller, `?id=${txnId}`);
      expect(found.map((entry) => entry.title)).toEqual([title || generated]);
    }
  });

  it.each(eachOrder)('%s is one transaction of the account, and one transaction of v2', async (_, row) => {
    const caller = http.caller();
    await giveRails(caller);
    const answer = await order(caller, row);
    const [entry] = await entries(caller);
    const suffix = answer.id().slice(4);
    expect(entry).toMatchObject({
      id: `txn-${suffix}`,
      amount: row.txnType === 'debit' ? '-41.20' : '41.20',
      transferType: row.transferType,
      subType: row.path.includes('/debit') ? row.path.slice(-4) : 'originated',
      status: row.status === 'completed' ? 'settled' : 'pending',
      description: 'Invoice 88',
    });
    const part = Object.values(entry ?? {}).find(
      (value): value is Record<string, unknown> => typeof value === 'object' && value !== null,
    );
    expect(part).toMatchObject({ transferId: answer.id(), name: 'Harbor Supplies' });
    const read = await caller.v2('GET', `/v2/payments/transaction/txn_${suffix.replaceAll('-', '')}`);
    expect(read.body).toMatchObject({ amount: '41.20', direction: row.txnType, message: 'outgoing' });
  });

  it('debits immediately when it sends, and credits later when it receives', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const after: unknown[] = [];
    for (const row of ORDERS) {
      await order(caller, row, { amount: '10.00' });
      after.push([row.path, await available(caller)]);
    }
    expect(after).toEqual([
      ['/v1/send/intrabank', '4990.00'],
      ['/v1/send/ach', '4980.00'],
      ['/v1/send/wire', '4970.00'],
      ['/v1/send/check', '4960.00'],
      ['/v1/send/debitpush', '4950.00'],
      ['/v1/receive/intrabank', '4960.00'],
      ['/v1/receive/ach', '4960.00'],
      ['/v1/receive/check', '4960.00'],
      ['/v1/receive/debitpull', '4960.00'],
    ]);
    expect(await available(caller, 'other_sub_account_id')).toBe('2500.00');
  });

  it("contains the contact's fields for its rail", async () => {
    const caller = http.caller();
    await giveRails(caller);
    const seen = async (path: string, change: object = {}) =>
      (await order(caller, orderOf(path), change)).body as Record<string, unknown>;
    expect(await seen('/v1/send/wire')).toMatchObject({
      accountNumber: '000123456789',
      routingNumber: '122235821',
      accountType: 'businessSavings',
      address: { addressType: 'wire', line1: '9 Pier Road' },
    });
    expect(await seen('/v1/send/wire', { type: 'international' })).toMatchObject({
      transferType: 'internationalWire',
      accountNumber: 'DE89370400440532013000',
      type: '',
    });
    expect(await seen('/v1/send/check', { attachment: '<p>Thanks</p>' })).toMatchObject({
      accountNumber: '',
      bankName: '',
      address: { addressType: 'check', city: 'Salem' },
      attachment: '<p>Thanks</p>',
    });
    expect(await seen('/v1/send/intrabank')).toMatchObject({ routingNumber: '110000013', accountType: '' });
    expect(await seen('/v1/send/ach', { type: 'sameDay' })).toMatchObject({
      type: 'sameDay',
      accountNumber: '5500112233',
      bankName: 'Wells Fargo',
    });
  });

  it.each([
    ['/v1/send/intrabank', 500],
    ['/v1/send/ach', 500],
    ['/v1/send/wire', 135],
    ['/v1/send/check', 200],
    ['/v1/receive/check', 200],
  ] as const)('%s has a description of at most %i characters', async (path, most) => {
    const caller = http.caller();
    await giveRails(caller);
    const { more } = orderOf(path);
    const long = await send(caller, path, { ...more, description: 'x'.repeat(most + 1) });
    expectRefusedV1(long, { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST', message: /description/ });
    expect((await send(caller, path, { ...more, description: 'x'.repeat(most) })).status).toBe(201);
  });

  it('beyond the available balance creates nothing', async () => {
    const caller = http.caller();
    await giveRails(caller);
    await caller.listen();
    const before = digestOf(caller.sandbox);
    for (const { path, more } of ORDERS.filter(({ txnType }) => txnType === 'debit')) {
      const answer = await send(caller, path, { ...more, amount: '5000.01' });
      expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INSUFFICIENT_FUNDS' });
    }
    const pull = await send(caller, '/v1/receive/intrabank', { amount: '2500.01' });
    expectRefusedV1(pull, { status: 400, code: 'EC_ACCOUNT_INSUFFICIENT_FUNDS' });
    expect(digestOf(caller.sandbox)).toBe(before);
    expect(await kinds(caller)).toEqual([]);
  });

  it.each(
    ORDERS.filter(({ path }) => path !== '/v1/send/ach' && path !== '/v1/receive/ach').map(
      (row) => [row.path, row] as const,
    ),
  )('%s requires a contact with its rail', async (path, { more }) => {
    const answer = await send(http.caller(), path, { ...more });
    expectRefusedV1(answer, { status: 400, code: 'EC_CONTACT_TRANSFER_TYPE_MISSING' });
  });

  const BAD = [
    ['/v1/send/wire', {}, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/wire', { type: 'sepa' }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/ach', { type: 'someday' }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/check', { type: 'digital' }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/check', { attachment: '<a href=x>x</a>' }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/check', { attachment: "<p class='x'>x</p>" }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/check', { attachment: '<IMG src=x>' }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/check', { attachment: 'https://' }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/send/check', { attachment: 'x'.repeat(10_001) }, 'EC_TRANSFER_INVALID_REQUEST'],
    ['/v1/receive/debitpull', { amount: '2500.01' }, 'EC_TRANSFER_LIMIT_EXCEEDED'],
    ['/v1/send/intrabank', { amount: '0.00' }, 'EC_TRANSFER_INVALID_AMOUNT'],
    [
      '/v1/send/ach',
      { metadata: Object.fromEntries([...Array(21).keys()].map((key) => [`k${key}`, 'x'])) },
      'EC_TRANSFER_METADATA_TOO_LARGE',
    ],
  ] as const;
  it.each(BAD)('%s with %j is refused', async (path, change, code) => {
    const caller = http.caller();
    await giveRails(caller);
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await send(caller, path, change), { status: 400, code });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('by a debit pull may have 2500.00', async () => {
    const caller = http.caller();
    await giveRails(caller);
    expect((await send(caller, '/v1/receive/debitpull', { amount: '2500.00' })).status).toBe(201);
  });

  it('requires an existing account and contact', async () => {
    const caller = http.caller();
    for (const path of ['/v1/send/ach', '/v1/receive/ach']) {
      const accountId = 'acc-00000000-0000-0000-0000-000000000000';
      expectRefusedV1(await send(caller, path, { accountId }), { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' });
      const contactId = 'con-00000000-0000-0000-0000-000000000000';
      expectRefusedV1(await send(caller, path, { contactId }), { status: 404, code: 'EC_CONTACT_NOT_FOUND' });
    }
  });
});

describe('a transfer', () => {
  const http = useHttp({ small: true });

  it('is found only below the path of its own rail', async () => {
    const caller = http.caller();
    await giveRails(caller);
    for (const row of ORDERS) {
      const made = await order(caller, row);
      for (const { path } of ORDERS) {
        const read = await caller.v1('GET', `${path}/${made.id()}`);
        const changed = await caller.v1('PATCH', `${path}/${made.id()}`, { title: 'x' });
        if (path === row.path) {
          expect(read.body).toEqual(made.body);
          expect(changed.status).toBe(200);
        } else {
          expectRefusedV1(read, {
            status: 404,
            code: 'EC_TRANSFER_NOT_FOUND',
            message: 'transfer not found',
          });
          expectRefusedV1(changed, { status: 404, code: 'EC_TRANSFER_NOT_FOUND' });
        }
      }
    }
  });

  it.each(eachOrder)('%s is updated together with its transaction', async (path, row) => {
    const caller = http.caller();
    await giveRails(caller);
    const made = await order(caller, row, { metadata: { externalId: '7', order: '1' } });
    await caller.listen();
    http.clock.advance(60_000);
    const words = { title: 'Rent', description: 'May', metadata: { order: '', floor: '2' } };
    const changed = await caller.v1('PATCH', `${path}/${made.id()}`, words);
    expectRecord(changed, operationOf('PATCH', `${path}/:transferId`), TRANSFER);
    const modifiedAt = new Date(http.clock.now()).toISOString().replace('.000', '');
    const texts = { title: 'Rent', description: 'May', metadata: { externalId: '7', floor: '2' } };
    expect(changed.body).toEqual({ ...(made.body as object), ...texts, modifiedAt });
    expect((await entries(caller))[0]).toMatchObject({ ...texts, modifiedAt });
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.updated']);
    expect(recordOf(v1, 'transfer.updated')).toEqual(changed.body);
  });

  it('with an emptied title has the default title', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const made = await order(caller, orderOf('/v1/send/check'), { title: 'Rent' });
    const changed = await caller.v1('PATCH', `/v1/send/check/${made.id()}`, { title: '' });
    expect(changed.at('title')).toBe('');
    expect((await entries(caller))[0]).toMatchObject({ title: 'Check created for Harbor Supplies' });
  });

  it('keeps its amount, and a description that is too long for its rail is refused', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const made = await order(caller, orderOf('/v1/send/wire'));
    const path = `/v1/send/wire/${made.id()}`;
    const changed = await caller.v1('PATCH', path, { amount: '1.00', accountId: 'acc-x' });
    expect(changed.at('amount')).toBe('41.20');
    expect(changed.headers['x-sandbox-hint']).toContain('amount, accountId');
    const long = await caller.v1('PATCH', path, { description: 'x'.repeat(136) });
    expectRefusedV1(long, { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST', message: /description/ });
  });

  it('within the bank is updated on the side that originated it', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const made = await order(caller, orderOf('/v1/send/intrabank'));
    await caller.v1('PATCH', `/v1/send/intrabank/${made.id()}`, { title: 'Rent' });
    const other = await caller.v1('GET', `/v1/account/${caller.seed('other_sub_account_id')}/transaction`);
    expect(other.at('data.0')).toMatchObject({
      title: 'Received from Ada Lovegood',
      amount: '41.20',
      subType: 'received',
      status: 'settled',
      intrabank: { name: 'Ada Lovegood', contactId: '' },
    });
  });
});

describe('a list of transfers', () => {
  const http = useHttp({ small: true });
  const list = (caller: Caller, path: string, query = '') => caller.v1('GET', `${path}${query}`);
  const idsOf = (answer: Awaited<ReturnType<typeof list>>) =>
    (answer.at('data') as { id: string }[]).map(({ id }) => id);

  it('contains those of its rail, newest first', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const made = new Map<string, string[]>();
    for (const row of [...ORDERS, ...ORDERS]) {
      const { path } = row;
      made.set(path, [(await order(caller, row, { amount: '1.00' })).id(), ...(made.get(path) ?? [])]);
    }
    for (const { path } of ORDERS) {
      const answer = await list(caller, path, `?accountId=${caller.seed('account_id')}`);
      expect([answer.at('total'), idsOf(answer)]).toEqual([2, made.get(path)]);
    }
    const program = await list(caller, `/v1/program/${caller.seed('program_id')}/transfer`, '?limit=100');
    expect(program.at('total')).toBe(2 * ORDERS.length);
    const checks = await list(
      caller,
      `/v1/program/${caller.seed('program_id')}/transfer`,
      '?transferType=physicalCheck&txnType=debit',
    );
    expect(idsOf(checks)).toEqual(made.get('/v1/send/check'));
  });

  it('is filtered by account, direction, status, external id and times', async () => {
    const caller = http.caller();
    const pull = orderOf('/v1/receive/ach');
    const first = (await order(caller, pull, { metadata: { externalId: 'first' } })).id();
    http.clock.advance(10_000);
    const second = (await order(caller, pull, { metadata: { externalId: 'second' } })).id();
    const time = (ms: number) => new Date(http.clock.now() + ms).toISOString().replace(/\.\d+Z/, 'Z');
    const found = async (query: string) => idsOf(await list(caller, pull.path, `?${query}`));
    expect(await found(`accountId=${caller.seed('other_sub_account_id')}`)).toEqual([]);
    expect(await found('accountId=nobody')).toEqual([]);
    expect(await found('txnType=credit')).toEqual([second, first]);
    expect(await found('txnType=debit')).toEqual([]);
    expect(await found('externalId=first')).toEqual([first]);
    expect(await found(`startTime=${time(-5000)}`)).toEqual([second]);
    expect(await found(`endTime=${time(-5000)}`)).toEqual([first]);
    expect(await found('status=pending')).toEqual([second, first]);
    for (const status of ['completed', 'declined', 'waitingForFiles', 'approved', 'refund', 'settled']) {
      expect(await found(`status=${status}`), status).toEqual([]);
    }
    await caller.v2('POST', `/_sandbox/simulate/transactions/${first}/settle`);
    expect(await found('status=completed')).toEqual([first]);
    http.clock.advance(10_000);
    await caller.v1('PATCH', `${pull.path}/${first}`, { title: 'x' });
    expect(await found(`modifiedStartTime=${time(0)}`)).toEqual([first]);
    expect(await found(`modifiedEndTime=${time(-5000)}`)).toEqual([second]);
    expect(await found('offset=1&limit=1')).toEqual([first]);
    expect((await list(caller, pull.path, '?limit=1')).at('total')).toBe(2);
  });

  it.each(['limit=0', 'offset=-1', 'startTime=yesterday', 'status=nice', 'txnType=both'])(
    'filtered with %s is refused',
    async (query) => {
      const answer = await list(http.caller(), '/v1/send/ach', `?${query}`);
      expectRefusedV1(answer, { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST' });
    },
  );

  it('of another program is 404', async () => {
    const caller = http.caller();
    const strange = '/v1/program/prg-00000000-0000-0000-0000-000000000000/transfer';
    expectRefusedV1(await list(caller, strange), { status: 404, code: 'EC_PROGRAM_NOT_FOUND' });
  });

  it('contains transfers of v2, with declined ones as they were recorded', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    const answer = await caller.v2('POST', '/v2/payments/ach/push', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '9999.00',
    });
    expect(answer.at('status')).toBe('declined');
    const declined = await list(caller, '/v1/send/ach', '?status=declined');
    expect(declined.at('data.0')).toMatchObject({ status: 'declined', reviewCode: 'lowBalance' });
    expect((await list(caller, '/v1/send/ach', '?status=completed')).at('total')).toBe(0);
    expect((await entries(caller, '?status=declined'))[0]).toMatchObject({
      status: 'declined',
      amount: '-9999.00',
      balance: '5000.00',
    });
  });
});

describe('the events of a transfer', () => {
  const http = useHttp({ small: true, rails: 'fast' });
  const EVENTS: Record<string, { made: string[]; end: string[] }> = {
    '/v1/send/intrabank': {
      made: [
        'transfer.created',
        'intrabank.originated.debit',
        'account.debit',
        'intrabank.received.credit',
        'account.credit',
      ],
      end: [],
    },
    '/v1/send/ach': {
      made: ['transfer.created', 'ach.originated.debit', 'account.debit'],
      end: ['ach.originated.updated'],
    },
    '/v1/send/wire': {
      made: ['transfer.created', 'wire.originated.debit', 'account.debit'],
      end: ['wire.originated.updated', 'transfer.updated'],
    },
    '/v1/send/check': { made: ['transfer.created', 'check.originated.debit', 'account.debit'], end: [] },
    '/v1/receive/intrabank': {
      made: [
        'transfer.created',
        'intrabank.originated.credit',
        'account.credit',
        'intrabank.received.debit',
        'account.debit',
      ],
      end: [],
    },
    '/v1/receive/ach': {
      made: ['transfer.created', 'ach.originated.credit'],
      end: ['ach.originated.updated', 'transfer.updated', 'ach.received.credit', 'account.credit'],
    },
    '/v1/receive/check': { made: ['transfer.created', 'check.originated.credit'], end: [] },
  };

  const pass = async (caller: Caller, seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      http.clock.advance(1000);
      await caller.sandbox.agenda.runDue();
    }
  };

  const eachSlow = eachOrder.filter(([, { transferType }]) => transferType !== 'debitCard');
  it.each(eachSlow)('%s are sent at creation and at settlement', async (path, row) => {
    const caller = http.caller();
    await giveRails(caller);
    await caller.listen();
    const made = await order(caller, row);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(EVENTS[path]?.made);
    expect(recordOf(v1, 'transfer.created')).toEqual(made.body);
    const [entry] = await entries(caller);
    for (const { kind, record } of v1) {
      if (kind === 'transfer.created' || kind.includes('.received.')) continue;
      if (record.accountId === caller.seed('account_id')) expect(record, kind).toEqual(entry);
    }
    await pass(caller, 8);
    const end = await caller.receivedEvents();
    expect(end.v1.map(({ kind }) => kind)).toEqual(EVENTS[path]?.end);
    const read = await caller.v1('GET', `${path}/${made.id()}`);
    const [now] = await entries(caller);
    expect([read.at('status'), now?.status]).toEqual(
      path === '/v1/receive/check' ? ['waitingForFiles', 'pending'] : ['completed', 'settled'],
    );
    for (const { kind, record } of end.v1) {
      if (kind === 'transfer.updated') expect(record).toEqual(read.body);
      if (kind.startsWith('account.')) expect(record).toEqual(now);
    }
  });

  it.each([
    ['/v1/send/debitpush', ['transfer.created', 'account.debit', 'transfer.updated']],
    ['/v1/receive/debitpull', ['transfer.created', 'transfer.updated', 'account.credit']],
  ])('%s are sent immediately', async (path, all) => {
    const caller = http.caller();
    await giveRails(caller);
    await caller.listen();
    const made = await order(caller, orderOf(path));
    await pass(caller, 1);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(all);
    const read = await caller.v1('GET', `${path}/${made.id()}`);
    expect(read.at('status')).toBe('completed');
    expect(recordOf(v1, 'transfer.updated')).toEqual(read.body);
    const [now] = await entries(caller);
    expect(now).toMatchObject({ status: 'settled', transferType: 'debitCard' });
    expect(now?.debitCard).toEqual({
      transferId: made.id(),
      contactId: caller.seed('contact_id'),
      name: 'Harbor Supplies',
    });
  });

  it.each([
    ['99.99', 'accountNotFound'],
    ['1100.00', 'sendLimitExceeded'],
  ])('of a push by %s show a reversal, and the transfer stays completed', async (amount, reviewCode) => {
    const caller = http.caller();
    await caller.listen();
    const made = await order(caller, orderOf('/v1/send/ach'), { amount });
    expect(made.at('status')).toBe('completed');
    await caller.receivedEvents();
    await pass(caller, 5);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.updated', 'ach.reversal.credit', 'account.credit']);
    const [reversal, original] = await entries(caller);
    expect(original).toMatchObject({ amount: `-${amount}`, status: 'settled', reviewCode });
    expect(reversal).toMatchObject({
      amount,
      txnType: 'credit',
      subType: 'reversal',
      status: 'settled',
      title: 'Paid to Harbor Supplies',
      description: 'Reversal for - Invoice 88',
      parentTxnId: original?.id,
      balance: '5000.00',
      reviewCode,
      ach: { contactId: caller.seed('contact_id'), type: '' },
    });
    expect(recordOf(v1, 'ach.reversal.credit')).toEqual(reversal);
    const read = await caller.v1('GET', `/v1/send/ach/${made.id()}`);
    expect(read.body).toMatchObject({ status: 'completed', reviewCode });
    const declined = await caller.v1('GET', '/v1/send/ach?status=declined');
    expect(declined.at('total')).toBe(0);
    expect((await caller.v1('GET', '/v1/send/ach?status=completed')).at('total')).toBe(1);
  });

  it('of an undeliverable check show a return by a rule', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const rule = { match: { rail: 'check_send' }, outcome: { decline_reason: 'invalidCheckAddress' } };
    await caller.v2('PUT', '/_sandbox/rules', { rules: [rule] });
    const made = await order(caller, orderOf('/v1/send/check'));
    await caller.listen();
    await pass(caller, 1);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual([
      'transfer.updated',
      'check.reversal.credit',
      'account.credit',
    ]);
    const review = { reviewCode: 'invalidCheckAddress', reviewMessage: 'invalid check address' };
    for (const { record } of v1) expect(record).toMatchObject(review);
    const read = await caller.v1('GET', `/v1/send/check/${made.id()}`);
    expect(read.body).toMatchObject({ status: 'completed', ...review });
    expect((await entries(caller)).slice(0, 2)).toMatchObject([review, review]);
    expect(await available(caller)).toBe('5000.00');
  });

  it.each([
    [
      'decline',
      { reason: 'sendLimitExceeded' },
      'sendLimitExceeded',
      'amount greater than allowed send limit',
    ],
    ['decline', { reason: 'fraud', message: 'looks odd' }, 'fraud', 'looks odd'],
    ['return', { return_code: 'R13', message: 'typo' }, 'invalidRoutingNumber', 'invalid routing number'],
    ['return', {}, 'accountNotFound', 'no account or unable to locate account'],
  ])(
    'of a simulated %s with %j have the text of its code',
    async (event, requested, reviewCode, reviewMessage) => {
      const caller = http.caller();
      const made = await order(caller, orderOf('/v1/send/ach'));
      const simulate = (what: string, body: object) =>
        caller.v2('POST', `/_sandbox/simulate/transactions/${made.id()}/${what}`, body);
      if (event === 'return') await simulate('settle', {});
      expect((await simulate(event, requested)).status).toBe(200);
      const read = await caller.v1('GET', `/v1/send/ach/${made.id()}`);
      const review = { reviewCode, reviewMessage };
      expect(read.body).toMatchObject(review);
      expect((await entries(caller)).slice(0, 2)).toMatchObject([review, review]);
    },
  );

  it('of a refused wire show a declined transfer and a canceled transaction with its reversal', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const made = await order(caller, orderOf('/v1/send/wire'));
    await caller.listen();
    await caller.v2('POST', `/_sandbox/simulate/transactions/${made.id()}/decline`, {});
    expect(await kinds(caller)).toEqual(['transfer.updated', 'wire.reversal.credit', 'account.credit']);
    expect((await caller.v1('GET', `/v1/send/wire/${made.id()}`)).at('status')).toBe('declined');
    expect((await entries(caller)).map(({ status, amount }) => [status, amount])).toContainEqual([
      'canceled',
      '-41.20',
    ]);
  });
});
