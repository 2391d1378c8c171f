/**
 * The clock in the control plane, and the changes while it was moved. Instants are written to the millisecond, unlike
 * those of the API versions, so that an instant can be sent back exactly.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatEventId, formatWebhookId } from '../../bank/api/events.ts';
import { formatV2 } from '../../bank/api/ids.ts';
import { formatMoney } from '../../bank/kernel/money.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import { RAILS, type RailName } from '../../bank/model/rails/index.ts';
import type { TransactionStatus as TransactionStatusWord } from '../../bank/model/vocabulary.ts';
import type { Changes } from '../sandbox/changes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ClockMode } from '../sandbox/sandbox-clock.ts';
import { readInstant, targetOf } from '../sandbox/time-targets.ts';
import {
  advance,
  requireStill,
  STOP_REASONS,
  type Stop,
  settle,
  type Travelled,
} from '../sandbox/time-travel.ts';
import {
  Amount,
  ApiVersion,
  DATE_TIME,
  DeliveryState,
  EventId,
  EventType,
  enumOf,
  HttpStatus,
  LedgerAccount,
  Problem,
  TransactionId,
  TransactionStatus,
  TransferKind,
  text,
  WebhookId,
} from './fields.ts';
import { formatLedgerAccount } from './ledger.ts';
import { controlOperation } from './operation.ts';

export const CLOCK_MODES = ['live', 'frozen', 'scaled'] as const satisfies ClockMode[];

const ClockModeShape = Type.Unsafe<ClockMode>(Type.String({ enum: [...CLOCK_MODES] }));

export const InstantText = Type.String({ description: 'ISO 8601 in UTC, to the millisecond.', ...DATE_TIME });

const Rail = enumOf(Object.keys(RAILS) as RailName[]);

export const ClockView = Type.Object({
  mode: ClockModeShape,
  now: InstantText,
  rate: Type.Number({ description: 'Seconds of the sandbox per real second: 1 when live, 0 when frozen.' }),
});

const Deadline = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 600_000,
    description: 'Real milliseconds after which the response is `quiescent: false`; default: 5000.',
  }),
);
const DEADLINE_MS = 5000;

export const TravelView = Type.Object({
  quiescent: Type.Boolean({
    description:
      'Whether nothing is due and nothing is in flight; false at the deadline, or if something could not be written.',
  }),
  problem: text(
    'Why the advance ended early, or why its changes are not listed, such as a full disk; "" otherwise. `clock` has the time that was reached.',
  ),
  stopped_by: Type.Union(
    [
      Type.Object({
        reason: enumOf(
          STOP_REASONS,
          'in_flight: the receiver of the event has not responded. commit_failed: the result of a delivery could not be written. write_failed: see `problem`. deadline: there was more to do than the deadline allowed.',
        ),
        webhook_id: text('The webhook whose response is missing; "" for none.'),
        event_id: text('The event without a response; "" for none.'),
      }),
      Type.Null(),
    ],
    { description: 'Why the clock stopped early; null if it did not.' },
  ),
  from: InstantText,
  clock: ClockView,
  transitions: Type.Array(
    Type.Object({
      transaction_id: TransactionId,
      rail: Rail,
      from: Type.Unsafe<TransactionStatusWord | null>({
        ...TransactionStatus,
        nullable: true,
        description: 'State before the change; null for a new transaction.',
      }),
      to: TransactionStatus,
      at: InstantText,
    }),
  ),
  postings: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'Number of the transfer in the ledger.' }),
      kind: TransferKind,
      debit_account_id: LedgerAccount,
      credit_account_id: LedgerAccount,
      amount: Amount,
      hold_id: Type.Union([Type.Integer(), Type.Null()], {
        description: 'The hold that a settle or release ends.',
      }),
      transaction_id: TransactionId,
      at: InstantText,
    }),
  ),
  events: Type.Array(Type.Object({ id: EventId, api_version: ApiVersion, type: EventType, at: InstantText })),
  deliveries: Type.Array(
    Type.Object({
      event_id: Type.Union([Type.String(), Type.Null()], {
        description: 'Null if the webhook has been deleted since.',
      }),
      webhook_id: WebhookId,
      type: EventType,
      attempt: Type.Integer({ description: 'Number of the attempt, from 1.' }),
      at: InstantText,
      status: HttpStatus,
      error: Problem,
      state: DeliveryState,
    }),
  ),
});

const DueTransactionView = Type.Object({
  transaction_id: TransactionId,
  rail: Rail,
  status: TransactionStatus,
});

/** Formats an instant as `2026-11-20T18:14:04.250Z`. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** The clock of a sandbox. */
export function formatClock({ clock }: Pick<Sandbox, 'clock'>): Static<typeof ClockView> {
  const { mode, rate } = clock.setting();
  return { mode, now: formatInstant(clock.now()), rate };
}

