/**
 * Changes of an account: its fields, its status and its closing in both versions, and its configuration and limits,
 * which v1 sets and both versions apply. Decisions `account-status-changes`, `account-config-changes`,
 * `account-limit-counting` and `over-account-limit` of the decisions.
 */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_V1 } from '../../contract/v1/account.ts';
import { SUB_ACCOUNT } from '../../contract/v2/accounts.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp();

const kindsOf = (events: ReceivedEvent[]): string[] => events.map(({ kind }) => kind);

describe('a change of an account (updateAccount, v2_update_sub_account)', () => {
  it('in v2 is visible in v1 and published in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await caller.v2('PATCH', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`, {
      label: 'Rent',
      purpose: 'Housing',
      external_reference_id: 'x-2',
      metadata: { a: '1' },
      status: 'credit_blocked',
    });
    expectRecord(answer, 'v2_update_sub_account', SUB_ACCOUNT);
    expect(answer.body).toMatchObject({
      label: 'Rent',
      purpose: 'Housing',
      external_reference_id: 'x-2',
      metadata: { a: '1' },
      status: 'credit_blocked',
      available_balance: '5000.00',
    });
    const v1 = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect(v1.body).toMatchObject({ label: 'Rent', metadata: { a: '1' }, status: 'creditBlocked' });
    const arrived = await caller.receivedEvents();
    expect(kindsOf(arrived.v2)).toEqual(['sub_account.updated', 'sub_account.status.credit_blocked']);
    expect(kindsOf(arrived.v1)).toEqual(['account.updated', 'account.updated']);
  });

  it("of the configuration in v1 keeps omitted fields, and overrides the program's", async () => {
    const caller = http.caller();
    const path = `/v1/account/${caller.seed('account_id')}`;
    const before = (await caller.v1('GET', path)).at('config') as Record<string, Record<string, unknown>>;
    await caller.v1('PATCH', path, {
      config: {
        send: { wire: { enabled: false }, ach: { sameDay: false } },
        limits: { send: { daily: '2000.00', ach: { monthly: '50.00' } } },
        card: { physical: { count: '3' } },
        incoming: { achPull: { blockedOriginators: ['Gray'] } },
      },
    });
    const answer = await caller.v1('PATCH', path, { config: { limits: { send: { monthly: '9000.00' } } } });
    expectRecord(answer, 'updateAccount', ACCOUNT_V1);
    const sendLimits = before.limits?.send as object;
    expect(answer.at('config')).toEqual({
      ...before,
      send: { ...before.send, wire: { enabled: false }, ach: { enabled: true, sameDay: false } },
      limits: {
        ...before.limits,
        send: {
          ...sendLimits,
          daily: '2000.00',
          monthly: '9000.00',
          ach: { daily: '', monthly: '50.00' },
        },
      },
      card: { ...before.card, physical: { enabled: true, count: '3' } },
      incoming: { achPull: { enabled: true, allowedOriginators: [], blockedOriginators: ['Gray'] } },
    });
    // A record can be sent as it was read.
    const same = await caller.v1('PATCH', path, { config: answer.at('config') });
    expect(same.at('config')).toEqual(answer.at('config'));
    const lifted = await caller.v1('PATCH', path, { config: { limits: { send: { daily: '' } } } });
    expect(lifted.at('config.limits.send.daily')).toBe('');
  });

  it.each<[string, object, RegExp]>([
    ['a limit that is not an amount', { limits: { send: { daily: '5.0' } } }, /daily/],
    ['a count that is not a number', { card: { virtual: { count: '-1' } } }, /count/],
    ['a switch that is not a boolean', { send: { ach: { enabled: 'true' } } }, /enabled/],
    ['a blank originator', { incoming: { achPull: { allowedOriginators: [' '] } } }, /allowedOriginators/],
  ])('of the configuration refuses %s', async (_, config, message) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, { config });
    expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('of v2 closes only an empty account, permanently', async () => {
    const caller = http.caller();
    const v2Path = `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
    expectRefusedV2(await caller.v2('PATCH', v2Path, { status: 'closed' }), {
      status: 400,
      code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
      field: 'status',
      message: /5000\.00 available.*it can be closed when all three are 0\.00/,
    });
    const fresh = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: caller.seed('person_holder_id'),
      type: 'cash',
    });
    const closed = await caller.v1('PATCH', `/v1/account/${fresh.id()}`, { status: 'closed' });
    expect([closed.status, closed.at('status')]).toEqual([200, 'closed']);
    const seen = await caller.v2('GET', `/v2/accounts/sub_account/${fresh.id()}`);
    const at = seen.at('timestamps.closed_at');
    expect(at).toMatch(/^\d{4}-/);
    expect(seen.at('timestamps.deactivated_at')).toBe(at);
    const again = await caller.v2('PATCH', `/v2/accounts/sub_account/${fresh.id()}`, { status: 'open' });
    expectRefusedV2(again, { status: 400, code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED' });
  });

  it('by updateAccount closes an account and mails its balance to the holder', async () => {
    const caller = http.caller();
    const path = `/v1/account/${caller.seed('account_id')}`;
    await caller.listen();
    const closed = await caller.v1('PATCH', path, { status: 'closed' });
    const figures = { availableBalance: '0.00', pendingDebit: '5000.00', pendingCredit: '0.00' };
    expect(closed.body).toMatchObject({ status: 'closed', ...figures });
    const [check] = (await caller.v1('GET', `${path}/transaction?subType=accountClosing`)).at('data') as [
      Record<string, unknown>,
    ];
    expect(check).toMatchObject({
      txnType: 'debit',
      amount: '-5000.00',
      balance: '0.00',
      transferType: 'physicalCheck',
      title: 'Check created for Ada Lovegood',
      description: 'Account Closed',
      status: 'settled',
      physicalCheck: { contactId: '', name: 'Ada Lovegood', cashed: false },
    });
    const transfers = (await caller.v1('GET', '/v1/send/check')).at('data') as { amount: string }[];
    expect(transfers.map(({ amount }) => amount)).not.toContain('5000.00');
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['account.debit', 'account.updated']);
    expect(v1[1]?.record).toMatchObject({ status: 'closed', ...figures });
    expect(v2.map(({ kind }) => kind)).toEqual(['transaction.created', 'sub_account.status.closed']);

    for (const event of ['submit', 'send', 'clear', 'settle']) {
      const simulated = await caller.v2('POST', `/_sandbox/simulate/transactions/${check.id}/${event}`);
      expect(simulated.status, event).toBe(200);
    }
    expect((await caller.v1('GET', `${path}/transaction/${check.id}`)).at('physicalCheck.cashed')).toBe(true);
    expect((await caller.v1('GET', path)).at('pendingDebit')).toBe('0.00');
    // An undeliverable check leaves its money in the closed account.
    await caller.v2('POST', `/_sandbox/simulate/transactions/${check.id}/return`);
    expect((await caller.v1('GET', path)).body).toMatchObject({
      status: 'closed',
      availableBalance: '5000.00',
    });
  });

  it('by updateAccount does not close an account with a pending payment', async () => {
    const caller = http.caller();
    const pull = {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '12.50',
    };
    await caller.v1('POST', '/v1/receive/ach', pull);
    const before = digestOf(caller.sandbox);
    const refused = await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, {
      status: 'closed',
    });
    expectRefusedV1(refused, {
      status: 409,
      code: 'EC_ACCOUNT_NOT_EMPTY',
      message: /12\.50 in pending credits.*it can be closed when no payment is pending/,
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('of an unknown account is 404', async () => {
    const caller = http.caller();
    expectRefusedV2(await caller.v2('PATCH', '/v2/accounts/sub_account/sub_x', { label: 'x' }), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
    expectRefusedV1(await caller.v1('PATCH', '/v1/account/acc-x', { label: 'x' }), {
      status: 404,
      code: 'EC_ACCOUNT_NOT_FOUND',
    });
  });
});

describe('an account limit (updateAccount)', () => {
  it('that is set in v1 refuses payments of v1 and, with a setting, declines those of v2', async () => {
    const caller = http.caller();
    await caller.listen();
    await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, {
      config: { limits: { receive: { ach: { daily: '40.00' } } } },
    });
    // The payments of the change have settled, so nothing moves meanwhile.
    await caller.receivedEvents();
    const before = digestOf(caller.sandbox);
    const refused = await caller.v1('POST', '/v1/receive/ach', {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '41.20',
      description: 'Dues',
    });
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_TRANSFER_LIMIT_EXCEEDED',
      message: 'amount: 41.20 is more than what is left of limits.receive.ach.daily: 0.00 of 40.00 is used',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
    await caller.receivedEvents();
    await caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' });
    const declined = await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '41.20',
      description: 'Dues',
    });
    expect([declined.status, declined.at('status')]).toEqual([201, 'declined']);
    const arrived = await caller.receivedEvents();
    expect(kindsOf(arrived.v2)).toEqual(['transaction.created', 'transaction.status.declined']);
    expect(arrived.v1).toEqual([]);
    const why = await caller.v2('GET', `/_sandbox/explain/${declined.id()}`);
    expect(why.body).toMatchObject({
      reason: { code: 'transferLimitExceeded' },
      decisions: [{ source: 'control', name: 'limits.receive.ach.daily' }],
    });
  });

  it('for a disabled method is reported as disabled', async () => {
    const caller = http.caller();
    await caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, {
      config: { receive: { ach: { enabled: false } } },
    });
    const refused = await caller.v1('POST', '/v1/receive/ach', {
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '1.00',
      description: 'Dues',
    });
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_TRANSFER_NOT_ENABLED',
      message: /receive\.ach is switched off for the account/,
    });
  });
});
