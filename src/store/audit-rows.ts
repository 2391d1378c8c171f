/**
 * The rows that the audit of a bank reads: transfers and transactions in their order, a slice at a time, and the counters of
 * the sub accounts. It reads past every cache.
 */
import type { Id } from '../kernel/sequence.ts';
import { REVERSAL_RAILS } from '../model/rails/index.ts';
import { ledgerAccounts, type transactions } from '../model/tables.ts';
import type { Statement } from './driver.ts';
import { eq } from './drizzle.ts';
import type { Db } from './open.ts';

const REVERSALS = REVERSAL_RAILS.map((name) => `'${name}'`).join(', ');

/** So many rows are compared in a few milliseconds. */
export const AUDIT_SLICE = 500;

type Stored = typeof transactions.$inferSelect;
/** A transaction as the audit reads it. */
export type AuditedTransaction = Pick<
  Stored,
  | 'accountId'
  | 'rail'
  | 'status'
  | 'amount'
  | 'direction'
  | 'availableBalance'
  | 'pendingCredits'
  | 'pendingDebits'
  | 'holdId'
  | 'bookedBalance'
> & {
  /** Its number in the order in which transactions were made. */
  place: number;
  isBooked: number;
  movedNothing: number;
  /** Of a card's authorization: what its reversals released. */
  reversed: number;
  isReversal: number;
  /** Of the other row of a payment between two accounts; 0 if there is none by the id that it names. */
  partnerPlace: number | null;
  /** The totals of the master account after it as JSON, `null` where that has no entry of it. */
  masterTotals: string | null;
  /** 1 for an unallocated entry with parts, and for a part. */
  hasParts: number;
};

/** A transaction beside those that it names. */
export interface Links extends Pick<Stored, 'accountId' | 'rail' | 'status' | 'amount'> {
  /** Of the transaction that a reversal takes back. */
  parentAmount: number | null;
  parentStatus: string | null;
  /** Of the other row of a payment between two accounts. */
  partnerAmount: number | null;
  partnerStatus: string | null;
}

/** A transfer as the audit reads it. */
export interface AuditedTransfer {
  id: number;
  kind: 'post' | 'hold' | 'settle' | 'release';
  debit: Id;
  credit: Id;
  amount: number;
  holdId: number | null;
  debitAfter: number;
  creditAfter: number;
  /** Of its transaction, `null` where there is none. */
  place: number | null;
}

/** A fact that does not prove by itself that its record is as it was published. */
export interface FactLookedAt {
  seq: number;
  /** Of its transaction; `null` where there is none, and then `resource` and `id` say what it is about. */
  place: number | null;
  resource: string | null;
  id: Id | null;
}

/** A part of an unallocated entry that the two do not agree about. */
export interface WrongPart {
  id: Id;
  problem: string;
}

/** A field that the last fact of a transaction has otherwise than its row. */
export interface PublishedOtherwise {
  id: Id;
  accountId: Id | null;
  rail: Stored['rail'];
  status: Stored['status'];
  seq: number;
  field: string;
  published: unknown;
  found: unknown;
}

