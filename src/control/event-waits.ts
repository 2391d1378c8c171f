/**
 * Why an event has not arrived, in the control plane: one answer for the event, and one for each of its deliveries.
 */
import { type Static, Type } from '@sinclair/typebox';
import { WAIT_REASONS } from '../delivery/waiting.ts';
import type { LoggedEvent } from '../sandbox/event-log.ts';
import { type Why, waitsOf } from '../sandbox/event-waits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { formatInstant } from './clock.ts';
import { enumOf, text } from './fields.ts';

export const WaitReason = enumOf(
  WAIT_REASONS,
  'no_webhook: nobody is subscribed. webhook_paused: queued or missed, see `queued`. behind_event: an earlier event of the same record has no response yet. in_flight: sent, no response yet. retry_due: an attempt failed, the next is planned. chaos_hold: delivery chaos delays or reorders it. receiver_busy: the maximum number of requests is in flight. commit_failed: a result could not be written, so sending pauses. clock_stopped: a retry is planned and the clock stands still. dropped: given up. delivered: accepted.',
);

export const WhyView = Type.Object(
  {
    reason: WaitReason,
    until: text('When that ends on the clock of the sandbox, ISO 8601 in UTC; "" where it is not known.'),
    event_id: text('With `behind_event` the earlier event that it waits for; "" otherwise.'),
    webhook_id: text('The webhook, as its version writes its id; "" for none.'),
    queued: Type.Boolean({
      description:
        'Whether a delivery waits and is sent by itself once the reason is gone. With `webhook_paused`, false says that the webhook missed the event and needs a replay.',
    }),
    message: text('The reason in words, and what to do about it.'),
  },
  { description: 'Why the event or the delivery has not arrived, or that it has.' },
);

export const DeliveryWaitView = Type.Object({
  delivery: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Its number; null for one that is not made yet, and for a webhook that missed the event.',
  }),
  state: enumOf(
    ['waiting', 'delivered', 'exhausted', 'dropped', 'missed'],
    'missed: the webhook is subscribed now, and was paused or not subscribed when the event was published.',
  ),
  attempts: Type.Integer({ description: 'How many were made.' }),
  why: WhyView,
});

/** Formats why an event waits. */
export function formatWaits(
  sandbox: Sandbox,
  event: LoggedEvent,
): { why: Static<typeof WhyView>; deliveries: Static<typeof DeliveryWaitView>[] } {
  const { why, deliveries } = waitsOf(sandbox, event);
  return {
    why: formatWhy(why),
    deliveries: deliveries.map(({ seq, state, attempts, why: own }) => ({
      delivery: seq,
      state,
      attempts,
      why: formatWhy(own),
    })),
  };
}

function formatWhy({ reason, until, eventId, webhookId, isQueued, message }: Why): Static<typeof WhyView> {
  return {
    reason,
    until: until === null ? '' : formatInstant(until),
    event_id: eventId,
    webhook_id: webhookId,
    queued: isQueued,
    message,
  };
}
