// Changes of an account: its fields, its status and its closing, the list of accounts, and the opening credit of v1.
// Decisions `opening-balance`, `account-creation-credit`, `account-status-changes` and `account-config-changes` in
// docs/fidelity.md.

import { describe, expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { configOf } from '../../../src/bank/model/account-config.ts';
import type { Account, Family } from '../../../src/bank/model/records.ts';
import type { OffsetWindow } from '../../../src/bank/store/lists.ts';
import type { AccountChange } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { business, kindsV1, kindsV2, openAccount, person, putAccount, totals } from './parties.ts';

const change = ({ run }: TestSandbox, id: Id, wanted: AccountChange) =>
  run(({ accounts }) => accounts.change(id, wanted));

const FIRST: OffsetWindow = { kind: 'offset', offset: 0, limit: 25 };

describe('a change of an account', () => {
  test('sets the sent fields and keeps the others', async () => {
    const sandbox = openTestSandbox();
    const { id, bank, clock, newFacts } = sandbox;
    clock.advance(1_000);
    await change(sandbox, id('account'), { label: 'Rent', metadata: { a: '1', b: '2' } });
    expect(kindsV2(newFacts())).toEqual(['sub_account.updated']);
    await change(sandbox, id('account'), { purpose: 'rent', externalReferenceId: 'x', metadata: { a: '' } });
    expect(kindsV1(newFacts())).toEqual(['account.updated']);
    expect(bank.accounts.byId(id('account')).account).toMatchObject({
      label: 'Rent',
      purpose: 'rent',
      externalReferenceId: 'x',
      metadata: { b: '2' },
      status: 'open',
      createdAt: START,
      updatedAt: START + 1_000,
    });
  });

  test('without fields, or to the present status, changes nothing and publishes nothing', async () => {
    const sandbox = openTestSandbox();
    const { id, clock, newFacts } = sandbox;
    clock.advance(1_000);
    const before = digestOf(sandbox.sandbox);
    const { account } = await change(sandbox, id('account'), {});
    await change(sandbox, id('account'), { status: 'open' });
    expect(account.updatedAt).toBe(START);
    expect([newFacts(), digestOf(sandbox.sandbox)]).toEqual([[], before]);
  });

  test('is refused for metadata beyond the limits, and for an unknown account', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    await expect(
      change(sandbox, id('account'), { label: 'x', metadata: { a: 'x'.repeat(5_000) } }),
    ).rejects.toMatchObject({ code: 'metadata_too_large' });
    await expect(change(sandbox, id('person'), { label: 'x' })).rejects.toMatchObject({
      code: 'account_not_found',
    });
  });
});

