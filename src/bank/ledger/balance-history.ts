/**
 * The balance of an account over time for a chart, with a limited number of points. Every transfer contains the
 * available balance after it; pending totals are added up. If there are too many entries, the time is divided into
 * equal intervals, and for each the first, lowest, highest and last balance are returned, so that the chart looks the
 * same as with all points.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Driver } from '../store/driver.ts';
import type { Db } from '../store/open.ts';
import type { Transfer } from './ledger.ts';

/** The balance of an account at an instant, in cents. */
interface BalancePoint {
  at: Instant;
  posted: Cents;
  available: Cents;
  pendingDebits: Cents;
  pendingCredits: Cents;
}

export interface BalanceHistory {
  /** The number of entries in the requested time. */
  changes: number;
  /** Whether each entry has its own point. */
  complete: boolean;
  points: BalancePoint[];
}

export interface HistoryQuery {
  account: Id;
  /** Whether it is the master account, which debits increase. */
  isMaster: boolean;
  from: Instant | undefined;
  to: Instant | undefined;
  now: Instant;
  /** The maximum number of points; at least `MIN_POINTS`. */
  max: number;
}

/** The balances before and after, and one interval. */
export const MIN_POINTS = 6;
const ENDS = 2;
const KEPT_OF_STRETCH = 4;
/** This number of transfers is read in a few milliseconds. */
const SLICE = 2000;

const ENTRIES = `
  SELECT t.kind, t.debit_account = :account, t.amount, hold.amount,
    iif(t.debit_account = :account, t.debit_available_after, t.credit_available_after), t.at
  FROM transfers t LEFT JOIN transfers hold ON hold.id = t.hold_id
  WHERE t.id > :after AND t.id <= :until AND :account IN (t.debit_account, t.credit_account)
  ORDER BY t.id`;
type EntryRow = [
  kind: Transfer['kind'],
  isDebit: 0 | 1,
  amount: Cents,
  held: Cents | null,
  available: Cents,
  at: Instant,
];

/** The state of the history after a transfer. */
interface Progress {
  readonly last: number;
  readonly pendingDebits: Cents;
  readonly pendingCredits: Cents;
  readonly picture: Picture;
}

/** The number of accounts whose progress is kept, because an open page reads the same history again and again. */
const MAX_KEPT = 16;
const keptOf = new WeakMap<Driver, Map<string, Progress>>();

/** `''` for a part of the history, whose progress is not kept. */
const keyOf = ({ account, from, to, max }: HistoryQuery): string =>
  from === undefined && to === undefined ? `${account} ${max}` : '';

function keep(sqlite: Driver, key: string, progress: Progress): void {
  // Uncommitted transfers may be rolled back.
  if (key === '' || sqlite.inTransaction) return;
  const kept = keptOf.get(sqlite) ?? new Map<string, Progress>();
  keptOf.set(sqlite, kept);
  kept.delete(key);
  kept.set(key, progress);
  const [oldest = ''] = kept.keys();
  if (kept.size > MAX_KEPT) kept.delete(oldest);
}

/**
 * The points in ledger order, from the first entry in the requested time, or its beginning, to its end or now. Other
 * requests are answered between slices; transfers that they add are ignored. Transfers are never
 * removed, so the whole history continues where it was last read.
 */
