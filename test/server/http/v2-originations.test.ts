/**
 * The twelve originations of v2: the response of each, its course to settlement in both versions, its return, and its
 * refusals. Decisions `too-little-money`, `unfit-payment-side`, `incoming-money-pending`, `outgoing-money-pending`,
 * `ach-timing`, `other-rails-timing`, `payment-references`, `wire-timing`, `check-timing`, `check-images`,
 * `payment-text-lengths`, `debit-card-method` and `sent-check-status` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/bank/api/operation.ts';
import { CHECK_IMAGE, RAILS, VENDOR } from '../../../src/bank/api/v2/examples.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp({ small: true, rails: 'fast' });

interface Row {
  path: string;
  /** Fields of the body besides the common ones. */
  more?: object;
  direction: 'debit' | 'credit';
  method: string;
  type: string;
  /** The rail's own object at creation, and at settlement. */
  object?: [name: string, made: object, settled: object];
  /** The other side, if it is not a bank account. */
  side?: object;
  /** The events of v1, from creation to settlement. */
  v1: string[];
  /** The events of v1, for a return after settlement. */
  back: string[];
}

const ACH_FIELDS = {
  same_day: 'false',
  effective_date: '2026-11-25',
  company_discretionary_data: 'HARBOR',
  company_entry_description: 'DUES',
  return_code: '',
  rta_id: '',
};
const SENT_ACH = {
  same_day: 'false',
  effective_date: '2026-11-25',
  company_discretionary_data: 'HARBOR',
  company_entry_description: 'DUES',
};
const REFERENCES = {
  imad: expect.stringMatching(/^[A-Z0-9]{9}$/),
  omad: expect.stringMatching(/^[A-Z0-9]{9}$/),
};
const TRACE = expect.stringMatching(/^121042882\d{5}$/);
const CHECK_NUMBER = expect.stringMatching(/^\d{4}$/);
const NO_BANK = { account_number: '', routing_number: '', account_type: '', bank_name: '' };
const MADE_ONLY = ['transfer.created', 'account.debit', 'transfer.updated'];
const WIRED = [
  'transfer.created',
  'wire.originated.debit',
  'account.debit',
  'wire.originated.updated',
  'transfer.updated',
];
const wire = (name: string, side?: object): Row => ({
  path: `/v2/payments/${name}/push`,
  direction: 'debit',
  method: name,
  type: 'push',
  object: [name, { imad: '', omad: '' }, REFERENCES],
  ...(side !== undefined && { side }),
  v1: WIRED,
  back: ['transfer.updated', 'wire.reversal.credit', 'account.credit'],
});
const instant = (name: string): Row => ({
  path: `/v2/payments/${name}/push`,
  more: { reference_number: 'COURIER 9' },
  direction: 'debit',
  method: name,
  type: 'push',
  object: [name, { reference_number: 'COURIER 9' }, { reference_number: 'COURIER 9' }],
  v1: MADE_ONLY,
  back: ['transfer.updated', 'account.credit'],
});

