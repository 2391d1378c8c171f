/**
 * The items that coverage counts: the states and transitions of every rail and machine, the event types, the refusals
 * and the return codes, each under its name in the report; and how a fact is read as a state.
 */
import { REFUSALS, type RefusalCode } from '../../bank/kernel/refusals.ts';
import { type Fact, type FactRecords, V1_KINDS, V2_KINDS } from '../../bank/model/facts.ts';
import { ACCOUNT, CARD, CARD_HOLDER, COUNTERPARTY, HOLDER } from '../../bank/model/machines.ts';
import { RAILS, type RailName, railOf } from '../../bank/model/rails/index.ts';
import { RETURN_CODES } from '../../bank/model/return-codes.ts';

export const COVERED = [
  'operations',
  'states',
  'transitions',
  'event_types_v2',
  'event_types_v1',
  'error_codes',
  'return_codes',
] as const;
/** The kinds of items that are counted. */
export type Covered = (typeof COVERED)[number];

/**
 * Refusals that no call of the two versions with a key can receive: an unknown sandbox, those of the control plane,
 * internal failures.
 */
const NOT_TO_BE_MET: readonly RefusalCode[] = [
  'key_missing',
  'key_unknown',
  'failure',
  'link_expired',
  'link_unknown',
  'event_not_found',
  'sandbox_not_found',
  'snapshot_not_found',
  'fault_not_found',
  'request_not_found',
  'sandbox_exists',
  'sandboxes_full',
  'sandbox_damaged',
  'sandbox_unavailable',
  'sandboxes_busy',
  'observers_full',
  'data_not_written',
  'image_invalid',
  'control_token_wrong',
  'host_foreign',
  'request_timeout',
  'headers_too_large',
  'origin_foreign',
  'webhook_not_active',
  'return_too_late',
  'reversal_too_late',
];

const MACHINE_OF = {
  holder: HOLDER,
  account: ACCOUNT,
  card_holder: CARD_HOLDER,
  counterparty: COUNTERPARTY,
  card: CARD,
} as const;

const DISHONORED = new Set(['dishonored', 'contested']);

/** The record of a fact as something that has states. */
export interface TrackedState {
  /** The rail or machine. */
  name: string;
  state: string;
  returnCode: string;
  /** The payment has settled or ended in another way: its record shows its previous state. */
  isOver: boolean;
}

/** The state in the record of a fact; `undefined` for families, members and wallets, which have none. */
export function trackedStateOf({ resource, record }: Fact): TrackedState | undefined {
  if (resource === 'family' || resource === 'member' || resource === 'wallet') return undefined;
  if (resource === 'transaction') {
    const { rail, status, details } = record as FactRecords['transaction'];
    return {
      name: rail,
      state: status,
      returnCode: details.kind === 'ach' && status === 'returned' ? details.returnCode : '',
      isOver: Object.keys(railOf(rail).steps[status] ?? {}).length === 0,
    };
  }
  return {
    name: MACHINE_OF[resource].name,
    state: statusOf(resource, record),
    returnCode: '',
    isOver: false,
  };
}

function statusOf(resource: keyof typeof MACHINE_OF, record: Fact['record']): string {
  if (resource === 'holder') return (record as FactRecords['holder']).holder.status;
  if (resource === 'account') return (record as FactRecords['account']).account.status;
  if (resource === 'card') return (record as FactRecords['card']).card.status;
  return (record as FactRecords['counterparty']).status;
}

/** The name of a state in a report. */
export const stateName = (name: string, state: string): string => `${name}: ${state}`;
const edge = (name: string, from: string, to: string): string => `${name}|${from}|${to}`;

const STATES = new Set<string>();
/** By the two states; events between the same two states are one transition, because a fact does not record the event. */
const TRANSITIONS = new Map<string, string>();

function list(name: string, first: readonly string[], steps: Record<string, Record<string, string>>): void {
  const events = new Map<string, string[]>();
  for (const state of first) STATES.add(stateName(name, state));
  for (const [from, row] of Object.entries(steps)) {
    STATES.add(stateName(name, from));
    for (const [event, to] of Object.entries(row)) {
      STATES.add(stateName(name, to));
      const key = edge(name, from, to);
      events.set(key, [...(events.get(key) ?? []), event]);
      TRANSITIONS.set(key, `${name}: ${from} -> ${to} (${events.get(key)?.join(' or ')})`);
    }
  }
}

for (const [name, { opens, steps }] of Object.entries(RAILS) as [RailName, ReturnType<typeof railOf>][]) {
  const targets = Object.entries(steps).map(([from, row]) => [
    from,
    Object.fromEntries(Object.entries(row).map(([event, { to }]) => [event, to])),
  ]);
  list(name, [opens.status], Object.fromEntries(targets));
}
for (const { name, first, states } of Object.values(MACHINE_OF)) list(name, first, states);

/** Every item that can be counted, except the operations, which src/bank/api and src/server/http define. */
export const EXISTING: Record<Exclude<Covered, 'operations'>, readonly string[]> = {
  states: [...STATES],
  transitions: [...TRANSITIONS.values()],
  event_types_v2: V2_KINDS,
  event_types_v1: V1_KINDS,
  error_codes: (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => !NOT_TO_BE_MET.includes(code)),
  // The others reply to a return, not to a payment.
  return_codes: [
    ...new Set(RETURN_CODES.filter((row) => !DISHONORED.has(row.class)).map(({ code }) => code)),
  ],
};

/** The transition between two states of a rail or machine; `undefined` when its table has none. */
export function transitionBetween(name: string, from: string, to: string): string | undefined {
  return TRANSITIONS.get(edge(name, from, to));
}
