/**
 * Repeated deliveries: an event that is sent again, and events that a webhook missed because it was paused or its
 * receiver was unavailable for too long. Each is a new delivery, queued after the webhook's existing ones, with the
 * event's original id and a new signature.
 */
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Webhook } from '../../bank/model/records.ts';
import { isDatabaseFailure } from '../../bank/store/open.ts';
import { eventsOf, isAfter, type LoggedEvent, positionOf } from './event-log.ts';
import type { Sandbox } from './sandbox.ts';

/** A replay that could not be finished: events that it queued stay queued. */
export interface Replayed {
  queued: number;
  /** Why it ended early; `''` if it is complete. */
  problem: string;
}

/** A delivery that was queued. */
export interface Queued {
  seq: number;
  webhook: Webhook;
}

/** The start or end of a replay: at an event, which `since` excludes and `until` includes, or at an instant. */
export type Bound = { event: LoggedEvent } | { at: Instant };

/** How many facts are read in one commit. */
const STRETCH = 2_000;

/**
 * Queues an event again, inside a command: for the active webhooks of its version that subscribe to its kind, or for
 * the named webhook, subscribed or not. Refuses: `webhook_not_found`, `webhook_not_active`, `field_invalid` for one
 * of the other version.
 */
export function resend(sandbox: Sandbox, event: LoggedEvent, webhookId?: Id): Queued[] {
  const webhooks =
    webhookId === undefined ? subscribersOf(sandbox, event) : [named(sandbox, event, webhookId)];
  return webhooks.map((webhook) => ({ seq: queue(sandbox, event, webhook.id), webhook }));
}

/**
 * Queues, in order, the events that a webhook subscribes to and never received; events that are still queued for it are
 * not queued twice. Without `since` it starts after the creation of the webhook. It commits in slices: a failure after
 * the first commit ends it there, and the result has the reason. Refuses: `webhook_not_active`.
 */
export async function replay(
  sandbox: Sandbox,
  webhook: Webhook,
  { since, until }: { since?: Bound | undefined; until?: Bound | undefined },
): Promise<Replayed> {
  const { outbox } = sandbox;
  requireAlive(webhook);
  let after = since === undefined ? webhook.madeAfterFact : 'event' in since ? since.event.fact.seq - 1 : 0;
  const last = until !== undefined && 'event' in until ? until.event.fact.seq : outbox.latestSeq();
  let queued = 0;
  // A replaced bank has its own log.
  while (after < last && sandbox.outbox === outbox) {
    const upTo = Math.min(last, after + STRETCH);
    const stretch = { after, upTo };
    try {
      queued += await sandbox.commit(() => queueMissed(sandbox, webhook.id, stretch, since, until));
    } catch (error) {
      if (queued === 0 || !isDatabaseFailure(error)) throw error;
      return { queued, problem: (error as Error).message };
    }
    after = upTo;
  }
  return { queued, problem: '' };
}

/** How many are queued in one call, which is one commit. */
export const RESENT_AT_ONCE = 10_000;

/**
 * Sends again every delivery that a webhook did not accept, inside a command: queues exhausted and dropped deliveries,
 * and makes waiting retries due now. Refuses: `webhook_not_active`.
 */
export function resendFailed(sandbox: Sandbox, webhook: Webhook): { queued: number; retried: number } {
  requireAlive(webhook);
  const now = sandbox.clock.now();
  const { queue } = sandbox;
  const retried = queue.retryNow(webhook.id, now);
  const failed = queue.givenUp(webhook.id, RESENT_AT_ONCE);
  for (const { webhookId, factSeq, kind, ordinal } of failed) {
    queue.add({ webhookId, factSeq, kind, ordinal, dueAt: now });
  }
  return { queued: failed.length, retried };
}

function queueMissed(
  sandbox: Sandbox,
  webhookId: Id,
  { after, upTo }: { after: number; upTo: number },
  since: Bound | undefined,
  until: Bound | undefined,
): number {
  const webhook = sandbox.bank.webhooks.byId(webhookId);
  requireAlive(webhook);
  const kinds = new Set(webhook.events);
  const alreadyQueued = new Set(sandbox.queue.queuedFor(webhookId, after, upTo).map(placeOf));
  const missed = sandbox.outbox
    .factsIn(
      { after, upTo, newestFirst: false, limit: upTo - after },
      {
        version: webhook.apiVersion,
        from: since !== undefined && 'at' in since ? since.at : undefined,
        until: until !== undefined && 'at' in until ? until.at : undefined,
      },
    )
    .flatMap(eventsOf)
    .filter(
      (event) =>
        event.version === webhook.apiVersion &&
        kinds.has(event.kind) &&
        (since === undefined || 'at' in since || isAfter(event, positionOf(since.event))) &&
        (until === undefined || 'at' in until || !isAfter(event, positionOf(until.event))) &&
        !alreadyQueued.has(placeOf({ factSeq: event.fact.seq, ordinal: event.ordinal })),
    );
  for (const event of missed) queue(sandbox, event, webhookId);
  return missed.length;
}

const placeOf = ({ factSeq, ordinal }: { factSeq: number; ordinal: number }): string =>
  `${factSeq}/${ordinal}`;

function queue({ queue, clock }: Sandbox, { fact, kind, ordinal }: LoggedEvent, webhookId: Id): number {
  return queue.add({ webhookId, factSeq: fact.seq, kind, ordinal, dueAt: clock.now() });
}

function subscribersOf({ bank }: Sandbox, { version, kind }: LoggedEvent): Webhook[] {
  const webhooks = bank.webhooks
    .list()
    .filter(
      ({ apiVersion, status, events }) =>
        apiVersion === version && status === 'active' && events.includes(kind),
    );
  if (webhooks.length === 0) {
    throw refuse('webhook_not_active', {
      message: `no active webhook of ${version} subscribes to ${kind}: create or activate one, or name any webhook in webhook_id`,
    });
  }
  return webhooks.reverse();
}

function named({ bank }: Sandbox, { version }: LoggedEvent, webhookId: Id): Webhook {
  const webhook = bank.webhooks.byId(webhookId);
  requireAlive(webhook);
  if (webhook.apiVersion !== version) {
    throw refuse('field_invalid', {
      field: 'webhook_id',
      message: `the event is of ${version} and the webhook of ${webhook.apiVersion}`,
    });
  }
  return webhook;
}

/** A paused webhook keeps its queue until it is resumed; other inactive webhooks would drop it. */
function requireAlive({ status }: Webhook): void {
  if (status === 'deleted') throw refuse('webhook_not_found');
  if (status === 'deactivated') throw refuse('webhook_not_active');
}
