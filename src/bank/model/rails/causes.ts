/**
 * The cause of an event without a simulation: a request of the client, this bank, or the other side (another bank, a
 * merchant). The default is this bank. Also the first states of a transaction.
 */
import type { RailEvent, TransactionStatus } from '../vocabulary.ts';
import type { Rail } from './rail.ts';

export const CAUSES = ['client', 'bank', 'other_side'] as const;
export type Cause = (typeof CAUSES)[number];

const CAUSE_OF: Readonly<Record<Rail['origin'], Readonly<Partial<Record<RailEvent, Cause>>>>> = {
  client: { cancel: 'client', return: 'other_side', charge_back: 'other_side' },
  other_bank: { reverse: 'other_side' },
  card_network: {
    settle: 'other_side',
    reverse: 'other_side',
    refund: 'other_side',
    dispute: 'client',
    win_dispute: 'other_side',
    lose_dispute: 'other_side',
  },
  bank: {},
};

/** The cause of an event in a state of a rail, and whether the bank executes it at a scheduled time. */
export function causeOf(
  { origin, timetable }: Rail,
  from: TransactionStatus,
  event: RailEvent,
): { by: Cause; byItself: boolean } {
  if (timetable[from]?.event === event) return { by: 'bank', byItself: true };
  return { by: CAUSE_OF[origin][event] ?? 'bank', byItself: false };
}

/**
 * The first states of a transaction on a rail: an origination and a card authorization can be declined at their
 * creation.
 */
export function firstStatesOf({ origin, needs, type, opens, v1 }: Rail): TransactionStatus[] {
  const isAuthorization = type === 'auth' && v1.kinds.declined !== undefined;
  const mayBeDeclined = isAuthorization || (origin === 'client' && needs !== 'card');
  return mayBeDeclined ? [opens.status, 'declined'] : [opens.status];
}
