/**
 * What v1 says of a payment's progress. It knows two kinds of rail: those whose payments are done when they are made
 * (the steps that follow are the banks' affair, and a return is a movement of its own), and those whose payments wait
 * until the money is there. The same movement has two statuses: as a transfer (the client's order) and as a transaction.
 * Source: the platform's v1 reference, states of transfers and transactions; row 38 of docs/fidelity.md.
 */
import type { RailName } from '../../model/rails.ts';
import type { Transaction } from '../../model/records.ts';
import type { TransactionStatus } from '../../model/vocabulary.ts';

export const TRANSFER_STATUSES = [
  'completed',
  'pending',
  'declined',
  'settled',
  'approved',
  'waitingForFiles',
  'canceled',
  'refund',
  'returned',
] as const;
export const TRANSACTION_STATUSES = ['pending', 'settled', 'canceled', 'declined', 'returned'] as const;

type TransferStatus = (typeof TRANSFER_STATUSES)[number];
type V1TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** Rails whose payments wait: money on its way in, and the wires, which a person releases. */
const WAITING: ReadonlySet<RailName> = new Set<RailName>([
  'ach_pull',
  'ach_received_push',
  'domestic_wire',
  'international_wire',
  'domestic_wire_received',
  'international_wire_received',
  'rtp_push',
  'fednow_push',
  'rtp_received',
  'fednow_received',
  'debit_card_push',
  'debit_card_pull',
  'check_deposit',
]);

/** How a transfer ends that does not end well; what is not named here has not ended so. */
const REFUSED: Readonly<Partial<Record<TransactionStatus, TransferStatus>>> = {
  declined: 'declined',
  returned: 'declined',
  reversed: 'declined',
  canceled: 'canceled',
};

/** The status of the transfer that a movement carries out. */
export function transferStatus({ rail, status }: Transaction): TransferStatus {
  if (status === 'in_review') return 'pending';
  if (!WAITING.has(rail)) return status === 'declined' || status === 'canceled' ? status : 'completed';
  if (status === 'settled') return 'completed';
  if (rail === 'check_deposit' && status === 'originated') return 'waitingForFiles';
  return REFUSED[status] ?? 'pending';
}

/** The status of a movement as an entry of its account. */
export function transactionStatus({ rail, status, settledAt }: Transaction): V1TransactionStatus {
  if (status === 'in_review') return 'pending';
  if (WAITING.has(rail)) {
    // What went wrong after the money was there is told by a reversal of its own.
    if (settledAt !== null) return 'settled';
    return REFUSED[status] === undefined ? 'pending' : 'canceled';
  }
  if (status === 'declined' || status === 'canceled') return status;
  // A debit that another bank asked for and that was sent back unpaid.
  if (rail === 'ach_received_pull' && status === 'returned' && settledAt === null) return 'declined';
  return 'settled';
}
