// Changes of a holder by a client: details field by field, members by their id, the status by its state machine, and
// the names and phones that an API version locks.

import { describe, expect, test } from 'vitest';
import type { HolderChange } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { ADDRESS, business, kindsV1, kindsV2, member, openAccount, person } from './parties.ts';

const EVERYTHING = { kind: 'offset', limit: 100, offset: 0 } as const;

const makePerson = ({ run }: TestSandbox, changes: Parameters<typeof person>[0] = {}) =>
  run((bank) => bank.holders.create({ person: person(changes) }));

const makeBusiness = ({ run }: TestSandbox) =>
  run((bank) =>
    bank.holders.create({ business: business(), members: [member('312345678'), member('412345678')] }),
  );

describe('a change of a holder', () => {
  test('replaces the fields that it contains, and an address as a whole', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox);
    sandbox.clock.advance(1_000);
    sandbox.newFacts();
    const address = { ...ADDRESS, line1: '2 Pier', postalCode: '97202' };
    const { holder: changed } = await sandbox.run(({ holders }) =>
      holders.change(holder.id, {
        person: { firstName: 'Ada', address },
        purpose: 'Rent',
        externalReferenceId: 'crm-1',
        metadata: { a: '1' },
      }),
    );
    expect(changed).toEqual({
      ...holder,
      name: 'Ada Stone',
      person: { ...holder.person, firstName: 'Ada', address },
      purpose: 'Rent',
      externalReferenceId: 'crm-1',
      metadata: { a: '1' },
      updatedAt: START + 1_000,
    });
    expect(sandbox.bank.holders.byId(holder.id).holder).toEqual(changed);
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['sub_account_holder.updated']);
    expect(kindsV1(facts)).toEqual(['person.updated']);
  });

  test("of the name also changes the holder's accounts, and no others", async () => {
    const sandbox = openTestSandbox();
    const { file, accountId } = await openAccount(sandbox, 'Eva', '512345678');
    const other = sandbox.bank.accounts.byId(sandbox.id('account')).account.holderName;
    await sandbox.run(({ holders }) => holders.change(file.holder.id, { person: { lastName: 'Field' } }));
    expect(sandbox.bank.accounts.byId(accountId).account.holderName).toBe('Eva Field');
    expect(sandbox.bank.accounts.byId(sandbox.id('account')).account.holderName).toBe(other);
  });

  test('has no object for the other type of holder', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox);
    const changed = await sandbox.run(({ holders }) =>
      holders.change(holder.id, { business: { legalName: 'No Inc' }, members: [member('512345678')] }),
    );
    expect(changed).toEqual({ holder, members: [] });
  });

  test('changes an existing member, adds a new one, and keeps the others', async () => {
    const sandbox = openTestSandbox();
    const { holder, members } = await makeBusiness(sandbox);
    const [first, second] = members;
    sandbox.clock.advance(1_000);
    const changed = await sandbox.run(({ holders }) =>
      holders.change(holder.id, {
        members: [
          { id: String(second?.id), person: { email: 'new@sandbank.example' }, ownership: 2_500 },
          member('612345678'),
        ],
      }),
    );
    expect(changed.members).toHaveLength(3);
    expect(changed.members[0]).toEqual(first);
    expect(changed.members[1]).toEqual({
      ...second,
      person: { ...second?.person, email: 'new@sandbank.example' },
      ownership: 2_500,
      updatedAt: START + 1_000,
    });
    expect(changed.members[2]).toMatchObject({
      holderId: holder.id,
      person: { idNumber: '612345678' },
      kyc: { status: 'not_started' },
    });
    expect(sandbox.bank.holders.byId(holder.id)).toEqual(changed);
  });

  test('of a member that is a person of the bank changes that person', async () => {
    const sandbox = openTestSandbox();
    const { holder: owner } = await makePerson(sandbox, { idNumber: '712345678' });
    const { holder } = await makeBusiness(sandbox);
    const { member: made } = await sandbox.run(({ members }) =>
      members.create({ of: { businessId: holder.id }, person: owner.id }),
    );
    const changed = await sandbox.run(({ holders }) =>
      holders.change(holder.id, { members: [{ id: made.id, person: { firstName: 'Ida' }, title: 'CFO' }] }),
    );
    expect(changed.members.at(-1)).toMatchObject({ person: { firstName: 'Ida' }, title: 'CFO' });
    expect(sandbox.bank.holders.byId(owner.id).holder.name).toBe('Ida Stone');
    expect(sandbox.bank.holders.byId(holder.id)).toEqual(changed);
  });
});

