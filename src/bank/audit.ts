/**
 * The audit of a bank: the audit of the ledger, and each transaction compared with its transfers. A transaction's amount,
 * direction and status must be what its transfers did, and the rows of an account must add up to its available balance and
 * pending credits. v1 and v2 leave out the same rows, those that moved nothing, so one sum serves both.
 * Source: docs/decisions/0025-audit.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../kernel/sequence.ts';
import { type AuditReport, auditing as auditingLedger } from '../ledger/audit.ts';
import { SUSPENSE } from '../ledger/ledger.ts';
import { totalsOf } from '../model/balances.ts';
import { isAuthorization, isReversal, type LedgerAction, railOf } from '../model/rails/index.ts';
import type { Totals } from '../model/records.ts';
import {
  type AuditedTransaction,
  createAuditRows,
  createTransferRows,
  type Links,
  AUDIT_SLICE as SLICE,
} from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';
import { createMoved, type Moved } from './moved.ts';

/** A report names so many problems and counts the others. */
const MAX_PROBLEMS = 100;
const TAKEN_BACK = ['returned', 'reversed', 'declined', 'canceled'];
const POSTED = ['settled', 'refunded'];

const NOTHING: readonly string[] = [];
const NONE: readonly number[] = [];

type AuditRows = ReturnType<typeof createAuditRows>;

