/**
 * Formats a transaction of the bank as an entry of its account: debits are negative, balance and date are those of
 * its booking, and only the object of its rail is set, while all others are `null`.
 * Source: the transaction object, the merchant object and the webhook samples of the platform's v1 reference; decisions
 * `uncaptured-authorization`, `v1-booked-rows` and `sent-check-status` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { type Cents, formatMoney } from '../../../kernel/money.ts';
import type { Id } from '../../../kernel/sequence.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import { isAuthorization } from '../../../model/rails/index.ts';
import type { CardDetails, Program, RailDetails, Transaction } from '../../../model/records.ts';
import { formatV1 } from '../../ids.ts';
import { viewV1 } from '../../view.ts';
import { descriptionOf, formatAchAuthorization, formatAddress, formatOwner, titleOf } from '../fields.ts';
import { formatReview, isSolidCard, MOBILE_WALLETS, SUB_TYPES, transferTypeOf } from '../vocabulary.ts';
import { type AchPart, type CardPart, MERCHANT, type Transaction as TransactionShape } from './shapes.ts';
import { transactionStatus } from './status.ts';

type View = Static<typeof TransactionShape>;

const NO_RAIL = {
  intrabank: null,
  ach: null,
  card: null,
  domesticWire: null,
  internationalWire: null,
  physicalCheck: null,
  debitCard: null,
  digitalCheck: null,
  solidCard: null,
  crossBorder: null,
  buy: null,
  sell: null,
} as const;

export const TRANSACTION_VIEW = viewV1('transaction', formatTransaction);

/** Formats an entry of an account. */
export function formatTransaction(transaction: Transaction, program: Program): View {
  const { direction } = transaction;
  const signed: Cents = direction === 'debit' ? -transaction.amount : transaction.amount;
  return {
    id: formatV1('transaction', transaction.id),
    accountId: formatV1('account', transaction.accountId ?? ''),
    ...formatOwner(transaction, transaction.personId),
    programId: formatV1('program', program.programId),
    txnType: direction,
    title: titleOf(transaction),
    amount: formatMoney(signed),
    currency: 'USD',
    transferType: transferTypeOf(transaction),
    subType: formatSubType(transaction),
    description: descriptionOf(transaction),
    balance: formatMoney(transaction.bookedBalance),
    status: transactionStatus(transaction),
    ...NO_RAIL,
    ...formatRail(transaction, program),
    enrichedData: null,
    initiatedByPersonName: '',
    parentTxnId: formatV1('transaction', transaction.parentId),
    parentTransferId: formatV1('transfer', transaction.parentId),
    fallbackTxnId: formatV1('transaction', fallbackOf(transaction)),
    fallbackTransferId: formatV1('transfer', fallbackOf(transaction)),
    ...formatReview(transaction.reason),
    metadata: transaction.metadata,
    createdAt: formatInstant(transaction.createdAt),
    modifiedAt: formatInstant(transaction.updatedAt),
    txnDate: formatInstant(transaction.bookedAt ?? transaction.createdAt),
  };
}

/** The id of the transaction of the fallback draw for this one; `''` for none. */
export function fallbackOf({ details }: Transaction): Id | '' {
  return details.kind === 'ach' || details.kind === 'card' ? (details.fallbackId ?? '') : '';
}

function formatSubType({ rail, details }: Transaction): View['subType'] {
  return isAuthorization(rail) && details.kind === 'card' && details.atm ? 'atm' : SUB_TYPES[rail];
}

/** Formats the object of the transaction's rail; RTP and FedNow, which are newer than v1, have none. */
function formatRail(transaction: Transaction, program: Program): Partial<View> {
  const { details, method, otherSide, rail } = transaction;
  const side = {
    transferId: formatV1('transfer', transaction.id),
    contactId: formatV1('counterparty', transaction.counterpartyId),
    name: otherSide?.name ?? '',
  };
  const routingNumber = otherSide?.routingNumber ?? '';
  switch (method) {
    case 'intra_account':
      if (isSolidCard(rail)) return { solidCard: side };
      return {
        intrabank: {
          ...side,
          // The opening credit of an account comes from the program.
          name: rail === 'account_opening' ? program.name : side.name,
          routingNumber: program.routingNumber,
          bankName: program.sponsorBank,
        },
      };
    case 'ach':
      return { ach: { ...side, routingNumber, ...formatAch(transaction) } };
    case 'domestic_wire':
    case 'international_wire': {
      const wire = {
        ...side,
        routingNumber,
        address: formatAddress('wire', otherSide?.address ?? null),
        imad: details.kind === 'wire' ? details.imad : '',
        omad: details.kind === 'wire' ? details.omad : '',
      };
      return method === 'domestic_wire' ? { domesticWire: wire } : { internationalWire: wire };
    }
    case 'check':
      return {
        physicalCheck: {
          ...side,
          ...formatCheck(details),
          shipping: formatAddress('check', otherSide?.address ?? null),
        },
      };
    case 'debit_card':
      return { debitCard: side };
    case 'card_issuing':
      return details.kind === 'card' ? { card: formatCardPart(transaction, details, side.transferId) } : {};
    case 'rtp':
    case 'fednow':
      return {};
  }
}

/** A reversal has no check of its own. */
function formatCheck(details: RailDetails): { checkNumber: string; cashed: boolean } {
  if (details.kind !== 'check') return { checkNumber: '', cashed: false };
  return { checkNumber: details.checkNumber, cashed: details.cashed };
}

type AchView = Static<typeof AchPart>;

/** The ACH speed comes from the client's request: incoming payments and reversals have none. */
function formatAch({
  rail,
  details,
  otherSide,
}: Transaction): Pick<AchView, 'type' | 'bankName' | 'traceNumber' | 'authId'> {
  const bankName = otherSide?.bankName ?? '';
  if (details.kind !== 'ach') return { type: '', bankName, traceNumber: '', authId: '' };
  const ordered = SUB_TYPES[rail] === 'originated';
  return {
    type: ordered ? (details.sameDay ? 'sameDay' : 'nextDay') : '',
    bankName,
    traceNumber: details.traceNumber,
    authId: formatAchAuthorization(details.rtaId),
  };
}

/** An update changes the amount of a purchase, but not the amount that the merchant first requested. */
function formatCardPart(
  { rail, direction, amount }: Transaction,
  details: CardDetails,
  transferId: string,
): Static<typeof CardPart> {
  const { availableLimit, networkSettlementAt } = details;
  const local = isAuthorization(rail) ? (details.localAmount ?? amount) : amount;
  return {
    id: formatV1('card', details.cardId),
    transferId,
    label: details.cardLabel,
    merchant: MERCHANT.format(details.merchant),
    authMethod: details.authMethod,
    wallet: MOBILE_WALLETS.format(details.wallet),
    authId: formatV1('authorization', details.rtaId),
    localTransactionAmount: formatMoney(direction === 'debit' ? -local : local),
    localTransactionCurrency: 'USD',
    currencyConversionRate: '1.000000000',
    rewardAmount: '',
    isCaptured: networkSettlementAt !== null,
    capturedAt: formatInstantOrEmpty(networkSettlementAt),
    disputeStatus: details.dispute ?? 'notInitiated',
    // The platform documents the figure for limits without a reset, and as empty for the others.
    availableLimit:
      availableLimit?.period === 'all_time' && availableLimit.amount !== null
        ? formatMoney(availableLimit.amount)
        : '',
    pinVerified: false,
  };
}