const ROWS: readonly Row[] = [
  {
    path: '/v2/payments/ach/push',
    more: SENT_ACH,
    direction: 'debit',
    method: 'ach',
    type: 'push',
    object: ['ach', { ...ACH_FIELDS, trace_number: '' }, { ...ACH_FIELDS, trace_number: TRACE }],
    v1: ['transfer.created', 'ach.originated.debit', 'account.debit', 'ach.originated.updated'],
    back: ['transfer.updated', 'ach.reversal.credit', 'account.credit'],
  },
  {
    path: '/v2/payments/ach/pull',
    more: SENT_ACH,
    direction: 'credit',
    method: 'ach',
    type: 'pull',
    object: ['ach', { ...ACH_FIELDS, trace_number: '' }, { ...ACH_FIELDS, trace_number: TRACE }],
    v1: [
      'transfer.created',
      'ach.originated.credit',
      'ach.originated.updated',
      'transfer.updated',
      'ach.received.credit',
      'account.credit',
    ],
    back: ['transfer.updated', 'ach.reversal.debit', 'account.debit'],
  },
  wire('domestic_wire'),
  wire('international_wire', {
    account_number: 'DE89370400440532013000',
    routing_number: '',
    bank_name: 'Commerzbank',
    beneficiary_bank: { identifier_code: 'COBADEFF', name: 'Commerzbank', address: { city: 'Frankfurt' } },
    correspondent_bank: { identifier_code: 'SCBLUS33XXX' },
  }),
  instant('rtp'),
  instant('fednow'),
  {
    path: '/v2/payments/debitcard/push',
    direction: 'debit',
    method: 'debit_card',
    type: 'push',
    side: NO_BANK,
    v1: MADE_ONLY,
    back: ['transfer.updated', 'account.credit'],
  },
  {
    path: '/v2/payments/debitcard/pull',
    direction: 'credit',
    method: 'debit_card',
    type: 'pull',
    side: NO_BANK,
    v1: ['transfer.created', 'transfer.updated', 'account.credit'],
    back: ['transfer.updated', 'account.debit'],
  },
  {
    path: '/v2/payments/check/send',
    direction: 'debit',
    method: 'check',
    type: 'send',
    object: [
      'check',
      { check_number: CHECK_NUMBER, cashed: 'false', tracking: { status: 'pending', eta: '' } },
      { check_number: CHECK_NUMBER, cashed: 'true', tracking: { status: 'delivered', eta: '2026-11-25' } },
    ],
    side: { ...NO_BANK, shipping_address: { line1: '1 Quay Street', city: 'Astoria' } },
    v1: ['transfer.created', 'check.originated.debit', 'account.debit'],
    back: ['transfer.updated', 'check.reversal.credit', 'account.credit'],
  },
  {
    path: '/v2/payments/check/deposit',
    more: { image: { front: CHECK_IMAGE, back: CHECK_IMAGE } },
    direction: 'credit',
    method: 'check',
    type: 'deposit',
    object: [
      'check',
      { check_number: CHECK_NUMBER, cashed: 'false', tracking: null },
      { check_number: CHECK_NUMBER, cashed: 'true', tracking: null },
    ],
    side: NO_BANK,
    v1: ['transfer.created', 'check.originated.credit', 'transfer.updated', 'account.credit'],
    back: ['transfer.updated', 'check.reversal.debit', 'account.debit'],
  },
];

const METHODS = ['ach', 'domestic_wire', 'international_wire', 'rtp', 'fednow', 'check', 'card'];
const kindsOf = (events: ReceivedEvent[]) => events.map(({ kind }) => kind);

