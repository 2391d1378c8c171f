// People and businesses: the results of their checks, their activation, the numbers that can be used twice, and their
// events.

import { describe, expect, test } from 'vitest';
import type { Holder } from '../../../src/bank/model/records.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { business, kindsV1, kindsV2, member, person } from './parties.ts';

describe('a person', () => {
  test('waits for its check after its creation', async () => {
    const { run, newFacts } = openTestSandbox();
    const { holder, members } = await run((bank) => bank.holders.create({ person: person() }));
    expect(holder).toMatchObject({
      type: 'person',
      name: 'Eva Stone',
      idNumber: '234567890',
      status: 'pending_activation',
      verification: { status: 'not_started', method: 'solid', url: '' },
      idv: { status: 'not_started' },
      ofacStatus: 'pass',
      business: null,
      metadata: null,
      createdAt: START,
      updatedAt: START,
      deactivatedAt: null,
    });
    expect(members).toEqual([]);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual([
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
    ]);
    expect(kindsV1(facts)).toEqual(['person.created']);
  });

  test('is returned unchanged when it is read', async () => {
    const { run, bank } = openTestSandbox();
    const file = await run(({ holders }) =>
      holders.create({ person: person(), metadata: { a: '1', b: '' } }),
    );
    expect(bank.holders.byId(file.holder.id)).toEqual(file);
    expect(file.holder.metadata).toEqual({ a: '1' });
  });

  test.each([
    ['012345678', 'fail', 'pending_activation'],
    ['112345678', 'review', 'pending_activation'],
    ...['2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => [`${digit}11345678`, 'pass', 'activated']),
    ['099999999', 'fail', 'pending_activation'],
    ['199999999', 'review', 'pending_activation'],
    ['999999999', 'pass', 'activated'],
    ['0999', 'fail', 'pending_activation'],
    ['X0-12', 'fail', 'pending_activation'],
    ['PASSPORT', 'pass', 'activated'],
    ['', 'pass', 'activated'],
  ])('with the number %j has the check result %s and the status %s', async (idNumber, outcome, status) => {
    const { run, clock } = openTestSandbox();
    const { holder } = await run((bank) => bank.holders.create({ person: person({ idNumber }) }));
    clock.advance(5_000);
    const checked = await run((bank) => bank.holders.submitKyc(holder.id));
    const code = outcome === 'review' ? 'R112' : 'SB100';
    expect(checked.holder).toEqual({
      ...holder,
      status,
      verification: {
        ...holder.verification,
        status: outcome,
        updatedAt: START + 5_000,
        ...(outcome !== 'pass' && { finding: expect.objectContaining({ code }) }),
      },
      updatedAt: START + 5_000,
    });
  });

  test.each([
    ['212345670', ['sub_account_holder.updated', 'sub_account_holder.status.activated'], 'approved', true],
    ['112345670', ['sub_account_holder.updated'], 'review', false],
    ['012345670', ['sub_account_holder.updated'], 'declined', false],
  ])('with the number %s publishes the result of its check', async (idNumber, v2, outcome, activated) => {
    const { run, newFacts } = openTestSandbox();
    const { holder } = await run((bank) => bank.holders.create({ person: person({ idNumber }) }));
    newFacts();
    await run((bank) => bank.holders.submitKyc(holder.id));
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual(v2);
    expect(kindsV1(facts)).toEqual([
      `person.kyc.${outcome}`,
      'person.kyc.updated',
      ...(activated ? ['person.updated'] : []),
    ]);
  });

  test('stays active if a second check fails', async () => {
    const { run } = openTestSandbox();
    const { holder } = await run((bank) =>
      bank.holders.create({
        person: person({ idNumber: '012345678' }),
        verification: { status: 'pass', method: 'own', url: '' },
      }),
    );
    const checked = await run((bank) => bank.holders.submitKyc(holder.id));
    expect(checked.holder).toMatchObject({ status: 'activated', verification: { status: 'fail' } });
  });

  test('is not activated by a passed check if OFAC fails', async () => {
    const { run, sandbox } = openTestSandbox();
    const { holder } = await run((bank) => bank.holders.create({ person: person() }));
    sandbox.store.holders.replace({ ...holder, ofacStatus: 'fail' });
    const checked = await run((bank) => bank.holders.submitKyc(holder.id));
    expect(checked.holder).toMatchObject({ status: 'pending_activation', verification: { status: 'pass' } });
  });

  test.each<Partial<Holder>>([
    { status: 'suspended' },
    { status: 'deactivated', deactivatedAt: START },
    { status: 'locked', lockedFrom: 'pending_activation' },
  ])('is not brought back by a passed check: %o', async (changes) => {
    const { run, sandbox } = openTestSandbox();
    const { holder } = await run((bank) => bank.holders.create({ person: person() }));
    sandbox.store.holders.replace({ ...holder, ...changes });
    const checked = await run((bank) => bank.holders.submitKyc(holder.id));
    expect(checked.holder.status).toBe(changes.status);
  });
});

describe('a verification by the client at creation', () => {
  test('activates immediately if it passed, and stores method and url', async () => {
    const { run, newFacts } = openTestSandbox();
    const verification = { status: 'pass', method: 'veriff', url: 'https://v.example/1' } as const;
    const { holder } = await run((bank) => bank.holders.create({ person: person(), verification }));
    expect(holder).toMatchObject({ status: 'activated', verification });
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual([
      'sub_account_holder.created',
      'sub_account_holder.status.activated',
      'sub_account_holder.updated',
    ]);
    expect(kindsV1(facts)).toEqual(['person.created', 'person.kyc.approved', 'person.kyc.updated']);
  });

  test('leaves the holder pending if it failed, for a later check', async () => {
    const { run } = openTestSandbox();
    const verification = { status: 'fail', method: 'veriff', url: '' } as const;
    const { holder } = await run((bank) =>
      bank.holders.create({ business: business(), members: [member('312345678')], verification }),
    );
    expect(holder).toMatchObject({ status: 'pending_activation', verification: { status: 'fail' } });
    const checked = await run((bank) => bank.holders.submitKyb(holder.id));
    expect(checked.holder).toMatchObject({ status: 'activated', verification: { status: 'pass' } });
  });
});

describe('a business', () => {
  test('is created with its members, whose checks have not started', async () => {
    const { run, bank } = openTestSandbox();
    const file = await run(({ holders }) =>
      holders.create({ business: business(), members: [member('312345678'), member('412345678')] }),
    );
    expect(file.holder).toMatchObject({ type: 'business', name: 'Stone Works Inc', person: null, idv: null });
    expect(file.members.map(({ person, kyc, idv }) => [person.idNumber, kyc.status, idv.status])).toEqual([
      ['312345678', 'not_started', 'not_started'],
      ['412345678', 'not_started', 'not_started'],
    ]);
    expect(bank.holders.byId(file.holder.id)).toEqual(file);
  });

  test.each([
    ['2', ['2', '3'], 'pass', ['pass', 'pass'], 'approved'],
    ['2', ['2'], 'pass', ['pass'], 'approved'],
    ['2', ['2', '1'], 'review', ['pass', 'review'], 'review'],
    ['2', ['1', '0'], 'fail', ['review', 'fail'], 'declined'],
    ['1', ['2'], 'review', ['pass'], 'review'],
    ['1', ['0'], 'fail', ['fail'], 'declined'],
    ['0', ['2', '1'], 'fail', ['pass', 'review'], 'declined'],
  ])(
    '%s with members %j has the worst result of all of them: %s',
    async (own, others, outcome, each, word) => {
      const { run, newFacts, bank } = openTestSandbox();
      const { holder } = await run(({ holders }) =>
        holders.create({
          business: business({ idNumber: `${own}98765432` }),
          members: others.map((digit, place) => member(`${digit}0000000${place}`)),
        }),
      );
      newFacts();
      const checked = await run(({ holders }) => holders.submitKyb(holder.id));
      const activated = outcome === 'pass';
      expect(checked.holder).toMatchObject({
        verification: { status: outcome },
        status: activated ? 'activated' : 'pending_activation',
      });
      expect(checked.members.map(({ kyc }) => kyc.status)).toEqual(each);
      expect(bank.holders.byId(holder.id)).toEqual(checked);
      const facts = newFacts();
      expect(kindsV1(facts)).toEqual([`business.kyb.${word}`, ...(activated ? ['business.updated'] : [])]);
      expect(kindsV2(facts)).toEqual([
        'sub_account_holder.updated',
        ...(activated ? ['sub_account_holder.status.activated'] : []),
      ]);
    },
  );
});

describe('an id number', () => {
  test('belongs to one person', async () => {
    const { run, sandbox } = openTestSandbox();
    await run((bank) => bank.holders.create({ person: person() }));
    const before = digestOf(sandbox);
    await expect(run((bank) => bank.holders.create({ person: person() }))).rejects.toMatchObject({
      code: 'id_number_taken',
      field: 'person.idNumber',
    });
    expect(digestOf(sandbox)).toBe(before);
  });

  test('may be the same for a person and a business', async () => {
    const { run } = openTestSandbox();
    await run((bank) => bank.holders.create({ person: person({ idNumber: '555555555' }) }));
    await run((bank) => bank.holders.create({ business: business({ idNumber: '555555555' }) }));
    await expect(
      run((bank) => bank.holders.create({ business: business({ idNumber: '555555555' }) })),
    ).rejects.toMatchObject({ code: 'id_number_taken' });
  });

  test.each(['099999999', '199999999', '999999999', '0999', '1999', '9999', ''])(
    'of %j may be used several times',
    async (idNumber) => {
      const { run } = openTestSandbox();
      const [first, second] = await Promise.all([
        run((bank) => bank.holders.create({ person: person({ idNumber }) })),
        run((bank) => bank.holders.create({ person: person({ idNumber }) })),
      ]);
      expect(first.holder.id).not.toBe(second.holder.id);
    },
  );

  test('belongs to one member of a business', async () => {
    const { run } = openTestSandbox();
    const members = [member('312345678'), member('312345678')];
    await expect(run((bank) => bank.holders.create({ business: business(), members }))).rejects.toMatchObject(
      {
        code: 'id_number_taken',
        field: 'business.members.idNumber',
      },
    );
    const shared = [member('999999999'), member('999999999'), member(''), member('')];
    const file = await run((bank) => bank.holders.create({ business: business(), members: shared }));
    expect(file.members).toHaveLength(4);
  });
});

describe('a refused request is', () => {
  test('a holder that is neither a person nor a business', async () => {
    const { run } = openTestSandbox();
    await expect(run((bank) => bank.holders.create({}))).rejects.toMatchObject({
      code: 'holder_type_wrong',
      field: 'type',
    });
  });

  test('a holder below another master account', async () => {
    const { run, bank } = openTestSandbox();
    const { masterAccountId } = bank.program;
    await run(({ holders }) => holders.create({ masterAccountId, person: person() }));
    await expect(
      run(({ holders }) => holders.create({ masterAccountId: '0'.repeat(32), business: business() })),
    ).rejects.toMatchObject({ code: 'master_account_not_found' });
  });

  test('a KYB of a person, or a KYC of a business', async () => {
    const { run, id, sandbox } = openTestSandbox();
    const before = digestOf(sandbox);
    for (const wrong of [
      run((bank) => bank.holders.submitKyb(id('person'))),
      run((bank) => bank.holders.submitKyc(id('business'))),
    ]) {
      await expect(wrong).rejects.toMatchObject({ code: 'holder_type_wrong', field: 'type' });
    }
    expect(digestOf(sandbox)).toBe(before);
  });

  test('any request for an unknown holder', async () => {
    const { run, bank } = openTestSandbox();
    const nobody = '0'.repeat(32);
    expect(() => bank.holders.byId(nobody)).toThrow(expect.objectContaining({ code: 'holder_not_found' }));
    await expect(run(({ holders }) => holders.submitKyc(nobody))).rejects.toMatchObject({
      code: 'holder_not_found',
    });
    await expect(run(({ holders }) => holders.submitKyb(nobody))).rejects.toMatchObject({
      code: 'holder_not_found',
    });
  });
});
