/**
 * Formats a transaction as the entry of its sub account or of the master account. Only the object of its own method
 * is set; the others are `null`. A transaction with an entry in the master account is reconciled and lists both
 * sides; a transaction between two sub accounts has no such entry and is reconciled from the start. This runs for
 * every payment, so it creates one object and copies nothing.
 * Source: the transaction record and the reconciliation guide of the platform's v2 reference; decisions
 * `two-ledgers-shown`, `master-account-incoming` and `reconciled-transactions` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type {
  AchDetails,
  AvailableLimit,
  CardDetails,
  CheckDetails,
  CounterpartySnapshot,
  InstantPaymentDetails,
  RailDetails,
  Transaction,
  WireDetails,
} from '../../../model/records.ts';
import type { Leg } from '../../../verbs/inputs.ts';
import { type Viewer, viewV2 } from '../../view.ts';
import { formatAttachments } from '../attachments.ts';
import { foreignBankCodec } from '../counterparties/rails.ts';
import { formatAddress, formatFlag, formatId, formatOfac } from '../fields.ts';
import { AUTH_WORDS, type Transaction as TransactionShape } from './shapes.ts';

type TransactionAnswer = Static<typeof TransactionShape>;

export const TRANSACTION_VIEW = viewV2('transaction', formatTransaction);

/** Formats a transaction as the entry of one of its two accounts. */
export function formatTransaction(
  transaction: Transaction,
  { program, attachments }: Viewer,
  ledger: Leg['ledger'] = 'sub_account',
): TransactionAnswer {
  const { details, method } = transaction;
  const inMaster = ledger === 'master_account' || transaction.accountId === null;
  const balances = inMaster ? (transaction.masterTotals ?? transaction) : transaction;
  const id = formatId('transaction', inMaster ? transaction.masterId : transaction.id);
  const amount = formatMoney(transaction.amount);
  const masterAccountId = formatId('master_account', program.masterAccountId);
  return {
    id,
    client_id: formatId('client', program.clientId),
    master_account_holder_id: formatId('master_account_holder', program.masterAccountHolderId),
    master_account_id: masterAccountId,
    sub_account_holder_id: formatId('holder', (inMaster ? null : transaction.holderId) ?? ''),
    sub_account_id: formatId('account', (inMaster ? null : transaction.accountId) ?? ''),
    status: transaction.status,
    amount,
    currency: 'usd',
    direction: transaction.direction,
    method,
    type: transaction.type,
    message: transaction.message,
    description: transaction.description,
    available_balance: formatMoney(balances.availableBalance),
    pending_credits: formatMoney(balances.pendingCredits),
    pending_debits: formatMoney(balances.pendingDebits),
    counterparty: transaction.otherSide === null ? null : formatCounterparty(transaction.otherSide, method),
    ach: details.kind === 'ach' ? formatAch(details) : null,
    domestic_wire: method === 'domestic_wire' ? formatWire(details) : null,
    international_wire: method === 'international_wire' ? formatWire(details) : null,
    rtp: method === 'rtp' ? formatInstantPayment(details) : null,
    fednow: method === 'fednow' ? formatInstantPayment(details) : null,
    check: details.kind === 'check' ? formatCheck(details) : null,
    card: details.kind === 'card' ? formatCardDetails(details, amount) : null,
    parent_transaction_id: formatId('transaction', transaction.parentId),
    external_reference_id: transaction.externalReferenceId,
    purpose: transaction.purpose,
    // Every payment that was created has passed the screening of both sides.
    ofac: formatOfac('pass', transaction.createdAt),
    attachments: formatAttachments(attachments, inMaster ? transaction.masterId : transaction.id),
    metadata: transaction.metadata,
    reconciliation: formatReconciliation(transaction, amount, masterAccountId),
    timestamps: {
      created_at: formatInstant(transaction.createdAt),
      updated_at: formatInstant(transaction.updatedAt),
      settled_at: formatInstantOrEmpty(transaction.settledAt),
    },
  };
}

function formatReconciliation(
  transaction: Transaction,
  amount: string,
  masterAccountId: string,
): TransactionAnswer['reconciliation'] {
  const { accountId, masterId, method, status } = transaction;
  if (accountId === null) return formatUnallocated(transaction, amount, masterAccountId);
  const isIntra = masterId === '' && method === 'intra_account' && status !== 'declined';
  return {
    status: isIntra || masterId !== '' ? 'reconciled' : 'not_reconciled',
    master_account:
      masterId === ''
        ? null
        : [{ id: masterAccountId, transaction_id: formatId('transaction', masterId), amount }],
    sub_account: [
      { id: formatId('account', accountId), transaction_id: formatId('transaction', transaction.id), amount },
    ],
  };
}

