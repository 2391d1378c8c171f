/**
 * The outcome of a payment: a simulation decides first, then the first matching rule, then the published magic values
 * of v1, then the bank. The timetable executes the outcome, both versions show it, and snapshots contain it.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from '../support.ts';

const http = useHttp({ rails: 'fast' });
const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

const setRules = async (caller: Caller, ...rules: object[]): Promise<Answer> => {
  const answer = await caller.v2('PUT', '/_sandbox/rules', { rules });
  expect(answer.status, answer.text).toBe(200);
  return answer;
};
const pass = (caller: Caller, ms = SECOND_MS): Promise<number> => {
  http.clock.advance(ms);
  return caller.sandbox.agenda.runDue();
};
const receiveAch = (caller: Caller, amount: string) =>
  caller.v1('POST', '/v1/receive/ach', {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('contact_id'),
    amount,
    description: 'pull',
  });
const pull = async (caller: Caller, amount: string): Promise<Answer> => {
  const answer = await caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
  });
  expect(answer.status).toBe(201);
  return answer;
};
const comeIn = (caller: Caller, rail: string, amount: string, sender: object = {}) =>
  caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, {
    sub_account_id: caller.seed('sub_account_id'),
    amount,
    sender,
  });
const authorize = (caller: Caller, amount: string, merchant: object = {}) =>
  caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`, {
    amount,
    merchant,
  });
const read = async (caller: Caller, id: string) =>
  (await caller.v2('GET', `/v2/payments/transaction/${id}`)).body as Record<string, unknown>;
const explain = (caller: Caller, id: string) => caller.v2('GET', `/_sandbox/explain/${id}`);

/** The final state of a payment without further actions. */
async function endOf(caller: Caller, id: string): Promise<Record<string, unknown>> {
  for (let second = 0; second < 6; second += 1) await pass(caller);
  return read(caller, id);
}

async function giveAccountNumber(caller: Caller, accountNumber: string): Promise<void> {
  const answer = await caller.v1('PATCH', `/v1/contact/${caller.seed('contact_id')}`, {
    ach: { accountNumber, routingNumber: '121042882', accountType: 'personalChecking' },
  });
  expect(answer.status, answer.text).toBe(200);
}

it('the account type of a sender is in the enum', async () => {
  const caller = http.caller();
  const savings = await comeIn(caller, 'ach_push', '1.00', { account_type: 'business_savings' });
  expect(savings.at('transaction.counterparty.account_type'), savings.text).toBe('business_savings');
  const refused = await comeIn(caller, 'ach_push', '1.00', { account_type: 'mattress' });
  expect([refused.status, refused.at('error.hint')]).toEqual([400, 'sender.account_type']);
});

describe('the magic values of POST /v1/receive/ach', () => {
  it.each([
    ['49.99', 'settled', ''],
    ['50.00', 'returned', 'R01'],
    ['99.99', 'returned', 'R01'],
    ['100.00', 'declined', ''],
    ['2500.00', 'declined', ''],
  ])('give a payment of %s the status %s', async (amount, status, code) => {
    const caller = http.caller();
    const answer = await receiveAch(caller, amount);
    expect([answer.status, answer.at('status')]).toEqual([201, 'pending']);
    const end = await endOf(caller, answer.id());
    expect(end).toMatchObject({ status, ach: { return_code: code } });
  });

  it('decline 100.00 or more on the first day: before it is sent, with a reversal', async () => {
    const caller = http.caller();
    const answer = await receiveAch(caller, '100.00');
    await caller.listen();
    await pass(caller);
    expect((await read(caller, answer.id())).status).toBe('pending');
    await pass(caller);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.updated', 'ach.reversal.debit']);
    expect(v1[0]?.record).toMatchObject({
      status: 'declined',
      reviewCode: 'transferLimitExceeded',
      reviewMessage: 'allowed transfer limit reached',
    });
    expect(v1[1]?.record).toMatchObject({ subType: 'reversal', txnType: 'debit', amount: '-100.00' });
    expect(v2.map(({ kind }) => kind)).toEqual([
      'transaction.status.pending',
      'transaction.status.declined',
      'transaction.created',
      'transaction.status.settled',
    ]);
  });

  it('treat the number 9999999999 as an unknown account', async () => {
    const caller = http.caller();
    await giveAccountNumber(caller, '9999999999');
    const answer = await receiveAch(caller, '49.99');
    await caller.listen();
    expect(await endOf(caller, answer.id())).toMatchObject({
      status: 'returned',
      ach: { return_code: 'R03' },
    });
    expect((await caller.receivedEvents()).v1[0]?.record).toMatchObject({ reviewCode: 'accountNotFound' });
    const short = await receiveAch(caller, '60.00');
    expect(await endOf(caller, short.id())).toMatchObject({ ach: { return_code: 'R01' } });
  });

  it('can be switched off, and on again', async () => {
    const caller = http.caller();
    const off = await caller.v2('PUT', '/_sandbox/settings', { magic_values: false });
    expect(off.body).toEqual({
      magic_values: false,
      card_controls_in_test: false,
      lists_by_person: true,
      disclosure_required: false,
      shortfall: 'refused',
      account_numbers: 'on',
    });
    expect(await endOf(caller, (await receiveAch(caller, '150.00')).id())).toMatchObject({
      status: 'settled',
    });
    await caller.v2('PUT', '/_sandbox/settings', { magic_values: true });
    expect((await caller.v2('GET', '/_sandbox/settings')).at('magic_values')).toBe(true);
    expect(await endOf(caller, (await receiveAch(caller, '150.00')).id())).toMatchObject({
      status: 'declined',
    });
  });

  it('do not apply to v2', async () => {
    const caller = http.caller();
    expect(await endOf(caller, (await pull(caller, '150.00')).id())).toMatchObject({ status: 'settled' });
  });
});

