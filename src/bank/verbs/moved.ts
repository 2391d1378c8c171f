/**
 * The sums of the transfers of each transaction. There can be a million transactions, so the sums are rows of one
 * array of numbers, at the positions of the transactions: this takes a third of the time of a map of objects.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Way } from '../ledger/audit.ts';
import type { AuditedTransfer } from '../store/audit-rows.ts';

export type Side = 'debit' | 'credit';

/** The positions of a transaction's numbers in its row. */
const [TRANSFERS, HELD, HOLD, POSTED, IS_BOOKED] = [0, 1, 2, 3, 4];
/** The available balances of two accounts: the one that the first transfer debits, and the other. */
const AVAILABLE = { first: 5, booked: 7, last: 9 } as const;
/** The pending debits and credits of the two accounts after the last transfer. */
const PENDING = 11;
const WIDTH = 15;

/** The sums of all transactions. Call `has` first: the other methods require a transaction with transfers. */
export interface Moved {
  add(transfer: AuditedTransfer, way: Way): void;
  /** Whether a transaction has transfers. */
  has(place: number): boolean;
  /** The account on one side of its first transfer. */
  account(place: number, side: Side): Id;
  held(place: number): number;
  /** The open hold of a transaction. */
  openHold(place: number): number | null;
  posted(place: number): number;
  /**
   * The available balance of an account after the first transfer, after the booking transfer if there is one, or
   * after the last.
   */
  available(place: number, side: Side, after: keyof typeof AVAILABLE): number;
  /** Whether the last transfer was read with the counters of an account, so that its pending totals are known. */
  isCounted(place: number, side: Side): boolean;
  /** The pending debits or credits of an account after the last transfer. */
  pending(place: number, side: Side, of: Side): number;
}

/** Creates the sums. `last` is the known place of the last transaction; the array grows for later ones. */
export function createMoved(last: number): Moved {
  /** The way of the first transfer of each transaction. */
  const firsts = new Array<Way | undefined>(last + 1);
  let numbers = new Float64Array((last + 1) * WIDTH);

  const requireRoom = (place: number): void => {
    const needed = (place + 1) * WIDTH;
    if (needed <= numbers.length) return;
    const before = numbers;
    numbers = new Float64Array(Math.max(needed, 2 * before.length));
    numbers.set(before);
  };
  const numberAt = (place: number, of: number): number => numbers[place * WIDTH + of] ?? 0;

  return {
    add(transfer, way) {
      const { id, amount, place, debitAfter, creditAfter } = transfer;
      if (place === null) return;
      requireRoom(place);
      const at = place * WIDTH;
      const { kind } = way;
      const isFirst = numberAt(place, TRANSFERS) === 0;
      numbers[at + TRANSFERS] = numberAt(place, TRANSFERS) + 1;
      if (isFirst) {
        firsts[place] = way;
        numbers[at + AVAILABLE.first] = debitAfter;
        numbers[at + AVAILABLE.first + 1] = creditAfter;
      }
      const first = isFirst ? way : (firsts[place] ?? way);
      const isSameWay = way.debit === first.debit;
      const one = isSameWay ? way.debitCounters : way.creditCounters;
      const other = isSameWay ? way.creditCounters : way.debitCounters;
      numbers[at + AVAILABLE.last] = isSameWay ? debitAfter : creditAfter;
      numbers[at + AVAILABLE.last + 1] = isSameWay ? creditAfter : debitAfter;
      numbers[at + PENDING] = one?.debitsPending ?? Number.NaN;
      numbers[at + PENDING + 1] = one?.creditsPending ?? Number.NaN;
      numbers[at + PENDING + 2] = other?.debitsPending ?? Number.NaN;
      numbers[at + PENDING + 3] = other?.creditsPending ?? Number.NaN;
      if (kind === 'hold') {
        numbers[at + HELD] = numberAt(place, HELD) + amount;
        numbers[at + HOLD] = id;
        return;
      }
      if (kind !== 'post') {
        numbers[at + HELD] = 0;
        numbers[at + HOLD] = 0;
      }
      if (kind === 'release') return;
      if (numberAt(place, IS_BOOKED) === 0) {
        numbers[at + IS_BOOKED] = 1;
        numbers[at + AVAILABLE.booked] = numberAt(place, AVAILABLE.last);
        numbers[at + AVAILABLE.booked + 1] = numberAt(place, AVAILABLE.last + 1);
      }
      const isForward = isSameWay && way.credit === first.credit;
      numbers[at + POSTED] = numberAt(place, POSTED) + (isForward ? amount : -amount);
    },
    has: (place) => numberAt(place, TRANSFERS) > 0,
    account: (place, side) => firsts[place]?.[side] ?? '',
    held: (place) => numberAt(place, HELD),
    openHold: (place) => numberAt(place, HOLD) || null,
    posted: (place) => numberAt(place, POSTED),
    available(place, side, after) {
      const requested = after === 'booked' && numberAt(place, IS_BOOKED) === 0 ? 'first' : after;
      return numberAt(place, AVAILABLE[requested] + (side === 'debit' ? 0 : 1));
    },
    isCounted: (place, side) => !Number.isNaN(numberAt(place, pendingOf(side, 'debit'))),
    pending: (place, side, of) => numberAt(place, pendingOf(side, of)),
  };
}

/** The position of a pending total; the account that the first transfer debits is first. */
function pendingOf(side: Side, of: Side): number {
  return PENDING + (side === 'debit' ? 0 : 2) + (of === 'debit' ? 0 : 1);
}
