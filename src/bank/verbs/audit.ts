/**
 * The audit of a bank: the audit of the ledger, and each transaction compared with its transfers. A transaction's
 * amount, direction and status must match its transfers, and the transactions of an account must add up to its
 * available balance and pending credits. v1 and v2 omit the same transactions, those that moved no money, so one sum
 * is enough.
 * Source: docs/decisions/0025-audit.md.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../kernel/sequence.ts';
import { type AuditReport, auditing as auditingLedger, createWays } from '../ledger/audit.ts';
import { SUSPENSE } from '../ledger/ledger.ts';
import { totalsOf } from '../model/balances.ts';
import { isReversal } from '../model/rails/index.ts';
import type { Totals } from '../model/records.ts';
import {
  type AuditedTransaction,
  createAuditRows,
  createTransferRows,
  type Links,
  AUDIT_SLICE as SLICE,
} from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';
import { comparingFacts } from './audit-facts.ts';
import { createKinds, isTakenBack, type Kind } from './audit-kinds.ts';
import { createMoved, type Moved } from './moved.ts';

/** The maximum number of problems in a report; further ones are counted. */
const MAX_PROBLEMS = 100;

const NOTHING: readonly string[] = [];

type AuditRows = ReturnType<typeof createAuditRows>;

/** Audits the ledger and the transactions without interruption. */
export function auditBank(db: Db): AuditReport {
  const audit = auditing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same in slices, between which other requests are answered. Each transaction is compared with its transfers
 * within one slice. Sums are compared only if no money moved between the first slice and the last.
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
  const problems: string[] = [];
  const rows = createAuditRows(db);
  const moved = createMoved(rows.lastPlace());
  let lastTransfer = 0;
  const report = yield* auditingLedger(db, (transfer, way) => {
    moved.add(transfer, way);
    lastTransfer = transfer.id;
  });
  const facts = comparingFacts(db, problems);
  yield* facts.readAll();
  yield* comparingRows(db, rows, { moved, lastTransfer }, problems);
  yield* facts.comparePending();
  for (let after = 0; after < rows.lastDelivery(); after += SLICE) {
    for (const seq of rows.brokenDeliveries(after)) {
      problems.push(`delivery ${seq} refers to a webhook or an event that does not exist`);
    }
    yield;
  }
  for (const id of rows.brokenBacklogs()) {
    problems.push(
      `backlog ${id} refers to a webhook or to events that do not exist, or to the same events twice`,
    );
  }
  for (let after = 0; after < rows.lastKey(); after += SLICE) {
    for (const key of rows.brokenKeys(after)) {
      problems.push(
        `the idempotency key ${key} does not belong to a request, or its response names no record`,
      );
    }
    yield;
  }
  return { ...report, problems: shortened(report.problems.concat(problems)) };
}

/** Compares each transaction with its transfers, and the transactions of each account with its balance. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one check of a transaction after the other
function* comparingRows(
  db: Db,
  rows: AuditRows,
  read: { moved: Moved; lastTransfer: number },
  problems: string[],
): Generator<void, void> {
  const { moved } = read;
  const kinds = createKinds();
  const transfers = createTransferRows(db);
  const wayOf = createWays();
  const compare = createComparison(moved, rows);
  let { lastTransfer } = read;
  const readNew = (): number => {
    const slice = transfers.between(lastTransfer, Number.MAX_SAFE_INTEGER);
    for (const transfer of slice) moved.add(transfer, wayOf(transfer.way));
    lastTransfer = slice.at(-1)?.id ?? lastTransfer;
    return slice.length;
  };
  let first: number | undefined;
  for (let after = 0; ; ) {
    // Transfers that were written since the last slice, or since the ledger audit, belong to the current rows.
    while (readNew() > 0);
    first ??= lastTransfer;
    const slice = rows.transactionsAfter(after);
    let hasParts = false;
    const named: number[] = [];
    for (const row of slice) {
      const kind = kinds.of(row);
      for (const problem of compare(row, kind)) {
        problems.push(`${nameOf(kind, rows.idAt(row.place))}: ${problem}`);
      }
      if (kind.isReversal || (row.details !== null && hasPartner(row.details))) named.push(row.place);
      if (!kind.movedNothing) kind.sum += kind.direction === 'credit' ? row.amount : -row.amount;
      hasParts ||= kind.hasParts;
    }
    const isLast = slice.length < SLICE;
    for (const place of named) {
      const { id, accountId, rail, status, ...links } = rows.linksOf(place);
      for (const problem of problemsOfLinks({ rail, status, ...links })) {
        problems.push(`${nameOf({ accountId, rail, status }, id)}: ${problem}`);
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
  // If money moved meanwhile, some sums do not contain it.
  if (lastTransfer !== first || readNew() > 0) return;
  const sums = kinds.sums();
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

/** Whether the details of a payment within the bank name its other row. */
function hasPartner(details: string): boolean {
  return ((JSON.parse(details) as { partnerId?: string }).partnerId ?? '') !== '';
}