describe('the magic values of outgoing payments', () => {
  it.each([
    [99_99, 'returned', 'R03'],
    [99_98, 'settled', ''],
    [1099_99, 'settled', ''],
    [1100_00, 'declined', ''],
  ])('give a payment of %i cents the status %s', async (amount, status, code) => {
    const caller = http.caller();
    const { commit, bank, seeded } = caller.sandbox;
    const { id } = await commit(() =>
      bank.payments.originate('ach_push', {
        accountId: seeded.ids.account ?? '',
        counterpartyId: seeded.ids.ach_counterparty ?? '',
        amount,
        shortage: 'refuse',
        magic: 'v1_send_ach',
      }),
    );
    expect(await endOf(caller, `txn_${id}`)).toMatchObject({ status, ach: { return_code: code } });
  });
});

describe('a rule', () => {
  it('applies to matching payments, and the first matching rule applies', async () => {
    const caller = http.caller();
    await setRules(
      caller,
      { match: { rail: 'ach_pull', amount: { equals: '10.00' } }, outcome: { return_code: 'R02' } },
      { match: { rail: 'ach_pull', amount: { min: '5.00', max: '20.00' } }, outcome: { return_code: 'R08' } },
      { match: { direction: 'credit' }, outcome: { return_code: 'R16' } },
    );
    const codes: unknown[] = [];
    for (const amount of ['10.00', '5.00', '20.00', '4.99', '20.01']) {
      const end = await endOf(caller, (await pull(caller, amount)).id());
      codes.push((end.ach as { return_code: string }).return_code);
    }
    expect(codes).toEqual(['R02', 'R08', 'R08', 'R16', 'R16']);
  });

  it.each([
    ['account_number', '5500998877'],
    ['routing_number', '021000021'],
    ['name', '  MILL works '],
  ])('can match the %s of the other side', async (field, value) => {
    const caller = http.caller();
    await setRules(caller, { match: { [field]: value }, outcome: { return_code: 'R29' } });
    const sender = { name: 'Mill Works', account_number: '5500998877', routing_number: '021000021' };
    const fits = await comeIn(caller, 'ach_pull', '1.00', sender);
    const other = await comeIn(caller, 'ach_pull', '1.00', { ...sender, [field]: '111000025' });
    expect(await endOf(caller, fits.id('transaction.id'))).toMatchObject({ ach: { return_code: 'R29' } });
    expect(await endOf(caller, other.id('transaction.id'))).toMatchObject({ status: 'settled' });
  });

  it('declines a purchase by category', async () => {
    const caller = http.caller();
    await setRules(caller, { match: { mcc: '7995' }, outcome: { decline_reason: 'suspectedFraud' } });
    await caller.listen();
    const declined = await authorize(caller, '1.00', { mcc: '7995' });
    expect(declined.at('transaction')).toMatchObject({ type: 'decline', status: 'declined' });
    expect((await caller.receivedEvents()).v1[0]?.record).toMatchObject({ reason: 'suspectedFraud' });
    expect((await authorize(caller, '1.00', { mcc: '5411' })).at('transaction.status')).toBe('pending');
    const test = await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, {
      amount: '1.00',
      merchant: { merchantCategoryCode: '7995' },
    });
    expect(test.body).toEqual({ status: 'declined', declineReason: 'suspectedFraud' });
  });

  it('declines an originated payment immediately in v2, and with the next step in v1', async () => {
    const caller = http.caller();
    await setRules(caller, { match: {}, outcome: { decline_reason: 'closed_for_today' } });
    await caller.listen();
    const declined = await pull(caller, '1.00');
    expect(declined.at('status')).toBe('declined');
    expect((await caller.receivedEvents()).v2.map(({ kind }) => kind)).toEqual([
      'transaction.created',
      'transaction.status.declined',
    ]);
    const accepted = await receiveAch(caller, '1.00');
    expect(accepted.at('status')).toBe('pending');
    await pass(caller);
    expect((await read(caller, accepted.id())).status).toBe('declined');
    expect(
      (await caller.receivedEvents()).v1.find(({ kind }) => kind === 'transfer.updated')?.record,
    ).toMatchObject({
      status: 'declined',
      reviewCode: 'closed_for_today',
    });
  });

  it('declines a payment within the bank in v2', async () => {
    const caller = http.caller();
    await setRules(caller, { match: { rail: 'intra_pull' }, outcome: { decline_reason: 'not_today' } });
    const answer = await caller.v2('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '1.00',
    });
    expect([answer.status, answer.at('status')]).toEqual([201, 'declined']);
  });

  it('puts a payment in review immediately, and an approval continues it', async () => {
    const caller = http.caller();
    await setRules(caller, { match: { amount: { min: '10.00' } }, outcome: { review: true } });
    const out = await pull(caller, '10.00');
    const come = await comeIn(caller, 'ach_push', '10.00');
    expect(out.at('status')).toBe('in_review');
    expect(come.at('transaction.status')).toBe('in_review');
    await pass(caller, DAY_MS);
    for (const id of [out.id(), come.id('transaction.id')]) {
      expect((await read(caller, id)).status).toBe('in_review');
      await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/approve`);
      expect((await endOf(caller, id)).status).toBe('settled');
    }
  });

  it('with a review of a payment beyond the balance postpones its return', async () => {
    const caller = http.caller();
    await setRules(caller, { match: {}, outcome: { review: true } });
    const id = (await comeIn(caller, 'ach_pull', '9000.00')).id('transaction.id');
    await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/approve`);
    expect(await endOf(caller, id)).toMatchObject({ status: 'returned', ach: { return_code: 'R01' } });
  });

  it('can be delayed: a return two days after creation and settlement', async () => {
    const caller = http.caller();
    await setRules(caller, { match: { rail: 'ach_pull' }, outcome: { return_code: 'R10', after: 'P2D' } });
    const id = (await pull(caller, '10.00')).id();
    expect((await endOf(caller, id)).status).toBe('settled');
    expect((await explain(caller, id)).at('next_step.event')).toBe('return');
    await pass(caller, 2 * DAY_MS - 7 * SECOND_MS);
    expect((await read(caller, id)).status).toBe('settled');
    await pass(caller);
    expect(await read(caller, id)).toMatchObject({ status: 'returned', ach: { return_code: 'R10' } });
  });

  it('can decline after a delay', async () => {
    const caller = http.caller();
    await setRules(caller, { match: {}, outcome: { decline_reason: 'late', after: 'PT0.5S' } });
    const id = (await pull(caller, '10.00')).id();
    expect((await read(caller, id)).status).toBe('originated');
    await pass(caller, 500);
    expect((await read(caller, id)).status).toBe('declined');
  });

  it('does not apply to a payment whose rail does not support the outcome', async () => {
    const caller = http.caller();
    await setRules(
      caller,
      { match: {}, outcome: { return_code: 'R01' } },
      { match: {}, outcome: { decline_reason: 'second' } },
    );
    const answer = await authorize(caller, '1.00');
    expect((await explain(caller, answer.id('transaction.id'))).at('decisions.0.name')).toBe('rule 2');
  });

  it('is stored with the bank', async () => {
    const caller = http.caller();
    const rules = [
      {
        match: {
          rail: 'ach_pull',
          direction: 'credit',
          amount: { equals: '7.00' },
          name: 'Mill',
          mcc: '5411',
        },
        outcome: { return_code: 'R02', after: 'PT1H' },
      },
      { match: { account_number: '1', routing_number: '021000021' }, outcome: {} },
    ];
    expect((await setRules(caller, ...rules)).body).toEqual({ rules });
    const image = caller.sandbox.image();
    await setRules(caller);
    expect((await caller.v2('GET', '/_sandbox/rules')).body).toEqual({ rules: [] });
    caller.sandbox.replaceWith(image);
    expect((await caller.v2('GET', '/_sandbox/rules')).body).toEqual({ rules });
  });

  it.each([
    [{ match: {}, outcome: { return_code: 'R99' } }, 'GET /_sandbox/return_codes'],
    [{ match: {}, outcome: { return_code: 'R01', review: true } }, 'send only one of them'],
    [{ match: {}, outcome: { return_code: 'R01', after: 'tomorrow' } }, 'ISO 8601'],
    [{ match: {}, outcome: { return_code: 'R01', after: '-P1D' } }, 'ISO 8601'],
    [{ match: {}, outcome: { after: 'P1D' } }, 'needs an outcome'],
    [{ match: { rail: 'pigeon' }, outcome: {} }, 'must be one of'],
    [{ match: { amount: { equals: '1' } }, outcome: {} }, 'amount'],
    [{ match: { nme: 'Mill' }, outcome: {} }, 'nme'],
    [{ match: {} }, 'outcome'],
  ])('that is invalid is refused, and the previous rules stay', async (rule, words) => {
    const caller = http.caller();
    const old = { match: {}, outcome: { return_code: 'R05' } };
    await setRules(caller, old);
    const answer = await caller.v2('PUT', '/_sandbox/rules', { rules: [rule] });
    expect(answer.status).toBe(400);
    expect(answer.at('error.message')).toContain(words);
    expect((await caller.v2('GET', '/_sandbox/rules')).body).toEqual({ rules: [old] });
  });
});

