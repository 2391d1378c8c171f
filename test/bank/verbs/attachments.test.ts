// Attachments in the bank: the records that can have them, and the bank's cache of records with attachments after
// commits, rollbacks and restores.

import { expect, test } from 'vitest';
import { ATTACHABLE } from '../../../src/bank/model/records.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

const NOBODY = '0'.repeat(32);
const PAGE = { kind: 'cursor', limit: 10, after: '', before: '' } as const;

test('records of every kind accept attachments; an unknown record refuses them', async () => {
  const { run, id, bank } = openTestSandbox();
  const account = id('account');
  const [movement] = bank.payments.list([], PAGE).items;
  const ids = {
    holder: id('person'),
    account,
    master_account: bank.program.masterAccountId,
    card_holder: id('card_holder'),
    card: id('virtual_card'),
    counterparty: id('ach_counterparty'),
    transaction: movement?.id ?? '',
  };
  for (const kind of ATTACHABLE) {
    const made = await run(({ attachments }) => attachments.create({ kind, referenceId: ids[kind] }));
    expect(made).toMatchObject({ kind, referenceId: ids[kind], label: '', deletedAt: null });
    expect(bank.attachments.of(ids[kind])).toEqual([made]);
    await expect(
      run(({ attachments }) => attachments.create({ kind, referenceId: NOBODY })),
    ).rejects.toMatchObject({ code: `${kind}_not_found` });
  }
  expect(bank.attachments.list(PAGE).total).toBe(ATTACHABLE.length);
});

test('a deleted attachment appears nowhere', async () => {
  const { run, id, bank } = openTestSandbox();
  const referenceId = id('account');
  const made = await run(({ attachments }) => attachments.create({ kind: 'account', referenceId }));
  await run(({ attachments }) => attachments.remove(made.id));
  expect(bank.attachments.of(referenceId)).toEqual([]);
  expect(bank.attachments.list(PAGE)).toMatchObject({ items: [], total: 0 });
  expect(() => bank.attachments.byId(made.id)).toThrow('cannot find attachment by id');
  await expect(run(({ attachments }) => attachments.remove(made.id))).rejects.toMatchObject({
    code: 'attachment_not_found',
  });
});

test('an attachment whose deletion was rolled back still exists, even if it was never read before', async () => {
  const { run, id, sandbox } = openTestSandbox();
  const referenceId = id('account');
  const made = await run(({ attachments }) => attachments.create({ kind: 'account', referenceId }));
  sandbox.replaceWith(sandbox.image());
  const failed = sandbox.commit(() => {
    const { attachments } = sandbox.bank;
    attachments.remove(made.id);
    expect(attachments.of(referenceId)).toEqual([]);
    throw new Error('later in the same command');
  });
  await expect(failed).rejects.toThrow('later in the same command');
  expect(sandbox.bank.attachments.of(referenceId)).toEqual([made]);
});

test('an attachment that was rolled back does not exist, and the next one does', async () => {
  const { run, id, bank } = openTestSandbox();
  const referenceId = id('account');
  expect(bank.attachments.of(referenceId)).toEqual([]);
  const failed = run(({ attachments }) => {
    attachments.create({ kind: 'account', referenceId });
    throw new Error('later in the same command');
  });
  const stored = run(({ attachments }) =>
    attachments.create({ kind: 'card', referenceId: id('virtual_card') }),
  );
  await expect(failed).rejects.toThrow('later in the same command');
  expect(bank.attachments.of(referenceId)).toEqual([]);
  expect(bank.attachments.of(id('virtual_card'))).toEqual([await stored]);
});

test('a restored bank has the attachments of its image, and the earlier bank keeps its own', async () => {
  const { run, id, sandbox } = openTestSandbox();
  const referenceId = id('account');
  const before = sandbox.image();
  await run(({ attachments }) => attachments.create({ kind: 'account', referenceId }));
  const after = sandbox.image();
  sandbox.replaceWith(before);
  expect(sandbox.bank.attachments.of(referenceId)).toEqual([]);
  sandbox.replaceWith(after);
  expect(sandbox.bank.attachments.of(referenceId)).toHaveLength(1);
});
