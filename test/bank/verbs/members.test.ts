/** Members: their creation, their maximum ownership, the person record that a member shares, and their events. */
import { describe, expect, it } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { Window } from '../../../src/bank/store/lists.ts';
import type { NewMembership } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { business, kindsV1, kindsV2, member, person } from './parties.ts';

const ALL: Window = { kind: 'offset', limit: 100, offset: 0 };

const makeBusiness = ({ run }: TestSandbox, owners: number[] = []): Promise<Id> =>
  run(
    (bank) =>
      bank.holders.create({
        business: business(),
        members: owners.map((ownership, at) => ({ ...member(`2345678${10 + at}`), ownership })),
      }).holder.id,
  );

const addTo = ({ run }: TestSandbox, businessId: Id, input: Partial<NewMembership> = {}) =>
  run((bank) =>
    bank.members.create({
      of: { businessId },
      person: { person: person({ idNumber: '999999999' }) },
      ...input,
    }),
  );

describe('a member', () => {
  it('of a business can be created with a new person', async () => {
    const sandbox = openTestSandbox();
    const { bank } = sandbox;
    const businessId = await makeBusiness(sandbox);
    const file = await addTo(sandbox, businessId, { ownership: 5_000, title: 'CEO', controlPerson: true });
    expect(file.member).toMatchObject({
      holderId: businessId,
      familyId: null,
      person: { firstName: 'Eva' },
      kyc: { status: 'not_started' },
      ownership: 5_000,
      title: 'CEO',
      designation: '',
      controlPerson: true,
      metadata: null,
      createdAt: START,
      updatedAt: START,
    });
    expect(file.person).toEqual(bank.holders.byId(file.member.personId).holder);
    expect(bank.holders.byId(businessId).members).toEqual([file.member]);
    expect(bank.members.byId(file.member.id)).toEqual(file);
  });

  it('of a family must be an existing person', async () => {
    const { bank, id, run } = openTestSandbox();
    const family = await run(() => bank.families.create({ name: 'Lovegood' }));
    const { member: made } = await run(() =>
      bank.members.create({ of: { familyId: family.id }, person: id('person'), metadata: { a: '1' } }),
    );
    expect(made).toMatchObject({
      holderId: null,
      familyId: family.id,
      personId: id('person'),
      person: { firstName: 'Ada' },
      ownership: 0,
      controlPerson: false,
      metadata: { a: '1' },
    });
  });

  it('publishes events in v1, and as an update of its business in both versions', async () => {
    const sandbox = openTestSandbox();
    const { clock, id, bank } = sandbox;
    const businessId = await makeBusiness(sandbox);
    clock.advance(3_000);
    sandbox.newFacts();
    const { member: made } = await addTo(sandbox, businessId, { person: id('person') });
    await sandbox.run(() => bank.members.change(made.id, { title: 'CFO' }));
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual([
      'member.created',
      'business.updated',
      'member.updated',
      'business.updated',
    ]);
    expect(kindsV2(facts)).toEqual(['sub_account_holder.updated', 'sub_account_holder.updated']);
    expect(facts[0]?.record).toMatchObject({
      member: { id: made.id, title: '' },
      person: { id: id('person') },
    });
    expect(facts[1]?.record).toMatchObject({ members: [{ id: made.id }] });
    expect(bank.holders.byId(businessId).holder.updatedAt).toBe(START + 3_000);
  });

  it('changes the sent fields and keeps the others', async () => {
    const sandbox = openTestSandbox();
    const { bank, clock, run } = sandbox;
    const { member: made } = await addTo(sandbox, await makeBusiness(sandbox), {
      ownership: 5_000,
      title: 'CEO',
      metadata: { a: '1', b: '2' },
    });
    clock.advance(3_000);
    const { member: changed } = await run(() =>
      bank.members.change(made.id, { ownership: 2_550, controlPerson: true, metadata: { a: '' } }),
    );
    expect(changed).toEqual({
      ...made,
      ownership: 2_550,
      controlPerson: true,
      metadata: { b: '2' },
      updatedAt: START + 3_000,
    });
    expect(bank.members.byId(made.id).member).toEqual(changed);
  });

  it.each([
    ['of an unknown business', { of: { businessId: '0'.repeat(32) } }, 'holder_not_found'],
    ['of an unknown family', { of: { familyId: '0'.repeat(32) } }, 'family_not_found'],
    ['with an unknown person', { person: '0'.repeat(32) }, 'holder_not_found'],
    ['with metadata beyond the limits', { metadata: { a: 'x'.repeat(5000) } }, 'metadata_too_large'],
    ['who owns more than the remaining share', { ownership: 10_001 }, 'ownership_exceeded'],
    ['without a person', { person: {} }, 'holder_type_wrong'],
  ] as const)('%s is refused and changes nothing', async (_, input, code) => {
    const sandbox = openTestSandbox();
    const businessId = await makeBusiness(sandbox);
    const before = digestOf(sandbox.sandbox);
    await expect(addTo(sandbox, businessId, input)).rejects.toMatchObject({ code });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  it('must be a person in a business', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    await expect(addTo(sandbox, id('person'))).rejects.toMatchObject({
      code: 'holder_not_found',
      field: 'businessId',
    });
    const businessId = await makeBusiness(sandbox);
    await expect(addTo(sandbox, businessId, { person: id('business') })).rejects.toMatchObject({
      code: 'holder_not_found',
      field: 'personId',
    });
  });

  it('belongs once to a business or family, and to any number of them', async () => {
    const sandbox = openTestSandbox();
    const { id, run, bank } = sandbox;
    const businessId = await makeBusiness(sandbox);
    const family = await run(() => bank.families.create({ name: 'Lovegood' }));
    await addTo(sandbox, businessId, { person: id('person') });
    await addTo(sandbox, id('business'), { person: id('person') });
    await addTo(sandbox, businessId, { of: { familyId: family.id }, person: id('person') });
    for (const of of [{ businessId }, { familyId: family.id }]) {
      await expect(addTo(sandbox, businessId, { of, person: id('person') })).rejects.toMatchObject({
        code: 'member_exists',
      });
    }
  });

  it('cannot join a deactivated business', async () => {
    const sandbox = openTestSandbox();
    const businessId = await makeBusiness(sandbox);
    await sandbox.run((bank) => bank.holders.change(businessId, { status: 'deactivated' }));
    await expect(addTo(sandbox, businessId)).rejects.toMatchObject({ code: 'holder_not_active' });
  });
});

describe('the ownership of a business', () => {
  it('is at most 100 % in total, whichever version created the members', async () => {
    const sandbox = openTestSandbox();
    const { bank, run } = sandbox;
    const businessId = await makeBusiness(sandbox, [6_000, 2_999]);
    await expect(addTo(sandbox, businessId, { ownership: 1_002 })).rejects.toMatchObject({
      code: 'ownership_exceeded',
      field: 'ownership',
    });
    const { member: last } = await addTo(sandbox, businessId, { ownership: 1_001 });
    await expect(run(() => bank.members.change(last.id, { ownership: 1_002 }))).rejects.toMatchObject({
      code: 'ownership_exceeded',
    });
    // Its own share does not count against itself.
    await run(() => bank.members.change(last.id, { ownership: 1_000 }));
    await run(() => bank.members.change(last.id, { ownership: 1_001, title: 'COO' }));
    expect(bank.members.byId(last.id).member.ownership).toBe(1_001);
  });

  it('does not apply to a family', async () => {
    const sandbox = openTestSandbox();
    const { run, bank, id } = sandbox;
    const { id: familyId } = await run(() => bank.families.create({ name: 'Lovegood' }));
    const of = { familyId };
    await run(() => bank.members.create({ of, person: id('person'), ownership: 10_000 }));
    await run(() => bank.members.create({ of, person: id('other_person'), ownership: 10_000 }));
    expect(bank.members.list([{ field: 'familyId', is: familyId }], ALL).total).toBe(2);
  });
});

describe('a member that is a person of the bank', () => {
  it('changes with the person, and the person with the member', async () => {
    const sandbox = openTestSandbox();
    const { bank, run } = sandbox;
    const businessId = await makeBusiness(sandbox);
    const { member: made } = await addTo(sandbox, businessId);
    await run(() => bank.holders.change(made.personId, { person: { lastName: 'Reed' } }));
    expect(bank.members.byId(made.id).member.person.lastName).toBe('Reed');
    expect(bank.holders.byId(businessId).members[0]?.person.lastName).toBe('Reed');
    await run(() =>
      bank.holders.change(businessId, { members: [{ id: made.id, person: { email: 'eva@reed.example' } }] }),
    );
    expect(bank.holders.byId(made.personId).holder.person?.email).toBe('eva@reed.example');
    expect(bank.members.byId(made.id).member.person.email).toBe('eva@reed.example');
  });

  it('has passed if the person has passed', async () => {
    const sandbox = openTestSandbox();
    const { bank, run } = sandbox;
    const { member: made } = await addTo(sandbox, await makeBusiness(sandbox));
    await run(() => bank.holders.submitKyc(made.personId));
    expect(bank.members.byId(made.id).member.kyc).toEqual(
      bank.holders.byId(made.personId).holder.verification,
    );
    expect(bank.members.byId(made.id).member.kyc.status).toBe('pass');
  });

  it('is checked with the business as a person, with events for a person', async () => {
    const sandbox = openTestSandbox();
    const { bank, run } = sandbox;
    const businessId = await makeBusiness(sandbox);
    const { member: made } = await addTo(sandbox, businessId);
    sandbox.newFacts();
    const { holder, members } = await run(() => bank.holders.submitKyb(businessId));
    expect(holder.verification.status).toBe('pass');
    expect(members[0]?.kyc.status).toBe('pass');
    expect(bank.holders.byId(made.personId).holder).toMatchObject({
      status: 'activated',
      verification: { status: 'pass' },
    });
    expect(kindsV1(sandbox.newFacts()).filter((kind) => kind.includes('.ky'))).toEqual([
      'person.kyc.approved',
      'person.kyc.updated',
      'business.kyb.approved',
    ]);
  });

  it.each([
    ['099999999', 'fail'],
    ['199999999', 'review'],
  ])('with the number %s makes the KYB a %s, unless the person has passed', async (idNumber, outcome) => {
    const sandbox = openTestSandbox();
    const { bank, run } = sandbox;
    const businessId = await makeBusiness(sandbox);
    const { member: made } = await addTo(sandbox, businessId, { person: { person: person({ idNumber }) } });
    const failed = await run(() => bank.holders.submitKyb(businessId));
    expect(failed.holder.verification.status).toBe(outcome);
    expect(bank.holders.byId(made.personId).holder.verification.status).toBe(outcome);
    await run(() => bank.holders.decide(made.personId, 'pass'));
    sandbox.newFacts();
    const passed = await run(() => bank.holders.submitKyb(businessId));
    expect(passed.holder.verification.status).toBe('pass');
    expect(kindsV1(sandbox.newFacts()).some((kind) => kind.startsWith('person.'))).toBe(false);
  });
});

describe('the list of members', () => {
  it('is sorted newest first, and filtered by business, family and person', async () => {
    const sandbox = openTestSandbox();
    const { bank, run, id } = sandbox;
    const businessId = await makeBusiness(sandbox, [6_000]);
    const { member: second } = await addTo(sandbox, businessId, { person: id('person'), ownership: 2_500 });
    const { id: familyId } = await run(() => bank.families.create({ name: 'Lovegood' }));
    const { member: third } = await run(() =>
      bank.members.create({ of: { familyId }, person: id('person') }),
    );
    const ids = (...where: Parameters<typeof bank.members.list>[0]) =>
      bank.members.list(where, ALL).items.map(({ member }) => member.id);
    expect(ids({ field: 'holderId', is: businessId })).toHaveLength(2);
    expect(ids({ field: 'holderId', is: businessId })[0]).toBe(second.id);
    expect(ids({ field: 'familyId', is: familyId })).toEqual([third.id]);
    expect(ids({ field: 'personId', is: id('person') })).toEqual([third.id, second.id]);
    expect(ids({ field: 'ownership', to: 2_500 }, { field: 'holderId', is: businessId })).toEqual([
      second.id,
    ]);
    const [file] = bank.members.list([{ field: 'personId', is: id('person') }], ALL).items;
    expect(file?.person?.id).toBe(id('person'));
  });

  it('contains members that v2 created, without a person', async () => {
    const { bank, id } = openTestSandbox();
    const { items, total } = bank.members.list([{ field: 'holderId', is: id('business') }], ALL);
    expect(total).toBe(2);
    expect(
      items.map(({ member, person: whose }) => [member.person.firstName, member.personId, whose]),
    ).toEqual([
      ['Dev', '', null],
      ['Cora', '', null],
    ]);
  });
});
