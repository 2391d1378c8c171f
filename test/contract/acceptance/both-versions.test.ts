/**
 * One bank, two generations: each noun is made once in v1 and once in v2 and read in both, through its whole life, and every
 * pair of fields that tell the same must agree. Decision `shared-records` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  BUSINESS,
  COUNTERPARTY,
  expectSame,
  PERSON,
  PHYSICAL_CARD,
  SUB_ACCOUNT,
  VIRTUAL_CARD,
} from './pairs.ts';
import {
  API_VERSIONS,
  account,
  both,
  business,
  card,
  counterparty,
  HOLDERS,
  type Make,
  ok,
  person,
  simulate,
} from './things.ts';

const http = useHttp();

describe.each(API_VERSIONS)('a record that is created in %s', (apiVersion) => {
  const make = async (caller: Caller, thing: Make): Promise<string> =>
    (await ok(thing[apiVersion](caller))).id();

  it('is the same person in both versions, before and after each result of its check', async () => {
    const caller = http.caller();
    const id = await make(caller, person);
    expectSame(await both(caller, 'person', id), PERSON);
    for (const event of ['review', 'fail', 'pass', 'lock', 'unlock']) {
      await simulate(caller, `holders/${id}/${event}`);
      expectSame(await both(caller, 'person', id), PERSON);
    }
  });

  it('is a person who has passed in both versions after a check in either one', async () => {
    for (const checkedBy of API_VERSIONS) {
      const caller = http.caller();
      const id = await make(caller, person);
      if (checkedBy === 'v2') await ok(caller.v2('POST', `${HOLDERS}/${id}/kyc`));
      else {
        await ok(caller.v1('POST', `/v1/person/${id}/kyc`));
        await simulate(caller, `holders/${id}/pass`);
      }
      const pair = await both(caller, 'person', id);
      expectSame(pair, PERSON);
      expect(pair).toMatchObject({ v1: { kyc: { status: 'approved' } }, v2: { status: 'activated' } });
    }
  });

  it('is a person whose status can be changed in either version', async () => {
    const caller = http.caller();
    const id = await make(caller, person);
    await simulate(caller, `holders/${id}/pass`);
    for (const [v1, v2] of [
      ['inactive', 'suspended'],
      ['active', 'activated'],
      ['deactivated', 'deactivated'],
    ]) {
      const request =
        apiVersion === 'v1'
          ? caller.v1('PATCH', `/v1/person/${id}`, { status: v1 })
          : caller.v2('PATCH', `${HOLDERS}/${id}`, { status: v2 });
      await ok(request);
      const pair = await both(caller, 'person', id);
      expectSame(pair, PERSON);
      expect(pair).toMatchObject({ v1: { status: v1 }, v2: { status: v2 } });
    }
  });

  it('is the same business in both versions, before and after its check', async () => {
    const caller = http.caller();
    const id = await make(caller, business);
    expectSame(await both(caller, 'business', id), BUSINESS);
    for (const event of ['review', 'fail', 'pass']) {
      await simulate(caller, `holders/${id}/${event}`);
      expectSame(await both(caller, 'business', id), BUSINESS);
    }
  });

  it('is the same account in both versions, in every status', async () => {
    const caller = http.caller();
    const id = await make(caller, account);
    expectSame(await both(caller, 'account', id), SUB_ACCOUNT);
    expect((await both(caller, 'account', id)).v1).toMatchObject({
      availableBalance: apiVersion === 'v1' ? '1000.00' : '0.00',
    });
    for (const [v1, v2] of [
      ['debitBlocked', 'debit_blocked'],
      ['creditBlocked', 'credit_blocked'],
      ['blocked', 'blocked'],
      ['active', 'open'],
    ]) {
      const request =
        apiVersion === 'v1'
          ? caller.v1('PATCH', `/v1/account/${id}`, { status: v1 })
          : caller.v2('PATCH', `/v2/accounts/sub_account/${id}`, { status: v2 });
      await ok(request);
      const pair = await both(caller, 'account', id);
      expectSame(pair, SUB_ACCOUNT);
      expect(pair).toMatchObject({ v1: { status: v1 }, v2: { status: v2 } });
    }
    await simulate(caller, `accounts/${id}/lock`);
    expectSame(await both(caller, 'account', id), SUB_ACCOUNT);
  });

  it('is the same counterparty in both versions, and deleted in both', async () => {
    const caller = http.caller();
    const id = await make(caller, counterparty);
    const pair = await both(caller, 'counterparty', id);
    expectSame(pair, COUNTERPARTY);
    expect(pair).toMatchObject({ v1: { name: 'Harbor Supplies', type: 'others' } });
    const gone =
      apiVersion === 'v1'
        ? caller.v1('DELETE', `/v1/contact/${id}`)
        : caller.v2('PATCH', `/v2/payments/counterparty/${id}`, { status: 'deactivated' });
    await ok(gone);
    const after = await both(caller, 'counterparty', id);
    expectSame(after, COUNTERPARTY);
    expect(after).toMatchObject({ v1: { status: 'deleted' }, v2: { status: 'deactivated' } });
    const listed = await ok(caller.v1('GET', `/v1/contact?accountId=${caller.seed('account_id')}&id=${id}`));
    expect(listed.at('total')).toBe(0);
  });

  it('is the same virtual card in both versions, from its creation to its closing', async () => {
    const caller = http.caller();
    const id = await make(caller, card('virtual'));
    expectSame(await both(caller, 'card', id), VIRTUAL_CARD);
    for (const [v1, v2] of [
      ['inactive', 'blocked'],
      ['active', 'open'],
    ]) {
      const request =
        apiVersion === 'v1'
          ? caller.v1('PATCH', `/v1/card/${id}`, { cardStatus: v1 })
          : caller.v2('PATCH', `/v2/issuing/card/${id}`, { status: v2 });
      await ok(request);
      const pair = await both(caller, 'card', id);
      expectSame(pair, VIRTUAL_CARD);
      expect(pair).toMatchObject({ v1: { cardStatus: v1 }, v2: { status: v2 } });
    }
    await simulate(caller, `cards/${id}/lock`);
    expectSame(await both(caller, 'card', id), VIRTUAL_CARD);
    await simulate(caller, `cards/${id}/unlock`);
    const closed =
      apiVersion === 'v1'
        ? caller.v1('DELETE', `/v1/card/${id}`)
        : caller.v2('PATCH', `/v2/issuing/card/${id}`, { status: 'closed' });
    await ok(closed);
    const pair = await both(caller, 'card', id);
    expectSame(pair, VIRTUAL_CARD);
    expect(pair).toMatchObject({ v1: { cardStatus: 'canceled' }, v2: { status: 'closed' } });
  });

  it('is the same physical card in both versions, during shipping, and can be activated in the other', async () => {
    const caller = http.caller();
    const id = await make(caller, card('physical'));
    expectSame(await both(caller, 'card', id), PHYSICAL_CARD);
    for (const event of ['ship', 'deliver']) {
      await simulate(caller, `cards/${id}/${event}`);
      expectSame(await both(caller, 'card', id), PHYSICAL_CARD);
    }
    const { v2 } = (await both(caller, 'card', id)) as { v2: Record<string, string> };
    const printed = { month: v2.expiry_month, year: v2.expiry_year, last4: v2.last4 };
    const activated =
      apiVersion === 'v2'
        ? caller.v1('PATCH', `/v1/card/${id}/activate`, {
            expiryMonth: printed.month,
            expiryYear: printed.year,
            last4: printed.last4,
          })
        : caller.v2('PATCH', `/v2/issuing/card/${id}/activate`, {
            expiry_month: printed.month,
            expiry_year: printed.year,
            last4: printed.last4,
          });
    await ok(activated);
    const pair = await both(caller, 'card', id);
    expectSame(pair, VIRTUAL_CARD);
    expect(pair).toMatchObject({ v1: { cardStatus: 'active' }, v2: { status: 'open' } });
  });
});

describe('a webhook', () => {
  it('that v1 pauses, deactivates or deletes is inactive or 404 in v2', async () => {
    const caller = http.caller();
    const made = { url: 'http://hooks.example/1', events: ['account.credit'] };
    const id = (await ok(caller.v1('POST', '/v1/webhook', made))).id();
    for (const [v1, v2] of [
      ['paused', 'inactive'],
      ['active', 'active'],
      ['deactivated', 'inactive'],
    ]) {
      await ok(caller.v1('PATCH', `/v1/webhook/${id}`, { status: v1 }));
      expect((await ok(caller.v2('GET', `/v2/webhook/${id}`))).at('status')).toBe(v2);
    }
    await ok(caller.v1('DELETE', `/v1/webhook/${id}`));
    expect((await caller.v2('GET', `/v2/webhook/${id}`)).status).toBe(404);
  });

  it('that v2 deletes is deleted in v1', async () => {
    const caller = http.caller();
    const made = { url: 'http://hooks.example/2', events: ['transaction.created'] };
    const id = (await ok(caller.v2('POST', '/v2/webhook', made))).id();
    expect((await ok(caller.v1('GET', `/v1/webhook/${id}`))).at('status')).toBe('active');
    await ok(caller.v2('DELETE', `/v2/webhook/${id}`));
    expect((await ok(caller.v1('GET', `/v1/webhook/${id}`))).at('status')).toBe('deleted');
  });
});