/** What each change of a transaction publishes, by its column. */
const PUBLISHED = [
  ['status', 'status'],
  ['amount', 'amount'],
  ['direction', 'direction'],
  ['rail', 'rail'],
  ['bookedAt', 'booked_at'],
  ['bookedBalance', 'booked_balance'],
] as const;
/** The tables of what facts are about. */
const FACTS_OF = [
  ['holder', 'holders'],
  ['family', 'families'],
  ['member', 'members'],
  ['account', 'accounts'],
  ['card_holder', 'card_holders'],
  ['counterparty', 'counterparties'],
  ['card', 'cards'],
  ['transaction', 'transactions'],
] as const;
/** The tables of what stored answers name, by the first letters of an id. Four characters and 32 digits make an id, with dashes or without. */
const ANSWERED = [
  ['transactions', ['txn', 'tra']],
  ['accounts', ['sub', 'acc']],
  ['cards', ['crd']],
  ['counterparties', ['ctp', 'con']],
  ['holders', ['sah', 'per', 'bus']],
] as const;
const isMissing = (table: string): string =>
  // v2 shows a transaction in the ledger of the master account under an id of its own.
  ['id =', ...(table === 'transactions' ? ["master_totals <> '' AND master_id ="] : [])]
    .map((is) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${is} replace(substr(named, 5), '-', ''))`)
    .join(' AND ');

/** Whether a part of the record of a fact `f` contains this text. Bytes are searched in half the time of characters. */
const hasText = (part: string, ...text: string[]): string =>
  `instr(substr(CAST(f.record AS BLOB), ${part}), CAST(concat(${text.join(', ')}) AS BLOB)) > 0`;
/**
 * Whether the record of a fact `f` has what a transaction `t` has, by the text that this program writes, which takes a
 * quarter of the time of reading JSON. Nothing that a client sets can be so near to its beginning or its end. What is written
 * otherwise, as by an older version, is compared by its JSON.
 */
const IS_SAME = `(${hasText('150, 300', `'"rail":"'`, 't.rail', `'","status":"'`, 't.status', `'","amount":'`, 't.amount', `',"direction":"'`, 't.direction', `'",'`)}
  AND ${hasText('-200', `'"bookedAt":'`, "coalesce(t.booked_at, 'null')", `',"bookedBalance":'`, 't.booked_balance', `',"createdAt":'`, 't.created_at', `','`)})`;

/** The transfers in their order, for the audit of the ledger. */
export function createTransferRows({ $client }: Db) {
  const between = $client.prepare(
    `SELECT x.id, x.kind, x.debit_account AS debit, x.credit_account AS credit, x.amount, x.hold_id AS holdId,
      x.debit_available_after AS debitAfter, x.credit_available_after AS creditAfter, t.rowid AS place
      FROM transfers AS x LEFT JOIN transactions AS t ON t.id = x.transaction_id
      WHERE x.id > ? AND x.id <= ? ORDER BY x.id LIMIT ${AUDIT_SLICE}`,
  );
  const last = $client.prepare('SELECT coalesce(max(id), 0) FROM transfers').pluck();
  return {
    /** A slice of those after one, up to another. */
    between: (after: number, upTo: number) => between.all(after, upTo) as AuditedTransfer[],
    last: () => last.get() as number,
  };
}

/** The statements of the audit. */
export function createAuditRows(db: Db) {
  const rowsAfter = db.$client.prepare(
    `SELECT t.rowid AS place, t.account_id AS accountId, t.rail, t.status, t.amount, t.direction,
      t.available_balance AS availableBalance, t.pending_credits AS pendingCredits, t.pending_debits AS pendingDebits,
      t.hold_id AS holdId, t.booked_at IS NOT NULL AS isBooked, t.booked_balance AS bookedBalance, t.moved_nothing AS movedNothing,
      iif(t.master_id <> '' AND t.account_id IS NOT NULL, t.master_totals, NULL) AS masterTotals,
      t.sub_ledger IS NOT NULL OR t.rail = 'sub_ledgered' AS hasParts,
      t.rail IN (${REVERSALS}) AS isReversal,
      iif(t.method = 'intra_account' AND t.rail NOT IN (${REVERSALS}),
        coalesce((SELECT rowid FROM transactions WHERE id = t.details ->> '$.partnerId'),
          iif(t.details ->> '$.partnerId' <> '', 0, NULL)), NULL) AS partnerPlace,
      iif(t.rail IN ('card_authorization', 'card_test_authorization'),
        (SELECT coalesce(sum(child.amount), 0) FROM transactions AS child
          WHERE child.parent_id = t.id AND child.parent_id <> '' AND child.rail = 'card_reverse'), 0) AS reversed
      FROM transactions AS t WHERE t.rowid > ? ORDER BY t.rowid LIMIT ${AUDIT_SLICE}`,
  );
  const exactFrom = db.$client
    .prepare(
      `SELECT t.rowid FROM facts AS f JOIN transactions AS t ON t.id = f.resource_id
        WHERE f.resource = 'transaction' AND f.change = 'created' AND f.moved IS NOT NULL ORDER BY f.seq LIMIT 1`,
    )
    .pluck();
  const idAt = db.$client.prepare('SELECT id FROM transactions WHERE rowid = ?').pluck();
  const linksOf = db.$client.prepare(
    `SELECT t.account_id AS accountId, t.rail, t.status, t.amount,
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
  const factsBetween = db.$client.prepare(
    `SELECT f.seq, t.rowid AS place, iif(t.id IS NULL, f.resource, NULL) AS resource, iif(t.id IS NULL, f.resource_id, NULL) AS id
      FROM facts AS f LEFT JOIN transactions AS t ON t.id = iif(f.resource = 'transaction', f.resource_id, NULL)
      WHERE f.seq > ? AND f.seq <= ? AND (f.change <> 'created' OR t.id IS NULL OR NOT ${IS_SAME}) ORDER BY f.seq`,
  );
  const lastFact = db.$client.prepare('SELECT coalesce(max(seq), 0) FROM facts').pluck();
  const notSame = db.$client
    .prepare(
      `SELECT f.seq FROM json_each(?) AS last CROSS JOIN facts AS f ON f.seq = last.value
        CROSS JOIN transactions AS t ON t.id = f.resource_id WHERE NOT ${IS_SAME}`,
    )
    .pluck();
  const publishedOtherwise = db.$client.prepare(
    `SELECT t.id, t.account_id AS accountId, t.rail, t.status, f.seq, named.key AS field,
      f.record ->> ('$.' || named.key) AS published, named.value AS found
      FROM json_each(?) AS last
      JOIN facts AS f ON f.seq = last.value
      JOIN transactions AS t ON t.id = f.resource_id
      JOIN json_each(json_object(${PUBLISHED.map(([field, column]) => `'${field}', t.${column}`).join(', ')})) AS named
      WHERE f.record ->> ('$.' || named.key) <> named.value
        AND (f.moved IS NOT NULL OR named.key NOT IN ('bookedAt', 'bookedBalance'))`,
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
          OR (status BETWEEN 200 AND 299 AND CASE substr(named, 1, 3)
            ${ANSWERED.flatMap(([table, prefixes]) => prefixes.map((prefix) => `WHEN '${prefix}' THEN ${isMissing(table)}`)).join(' ')} ELSE 0 END)`,
    )
    .pluck();
  const lastKey = db.$client.prepare('SELECT coalesce(max(rowid), 0) FROM idempotency_keys').pluck();
  const exists = new Map<string, Statement>(
    FACTS_OF.map(([resource, table]) => [
      resource,
      db.$client.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).pluck(),
    ]),
  );
  return {
    /** Of the facts after one, up to another: those that are not the first of a transaction that is as it was made. */
    factsBetween: (after: number, upTo: number) => factsBetween.all(after, upTo) as FactLookedAt[],
    lastFact: () => lastFact.get() as number,
    /** Whether a fact's resource is there. */
    has: (resource: string, id: Id) => exists.get(resource)?.get(id) !== undefined,
    /** What the last facts of transactions, by their numbers, tell otherwise than the rows. */
    publishedOtherwise(seqs: readonly number[]): PublishedOtherwise[] {
      const suspicious = notSame.all(JSON.stringify(seqs)) as number[];
      if (suspicious.length === 0) return [];
      return publishedOtherwise.all(JSON.stringify(suspicious)) as PublishedOtherwise[];
    },
    /** Of a slice of deliveries, those whose webhook or event is missing, or has not their kind. */
    brokenDeliveries: (after: number) => brokenDeliveries.all(after, after) as number[],
    lastDelivery: () => lastDelivery.get() as number,
    /** The backlogs whose webhook is missing, that go beyond the last fact, or that a later one of the webhook overlaps. */
    brokenBacklogs: () => brokenBacklogs.all() as number[],
    /** Of a slice of idempotency keys, those that no request made, or whose answer names a record that is missing. */
    brokenKeys: (after: number) => brokenKeys.all(after, after) as string[],
    lastKey: () => lastKey.get() as number,
    /** The transactions after the one at this place. */
    transactionsAfter: (place: number) => rowsAfter.all(place) as AuditedTransaction[],
    /**
     * The place of the first transaction that was made since schema 7: of earlier ones the migrations could not tell what was
     * pending then, or in which order they were booked. Their facts do not say what they moved.
     */
    exactFrom: () => (exactFrom.get() ?? Number.POSITIVE_INFINITY) as number,
    idAt: (place: number) => idAt.get(place) as Id,
    /** What the transaction at this place names. */
    linksOf: (place: number) => linksOf.get(place) as Links,
    /** What is wrong with the parts of unallocated entries, between two places. */
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
