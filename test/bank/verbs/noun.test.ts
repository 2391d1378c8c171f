/** The operations of every noun: a lock stores the previous status, and each change is published with its kind. */
import { describe, expect, it } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { Bank } from '../../../src/bank/verbs/bank.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

type Status = string;
/** A noun with a lock: how its status is read and set. */
interface Lockable {
  record: string;
  statuses: readonly Status[];
  set(bank: Bank, id: Id, status: never): unknown;
  verbs(bank: Bank): { lock(id: Id): unknown; unlock(id: Id): unknown };
  status(bank: Bank, id: Id): Status;
}

const LOCKABLE: Readonly<Record<string, Lockable>> = {
  account: {
    record: 'account',
    statuses: ['open', 'credit_blocked', 'debit_blocked', 'blocked'],
    set: (bank, id, status) => bank.accounts.change(id, { status }),
    verbs: (bank) => bank.accounts,
    status: (bank, id) => bank.accounts.byId(id).account.status,
  },
  holder: {
    record: 'person',
    statuses: ['activated', 'suspended'],
    set: (bank, id, status) => bank.holders.change(id, { status }),
    verbs: (bank) => bank.holders,
    status: (bank, id) => bank.holders.byId(id).holder.status,
  },
  card: {
    record: 'virtual_card',
    statuses: ['open', 'blocked'],
    set: (bank, id, status) => bank.cards.change(id, { status }),
    verbs: (bank) => bank.cards,
    status: (bank, id) => bank.cards.byId(id).card.status,
  },
};

const CASES = Object.entries(LOCKABLE).flatMap(([name, noun]) =>
  noun.statuses.map((status) => [name, status, noun] as const),
);

describe('a lock', () => {
  it.each(CASES)(
    'of a %s restores the status %s when it ends, and publishes both changes',
    async (_, status, noun) => {
      const { run, id, newFacts } = openTestSandbox();
      const own = id(noun.record);
      await run((bank) => noun.set(bank, own, status as never));
      newFacts();
      await run((bank) => noun.verbs(bank).lock(own));
      await expect(run((bank) => noun.verbs(bank).lock(own))).rejects.toMatchObject({ code: 'illegal_step' });
      await run((bank) => noun.verbs(bank).unlock(own));
      await run((bank) => expect(noun.status(bank, own)).toBe(status));
      await expect(run((bank) => noun.verbs(bank).unlock(own))).rejects.toMatchObject({
        code: 'illegal_step',
      });
      expect(newFacts().map(({ resourceId, change }) => [resourceId, change])).toEqual([
        [own, 'status'],
        [own, 'status'],
      ]);
    },
  );
});