function nameOf({ accountId, rail, status }: Pick<Kind, 'accountId' | 'rail' | 'status'>, id: Id): string {
  return `account ${accountId ?? SUSPENSE}, transaction ${id} (${rail}, ${status})`;
}

/** Compares a transaction with its transfers and returns the differences. Amounts are cents. */
function createComparison(moved: Moved, rows: AuditRows) {
  const masters = rows.masterAccounts();
  const exactFrom = rows.exactFrom();
  let found: string[] = [];
  const differs = (what: string, is: unknown, expected: unknown): void => {
    if (is !== expected) found.push(`${what} is ${is}; expected ${expected}`);
  };
  const compareMaster = (place: number, { direction }: Kind, stored: string): void => {
    const contra = direction === 'credit' ? 'debit' : 'credit';
    if (!masters.has(moved.account(place, contra))) return;
    const availableBalance = moved.available(place, contra, 'last');
    // The master account is the contra account, so its pending credits are debits in the ledger.
    const pendingCredits = moved.pending(place, contra, 'debit');
    const pendingDebits = moved.pending(place, contra, 'credit');
    const isKnown = place >= exactFrom && moved.isCounted(place, contra);
    const usual = `{"availableBalance":${availableBalance},"pendingCredits":${pendingCredits},"pendingDebits":${pendingDebits}}`;
    if (isKnown && stored === usual) return;
    found.push(
      ...problemsOfMaster(stored, { availableBalance, ...(isKnown && { pendingCredits, pendingDebits }) }),
    );
  };
  const compare = (row: AuditedTransaction, kind: Kind): void => {
    const { place } = row;
    const { direction, accountId, expected } = kind;
    differs('direction', kind.written, kind.directionOfRail);
    const rest = row.amount - (row.reversed ?? 0);
    differs('amount on hold in its transfers', moved.held(place), expected === 'held' ? rest : 0);
    differs('amount posted by its transfers', moved.posted(place), expected === 'posted' ? rest : 0);
    differs('open hold', row.holdId, moved.openHold(place));
    if (kind.isAuthorization && kind.status === 'reversed') differs('amount', row.amount, row.reversed ?? 0);
    if (!moved.has(place)) return;
    const isExact = place >= exactFrom;
    differs('account', accountId ?? SUSPENSE, moved.account(place, direction));
    if (accountId !== null) {
      differs('available balance', row.availableBalance, moved.available(place, direction, 'last'));
      if (isExact && moved.isCounted(place, direction)) {
        differs('pending credits', row.pendingCredits, moved.pending(place, direction, 'credit'));
        differs('pending debits', row.pendingDebits, moved.pending(place, direction, 'debit'));
      }
      const isBookedLater = kind.isBookedWhenSettled && kind.isBooked;
      const booked = moved.available(place, direction, isBookedLater ? 'booked' : 'first');
      if (isExact) differs('booked balance', row.bookedBalance, booked);
    }
    if (row.masterTotals !== null && kind.hasMasterEntry) compareMaster(place, kind, row.masterTotals);
  };
  return (row: AuditedTransaction, kind: Kind): readonly string[] => {
    compare(row, kind);
    if (found.length === 0) return NOTHING;
    const problems = found;
    found = [];
    return problems;
  };
}

/** The differences in the known totals of the master account after a transaction. */
function problemsOfMaster(stored: string, after: Partial<Totals>): readonly string[] {
  const totals = JSON.parse(stored) as Partial<Totals>;
  return Object.entries(after)
    .filter(([name, expected]) => totals[name as keyof Totals] !== expected)
    .map(
      ([name, expected]) =>
        `${name} of the master account after it is ${totals[name as keyof Totals]}; expected ${expected}`,
    );
}

/** The differences in the transactions that a transaction names. */
function problemsOfLinks(links: Omit<Links, 'id' | 'accountId'>): string[] {
  const { amount, status, rail } = links;
  const found: string[] = [];
  const differs = (what: string, is: unknown, expected: unknown): void => {
    if (is !== expected) found.push(`${what} is ${is}; expected ${expected}`);
  };
  if (isReversal(rail)) {
    differs('amount', amount, links.parentAmount);
    if (!isTakenBack(links.parentStatus)) {
      found.push(`the transaction that it reverses is ${links.parentStatus}`);
    }
    return found;
  }
  differs('amount', amount, links.partnerAmount);
  differs('status', status, links.partnerStatus);
  return found;
}