describe('the precedence', () => {
  it('of a rule is higher than that of magic values, even for a rule without outcome', async () => {
    const caller = http.caller();
    await setRules(
      caller,
      { match: { amount: { equals: '150.00' } }, outcome: { return_code: 'R20' } },
      { match: { amount: { equals: '250.00' } }, outcome: {} },
    );
    const byRule = await endOf(caller, (await receiveAch(caller, '150.00')).id());
    expect(byRule).toMatchObject({ status: 'returned', ach: { return_code: 'R20' } });
    const ordinary = await receiveAch(caller, '250.00');
    expect((await endOf(caller, ordinary.id())).status).toBe('settled');
    expect((await explain(caller, ordinary.id())).at('decisions.0')).toMatchObject({
      source: 'rule',
      name: 'rule 2',
      effect: 'ordinary course',
    });
    expect((await endOf(caller, (await receiveAch(caller, '350.00')).id())).status).toBe('declined');
  });

  it("of a rule is higher than that of the bank's decisions, but it provides no funds", async () => {
    const caller = http.caller();
    await setRules(caller, { match: { rail: 'ach_received_pull' }, outcome: { return_code: 'R10' } });
    const id = (await comeIn(caller, 'ach_pull', '9000.00')).id('transaction.id');
    expect(await endOf(caller, id)).toMatchObject({ ach: { return_code: 'R10' } });
    await setRules(caller, { match: {}, outcome: {} });
    const other = (await comeIn(caller, 'ach_pull', '9000.00')).id('transaction.id');
    expect(await endOf(caller, other)).toMatchObject({ ach: { return_code: 'R01' } });
    const declined = await authorize(caller, '9000.00');
    expect(declined.at('transaction.status')).toBe('declined');
  });

  it('of an explicit call is the highest', async () => {
    const caller = http.caller();
    await setRules(caller, { match: { amount: { equals: '60.00' } }, outcome: { return_code: 'R20' } });
    const simulate = (id: string, event: string, body?: object) =>
      caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
    const settled = (await receiveAch(caller, '60.00')).id();
    await simulate(settled, 'settle');
    expect((await endOf(caller, settled)).status).toBe('settled');
    const returned = (await receiveAch(caller, '150.00')).id();
    await simulate(returned, 'clear');
    await simulate(returned, 'return', { return_code: 'R31' });
    expect(await endOf(caller, returned)).toMatchObject({ status: 'returned', ach: { return_code: 'R31' } });
    const why = await explain(caller, returned);
    expect((why.at('decisions') as { source: string }[]).map(({ source }) => source)).toEqual([
      'magic',
      'simulate',
      'simulate',
    ]);
  });
});