/** Audits the ledger and the transactions at once. */
export function auditBank(db: Db): AuditReport {
  const audit = auditing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same, while other requests are answered. Each transaction is compared with its transfers at one moment. Sums are
 * compared only if no money moved between the first slice and the last.
 */
export async function auditBankInTurns(db: Db): Promise<AuditReport> {
  const audit = auditing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

function shortened(problems: string[]): string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more <= 0 ? problems : [...problems.slice(0, MAX_PROBLEMS), `and ${more} further problems`];
}

function* auditing(db: Db): Generator<void, AuditReport> {
  const moved = createMoved();
  const problems: string[] = [];
  const rows = createAuditRows(db);
  let lastTransfer = 0;
  const report = yield* auditingLedger(db, (transfer, debit, credit) => {
    moved.add(transfer, debit, credit);
    lastTransfer = transfer.id;
  });
  const facts = comparingFacts(rows, problems);
  yield* facts.readAll();
  yield* comparingRows(db, rows, { moved, lastTransfer }, problems);
  yield* facts.comparePending();
  for (let after = 0; after < rows.lastDelivery(); after += SLICE) {
    for (const seq of rows.brokenDeliveries(after)) {
      problems.push(`delivery ${seq} is of a webhook or of an event that does not exist`);
    }
    yield;
  }
  for (const id of rows.brokenBacklogs()) {
    problems.push(`backlog ${id} is of a webhook or of events that do not exist, or twice of the same`);
  }
  for (let after = 0; after < rows.lastKey(); after += SLICE) {
    for (const key of rows.brokenKeys(after)) {
      problems.push(`the idempotency key ${key} is not one of a request, or its answer names no record`);
    }
    yield;
  }
  return { ...report, problems: shortened(report.problems.concat(problems)) };
}

/** Compares each transaction with its transfers, and the rows of each account with its balance. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one check of a transaction after the other
function* comparingRows(
  db: Db,
  rows: AuditRows,
  read: { moved: Moved; lastTransfer: number },
  problems: string[],
): Generator<void, void> {
  const { moved } = read;
  const sums = new Map<Id, number>();
  const transfers = createTransferRows(db);
  const known = { masters: rows.masterAccounts(), exactFrom: rows.exactFrom() };
  const partners = createPartners();
  let { lastTransfer } = read;
  const readNew = (): number => {
    const slice = transfers.between(lastTransfer, Number.MAX_SAFE_INTEGER);
    for (const transfer of slice) moved.add(transfer);
    lastTransfer = slice.at(-1)?.id ?? lastTransfer;
    return slice.length;
  };
  let first: number | undefined;
  for (let after = 0; ; ) {
    // What was written since the last slice, or since the ledger was audited, belongs to the rows as they are now.
    while (readNew() > 0);
    first ??= lastTransfer;
    const slice = rows.transactionsAfter(after);
    let hasParts = false;
    const named: number[] = [];
    for (const row of slice) {
      for (const problem of problemsOf(row, moved, known)) {
        problems.push(`${nameOf(row, rows.idAt(row.place))}: ${problem}`);
      }
      if (row.isReversal === 1) named.push(row.place);
      else if (row.partnerPlace !== null) named.push(...partners.meet(row, row.partnerPlace));
      if (row.accountId !== null && row.movedNothing === 0) {
        const signed = row.direction === 'credit' ? row.amount : -row.amount;
        sums.set(row.accountId, (sums.get(row.accountId) ?? 0) + signed);
      }
      hasParts ||= row.hasParts === 1;
    }
    const isLast = slice.length < SLICE;
    if (isLast) named.push(...partners.left());
    for (const place of named) {
      const { accountId, rail, status, ...links } = rows.linksOf(place);
      for (const problem of problemsOfLinks({ rail, status, ...links })) {
        problems.push(`${nameOf({ accountId, rail, status }, rows.idAt(place))}: ${problem}`);
      }
    }
    const last = slice.at(-1)?.place ?? after;
    if (hasParts) {
      for (const { id, problem } of rows.wrongParts(after, last))
        problems.push(`transaction ${id}: ${problem}`);
    }
    if (isLast) break;
    after = last;
    yield;
  }
  // What moved money in between stands in later rows than some of the sums.
  if (lastTransfer !== first || readNew() > 0) return;
  for (const account of rows.subAccounts()) {
    const { availableBalance, pendingCredits } = totalsOf(account);
    const expected = availableBalance + pendingCredits;
    const found = sums.get(account.id) ?? 0;
    if (found === expected) continue;
    problems.push(
      `account ${account.id}: its transactions add up to ${found}; expected ${expected}, available balance and pending credits`,
    );
  }
}

/** Compares each transaction with what was published of it last. */
function comparingFacts(rows: AuditRows, problems: string[]) {
  /** The last fact of each transaction that may not be as it was published: one that has changed, or that differs from its first. */
  const pending = new Map<number, number>();
  let lastFact = 0;
  const readSlice = (): boolean => {
    const latest = rows.lastFact();
    const upTo = Math.min(lastFact + SLICE, latest);
    for (const { seq, place, resource, id } of rows.factsBetween(lastFact, upTo)) {
      if (place !== null) pending.set(place, seq);
      else if (!rows.has(resource ?? '', id ?? '')) {
        problems.push(`fact ${seq} is about the ${resource} ${id}, which does not exist`);
      }
    }
    lastFact = upTo;
    return upTo < latest;
  };
  return {
    *readAll(): Generator<void, void> {
      while (readSlice()) yield;
    },
    *comparePending(): Generator<void, void> {
      // What is published from here on is as its row was a moment ago.
      const places = [...pending.keys()];
      for (let at = 0; at < places.length; at += SLICE) {
        // A row that has changed since has a newer fact.
        while (readSlice());
        const seqs = places.slice(at, at + SLICE).map((place) => pending.get(place) ?? 0);
        for (const { seq, field, published, found, ...row } of rows.publishedOtherwise(seqs)) {
          problems.push(
            `${nameOf(row, row.id)}: ${field} is ${found}; expected ${published}, as in fact ${seq}`,
          );
        }
        yield;
      }
    },
  };
}

/**
 * The two rows of a payment between two accounts, which agree about its amount and status. They are compared as they pass; those
 * that do not agree, or whose other row does not name them, are read again together.
 */
function createPartners() {
  const waiting = new Map<number, { partner: number; amount: number; status: string }>();
  return {
    /** The places of those that have to be read again. */
    meet({ place, amount, status }: AuditedTransaction, partner: number): readonly number[] {
      const other = waiting.get(partner);
      if (other?.partner !== place) {
        waiting.set(place, { partner, amount, status });
        return NONE;
      }
      waiting.delete(partner);
      return other.amount === amount && other.status === status ? NONE : [partner, place];
    },
    left: () => waiting.keys(),
  };
}

function nameOf(row: Pick<AuditedTransaction, 'accountId' | 'rail' | 'status'>, id: Id): string {
  const { accountId, rail, status } = row;
  return `account ${accountId ?? SUSPENSE}, transaction ${id} (${rail}, ${status})`;
}

/** What a transaction has and its transfers do not explain. Amounts are cents. */
function problemsOf(
  row: AuditedTransaction,
  moved: Moved,
  { masters, exactFrom }: { masters: ReadonlySet<Id>; exactFrom: number },
): readonly string[] {
  const { place, direction, accountId } = row;
  const rail = railOf(row.rail);
  let found = NOTHING;
  const differs = (what: string, is: unknown, expected: unknown): void => {
    if (is !== expected) found = [...found, `${what} is ${is}; expected ${expected}`];
  };
  differs('direction', direction, rail.direction);
  const expected = expectedOf(row, rail.opens.ledger);
  differs('amount on hold in its transfers', moved.held(place), expected.held);
  differs('amount posted by its transfers', moved.posted(place), expected.posted);
  differs('open hold', row.holdId, moved.openHold(place));
  if (isAuthorization(row.rail) && row.status === 'reversed') differs('amount', row.amount, row.reversed);
  if (!moved.has(place)) return found;
  const contra = direction === 'credit' ? 'debit' : 'credit';
  differs('account', accountId ?? SUSPENSE, moved.account(place, direction));
  if (accountId !== null) {
    differs('available balance', row.availableBalance, moved.available(place, direction, 'last'));
    const totals = place < exactFrom ? undefined : moved.totals(place, direction, 'sub_account');
    if (totals !== undefined) {
      differs('pending credits', row.pendingCredits, totals.pendingCredits);
      differs('pending debits', row.pendingDebits, totals.pendingDebits);
    }
    const isBookedLater = rail.booked === 'when_settled' && row.isBooked === 1;
    const booked = moved.available(place, direction, isBookedLater ? 'booked' : 'first');
    if (place >= exactFrom) differs('booked balance', row.bookedBalance, booked);
  }
  if (row.masterTotals !== null && masters.has(moved.account(place, contra))) {
    const after = place < exactFrom ? undefined : moved.totals(place, contra, 'master_account');
    const balance = moved.available(place, contra, 'last');
    found = [...found, ...problemsOfMaster(row.masterTotals, balance, after)];
  }
  return found;
}

/** What the totals of the master account after a transaction should be otherwise. They are compared by their text first. */
function problemsOfMaster(
  stored: string,
  availableBalance: number,
  after: Totals | undefined,
): readonly string[] {
  const usual = `{"availableBalance":${availableBalance},"pendingCredits":${after?.pendingCredits},"pendingDebits":${after?.pendingDebits}}`;
  if (stored === usual) return NOTHING;
  const totals = JSON.parse(stored) as Partial<Totals>;
  return Object.entries(after ?? { availableBalance })
    .filter(([name, expected]) => totals[name as keyof Totals] !== expected)
    .map(
      ([name, expected]) =>
        `${name} of the master account after it is ${totals[name as keyof Totals]}; expected ${expected}`,
    );
}

/** What the transactions that one names have otherwise. */
function problemsOfLinks(links: Omit<Links, 'accountId'>): string[] {
  const { amount, status, rail } = links;
  const found: string[] = [];
  const differs = (what: string, is: unknown, expected: unknown): void => {
    if (is !== expected) found.push(`${what} is ${is}; expected ${expected}`);
  };
  if (isReversal(rail)) {
    differs('amount', amount, links.parentAmount);
    if (!TAKEN_BACK.includes(links.parentStatus ?? '')) {
      found.push(`the transaction that it takes back is ${links.parentStatus}`);
    }
    return found;
  }
  differs('amount', amount, links.partnerAmount);
  differs('status', status, links.partnerStatus);
  return found;
}

/** What must be on hold and posted for a transaction in its status. */
function expectedOf(row: AuditedTransaction, opens: LedgerAction): { held: number; posted: number } {
  const { status, amount, reversed, movedNothing } = row;
  const isTakenBack = TAKEN_BACK.includes(status);
  if (movedNothing === 1 || opens === 'none' || isTakenBack) return { held: 0, posted: 0 };
  const rest = amount - reversed;
  const isPosted = opens === 'post' || POSTED.includes(status);
  return isPosted ? { held: 0, posted: rest } : { held: rest, posted: 0 };
}