/** Unallocated money is reconciled when all of it is in sub accounts. */
function formatUnallocated(
  { masterId, subLedger, amount: total }: Transaction,
  amount: string,
  masterAccountId: string,
): TransactionAnswer['reconciliation'] {
  const parts = subLedger ?? [];
  const unallocated = parts.reduce((rest, part) => rest - part.amount, total);
  return {
    status: unallocated === 0 ? 'reconciled' : 'not_reconciled',
    master_account: [{ id: masterAccountId, transaction_id: formatId('transaction', masterId), amount }],
    sub_account:
      parts.length === 0
        ? null
        : parts.map((part) => ({
            id: formatId('account', part.accountId),
            transaction_id: formatId('transaction', part.transactionId),
            amount: formatMoney(part.amount),
          })),
  };
}

function formatCounterparty(
  side: CounterpartySnapshot,
  method: Transaction['method'],
): NonNullable<TransactionAnswer['counterparty']> {
  return {
    id: formatId('counterparty', side.id),
    name: side.name,
    verification_status: side.verificationStatus,
    // Decision `v2-other-bank` in docs/fidelity.md: the card number is not shown.
    account_number: method === 'debit_card' ? '' : side.accountNumber,
    routing_number: side.routingNumber,
    account_type: side.accountType,
    bank_name: bankNameOf(side, method),
    beneficiary_bank: foreignBankCodec.format(side.beneficiaryBank),
    correspondent_bank: foreignBankCodec.format(side.correspondentBank),
    // Only a check has a shipping address.
    shipping_address: method === 'check' ? formatAddress(side.address) : null,
  };
}

/**
 * The bank name that the platform shows, even if this bank has more data: decision `v2-other-bank` in docs/fidelity.md.
 */
function bankNameOf(
  { id, bankName, beneficiaryBank }: CounterpartySnapshot,
  method: Transaction['method'],
): string {
  if (method === 'international_wire') return beneficiaryBank?.name ?? bankName;
  // The sender of a wire is not a counterparty of the client, and its bank is not shown.
  return method === 'domestic_wire' && id === '' ? '' : bankName;
}

function formatAch(details: AchDetails): TransactionAnswer['ach'] {
  return {
    same_day: formatFlag(details.sameDay),
    effective_date: details.effectiveDate,
    company_discretionary_data: details.companyDiscretionaryData,
    company_entry_description: details.companyEntryDescription,
    trace_number: details.traceNumber,
    return_code: details.returnCode,
    rta_id: formatId('authorization', details.rtaId),
  };
}

function formatWire(details: RailDetails): TransactionAnswer['domestic_wire'] {
  const known: Pick<WireDetails, 'imad' | 'omad'> =
    details.kind === 'wire' ? details : { imad: '', omad: '' };
  return { imad: known.imad, omad: known.omad };
}

function formatInstantPayment(details: RailDetails): TransactionAnswer['rtp'] {
  const known: Pick<InstantPaymentDetails, 'referenceNumber'> =
    details.kind === 'instant' ? details : { referenceNumber: '' };
  return { reference_number: known.referenceNumber };
}

function formatCheck(details: CheckDetails): TransactionAnswer['check'] {
  return {
    check_number: details.checkNumber,
    cashed: formatFlag(details.cashed),
    tracking: details.trackingStatus === '' ? null : { status: details.trackingStatus, eta: details.eta },
  };
}

function formatCardDetails(details: CardDetails, amount: string): TransactionAnswer['card'] {
  const cardHolderId = formatId('card_holder', details.cardHolderId);
  return {
    id: formatId('card', details.cardId),
    cardholder_id: cardHolderId,
    card_holder_id: cardHolderId,
    merchant: details.merchant.name,
    auth_method: AUTH_WORDS[details.authMethod],
    wallet: details.wallet,
    rta_id: formatId('authorization', details.rtaId),
    local_transaction: { amount, currency: 'usd', conversion_rate: '1.00' },
    available_limit: details.availableLimit === null ? null : formatLimit(details.availableLimit),
    network_settlement_at: formatInstantOrEmpty(details.networkSettlementAt),
  };
}

function formatLimit(limit: AvailableLimit): NonNullable<TransactionAnswer['card']>['available_limit'] {
  return {
    period: limit.period,
    max_spend_amount: limit.amount === null ? '' : formatMoney(limit.amount),
    max_spend_count: limit.count === null ? '' : String(limit.count),
  };
}
