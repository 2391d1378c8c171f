/**
 * POST /v1/receive/ach: the same pull as v2 originates, with a transfer as the response. Decisions
 * `v1-success-status`, `value-strictness`, `shared-records`, `too-little-money`, `unfit-payment-side` and
 * `incoming-money-pending` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { receiveAch } from '../../../src/bank/api/v1/transfers/operations.ts';
import { contradictions } from '../../contract/rows.ts';
import { TRANSACTION_V1, TRANSFER } from '../../contract/v1/money.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const PATH = '/v1/receive/ach';
const http = useHttp();
const order = (caller: Caller, change: object = {}) => ({
  accountId: caller.seed('account_id'),
  contactId: caller.seed('contact_id'),
  amount: '41.20',
  description: 'Top up',
  ...change,
});

describe('an ACH pull of v1 (receiveAch)', () => {
  it('is a pending transfer with every field of the record', async () => {
    const caller = http.caller();
    const answer = await caller.v1('POST', PATH, order(caller, { type: 'sameDay', title: 'Monthly' }));
    expectRecord(answer, receiveAch.create, TRANSFER);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^tra-[0-9a-f-]{36}$/),
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      name: 'Harbor Supplies',
      accountNumber: '5500112233',
      routingNumber: '121042882',
      bankName: 'Wells Fargo',
      accountType: 'businessChecking',
      address: { addressType: '', line1: '', line2: '', city: '', state: '', country: '', postalCode: '' },
      amount: '41.20',
      status: 'pending',
      title: 'Monthly',
      description: 'Top up',
      txnType: 'credit',
      transferType: 'ach',
      transferSubType: 'originated',
      type: 'sameDay',
      attachment: '',
      bin: '',
      iban: '',
      card: null,
      metadata: null,
      destinationAmount: '0.00',
      destinationCurrency: '',
      fallbackTransferId: '',
      parentTransferId: '',
      purposeCode: '',
      reviewCode: '',
      reviewMessage: '',
      valid: '',
      createdAt: '2026-11-20T18:00:00Z',
      modifiedAt: '2026-11-20T18:00:00Z',
      transferredAt: '2026-11-20T18:00:00Z',
    });
  });

  it('is a transaction of v2 with the same id suffix', async () => {
    const caller = http.caller();
    const transfer = await caller.v1('POST', PATH, order(caller, { type: 'nextDay' }));
    const read = await caller.v2('GET', `/v2/payments/transaction/${transfer.id()}`);
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({
      id: transfer.id().replace('tra', 'txn_').replaceAll('-', ''),
      status: 'originated',
      amount: '41.20',
      direction: 'credit',
      method: 'ach',
      type: 'pull',
      description: 'Top up',
      ach: { same_day: 'false', effective_date: '2026-11-23' },
      counterparty: { id: caller.seed('ach_counterparty_id'), account_type: 'business_checking' },
    });
  });

  it('is pending in both versions', async () => {
    const caller = http.caller();
    await caller.v1('POST', PATH, order(caller));
    expect((await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`)).body).toMatchObject({
      availableBalance: '5000.00',
      pendingCredit: '41.20',
    });
    expect(
      (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`)).body,
    ).toMatchObject({
      available_balance: '5000.00',
      pending_credits: '41.20',
    });
  });

  it('publishes a transfer and a transaction', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v1('POST', PATH, order(caller));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind)).toEqual(['transaction.created']);
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.created', 'ach.originated.credit']);
    expect(v1[0]?.record).toEqual(answer.body);
    expect(contradictions(v1[1]?.record, TRANSACTION_V1)).toEqual([]);
    expect(v1[1]?.record).toMatchObject({
      title: 'Received from Harbor Supplies',
      amount: '41.20',
      balance: '5000.00',
      status: 'pending',
      subType: 'originated',
      transferType: 'ach',
    });
  });

  it('is next-day by default, and needs no description', async () => {
    const caller = http.caller();
    const answer = await caller.v1('POST', PATH, order(caller, { description: undefined }));
    expect(answer.body).toMatchObject({ type: 'nextDay', description: '', title: '' });
  });

  it('keeps metadata and accepts ids in the format of v2', async () => {
    const caller = http.caller();
    const answer = await caller.v1(
      'POST',
      PATH,
      order(caller, {
        accountId: caller.seed('sub_account_id'),
        contactId: caller.seed('ach_counterparty_id'),
        metadata: { order: '7' },
      }),
    );
    expect(answer.body).toMatchObject({ accountId: caller.seed('account_id'), metadata: { order: '7' } });
    expect((await caller.v1('POST', PATH, order(caller, { metadata: null }))).at('metadata')).toBeNull();
  });

  it("accepts a person header of the account's person, and no other", async () => {
    const caller = http.caller();
    const headers = (id: string) => ({ 'sd-person-id': id });
    expect((await caller.v1('POST', PATH, order(caller), headers(caller.seed('person_id')))).status).toBe(
      201,
    );
    const before = digestOf(caller.sandbox);
    const unknown = [`per-${crypto.randomUUID()}`, 'per-1', caller.seed('business_holder_id')];
    for (const id of unknown) {
      expectRefusedV1(await caller.v1('POST', PATH, order(caller), headers(id)), {
        status: 404,
        code: 'EC_PERSON_NOT_FOUND',
      });
    }
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('an error (receiveAch)', () => {
  const invalid = { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST' };
  it.each([
    ['no account', () => ({ accountId: undefined }), { ...invalid, message: /accountId/ }],
    ['no contact', () => ({ contactId: undefined }), { ...invalid, message: /contactId/ }],
    ['no amount', () => ({ amount: undefined }), { ...invalid, message: /amount/ }],
    ['an amount that is a number', () => ({ amount: 41.2 }), { ...invalid, message: /amount/ }],
    ['an amount with a sign', () => ({ amount: '-41.20' }), { ...invalid, message: /amount/ }],
    ['an amount of 0', () => ({ amount: '0.00' }), { status: 400, code: 'EC_TRANSFER_INVALID_AMOUNT' }],
    ['an unknown type', () => ({ type: 'overnight' }), { ...invalid, message: /type/ }],
    [
      'a description that is too long',
      () => ({ description: 'x'.repeat(501) }),
      { ...invalid, message: /description/ },
    ],
    ['a title that is a list', () => ({ title: ['x'] }), { ...invalid, message: /title/ }],
    ['metadata with a number', () => ({ metadata: { a: 1 } }), { ...invalid, message: /metadata/ }],
    [
      'metadata beyond the limits',
      () => ({ metadata: { a: 'x'.repeat(4097) } }),
      { status: 400, code: 'EC_TRANSFER_METADATA_TOO_LARGE' },
    ],
    [
      'an unknown account',
      () => ({ accountId: `acc-${crypto.randomUUID()}` }),
      { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' },
    ],
    ['a malformed account id', () => ({ accountId: 'mine' }), { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' }],
    [
      'an unknown contact',
      () => ({ contactId: `con-${crypto.randomUUID()}` }),
      { status: 404, code: 'EC_CONTACT_NOT_FOUND' },
    ],
    [
      'a contact without a bank account',
      (caller: Caller) => ({ contactId: caller.seed('intra_counterparty_id') }),
      { status: 400, code: 'EC_CONTACT_TRANSFER_TYPE_MISSING' },
    ],
    [
      'a contact of another account',
      (caller: Caller) => ({ accountId: caller.seed('other_sub_account_id') }),
      { status: 400, code: 'EC_CONTACT_INVALID_ACCOUNT' },
    ],
  ])('%s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await caller.v1('POST', PATH, order(caller, change(caller))), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});
