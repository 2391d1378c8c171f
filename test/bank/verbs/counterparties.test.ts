// Counterparties: their creation, their accounts in this bank, the merge of their rails, and their status changes.

import { describe, expect, test } from 'vitest';
import type { Counterparty } from '../../../src/bank/model/records.ts';
import type { CounterpartyChange, NewCounterparty } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { business, everyRail, kindsV1, kindsV2, person, putCounterparty } from './parties.ts';

const ACH = {
  accountNumber: '1',
  routingNumber: '121042882',
  accountType: 'personal_checking',
  bankName: '',
  verified: false,
} as const;

const create = ({ run, id }: TestSandbox, changes: Partial<NewCounterparty> = {}) =>
  run(({ counterparties }) =>
    counterparties.create({ accountId: id('account'), name: 'Harbor', rails: {}, ...changes }),
  );

const change = ({ run }: TestSandbox, id: string, changes: CounterpartyChange) =>
  run(({ counterparties }) => counterparties.change(id, changes));

describe('a new counterparty', () => {
  test('is active immediately, has only the requested rails, and publishes an event', async () => {
    const sandbox = openTestSandbox();
    const { id, newFacts, bank } = sandbox;
    const made = await create(sandbox, { rails: { ach: ACH }, metadata: { a: '1' }, email: 'h@x.example' });
    expect(made).toMatchObject({
      accountId: id('account'),
      holderId: id('person'),
      name: 'Harbor',
      label: 'Harbor',
      type: 'person',
      relation: 'others',
      person: null,
      business: null,
      email: 'h@x.example',
      phone: '',
      status: 'activated',
      ofacStatus: 'pass',
      metadata: { a: '1' },
      createdAt: START,
      deactivatedAt: null,
      deletedAt: null,
    });
    expect(Object.entries(made.rails).filter(([, rail]) => rail !== null)).toEqual([
      ['ach', { ...ACH, bankName: 'Wells Fargo' }],
    ]);
    expect(bank.counterparties.byId(made.id)).toEqual(made);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(['counterparty.created', 'counterparty.status.activated']);
    expect(kindsV1(facts)).toEqual(['contact.created']);
  });

  test.each<[string, Partial<NewCounterparty>, Partial<Counterparty>]>([
    ['its person', { person: person() }, { name: 'Eva Stone', label: 'Eva Stone', type: 'person' }],
    ['its business', { business: business() }, { name: 'Stone Works Inc', type: 'business' }],
    ['what it is told', { person: person(), name: 'Ev', label: 'E.' }, { name: 'Ev', label: 'E.' }],
  ])('is called after %s', async (_, fields, called) => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const made = await run(({ counterparties }) =>
      counterparties.create({ accountId: id('account'), rails: {}, ...fields }),
    );
    expect(made).toMatchObject(called);
  });

  test('gets bank names from routing numbers, unless the request has them', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    const { rails } = await create(sandbox, everyRail(id('account'), id('other_account')));
    for (const rail of ['ach', 'domesticWire', 'rtp', 'fednow'] as const) {
      expect(rails[rail]?.bankName).toBe('Wells Fargo');
    }
    const own = await create(sandbox, { rails: { ach: { ...ACH, bankName: 'My Bank' } } });
    expect(own.rails.ach?.bankName).toBe('My Bank');
    const unknown = await create(sandbox, { rails: { ach: { ...ACH, routingNumber: '123456780' } } });
    expect(unknown.rails.ach?.bankName).toBe('');
  });

  test('requires an existing account', async () => {
    await expect(create(openTestSandbox(), { accountId: '0'.repeat(32) })).rejects.toMatchObject({
      code: 'account_not_found',
    });
  });
});