describe('the tolerant card test (testCard)', () => {
  it('leaves out categories and interval limits, and other authorizations check everything', async () => {
    const caller = http.caller();
    const id = caller.seed('virtual_card_id');
    const control = (controls: object) => caller.v2('PATCH', `/v2/issuing/card/${id}`, { controls });
    const test = async (body: object) =>
      (await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, body)).at('declineReason');
    const applyAll = (on: boolean) => caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: on });
    await control({ limit: { period: 'daily', max_spend_amount: '5.00' } });
    expect(await test({ amount: '10.00' })).toBe('');
    await applyAll(true);
    expect(await test({ amount: '10.00' })).toBe('spendLimit');
    await control({ blocked: { categories: ['5411'] } });
    expect(await test({ amount: '10.00' })).toBe('categoryNotAllowed');
    await applyAll(false);
    expect(await test({ amount: '10.00' })).toBe('');
    expect(await test({ amount: '5000.00' })).toBe('lowBalance');
    expect((await authorize(caller, '1.00')).at('transaction.status')).toBe('declined');
    await control({ limit: { max_spend_per_transaction: '9.99' } });
    expect(await test({ amount: '10.00' })).toBe('perTransactionLimit');
    await caller.v2('PATCH', `/v2/issuing/card/${id}`, { status: 'blocked' });
    expect(await test({ amount: '1.00' })).toBe('cardInactive');
  });
});
