/**
 * The person that v1 shows with a transaction: the user of the card, else the person who opened the account. Decision
 * `v1-shown-person` in docs/fidelity.md.
 */
import { expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { Fact } from '../../../src/bank/model/facts.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import type { NewAccount } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { business, person } from './parties.ts';

/**
 * Persons who create a business, open its account and use one of its cards, with payments on that account.
 */
function openShared() {
  const sandbox = openTestSandbox();
  const { run, bank } = sandbox;
  const newPerson = (idNumber: string): Promise<Id> =>
    run(({ holders }) => {
      const { holder } = holders.create({ person: person({ idNumber }) });
      return holders.submitKyc(holder.id).holder.id;
    });
  const newBusiness = (createdBy: Id | '', idNumber: string): Promise<Id> =>
    run(({ holders }) => {
      const { holder } = holders.create({
        business: business({ idNumber }),
        ...(createdBy !== '' && { createdBy }),
      });
      return holders.decide(holder.id, 'pass').holder.id;
    });
  const open = (holderId: Id, also: Partial<NewAccount> = {}) =>
    run(
      ({ accounts }) => accounts.open({ holderId, type: 'checking', openingCredit: 100_00, ...also }).account,
    );
  const receive = (accountId: Id | null): Promise<Transaction> =>
    run(({ payments }) => payments.receive('ach_received_push', { accountId, amount: 5_00, sender: {} }));
  const spend = (accountId: Id, cardHolderId: Id): Promise<Transaction> =>
    run(({ cards, cardPayments }) => {
      const { card } = cards.issue({ cardHolderId, type: 'virtual' });
      expect(card.accountId).toBe(accountId);
      return cardPayments.authorize({ cardId: card.id, amount: 1_00 });
    });
  return { ...sandbox, bank, newPerson, newBusiness, open, receive, spend };
}

test('a transaction belongs to the person who opened the account, or else created the business', async () => {
  const { newPerson, newBusiness, open, receive } = openShared();
  const [maker, opener] = [await newPerson('234567801'), await newPerson('234567802')];
  const made = await newBusiness(maker, '912345601');
  const shownWith = async (account: { id: Id; createdBy: Id | '' }) => {
    const { personId } = await receive(account.id);
    expect(personId).toBe(account.createdBy);
    return personId;
  };
  expect(await shownWith(await open(made, { createdBy: opener }))).toBe(opener);
  expect(await shownWith(await open(made))).toBe(maker);
  expect(await shownWith(await open(opener))).toBe(opener);
  const ofNobody = await newBusiness('', '912345602');
  expect(await shownWith(await open(ofNobody))).toBe('');
  expect((await receive(null)).personId).toBe('');
});

test('a card transaction belongs to the user of the card', async () => {
  const { newPerson, newBusiness, open, spend, run, newFacts } = openShared();
  const [opener, user] = [await newPerson('234567801'), await newPerson('234567802')];
  const account = await open(await newBusiness(opener, '912345601'));
  const known = await run(({ cardHolders }) => cardHolders.ofPerson(account.id, user));
  const purchase = await spend(account.id, known.id);
  expect(purchase.personId).toBe(user);
  const { cardId, id: parentId } = purchase;
  const refund = await run(({ cardPayments }) => cardPayments.refund({ cardId, parentId, amount: 1_00 }));
  expect(refund.personId).toBe(user);
  // A card holder that v2 created is not a person of the bank.
  const unlinked = await run(({ cardHolders }) =>
    cardHolders.create({ accountId: account.id, person: person({ idNumber: '234567899' }) }),
  );
  expect((await spend(account.id, unlinked.id)).personId).toBe(opener);
  const received = newFacts().filter(({ resource }) => resource === 'transaction') as Fact<'transaction'>[];
  expect(received.map(({ record }) => record.personId)).not.toContain('');
});

test('the person of a transaction does not change, and its reversal has the same', async () => {
  const { newPerson, open, receive, run, bank } = openShared();
  const account = await open(await newPerson('234567801'));
  const paid = await receive(account.id);
  await run(({ payments }) => payments.applyEvent(paid.id, 'settle'));
  await run(({ payments }) => payments.applyEvent(paid.id, 'return'));
  const [reversal, original] = bank.payments.ofAccount(account.id, {
    kind: 'offset',
    offset: 0,
    limit: 2,
  }).items;
  expect([reversal?.rail, reversal?.personId, original?.personId]).toEqual([
    'reversal_debit',
    account.createdBy,
    account.createdBy,
  ]);
});