describe('an intrabank account of a counterparty', () => {
  test('is found by its number or its id, and stored with both', async () => {
    const sandbox = openTestSandbox();
    const { id, bank } = sandbox;
    const accountId = id('other_account');
    const { accountNumber } = bank.accounts.byId(accountId).account;
    for (const intraAccount of [{ accountNumber }, { accountId }]) {
      const made = await create(sandbox, { rails: { intraAccount } });
      expect(made.rails.intraAccount).toEqual({ accountId, accountNumber });
    }
  });

  test.each([
    { accountNumber: '9500000000000000' },
    { accountNumber: '' },
    {},
    { accountId: '0'.repeat(32) },
  ])('that does not exist is refused: %o', async (intraAccount) => {
    const sandbox = openTestSandbox();
    const before = digestOf(sandbox.sandbox);
    await expect(create(sandbox, { rails: { intraAccount } })).rejects.toMatchObject({
      code: 'intra_account_unknown',
      field: 'intraAccount',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('is never the own account', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    const rails = { intraAccount: { accountId: id('account') } };
    for (const relation of ['others', 'selfIntrabank'] as const) {
      await expect(create(sandbox, { rails, relation })).rejects.toMatchObject({
        code: 'intra_account_own',
        field: 'intraAccount',
      });
    }
  });

  test('may belong to the same holder only if the request says so', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const { account } = await run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'cash' }));
    const rails = { intraAccount: { accountId: account.id } };
    await expect(create(sandbox, { rails })).rejects.toMatchObject({ code: 'intra_account_own' });
    const made = await create(sandbox, { rails, relation: 'selfIntrabank' });
    expect(made.rails.intraAccount?.accountId).toBe(account.id);
  });

  test('may belong to the same holder in a version without such a field, and is marked accordingly', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const { account } = await run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'cash' }));
    const own = { intraAccount: { accountId: account.id, maySelf: true } } as const;
    expect(await create(sandbox, { rails: own })).toMatchObject({ relation: 'selfIntrabank' });
    const made = await create(sandbox, {
      rails: { intraAccount: { accountId: id('other_account'), maySelf: true } },
    });
    expect(made.relation).toBe('others');
    expect((await change(sandbox, made.id, { rails: own })).relation).toBe('selfIntrabank');
    await expect(
      create(sandbox, { rails: { intraAccount: { accountId: id('account'), maySelf: true } } }),
    ).rejects.toMatchObject({ code: 'intra_account_own' });
  });
});

