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
import { isAuthorization, type RailName, railOf } from '../model/rails/index.ts';
import {
  type AuditedTransaction,
  type AuditedTransfer,
  createAuditRows,
  createTransferRows,
  AUDIT_SLICE as SLICE,
} from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';

/** What the transfers of one transaction add up to. */
interface Moved {
  debit: Id;
  credit: Id;
  held: number;
  holdId: number | null;
  posted: number;
  /** What the two accounts had available after the first, after the one that booked it, and after the last. */
  first: Sides;
  booked: Sides | undefined;
  last: Sides;
}

/** Of the account that the first transfer debits, and of the one that it credits. */
interface Sides {
  debit: number;
  credit: number;
}

/** A report names so many problems and counts the others. */
const MAX_PROBLEMS = 100;
const TAKEN_BACK = ['returned', 'reversed', 'declined', 'canceled'];
const POSTED = ['settled', 'refunded'];

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
  return more <= 0 ? problems : [...problems.slice(0, MAX_PROBLEMS), `and ${more} more problems`];
}

function* auditing(db: Db): Generator<void, AuditReport> {
  const moved = new Map<Id, Moved>();
  const problems: string[] = [];
  const rows = createAuditRows(db);
  let lastTransfer = 0;
  const report = yield* auditingLedger(db, (transfer) => {
    add(moved, transfer);
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
function* comparingRows(
  db: Db,
  rows: AuditRows,
  read: { moved: Map<Id, Moved>; lastTransfer: number },
  problems: string[],
): Generator<void, void> {
  const { moved } = read;
  const sums = new Map<Id, number>();
  const transfers = createTransferRows(db);
  const masters = rows.masterAccounts();
  let { lastTransfer } = read;
  const readNew = (): number => {
    const slice = transfers.between(lastTransfer, Number.MAX_SAFE_INTEGER);
    for (const transfer of slice) add(moved, transfer);
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
    for (const row of slice) {
      for (const problem of problemsOf(row, moved.get(row.id), masters)) {
        problems.push(`${nameOf(row)}: ${problem}`);
      }
      if (row.accountId !== null && row.movedNothing === 0) {
        const signed = row.direction === 'credit' ? row.amount : -row.amount;
        sums.set(row.accountId, (sums.get(row.accountId) ?? 0) + signed);
      }
      hasParts ||= row.hasParts === 1;
    }
    const last = slice.at(-1)?.place ?? after;
    if (hasParts) {
      for (const { id, problem } of rows.wrongParts(after, last))
        problems.push(`transaction ${id}: ${problem}`);
    }
    if (slice.length < SLICE) break;
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
  /** The last fact of each transaction that may not be as it was published. */
  const pending = new Map<Id, number>();
  let lastFact = 0;
  const readSlice = (): boolean => {
    const latest = rows.lastFact();
    const upTo = Math.min(lastFact + SLICE, latest);
    for (const { seq, resource, id, isSame } of rows.factsBetween(lastFact, upTo)) {
      if (isSame === 1) pending.delete(id);
      else if (isSame === 0) pending.set(id, seq);
      else if (!rows.has(resource, id)) {
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
      for (;;) {
        // A row that has changed since has a newer fact.
        while (readSlice());
        const some = [...pending].slice(0, SLICE);
        if (some.length === 0) return;
        const seqs = some.map(([, seq]) => seq);
        for (const { seq, field, published, found, ...row } of rows.publishedOtherwise(seqs)) {
          problems.push(`${nameOf(row)}: ${field} is ${found}; expected ${published}, as in fact ${seq}`);
        }
        for (const [id] of some) pending.delete(id);
        yield;
      }
    },
  };
}

function nameOf({
  id,
  accountId,
  rail,
  status,
}: Pick<AuditedTransaction, 'id' | 'accountId' | 'rail' | 'status'>): string {
  return `account ${accountId ?? SUSPENSE}, transaction ${id} (${rail}, ${status})`;
}

function add(moved: Map<Id, Moved>, transfer: AuditedTransfer): void {
  const { id, kind, debit, credit, amount, transactionId, debitAfter, creditAfter } = transfer;
  let own = moved.get(transactionId);
  if (own === undefined) {
    const after = { debit: debitAfter, credit: creditAfter };
    own = { debit, credit, held: 0, holdId: null, posted: 0, first: after, booked: undefined, last: after };
    moved.set(transactionId, own);
  } else if (debit === own.debit) own.last = { debit: debitAfter, credit: creditAfter };
  else own.last = { debit: creditAfter, credit: debitAfter };
  if (kind === 'hold') {
    own.held += amount;
    own.holdId = id;
    return;
  }
  if (kind !== 'post') {
    own.held = 0;
    own.holdId = null;
  }
  if (kind === 'release') return;
  own.booked ??= own.last;
  own.posted += debit === own.debit && credit === own.credit ? amount : -amount;
}

/** What a transaction has and its transfers do not explain. Amounts are cents. */
function problemsOf(row: AuditedTransaction, moved: Moved | undefined, masters: ReadonlySet<Id>): string[] {
  const { rail, direction, amount, holdId } = row;
  const found: string[] = [];
  const differs = (what: string, is: unknown, expected: unknown): void => {
    if (is !== expected) found.push(`${what} is ${is}; expected ${expected}`);
  };
  differs('direction', direction, railOf(rail).direction);
  const { held, posted } = expectedOf(row);
  differs('amount on hold in its transfers', moved?.held ?? 0, held);
  differs('amount posted by its transfers', moved?.posted ?? 0, posted);
  differs('open hold', holdId, moved?.holdId ?? null);
  if (moved !== undefined) {
    const [own, contra] =
      direction === 'credit' ? (['credit', 'debit'] as const) : (['debit', 'credit'] as const);
    differs('account', row.accountId ?? SUSPENSE, moved[own]);
    if (row.accountId !== null) {
      differs('available balance', row.availableBalance, moved.last[own]);
      const isBookedLater = railOf(rail).booked === 'when_settled' && row.bookedAt !== null;
      const booked = isBookedLater ? (moved.booked ?? moved.first) : moved.first;
      differs('booked balance', row.bookedBalance, booked[own]);
    }
    if (row.hasEntry === 1 && masters.has(moved[contra])) {
      differs('balance of the master account after it', row.masterBalance, moved.last[contra]);
    }
  }
  const isReversal = rail === 'reversal_credit' || rail === 'reversal_debit';
  if (isReversal) {
    differs('amount', amount, row.parentAmount);
    if (!TAKEN_BACK.includes(row.parentStatus ?? '')) {
      found.push(`the transaction that it takes back is ${row.parentStatus}`);
    }
  }
  // A reversal has the partner of the transaction that it takes back.
  if (row.partnerId !== '' && row.partnerId !== null && !isReversal) {
    differs('amount', amount, row.partnerAmount);
    differs('status', row.status, row.partnerStatus);
  }
  if (isAuthorization(rail) && row.status === 'reversed') differs('amount', amount, row.reversed);
  return found;
}

/** What must be on hold and posted for a transaction in its status. */
function expectedOf(row: AuditedTransaction): { held: number; posted: number } {
  const { status, amount, reversed, movedNothing } = row;
  const rail: RailName = row.rail;
  const { opens } = railOf(rail);
  const isTakenBack = TAKEN_BACK.includes(status);
  if (movedNothing === 1 || opens.ledger === 'none' || isTakenBack) return { held: 0, posted: 0 };
  const rest = amount - reversed;
  const isPosted = opens.ledger === 'post' || POSTED.includes(status);
  return isPosted ? { held: 0, posted: rest } : { held: rest, posted: 0 };
}
