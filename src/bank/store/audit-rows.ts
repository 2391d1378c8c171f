/**
 * Reads the rows for the audit of a bank: transfers and transactions in order, one slice at a time, and the counters
 * of the sub accounts. It bypasses all caches.
 */
import type { Id } from '../kernel/sequence.ts';
import { AUTHORIZATION_RAILS } from '../model/rails/index.ts';
import { ledgerAccounts, type transactions } from '../model/tables.ts';
import { eq } from './drizzle.ts';
import type { Db } from './open.ts';
import { SHOWS_NO_FACT } from './stored-views.ts';

const AUTHORIZATIONS = AUTHORIZATION_RAILS.map((name) => `'${name}'`).join(', ');

/** The number of rows in a slice, which takes a few milliseconds. */
export const AUDIT_SLICE = 500;

type Stored = typeof transactions.$inferSelect;
/**
 * A transaction for the audit. Reading a value takes time, so a value that few transactions have is `null` for the
 * others.
 */
export type AuditedTransaction = Pick<
  Stored,
  | 'accountId'
  | 'rail'
  | 'status'
  | 'amount'
  | 'availableBalance'
  | 'pendingCredits'
  | 'pendingDebits'
  | 'holdId'
  | 'bookedBalance'
> & {
  /** Its number in the order of creation. */
  place: number;
  /** The bits of `TRAITS`. */
  traits: number;
  /** For a card authorization: the amount that its reversals released, if any. */
  reversed: number | null;
  /**
   * The details as JSON, for a payment within the bank whose other row is not adjacent or has another amount or
   * status.
   */
  details: string | null;
  /** The totals of the master account after it as JSON, if any are stored. */
  masterTotals: string | null;
};

export const TRAITS = {
  movedNothing: 1,
  hasParts: 2,
  hasMasterEntry: 4,
  isBooked: 8,
  isCredit: 16,
  isDebit: 32,
} as const;

/** The beginning of the details of a payment within the bank; the id of its other row follows. */
const PARTNER = '{"kind":"intra","partnerId":"';
const ID_LENGTH = 32;

/** A transaction with the transactions that it names. */
export interface Links extends Pick<Stored, 'id' | 'accountId' | 'rail' | 'status' | 'amount'> {
  /** The amount of the transaction that a reversal reverses. */
  parentAmount: number | null;
  parentStatus: string | null;
  /** The amount of the other row of a payment between two accounts. */
  partnerAmount: number | null;
  partnerStatus: string | null;
}

/** A transfer for the audit. */
export interface AuditedTransfer {
  id: number;
  /** Its kind and its two accounts as one text, which `createWays` parses; many transfers have the same. */
  way: string;
  amount: number;
  holdId: number | null;
  debitAfter: number;
  creditAfter: number;
  /** The place of its transaction; `null` for none. */
  place: number | null;
}

/**
 * A row from SQLite. A value that equals that of the last row of the previous slice is `null`, because passing a text
 * takes longer than comparing it.
 */
type Usual<Row, Name extends keyof Row> = Omit<Row, Name> & { [_ in Name]: Row[_] | null };
/** Some transactions have no account, so 0 means the same account. */
type UsualTransaction = Usual<Omit<AuditedTransaction, 'accountId'>, 'rail' | 'status'> & {
  accountId: AuditedTransaction['accountId'] | 0;
};

/** A part of an unallocated entry whose two rows do not match. */
interface WrongPart {
  id: Id;
  problem: string;
}

/**
 * The tables of the records in stored responses, by the prefix of the id. An id has four characters and 32 digits,
 * with or without dashes.
 */