describe('a change of a counterparty', () => {
  test('keeps the fields that it does not contain, and publishes an event', async () => {
    const sandbox = openTestSandbox();
    const made = await create(sandbox, { person: person(), metadata: { a: '1' }, rails: { ach: ACH } });
    sandbox.clock.advance(1_000);
    sandbox.newFacts();
    const changed = await change(sandbox, made.id, {
      label: 'new',
      person: { lastName: 'Rock' },
      metadata: { b: '2' },
    });
    expect(changed).toEqual({
      ...made,
      label: 'new',
      person: person({ lastName: 'Rock' }),
      metadata: { a: '1', b: '2' },
      updatedAt: START + 1_000,
    });
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['counterparty.updated']);
    expect(kindsV1(facts)).toEqual(['contact.updated']);
  });

  test('replaces the rails that it contains and removes those that are empty', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    const made = await create(sandbox, everyRail(id('account'), id('other_account')));
    const changed = await change(sandbox, made.id, {
      rails: { ach: { ...ACH, routingNumber: '021000021' }, rtp: null, intraAccount: null },
    });
    expect(changed.rails).toEqual({
      ...made.rails,
      ach: { ...ACH, routingNumber: '021000021', bankName: 'JPMorgan Chase' },
      rtp: null,
      intraAccount: null,
    });
  });

  test('looks up an account of this bank like a creation, with the same refusals', async () => {
    const sandbox = openTestSandbox();
    const { id, bank } = sandbox;
    const made = await create(sandbox);
    const { accountNumber } = bank.accounts.byId(id('other_account')).account;
    const changed = await change(sandbox, made.id, { rails: { intraAccount: { accountNumber } } });
    expect(changed.rails.intraAccount).toEqual({ accountId: id('other_account'), accountNumber });
    await expect(
      change(sandbox, made.id, { rails: { intraAccount: { accountNumber: '1' } } }),
    ).rejects.toMatchObject({ code: 'intra_account_unknown' });
    await expect(
      change(sandbox, made.id, { rails: { intraAccount: { accountId: id('account') } } }),
    ).rejects.toMatchObject({ code: 'intra_account_own' });
  });

  test('of the person or business also changes the name, unless the request has one', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    const make = (fields: Partial<NewCounterparty>) =>
      run(({ counterparties }) => counterparties.create({ accountId: id('account'), rails: {}, ...fields }));
    const eva = await make({ person: person() });
    expect((await change(sandbox, eva.id, { person: { lastName: 'Rock' } })).name).toBe('Eva Rock');
    expect((await change(sandbox, eva.id, { name: 'E.R.' })).person?.lastName).toBe('Rock');
    expect((await change(sandbox, eva.id, { person: { lastName: 'Flint' } })).name).toBe('E.R.');
    const works = await make({ business: business() });
    expect((await change(sandbox, works.id, { business: { legalName: 'Flint Inc' } })).name).toBe(
      'Flint Inc',
    );
  });

  test('adds a person to a contact without one', async () => {
    const sandbox = openTestSandbox();
    const made = await create(sandbox);
    const changed = await change(sandbox, made.id, { person: { firstName: 'Ivo' } });
    expect(changed).toMatchObject({
      name: 'Harbor',
      person: { firstName: 'Ivo', lastName: '', address: null },
    });
  });

  test('to another type requires the object of that type, and keeps the former object', async () => {
    const sandbox = openTestSandbox();
    const made = await create(sandbox, { person: person() });
    await expect(
      change(sandbox, made.id, { type: 'business', person: { firstName: 'X' } }),
    ).rejects.toMatchObject({
      code: 'field_invalid',
      field: 'business',
    });
    const changed = await change(sandbox, made.id, { type: 'business', business: business() });
    expect(changed).toMatchObject({ type: 'business', person: null, business: business() });
    const again = await change(sandbox, made.id, { type: 'business', person: person() });
    expect(again).toMatchObject({ type: 'business', person: null, business: business() });
  });

  test('requires an existing counterparty that is not deleted', async () => {
    const sandbox = openTestSandbox();
    const refusal = { code: 'counterparty_not_found' };
    await expect(change(sandbox, '0'.repeat(32), {})).rejects.toMatchObject(refusal);
    const made = await create(sandbox);
    putCounterparty(sandbox, made.id, { deletedAt: START });
    await expect(change(sandbox, made.id, { label: 'x' })).rejects.toMatchObject(refusal);
    expect(sandbox.bank.counterparties.byId(made.id).label).toBe('Harbor');
  });
});

describe('the list of counterparties', () => {
  test('contains those that match the filters, newest first, including deleted ones', async () => {
    const sandbox = openTestSandbox();
    const { bank, run, id } = sandbox;
    const made = [await create(sandbox, { externalReferenceId: 'a' }), await create(sandbox)];
    await run(({ counterparties }) => counterparties.remove(made[1]?.id ?? ''));
    const window = { kind: 'cursor', limit: 3, after: '', before: '' } as const;
    const { items, total } = bank.counterparties.list([{ field: 'accountId', is: id('account') }], window);
    expect(total).toBe(4);
    expect(items.map((item) => item.id)).toEqual([made[1]?.id, made[0]?.id, id('intra_counterparty')]);
    const referred = bank.counterparties.list([{ field: 'externalReferenceId', is: 'a' }], window);
    expect(referred.items.map((item) => item.id)).toEqual([made[0]?.id]);
  });
});

