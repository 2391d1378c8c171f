/**
 * Simulations of the platform's actions on a holder, a card or an account: end a verification, lock, unlock, ship,
 * deliver.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatAccount, SubAccount } from '../../../bank/api/v2/accounts.ts';
import { formatCard } from '../../../bank/api/v2/cards/format.ts';
import { Card } from '../../../bank/api/v2/cards/shapes.ts';
import { parseId } from '../../../bank/api/v2/fields.ts';
import { formatHolder, SubAccountHolder } from '../../../bank/api/v2/holders.ts';
import { isDate } from '../../../bank/kernel/time.ts';
import { EVIDENCE } from '../../../bank/model/fidelity.ts';
import { type ReasonsInput, VERIFICATION_REASONS } from '../../../bank/model/verification-reasons.ts';
import { CHECK_PARTS, type CheckPart } from '../../../bank/model/vocabulary.ts';
import {
  ACCOUNT_EVENTS,
  CARD_EVENTS,
  HOLDER_EVENTS,
  type SimulatedHolderEvent,
} from '../../../bank/verbs/simulation/records.ts';
import { DATE, enumOf, text, wrong } from '../fields.ts';
import { controlOperation } from '../operation.ts';
import { parseEvent } from './fields.ts';

const Text = Type.String({ maxLength: 200 });

/** The subjects of a check, in the terms of v1's reviewReasons and of v2's details. */
const PARTS = {
  name: 'name',
  address: 'address',
  dateOfBirth: 'dateOfBirth',
  dob: 'dateOfBirth',
  ssn: 'idNumber',
  phone: 'phone',
  email: 'email',
  watchlist: 'watchlist',
  fraud: 'fraud',
  bank: 'bank',
  businessName: 'name',
  personName: 'people',
  idv: 'idv',
  other: 'other',
} as const satisfies Record<string, CheckPart>;

const HolderEventBody = Type.Object({
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'The reason of a review or decline: a code of GET /_sandbox/verification_reasons or any other; v1 shows it as reviewCode.',
    }),
  ),
  message: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'The reason in a sentence; v1 shows it as reviewMessage. Default: the text of the code.',
    }),
  ),
  reasons: Type.Optional(
    Type.Array(
      Type.Object({
        part: Type.Optional(
          Type.Unsafe<keyof typeof PARTS>(
            Type.String({
              enum: Object.keys(PARTS),
              description: 'The subject of the reason. Default: that of the code.',
            }),
          ),
        ),
        code: Type.String({ minLength: 1, maxLength: 64, description: 'Like "R1401".' }),
        description: Type.Optional(
          Type.String({
            maxLength: 500,
            description: 'The reason in a sentence. Default: the text of the code.',
          }),
        ),
      }),
      {
        maxItems: 50,
        description: 'The reasons by part: reviewReasons in v1, the reasons of the details in v2.',
      },
    ),
  ),
});

/** A synonym of an event. */
const HOLDER_EVENT_WORDS: Readonly<Record<string, SimulatedHolderEvent>> = { decline: 'fail' };

/** The fields of each event; a lock has no reason. */
const FIELDS_OF: Readonly<Partial<Record<SimulatedHolderEvent, readonly (keyof ReasonsInput)[]>>> = {
  review: ['code', 'message', 'reasons'],
  fail: ['code', 'message', 'reasons'],
  idv_review: ['code', 'message', 'reasons'],
  idv_fail: ['code', 'message', 'reasons'],
  pass: ['reasons'],
};

/** Refuses: `field_invalid` for a field that the event cannot show. */
function parseReasons(event: SimulatedHolderEvent, body: Static<typeof HolderEventBody>): ReasonsInput {
  for (const field of ['code', 'message', 'reasons'] as const) {
    if (body[field] === undefined || FIELDS_OF[event]?.includes(field)) continue;
    const events = HOLDER_EVENTS.filter((name) => FIELDS_OF[name]?.includes(field));
    throw wrong(field, `applies only to the events ${events.join(', ')}, not to ${event}`);
  }
  const foreign = event.startsWith('idv_')
    ? body.reasons?.find(({ part = 'idv' }) => part !== 'idv')
    : undefined;
  if (foreign !== undefined) throw wrong('reasons', `of ${event} are about idv, not about ${foreign.part}`);
  const { code, message, reasons } = body;
  return {
    code,
    message,
    reasons: reasons?.map(({ part, ...rest }) => ({ ...rest, part: part && PARTS[part] })),
  };
}