const ANSWERED = [
  ['transactions', ['txn', 'tra']],
  ['accounts', ['sub', 'acc']],
  ['cards', ['crd']],
  ['counterparties', ['ctp', 'con']],
  ['holders', ['sah', 'per', 'bus']],
] as const;
const isMissing = (table: string): string =>
  // v2 shows a transaction in the ledger of the master account under a separate id.
  ['id =', ...(table === 'transactions' ? ["master_totals <> '' AND master_id ="] : [])]
    .map((is) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${is} replace(substr(named, 5), '-', ''))`)
    .join(' AND ');

/** The separator of the parts of a transfer's way. */
export const SEPARATOR = '|';

/** The transfers in their order, for the audit of the ledger. */
export function createTransferRows({ $client }: Db) {
  const between = $client.prepare(
    `SELECT x.id, iif(x.kind = :kind AND x.debit_account = :debit AND x.credit_account = :credit, NULL,
        concat(x.kind, '${SEPARATOR}', x.debit_account, '${SEPARATOR}', x.credit_account)) AS way, x.amount, x.hold_id AS holdId,
      x.debit_available_after AS debitAfter, x.credit_available_after AS creditAfter, t.rowid AS place
      FROM transfers AS x LEFT JOIN transactions AS t ON t.id = x.transaction_id
      WHERE x.id > :after AND x.id <= :upTo ORDER BY x.id LIMIT ${AUDIT_SLICE}`,
  );
  /** The way of the last transfer of the previous slice. */
  let usual = '';
  const last = $client.prepare('SELECT coalesce(max(id), 0) FROM transfers').pluck();
  return {
    /** A slice of the transfers after one, up to another. */
    between(after: number, upTo: number): AuditedTransfer[] {
      const [kind, debit, credit] = usual.split(SEPARATOR);
      const slice = between.all({ kind, debit, credit, after, upTo }) as Usual<AuditedTransfer, 'way'>[];
      for (const transfer of slice) transfer.way ??= usual;
      usual = slice.at(-1)?.way ?? usual;
      return slice as AuditedTransfer[];
    },
    last: () => last.get() as number,
  };
}

/** The statements of the audit. */
export function createAuditRows(db: Db) {
  const rowsAfter = db.$client.prepare(
    `SELECT t.rowid AS place, iif(t.account_id = :accountId, 0, t.account_id) AS accountId,
      iif(t.rail = :rail, NULL, t.rail) AS rail, iif(t.status = :status, NULL, t.status) AS status,
      t.moved_nothing * ${TRAITS.movedNothing} + (t.sub_ledger IS NOT NULL) * ${TRAITS.hasParts}
        + (t.master_id <> '') * ${TRAITS.hasMasterEntry} + (t.booked_at IS NOT NULL) * ${TRAITS.isBooked}
        + (t.direction = 'credit') * ${TRAITS.isCredit} + (t.direction = 'debit') * ${TRAITS.isDebit} AS traits,
      t.amount, t.available_balance AS availableBalance, t.pending_credits AS pendingCredits, t.pending_debits AS pendingDebits,
      t.hold_id AS holdId, t.booked_balance AS bookedBalance, t.master_totals AS masterTotals,
      iif(t.method = 'intra_account' AND NOT EXISTS (SELECT 1 FROM transactions AS partner
        WHERE partner.rowid = t.rowid + iif(t.id < substr(t.details, ${PARTNER.length + 1}, ${ID_LENGTH}), 1, -1)
          AND substr(t.details, 1, ${PARTNER.length + ID_LENGTH}) = '${PARTNER}' || partner.id
          AND partner.amount = t.amount AND partner.status = t.status), t.details, NULL) AS details,
      iif(t.card_id <> '' AND t.rail IN (${AUTHORIZATIONS}),
        (SELECT sum(child.amount) FROM transactions AS child
          WHERE child.parent_id = t.id AND child.parent_id <> '' AND child.rail = 'card_reverse'), NULL) AS reversed
      FROM transactions AS t WHERE t.rowid > :place ORDER BY t.rowid LIMIT ${AUDIT_SLICE}`,
  );
  /** The last transaction of the previous slice. */
  let usual: AuditedTransaction | undefined;
  const lastPlace = db.$client.prepare('SELECT coalesce(max(rowid), 0) FROM transactions').pluck();
  const idAt = db.$client.prepare('SELECT id FROM transactions WHERE rowid = ?').pluck();
  const exactFrom = db.$client
    .prepare(
      `SELECT t.rowid FROM facts AS f JOIN transactions AS t ON t.id = f.resource_id
        WHERE f.resource = 'transaction' AND f.change = 'created' AND f.moved IS NOT NULL ORDER BY f.seq LIMIT 1`,
    )
    .pluck();
  const linksOf = db.$client.prepare(
    `SELECT t.id, t.account_id AS accountId, t.rail, t.status, t.amount,
      parent.amount AS parentAmount, parent.status AS parentStatus,
      partner.amount AS partnerAmount, partner.status AS partnerStatus
      FROM transactions AS t
      LEFT JOIN transactions AS parent ON parent.id = t.parent_id
      LEFT JOIN transactions AS partner
        ON partner.id = iif(t.method = 'intra_account', t.details ->> '$.partnerId', NULL)
      WHERE t.rowid = ?`,
  );
  const wrongParts = db.$client.prepare(
    `SELECT t.id, 'its part ' || (part.value ->> '$.transactionId') || ' is not a row of that account and amount' AS problem
      FROM transactions AS t, json_each(t.sub_ledger) AS part
      LEFT JOIN transactions AS row ON row.id = part.value ->> '$.transactionId'
      WHERE t.rowid > ? AND t.rowid <= ? AND t.sub_ledger IS NOT NULL AND part.value ->> '$.transactionId' <> ''
        AND (row.amount IS NOT part.value ->> '$.amount' OR row.account_id IS NOT part.value ->> '$.accountId')
    UNION ALL
    SELECT t.id, 'its parts are more than its amount' FROM transactions AS t
      WHERE t.rowid > ? AND t.rowid <= ? AND t.sub_ledger IS NOT NULL
        AND (SELECT sum(value ->> '$.amount') FROM json_each(t.sub_ledger)) > t.amount
    UNION ALL
    SELECT t.id, 'the entry that it is a part of does not name it' FROM transactions AS t
      WHERE t.rowid > ? AND t.rowid <= ? AND t.rail = 'sub_ledgered' AND t.status = 'settled'
        AND NOT EXISTS (SELECT 1 FROM transactions AS entry, json_each(entry.sub_ledger) AS part
          WHERE entry.id = t.master_id AND part.value ->> '$.transactionId' = t.id)`,
  );
  const brokenDeliveries = db.$client
    .prepare(
      `SELECT seq FROM deliveries AS d WHERE seq > ? AND seq <= ? + ${AUDIT_SLICE} AND NOT (
        EXISTS (SELECT 1 FROM webhooks WHERE id = d.webhook_id)
        AND EXISTS (SELECT 1 FROM facts WHERE seq = d.fact_seq
          AND (instr(' ' || kinds_v1 || ' ', ' ' || d.kind || ' ') > 0
            OR instr(' ' || kinds_v2 || ' ', ' ' || d.kind || ' ') > 0)))`,
    )
    .pluck();
  const brokenBacklogs = db.$client
    .prepare(
      `SELECT id FROM backlogs AS b WHERE NOT EXISTS (SELECT 1 FROM webhooks WHERE id = b.webhook_id)
        OR max(after_fact, coalesce(up_to_fact, 0)) > (SELECT coalesce(max(seq), 0) FROM facts)
        OR EXISTS (SELECT 1 FROM backlogs AS other WHERE other.webhook_id = b.webhook_id AND other.id > b.id
          AND other.after_fact < coalesce(b.up_to_fact, other.after_fact + 1))`,
    )
    .pluck();
  const lastDelivery = db.$client.prepare('SELECT coalesce(max(seq), 0) FROM deliveries').pluck();
  const brokenKeys = db.$client
    .prepare(
      `WITH slice AS (
          SELECT *, iif(json_valid(body), body, NULL) ->> '$.id' AS named FROM idempotency_keys
          WHERE rowid > ? AND rowid <= ? + ${AUDIT_SLICE})
        SELECT key FROM slice WHERE substr(key, 1, 3) NOT IN ('v1:', 'v2:')
          OR length(fingerprint) <> 40 OR fingerprint GLOB '*[^0-9a-f]*'
          OR (body <> '' AND NOT json_valid(body))
          OR (${SHOWS_NO_FACT})
          OR (status BETWEEN 200 AND 299 AND CASE substr(named, 1, 3)
            ${ANSWERED.flatMap(([table, prefixes]) => prefixes.map((prefix) => `WHEN '${prefix}' THEN ${isMissing(table)}`)).join(' ')} ELSE 0 END)`,
    )
    .pluck();
  const lastKey = db.$client.prepare('SELECT coalesce(max(rowid), 0) FROM idempotency_keys').pluck();
  return {
    /** The deliveries of a slice whose webhook or event is missing, or whose event does not have their kind. */
    brokenDeliveries: (after: number) => brokenDeliveries.all(after, after) as number[],
    lastDelivery: () => lastDelivery.get() as number,
    /**
     * The backlogs whose webhook is missing, that extend beyond the last fact, or that overlap a later one of the
     * webhook.
     */
    brokenBacklogs: () => brokenBacklogs.all() as number[],
    /** The idempotency keys of a slice that no request created, or whose response names a missing record. */
    brokenKeys: (after: number) => brokenKeys.all(after, after) as string[],
    lastKey: () => lastKey.get() as number,
    /** The place of the last transaction. */
    lastPlace: () => lastPlace.get() as number,
    /** The transactions after the one at this place. */
    transactionsAfter(place: number): AuditedTransaction[] {
      const { accountId = null, rail = null, status = null } = usual ?? {};
      const slice = rowsAfter.all({ place, accountId, rail, status }) as UsualTransaction[];
      for (const row of slice) {
        if (row.accountId === 0) row.accountId = accountId;
        row.rail ??= rail;
        row.status ??= status;
      }
      usual = (slice as AuditedTransaction[]).at(-1) ?? usual;
      return slice as AuditedTransaction[];
    },
    /**
     * The place of the first transaction since schema 7. The migrations could not determine the pending totals of
     * earlier transactions or the order of their bookings, and their facts do not contain the moved amounts.
     */
    exactFrom: () => (exactFrom.get() ?? Number.POSITIVE_INFINITY) as number,
    idAt: (place: number) => idAt.get(place) as Id,
    /** The transactions that the one at this place names. */
    linksOf: (place: number) => linksOf.get(place) as Links,
    /** The wrong parts of unallocated entries between two places. */
    wrongParts: (from: number, to: number) => wrongParts.all(from, to, from, to, from, to) as WrongPart[],
    masterAccounts: (): ReadonlySet<Id> =>
      new Set(
        db
          .select({ id: ledgerAccounts.id })
          .from(ledgerAccounts)
          .where(eq(ledgerAccounts.kind, 'master_account'))
          .all()
          .map(({ id }) => id),
      ),
    subAccounts: () => db.select().from(ledgerAccounts).where(eq(ledgerAccounts.kind, 'sub_account')).all(),
  };
}
