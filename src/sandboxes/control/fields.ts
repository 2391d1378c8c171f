/**
 * The fields that the shapes of the control plane share: amounts, instants, ids and enums, each with its description,
 * and how often a fault or delivery chaos applies.
 */
import { Type } from '@sinclair/typebox';
import { Duration } from 'luxon';
import { DATE, DATE_TIME } from '../../bank/api/fields.ts';
import { enumOf, text } from '../../bank/api/v2/fields.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { Transfer } from '../../bank/ledger/ledger.ts';
import { RETURN_CODE_NAMES } from '../../bank/model/return-codes.ts';
import { TRANSACTION_STATUSES } from '../../bank/model/vocabulary.ts';
import type { DeliveryCounts } from '../../bank/outbox/delivery-history.ts';

export { DATE, DATE_TIME, enumOf, text };

export const Amount = text('Dollars and cents, like "12.50".');
export const Balance = text('Dollars and cents, like "12.50"; with a minus below zero.');
export const Instant = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z".', DATE_TIME);
export const InstantOrNone = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z"; "" for none.', {
  form: 'date-time',
  orEmpty: true,
});
export const Milliseconds = Type.Integer({ description: 'Real milliseconds.' });
export const HttpStatus = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The HTTP status; null without a response.',
});
/** Why an attempt failed. */
export const Problem = text('The error in a sentence; "" for none.');

export const TransactionId = text('The transaction, in the format of v2; "" for none.');
export const EventId = text('The event, `evt_` and 32 digits.');
export const WebhookId = text('The webhook, in the format of its version.');
export const LedgerAccount = text('A sub account or the master account by its id, or `suspense`.');
export const EventType = text('An event type, like `transaction.created`.');
export const ReturnCode = Type.String({
  title: 'ReturnCode',
  description:
    'For a return: a code of GET /_sandbox/return_codes. The default of a simulation is R01 or R03.',
  words: RETURN_CODE_NAMES,
});
export const Counts = Type.Record(Type.String(), Type.Integer(), {
  description: 'How many records of each kind there are.',
});

const API_VERSIONS = ['v1', 'v2'] as const;
export const ApiVersion = enumOf(API_VERSIONS, 'Which interface of the platform: v1 or v2.');
export const DeliveryState = enumOf(
  ['waiting', 'delivered', 'exhausted', 'dropped'],
  'waiting for a retry or a paused webhook; exhausted: every retry has failed; dropped with its webhook.',
);
export const TransactionStatus = enumOf(TRANSACTION_STATUSES);
export const TransferKind = enumOf(
  ['post', 'hold', 'settle', 'release'] as const satisfies Transfer['kind'][],
  '`hold` reserves an amount; `settle` and `release` end a hold.',
);

/** Whether the items of a list have their bodies; without them for a client that needs only the heads. */
export const Bodies = (without: string) =>
  Type.Optional(
    Type.Unsafe<'true' | 'false'>(
      Type.String({ enum: ['true', 'false'], description: `With \`false\` ${without}` }),
    ),
  );

const MAX = 1_000_000_000;
const Count = (description: string) => Type.Integer({ minimum: 1, maximum: MAX, description });

export const FrequencyInput = {
  times: Type.Optional(Count('Maximum number of times; default: no maximum.')),
  every: Type.Optional(Count('Only every n-th, like 3 for every third.')),
  skip_first: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX, description: 'Number of the first ones that are skipped.' }),
  ),
  probability: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'From 0 for never to 1 for always.' }),
  ),
};

/** The status of the deliveries of an event or a webhook. */
export const CountsView = Type.Object({
  waiting: Type.Integer({ description: 'For a first attempt or a retry.' }),
  delivered: Type.Integer({ description: 'Accepted by the receiver.' }),
  exhausted: Type.Integer({ description: 'Every retry has failed.' }),
  dropped: Type.Integer({ description: 'The webhook was deleted or deactivated.' }),
});

/** The refusal of a field, with the expected value. */
export function wrong(field: string, problem: string): Refusal {
  return refuse('field_invalid', { field, message: `${field} ${problem}` });
}

/** Parses an ISO 8601 duration of zero or more, in milliseconds. Refuses: `field_invalid`. */
export function parseDuration(field: string, text: string): number {
  const ms = Duration.fromISO(text).toMillis();
  if (!(ms >= 0)) throw wrong(field, `must be an ISO 8601 duration like PT30S or P1D; got "${text}"`);
  return ms;
}

/** No deliveries in any state. */
export function noDeliveries(): DeliveryCounts {
  return { waiting: 0, delivered: 0, exhausted: 0, dropped: 0 };
}
