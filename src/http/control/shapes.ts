/**
 * The small shapes that the answers of the control plane are made of: amounts, instants, ids and lists of words, each with
 * what its field means.
 */
import { Type } from '@sinclair/typebox';
import { text, word } from '../../dialects/v2/shapes/fields.ts';
import type { Transfer } from '../../ledger/ledger.ts';
import { TRANSACTION_STATUSES } from '../../model/vocabulary.ts';

export { text, word };

export const Amount = text('Dollars and cents, like "12.50".');
export const Balance = text('Dollars and cents, like "12.50"; with a minus below zero.');
export const Instant = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z".');
export const InstantOrNone = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z"; "" for none.');
export const Milliseconds = Type.Integer({ description: 'Real milliseconds.' });
export const HttpStatus = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The HTTP status; null when nobody answered.',
});
/** Why an attempt failed. */
export const Problem = text('What went wrong, in words; "" for nothing.');

export const TransactionId = text('The transaction, in the spelling of v2; "" for none.');
export const EventId = text('The event, `evt_` and 32 digits.');
export const WebhookId = text('The webhook, in the spelling of its generation.');
export const LedgerAccount = text('A sub account or the master account by its id, or `suspense`.');
export const EventKind = text('A kind of event, like `transaction.created`.');
export const Counts = Type.Record(Type.String(), Type.Integer(), {
  description: 'How many records of each kind there are.',
});

export const GENERATIONS = ['v1', 'v2'] as const;
export const Generation = word(GENERATIONS, 'The version of the interface.');
export const DeliveryState = word(
  ['waiting', 'delivered', 'exhausted', 'dropped'],
  'waiting for a retry or a paused webhook; exhausted when every retry has failed; dropped with its webhook.',
);
export const TransactionStatus = word(TRANSACTION_STATUSES);
export const TransferKind = word(
  ['post', 'hold', 'settle', 'release'] as const satisfies Transfer['kind'][],
  'A hold reserves; settle and release end one.',
);
