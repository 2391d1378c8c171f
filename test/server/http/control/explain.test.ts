/**
 * Explains the state of a record: the deciding control, rule, magic value, simulation or real-time decision with its
 * figures, the states with their instants, the next scheduled step, and the transfers. Also the ledger entries and
 * the audit.
 */
import { describe, expect, it } from 'vitest';
import { setPin } from '../pin.ts';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp({ small: true, rails: 'fast' });

const explain = (caller: Caller, id: string) => caller.v2('GET', `/_sandbox/explain/${id}`);
const pass = async (caller: Caller, seconds = 1): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) {
    http.clock.advance(1000);
    await caller.sandbox.agenda.runDue();
  }
};
const at = (seconds: number): string =>
  new Date(Math.floor(http.clock.now() / 1000) * 1000 + seconds * 1000).toISOString().replace('.000', '');
const receiveAch = (caller: Caller, amount: string) =>
  caller.v1('POST', '/v1/receive/ach', {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('contact_id'),
    amount,
  });
const authorize = (caller: Caller, amount: string) =>
  caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`, { amount });

describe('the explanation of a transaction', () => {
  it('without problems lists its past and future steps', async () => {
    const caller = http.caller();
    const made = at(0);
    const id = (await receiveAch(caller, '20.00')).id();
    await pass(caller, 2);
    const why = await explain(caller, id);
    expect(why.status).toBe(200);
    expect(why.body).toMatchObject({
      id: `txn_${id.slice(4).replaceAll('-', '')}`,
      kind: 'transaction',
      status: 'clearing',
      summary: expect.stringContaining(
        `clearing; in its ordinary steps; clear follows at ${at(1)}; settled is expected at ${at(2)} (`,
      ),
      reason: null,
      decisions: [],
      path: [
        { at: made, change: 'created', status: 'originated', figures: { pending_credits: '20.00' } },
        { change: 'status', status: 'pending' },
        { at: at(0), change: 'status', status: 'clearing' },
      ],
      next_step: { at: at(1), event: 'clear' },
      legal_events: ['clear', 'return'],
      related: [],
      figures: { rail: 'ach_pull', amount: '20.00' },
    });
    expect(why.at('transfers')).toEqual([
      {
        id: expect.any(Number),
        kind: 'hold',
        debit: caller.seed('master_account_id'),
        credit: caller.seed('sub_account_id'),
        amount: '20.00',
        hold_id: null,
        debit_available_after: expect.any(String),
        credit_available_after: '5000.00',
        at: made,
      },
    ]);
  });

  it('with a magic value has its name and figures, and the reversal', async () => {
    const caller = http.caller();
    const id = (await receiveAch(caller, '60.00')).id();
    expect((await explain(caller, id)).at('summary')).toContain('from 50.00 to below 100.00');
    expect((await explain(caller, id)).at('figures.planned')).toBe('return R01');
    await pass(caller, 3);
    const why = await explain(caller, id);
    expect(why.at('summary')).toBe(
      'returned (R01: insufficient funds); magic v1_receive_ach: from 50.00 to below 100.00 the balance of the other account is too low',
    );
    expect(why.at('decisions')).toEqual([
      {
        at: expect.any(String),
        source: 'magic',
        name: 'v1_receive_ach',
        effect: 'return R01 in clearing',
        message: 'from 50.00 to below 100.00 the balance of the other account is too low',
        numbers: { amount: '60.00', from: '50.00', below: '100.00' },
      },
    ]);
    expect(why.at('related')).toEqual([
      {
        id: expect.stringMatching(/^txn_/),
        as: 'child',
        type: 'return',
        status: 'settled',
        direction: 'debit',
        amount: '60.00',
        at: at(0),
      },
    ]);
    expect((why.at('transfers') as { kind: string }[]).map(({ kind }) => kind)).toEqual(['hold', 'release']);
    const child = await explain(caller, String(why.at('related.0.id')));
    expect(child.at('related.0')).toMatchObject({ as: 'parent', status: 'returned' });
  });

  it('with a rule names the rule', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/rules', {
      rules: [
        { match: { rail: 'rtp_push' }, outcome: {} },
        { match: { amount: { min: '10.00', max: '99.00' } }, outcome: { return_code: 'R16', after: 'P1D' } },
      ],
    });
    const id = (await receiveAch(caller, '20.00')).id();
    expect((await explain(caller, id)).at('decisions')).toEqual([
      expect.objectContaining({
        source: 'rule',
        name: 'rule 2',
        effect: 'return R16 P1D after it was made',
        numbers: { amount: '20.00', amount_min: '10.00', amount_max: '99.00' },
      }),
    ]);
  });

  it('declined by a control has the figures of the control', async () => {
    const caller = http.caller();
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, {
      controls: { limit: { period: 'daily', max_spend_amount: '50.00' } },
    });
    await authorize(caller, '30.00');
    const why = await explain(caller, (await authorize(caller, '20.01')).id('transaction.id'));
    expect(why.at('summary')).toBe(
      'declined (spendLimit: 20.01 requested, 30.00 of 50.00 spent in this daily period); ' +
        'control limit.max_spend_amount: 20.01 requested, 30.00 of 50.00 spent in this daily period',
    );
    expect(why.at('decisions.0.numbers')).toEqual({
      amount: '20.01',
      spent: '30.00',
      limit: '50.00',
      period: 'daily',
    });
    expect(why.at('transfers')).toEqual([]);
  });

  it('declined or returned for the balance has the available balance', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    const push = await caller.v2('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '9000.00',
    });
    expect((await explain(caller, push.id())).body).toMatchObject({
      figures: { error_code: 'ERROR_CODE_INSUFFICIENT_BALANCE' },
      decisions: [
        {
          source: 'control',
          name: 'available_balance',
          effect: 'declined lowBalance',
          numbers: { amount: '9000.00', available_balance: '2500.00' },
        },
      ],
    });
    const debit = await caller.v2('POST', '/_sandbox/simulate/incoming/ach_pull', {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '9000.00',
    });
    expect((await explain(caller, debit.id('transaction.id'))).at('decisions.0')).toMatchObject({
      source: 'control',
      effect: 'return R01 in received',
      numbers: { amount: '9000.00', available_balance: '5000.00' },
    });
    await caller.v2('POST', `/_sandbox/simulate/accounts/${caller.seed('sub_account_id')}/lock`);
    const shut = await caller.v2('POST', '/_sandbox/simulate/incoming/rtp', {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '1.00',
    });
    expect((await explain(caller, shut.id('transaction.id'))).at('decisions.0')).toMatchObject({
      name: 'account_status',
      message: 'the account is locked',
    });
  });

  it('that was simulated has the calls of its steps', async () => {
    const caller = http.caller();
    const id = (await receiveAch(caller, '20.00')).id();
    await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/clear`);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/return`, { return_code: 'R02' });
    const why = await explain(caller, id);
    expect(why.at('decisions')).toEqual([
      expect.objectContaining({
        source: 'simulate',
        name: 'clear',
        effect: 'originated -> cleared',
        numbers: { steps: 'submit, send, clear' },
      }),
      expect.objectContaining({
        name: 'return',
        effect: 'cleared -> returned',
        numbers: { reason: 'R02' },
      }),
    ]);
    expect(why.at('next_step')).toBeNull();
    expect(why.at('legal_events')).toEqual([]);
  });

  it('within the bank has its other side', async () => {
    const caller = http.caller();
    const pull = await caller.v2('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '9.00',
    });
    const why = await explain(caller, pull.id());
    expect(why.at('related.0')).toMatchObject({ as: 'partner', direction: 'debit', amount: '9.00' });
    expect(why.at('transfers')).toEqual([
      expect.objectContaining({
        kind: 'post',
        debit: caller.seed('other_sub_account_id'),
        credit: caller.seed('sub_account_id'),
      }),
    ]);
  });

  it("of a cash withdrawal says that no PIN was set, and so does its card's", async () => {
    const caller = http.caller();
    const card = caller.seed('virtual_card_id');
    const cash = { amount: '20.00', atm: true };
    const declined = await caller.v2('POST', `/_sandbox/simulate/cards/${card}/authorize`, cash);
    const why = await explain(caller, declined.id('transaction.id'));
    expect(why.at('summary')).toContain('no PIN was set for the card');
    expect(why.at('decisions')).toEqual([
      expect.objectContaining({ source: 'control', name: 'pin', effect: 'declined pinNotSet' }),
    ]);
    expect((await explain(caller, card)).at('figures.pin_set')).toBe('false');
    await setPin(caller);
    expect((await explain(caller, card)).at('figures.pin_set')).toBe('true');
  });

  it('of a card lists the possible actions, and of a capture the call that made it', async () => {
    const caller = http.caller();
    const id = (await authorize(caller, '30.00')).id('transaction.id');
    expect((await explain(caller, id)).at('legal_events')).toEqual([
      'increment',
      'capture',
      'reverse',
      'expire',
    ]);
    expect((await explain(caller, id)).at('next_step.event')).toBe('expire');
    const capture = await caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/capture`, {
      amount: '33.00',
    });
    const why = await explain(caller, capture.id('transaction.id'));
    expect(why.at('decisions.0')).toMatchObject({
      source: 'simulate',
      name: 'capture',
      numbers: { held_before: '30.00', amount: '33.00' },
    });
    expect((await explain(caller, id)).at('decisions.0.effect')).toBe('pending -> settled');
  });
});

