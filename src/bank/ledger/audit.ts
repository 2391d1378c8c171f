/**
 * The audit adds up every transfer again and compares the sums with the counters and with the balances after each
 * entry, and the two sides of the books with each other. It uses no cache of the ledger.
 */
import type { Id } from '../kernel/sequence.ts';
import { ledgerAccounts } from '../model/tables.ts';
import { type AuditedTransfer, createTransferRows, SEPARATOR } from '../store/audit-rows.ts';
import type { Db } from '../store/open.ts';
import { available, type LedgerAccount, type Transfer } from './ledger.ts';

const KINDS: readonly Transfer['kind'][] = ['post', 'hold', 'settle', 'release'];

/** The result of an audit; the books are correct if `problems` is empty. */
export interface AuditReport {
  accounts: number;
  transfers: number;
  openHolds: number;
  problems: string[];
}

/** The common properties of transfers of one kind between the same two accounts. */
export interface Way {
  readonly kind: Transfer['kind'];
  readonly debit: Id;
  readonly credit: Id;
  /** The current counters of the two accounts; `undefined` if an account does not exist or has no counters. */
  readonly debitCounters: LedgerAccount | undefined;
  readonly creditCounters: LedgerAccount | undefined;
}

/** Parses the `way` of an audited transfer, once for each distinct value. */
export function createWays(counters: ReadonlyMap<Id, LedgerAccount> = new Map()): (text: string) => Way {
  const known = new Map<string, Way>();
  // Consecutive transfers often have the same way, and comparing two texts is faster than a look-up.
  let latest: { text: string; way: Way } | undefined;
  return (text) => {
    if (latest?.text === text) return latest.way;
    const present = known.get(text);
    if (present !== undefined) {
      latest = { text, way: present };
      return present;
    }
    const [kind, debit = '', credit = ''] = text.split(SEPARATOR);
    const [debitCounters, creditCounters] = [counters.get(debit), counters.get(credit)];
    const way: Way = {
      kind: KINDS.find((name) => name === kind) ?? 'post',
      debit: debitCounters?.id ?? debit,
      credit: creditCounters?.id ?? credit,
      debitCounters,
      creditCounters,
    };
    known.set(text, way);
    return way;
  };
}

/** Audits the books of one database. */
export function auditLedger(db: Db): AuditReport {
  const audit = auditing(db);
  for (;;) {
    const step = audit.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Pauses between slices, and yields every transfer with the counters of its accounts after it, so that a further
 * audit can use the same scan. Transfers that are added after the start are ignored: transfers are numbered and never
 * changed.
 */
export function* auditing(
  db: Db,
  onTransfer: (transfer: AuditedTransfer, way: Way) => void = () => {},
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
  const wayOf = createWays(derived);
  const holds = createHolds(last);

  const check = (transfer: AuditedTransfer): void => {
    const way = wayOf(transfer.way);
    const { debitCounters: debit, creditCounters: credit } = way;
    if (debit === undefined || credit === undefined) {
      problems.push(`transfer ${transfer.id} names an account that does not exist`);
    } else {
      fold(transfer, way, debit, credit, holds, problems);
      if (available(debit) !== transfer.debitAfter) {
        problems.push(`transfer ${transfer.id}: the debit entry has ${transfer.debitAfter}`);
      }
      if (available(credit) !== transfer.creditAfter) {
        problems.push(`transfer ${transfer.id}: the credit entry has ${transfer.creditAfter}`);
      }
    }
    onTransfer(transfer, way);
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
  return { accounts: stored.length, transfers: count, openHolds: holds.size(), problems };
}

/** The open holds by the numbers of their transfers, in arrays, because there may be a million. */
function createHolds(last: number) {
  const amounts = new Float64Array(last + 1);
  const ways = new Array<Way | undefined>(last + 1);
  let open = 0;
  return {
    add(id: number, amount: number, way: Way): void {
      amounts[id] = amount;
      ways[id] = way;
      open += 1;
    },
    /** Removes and returns a hold; `undefined` if it is not open. */
    take(id: number): Way | undefined {
      const way = ways[id];
      if (way === undefined) return undefined;
      ways[id] = undefined;
      open -= 1;
      return way;
    },
    amount: (id: number): number => amounts[id] ?? 0,
    size: (): number => open,
  };
}

function fold(
  { id, amount, holdId }: AuditedTransfer,
  way: Way,
  debit: LedgerAccount,
  credit: LedgerAccount,
  holds: ReturnType<typeof createHolds>,
  problems: string[],
): void {
  const { kind } = way;
  if (kind === 'post') {
    debit.debitsPosted += amount;
    credit.creditsPosted += amount;
    return;
  }
  if (kind === 'hold') {
    debit.debitsPending += amount;
    credit.creditsPending += amount;
    holds.add(id, amount, way);
    return;
  }
  const hold = holds.take(holdId ?? 0);
  if (hold === undefined) {
    problems.push(`transfer ${id} resolves a hold that is not open`);
    return;
  }
  const held = holds.amount(holdId ?? 0);
  debit.debitsPending -= held;
  credit.creditsPending -= held;
  const posted = kind === 'settle' ? amount : 0;
  debit.debitsPosted += posted;
  credit.creditsPosted += posted;
  if (kind === 'release' && amount !== held) {
    problems.push(`transfer ${id} releases ${amount} of a hold of ${held}`);
  }
  if (posted > held) problems.push(`transfer ${id} settles more than its hold`);
  if (hold.debit !== way.debit || hold.credit !== way.credit) {
    problems.push(`transfer ${id} resolves its hold between other accounts`);
  }
}

/** The sum of the sub accounts and suspense must equal the master account. */
function compareSides(stored: LedgerAccount[]): string[] {
  let held = 0n;
  let owed = 0n;
  for (const { kind, debitsPosted, creditsPosted } of stored) {
    const net = BigInt(debitsPosted) - BigInt(creditsPosted);
    if (kind === 'master_account') held += net;
    else owed -= net;
  }
  return held === owed ? [] : [`the master account has ${held}, and the sub accounts together have ${owed}`];
}
