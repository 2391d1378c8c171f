/**
 * Why an event was not delivered: for each webhook that receives it or would have received it, and in one summary for
 * all of them. The reason is the one that the courier uses (`src/bank/delivery/waiting.ts`).
 */
import { formatEventId, formatWebhookId } from '../../bank/api/events.ts';
import { type WaitReason, whyWaiting } from '../../bank/delivery/waiting.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Webhook } from '../../bank/model/records.ts';
import type { Due } from '../../bank/outbox/queue.ts';
import type { LoggedEvent } from './event-log.ts';
import type { Sandbox } from './sandbox.ts';

export interface Why {
  readonly reason: WaitReason;
  /** On the clock of the sandbox; `null` where no instant is known. */
  readonly until: Instant | null;
  /** The earlier event that this one waits for; `''` for none. */
  readonly eventId: string;
  /** In the format of its version; `''` for no webhook. */
  readonly webhookId: string;
  /** A delivery waits, and is sent automatically once the reason is gone. */
  readonly isQueued: boolean;
  readonly message: string;
}

/** One delivery, or a webhook that missed the event, with a `seq` of `null` and the state `missed`. */
export interface EventWait {
  /** `null` while it has no row, and without a delivery. */
  readonly seq: number | null;
  readonly state: Due['delivery']['state'] | 'missed';
  readonly attempts: number;
  readonly why: Why;
}

/** The order of several reasons: waiting, lost, delivered, missed. */
const RANK: Record<EventWait['state'], number> = {
  waiting: 0,
  exhausted: 1,
  dropped: 1,
  delivered: 2,
  missed: 3,
};

const NOBODY: Why = {
  reason: 'no_webhook',
  until: null,
  eventId: '',
  webhookId: '',
  isQueued: false,
  message: 'no webhook is subscribed to this event',
};

/** Reads why an event waits: the answer for all webhooks, and one for each delivery and for each webhook that missed it. */
export function waitsOf(sandbox: Sandbox, event: LoggedEvent): { why: Why; deliveries: EventWait[] } {
  const deliveries = [...queuedOf(sandbox, event), ...missedOf(sandbox, event)];
  // A resend makes the delivery before it history.
  const last = new Map(deliveries.map((delivery) => [delivery.why.webhookId, delivery]));
  const [first] = [...last.values()].toSorted((a, b) => rankOf(a) - rankOf(b));
  return { why: first?.why ?? NOBODY, deliveries };
}

const rankOf = ({ state, why }: EventWait): number =>
  // A webhook that is active may have been subscribed later.
  state === 'missed' && why.reason === 'no_webhook' ? RANK.missed + 1 : RANK[state];

function queuedOf(sandbox: Sandbox, { fact, version, ordinal }: LoggedEvent): EventWait[] {
  const { queue, courier } = sandbox;
  const isOwn = (delivery: { apiVersion: string; ordinal: number }): boolean =>
    delivery.apiVersion === version && delivery.ordinal === ordinal;
  const made = queue.deliveriesOf([fact.seq]).filter(isOwn);
  const unmade = queue
    .unmadeOf([fact.seq])
    .filter(isOwn)
    .map((delivery) => ({ ...delivery, seq: null, attempts: 0, dueAt: fact.at }));
  return [...made, ...unmade].map((delivery) => {
    const { seq, webhookId, state, attempts } = delivery;
    const webhook = queue.webhook(webhookId);
    const isOver = state !== 'waiting';
    const found = isOver
      ? whyWaiting({ state, webhook: webhook?.status ?? null, now: sandbox.clock.now() })
      : courier?.waitOf(delivery, fact.resourceId);
    const behind = found !== undefined && 'behind' in found ? (found.behind as Due | undefined) : undefined;
    const { reason, until } = found ?? { reason: 'in_flight' as const, until: null };
    const why: Why = {
      reason,
      until,
      eventId: behind === undefined ? '' : formatEventId(version, behind.fact, behind.delivery.ordinal),
      webhookId: formatWebhookId({ id: webhookId, apiVersion: version }),
      isQueued: !isOver && reason !== 'dropped',
      message: '',
    };
    return { seq, state, attempts, why: { ...why, message: messageOf(why, { state, webhook }) } };
  });
}

/**
 * The webhooks that subscribe to the event and have no delivery of it: they were paused when it was published, or not
 * subscribed.
 */
function missedOf(sandbox: Sandbox, { fact, version, kind, ordinal }: LoggedEvent): EventWait[] {
  const { bank, queue, clock } = sandbox;
  const has = new Set<Id>();
  for (const delivery of [...queue.deliveriesOf([fact.seq]), ...queue.unmadeOf([fact.seq])]) {
    if (delivery.apiVersion === version && delivery.ordinal === ordinal) has.add(delivery.webhookId);
  }
  return bank.webhooks
    .list()
    .filter(({ id, apiVersion, status, events, madeAfterFact }) => {
      const isAlive = status === 'active' || status === 'paused';
      return (
        isAlive && apiVersion === version && events.includes(kind) && madeAfterFact < fact.seq && !has.has(id)
      );
    })
    .map((webhook) => {
      const found = whyWaiting({ state: 'none', webhook: webhook.status, now: clock.now() });
      const why: Why = {
        ...NOBODY,
        reason: found?.reason ?? 'no_webhook',
        webhookId: formatWebhookId(webhook),
      };
      return {
        seq: null,
        state: 'missed' as const,
        attempts: 0,
        why: { ...why, message: messageOf(why, { state: 'missed', webhook }) },
      };
    });
}

/** The reason in a sentence, with what to do about it. */
function messageOf(
  { reason, until, eventId, webhookId }: Why,
  { state, webhook }: { state: EventWait['state']; webhook: Webhook | undefined },
): string {
  const at = until === null ? '' : ` until ${new Date(until).toISOString()}`;
  switch (reason) {
    case 'no_webhook':
      return `${webhookId} is subscribed to this event now, but was paused or not subscribed when it was published: replay the webhook to send it`;
    case 'webhook_paused':
      return state === 'missed'
        ? `${webhookId} is paused and missed the event: resume the webhook and replay it`
        : `${webhookId} is paused, and the delivery is queued: resume the webhook to send it`;
    case 'behind_event':
      return `it waits for ${eventId}, an earlier event of the same record`;
    case 'in_flight':
      return `it was sent to ${webhookId}, which has not responded yet`;
    case 'retry_due':
      return `the last attempt failed; the next is due at ${new Date(until ?? 0).toISOString()}`;
    case 'chaos_hold':
      return `delivery chaos delays it${at}`;
    case 'receiver_busy':
      return `the maximum number of requests to ${webhookId} is in flight`;
    case 'commit_failed':
      return `the bank could not write the result of a delivery, and sends nothing${at}`;
    case 'clock_stopped':
      return `the last attempt failed; the next is due at ${new Date(until ?? 0).toISOString()}, and the clock is frozen: advance it`;
    case 'dropped':
      return droppedBecause(webhookId, state, webhook);
    case 'delivered':
      return `${webhookId} accepted it`;
  }
}

function droppedBecause(webhookId: string, state: EventWait['state'], webhook: Webhook | undefined): string {
  if (state === 'exhausted') return `every attempt to deliver it to ${webhookId} failed: resend the event`;
  if (webhook === undefined || webhook.status === 'deleted') return `${webhookId} was deleted`;
  if (webhook.status === 'deactivated') return `${webhookId} is deactivated`;
  return `it was dropped, because too many deliveries to ${webhookId} were pending or this one was pending for too long: resend the event`;
}
