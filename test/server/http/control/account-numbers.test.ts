/**
 * Accounts without a number, while the sandbox issues none: both versions show neither a number nor a routing number,
 * no number finds them, and payments use their id. An incoming payment to an unknown number is in suspense on the
 * master account. Decision `account-without-number` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_V1 } from '../../../contract/v1/account.ts';
import { SUB_ACCOUNT } from '../../../contract/v2/accounts.ts';
import { expectRecord, expectRefusedV2 } from '../expectations.ts';
import { type Answer, type Caller, useHttp } from '../support.ts';

const http = useHttp({ rails: 'fast' });

const set = (caller: Caller, account_numbers: unknown): Promise<Answer> =>
  caller.v2('PUT', '/_sandbox/settings', { account_numbers });
const open = (caller: Caller): Promise<Answer> =>
  caller.v2('POST', '/v2/accounts/sub_account', {
    sub_account_holder_id: caller.seed('person_holder_id'),
    type: 'checking',
  });
/** A caller whose new accounts have no number, and one such account. */
async function withoutNumber(): Promise<{ caller: Caller; account: Answer }> {
  const caller = http.caller();
  expect((await set(caller, 'off')).status).toBe(200);
  return { caller, account: await open(caller) };
}
const incoming = (caller: Caller, rail: string, body: object): Promise<Answer> =>
  caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, { amount: '40.00', ...body });
const balanceOf = async (caller: Caller, path: string): Promise<unknown> =>
  (await caller.v2('GET', `/v2/accounts/${path}`)).at('available_balance');
const pass = async ({ sandbox }: Caller): Promise<void> => {
  http.clock.advance(10_000);
  await sandbox.agenda.runDue();
};

describe('the setting', () => {
  it('is on by default, can be switched off, and does not affect other settings', async () => {
    const caller = http.caller();
    const settings = async () => (await caller.v2('GET', '/_sandbox/settings')).body;
    const usual = {
      magic_values: true,
      card_controls_in_test: false,
      lists_by_person: true,
      disclosure_required: false,
      shortfall: 'refused',
      account_numbers: 'on',
    };
    expect(await settings()).toEqual(usual);
    expect((await set(caller, 'off')).body).toEqual({ ...usual, account_numbers: 'off' });
    expect((await caller.v2('PUT', '/_sandbox/settings', { magic_values: false })).body).toEqual({
      ...usual,
      magic_values: false,
      account_numbers: 'off',
    });
    await caller.v2('POST', '/_sandbox/reset');
    expect(await settings()).toEqual(usual);
  });

  it.each([true, 'none', ''])('refuses %j and does not change', async (word) => {
    const caller = http.caller();
    const answer = await set(caller, word);
    expect([answer.status, answer.at('error.hint')]).toEqual([400, 'account_numbers']);
    expect(answer.at('error.message')).toMatch(/on, off/);
    expect((await caller.v2('GET', '/_sandbox/settings')).at('account_numbers')).toBe('on');
  });
});

describe('an account opened without a number', () => {
  it('has none in either version, and existing accounts keep theirs', async () => {
    const { caller, account } = await withoutNumber();
    await caller.listen();
    const another = await open(caller);
    for (const answer of [account, another]) {
      expectRecord(answer, 'v2_create_sub_account', SUB_ACCOUNT);
      expect(answer.body).toMatchObject({ account_number: '', routing_number: '' });
    }
    const inV1 = await caller.v1('GET', `/v1/account/${account.id()}`);
    expect(inV1.body).toMatchObject({ accountNumber: '', routingNumber: '' });
    const opened = await caller.v1('POST', '/v1/account', {}, { 'sd-person-id': caller.seed('person_id') });
    expectRecord(opened, 'createAccount', ACCOUNT_V1);
    expect(opened.body).toMatchObject({ accountNumber: '', routingNumber: '' });
    const { v2 } = await caller.receivedEvents();
    expect(v2.find(({ kind }) => kind === 'sub_account.created')?.record).toMatchObject({
      account_number: '',
      routing_number: '',
    });
    const seeded = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
    expect(seeded.at('account_number')).toMatch(/^\d{16}$/);
    expect(seeded.at('routing_number')).toMatch(/^\d{9}$/);
    await set(caller, 'on');
    expect((await open(caller)).at('account_number')).toMatch(/^\d{16}$/);
    expect(await caller.v2('GET', `/v2/accounts/sub_account/${account.id()}`)).toMatchObject({
      body: { account_number: '' },
    });
  });

  it('is not a counterparty by number, but by id', async () => {
    const { caller, account } = await withoutNumber();
    const counterparty = (intra_account: object) =>
      caller.v2('POST', '/v2/payments/counterparty', {
        sub_account_id: caller.seed('sub_account_id'),
        type: 'person',
        person: { first_name: 'Mara' },
        intra_account,
      });
    const refused = { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'intra_account' };
    // An empty number identifies nothing: it counts as absent.
    const nobody = await counterparty({ sub_account_number: account.at('account_number') });
    expect([nobody.status, nobody.at('intra_account')]).toEqual([201, null]);
    expectRefusedV2(await counterparty({ sub_account_number: '0' }), refused);
    const made = await counterparty({ sub_account_id: account.id() });
    expect([made.status, made.at('intra_account')]).toEqual([
      201,
      { sub_account_number: '', sub_account_id: account.id() },
    ]);
    const paid = await caller.v2('POST', '/v2/payments/intra_account/push', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: made.id(),
      amount: '25.00',
    });
    expect([paid.at('status'), paid.at('counterparty.account_number')]).toEqual(['settled', '']);
    expect(await balanceOf(caller, `sub_account/${account.id()}`)).toBe('25.00');
    const back = await caller.v2('POST', `/_sandbox/simulate/transactions/${paid.id()}/reverse`);
    expect(back.at('transaction.status')).toBe('reversed');
    expect(await balanceOf(caller, `sub_account/${account.id()}`)).toBe('0.00');
    const sentBack = await caller.v2('PATCH', `/v2/payments/counterparty/${made.id()}`, {
      intra_account: made.at('intra_account'),
    });
    expect(sentBack.status, sentBack.text).toBe(200);
  });
});

