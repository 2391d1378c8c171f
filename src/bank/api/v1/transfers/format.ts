/**
 * Formats a transaction of the bank as the transfer that a client requested, and a batch in its initial state, before
 * its items are counted. The amount has no sign and the title is the client's. The fields of the contact's bank
 * depend on the rail.
 * Source: the transfer record, the samples of the send and receive calls and "create an intrabank batch" of the
 * platform's v1 reference; decision `v1-batch` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import type { Id } from '../../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../../kernel/time.ts';
import type { CounterpartySnapshot, Program } from '../../../model/records.ts';
import type { TransactionMethod } from '../../../model/vocabulary.ts';
import type { TransactionWithCard } from '../../../verbs/inputs.ts';
import { formatV1 } from '../../ids.ts';
import { viewV1 } from '../../view.ts';
import { formatCard } from '../cards/format.ts';
import { formatAddressOrBlank } from '../fields.ts';
import { fallbackOf } from '../transactions/format.ts';
import { transferStatus } from '../transactions/status.ts';
import {
  BANK_ACCOUNT_TYPES,
  formatReview,
  isOrdered,
  isSolidCard,
  SUB_TYPES,
  transferTypeOf,
} from '../vocabulary.ts';
import type { Batch, Transfer } from './shapes.ts';

type View = Static<typeof Transfer>;

/** The type of the destination address; `null` on rails without one. */
const ADDRESS_TYPES = {
  intra_account: null,
  ach: null,
  domestic_wire: 'wire',
  international_wire: 'wire',
  check: 'check',
  fednow: null,
  rtp: null,
  debit_card: null,
  card_issuing: null,
} as const satisfies Record<TransactionMethod, 'wire' | 'check' | null>;

export const TRANSFER_VIEW = viewV1('transfer', formatTransfer);

/** Formats a transfer. */
export function formatTransfer({ sentCard, ...transaction }: TransactionWithCard, program: Program): View {
  const { details, method, otherSide } = transaction;
  const addressType = ADDRESS_TYPES[method];
  return {
    id: formatV1('transfer', transaction.id),
    accountId: formatV1('account', transaction.accountId ?? ''),
    contactId: formatV1('counterparty', transaction.counterpartyId),
    name: otherSide?.name ?? '',
    ...formatBank(isSolidCard(transaction.rail) ? 'card_issuing' : method, otherSide, program),
    address: formatAddressOrBlank(
      addressType ?? '',
      addressType === null ? null : (otherSide?.address ?? null),
    ),
    amount: formatMoney(transaction.amount),
    status: transferStatus(transaction),
    title: transaction.title,
    description: transaction.description,
    txnType: transaction.direction,
    transferType: transferTypeOf(transaction),
    // The word in all published transfers, which were requested by clients; transactions of a debit card have other
    // words.
    transferSubType: isOrdered(transaction) ? 'originated' : SUB_TYPES[transaction.rail],
    type: details.kind !== 'ach' ? '' : details.sameDay ? 'sameDay' : 'nextDay',
    attachment: details.kind === 'check' ? details.attachment : '',
    bin: '',
    iban: '',
    card: sentCard === undefined ? null : formatCard(sentCard, program),
    metadata: transaction.metadata,
    destinationAmount: '0.00',
    destinationCurrency: '',
    fallbackTransferId: formatV1('transfer', fallbackOf(transaction)),
    parentTransferId: formatV1('transfer', transaction.parentId),
    purposeCode: '',
    ...formatReview(transaction.reason),
    valid: addressType === 'wire' ? 'true' : '',
    createdAt: formatInstant(transaction.createdAt),
    modifiedAt: formatInstant(transaction.updatedAt),
    transferredAt: formatInstant(transaction.createdAt),
  };
}

/** The contact's bank: this bank for its own accounts, none for a check. */
function formatBank(method: TransactionMethod, counterparty: CounterpartySnapshot | null, program: Program) {
  const accountNumber = counterparty?.accountNumber ?? '';
  const nothing = { accountNumber: '', routingNumber: '', bankName: '', accountType: '' } as const;
  switch (method) {
    case 'check':
    case 'card_issuing':
      return nothing;
    case 'intra_account':
      return {
        ...nothing,
        accountNumber,
        routingNumber: program.routingNumber,
        bankName: program.sponsorBank,
      };
    case 'ach':
    case 'domestic_wire':
    case 'international_wire':
    case 'rtp':
    case 'fednow':
    case 'debit_card':
      return {
        accountNumber,
        routingNumber: counterparty?.routingNumber ?? '',
        bankName: counterparty?.bankName ?? '',
        accountType: BANK_ACCOUNT_TYPES.format(counterparty?.accountType ?? ''),
      };
  }
}

/** Formats a batch. */
export function formatBatch({ id, total, createdAt }: BatchRecord): Static<typeof Batch> {
  const at = formatInstant(createdAt);
  return {
    batchId: formatV1('batch', id),
    transferType: 'intrabank',
    status: 'submitted',
    totalCount: total,
    successCount: 0,
    failedCount: 0,
    createdAt: at,
    modifiedAt: at,
    completedAt: '',
  };
}

interface BatchRecord {
  id: Id;
  total: number;
  createdAt: Instant;
}
