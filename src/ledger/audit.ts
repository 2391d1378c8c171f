/**
 * The audit: adds up every transfer again and compares the sums with the counters, with the entries' balances, and the
 * two sides of the books with each other. It believes nothing that the ledger cached.
 */
import { ledgerAccounts } from '../model/tables.ts';
import { type AuditedTransfer, createTransferRows } from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';
import { available, type LedgerAccount } from './ledger.ts';

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

/**
 * Pauses between slices, and hands every transfer on with the counters of its accounts after it, so that one reading serves
 * whoever knows more of them. What is written once it has begun is not looked at: transfers are numbered and never changed.
 */
export function* auditing(
  db: Db,
  onTransfer: (transfer: AuditedTransfer, debit?: LedgerAccount, credit?: LedgerAccount) => void = () => {},
): Generator<void, AuditReport> {
  const stored = db.select().from(ledgerAccounts).all();
  const transfers = createTransferRows(db);
  const last = transfers.last();
  const problems: string[] = [];
  const derived = new Map<string, LedgerAccount>(
    stored.map(({ id, kind }) => [
      id,
      { id, kind, debitsPending: 0, debitsPosted: 0, creditsPending: 0, creditsPosted: 0 },
    ]),
  );
  const holds = new Map<number, AuditedTransfer>();

  const check = (transfer: AuditedTransfer): void => {
    const debit = derived.get(transfer.debit);
    const credit = derived.get(transfer.credit);
    if (debit === undefined || credit === undefined) {
      problems.push(`transfer ${transfer.id} names an account that does not exist`);
      onTransfer(transfer);
      return;
    }
    fold(transfer, debit, credit, holds, problems);
    if (available(debit) !== transfer.debitAfter) {
      problems.push(`transfer ${transfer.id}: the debit entry says ${transfer.debitAfter}`);
    }
    if (available(credit) !== transfer.creditAfter) {
      problems.push(`transfer ${transfer.id}: the credit entry says ${transfer.creditAfter}`);
    }
    onTransfer(transfer, debit, credit);
  };

  let count = 0;
  for (let after = 0; after < last; ) {
    const slice = transfers.between(after, last);
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
  transfer: AuditedTransfer,
  debit: LedgerAccount,
  credit: LedgerAccount,
  holds: Map<number, AuditedTransfer>,
  problems: string[],
): void {
  const { kind, amount, holdId, id } = transfer;
  if (kind === 'post') {
    debit.debitsPosted += amount;
    credit.creditsPosted += amount;
    return;
  }
  if (kind === 'hold') {
    debit.debitsPending += amount;
    credit.creditsPending += amount;
    holds.set(id, transfer);
    return;
  }
  const hold = holds.get(holdId ?? 0);
  if (hold === undefined) {
    problems.push(`transfer ${id} resolves a hold that is not open`);
    return;
  }
  holds.delete(hold.id);
  debit.debitsPending -= hold.amount;
  credit.creditsPending -= hold.amount;
  const posted = kind === 'settle' ? amount : 0;
  debit.debitsPosted += posted;
  credit.creditsPosted += posted;
  if (kind === 'release' && amount !== hold.amount) {
    problems.push(`transfer ${id} releases ${amount} of a hold of ${hold.amount}`);
  }
  if (posted > hold.amount) problems.push(`transfer ${id} settles more than its hold`);
  if (hold.debit !== transfer.debit || hold.credit !== transfer.credit) {
    problems.push(`transfer ${id} resolves its hold between other accounts`);
  }
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