describe('the explanation of a card, a holder or an account', () => {
  it('lists the changes and the figures', async () => {
    const caller = http.caller();
    const cardId = caller.seed('virtual_card_id');
    await caller.v2('PATCH', `/v2/issuing/card/${cardId}`, {
      controls: { limit: { period: 'monthly', max_spend_amount: '50.00', max_spend_count: '3' } },
    });
    await authorize(caller, '30.00');
    await caller.v2('POST', `/_sandbox/simulate/cards/${cardId}/lock`);
    const card = await explain(caller, caller.seed('card_id'));
    expect(card.body).toMatchObject({
      id: cardId,
      kind: 'card',
      status: 'locked',
      figures: {
        available_balance: '4970.00',
        account_status: 'open',
        period: 'monthly',
        period_from: '2026-11-01',
        spent: '30.00',
        uses: '1',
        max_spend_amount: '50.00',
        left_amount: '20.00',
        left_count: '2',
      },
      decisions: [{ source: 'simulate', name: 'lock', effect: 'open -> locked' }],
      legal_events: ['unlock'],
    });
    expect((card.at('path') as { status: string }[]).map(({ status }) => status)).toEqual([
      'open',
      'open',
      'locked',
    ]);

    await caller.v2('POST', `/_sandbox/simulate/holders/${caller.seed('person_id')}/review`);
    const holder = await explain(caller, caller.seed('person_id'));
    expect(holder.body).toMatchObject({
      id: caller.seed('person_holder_id'),
      kind: 'holder',
      status: 'activated',
      figures: { verification: 'review', ofac: 'pass' },
      decisions: [{ name: 'review', effect: 'activated', numbers: { verification: 'review' } }],
    });

    const account = await explain(caller, caller.seed('sub_account_id'));
    expect(account.body).toMatchObject({
      kind: 'account',
      status: 'open',
      figures: { available_balance: '4970.00', pending_debits: '30.00' },
      legal_events: ['lock'],
      summary: 'open; in its ordinary steps',
    });
  });

  it('has the usage of the limits', async () => {
    const caller = http.caller();
    const account = caller.seed('account_id');
    const limits = {
      send: { daily: '500.00', ach: { monthly: '2000.00' } },
      receive: { ach: { daily: '90.00' } },
    };
    expect((await caller.v1('PATCH', `/v1/account/${account}`, { config: { limits } })).status).toBe(200);
    await receiveAch(caller, '30.00');
    const push = {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '125.50',
    };
    expect((await caller.v2('POST', '/v2/payments/ach/push', push)).status).toBe(201);
    expect((await explain(caller, caller.seed('sub_account_id'))).at('limits')).toEqual([
      { name: 'limits.send', period: 'daily', limit: '500.00', used: '125.50' },
      { name: 'limits.send.ach', period: 'monthly', limit: '2000.00', used: '125.50' },
      { name: 'limits.receive.ach', period: 'daily', limit: '90.00', used: '30.00' },
    ]);
    const card = caller.seed('virtual_card_id');
    const controls = { limit: { period: 'daily', max_spend_amount: '80.00' } };
    expect((await caller.v2('PATCH', `/v2/issuing/card/${card}`, { controls })).status).toBe(200);
    await authorize(caller, '12.00');
    expect((await explain(caller, card)).at('limits')).toEqual([
      { name: 'limit', period: 'daily', limit: '80.00', used: '12.00' },
    ]);
  });

  it('is 404 for an unknown id', async () => {
    const caller = http.caller();
    expect((await explain(caller, `crd_${'0'.repeat(32)}`)).status).toBe(404);
    const other = await explain(caller, 'whk_1');
    expect([other.status, other.at('error.code')]).toEqual([400, 'field_invalid']);
  });
});

