// Checks that are submitted and decided later: the time of their end, other events that end them, and the required
// fields; and the identity document, which waits for a decision.

import { describe, expect, test } from 'vitest';
import type { Business, Person } from '../../../src/bank/model/records.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { business, kindsV1, kindsV2, member, person } from './parties.ts';

const LATER = { async: true };

const submitPerson = async (sandbox: TestSandbox, changes: Partial<Person> = {}) => {
  const { holder } = await sandbox.run((bank) => bank.holders.create({ person: person(changes) }));
  sandbox.newFacts();
  const { holder: submitted } = await sandbox.run(({ holders }) => holders.submitKyc(holder.id, LATER));
  return submitted;
};
const planned = ({ sandbox }: TestSandbox) => sandbox.store.agenda.due(Number.MAX_SAFE_INTEGER, 100);
const read = ({ bank }: TestSandbox, id: string) => bank.holders.byId(id).holder;

describe('a submitted check', () => {
  test.each([
    ['fast', 1_000],
    ['calendar', 8_000],
  ] as const)('is decided at the time that the profile %s defines', async (rails, wait) => {
    const sandbox = openTestSandbox({ rails });
    const { id, status, verification } = await submitPerson(sandbox);
    expect([status, verification.status]).toEqual(['pending_activation', 'submitted']);
    expect(kindsV1(sandbox.newFacts())).toEqual(['person.kyc.updated']);
    expect(await sandbox.pass(wait - 1)).toBe(0);
    expect(read(sandbox, id).verification.status).toBe('submitted');
    expect(await sandbox.pass(1)).toBe(1);
    expect(read(sandbox, id)).toMatchObject({
      status: 'activated',
      verification: { id: verification.id, status: 'pass', updatedAt: START + wait },
    });
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['person.kyc.approved', 'person.kyc.updated', 'person.updated']);
    expect(kindsV2(facts)).toEqual(['sub_account_holder.updated', 'sub_account_holder.status.activated']);
    expect(planned(sandbox)).toEqual([]);
  });

  test.each([
    ['099999999', 'fail', 'declined'],
    ['0999', 'fail', 'declined'],
    ['199999999', 'review', 'review'],
    ['1999', 'review', 'review'],
    ['9999', 'pass', 'approved'],
  ])('of the number %s ends with %s', async (idNumber, outcome, word) => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await submitPerson(sandbox, { idNumber });
    sandbox.newFacts();
    await sandbox.pass(1_000);
    expect(read(sandbox, id).verification.status).toBe(outcome);
    expect(kindsV1(sandbox.newFacts())[0]).toBe(`person.kyc.${word}`);
  });

  test('is decided at its scheduled time, however late the holder is read', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await submitPerson(sandbox);
    await sandbox.pass(86_400_000);
    expect(read(sandbox, id).verification.updatedAt).toBe(START + 1_000);
  });

  test('is scheduled once, and a repeated submission returns the same result', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const submitted = await submitPerson(sandbox);
    sandbox.clock.advance(500);
    sandbox.newFacts();
    const again = await sandbox.run(({ holders }) => holders.submitKyc(submitted.id, LATER));
    expect(again.holder).toEqual(submitted);
    expect(planned(sandbox)).toEqual([
      { dueAt: START + 1_000, subjectId: submitted.id, task: 'verification', event: 'decide' },
    ]);
    expect(sandbox.newFacts()).toEqual([]);
  });

  test('that failed can be submitted again; one that passed does not change', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await submitPerson(sandbox, { idNumber: '012345678' });
    await sandbox.pass(1_000);
    await sandbox.run(({ holders }) => holders.change(id, { person: { idNumber: '512345678' } }));
    const submit = () => sandbox.run(({ holders }) => holders.submitKyc(id, LATER));
    expect((await submit()).holder.verification.status).toBe('submitted');
    await sandbox.pass(1_000);
    expect((await submit()).holder.verification.status).toBe('pass');
    expect(planned(sandbox)).toEqual([]);
  });

  test('waits for the control plane with manual rails', async () => {
    const sandbox = openTestSandbox({ rails: 'manual' });
    const { id } = await submitPerson(sandbox);
    expect(planned(sandbox)).toEqual([]);
    const decided = await sandbox.run(({ simulation }) => simulation.holder(id, 'review'));
    expect(decided.holder.verification.status).toBe('review');
  });

  test.each([
    ['the control plane', ({ simulation }: TestSandbox['bank'], id: string) => simulation.holder(id, 'fail')],
    ['a check at once', ({ holders }: TestSandbox['bank'], id: string) => holders.submitKyc(id)],
  ])('that is decided early by %s is not scheduled any more', async (_, end) => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await submitPerson(sandbox);
    const { holder } = await sandbox.run((bank) => end(bank, id));
    expect(planned(sandbox)).toEqual([]);
    expect(await sandbox.pass(10_000)).toBe(0);
    expect(read(sandbox, id)).toEqual(holder);
  });

  test('also ends for a holder that is locked or deactivated meanwhile, without activating it', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const locked = await submitPerson(sandbox);
    const gone = await submitPerson(sandbox, { idNumber: '823456789' });
    await sandbox.run(({ holders }) => holders.lock(locked.id));
    await sandbox.run(({ holders }) => holders.change(gone.id, { status: 'deactivated' }));
    await sandbox.pass(1_000);
    expect(read(sandbox, locked.id)).toMatchObject({ status: 'locked', verification: { status: 'pass' } });
    expect(read(sandbox, gone.id)).toMatchObject({ status: 'deactivated', verification: { status: 'pass' } });
  });

  test('of a business also checks its members', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { holder } = await sandbox.run((bank) =>
      bank.holders.create({ business: business(), members: [member('312345678'), member('112345678')] }),
    );
    const submitted = await sandbox.run(({ holders }) => holders.submitKyb(holder.id, LATER));
    expect(submitted.members.map(({ kyc }) => kyc.status)).toEqual(['not_started', 'not_started']);
    sandbox.newFacts();
    await sandbox.pass(1_000);
    const { holder: ended, members } = sandbox.bank.holders.byId(holder.id);
    expect(ended.verification.status).toBe('review');
    expect(members.map(({ kyc }) => kyc.status)).toEqual(['pass', 'review']);
    expect(kindsV1(sandbox.newFacts())).toEqual(['business.kyb.review']);
  });
});