export const SIMULATION_STATUS_OPERATIONS = [
  controlOperation({
    id: 'sandbox_simulate_holder',
    method: 'POST',
    path: '/_sandbox/simulate/holders/:id/:event',
    group: 'Simulate',
    summary: 'Simulate an event of a holder',
    description:
      'Ends the KYC, KYB or IDV of a holder with a chosen result, regardless of its id number, or locks or unlocks the holder. A review and a failure can have a code, a message and reasons.',
    answer: 'The holder after the event.',
    decisions: ['verification-reasons'],
    status: 200,
    refuses: ['holder_not_found', 'illegal_step'],
    params: Type.Object({
      id: Type.String(),
      event: Type.String({ description: `${HOLDER_EVENTS.join(', ')}; decline is an alias of fail` }),
    }),
    body: HolderEventBody,
    response: Type.Object({ holder: SubAccountHolder }),
    example: {
      params: (world) => ({ id: world.seed('person_holder_id'), event: 'review' }),
      body: {
        code: 'R112',
        message: 'Possible fraud risk identified.',
        reasons: [{ part: 'phone', code: 'R1401', description: 'Phone number mismatch' }],
      },
    },
    command: ({ sandbox }, { params, body }) => {
      const id = parseId('holder', params.id);
      const event = parseEvent(HOLDER_EVENT_WORDS[params.event] ?? params.event, HOLDER_EVENTS);
      const input = parseReasons(event, body);
      const file = sandbox.bank.simulation.holder(id, event, input);
      return { holder: formatHolder(file, sandbox.bank) };
    },
  }),

  controlOperation({
    id: 'sandbox_list_verification_reasons',
    method: 'GET',
    path: '/_sandbox/verification_reasons',
    group: 'Simulate',
    summary: 'List the reasons of KYC, KYB and IDV',
    description:
      'Lists the reason codes of a KYC, KYB or IDV that is in review or declined, and the evidence that the platform has each code. Codes that begin with SB are invented.',
    answer: 'The codes with their evidence.',
    status: 200,
    response: Type.Object({
      verification_reasons: Type.Array(
        Type.Object({
          code: text('Like "R112"; ours begin with SB.'),
          description: text('Meaning of the code, in a sentence.'),
          part: enumOf(CHECK_PARTS, 'The part of the verification that the code is about.'),
          evidence: enumOf(EVIDENCE, 'The evidence that the platform has it; invented for ours.'),
          page: text('The page of the platform with the code; "" for ours.'),
        }),
      ),
    }),
    run: () => ({
      verification_reasons: VERIFICATION_REASONS.map(({ page = '', ...rest }) => ({ ...rest, page })),
    }),
  }),

  controlOperation({
    id: 'sandbox_simulate_card',
    method: 'POST',
    path: '/_sandbox/simulate/cards/:card_id/:event',
    group: 'Simulate',
    summary: 'Simulate an event of a card',
    description:
      'Locks, unlocks, ships or delivers a card. These are actions of the platform and its carrier. Tracking fields that are not sent are invented.',
    answer: 'The card after the event.',
    status: 200,
    refuses: ['card_not_found', 'illegal_step'],
    params: Type.Object({
      card_id: Type.String(),
      event: Type.String({ description: CARD_EVENTS.join(', ') }),
    }),
    body: Type.Object({
      number: Type.Optional({ ...Text, description: 'The tracking number of the carrier.' }),
      url: Type.Optional(Text),
      provider: Type.Optional({ ...Text, description: 'The carrier.' }),
      eta: Type.Optional(Type.String({ maxLength: 10, description: 'A date, YYYY-MM-DD.', ...DATE })),
    }),
    response: Type.Object({ card: Card }),
    example: { params: (world) => ({ card_id: world.seed('virtual_card_id'), event: 'lock' }), body: {} },
    command: ({ sandbox }, { params, body }) => {
      const id = parseId('card', params.card_id);
      const event = parseEvent(params.event, CARD_EVENTS);
      if (body.eta !== undefined && !isDate(body.eta)) throw wrong('eta', 'must be a valid date, YYYY-MM-DD');
      const [field] = event === 'ship' || event === 'deliver' ? [] : Object.keys(body);
      if (field !== undefined)
        throw wrong(field, `applies only to the events ship and deliver, not to ${event}`);
      const file = sandbox.bank.simulation.card(id, event, body);
      return { card: formatCard(file, sandbox.bank) };
    },
  }),

  controlOperation({
    id: 'sandbox_simulate_account',
    method: 'POST',
    path: '/_sandbox/simulate/accounts/:id/:event',
    group: 'Simulate',
    summary: 'Simulate an event of an account',
    description:
      'Locks or unlocks a sub account, which only the platform can do. A locked account cannot send or receive, and clients cannot unlock it.',
    answer: 'The account after the event.',
    status: 200,
    refuses: ['account_not_found', 'illegal_step'],
    params: Type.Object({
      id: Type.String(),
      event: Type.String({ description: ACCOUNT_EVENTS.join(', ') }),
    }),
    response: Type.Object({ account: SubAccount }),
    example: { params: (world) => ({ id: world.seed('sub_account_id'), event: 'lock' }) },
    command: ({ sandbox }, { params }) => {
      const id = parseId('account', params.id);
      const event = parseEvent(params.event, ACCOUNT_EVENTS);
      const file = sandbox.bank.simulation.account(id, event);
      return { account: formatAccount(file, sandbox.bank) };
    },
  }),
] as const;
