// Check deposits: with their images, or first without them and then with the images that the deposit waits for.

import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../src/bank/model/records.ts';
import type { CheckImages, Origination } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, type TestSandboxOptions } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { everyRail, kindsV1, kindsV2 } from './parties.ts';

const IMAGES: CheckImages = {
  front: { contentType: 'image/png', content: Buffer.from('the front') },
  back: { contentType: 'image/jpeg', content: Buffer.from('the back') },
};

async function openDeposit(changes: Partial<Origination>, options?: TestSandboxOptions) {
  const sandbox = openTestSandbox(options);
  const { run, id, bank } = sandbox;
  const counterparty = await run(({ counterparties }) =>
    counterparties.create(everyRail(id('account'), id('other_account'))),
  );
  sandbox.newFacts();
  const order = { accountId: id('account'), counterpartyId: counterparty.id, amount: 4_000 } as const;
  const deposit = await run(({ payments }) =>
    payments.originate('check_deposit', { ...order, shortage: 'record', ...changes }),
  );
  const give = (images = IMAGES, subject = deposit.id) =>
    run(({ payments }) => payments.depositImages(subject, images));
  return { sandbox, order, deposit, give, now: () => bank.payments.byId(deposit.id) };
}

function imagesOf({ details }: Transaction) {
  if (details.kind !== 'check') throw new Error('no check');
  const { frontId, backId, awaitsImages } = details;
  return { frontId, backId, awaitsImages };
}

describe('a check deposit with images', () => {
  test('stores both as files and proceeds without further input', async () => {
    const { sandbox, deposit, now } = await openDeposit({ images: IMAGES }, { rails: 'fast' });
    const { frontId, backId, awaitsImages } = imagesOf(deposit);
    expect(awaitsImages).toBe(false);
    const { files } = sandbox.sandbox.store;
    expect(files.byId(frontId)).toMatchObject(IMAGES.front);
    expect(files.byId(backId)).toMatchObject(IMAGES.back);
    await sandbox.pass(600_000);
    expect(now()).toMatchObject({ status: 'settled', details: { frontId, backId, cashed: true } });
  });

  test('does not wait', async () => {
    const { give } = await openDeposit({ images: IMAGES });
    await expect(give()).rejects.toMatchObject({ code: 'illegal_step' });
  });
});

describe('a check deposit that waits for its images', () => {
  test('proceeds only after both are uploaded, and is scheduled from that time', async () => {
    const { sandbox, deposit, give, now } = await openDeposit({ awaitsImages: true }, { rails: 'fast' });
    expect(imagesOf(deposit)).toEqual({ frontId: '', backId: '', awaitsImages: true });
    expect(deposit.dueAt).toBeNull();
    expect(await sandbox.pass(30 * 86_400_000)).toBe(0);
    expect(now()).toEqual(deposit);
    sandbox.newFacts();
    const given = await give();
    expect(given.dueAt).toBeGreaterThan(sandbox.clock.now());
    expect(imagesOf(given)).toMatchObject({ awaitsImages: false });
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['transaction.updated']);
    expect(kindsV1(facts)).toEqual(['transfer.updated']);
    await sandbox.pass(600_000);
    expect(now()).toMatchObject({ status: 'settled' });
  });

  test('accepts images once', async () => {
    const { sandbox, give } = await openDeposit({ awaitsImages: true });
    await give();
    const before = digestOf(sandbox.sandbox);
    await expect(give()).rejects.toMatchObject({ code: 'illegal_step' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('accepts no images in a final state', async () => {
    const { sandbox, deposit, give } = await openDeposit({ awaitsImages: true });
    await sandbox.run(({ payments }) => payments.applyEvent(deposit.id, 'cancel'));
    await expect(give()).rejects.toMatchObject({ code: 'illegal_step' });
  });

  test('may be declined in the meantime by a rule', async () => {
    const { sandbox, order, give } = await openDeposit({ images: IMAGES }, { rails: 'fast' });
    await sandbox.run(({ outcomes }) =>
      outcomes.setRules([
        { match: { rail: 'check_deposit' }, outcome: { declineReason: 'tooOld', after: 'P1D' } },
      ]),
    );
    const { id } = await sandbox.run(({ payments }) =>
      payments.originate('check_deposit', { ...order, shortage: 'record', awaitsImages: true }),
    );
    await sandbox.pass(2 * 86_400_000);
    expect(sandbox.bank.payments.byId(id)).toMatchObject({ status: 'declined', reason: { code: 'tooOld' } });
    await expect(give(IMAGES, id)).rejects.toMatchObject({ code: 'illegal_step' });
  });

  test('is the only payment that accepts images', async () => {
    const { sandbox, give } = await openDeposit({ awaitsImages: true });
    const other = sandbox.id('account.opening_transaction');
    await expect(give(IMAGES, other)).rejects.toMatchObject({ code: 'transaction_not_found' });
    await expect(give(IMAGES, '0'.repeat(32))).rejects.toMatchObject({ code: 'transaction_not_found' });
  });
});
