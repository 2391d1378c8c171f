/**
 * The rails: one row for each way to move money, one file for each family. The names and groups of names are derived
 * from the rows, so a new rail is a new row. A generic test covers every state and event, and `docs/rails.md` is
 * printed from this table.
 * Source: the lifecycles of the platform's payment guides; decisions `uncaptured-authorization`, `ach-timing`,
 * `other-rails-timing`, `account-creation-credit`, `v1-booked-rows` and `card-test-capture` in docs/fidelity.md.
 */
import { illegalStep } from '../../kernel/machine.ts';
import type { RailEvent, TransactionStatus } from '../vocabulary.ts';
import { ACH } from './ach.ts';
import { BANK_ROWS } from './bank-rows.ts';
import { CARD_ISSUING } from './card.ts';
import { CHECK } from './check.ts';
import { DEBIT_CARD } from './debit-card.ts';
import { INSTANT_PAYMENTS } from './instant-payments.ts';
import { INTRA } from './intra.ts';
import type { Rail, RailStep } from './rail.ts';
import { WIRE } from './wire.ts';

export type { RailEvent } from '../vocabulary.ts';
export type { AuthorizationStep } from './card.ts';
export type { ContraAccount, LedgerAction, Rail, RailStep } from './rail.ts';

export const RAILS = {
  ...INTRA,
  ...ACH,
  ...WIRE,
  ...INSTANT_PAYMENTS,
  ...DEBIT_CARD,
  ...CHECK,
  ...CARD_ISSUING,
  ...BANK_ROWS,
} as const satisfies Record<string, Rail>;

type Rails = typeof RAILS;
export type RailName = keyof Rails;

/** The names of the rails with one origin. */
type RailsOf<Origin extends Rail['origin']> = {
  [Name in RailName]: Rails[Name]['origin'] extends Origin ? Name : never;
}[RailName];

/** The rails of payments by clients: originations, and money that v1 sends as a card. */
export type OrderedRail = RailsOf<'client'>;
/** The rails of originations. */
export type OriginationRail = Exclude<OrderedRail, 'solid_card_send'>;
/** The rails of payments that another bank sends or pulls. */
export type IncomingRail = RailsOf<'other_bank'>;

const namesOf = <Origin extends Rail['origin']>(origin: Origin): RailsOf<Origin>[] =>
  RAIL_NAMES.filter((name): name is RailsOf<Origin> => RAILS[name].origin === origin);

export const RAIL_NAMES = Object.keys(RAILS) as RailName[];
const SENT_CARD = 'solid_card_send';
/** Listed by the control plane: originations first, then money that is sent as a card. */
export const ORDERED_RAILS: readonly OrderedRail[] = [
  ...namesOf('client').filter((name) => name !== SENT_CARD),
  SENT_CARD,
];
export const INCOMING_RAILS: readonly IncomingRail[] = namesOf('other_bank');

/** The rails of card authorizations. */
export const AUTHORIZATION_RAILS = ['card_authorization', 'card_test_authorization'] as const;

/** Whether a rail is for card authorizations. */
export function isAuthorization(rail: RailName): rail is (typeof AUTHORIZATION_RAILS)[number] {
  return AUTHORIZATION_RAILS.some((own) => own === rail);
}

/** The rails of reversals. */
export const REVERSAL_RAILS: readonly RailName[] = RAIL_NAMES.filter((name) => isReversal(name));

/** Whether a transaction of this rail reverses another one. */
export function isReversal(name: RailName): boolean {
  return railOf(name).reversal === true;
}

/** The table of one rail. */
export function railOf(name: RailName): Rail {
  return RAILS[name];
}

/** The step of `event` in `status`, or a refusal that lists the legal events. */
export function railStep(name: RailName, status: TransactionStatus, event: RailEvent): RailStep {
  const row = railOf(name).steps[status] ?? {};
  const found = row[event];
  if (found === undefined)
    throw illegalStep(`${name.replaceAll('_', ' ')} transaction`, status, event, Object.keys(row));
  return found;
}

/** The events that a transaction of this rail accepts in `status`. */
export function railEvents(name: RailName, status: TransactionStatus): RailEvent[] {
  return Object.keys(railOf(name).steps[status] ?? {}) as RailEvent[];
}
