/**
 * Families: created, changed and listed; the filter by person finds those that they created and those that they
 * joined.
 */
import { describe, expect, it } from 'vitest';
import type { Window } from '../../../src/bank/store/lists.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { ADDRESS, kindsV1, kindsV2, person } from './parties.ts';

const ALL: Window = { kind: 'offset', limit: 100, offset: 0 };

describe('a family', () => {
  it('is active after its creation, and has the fields of the request', async () => {
    const { bank, id, run } = openTestSandbox();
    const family = await run(() =>
      bank.families.create({ name: 'Stone', email: 'home@stone.example', createdBy: id('person') }),
    );
    expect(family).toMatchObject({
      name: 'Stone',
      phone: '',
      email: 'home@stone.example',
      address: null,
      metadata: null,
      status: 'activated',
      createdBy: id('person'),
      createdAt: START,
      updatedAt: START,
    });
    expect(bank.families.byId(family.id)).toEqual(family);
  });

  it('changes the sent fields and keeps the others', async () => {
    const { bank, clock, run } = openTestSandbox();
    const family = await run(() =>
      bank.families.create({ name: 'Stone', phone: '+15035550170', metadata: { a: '1', b: '2' } }),
    );
    clock.advance(5_000);
    const changed = await run(() =>
      bank.families.change(family.id, { name: 'Stone-Reed', address: ADDRESS, metadata: { a: '' } }),
    );
    expect(changed).toEqual({
      ...family,
      name: 'Stone-Reed',
      address: ADDRESS,
      metadata: { b: '2' },
      updatedAt: START + 5_000,
    });
    expect(bank.families.byId(family.id)).toEqual(changed);
  });

  it('publishes events only in v1', async () => {
    const sandbox = openTestSandbox();
    const family = await sandbox.run((bank) => bank.families.create({ name: 'Stone' }));
    await sandbox.run((bank) => bank.families.change(family.id, { name: 'Reed' }));
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['family.created', 'family.updated']);
    expect(kindsV2(facts)).toEqual([]);
    expect(facts.map(({ record }) => (record as { name: string }).name)).toEqual(['Stone', 'Reed']);
  });

  it('with an unknown id is refused, and so is metadata beyond the limits', async () => {
    const { run, sandbox } = openTestSandbox();
    const { id } = await run((bank) => bank.families.create({ name: 'Stone' }));
    const before = digestOf(sandbox);
    const nobody = '0'.repeat(32);
    await expect(run((bank) => bank.families.byId(nobody))).rejects.toMatchObject({
      code: 'family_not_found',
    });
    await expect(run((bank) => bank.families.change(nobody, { name: 'x' }))).rejects.toMatchObject({
      code: 'family_not_found',
    });
    const tooMuch = { name: 'Reed', metadata: { long: 'x'.repeat(5000) } };
    await expect(run((bank) => bank.families.change(id, tooMuch))).rejects.toMatchObject({
      code: 'metadata_too_large',
    });
    expect(digestOf(sandbox)).toBe(before);
  });
});

describe('the list of families', () => {
  it('is sorted newest first, and filtered', async () => {
    const { bank, run } = openTestSandbox();
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) {
      ids.push((await run(() => bank.families.create({ name, email: `${name}@x.example` }))).id);
    }
    const page = bank.families.list([], ALL);
    expect(page.total).toBe(3);
    expect(page.items.map(({ id }) => id)).toEqual(ids.reverse());
    const [two] = bank.families.list([{ field: 'email', is: 'Two@x.example' }], ALL).items;
    expect(two?.name).toBe('Two');
  });

  it('of a person contains those that they created or joined, each once', async () => {
    const { bank, id, run } = openTestSandbox();
    const personId = id('person');
    const [made, joined, other] = await run(() => [
      bank.families.create({ name: 'Made', createdBy: personId }),
      bank.families.create({ name: 'Joined' }),
      bank.families.create({ name: 'Other' }),
    ]);
    if (made === undefined || joined === undefined || other === undefined) throw new Error('three were made');
    await run(() => {
      bank.members.create({ of: { familyId: made.id }, person: personId });
      bank.members.create({ of: { familyId: joined.id }, person: personId });
      bank.members.create({ of: { familyId: other.id }, person: { person: person() } });
    });
    expect(bank.families.idsOfPerson(personId).sort()).toEqual([made.id, joined.id].sort());
    expect(bank.families.idsOfPerson(id('business'))).toEqual([]);
  });
});