describe('the status of an account', () => {
  test.each(['blocked', 'credit_blocked', 'debit_blocked'] as const)(
    'changes to %s and back, with an event for each change',
    async (status) => {
      const sandbox = openTestSandbox();
      const { id, newFacts } = sandbox;
      expect((await change(sandbox, id('account'), { status })).account.status).toBe(status);
      expect((await change(sandbox, id('account'), { status: 'open' })).account.status).toBe('open');
      const facts = newFacts();
      expect(kindsV2(facts)).toEqual([`sub_account.status.${status}`, 'sub_account.status.open']);
      expect(kindsV1(facts)).toEqual(['account.updated', 'account.updated']);
    },
  );

  test('and the texts that change in one request have separate events, in order', async () => {
    const sandbox = openTestSandbox();
    await change(sandbox, sandbox.id('account'), { status: 'blocked', label: 'Held' });
    expect(kindsV2(sandbox.newFacts())).toEqual(['sub_account.updated', 'sub_account.status.blocked']);
  });

  test.each<[Account['status'], NonNullable<AccountChange['status']>]>([
    ['closed', 'open'],
    ['closed', 'blocked'],
    ['locked', 'open'],
    ['locked', 'closed'],
  ])('does not go from %s to %s', async (from, status) => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    putAccount(sandbox, id('account'), from);
    const before = digestOf(sandbox.sandbox);
    await expect(change(sandbox, id('account'), { status, label: 'x' })).rejects.toMatchObject({
      code: 'illegal_step',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });
});

describe('closing an account', () => {
  test('that is empty is final and has a time', async () => {
    const sandbox = openTestSandbox();
    const { accountId } = await openAccount(sandbox, 'Fay', '387654321');
    sandbox.clock.advance(5_000);
    const { account } = await change(sandbox, accountId, { status: 'closed' });
    expect(account).toMatchObject({ status: 'closed', closedAt: START + 5_000 });
    expect(kindsV2(sandbox.newFacts())).toContain('sub_account.status.closed');
    // Its texts can still be corrected.
    expect((await change(sandbox, accountId, { label: 'Old' })).account).toMatchObject({
      label: 'Old',
      status: 'closed',
      closedAt: START + 5_000,
    });
  });

  test('is refused while it has a balance', async () => {
    const sandbox = openTestSandbox();
    await expect(change(sandbox, sandbox.id('account'), { status: 'closed' })).rejects.toMatchObject({
      code: 'account_not_empty',
      field: 'status',
      message:
        'the account has 5000.00 available, 0.00 in pending credits, 0.00 in pending debits; it can be closed when all three are 0.00',
    });
  });

  test('is refused while money is pending, or the balance is negative', async () => {
    const sandbox = openTestSandbox();
    const { run } = sandbox;
    const { accountId } = await openAccount(sandbox, 'Fay', '387654321');
    const { id: deposit } = await run(({ payments }) =>
      payments.receive('ach_received_push', { accountId, amount: 4_000, sender: {} }),
    );
    const close = change(sandbox, accountId, { status: 'closed' });
    await expect(close).rejects.toThrow('0.00 available, 40.00 in pending credits');
    await run(({ payments }) => payments.applyEvent(deposit, 'settle'));
    const debit = await run(({ payments }) =>
      payments.receive('ach_received_pull', { accountId, amount: 4_000, sender: {} }),
    );
    await expect(change(sandbox, accountId, { status: 'closed' })).rejects.toThrow('40.00 in pending debits');
    await run(({ payments }) => {
      payments.applyEvent(debit.id, 'settle');
      payments.applyEvent(deposit, 'return');
    });
    expect(totals(sandbox, accountId)).toEqual([-4_000, 0, 0]);
    for (const mailsBalance of [false, true]) {
      const closing = change(sandbox, accountId, { status: 'closed', mailsBalance });
      await expect(closing).rejects.toThrow('-40.00 available');
    }
  });

  test('does not mail its balance to a holder without an address', async () => {
    const sandbox = openTestSandbox();
    const accountId = sandbox.id('account');
    const changes = { person: { address: null } };
    await sandbox.run(({ holders }) => holders.change(sandbox.id('person'), changes));
    const closing = change(sandbox, accountId, { status: 'closed', mailsBalance: true });
    await expect(closing).rejects.toThrow('needs an address');
    expect(totals(sandbox, accountId)).toEqual([500_000, 0, 0]);
  });
});

describe('the configuration of an account', () => {
  const ofAccount = ({ bank, id }: TestSandbox) => configOf(bank.accounts.byId(id('account')).account.config);

  test("equals the program's until it is changed", () => {
    const sandbox = openTestSandbox();
    expect(sandbox.bank.accounts.byId(sandbox.id('account')).account.config).toBeNull();
    expect(ofAccount(sandbox)).toMatchObject({
      send: { ach: { enabled: true, sameDay: true }, card: { enabled: true } },
      cards: { virtual: { enabled: true, count: 1000 }, physical: { enabled: true, count: 100 } },
      limits: { send: { overall: { daily: null, monthly: null } } },
      achPull: { enabled: true, allowedOriginators: [], blockedOriginators: [] },
    });
  });

  test('keeps fields that a change omits, at every level', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    await change(sandbox, id('account'), {
      config: {
        send: { ach: { sameDay: false }, wire: { enabled: false } },
        cards: { virtual: { count: 2 } },
        limits: { send: { overall: { daily: 100 }, ways: { ach: { monthly: 50 } } } },
        achPull: { blockedOriginators: ['Gray'] },
      },
    });
    await change(sandbox, id('account'), {
      config: {
        send: { ach: { enabled: false } },
        cards: { virtual: { enabled: false } },
        limits: { send: { overall: { monthly: 900 }, ways: { ach: { daily: 7 } } } },
        achPull: { enabled: false },
      },
    });
    const whole = ofAccount(sandbox);
    expect(whole.send).toMatchObject({
      ach: { enabled: false, sameDay: false },
      wire: { enabled: false },
      check: { enabled: true },
    });
    expect(whole.cards).toEqual({
      virtual: { enabled: false, count: 2 },
      physical: { enabled: true, count: 100 },
    });
    expect(whole.limits.send.overall).toEqual({ daily: 100, monthly: 900 });
    expect(whole.limits.send.ways.ach).toEqual({ daily: 7, monthly: 50 });
    expect(whole.limits.receive.ways.ach).toEqual({ daily: null, monthly: null });
    expect(whole.achPull).toEqual({ enabled: false, allowedOriginators: [], blockedOriginators: ['Gray'] });
  });

  test('loses a limit that a change sets to null', async () => {
    const sandbox = openTestSandbox();
    const limits = (daily: number | null) => ({ limits: { receive: { overall: { daily } } } });
    await change(sandbox, sandbox.id('account'), { config: limits(5) });
    await change(sandbox, sandbox.id('account'), { config: limits(null) });
    expect(ofAccount(sandbox).limits.receive.overall).toEqual({ daily: null, monthly: null });
  });
});

