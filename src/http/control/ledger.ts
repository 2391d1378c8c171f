/**
 * The books on the wire: entries and transfers with the accounts by their ids.
 */
import { type Static, Type } from '@sinclair/typebox';
import { spellV2 } from '../../dialects/identifiers.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { Entry } from '../../ledger/entries.ts';
import { SUSPENSE, type Transfer } from '../../ledger/ledger.ts';
import type { Program } from '../../model/records.ts';
import { Amount, Balance, Instant, LedgerAccount, TransactionId, TransferKind, word } from './shapes.ts';

const TransferNumber = Type.Integer({ description: 'The number of the transfer in the books.' });
const HoldId = Type.Unsafe<number | null>({
  type: 'integer',
  nullable: true,
  description: 'The transfer whose hold this one ends.',
});

export const PageQuery = {
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$', description: '1 to 1000; 100 when not sent.' }),
  ),
  offset: Type.Optional(
    Type.String({ pattern: '^\\d{1,9}$', description: 'How many newer ones are skipped.' }),
  ),
};

/** Which part of a list is wanted. */
export function readPage({ limit = '100', offset = '0' }: { limit?: string; offset?: string }) {
  return { limit: Number(limit), offset: Number(offset) };
}

export const EntryView = Type.Object({
  transfer_id: TransferNumber,
  kind: TransferKind,
  side: word(['debit', 'credit']),
  amount: Amount,
  available_after: Balance,
  against: LedgerAccount,
  hold_id: HoldId,
  transaction_id: TransactionId,
  at: Instant,
});

export function viewEntry(entry: Entry, program: Program): Static<typeof EntryView> {
  return {
    transfer_id: entry.transferId,
    kind: entry.kind,
    side: entry.side,
    amount: formatMoney(entry.amount),
    available_after: formatMoney(entry.availableAfter),
    against: spellLedgerAccount(entry.against, program),
    hold_id: entry.holdId,
    transaction_id: spellV2('transaction', entry.transactionId),
    at: formatInstant(entry.at),
  };
}

export const TransferView = Type.Object({
  id: TransferNumber,
  kind: TransferKind,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: Amount,
  hold_id: HoldId,
  debit_available_after: Balance,
  credit_available_after: Balance,
  at: Instant,
});

export function viewTransfer(transfer: Transfer, program: Program): Static<typeof TransferView> {
  return {
    id: transfer.id,
    kind: transfer.kind,
    debit: spellLedgerAccount(transfer.debitAccount, program),
    credit: spellLedgerAccount(transfer.creditAccount, program),
    amount: formatMoney(transfer.amount),
    hold_id: transfer.holdId,
    debit_available_after: formatMoney(transfer.debitAvailableAfter),
    credit_available_after: formatMoney(transfer.creditAvailableAfter),
    at: formatInstant(transfer.at),
  };
}

/** A ledger account is the master account, a sub account, which are called by their ids, or what waits for one. */
export function spellLedgerAccount(id: Id, { masterAccountId }: Program): string {
  if (id === SUSPENSE) return SUSPENSE;
  return spellV2(id === masterAccountId ? 'master_account' : 'account', id);
}
