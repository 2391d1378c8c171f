/**
 * Actions of the platform: ending a check, locking, unlocking, and shipping a card. Each publishes an event, takes
 * effect at once, and is refused if the current state does not allow it.
 */
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();

const simulate = (caller: Caller, what: string, id: string, event: string, body?: object) =>
  caller.v2('POST', `/_sandbox/simulate/${what}/${id}/${event}`, body);

/** A person whose number results in a failed check. */
async function createPerson(caller: Caller): Promise<string> {
  const answer = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
    master_account_id: caller.seed('master_account_id'),
    type: 'person',
    person: { first_name: 'Eva', last_name: 'Stone', id_type: 'ssn', id_number: '012345678' },
  });
  return answer.id();
}

describe('a holder', () => {
  it.each([
    ['pass', 'pass', 'activated', ['person.kyc.approved', 'person.kyc.updated', 'person.updated']],
    ['review', 'review', 'pending_activation', ['person.kyc.review', 'person.kyc.updated']],
    ['fail', 'fail', 'pending_activation', ['person.kyc.declined', 'person.kyc.updated']],
  ])('can %s, whatever its number', async (event, verification, status, kinds) => {
    const caller = http.caller();
    const id = await createPerson(caller);
    await caller.listen();
    const answer = await simulate(caller, 'holders', id, event);
    expect(answer.status).toBe(200);
    expect(answer.at('holder')).toMatchObject({ id, status, person: { kyc: { status: verification } } });
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('that is a business passes together with its members', async () => {
    const caller = http.caller();
    const id = caller.seed('business_holder_id');
    const answer = await simulate(caller, 'holders', id, 'fail');
    expect(answer.at('holder.business.kyb.status')).toBe('fail');
    const passed = await simulate(caller, 'holders', id, 'pass');
    expect(passed.at('holder.business.kyb.status')).toBe('pass');
    const members = passed.at('holder.business.members') as { kyc: { status: string } }[];
    expect(members.map(({ kyc }) => kyc.status)).toEqual(members.map(() => 'pass'));
  });

  it('that was locked returns to its previous state', async () => {
    const caller = http.caller();
    const id = await createPerson(caller);
    await caller.listen();
    expect((await simulate(caller, 'holders', id, 'lock')).at('holder.status')).toBe('locked');
    const again = await simulate(caller, 'holders', id, 'lock');
    expect([again.status, again.at('error.hint')]).toEqual([409, 'legal: pass, review, fail, unlock']);
    expect((await simulate(caller, 'holders', id, 'unlock')).at('holder.status')).toBe('pending_activation');
    expect((await simulate(caller, 'holders', id, 'unlock')).status).toBe(409);
    expect((await caller.receivedEvents()).v2.map(({ kind }) => kind)).toEqual([
      'sub_account_holder.status.locked',
      'sub_account_holder.status.pending_activation',
    ]);
  });

  it('must exist, like the event', async () => {
    const caller = http.caller();
    expect((await simulate(caller, 'holders', 'sah_none', 'pass')).status).toBe(404);
    expect((await simulate(caller, 'holders', caller.seed('person_id'), 'pass')).status).toBe(200);
    expect((await simulate(caller, 'holders', caller.seed('person_id'), 'marry')).status).toBe(400);
  });
});

describe('a card', () => {
  it('that is locked declines everything until it is unlocked', async () => {
    const caller = http.caller();
    const id = caller.seed('virtual_card_id');
    await caller.listen();
    expect((await simulate(caller, 'cards', id, 'lock')).at('card.status')).toBe('locked');
    const declined = await simulate(caller, 'cards', id, 'authorize', { amount: '1.00' });
    expect(declined.at('transaction.status')).toBe('declined');
    expect((await simulate(caller, 'cards', id, 'unlock')).at('card.status')).toBe('open');
    const approved = await simulate(caller, 'cards', id, 'authorize', { amount: '1.00' });
    expect(approved.at('transaction.status')).toBe('pending');
    const { v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind).filter((kind) => kind.startsWith('card.'))).toEqual([
      'card.status.locked',
      'card.status.open',
    ]);
  });

  it('is shipped and delivered, with a tracking number from the caller', async () => {
    const caller = http.caller();
    const id = caller.seed('physical_card_id');
    await caller.listen();
    const shipped = await simulate(caller, 'cards', id, 'ship', {
      number: '9400',
      url: 'https://carrier.example/9400',
      provider: 'fedex',
      eta: '2026-12-01',
    });
    expect(shipped.at('card.card_fulfilment.tracking')).toEqual({
      status: 'shipped',
      number: '9400',
      url: 'https://carrier.example/9400',
      provider: 'fedex',
      eta: '2026-12-01',
    });
    const again = await simulate(caller, 'cards', id, 'ship');
    expect([again.status, again.at('error.hint')]).toEqual([409, 'legal: lock, deliver']);
    const delivered = await simulate(caller, 'cards', id, 'deliver');
    expect(delivered.at('card.card_fulfilment.tracking')).toMatchObject({
      status: 'delivered',
      number: '9400',
    });
    expect((await simulate(caller, 'cards', id, 'deliver')).status).toBe(409);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind)).toEqual(['card.updated', 'card.updated']);
    expect(v1.map(({ record }) => (record.shipping as { deliveryStatus: string }).deliveryStatus)).toEqual([
      'shipped',
      'delivered',
    ]);
  });

  it('that is delivered was shipped before, with our own tracking number', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await simulate(caller, 'cards', caller.seed('physical_card_id'), 'deliver');
    expect(answer.at('card.card_fulfilment.tracking')).toMatchObject({
      status: 'delivered',
      number: expect.stringMatching(/^\d{20}$/),
      url: expect.stringContaining('https://'),
      eta: '2026-11-25',
    });
    expect((await caller.receivedEvents()).v2).toHaveLength(2);
  });

  it('that is virtual or closed is not shipped', async () => {
    const caller = http.caller();
    const virtual = await simulate(caller, 'cards', caller.seed('virtual_card_id'), 'ship');
    expect([virtual.status, virtual.at('error.hint')]).toEqual([409, 'legal: lock']);
    const id = caller.seed('physical_card_id');
    await caller.v1('DELETE', `/v1/card/${caller.seed('inactive_card_id')}`);
    expect((await simulate(caller, 'cards', id, 'ship')).status).toBe(409);
    expect((await simulate(caller, 'cards', id, 'lock')).status).toBe(409);
    expect((await simulate(caller, 'cards', id, 'ship', { eta: '2026-02-30' })).status).toBe(400);
    expect((await simulate(caller, 'cards', id, 'eat')).status).toBe(400);
  });
});