describe('an incoming payment', () => {
  it.each(['ach_push', 'domestic_wire', 'international_wire', 'rtp', 'fednow'])(
    'by %s to an unknown number is in suspense on the master account, until it is sub-ledgered',
    async (rail) => {
      const { caller, account } = await withoutNumber();
      for (const account_number of [account.at('account_number'), '9500000000000000']) {
        const answer = await incoming(caller, rail, { account_number });
        expect(answer.status, answer.text).toBe(201);
        expect(answer.at('transaction')).toMatchObject({
          sub_account_id: '',
          status: 'received',
          reconciliation: { status: 'not_reconciled', sub_account: null },
        });
        const why = await caller.v2('GET', `/_sandbox/explain/${answer.id('transaction.id')}`);
        expect(why.at('decisions.0')).toMatchObject({
          source: 'control',
          name: 'account_number',
          effect: 'in suspense on the master account',
        });
        await caller.v2('POST', '/_sandbox/clock/settle');
        expect(await balanceOf(caller, `sub_account/${account.id()}`)).toBe('0.00');
        const ledgered = await caller.v2('POST', '/v2/payments/transaction', {
          master_account_transaction_id: answer.id('transaction.id'),
          sub_account_id: account.id(),
          amount: '40.00',
        });
        expect(ledgered.status, ledgered.text).toBe(201);
        expect(await balanceOf(caller, `sub_account/${account.id()}`)).toBe('40.00');
        const back = await caller.v2('POST', `/_sandbox/simulate/transactions/${ledgered.id()}/reverse`);
        expect(back.status).toBe(200);
      }
    },
  );

  it('finds an account by number, and one without a number by id', async () => {
    const { caller, account } = await withoutNumber();
    const seeded = caller.seed('other_sub_account_id');
    const { body } = await caller.v2('GET', `/v2/accounts/sub_account/${seeded}`);
    const { account_number } = body as Record<string, string>;
    expect((await incoming(caller, 'rtp', { account_number })).at('transaction.sub_account_id')).toBe(seeded);
    const named = await incoming(caller, 'rtp', { sub_account_id: account.id() });
    expect(named.at('transaction.sub_account_id')).toBe(account.id());
    const wire = await caller.v2('POST', '/v2/simulate/incoming/domestic_wire', {
      sub_account_id: account.id(),
      amount: '1.00',
    });
    expect(wire.at('sub_account_id')).toBe(account.id());
    await pass(caller);
    expect(await balanceOf(caller, `sub_account/${account.id()}`)).toMatch(/^4[01]\.00$/);
  });

  it('must identify one account: none is returned with R20 or refused, and two are refused', async () => {
    const { caller, account } = await withoutNumber();
    const pull = await incoming(caller, 'ach_pull', { account_number: '' });
    await pass(caller);
    const shown = await caller.v2('GET', `/v2/payments/transaction/${pull.id('transaction.id')}`);
    expect([shown.at('status'), shown.at('ach.return_code')]).toEqual(['returned', 'R20']);
    const twice = await incoming(caller, 'rtp', { sub_account_id: account.id(), account_number: '1' });
    expect([twice.status, twice.at('error.hint')]).toEqual([400, 'account_number']);
    const nobody = await incoming(caller, 'rtp', {});
    expect([nobody.status, nobody.at('error.hint')]).toEqual([400, 'sub_account_id']);
  });
});
