/**
 * The record of `debitcard.chargeback`: a debit card pull whose money the bank of the other card took back. It has no
 * operation, so only the event shows it. The references of the card networks are derived from the ids of the two
 * transactions, so a delivery that is sent again has the same ones.
 * Source: the webhook sample `debitcard.chargeback` of the platform's v1 reference (2023-11-30); decision
 * `debit-card-chargeback` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatMoney } from '../../kernel/money.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { Program, Transaction } from '../../model/records.ts';
import { formatV1 } from '../ids.ts';
import { enumOf, formatOwner, IdText, Last4, Money, record, Timestamp, text } from './fields.ts';

export const Chargeback = record('Chargeback', 'A debit card pull that was charged back.', {
  id: IdText,
  programId: IdText,
  personId: IdText,
  businessId: IdText,
  familyId: IdText,
  contactId: IdText,
  accountId: IdText,
  transactionId: text('The debit card pull.'),
  amount: Money,
  status: enumOf(['chargedBack']),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  reversalTransactionId: text('The transaction that takes the money back.'),
  merchantReferenceId: text('The reference of the pull, twelve characters.'),
  exceptionId: text('The case at the card network.'),
  networkTransactionId: text('The pull at the card network.'),
  networkId: text('The card network, ten digits.'),
  last4: Last4,
  originalProcessedDate: Type.Null({ description: 'Always null, as in the published sample.' }),
  exceptionCode: text('The reason as a code; "" for none.'),
  exceptionDescription: text('The reason in a sentence; "" for none.'),
});

/** Formats the transaction that took the money of a debit card pull back. */
export function formatChargeback(transaction: Transaction, program: Program): Static<typeof Chargeback> {
  const { id, parentId, otherSide, reason } = transaction;
  return {
    id: formatV1('chargeback', id),
    programId: formatV1('program', program.programId),
    ...formatOwner(transaction, transaction.personId),
    contactId: formatV1('counterparty', transaction.counterpartyId),
    accountId: formatV1('account', transaction.accountId ?? ''),
    transactionId: formatV1('transaction', parentId),
    amount: formatMoney(transaction.amount),
    status: 'chargedBack',
    createdAt: formatInstant(transaction.createdAt),
    modifiedAt: formatInstant(transaction.updatedAt),
    reversalTransactionId: formatV1('transaction', id),
    merchantReferenceId: parentId.slice(-12),
    exceptionId: `C${digitsOf(id, 8)}V${digitsOf(id, 6)}`,
    networkTransactionId: digitsOf(parentId, 15),
    networkId: digitsOf(parentId, 10),
    last4: otherSide?.accountNumber ?? '',
    originalProcessedDate: null,
    exceptionCode: reason?.code ?? '',
    exceptionDescription: reason?.message ?? '',
  };
}

function digitsOf(id: Id | '', count: number): string {
  return (BigInt(`0x${id || '0'}`) % 10n ** BigInt(count)).toString().padStart(count, '0');
}
