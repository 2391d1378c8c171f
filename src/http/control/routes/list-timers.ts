/**
 * Lists what the sandbox will do by itself, in the order in which it will: planned steps of movements, ends of checks,
 * and deliveries that are tried again. Where the clock stands still it waits until somebody moves the clock.
 */
import { Type } from '@sinclair/typebox';
import { spellEventId, spellWebhookId } from '../../../dialects/events.ts';
import { spellV2 } from '../../../dialects/identifiers.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { Instant } from '../../../kernel/time.ts';
import { type RailEvent, railOf } from '../../../model/rails.ts';
import type { Sandbox } from '../../../sandboxes/sandbox.ts';
import type { Store } from '../../../store/store.ts';
import { controlOperation } from '../operation.ts';
import { text, word } from '../shapes.ts';
import { ClockView, InstantText, viewClock, writeInstant } from '../time-views.ts';

const USUAL_LIMIT = 100;

interface Timer {
  due: Instant;
  kind: 'step' | 'retry';
  subject: string;
  does: string;
}

export const listTimers = controlOperation({
  id: 'sandbox_list_timers',
  method: 'GET',
  path: '/_sandbox/timers',
  group: 'Clock',
  summary: 'What the sandbox will do by itself',
  status: 200,
  query: Type.Object({
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]\\d{0,2}|1000)$',
        description: `1 to 1000; ${USUAL_LIMIT} unless sent.`,
      }),
    ),
  }),
  response: Type.Object({
    clock: ClockView,
    timers: Type.Array(
      Type.Object({
        due_at: InstantText,
        kind: word(['step', 'retry'], 'A step of a movement or of a check, or the retry of a delivery.'),
        subject: Type.String({ description: 'The id of the transaction, of the holder or of the event.' }),
        does: text(
          'What will happen: an event of the rail or of the check, or the kind of the event that is sent.',
        ),
      }),
    ),
  }),
  run: ({ sandbox }, { query: { limit = String(USUAL_LIMIT) } }) => {
    const most = Number(limit);
    const timers = [...stepsOf(sandbox, most), ...retriesOf(sandbox, most)]
      .toSorted((a, b) => a.due - b.due)
      .slice(0, most)
      .map(({ due, ...timer }) => ({ due_at: writeInstant(due), ...timer }));
    return { clock: viewClock(sandbox), timers };
  },
});

function stepsOf({ store }: Sandbox, limit: number): Timer[] {
  return store.agenda.due(Number.MAX_SAFE_INTEGER, limit).map(({ dueAt, subjectId, event, task }) => ({
    due: dueAt,
    kind: 'step',
    ...(task === 'verification' ? checkOf(store, subjectId) : movementOf(store, subjectId, event)),
  }));
}

type Step = Pick<Timer, 'subject' | 'does'>;

function checkOf(store: Store, id: Id): Step {
  const name = store.holders.byId(id)?.type === 'business' ? 'KYB of a business' : 'KYC of a person';
  return { subject: spellV2('holder', id), does: `${name}: decided by the id number` };
}

function movementOf(store: Store, id: Id, event: string): Step {
  const transaction = store.transactions.byId(id);
  return {
    subject: spellV2('transaction', id),
    does: transaction === undefined ? event : describe(transaction, event as RailEvent),
  };
}

function describe(
  { rail, status }: { rail: Parameters<typeof railOf>[0]; status: string },
  event: RailEvent,
): string {
  const row = railOf(rail).steps[status as keyof ReturnType<typeof railOf>['steps']];
  const step = row?.[event];
  const name = rail.replaceAll('_', ' ');
  if (step === undefined) return `${name}: ${event}, which its state ${status} does not allow`;
  const books = BOOKS[step.ledger];
  return `${name}: ${event}, ${status} to ${step.to}${books === '' ? '' : `, ${books}`}`;
}

const BOOKS = {
  hold: 'reserves the amount',
  post: 'posts the amount',
  settle: 'posts what was held',
  release: 'gives back what was held',
  undo: 'posts the amount back',
  none: '',
} as const;

function retriesOf({ queue }: Sandbox, limit: number): Timer[] {
  return queue.retriesDue(Number.MAX_SAFE_INTEGER, limit, []).flatMap(({ seq, webhookId }) => {
    const due = queue.waitingBySeq(seq);
    const webhook = queue.webhook(webhookId);
    if (due === undefined || webhook === undefined) return [];
    const { dueAt, kind, ordinal, attempts } = due.delivery;
    return {
      due: dueAt,
      kind: 'retry' as const,
      subject: spellEventId(webhook.dialect, due.fact, ordinal),
      does: `attempt ${attempts + 1} to tell ${spellWebhookId(webhook)} of ${kind}`,
    };
  });
}
