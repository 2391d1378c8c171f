/**
 * The audit: adds up every transfer again and compares the sums with the counters, with the entries' balances, and the
 * two sides of the books with each other. It believes nothing that the ledger cached.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ledgerAccounts, transfers } from '../model/tables.ts';
import { and, asc, gt, lte, sql } from '../store/drizzle.ts';
import type { Db } from '../store/open.ts';
import { available, type LedgerAccount, type Transfer } from './ledger.ts';

/** What an audit found; the books are right when `problems` is empty. */
export interface AuditReport {
  accounts: number;
  transfers: number;
  openHolds: number;
  problems: string[];
}

/** Re-derives the books of one database. */
export function auditLedger(db: Db): AuditReport {
  const audit = auditing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return step.value;
  }
}

/** The same, and others have their turns meanwhile: the books as they are when it begins. */
export async function auditLedgerInTurns(db: Db): Promise<AuditReport> {
  const audit = auditing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** So many transfers are added up in a few milliseconds. */
const SLICE = 1000;

/** Pauses between slices. What is written once it has begun is not looked at: transfers are numbered and never changed. */
function* auditing(db: Db): Generator<void, AuditReport> {
  const stored = db.select().from(ledgerAccounts).all();
  const last =
    db
      .select({ id: sql<number>`coalesce(max(${transfers.id}), 0)` })
      .from(transfers)
      .get()?.id ?? 0;
  const problems: string[] = [];
  const derived = new Map<string, LedgerAccount>(
    stored.map(({ id, kind }) => [
      id,
      { id, kind, debitsPending: 0, debitsPosted: 0, creditsPending: 0, creditsPosted: 0 },
    ]),
  );
  const holds = new Map<number, Transfer>();

  const check = (transfer: Transfer): void => {
    const debit = derived.get(transfer.debitAccount);
    const credit = derived.get(transfer.creditAccount);
    if (debit === undefined || credit === undefined) {
      problems.push(`transfer ${transfer.id} names an account that does not exist`);
      return;
    }
    problems.push(...fold(transfer, debit, credit, holds));
    if (available(debit) !== transfer.debitAvailableAfter) {
      problems.push(`transfer ${transfer.id}: the debit entry says ${transfer.debitAvailableAfter}`);
    }
    if (available(credit) !== transfer.creditAvailableAfter) {
      problems.push(`transfer ${transfer.id}: the credit entry says ${transfer.creditAvailableAfter}`);
    }
  };

  let count = 0;
  for (let after = 0; after < last; ) {
    const slice = db
      .select()
      .from(transfers)
      .where(and(gt(transfers.id, after), lte(transfers.id, last)))
      .orderBy(asc(transfers.id))
      .limit(SLICE)
      .all();
    for (const transfer of slice) {
      count += 1;
      check(transfer);
    }
    after = slice.at(-1)?.id ?? last;
    yield;
  }
  for (const account of stored) {
    const again = derived.get(account.id);
    if (JSON.stringify(again) !== JSON.stringify(account)) {
      problems.push(
        `account ${account.id}: counters ${JSON.stringify(account)}, transfers ${JSON.stringify(again)}`,
      );
    }
  }
  problems.push(...compareSides(stored));
  return { accounts: stored.length, transfers: count, openHolds: holds.size, problems };
}

function fold(
  transfer: Transfer,
  debit: LedgerAccount,
  credit: LedgerAccount,
  holds: Map<number, Transfer>,
): string[] {
  const { kind, amount, holdId, id } = transfer;
  if (kind === 'post') {
    debit.debitsPosted += amount;
    credit.creditsPosted += amount;
    return [];
  }
  if (kind === 'hold') {
    debit.debitsPending += amount;
    credit.creditsPending += amount;
    holds.set(id, transfer);
    return [];
  }
  const hold = holds.get(holdId ?? 0);
  if (hold === undefined) return [`transfer ${id} resolves a hold that is not open`];
  holds.delete(hold.id);
  debit.debitsPending -= hold.amount;
  credit.creditsPending -= hold.amount;
  const posted = kind === 'settle' ? amount : 0;
  debit.debitsPosted += posted;
  credit.creditsPosted += posted;
  const found: string[] = [];
  if (kind === 'release' && amount !== hold.amount) {
    found.push(`transfer ${id} releases ${amount} of a hold of ${hold.amount}`);
  }
  if (posted > hold.amount) found.push(`transfer ${id} settles more than its hold`);
  if (hold.debitAccount !== transfer.debitAccount || hold.creditAccount !== transfer.creditAccount) {
    found.push(`transfer ${id} resolves its hold between other accounts`);
  }
  return found;
}

/** What is owed to holders and held in suspense equals what is held at the partner bank. */
function compareSides(stored: LedgerAccount[]): string[] {
  let held = 0n;
  let owed = 0n;
  for (const { kind, debitsPosted, creditsPosted } of stored) {
    const net = BigInt(debitsPosted) - BigInt(creditsPosted);
    if (kind === 'master_account') held += net;
    else owed -= net;
  }
  return held === owed ? [] : [`the master holds ${held} and the sub accounts are owed ${owed}`];
}