describe('a deleted counterparty', () => {
  const remove = ({ run }: TestSandbox, id: string) => run(({ counterparties }) => counterparties.remove(id));

  test('can be read, publishes one event, and refuses changes and a second deletion', async () => {
    const sandbox = openTestSandbox();
    const made = await create(sandbox);
    sandbox.newFacts();
    sandbox.clock.advance(1_000);
    const deleted = await remove(sandbox, made.id);
    const at = START + 1_000;
    const expected = { status: 'deactivated', updatedAt: at, deactivatedAt: at, deletedAt: at };
    expect(deleted).toEqual({ ...made, ...expected });
    expect(sandbox.bank.counterparties.byId(made.id)).toEqual(deleted);
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['contact.updated']);
    expect(kindsV2(facts)).toEqual(['counterparty.status.deactivated']);
    for (const again of [
      remove(sandbox, made.id),
      change(sandbox, made.id, {}),
      remove(sandbox, '0'.repeat(32)),
    ]) {
      await expect(again).rejects.toMatchObject({ code: 'counterparty_not_found' });
    }
  });

  test('may have been deactivated, suspended or locked before', async () => {
    const sandbox = openTestSandbox();
    for (const status of ['deactivated', 'suspended', 'locked'] as const) {
      const { id } = await create(sandbox);
      putCounterparty(sandbox, id, {
        status,
        lockedFrom: status === 'locked' ? 'activated' : null,
        deactivatedAt: status === 'deactivated' ? START - 1 : null,
      });
      sandbox.newFacts();
      expect(await remove(sandbox, id)).toMatchObject({
        status: 'deactivated',
        lockedFrom: null,
        deactivatedAt: status === 'deactivated' ? START - 1 : START,
        deletedAt: START,
      });
      expect(kindsV1(sandbox.newFacts())).toEqual(['contact.updated']);
    }
  });
});

describe('the life cycle of a counterparty', () => {
  const requests = ['activated', 'suspended', 'deactivated', 'pending_activation'] as const;
  const transitions: [Counterparty['status'], (Counterparty['status'] | 'refused')[], string[]][] = [
    [
      'pending_activation',
      ['activated', 'refused', 'deactivated', 'pending_activation'],
      ['activate', 'deactivate', 'lock'],
    ],
    ['activated', ['activated', 'suspended', 'deactivated', 'refused'], ['suspend', 'deactivate', 'lock']],
    ['suspended', ['activated', 'suspended', 'deactivated', 'refused'], ['activate', 'deactivate', 'lock']],
    ['deactivated', ['refused', 'refused', 'deactivated', 'refused'], []],
    [
      'locked',
      ['refused', 'refused', 'deactivated', 'refused'],
      ['unlock_pending', 'unlock_activated', 'unlock_suspended', 'deactivate'],
    ],
  ];
  const cases = transitions.flatMap(([status, ends, legal]) =>
    requests.map((requested, place) => [status, requested, ends[place], legal] as const),
  );

  test.each(cases)('from %s with the request %s results in %s', async (status, requested, end, legal) => {
    const sandbox = openTestSandbox();
    const { id } = await create(sandbox);
    putCounterparty(sandbox, id, {
      status,
      lockedFrom: status === 'locked' ? 'activated' : null,
      deactivatedAt: status === 'deactivated' ? START - 1 : null,
    });
    sandbox.newFacts();
    if (end === 'refused') {
      const before = digestOf(sandbox.sandbox);
      await expect(change(sandbox, id, { status: requested })).rejects.toMatchObject({
        code: 'illegal_step',
        legal,
      });
      expect(digestOf(sandbox.sandbox)).toBe(before);
      return;
    }
    const changed = await change(sandbox, id, { status: requested });
    expect(changed).toMatchObject({ status: end, lockedFrom: null });
    if (end === 'deactivated') expect(changed.deactivatedAt).toBe(status === end ? START - 1 : START);
    expect(kindsV2(sandbox.newFacts())).toEqual([
      'counterparty.updated',
      ...(status === end ? [] : [`counterparty.status.${end}`]),
    ]);
  });
});
