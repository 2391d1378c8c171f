/**
 * POST /v2/payments/ach/pull: a debit at another bank, pending until it settles on banking days. Decisions
 * `value-strictness`, `too-little-money`, `unfit-payment-side`, `incoming-money-pending`, `ach-timing` and
 * `banking-days` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { contradictions } from '../../contract/rows.ts';
import { TRANSACTION_V1, TRANSFER } from '../../contract/v1/money.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const PATH = '/v2/payments/ach/pull';
const http = useHttp();
const order = (caller: Caller, change: object = {}) => ({
  sub_account_id: caller.seed('sub_account_id'),
  counterparty_id: caller.seed('ach_counterparty_id'),
  amount: '62.40',
  ...change,
});

describe('an ACH pull (v2_originate_ach_pull)', () => {
  it('is created with every field of the record', async () => {
    const caller = http.caller();
    const body = order(caller, {
      description: 'February dues',
      same_day: 'false',
      effective_date: '2026-11-25',
      company_discretionary_data: 'HARBOR',
      company_entry_description: 'DUES',
      external_reference_id: 'dues-2',
    });
    const answer = await caller.v2('POST', PATH, body);
    expectRecord(answer, 'v2_originate_ach_pull', TRANSACTION);
    const own = { id: caller.seed('sub_account_id'), transaction_id: answer.id(), amount: '62.40' };
    expect(answer.body).toMatchObject({
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_id: caller.seed('sub_account_id'),
      status: 'originated',
      amount: '62.40',
      currency: 'usd',
      direction: 'credit',
      method: 'ach',
      type: 'pull',
      message: 'outgoing',
      description: 'February dues',
      available_balance: '5000.00',
      pending_credits: '62.40',
      pending_debits: '0.00',
      counterparty: {
        id: caller.seed('ach_counterparty_id'),
        name: 'Harbor Supplies',
        verification_status: 'pass',
        account_number: '5500112233',
        routing_number: '121042882',
        account_type: 'business_checking',
        bank_name: 'Wells Fargo',
        beneficiary_bank: null,
        correspondent_bank: null,
        shipping_address: null,
      },
      ach: {
        same_day: 'false',
        effective_date: '2026-11-25',
        company_discretionary_data: 'HARBOR',
        company_entry_description: 'DUES',
        trace_number: '',
        return_code: '',
        rta_id: '',
      },
      card: null,
      external_reference_id: 'dues-2',
      ofac: { status: 'pass' },
      reconciliation: { status: 'not_reconciled', master_account: null, sub_account: [own] },
      timestamps: { created_at: '2026-11-20T18:00:00Z', settled_at: '' },
    });
    expect((await caller.v2('GET', `/v2/payments/transaction/${answer.id()}`)).body).toEqual(answer.body);
  });

  it('is pending in both versions', async () => {
    const caller = http.caller();
    await caller.v2('POST', PATH, order(caller));
    expect(
      (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`)).body,
    ).toMatchObject({
      available_balance: '5000.00',
      pending_credits: '62.40',
      pending_debits: '0.00',
    });
    expect((await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`)).body).toMatchObject({
      availableBalance: '5000.00',
      pendingCredit: '62.40',
      pendingDebit: '0.00',
    });
  });

  it('publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v2('POST', PATH, order(caller, { same_day: true }));
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([{ kind: 'transaction.created', record: answer.body }]);
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.created', 'ach.originated.credit']);
    const [transfer, entry] = v1.map(({ record }) => record);
    expect(contradictions(transfer, TRANSFER)).toEqual([]);
    expect(contradictions(entry, TRANSACTION_V1)).toEqual([]);
    expect(transfer).toMatchObject({
      status: 'pending',
      type: 'sameDay',
      contactId: caller.seed('contact_id'),
    });
    expect(entry).toMatchObject({
      status: 'pending',
      amount: '62.40',
      balance: '5000.00',
      ach: { transferId: transfer?.id, type: 'sameDay', bankName: 'Wells Fargo' },
    });
  });

  it('never lacks funds, whatever its amount', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, order(caller, { amount: '9999999999999.99' }));
    expect(answer.body).toMatchObject({ status: 'originated', pending_credits: '9999999999999.99' });
  });

  it('above the maximum of the ledger is refused with the field amount', async () => {
    const caller = http.caller();
    const most = order(caller, { amount: '9999999999999.99' });
    for (let made = 0; made < 9; made += 1) expect((await caller.v2('POST', PATH, most)).status).toBe(201);
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await caller.v2('POST', PATH, most), {
      status: 400,
      code: 'ERROR_CODE_INVALID_AMOUNT',
      field: 'amount',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('the effective date', () => {
  // Friday, 20 November 2026, 10:00 Pacific; Thursday, the 26th, is a holiday.
  it.each([
    [{}, 'false', '2026-11-23'],
    [{ same_day: 'true' }, 'true', '2026-11-20'],
    [{ same_day: true }, 'true', '2026-11-20'],
    [{ same_day: false }, 'false', '2026-11-23'],
    [{ effective_date: '' }, 'false', '2026-11-23'],
    [{ effective_date: '2026-11-24' }, 'false', '2026-11-24'],
    [{ effective_date: '2026-11-26' }, 'false', '2026-11-27'],
    [{ effective_date: '2026-11-28' }, 'false', '2026-11-30'],
    [{ effective_date: '2020-01-01' }, 'false', '2026-11-23'],
    [{ same_day: 'true', effective_date: '2026-11-20' }, 'true', '2026-11-20'],
  ])('of %j is same-day: %s, %s', async (change, sameDay, date) => {
    const caller = http.caller();
    const answer = await caller.v2('POST', PATH, order(caller, change));
    expect(answer.at('ach')).toMatchObject({ same_day: sameDay, effective_date: date });
  });
});

describe('an error (v2_originate_ach_pull)', () => {
  const invalid = (field: string, code = 'INVALID_FIELD') => ({
    status: 400,
    code: `ERROR_CODE_${code}`,
    field,
  });
  const missing = { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' };
  it.each([
    [
      'no sub account',
      () => ({ sub_account_id: undefined }),
      invalid('sub_account_id', 'REQUIRED_FIELD_MISSING'),
    ],
    [
      'no counterparty',
      () => ({ counterparty_id: undefined }),
      invalid('counterparty_id', 'REQUIRED_FIELD_MISSING'),
    ],
    ['no amount', () => ({ amount: undefined }), invalid('amount', 'REQUIRED_FIELD_MISSING')],
    ['an amount with one decimal', () => ({ amount: '62.4' }), invalid('amount', 'INVALID_AMOUNT')],
    ['same_day as text', () => ({ same_day: 'yes' }), invalid('same_day')],
    ['same_day as a number', () => ({ same_day: 1 }), invalid('same_day')],
    ['an invalid date', () => ({ effective_date: '2026-11-31' }), invalid('effective_date')],
    [
      'a time of day',
      () => ({ effective_date: '2026-11-25T00:00:00Z' }),
      invalid('effective_date', 'MAX_ALLOWED_LENGTH_EXCEEDED'),
    ],
    [
      'an entry description that is a number',
      () => ({ company_entry_description: 7 }),
      invalid('company_entry_description'),
    ],
    [
      'discretionary data that is an object',
      () => ({ company_discretionary_data: {} }),
      invalid('company_discretionary_data'),
    ],
    ['an unknown sub account', () => ({ sub_account_id: `sub_${'0'.repeat(32)}` }), missing],
    ['an unknown counterparty', () => ({ counterparty_id: `ctp_${'0'.repeat(32)}` }), missing],
    [
      'an id of another kind',
      (caller: Caller) => ({ counterparty_id: caller.seed('sub_account_id') }),
      missing,
    ],
    [
      'a counterparty without a bank account',
      (caller: Caller) => ({ counterparty_id: caller.seed('intra_counterparty_id') }),
      invalid('counterparty_id'),
    ],
    [
      'a counterparty of another account',
      (caller: Caller) => ({ sub_account_id: caller.seed('other_sub_account_id') }),
      invalid('counterparty_id'),
    ],
  ])('%s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await caller.v2('POST', PATH, order(caller, change(caller))), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([
    ['deactivated', 'counterparty_id'],
    ['suspended', 'counterparty_id'],
  ] as const)('for a counterparty that is %s', async (status, field) => {
    const caller = http.caller();
    const { sandbox } = caller;
    await sandbox.commit(() => {
      const id = sandbox.seeded.ids.ach_counterparty ?? '';
      return sandbox.bank.counterparties.change(id, { status });
    });
    expectRefusedV2(await caller.v2('POST', PATH, order(caller)), invalid(field));
  });

  it.each(['closed', 'blocked', 'locked', 'credit_blocked'] as const)(
    'for an account that is %s',
    async (status) => {
      const caller = http.caller();
      await setAccount(caller, status);
      expectRefusedV2(
        await caller.v2('POST', PATH, order(caller)),
        invalid('sub_account_id', 'ACCOUNT_STATUS_NOT_OPEN'),
      );
    },
  );

  it('does not occur for an account with blocked debits, because a pull is a credit', async () => {
    const caller = http.caller();
    await setAccount(caller, 'debit_blocked');
    expect((await caller.v2('POST', PATH, order(caller))).status).toBe(201);
  });
});

/** The API cannot block accounts yet, so the row is written like the bank would. */
async function setAccount(
  caller: Caller,
  status: 'closed' | 'blocked' | 'locked' | 'credit_blocked' | 'debit_blocked',
) {
  const { store, seeded, clock, commit } = caller.sandbox;
  await commit(() => {
    const account = store.accounts.byId(seeded.ids.account ?? '');
    if (account === undefined) throw new Error('the account is gone');
    store.accounts.replace({
      ...account,
      status,
      lockedFrom: status === 'locked' ? 'open' : null,
      closedAt: status === 'closed' ? clock.now() : null,
    });
  });
}