describe('an account', () => {
  it('that is locked accepts nothing until it is unlocked', async () => {
    const caller = http.caller();
    const id = caller.seed('sub_account_id');
    await caller.listen();
    expect((await simulate(caller, 'accounts', id, 'lock')).at('account.status')).toBe('locked');
    const pull = {
      sub_account_id: id,
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '1.00',
    };
    expect((await caller.v2('POST', '/v2/payments/ach/pull', pull)).status).toBe(400);
    expect((await simulate(caller, 'accounts', id, 'lock')).at('error.hint')).toBe('legal: unlock');
    const unlocked = await simulate(caller, 'accounts', caller.seed('account_id'), 'unlock');
    expect(unlocked.at('account')).toMatchObject({ status: 'open', available_balance: '5000.00' });
    expect((await caller.v2('POST', '/v2/payments/ach/pull', pull)).status).toBe(201);
    const { v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind).slice(0, 2)).toEqual([
      'sub_account.status.locked',
      'sub_account.status.open',
    ]);
  });
});

describe('a simulation for an unknown id', () => {
  it.each([
    ['transactions', 'txn', 'settle', 'cannot find transaction by id'],
    ['holders', 'sah', 'lock', 'cannot find account holder by id'],
    ['accounts', 'sub', 'lock', 'cannot find account by id'],
    ['cards', 'crd', 'lock', 'cannot find card by id'],
  ])('of %s is refused with an explanation', async (what, prefix, event, message) => {
    const answer = await simulate(http.caller(), what, `${prefix}_${'0'.repeat(32)}`, event, {});
    expect([answer.status, answer.at('error.message')]).toEqual([404, message]);
  });
});
