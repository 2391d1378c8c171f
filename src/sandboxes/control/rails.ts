/**
 * The rails as state machines, so that a page can draw the states of a payment: the tables that the bank itself uses.
 */
import { type Static, Type } from '@sinclair/typebox';
import { CAUSES, causeOf, firstStatesOf } from '../../bank/model/rails/causes.ts';
import { type LedgerAction, RAIL_NAMES, RAILS, type RailName, railOf } from '../../bank/model/rails/index.ts';
import { type RailsProfile, timeWords } from '../../bank/model/timetable.ts';
import {
  RAIL_EVENTS,
  type RailEvent,
  TRANSACTION_METHODS,
  TRANSACTION_TYPES,
  type TransactionMethod,
  type TransactionStatus as TransactionStatusWord,
  type TransactionType,
} from '../../bank/model/vocabulary.ts';
import { enumOf, TransactionStatus, text } from './fields.ts';
import { controlOperation } from './operation.ts';

const Books = enumOf(
  ['hold', 'post', 'settle', 'release', 'undo', 'none'] as const satisfies LedgerAction[],
  'hold reserves the amount, settle turns the hold into a posting, release ends the hold, post moves the amount at once, undo posts the opposite.',
);

const RailView = Type.Object({
  name: enumOf(Object.keys(RAILS) as RailName[], 'The name in GET /_sandbox/explain/{id}.'),
  label: text('A readable name.'),
  direction: enumOf(['debit', 'credit'], 'Whether it debits or credits the sub account.'),
  message: enumOf(['incoming', 'outgoing'], 'outgoing if a client of this bank initiates it.'),
  method: Type.Unsafe<TransactionMethod | null>({
    type: 'string',
    nullable: true,
    enum: [...TRANSACTION_METHODS],
    description: 'The method in v2; null for the method of the transaction that it reverses or is a part of.',
  }),
  type: enumOf(TRANSACTION_TYPES, 'In v2.'),
  begun_by: enumOf(['client', 'other_bank', 'card_network', 'bank'], 'Who initiates it.'),
  opens: Type.Object({ status: TransactionStatus, books: Books }),
  states: Type.Array(TransactionStatus, {
    description: 'Each state once, in the order in which they are reached.',
  }),
  first_states: Type.Array(TransactionStatus, { description: 'The possible first states.' }),
  final_states: Type.Array(TransactionStatus, { description: 'States without a next step.' }),
  steps: Type.Array(
    Type.Object({
      from: TransactionStatus,
      event: enumOf(RAIL_EVENTS, 'The event in POST /_sandbox/simulate/transactions/{id}/{event}.'),
      to: TransactionStatus,
      books: Books,
      row: Type.Unsafe<TransactionType | null>({
        type: 'string',
        nullable: true,
        enum: [...TRANSACTION_TYPES],
        description: 'The type of the additional transaction that records the step; null for none.',
      }),
      caused_by: enumOf(CAUSES, 'other_side is another bank or a merchant.'),
      by_itself: Type.Boolean({ description: 'Whether the bank executes it at a scheduled time.' }),
      time: text('The scheduled time in words, in the current profile; "" if it is not scheduled.'),
    }),
  ),
});

/** The abbreviations in names. */
const WORDS: Readonly<Record<string, string>> = {
  ach: 'ACH',
  rtp: 'RTP',
  fednow: 'FedNow',
  intra: 'Intrabank',
};

export function labelOf(name: RailName): string {
  const label = name
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

type StepView = Static<typeof RailView>['steps'][number];

function stepsFrom(name: RailName, from: TransactionStatusWord, profile: RailsProfile): StepView[] {
  const rail = railOf(name);
  const events = Object.entries(rail.steps[from] ?? {});
  return events.map(([word, { to, ledger, row = null }]) => {
    const event = word as RailEvent;
    const { by, byItself } = causeOf(rail, from, event);
    const planned = rail.timetable[from];
    const isTaken = byItself && profile !== 'manual';
    const time = isTaken && planned !== undefined ? timeWords(planned.when, profile) : '';
    return { from, event, to, books: ledger, row, caused_by: by, by_itself: isTaken, time };
  });
}

function formatRail(name: RailName, profile: RailsProfile): Static<typeof RailView> {
  const rail = railOf(name);
  const { direction, message, method, type, origin, opens } = rail;
  const first = firstStatesOf(rail);
  const states = [opens.status];
  const steps: StepView[] = [];
  // The list grows while it is read: every state that a step leads to is added at the end.
  for (const state of states) {
    const own = stepsFrom(name, state, profile);
    steps.push(...own);
    for (const { to } of own) if (!states.includes(to)) states.push(to);
  }
  states.push(...first.filter((state) => !states.includes(state)));
  return {
    name,
    label: labelOf(name),
    direction,
    message,
    method,
    type,
    begun_by: origin,
    opens: { status: opens.status, books: opens.ledger },
    states,
    first_states: first,
    final_states: states.filter((state) => !steps.some(({ from }) => from === state)),
    steps,
  };
}

export const RAIL_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_rails',
    method: 'GET',
    path: '/_sandbox/rails',
    group: 'Inspect',
    summary: 'List the rails with their states and steps',
    description:
      'Lists the rails: the states of a payment and the steps between them. Each step has its ledger action, its cause, and its scheduled time in this sandbox.',
    answer: 'The rails with their states and steps.',
    status: 200,
    response: Type.Object({
      profile: enumOf(
        ['fast', 'calendar', 'manual'] as const satisfies RailsProfile[],
        'The rails profile of the bank (SANDBANK_RAILS).',
      ),
      rails: Type.Array(RailView),
    }),
    run: ({ sandbox: { rails: profile } }) => ({
      profile,
      rails: RAIL_NAMES.map((name) => formatRail(name, profile)),
    }),
  }),
] as const;