describe('a verification by the client', () => {
  test('activates a pending holder, and is published once', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox);
    sandbox.newFacts();
    const verification = { status: 'pass', method: 'veriff', url: 'https://v.example/2' } as const;
    const changed = await sandbox.run(({ holders }) => holders.change(holder.id, { verification }));
    expect(changed.holder).toMatchObject({ status: 'activated', verification });
    expect(changed.holder.verification.id).toBe(holder.verification.id);
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['sub_account_holder.updated', 'sub_account_holder.status.activated']);
    expect(kindsV1(facts)).toEqual(['person.kyc.approved', 'person.kyc.updated', 'person.updated']);
  });

  test('is applied before a status in the same request', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox);
    const verification = { status: 'pass', method: 'own', url: '' } as const;
    const changed = await sandbox.run(({ holders }) =>
      holders.change(holder.id, { verification, status: 'suspended' }),
    );
    expect(changed.holder).toMatchObject({ status: 'suspended', verification: { status: 'pass' } });
  });

  test('that failed ends a submitted check, and activates nothing', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { holder } = await makePerson(sandbox);
    await sandbox.run(({ holders }) => holders.submitKyc(holder.id, { async: true }));
    const verification = { status: 'fail', method: 'own', url: '' } as const;
    await sandbox.run(({ holders }) => holders.change(holder.id, { verification }));
    expect(await sandbox.pass(10_000)).toBe(0);
    expect(sandbox.bank.holders.byId(holder.id).holder).toMatchObject({
      status: 'pending_activation',
      verification: { status: 'fail' },
    });
  });
});

describe('the status of a holder', () => {
  test('changes to suspended, back, and finally to deactivated', async () => {
    const sandbox = openTestSandbox();
    const { file } = await openAccount(sandbox, 'Eva', '512345678');
    const { id } = file.holder;
    const to = (status: NonNullable<HolderChange['status']>) =>
      sandbox.run(({ holders }) => holders.change(id, { status }));
    sandbox.newFacts();
    expect((await to('suspended')).holder.status).toBe('suspended');
    expect((await to('activated')).holder.status).toBe('activated');
    sandbox.clock.advance(5_000);
    expect((await to('deactivated')).holder).toMatchObject({
      status: 'deactivated',
      deactivatedAt: START + 5_000,
    });
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual([
      'sub_account_holder.status.suspended',
      'sub_account_holder.status.activated',
      'sub_account_holder.status.deactivated',
    ]);
    expect(kindsV1(facts)).toEqual(['person.updated', 'person.updated', 'person.updated']);
    await expect(to('activated')).rejects.toMatchObject({ code: 'illegal_step' });
  });

  test('does not change if it is already set', async () => {
    const sandbox = openTestSandbox();
    const { file } = await openAccount(sandbox, 'Eva', '512345678');
    sandbox.newFacts();
    await sandbox.run(({ holders }) => holders.change(file.holder.id, { status: 'activated' }));
    expect(kindsV2(sandbox.newFacts())).toEqual([]);
  });

  test('cannot be set to activated by a client before a verification has passed', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox);
    const before = digestOf(sandbox.sandbox);
    await expect(
      sandbox.run(({ holders }) => holders.change(holder.id, { status: 'activated' })),
    ).rejects.toMatchObject({ code: 'holder_not_verified', field: 'status' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
    sandbox.sandbox.store.holders.replace({
      ...holder,
      verification: { ...holder.verification, status: 'pass' },
    });
    const changed = await sandbox.run(({ holders }) => holders.change(holder.id, { status: 'activated' }));
    expect(changed.holder.status).toBe('activated');
  });

  test('of a locked holder is changed only by the platform, except to deactivated', async () => {
    const sandbox = openTestSandbox();
    const { file } = await openAccount(sandbox, 'Eva', '512345678');
    const { id } = file.holder;
    await sandbox.run(({ holders }) => holders.lock(id));
    await expect(
      sandbox.run(({ holders }) => holders.change(id, { status: 'activated' })),
    ).rejects.toMatchObject({ code: 'illegal_step' });
    const gone = await sandbox.run(({ holders }) => holders.change(id, { status: 'deactivated' }));
    expect(gone.holder).toMatchObject({ status: 'deactivated', lockedFrom: null });
  });
});

