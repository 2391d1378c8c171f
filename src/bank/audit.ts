/**
 * The audit of a bank: the audit of the ledger, and each transaction compared with its transfers. A transaction's amount,
 * direction and status must be what its transfers did, and the rows of an account must add up to its available balance and
 * pending credits. v1 and v2 leave out the same rows, those that moved nothing, so one sum serves both.
 * Source: docs/decisions/0025-audit.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../kernel/sequence.ts';
import { type AuditReport, auditLedger, auditLedgerInTurns } from '../ledger/audit.ts';
import { SUSPENSE } from '../ledger/ledger.ts';
import { totalsOf } from '../model/balances.ts';
import { isAuthorization, type RailName, railOf } from '../model/rails/index.ts';
import {
  type AuditedTransaction,
  type AuditedTransfer,
  createAuditRows,
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
  debitAfter: number;
  creditAfter: number;
}

/** A report names so many problems and counts the others. */
const MAX_PROBLEMS = 100;
const TAKEN_BACK = ['returned', 'reversed', 'declined', 'canceled'];
const POSTED = ['settled', 'refunded'];

/** Audits the ledger and the transactions at once. */
export function auditBank(db: Db): AuditReport {
  const report = auditLedger(db);
  const audit = comparing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return { ...report, problems: shortened(report.problems.concat(step.value)) };
  }
}

/**
 * The same, while other requests are answered. Each transaction is compared with its transfers at one moment. Sums are
 * compared only if no money moved between the first slice and the last.
 */
export async function auditBankInTurns(db: Db): Promise<AuditReport> {
  const report = await auditLedgerInTurns(db);
  const audit = comparing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return { ...report, problems: shortened(report.problems.concat(step.value)) };
    await nextTurn();
  }
}

function shortened(problems: string[]): string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more <= 0 ? problems : [...problems.slice(0, MAX_PROBLEMS), `and ${more} more problems`];
}

function* comparing(db: Db): Generator<void, string[]> {
  const problems: string[] = [];
  const moved = new Map<Id, Moved>();
  const sums = new Map<Id, number>();
  const rows = createAuditRows(db);

  let lastTransfer = 0;
  const fold = (): number => {
    const slice = rows.transfersAfter(lastTransfer);
    for (const transfer of slice) add(moved, transfer);
    lastTransfer = slice.at(-1)?.id ?? lastTransfer;
    return slice.length;
  };
  while (fold() === SLICE) yield;

  const lastFactOf = new Map<Id, number>();
  let lastFact = 0;
  const readFacts = (): number => {
    const slice = rows.factsAfter(lastFact);
    for (const [seq, resource, id] of slice) {
      if (resource === 'transaction') lastFactOf.set(id, seq);
      else if (!rows.has(resource, id)) {
        problems.push(`fact ${seq} is about the ${resource} ${id}, which does not exist`);
      }
    }
    lastFact = slice.at(-1)?.[0] ?? lastFact;
    return slice.length;
  };
  while (readFacts() === SLICE) yield;

  const first = lastTransfer;
  for (let after = 0; ; ) {
    // What was written since the last slice belongs to the rows as they are now.
    while (fold() > 0);
    while (readFacts() > 0);
    const slice = rows.transactionsAfter(after);
    const lastFacts: number[] = [];
    for (const row of slice) {
      const lastOfRow = lastFactOf.get(row.id);
      if (lastOfRow !== undefined) lastFacts.push(lastOfRow);
      lastFactOf.delete(row.id);
      for (const problem of problemsOf(row, moved.get(row.id))) {
        const account = row.accountId ?? SUSPENSE;
        problems.push(`account ${account}, transaction ${row.id} (${row.rail}, ${row.status}): ${problem}`);
      }
      if (row.accountId !== null && row.movedNothing === 0) {
        const signed = row.direction === 'credit' ? row.amount : -row.amount;
        sums.set(row.accountId, (sums.get(row.accountId) ?? 0) + signed);
      }
    }
    for (const { id, accountId, rail, status, seq, field, published, found } of rows.publishedOtherwise(
      lastFacts,
    )) {
      problems.push(
        `account ${accountId ?? SUSPENSE}, transaction ${id} (${rail}, ${status}): ${field} is ${found}; expected ${published}, as in fact ${seq}`,
      );
    }
    if (slice.length < SLICE) break;
    after = slice.at(-1)?.place ?? after;
    yield;
  }
  for (const [id, seq] of lastFactOf) {
    if (!rows.has('transaction', id)) {
      problems.push(`fact ${seq} is about the transaction ${id}, which does not exist`);
    }
  }
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
  // What moved money in between stands in later rows than some of the sums.
  if (lastTransfer !== first || fold() > 0) return problems;
  for (const account of rows.subAccounts()) {
    const { availableBalance, pendingCredits } = totalsOf(account);
    const expected = availableBalance + pendingCredits;
    const found = sums.get(account.id) ?? 0;
    if (found === expected) continue;
    problems.push(
      `account ${account.id}: its transactions add up to ${found}; expected ${expected}, available balance and pending credits`,
    );
  }
  return problems;
}

function add(moved: Map<Id, Moved>, transfer: AuditedTransfer): void {
  const { id, kind, debit, credit, amount, transactionId, debitAfter, creditAfter } = transfer;
  const known = moved.get(transactionId);
  const own = known ?? { debit, credit, held: 0, holdId: null, posted: 0, debitAfter, creditAfter };
  if (known === undefined) moved.set(transactionId, own);
  const isForward = debit === own.debit && credit === own.credit;
  own.debitAfter = isForward ? debitAfter : creditAfter;
  own.creditAfter = isForward ? creditAfter : debitAfter;
  if (kind === 'hold') {
    own.held += amount;
    own.holdId = id;
    return;
  }
  if (kind !== 'post') {
    own.held = 0;
    own.holdId = null;
  }
  if (kind !== 'release') own.posted += isForward ? amount : -amount;
}

/** What a transaction has and its transfers do not explain. Amounts are cents. */
function problemsOf(row: AuditedTransaction, moved: Moved | undefined): string[] {
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
    const own = direction === 'credit' ? moved.credit : moved.debit;
    differs('account', row.accountId ?? SUSPENSE, own);
    if (row.accountId !== null) {
      const after = direction === 'credit' ? moved.creditAfter : moved.debitAfter;
      differs('available balance', row.availableBalance, after);
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
