/**
 * Time as the control plane shows it: the clock, and what happened while it was moved. Instants are written to the
 * millisecond, unlike those of the bank's own interfaces, so that what was read can be asked for again.
 */
import { type Static, Type } from '@sinclair/typebox';
import { spellWebhookId } from '../../dialects/events.ts';
import { spellV2 } from '../../dialects/identifiers.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Instant } from '../../kernel/time.ts';
import { RAILS, type RailName } from '../../model/rails.ts';
import type { TransactionStatus as TransactionStatusWord } from '../../model/vocabulary.ts';
import type { Happenings } from '../../sandboxes/happenings.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { ClockMode } from '../../sandboxes/sandbox-clock.ts';
import type { Travelled } from '../../sandboxes/time-travel.ts';
import { spellLedgerAccount } from './ledger.ts';
import {
  Amount,
  DeliveryState,
  EventId,
  EventKind,
  Generation,
  HttpStatus,
  LedgerAccount,
  Problem,
  TransactionId,
  TransactionStatus,
  TransferKind,
  WebhookId,
  word,
} from './shapes.ts';

const CLOCK_MODES = ['live', 'frozen', 'scaled'] as const satisfies ClockMode[];

export const ClockModeShape = Type.Unsafe<ClockMode>(Type.String({ enum: [...CLOCK_MODES] }));

export const InstantText = Type.String({ description: 'ISO 8601 in UTC, to the millisecond.' });

const Rail = word(Object.keys(RAILS) as RailName[]);

export const ClockView = Type.Object({
  mode: ClockModeShape,
  now: InstantText,
  rate: Type.Number({ description: 'Seconds of the sandbox in a real second: 1 when live, 0 when frozen.' }),
});

export const Deadline = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 600_000,
    description: 'Real milliseconds after which it answers `quiescent: false`; 5000 unless sent.',
  }),
);
export const DEADLINE_MS = 5000;

export const TravelView = Type.Object({
  quiescent: Type.Boolean({ description: 'Nothing is due and nothing is in flight; false at the deadline.' }),
  from: InstantText,
  clock: ClockView,
  transitions: Type.Array(
    Type.Object({
      transaction_id: TransactionId,
      rail: Rail,
      from: Type.Unsafe<TransactionStatusWord | null>({
        ...TransactionStatus,
        nullable: true,
        description: 'Null for a transaction that was made.',
      }),
      to: TransactionStatus,
      at: InstantText,
    }),
  ),
  postings: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'Its number in the books.' }),
      kind: TransferKind,
      debit_account_id: LedgerAccount,
      credit_account_id: LedgerAccount,
      amount: Amount,
      hold_id: Type.Union([Type.Integer(), Type.Null()], { description: 'Of a settle or release.' }),
      transaction_id: TransactionId,
      at: InstantText,
    }),
  ),
  events: Type.Array(Type.Object({ id: EventId, generation: Generation, type: EventKind, at: InstantText })),
  deliveries: Type.Array(
    Type.Object({
      event_id: Type.Union([Type.String(), Type.Null()], {
        description: 'Null when the webhook was deleted since.',
      }),
      webhook_id: WebhookId,
      type: EventKind,
      attempt: Type.Integer({ description: 'Which one of the delivery, from 1.' }),
      at: InstantText,
      status: HttpStatus,
      error: Problem,
      state: DeliveryState,
    }),
  ),
});

export const MovementView = Type.Object({
  transaction_id: TransactionId,
  rail: Rail,
  status: TransactionStatus,
});

/** Writes an instant as `2026-11-20T18:14:04.250Z`. */
export function writeInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** The clock of a sandbox. */
export function viewClock({ clock }: Sandbox): Static<typeof ClockView> {
  const { mode, rate } = clock.setting();
  return { mode, now: writeInstant(clock.now()), rate };
}

/** What a way through time came to. */
export function viewTravel(sandbox: Sandbox, travelled: Travelled): Static<typeof TravelView> {
  return {
    quiescent: travelled.quiescent,
    from: writeInstant(travelled.from),
    // Where it came to, not where it stands a moment later.
    clock: { ...viewClock(sandbox), now: writeInstant(travelled.to) },
    ...viewHappenings(sandbox, travelled),
  };
}

function viewHappenings(
  { program, queue }: Sandbox,
  { transitions, postings, events, deliveries }: Happenings,
): Pick<Static<typeof TravelView>, 'transitions' | 'postings' | 'events' | 'deliveries'> {
  const account = (id: string): string => spellLedgerAccount(id, program);
  const webhookId = (id: string): string => {
    const webhook = queue.webhook(id);
    return webhook === undefined ? spellV2('webhook', id) : spellWebhookId(webhook);
  };
  return {
    transitions: transitions.map(({ transactionId, at, ...transition }) => ({
      transaction_id: spellV2('transaction', transactionId),
      ...transition,
      at: writeInstant(at),
    })),
    postings: postings.map(
      ({ id, kind, debitAccount, creditAccount, amount, holdId, transactionId, at }) => ({
        id,
        kind,
        debit_account_id: account(debitAccount),
        credit_account_id: account(creditAccount),
        amount: formatMoney(amount),
        hold_id: holdId,
        transaction_id: spellV2('transaction', transactionId),
        at: writeInstant(at),
      }),
    ),
    events: events.map(({ id, generation, kind, at }) => ({
      id,
      generation,
      type: kind,
      at: writeInstant(at),
    })),
    deliveries: deliveries.map(({ eventId, webhookId: id, kind, number, at, status, error, state }) => ({
      event_id: eventId,
      webhook_id: webhookId(id),
      type: kind,
      attempt: number,
      at: writeInstant(at),
      status,
      error,
      state,
    })),
  };
}