describe('a change is refused without effect for', () => {
  const refused = async (sandbox: TestSandbox, change: HolderChange, code: string, field: string) => {
    const { holder } = sandbox.bank.holders.byId(sandbox.id('person'));
    const before = digestOf(sandbox.sandbox);
    await expect(sandbox.run(({ holders }) => holders.change(holder.id, change))).rejects.toMatchObject({
      code,
      field,
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  };

  test('an id number of another holder', async () => {
    const sandbox = openTestSandbox();
    await makePerson(sandbox, { idNumber: '512345678' });
    await refused(sandbox, { person: { idNumber: '512345678' } }, 'id_number_taken', 'person.idNumber');
    const { holder } = sandbox.bank.holders.byId(sandbox.id('person'));
    const stored = await sandbox.run(({ holders }) =>
      holders.change(holder.id, { person: { idNumber: holder.idNumber } }),
    );
    expect(stored.holder.idNumber).toBe(holder.idNumber);
  });

  test('a phone number of another holder, if phone numbers must be unique', async () => {
    const sandbox = openTestSandbox();
    await makePerson(sandbox, { phone: '+15035550188' });
    const change = { person: { phone: '+15035550188' } };
    await refused(sandbox, { ...change, uniquePhone: true }, 'phone_taken', 'person.phone');
    const id = sandbox.id('person');
    // v2 has no such rule, and an unchanged phone number is not checked again.
    await sandbox.run(({ holders }) => holders.change(id, change));
    await sandbox.run(({ holders }) => holders.change(id, { ...change, uniquePhone: true }));
    await expect(
      sandbox.run(({ holders }) =>
        holders.create({ person: person({ idNumber: '', phone: '+15035550188' }), uniquePhone: true }),
      ),
    ).rejects.toMatchObject({ code: 'phone_taken' });
  });

  test('a verified name, if names are locked', async () => {
    const sandbox = openTestSandbox();
    await refused(
      sandbox,
      { person: { firstName: 'Ida' }, lockNames: true },
      'name_locked',
      'person.firstName',
    );
    await refused(
      sandbox,
      { person: { lastName: 'Ida' }, lockNames: true },
      'name_locked',
      'person.lastName',
    );
    const { holder } = sandbox.bank.holders.byId(sandbox.id('person'));
    const middle = { person: { middleName: 'M.', firstName: String(holder.person?.firstName) } };
    await sandbox.run(({ holders }) => holders.change(holder.id, { ...middle, lockNames: true }));
    const { holder: firm } = await makeBusiness(sandbox);
    await sandbox.run(({ simulation }) => simulation.holder(firm.id, 'pass'));
    await expect(
      sandbox.run(({ holders }) =>
        holders.change(firm.id, { business: { legalName: 'X' }, lockNames: true }),
      ),
    ).rejects.toMatchObject({ code: 'name_locked', field: 'business.legalName' });
    const { holder: fresh } = await makePerson(sandbox, { idNumber: '512345678' });
    await sandbox.run(({ holders }) =>
      holders.change(fresh.id, { person: { firstName: 'Ida' }, lockNames: true }),
    );
  });

  test('an unknown member, and two members with the same number', async () => {
    const sandbox = openTestSandbox();
    const { holder, members } = await makeBusiness(sandbox);
    const before = digestOf(sandbox.sandbox);
    const change = (requested: HolderChange) =>
      sandbox.run(({ holders }) => holders.change(holder.id, requested));
    await expect(change({ members: [{ id: '0'.repeat(32) }] })).rejects.toMatchObject({
      code: 'member_not_found',
    });
    const id = String(members[0]?.id);
    for (const same of [member('412345678'), { id, person: { idNumber: '412345678' } }]) {
      await expect(change({ members: [same] })).rejects.toMatchObject({
        code: 'id_number_taken',
        field: 'business.members.idNumber',
      });
    }
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('metadata beyond the limits, and an unknown holder', async () => {
    const sandbox = openTestSandbox();
    await refused(sandbox, { metadata: { a: 'x'.repeat(5_000) } }, 'metadata_too_large', 'metadata');
    await expect(sandbox.run(({ holders }) => holders.change('0'.repeat(32), {}))).rejects.toMatchObject({
      code: 'holder_not_found',
    });
  });
});

describe('a payment', () => {
  const pay = ({ run, id }: TestSandbox) =>
    run(({ payments }) =>
      payments.originate('ach_push', {
        accountId: id('account'),
        counterpartyId: id('ach_counterparty'),
        amount: 100,
        shortage: 'record',
      }),
    );

  test.each(['suspended', 'deactivated', 'locked'] as const)('of a %s holder is refused', async (state) => {
    const sandbox = openTestSandbox();
    const { holderId } = sandbox.bank.accounts.byId(sandbox.id('account')).account;
    await sandbox.run(({ holders }) =>
      state === 'locked' ? holders.lock(holderId) : holders.change(holderId, { status: state }),
    );
    const before = digestOf(sandbox.sandbox);
    await expect(pay(sandbox)).rejects.toMatchObject({ code: 'holder_not_active', field: 'accountId' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('is possible again when the holder is active again', async () => {
    const sandbox = openTestSandbox();
    const { holderId } = sandbox.bank.accounts.byId(sandbox.id('account')).account;
    await sandbox.run(({ holders }) => holders.change(holderId, { status: 'suspended' }));
    await sandbox.run(({ holders }) => holders.change(holderId, { status: 'activated' }));
    expect((await pay(sandbox)).status).toBe('originated');
  });
});

describe('the list of holders', () => {
  test('contains each holder with its members, newest first', async () => {
    const sandbox = openTestSandbox();
    const made = await makeBusiness(sandbox);
    const page = sandbox.bank.holders.list([], EVERYTHING);
    expect(page.items[0]).toEqual(made);
    expect(page.total).toBe(page.items.length);
  });

  test('is filtered by the fields of a holder, and by the holder of an account', async () => {
    const sandbox = openTestSandbox();
    const { file, accountId } = await openAccount(sandbox, 'Eva', '512345678');
    const { holders } = sandbox.bank;
    const businesses = holders.list([{ field: 'type', is: 'business' }], EVERYTHING).items;
    expect(businesses.map(({ holder }) => holder.id)).toContain(sandbox.id('business'));
    expect(businesses.every(({ holder }) => holder.type === 'business')).toBe(true);
    expect(holders.list([], EVERYTHING, accountId).items).toEqual([file]);
    expect(holders.list([{ field: 'type', is: 'business' }], EVERYTHING, accountId).total).toBe(0);
    expect(holders.list([], EVERYTHING, '0'.repeat(32)).total).toBe(0);
  });
});

describe('a social security number that must have nine digits', () => {
  const refused = (field: string) => ({ code: 'field_invalid', field });
  const change = ({ run }: TestSandbox, id: string, requested: HolderChange) =>
    run(({ holders }) => holders.change(id, { ...requested, fullSsn: true }));

  test.each(['1234', '712-34-5678', '7123456789', 'A12345678', ' 712345678'])(
    'is refused as %j, in a person and in a member, and nothing changes',
    async (idNumber) => {
      const sandbox = openTestSandbox();
      const { holder } = await makePerson(sandbox, { idType: 'ssn' });
      const { holder: owner, members } = await makeBusiness(sandbox);
      const before = digestOf(sandbox.sandbox);
      await expect(change(sandbox, holder.id, { person: { idNumber } })).rejects.toMatchObject(
        refused('person.idNumber'),
      );
      const [first] = members;
      const fields = { id: String(first?.id), person: { idNumber, idType: 'ssn' as const } };
      await expect(change(sandbox, owner.id, { members: [fields] })).rejects.toMatchObject(
        refused('business.members.idNumber'),
      );
      expect(digestOf(sandbox.sandbox)).toEqual(before);
    },
  );

  test('is validated in the record that results from a change', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox, { idType: 'passport', idNumber: 'C01X00T47' });
    await expect(change(sandbox, holder.id, { person: { idType: 'ssn' } })).rejects.toMatchObject(
      refused('person.idNumber'),
    );
    const both = { idType: 'ssn' as const, idNumber: '612345678' };
    const { holder: next } = await change(sandbox, holder.id, { person: both });
    expect(next).toMatchObject({ idNumber: '612345678', person: both });
    const back = { idType: 'passport' as const, idNumber: 'C01X' };
    expect((await change(sandbox, holder.id, { person: back })).holder.person).toMatchObject(back);
  });

  test('may remain four digits while other fields change', async () => {
    const sandbox = openTestSandbox();
    const four = { idType: 'ssn' as const, idNumber: '7321' };
    const { holder } = await makePerson(sandbox, four);
    const renamed = await change(sandbox, holder.id, { person: { ...four, firstName: 'Ida' } });
    expect(renamed.holder.person).toMatchObject({ ...four, firstName: 'Ida' });
    await expect(change(sandbox, holder.id, { person: { idNumber: '7322' } })).rejects.toMatchObject(
      refused('person.idNumber'),
    );
  });

  test('may have four digits without this setting', async () => {
    const sandbox = openTestSandbox();
    const { holder } = await makePerson(sandbox, { idType: 'ssn' });
    const { holder: next } = await sandbox.run(({ holders }) =>
      holders.change(holder.id, { person: { idNumber: '7321' } }),
    );
    expect(next.idNumber).toBe('7321');
  });
});
