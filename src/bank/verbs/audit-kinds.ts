/**
 * Kinds of transactions: those with the same rail, status, traits and account. A bank of a million transactions has a
 * few dozen kinds per account, so the requirements of a kind are computed once.
 */
import type { Id } from '../kernel/sequence.ts';
import { isAuthorization, isReversal, railOf } from '../model/rails/index.ts';
import { type AuditedTransaction, TRAITS } from '../store/audit-rows.ts';
import type { Side } from './moved.ts';

const TAKEN_BACK = ['returned', 'reversed', 'declined', 'canceled'];
const POSTED = ['settled', 'refunded'];

/** The state in which the transfers of a transaction must leave its amount. */
type Expected = 'nothing' | 'held' | 'posted';

export interface Kind extends Readonly<Pick<AuditedTransaction, 'accountId' | 'rail' | 'status' | 'traits'>> {
  /** The direction in the rows. */
  readonly written: Side | 'neither';
  readonly direction: Side;
  readonly directionOfRail: Side;
  readonly isBooked: boolean;
  readonly isBookedWhenSettled: boolean;
  readonly movedNothing: boolean;
  readonly hasParts: boolean;
  readonly hasMasterEntry: boolean;
  readonly isReversal: boolean;
  readonly isAuthorization: boolean;
  readonly expected: Expected;
  /** The sum of the transactions of this kind on their account. */
  sum: number;
}

/** Whether the money of a transaction was returned or reversed. */
export function isTakenBack(status: string | null): boolean {
  return TAKEN_BACK.includes(status ?? '');
}

export function createKinds() {
  const known = new Map<string, Kind>();
  let latest: Kind | undefined;
  return {
    of(row: AuditedTransaction): Kind {
      // Consecutive rows often have the same kind, and a comparison is faster than a look-up.
      if (latest !== undefined && isOf(row, latest)) return latest;
      const { accountId, rail, status, traits } = row;
      const key = `${rail} ${status} ${traits} ${accountId}`;
      latest = known.get(key);
      if (latest === undefined) {
        latest = kindOf(row);
        known.set(key, latest);
      }
      return latest;
    },
    /** The sums of each account. */
    sums(): Map<Id, number> {
      const sums = new Map<Id, number>();
      for (const { accountId, sum } of known.values()) {
        if (accountId !== null) sums.set(accountId, (sums.get(accountId) ?? 0) + sum);
      }
      return sums;
    },
  };
}

function isOf({ accountId, rail, status, traits }: AuditedTransaction, kind: Kind): boolean {
  return (
    kind.rail === rail && kind.status === status && kind.traits === traits && kind.accountId === accountId
  );
}

function kindOf({ accountId, rail, status, traits }: AuditedTransaction): Kind {
  const { direction: ofRail, opens, booked, isPart } = railOf(rail);
  const has = (trait: number): boolean => (traits & trait) > 0;
  const movedNothing = has(TRAITS.movedNothing);
  const written = has(TRAITS.isCredit) ? 'credit' : has(TRAITS.isDebit) ? 'debit' : 'neither';
  const isPosted = opens.ledger === 'post' || POSTED.includes(status);
  const leavesNothing = movedNothing || opens.ledger === 'none' || isTakenBack(status);
  return {
    accountId,
    rail,
    status,
    traits,
    written,
    direction: written === 'credit' ? 'credit' : 'debit',
    directionOfRail: ofRail,
    isBooked: has(TRAITS.isBooked),
    isBookedWhenSettled: booked === 'when_settled',
    movedNothing,
    hasParts: has(TRAITS.hasParts) || isPart === true,
    hasMasterEntry: has(TRAITS.hasMasterEntry) && accountId !== null,
    isReversal: isReversal(rail),
    isAuthorization: isAuthorization(rail),
    expected: leavesNothing ? 'nothing' : isPosted ? 'posted' : 'held',
    sum: 0,
  };
}