describe('a check that is submitted without', () => {
  test.each<[string, Partial<Person>]>([
    ['idNumber', { idNumber: '' }],
    ['dateOfBirth', { dateOfBirth: '' }],
    ['address', { address: null }],
  ])('%s of a person is refused', async (field, changes) => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { holder } = await sandbox.run((bank) => bank.holders.create({ person: person(changes) }));
    const before = digestOf(sandbox.sandbox);
    await expect(sandbox.run(({ holders }) => holders.submitKyc(holder.id, LATER))).rejects.toMatchObject({
      code: 'details_missing',
      field: `person.${field}`,
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
    // An immediate check, as in v2, requires nothing.
    await sandbox.run(({ holders }) => holders.submitKyc(holder.id));
  });

  test.each<[string, Partial<Business>]>([
    ['legalName', { legalName: '' }],
    ['entityType', { entityType: '' }],
    ['idNumber', { idNumber: '' }],
    ['address', { address: null }],
    ['members', {}],
  ])('%s of a business is refused', async (field, changes) => {
    const sandbox = openTestSandbox();
    const { holder } = await sandbox.run((bank) => bank.holders.create({ business: business(changes) }));
    await expect(sandbox.run(({ holders }) => holders.submitKyb(holder.id, LATER))).rejects.toMatchObject({
      code: 'details_missing',
      field: `business.${field}`,
    });
  });

  test('its own type is refused', async () => {
    const { run, id } = openTestSandbox();
    await expect(run(({ holders }) => holders.submitKyc(id('business'), LATER))).rejects.toMatchObject({
      code: 'holder_type_wrong',
    });
  });
});

describe('an identity document', () => {
  test('waits for a decision, separately from a check at the same time', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id, idv, status } = await submitPerson(sandbox);
    sandbox.newFacts();
    const { holder } = await sandbox.run(({ holders }) => holders.submitIdv(id));
    expect(holder.idv).toEqual({
      ...idv,
      status: 'submitted',
    });
    expect(holder.status).toBe(status);
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['person.kyc.updated']);
    expect(kindsV2(facts)).toEqual(['sub_account_holder.updated']);
    expect(await sandbox.pass(10_000)).toBe(1);
    expect(read(sandbox, id)).toMatchObject({
      verification: { status: 'pass' },
      idv: { status: 'submitted' },
    });
  });

  test.each([
    ['idv_pass', 'pass'],
    ['idv_review', 'review'],
    ['idv_fail', 'fail'],
  ] as const)('ends with %s', async (event, outcome) => {
    const sandbox = openTestSandbox();
    const id = sandbox.id('person');
    await sandbox.run(({ holders }) => holders.submitIdv(id));
    sandbox.clock.advance(1_000);
    const { holder } = await sandbox.run(({ simulation }) => simulation.holder(id, event));
    expect(holder).toMatchObject({
      status: 'activated',
      verification: { status: 'pass' },
      idv: { status: outcome, updatedAt: START + 1_000 },
    });
    const again = await sandbox.run(({ holders }) => holders.submitIdv(id));
    expect(again.holder.idv?.status).toBe(outcome === 'pass' ? 'pass' : 'submitted');
  });

  test('is requested again only explicitly; otherwise the response is the present one', async () => {
    const sandbox = openTestSandbox();
    const id = sandbox.id('person');
    const submit = async (action?: 'new' | 'resume') =>
      (await sandbox.run(({ holders }) => holders.submitIdv(id, action))).holder.idv;
    const unbegun = read(sandbox, id).idv;
    const first = await submit('new');
    expect([unbegun?.status, first?.id, first?.status]).toEqual(['not_started', unbegun?.id, 'submitted']);
    sandbox.newFacts();
    expect([await submit('resume'), await submit()]).toEqual([first, first]);
    expect(sandbox.newFacts()).toEqual([]);
    sandbox.clock.advance(1_000);
    const second = await submit('new');
    expect(second).toMatchObject({ status: 'submitted', createdAt: START + 1_000, updatedAt: START + 1_000 });
    expect(second?.id).not.toBe(first?.id);
    for (const event of ['idv_review', 'idv_fail', 'idv_pass'] as const) {
      const { holder } = await sandbox.run(({ simulation }) => simulation.holder(id, event));
      expect(await submit('resume')).toEqual(holder.idv);
    }
    expect((await submit('new'))?.status).toBe('submitted');
  });

  test('is decided only if it was requested, and never for a business', async () => {
    const { run, id } = openTestSandbox();
    await expect(run(({ simulation }) => simulation.holder(id('person'), 'idv_pass'))).rejects.toMatchObject({
      code: 'illegal_step',
      legal: ['pass', 'review', 'fail', 'lock'],
    });
    await expect(run(({ holders }) => holders.submitIdv(id('business')))).rejects.toMatchObject({
      code: 'holder_type_wrong',
      field: 'type',
    });
  });
});