describe('the books', () => {
  it('are audited', async () => {
    const caller = http.caller();
    await authorize(caller, '30.00');
    const verified = await caller.v2('GET', '/_sandbox/ledger/verify');
    expect(verified.body).toEqual({
      balanced: true,
      accounts: 4,
      transfers: 5,
      open_holds: 1,
      problems: [],
    });
  });

  it('list the entries of an account, newest first, with the balance after each', async () => {
    const caller = http.caller();
    const id = (await authorize(caller, '30.00')).id('transaction.id');
    await caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/capture`, { amount: '32.00' });
    const book = await caller.v2('GET', `/_sandbox/ledger/${caller.seed('account_id')}`);
    expect(book.body).toMatchObject({
      account: caller.seed('sub_account_id'),
      available_balance: '4968.00',
      pending_debits: '0.00',
      pending_credits: '0.00',
      total: 5,
    });
    const entries = book.at('entries') as Record<string, unknown>[];
    expect(
      entries.map(({ kind, side, amount, available_after }) => [kind, side, amount, available_after]),
    ).toEqual([
      ['post', 'debit', '2.00', '4968.00'],
      ['settle', 'debit', '30.00', '4970.00'],
      ['hold', 'debit', '30.00', '4970.00'],
      ['settle', 'credit', '5000.00', '5000.00'],
      ['hold', 'credit', '5000.00', '0.00'],
    ]);
    expect(entries[1]).toMatchObject({
      against: caller.seed('master_account_id'),
      transaction_id: id,
      hold_id: entries[2]?.transfer_id,
    });
    const page = await caller.v2('GET', `/_sandbox/ledger/${caller.seed('sub_account_id')}?limit=2&offset=1`);
    expect((page.at('entries') as object[]).map((_, n) => page.at(`entries.${n}.kind`))).toEqual([
      'settle',
      'hold',
    ]);
  });

  it('of the master account have inverted sides', async () => {
    const caller = http.caller();
    await authorize(caller, '30.00');
    const master = await caller.v2('GET', '/_sandbox/ledger/master');
    expect(master.body).toMatchObject({
      account: caller.seed('master_account_id'),
      available_balance: '7470.00',
      pending_debits: '30.00',
    });
    expect(master.at('entries.0')).toMatchObject({ side: 'credit', against: caller.seed('sub_account_id') });
    const same = await caller.v2('GET', `/_sandbox/ledger/${caller.seed('master_account_id')}`);
    expect(same.body).toEqual(master.body);
    expect((await caller.v2('GET', '/_sandbox/ledger/sub_none')).status).toBe(404);
    expect((await caller.v2('GET', '/_sandbox/ledger/master?limit=x')).status).toBe(400);
  });
});