export async function balanceHistory({ $client: sqlite }: Db, query: HistoryQuery): Promise<BalanceHistory> {
  const { account, isMaster, from = Number.NEGATIVE_INFINITY, to, now, max } = query;
  const end = to === undefined ? now : Math.min(to, now);
  // If the clock was set back, there are entries after now.
  const latest = to ?? Number.POSITIVE_INFINITY;
  const key = keyOf(query);
  const known = keptOf.get(sqlite)?.get(key);
  const read = sqlite.prepare(ENTRIES).raw();
  const last = sqlite.prepare('SELECT coalesce(max(id), 0) FROM transfers').pluck().get() as number;
  const picture = known?.picture.copy() ?? createPicture(Math.floor((max - ENDS) / KEPT_OF_STRETCH));
  let { pendingDebits, pendingCredits } = known ?? { pendingDebits: 0, pendingCredits: 0 };
  let before: BalancePoint | undefined;
  for (let after = known?.last ?? 0; after < last; after += SLICE) {
    const slice = read.all({ account, after, until: Math.min(after + SLICE, last) }) as EntryRow[];
    for (const [kind, isDebit, amount, held, available, at] of slice) {
      const change = kind === 'hold' ? amount : -(held ?? 0);
      if ((isDebit === 1) === isMaster) pendingCredits += change;
      else pendingDebits += change;
      const point = { at, posted: available + pendingDebits, available, pendingDebits, pendingCredits };
      if (at >= from && at <= latest) picture.add(point);
      else if (at < from && picture.changes() === 0) before = point;
    }
    if (after + SLICE < last) await nextTurn();
  }
  keep(sqlite, key, { last, pendingDebits, pendingCredits, picture: picture.copy() });
  const isWhole = picture.changes() <= max - ENDS;
  const points = isWhole ? picture.all() : picture.sampled();
  if (before !== undefined && from <= end) points.unshift({ ...before, at: from });
  const newest = points.at(-1);
  if (newest !== undefined && newest.at < end) points.push({ ...newest, at: end });
  return { changes: picture.changes(), complete: isWhole, points };
}

/** A point with its position among all points. */
interface Placed {
  place: number;
  point: BalancePoint;
}

/** The points for the entries of an interval. */
interface Stretch {
  number: number;
  first: Placed;
  lowest: Placed;
  highest: Placed;
  last: Placed;
}

interface Picture {
  add(point: BalancePoint): void;
  changes(): number;
  /** All points, while their number is within the limit. */
  all(): BalancePoint[];
  sampled(): BalancePoint[];
  /** Makes an independent copy. */
  copy(): Picture;
}

/** The state of a chart. */
interface Seen {
  readonly exact: readonly BalancePoint[];
  readonly kept: readonly Stretch[];
  readonly changes: number;
  readonly passed: number;
  readonly latest: Instant | undefined;
  readonly length: number;
}
const NOTHING: Seen = { exact: [], kept: [], changes: 0, passed: 0, latest: undefined, length: 1 };

/**
 * Collects points in at most `stretches` intervals of equal length. An interval begins with a millisecond and doubles
 * whenever there are too many. A clock that is set back does not shorten the elapsed time.
 */
function createPicture(stretches: number, seen = NOTHING): Picture {
  const max = (stretches + 1) * KEPT_OF_STRETCH;
  const exact = [...seen.exact];
  let kept = seen.kept.map((stretch) => ({ ...stretch }));
  let { changes, passed, latest, length } = seen;

  const place = (stretch: Stretch): void => {
    const current = kept.at(-1);
    if (current?.number === stretch.number) extend(current, stretch.lowest, stretch.highest, stretch.last);
    else kept.push(stretch);
  };

  return {
    add(point) {
      changes += 1;
      passed += Math.max(0, point.at - (latest ?? point.at));
      latest = point.at;
      if (changes <= max) exact.push(point);
      const placed = { place: changes, point };
      const number = Math.floor(passed / length);
      const current = kept.at(-1);
      if (current?.number === number) extend(current, placed, placed, placed);
      else kept.push({ number, first: placed, lowest: placed, highest: placed, last: placed });
      while (kept.length > stretches) {
        length *= 2;
        const shorter = kept;
        kept = [];
        for (const stretch of shorter) place({ ...stretch, number: Math.floor(stretch.number / 2) });
      }
    },
    changes: () => changes,
    all: () => [...exact],
    sampled: () => kept.flatMap(pointsOf),
    copy: () => createPicture(stretches, { exact, kept, changes, passed, latest, length }),
  };
}

/** Extends an interval by the following points. */
function extend(stretch: Stretch, lowest: Placed, highest: Placed, last: Placed): void {
  if (lowest.point.available < stretch.lowest.point.available) stretch.lowest = lowest;
  if (highest.point.available > stretch.highest.point.available) stretch.highest = highest;
  stretch.last = last;
}

/** The distinct points in ledger order. */
function pointsOf({ first, lowest, highest, last }: Stretch): BalancePoint[] {
  const [low, high] = lowest.place < highest.place ? [lowest, highest] : [highest, lowest];
  return [...new Set([first, low, high, last])].map(({ point }) => point);
}