function formatStop({ reason, delivery, apiVersion }: Stop): Static<typeof TravelView>['stopped_by'] {
  if (delivery === null || apiVersion === null) return { reason, webhook_id: '', event_id: '' };
  return {
    reason,
    webhook_id: formatWebhookId({ id: delivery.delivery.webhookId, apiVersion }),
    event_id: formatEventId(apiVersion, delivery.fact, delivery.delivery.ordinal),
  };
}

/** The result of an advance. */
function formatTravel(sandbox: Sandbox, travelled: Travelled): Static<typeof TravelView> {
  return {
    quiescent: travelled.quiescent,
    problem: travelled.problem,
    stopped_by: travelled.stoppedBy === null ? null : formatStop(travelled.stoppedBy),
    from: formatInstant(travelled.from),
    // The instant that the advance reached, not a later one.
    clock: { ...formatClock(sandbox), now: formatInstant(travelled.to) },
    ...formatChanges(sandbox, travelled),
  };
}

function formatChanges(
  { program }: Sandbox,
  { transitions, postings, events, deliveries }: Changes,
): Pick<Static<typeof TravelView>, 'transitions' | 'postings' | 'events' | 'deliveries'> {
  const account = (id: string): string => formatLedgerAccount(id, program);
  // No read that can fail may follow: the clock has already moved.
  return {
    transitions: transitions.map(({ transactionId, at, ...transition }) => ({
      transaction_id: formatV2('transaction', transactionId),
      ...transition,
      at: formatInstant(at),
    })),
    postings: postings.map(
      ({ id, kind, debitAccount, creditAccount, amount, holdId, transactionId, at }) => ({
        id,
        kind,
        debit_account_id: account(debitAccount),
        credit_account_id: account(creditAccount),
        amount: formatMoney(amount),
        hold_id: holdId,
        transaction_id: formatV2('transaction', transactionId),
        at: formatInstant(at),
      }),
    ),
    events: events.map(({ id, version, kind, at }) => ({
      id,
      api_version: version,
      type: kind,
      at: formatInstant(at),
    })),
    deliveries: deliveries.map(
      ({ eventId, webhookId: id, version, kind, number, at, status, error, state }) => ({
        event_id: eventId,
        webhook_id: version === null ? formatV2('webhook', id) : formatWebhookId({ id, apiVersion: version }),
        type: kind,
        attempt: number,
        at: formatInstant(at),
        status,
        error,
        state,
      }),
    ),
  };
}

const SLOWEST = 0.001;
/** A day in a second. */
const FASTEST = 86_400;