function operationOf(path: string): AnyOperation {
  const found = V2_OPERATIONS.find((operation) => operation.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found;
}

/** A counterparty of the seeded account with every rail. */
async function payee(caller: Caller): Promise<string> {
  const made = await caller.v2('POST', '/v2/payments/counterparty', {
    sub_account_id: caller.seed('sub_account_id'),
    type: 'business',
    business: VENDOR,
    intra_account: { sub_account_id: caller.seed('other_sub_account_id') },
    ...RAILS,
  });
  expect(made.status, made.text).toBe(201);
  return made.id();
}

async function originate(
  caller: Caller,
  row: Pick<Row, 'path' | 'more'>,
  change: { counterparty_id?: string; [field: string]: unknown } = {},
): Promise<Answer> {
  return caller.v2('POST', row.path, {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: change.counterparty_id ?? (await payee(caller)),
    amount: '40.00',
    ...row.more,
    ...change,
  });
}

const retrieve = (caller: Caller, id: string) => caller.v2('GET', `/v2/payments/transaction/${id}`);
const simulate = (caller: Caller, id: string, event: string, body: object = {}) =>
  caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
const figures = (answer: Answer) =>
  ['available_balance', 'pending_credits', 'pending_debits'].map((field) => answer.at(field));

/** Runs the timetable until nothing is due. */
async function pass(caller: Caller): Promise<void> {
  http.clock.advance(600_000);
  await caller.sandbox.agenda.runDue();
}

describe.each(ROWS.map((row) => [row.path, row] as const))('POST %s', (_, row) => {
  const held = row.direction === 'debit' ? ['4960.00', '0.00', '40.00'] : ['5000.00', '40.00', '0.00'];
  const done = row.direction === 'debit' ? ['4960.00', '0.00', '0.00'] : ['5040.00', '0.00', '0.00'];

  it('returns the whole record, with a pending amount', async () => {
    const caller = http.caller();
    const answer = await originate(caller, row, { description: 'Order 7', external_reference_id: 'order-7' });
    expectRecord(answer, operationOf(row.path), TRANSACTION);
    expect(answer.body).toMatchObject({
      sub_account_id: caller.seed('sub_account_id'),
      status: 'originated',
      amount: '40.00',
      currency: 'usd',
      direction: row.direction,
      method: row.method,
      type: row.type,
      message: 'outgoing',
      description: 'Order 7',
      external_reference_id: 'order-7',
      counterparty: row.side ?? {
        account_number: '5500112244',
        routing_number: '121042882',
        bank_name: 'Wells Fargo',
      },
      reconciliation: {
        status: 'not_reconciled',
        master_account: null,
        sub_account: [{ id: caller.seed('sub_account_id'), transaction_id: answer.id(), amount: '40.00' }],
      },
      timestamps: { settled_at: '' },
    });
    expect(figures(answer)).toEqual(held);
    const [name = '', made] = row.object ?? [];
    for (const method of METHODS) {
      if (method === name) expect(answer.at(method)).toEqual(made);
      else expect(answer.at(method), method).toBeNull();
    }
    const read = await retrieve(caller, answer.id());
    // An instant payment is settled before a request over a socket can read it.
    if (read.at('status') !== 'settled') expect(read.body).toEqual(answer.body);
  });

  it('settles on schedule with events in both versions, in both ledgers', async () => {
    const caller = http.caller();
    const counterparty = await payee(caller);
    await caller.listen();
    const id = (await originate(caller, row, { counterparty_id: counterparty })).id();
    await pass(caller);
    const settled = await retrieve(caller, id);
    expect(settled.at('status')).toBe('settled');
    expect(figures(settled)).toEqual(done);
    const [name, , later] = row.object ?? [];
    if (name !== undefined) expect(settled.at(name)).toEqual(later);
    const received = await caller.receivedEvents();
    const published = received.v2.filter(({ record }) => record.id === id);
    expect(kindsOf(published)[0]).toBe('transaction.created');
    expect(kindsOf(published).at(-1)).toBe('transaction.status.settled');
    expect(published.at(-1)?.record).toEqual(settled.body);
    expect(kindsOf(received.v1).filter((kind) => !kind.startsWith('contact'))).toEqual(row.v1);

    const entry = settled.id('reconciliation.master_account.0.transaction_id');
    expect(settled.at('reconciliation')).toEqual({
      status: 'reconciled',
      master_account: [{ id: caller.seed('master_account_id'), transaction_id: entry, amount: '40.00' }],
      sub_account: [{ id: caller.seed('sub_account_id'), transaction_id: id, amount: '40.00' }],
    });
    const leg = await retrieve(caller, entry);
    expect(leg.body).toEqual({
      ...(settled.body as object),
      id: entry,
      sub_account_id: '',
      sub_account_holder_id: '',
      available_balance: row.direction === 'debit' ? '7460.00' : '7540.00',
      pending_credits: '0.00',
      pending_debits: '0.00',
    });
  });

  it('can be returned after settlement, as a separate transaction', async () => {
    const caller = http.caller();
    const id = (await originate(caller, row)).id();
    await pass(caller);
    await caller.listen();
    const returned = await simulate(caller, id, 'return', row.method === 'ach' ? { return_code: 'R03' } : {});
    expect(returned.status, returned.text).toBe(200);
    const after = await retrieve(caller, id);
    expect(after.at('status')).toBe('returned');
    expect(figures(after)).toEqual(['5000.00', '0.00', '0.00']);
    if (row.method === 'ach') expect(after.at('ach.return_code')).toBe('R03');
    const received = await caller.receivedEvents();
    expect(kindsOf(received.v2)).toEqual([
      'transaction.status.returned',
      'transaction.created',
      'transaction.status.settled',
    ]);
    expect(received.v2[1]?.record).toMatchObject({
      type: 'return',
      direction: row.direction === 'debit' ? 'credit' : 'debit',
      method: row.method,
      parent_transaction_id: id,
      reconciliation: { status: 'reconciled' },
    });
    expect(kindsOf(received.v1)).toEqual(row.back);
  });

  it('is refused without effect for a counterparty without the rail, and for unknown ids', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    // The seeded counterparty has only one rail.
    const other = caller.seed(row.method === 'ach' ? 'intra_counterparty_id' : 'ach_counterparty_id');
    const body = {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: other,
      amount: '1.00',
      ...row.more,
    };
    const code = 'ERROR_CODE_INVALID_FIELD';
    expectRefusedV2(await caller.v2('POST', row.path, body), { status: 400, code, field: 'counterparty_id' });
    const nobody = `sub_${'0'.repeat(32)}`;
    expectRefusedV2(await caller.v2('POST', row.path, { ...body, sub_account_id: nobody }), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
    expectRefusedV2(
      await caller.v2('POST', row.path, { ...body, counterparty_id: `ctp_${'0'.repeat(32)}` }),
      {
        status: 404,
        code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
        message: 'cannot find counterparty by id in qldb',
      },
    );
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe.each(ROWS.filter(({ direction }) => direction === 'debit').map((row) => [row.path, row] as const))(
  'POST %s',
  (_, row) => {
    it('beyond the balance is refused, or declined with a setting, and moves no money', async () => {
      const caller = http.caller();
      const counterparty = await payee(caller);
      await caller.listen();
      const order = { counterparty_id: counterparty, amount: '5000.01' };
      expectRefusedV2(await originate(caller, row, order), {
        status: 400,
        code: 'ERROR_CODE_INSUFFICIENT_BALANCE',
        field: 'amount',
      });
      expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
      await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
      const answer = await originate(caller, row, order);
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        status: 'declined',
        type: row.type,
        reconciliation: { status: 'not_reconciled' },
      });
      expect(figures(answer)).toEqual(['5000.00', '0.00', '0.00']);
      const { v1, v2 } = await caller.receivedEvents();
      expect(kindsOf(v2)).toEqual(['transaction.created', 'transaction.status.declined']);
      expect(kindsOf(v1)).toEqual([]);
    });
  },
);

describe('POST /v2/payments/intra_account/push (v2_originate_intra_account_push)', () => {
  const PATH = '/v2/payments/intra_account/push';

  it('settles immediately on both accounts, without a master transaction', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await originate(
      caller,
      { path: PATH },
      { counterparty_id: caller.seed('intra_counterparty_id') },
    );
    expectRecord(answer, operationOf(PATH), TRANSACTION);
    expect(answer.body).toMatchObject({
      status: 'settled',
      direction: 'debit',
      method: 'intra_account',
      type: 'push',
      message: 'outgoing',
      available_balance: '4960.00',
      reconciliation: { status: 'reconciled', master_account: null },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual([
      'transaction.created',
      'transaction.status.settled',
      'transaction.created',
      'transaction.status.settled',
    ]);
    expect(v2[2]?.record).toMatchObject({
      sub_account_id: caller.seed('other_sub_account_id'),
      direction: 'credit',
      message: 'incoming',
      available_balance: '2540.00',
    });
    expect(kindsOf(v1)).toEqual([
      'transfer.created',
      'intrabank.originated.debit',
      'account.debit',
      'intrabank.received.credit',
      'account.credit',
    ]);
  });

  it('beyond the balance is declined with a setting, without a master transaction', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    const answer = await originate(
      caller,
      { path: PATH },
      { counterparty_id: caller.seed('intra_counterparty_id'), amount: '5000.01' },
    );
    expect(answer.body).toMatchObject({ status: 'declined', reconciliation: { status: 'not_reconciled' } });
    const other = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('other_sub_account_id')}`);
    expect(other.at('available_balance')).toBe('2500.00');
  });
});

it('a wire has no shipping address, although v1 knows the address of the account', async () => {
  const caller = http.caller();
  const address = { line1: '9 Pier Road', city: 'Salem', state: 'OR', country: 'US', postalCode: '97301' };
  const account = {
    accountNumber: '5500112244',
    routingNumber: '121042882',
    accountType: 'businessChecking',
  };
  const counterparty_id = await payee(caller);
  const wireOf = { wire: { domestic: { ...account, address } } };
  const changed = await caller.v1('PATCH', `/v1/contact/${counterparty_id}`, wireOf);
  expect(changed.status, changed.text).toBe(200);
  const wire = await originate(caller, { path: '/v2/payments/domestic_wire/push' }, { counterparty_id });
  expect([wire.status, wire.at('counterparty.shipping_address')]).toEqual([201, null]);
});

describe('the texts of a payment', () => {
  it('have a large maximum length', async () => {
    const caller = http.caller();
    const counterparty_id = await payee(caller);
    const code = 'ERROR_CODE_MAX_ALLOWED_LENGTH_EXCEEDED';
    for (const [path, field, most] of [
      ['/v2/payments/ach/push', 'description', 2000],
      ['/v2/payments/ach/pull', 'company_entry_description', 2000],
      ['/v2/payments/check/send', 'description', 200],
      ['/v2/payments/rtp/push', 'reference_number', 140],
      ['/v2/payments/fednow/push', 'reference_number', 140],
    ] as const) {
      const taken = await originate(
        caller,
        { path },
        { counterparty_id, amount: '1.00', [field]: 'x'.repeat(most) },
      );
      expect(taken.status, `${path} ${taken.text}`).toBe(201);
      const refused = await originate(caller, { path }, { counterparty_id, [field]: 'x'.repeat(most + 1) });
      expectRefusedV2(refused, { status: 400, code, field });
    }
  });
});

describe('the images of a deposited check (v2_deposit_check)', () => {
  const PATH = '/v2/payments/check/deposit';

  it.each<[string, object, string, string?]>([
    ['is missing', { front: CHECK_IMAGE }, 'image.back', 'REQUIRED_FIELD_MISSING'],
    ['is empty', { front: CHECK_IMAGE, back: '' }, 'image.back', 'MIN_ALLOWED_LENGTH_NOT_MET'],
    ['is not base64', { front: 'not base64!', back: CHECK_IMAGE }, 'image.front'],
    [
      'is base64 without its padding',
      { front: CHECK_IMAGE.replaceAll('=', ''), back: CHECK_IMAGE },
      'image.front',
    ],
    ['is base64url', { front: CHECK_IMAGE, back: 'ab-_' }, 'image.back'],
    ['is a data URL', { front: `data:image/png;base64,${CHECK_IMAGE}`, back: CHECK_IMAGE }, 'image.front'],
  ])('are refused with the field of the image if one %s', async (_, image, field, code = 'INVALID_FIELD') => {
    const caller = http.caller();
    const counterparty_id = await payee(caller);
    const before = digestOf(caller.sandbox);
    const answer = await originate(caller, { path: PATH }, { counterparty_id, image });
    expectRefusedV2(answer, { status: 400, code: `ERROR_CODE_${code}`, field });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('are required', async () => {
    const caller = http.caller();
    const answer = await originate(caller, { path: PATH });
    expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_REQUIRED_FIELD_MISSING', field: 'image' });
  });

  it('are stored with their content type', async () => {
    const caller = http.caller();
    const back = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1]);
    const image = { front: CHECK_IMAGE, back: back.toString('base64') };
    const answer = await originate(caller, { path: PATH }, { image });
    const { payments } = caller.sandbox.bank;
    const { details } = payments.byId(answer.id().slice(4));
    if (details.kind !== 'check') throw new Error('no check');
    const { files } = caller.sandbox.store;
    expect(files.byId(details.frontId)).toMatchObject({
      contentType: 'image/png',
      content: Buffer.from(CHECK_IMAGE, 'base64'),
    });
    expect(files.byId(details.backId)).toMatchObject({ contentType: 'image/jpeg', content: back });
  });
});