describe('an opening credit', () => {
  test('is booked from the master account after the account is created', async () => {
    const sandbox = openTestSandbox();
    const { run, id, bank, newFacts } = sandbox;
    const master = () => bank.accounts.master().totals.availableBalance;
    const before = master();
    const { account, balance } = await run(({ accounts }) =>
      accounts.open({ holderId: id('person'), type: 'checking', openingCredit: 100_000 }),
    );
    expect(balance).toMatchObject({ creditsPosted: 100_000, creditsPending: 0 });
    expect(master() - before).toBe(100_000);
    const [row, ...more] = bank.payments.ofAccount(account.id, FIRST).items;
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      rail: 'account_opening',
      status: 'settled',
      amount: 100_000,
      direction: 'credit',
      method: 'intra_account',
      type: 'push',
      message: 'incoming',
      availableBalance: 100_000,
      settledAt: START,
    });
    expect(row?.masterTotals?.availableBalance).toBe(master());
    const facts = newFacts();
    expect(kindsV1(facts)).toEqual(['account.created', 'account.credit']);
    expect(kindsV2(facts).slice(2)).toEqual(['transaction.created', 'transaction.status.settled']);
    await expect(run(({ payments }) => payments.applyEvent(row?.id ?? '', 'reverse'))).rejects.toMatchObject({
      code: 'illegal_step',
    });
  });
});

describe('opening an account', () => {
  test('of an unverified business is refused with the field businessId', async () => {
    const { run } = openTestSandbox();
    const { holder } = await run(({ holders }) => holders.create({ business: business() }));
    await expect(
      run(({ accounts }) => accounts.open({ holderId: holder.id, type: 'checking' })),
    ).rejects.toMatchObject({ code: 'account_holder_not_verified', field: 'businessId' });
  });

  test('with the wrong holder type is refused with holder_not_found', async () => {
    const { run, id } = openTestSandbox();
    const open = (holderType: 'person' | 'business') =>
      run(({ accounts }) => accounts.open({ holderId: id('person'), holderType, type: 'cash' }));
    await expect(open('business')).rejects.toMatchObject({ code: 'holder_not_found', field: 'businessId' });
    expect((await open('person')).account.holderId).toBe(id('person'));
  });

  test('for a family requires an existing active family', async () => {
    const { run, id, sandbox } = openTestSandbox();
    const open = (familyId: Id) =>
      run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'checking', familyId }));
    await expect(open('0'.repeat(32))).rejects.toMatchObject({ code: 'family_not_found' });
    const family = familyOf(id('person'));
    sandbox.store.families.insert(family);
    expect((await open(family.id)).account).toMatchObject({ familyId: family.id, holderId: id('person') });
    sandbox.store.families.replace({ ...family, status: 'suspended' });
    await expect(open(family.id)).rejects.toMatchObject({
      code: 'account_holder_not_active',
      field: 'familyId',
    });
  });
});

function familyOf(createdBy: Id): Family {
  return {
    id: 'f'.repeat(32),
    name: 'Stone',
    phone: '',
    email: '',
    address: person().address,
    metadata: null,
    status: 'activated',
    createdBy,
    createdAt: START,
    updatedAt: START,
  };
}

test('the list contains every account with its balance, newest first', async () => {
  const sandbox = openTestSandbox();
  const { id, bank } = sandbox;
  const { accountId } = await openAccount(sandbox, 'Fay', '387654321');
  const { items, total } = bank.accounts.list([], FIRST);
  expect(total).toBe(3);
  expect(items.map(({ account }) => account.id)).toEqual([accountId, id('other_account'), id('account')]);
  expect(items.at(-1)).toEqual(bank.accounts.byId(id('account')));
  const own = bank.accounts.list([{ field: 'holderId', is: id('person') }], FIRST);
  expect(own.items.map(({ account }) => account.id)).toEqual([id('account')]);
});
