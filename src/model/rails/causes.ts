/**
 * Who brings an event about where there is no tester: the client by a call, this bank, or the other side (another bank, a
 * merchant). What no row names is this bank's. And in which states a row begins.
 */
import type { RailEvent, TransactionStatus } from '../vocabulary.ts';
import type { Rail } from './rail.ts';

export const CAUSES = ['client', 'bank', 'other_side'] as const;
export type Cause = (typeof CAUSES)[number];

const CAUSE_OF: Readonly<Record<Rail['origin'], Readonly<Partial<Record<RailEvent, Cause>>>>> = {
  client: { cancel: 'client', return: 'other_side' },
  other_bank: { reverse: 'other_side' },
  card_network: { settle: 'other_side', reverse: 'other_side', refund: 'other_side' },
  bank: {},
};

/** Who brings an event about in a state of a rail, and whether the bank does so by itself when its time has come. */
export function causeOf(
  { origin, timetable }: Rail,
  from: TransactionStatus,
  event: RailEvent,
): { by: Cause; byItself: boolean } {
  if (timetable[from]?.event === event) return { by: 'bank', byItself: true };
  return { by: CAUSE_OF[origin][event] ?? 'bank', byItself: false };
}

/** The states that a row of a rail can begin in: an order and a card's authorization may be declined as they are made. */
export function firstStatesOf({ origin, needs, type, opens, v1 }: Rail): TransactionStatus[] {
  const isAuthorization = type === 'auth' && v1.kinds.declined !== undefined;
  const mayBeDeclined = isAuthorization || (origin === 'client' && needs !== 'card');
  return mayBeDeclined ? [opens.status, 'declined'] : [opens.status];
}
