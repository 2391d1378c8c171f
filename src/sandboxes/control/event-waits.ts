/**
 * Why an event was not delivered, in the control plane: one reason for the event, and one for each of its deliveries.
 */
import { type Static, Type } from '@sinclair/typebox';
import { WAIT_REASONS } from '../../bank/delivery/waiting.ts';
import type { LoggedEvent } from '../sandbox/event-log.ts';
import { type Why, waitsOf } from '../sandbox/event-waits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { formatInstant } from './clock.ts';
import { enumOf, text } from './fields.ts';

const WaitReason = enumOf(
  WAIT_REASONS,
  'no_webhook: no webhook is subscribed. webhook_paused: queued or missed, see `queued`. behind_event: an earlier event of the same record has no response yet. in_flight: sent, no response yet. retry_due: an attempt failed, the next is scheduled. chaos_hold: delivery chaos delays or reorders it. receiver_busy: the maximum number of requests is in flight. commit_failed: a result could not be written, so sending pauses. clock_stopped: a retry is scheduled and the clock is frozen. dropped: not sent any more. delivered: accepted.',
);

export const WhyView = Type.Object(
  {
    reason: WaitReason,
    until: text('When the reason ends on the clock of the sandbox, ISO 8601 in UTC; "" if unknown.'),
    event_id: text('With `behind_event` the earlier event; "" otherwise.'),
    webhook_id: text('The webhook, in the format of its version; "" for none.'),
    queued: Type.Boolean({
      description:
        'Whether a delivery is pending and will be sent once the reason has ended. With `webhook_paused`, false means that the webhook missed the event and needs a replay.',
    }),
    message: text('The reason in a sentence, and what to do.'),
  },
  { description: 'Why the event or the delivery has not arrived, or that it has arrived.' },
);

export const DeliveryWaitView = Type.Object({
  delivery: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Number of the delivery; null if it is not created yet, and for a webhook that missed the event.',
  }),
  state: enumOf(
    ['waiting', 'delivered', 'exhausted', 'dropped', 'missed'],
    'missed: the webhook is subscribed now, but was paused or not subscribed when the event was published.',
  ),
  attempts: Type.Integer({ description: 'Number of attempts so far.' }),
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