export const CLOCK_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_clock',
    method: 'GET',
    path: '/_sandbox/clock',
    group: 'Clock',
    summary: 'Show the clock',
    description:
      "Shows the time of the sandbox's clock and its mode: live, frozen, or running at another rate. Every date in the bank comes from this clock.",
    answer: 'The time and the mode of the clock.',
    status: 200,
    response: ClockView,
    run: ({ sandbox }) => formatClock(sandbox),
  }),

  controlOperation({
    id: 'sandbox_set_clock',
    method: 'PUT',
    path: '/_sandbox/clock',
    group: 'Clock',
    summary: 'Set the clock',
    description:
      'Sets the clock, forwards or back, and its mode. Steps that are due at the new time are executed before the response. To execute everything in order at its own time, advance the clock instead.',
    answer: 'The clock and the changes.',
    status: 200,
    refuses: ['illegal_step'],
    body: Type.Object({
      mode: ClockModeShape,
      now: Type.Optional(
        Type.String({ description: 'ISO 8601 with a zone; default: the current time of the clock.' }),
      ),
      rate: Type.Optional(
        Type.Number({
          minimum: SLOWEST,
          maximum: FASTEST,
          description: 'For `scaled`: seconds of the sandbox per real second.',
        }),
      ),
    }),
    response: ClockView,
    example: { body: { mode: 'frozen' } },
    run: async ({ sandbox }, { body: { mode, now, rate } }) => {
      if (mode === 'scaled' && rate === undefined) {
        throw refuse('field_invalid', {
          field: 'rate',
          message: 'rate is required for scaled: the seconds of the sandbox per real second, like 60',
        });
      }
      if (mode !== 'scaled' && rate !== undefined) {
        throw refuse('field_invalid', {
          field: 'rate',
          message: `rate applies only to the mode scaled; leave it out for ${mode}`,
        });
      }
      const instant = now === undefined ? undefined : readInstant(now, 'now');
      requireStill(sandbox);
      await sandbox.setClock((clock) => clock.set(mode, instant, rate));
      // The clock is set even if steps fail: the agenda reports failures and retries the steps.
      await sandbox.agenda.runDue().catch(() => {});
      return formatClock(sandbox);
    },
  }),

  controlOperation({
    id: 'sandbox_advance_clock',
    method: 'POST',
    path: '/_sandbox/clock/advance',
    group: 'Clock',
    summary: 'Advance the clock',
    description:
      'Advances the clock and executes every scheduled step and delivery, in order and at its own time. Many short advances have the same result as one long one. The response counts the changes and lists the first of them.',
    answer: 'The new time and the changes.',
    status: 200,
    refuses: ['illegal_step'],
    body: Type.Object({
      by: Type.Optional(Type.String({ description: 'An ISO 8601 duration, like P2D or PT90M.' })),
      business_days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 5000,
          description: 'Banking days; the time of day in Eastern time stays the same.',
        }),
      ),
      to: Type.Optional(Type.String({ description: 'An instant, ISO 8601 with a zone.' })),
      deadline_ms: Deadline,
    }),
    response: TravelView,
    example: { body: { business_days: 2 } },
    run: async ({ sandbox, signal }, { body }) => {
      const { deadline_ms: deadlineMs = DEADLINE_MS, ...timeTarget } = body;
      const target = targetOf(timeTarget, sandbox.clock.now());
      return formatTravel(sandbox, await advance(sandbox, target, { deadlineMs, signal }));
    },
  }),

  controlOperation({
    id: 'sandbox_settle_clock',
    method: 'POST',
    path: '/_sandbox/clock/settle',
    group: 'Clock',
    summary: 'Advance the clock until all payments are settled',
    description:
      'Advances the clock until no payment is pending. Card authorizations that wait for their capture do not count. Payments that wait for a decision, such as a review, do not change and are listed in the response.',
    answer: 'The new time, the changes, and the payments that still wait.',
    status: 200,
    refuses: ['illegal_step'],
    body: Type.Object({ deadline_ms: Deadline }),
    response: Type.Intersect([
      TravelView,
      Type.Object({
        left: Type.Array(DueTransactionView, { description: 'Transactions that wait for an action.' }),
      }),
    ]),
    example: { body: { deadline_ms: 5000 } },
    run: async ({ sandbox, signal }, { body: { deadline_ms: deadlineMs = DEADLINE_MS } }) => {
      const settled = await settle(sandbox, { deadlineMs, signal });
      const left = settled.left.map(({ id, rail, status }) => ({
        transaction_id: formatV2('transaction', id),
        rail,
        status,
      }));
      return { ...formatTravel(sandbox, settled), left };
    },
  }),
] as const;
