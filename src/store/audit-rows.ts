/**
 * The rows that the audit of a bank reads: transfers and transactions in their order, a slice at a time, and the counters of
 * the sub accounts. It reads past every cache.
 */
import type { Id } from '../kernel/sequence.ts';
import { ledgerAccounts, type transactions } from '../model/tables.ts';
import { eq } from './drizzle.ts';
import type { Db } from './open.ts';

/** So many rows are compared in a few milliseconds. */
export const AUDIT_SLICE = 500;

type Stored = typeof transactions.$inferSelect;
/** A transaction as the audit reads it, with those that it names. */
export type AuditedTransaction = Pick<
  Stored,
  'id' | 'accountId' | 'rail' | 'status' | 'amount' | 'direction' | 'availableBalance' | 'holdId' | 'parentId'
> & {
  place: number;
  movedNothing: number;
  /** Of a card's authorization: what its reversals released. */
  reversed: number;
  parentAmount: number | null;
  parentStatus: string | null;
  partnerId: Id | '' | null;
  partnerAmount: number | null;
  partnerStatus: string | null;
};

/** A transfer as the audit reads it. */
export interface AuditedTransfer {
  id: number;
  kind: 'post' | 'hold' | 'settle' | 'release';
  debit: Id;
  credit: Id;
  amount: number;
  transactionId: Id;
  debitAfter: number;
  creditAfter: number;
}

/** The statements of the audit. */
export function createAuditRows(db: Db) {
  const transfersAfter = db.$client.prepare(
    `SELECT id, kind, debit_account AS debit, credit_account AS credit, amount, transaction_id AS transactionId,
      debit_available_after AS debitAfter, credit_available_after AS creditAfter
      FROM transfers WHERE id > ? ORDER BY id LIMIT ${AUDIT_SLICE}`,
  );
  const rowsAfter = db.$client.prepare(
    `SELECT t.rowid AS place, t.id, t.account_id AS accountId, t.rail, t.status, t.amount, t.direction,
      t.available_balance AS availableBalance, t.hold_id AS holdId, t.parent_id AS parentId,
      t.moved_nothing AS movedNothing, parent.amount AS parentAmount, parent.status AS parentStatus,
      iif(t.method = 'intra_account', t.details ->> '$.partnerId', NULL) AS partnerId,
      partner.amount AS partnerAmount, partner.status AS partnerStatus,
      iif(t.rail IN ('card_authorization', 'card_test_authorization'),
        (SELECT coalesce(sum(child.amount), 0) FROM transactions AS child
          WHERE child.parent_id = t.id AND child.parent_id <> '' AND child.rail = 'card_reverse'), 0) AS reversed
      FROM transactions AS t
      LEFT JOIN transactions AS parent
        ON parent.id = iif(t.rail IN ('reversal_credit', 'reversal_debit'), t.parent_id, NULL)
      LEFT JOIN transactions AS partner
        ON partner.id = iif(t.method = 'intra_account', t.details ->> '$.partnerId', NULL)
      WHERE t.rowid > ? ORDER BY t.rowid LIMIT ${AUDIT_SLICE}`,
  );
  return {
    /** The transfers after this one. */
    transfersAfter: (id: number) => transfersAfter.all(id) as AuditedTransfer[],
    /** The transactions after the one at this place. */
    transactionsAfter: (place: number) => rowsAfter.all(place) as AuditedTransaction[],
    subAccounts: () => db.select().from(ledgerAccounts).where(eq(ledgerAccounts.kind, 'sub_account')).all(),
  };
}
