/**
 * Webhooks: their URLs, kinds of events and secrets. A paused webhook keeps its kinds but gets no events; the events
 * stay in the log.
 * Source: decisions `deleted-things`, `delivery-signature`, `delivery-retries`, `inactive-webhook-queue`,
 * `webhook-secret-format`, `webhooks-across-generations`, `webhook-subscriptions` and `webhook-limit` in
 * docs/fidelity.md.
 */
import { step } from '../kernel/machine.ts';
import { found, refuse } from '../kernel/refusal.ts';
import { ALPHANUMERIC, HEX, type Id } from '../kernel/sequence.ts';
import { on } from '../model/conditions.ts';
import { V1_KINDS, V2_KINDS } from '../model/facts.ts';
import { WEBHOOK, WEBHOOK_EVENT_FOR } from '../model/machines.ts';
import type { Webhook } from '../model/records.ts';
import type { WebhookStatus } from '../model/vocabulary.ts';
import type { Page, Window } from '../store/lists.ts';
import type { Dependencies } from './dependencies.ts';
import type { NewWebhook, WebhookChange } from './inputs.ts';
import { statusFor } from './noun.ts';

export interface Webhooks {
  /** Refuses: `url_invalid`, `event_unknown`, `webhooks_full`. */
  create(input: NewWebhook): Webhook;
  /** Refuses: `webhook_not_found`. */
  byId(id: Id): Webhook;
  /** The webhooks that are not deleted, newest first; optionally of one API version. */
  list(apiVersion?: Webhook['apiVersion']): Webhook[];
  /**
   * A page of the webhooks of an API version, newest first; with a status those in it, otherwise those that are not
   * deleted.
   */
  page(apiVersion: Webhook['apiVersion'], status: WebhookStatus | undefined, window: Window): Page<Webhook>;
  /** Pauses, resumes, deactivates, renames. Refuses: `webhook_not_found`, `illegal_step`, `event_unknown`. */
  change(id: Id, change: WebhookChange): Webhook;
  /**
   * Creates a new secret. For `overlapMs` the previous secret also signs; older secrets do not. Refuses:
   * `webhook_not_found`, `webhook_deleted`.
   */
  rotateSecret(id: Id, overlapMs: number): Webhook;
  /** Refuses: `webhook_not_found`. */
  remove(id: Id): Webhook;
}

const KINDS = { v1: new Set(V1_KINDS), v2: new Set(V2_KINDS) };
/** The prefix of the secret of a v1 webhook, and the number of characters after it. */
export const V1_SECRET_PREFIX = 'sk_test_';
export const SECRET_LENGTH = 32;
/** A limit, because every payment is sent to each of them. */
const MAX_WEBHOOKS = 100;

/** The verbs of webhooks. */
export function createWebhooks(dependencies: Dependencies): Webhooks {
  const { store, sequence, secretFor, clock, outbox } = dependencies;

  const byId = (id: Id): Webhook => {
    return found(store.webhooks.byId(id), 'webhook_not_found');
  };

  const keep = (webhook: Webhook): Webhook => {
    store.webhooks.replace(webhook);
    outbox.clearWebhookCache();
    // No more events are sent, so pending deliveries are dropped.
    if (webhook.status === 'deactivated' || webhook.status === 'deleted') outbox.drop(webhook.id);
    return webhook;
  };

  // Each version publishes the format of its secrets.
  const drawSecret = (apiVersion: Webhook['apiVersion']): string =>
    apiVersion === 'v1'
      ? V1_SECRET_PREFIX + secretFor(sequence.text(SECRET_LENGTH, HEX), HEX)
      : secretFor(sequence.text(SECRET_LENGTH, ALPHANUMERIC), ALPHANUMERIC);

  return {
    byId,
    list: (apiVersion) =>
      store.webhooks
        .present()
        .filter((webhook) => apiVersion === undefined || webhook.apiVersion === apiVersion),
    page(apiVersion, status, window) {
      const where = status === undefined ? on('status', { not: 'deleted' }) : on('status', { is: status });
      return store.webhooks.list.page([on('apiVersion', { is: apiVersion }), where], window);
    },

    create(input) {
      requireUrl(input.url);
      requireKinds(input.apiVersion, input.events);
      if (store.webhooks.present().length >= MAX_WEBHOOKS) throw refuse('webhooks_full');
      const now = clock.now();
      const webhook: Webhook = {
        id: sequence.id(now),
        apiVersion: input.apiVersion,
        url: input.url,
        description: input.description ?? '',
        events: input.events,
        secret: drawSecret(input.apiVersion),
        previousSecret: null,
        previousSecretUntil: null,
        madeAfterFact: outbox.latestSeq(),
        status: input.status ?? 'active',
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      };
      store.webhooks.insert(webhook);
      outbox.clearWebhookCache();
      return webhook;
    },

    change(id, change) {
      const present = byId(id);
      const { status, ...plain } = change;
      if (plain.url !== undefined) requireUrl(plain.url);
      if (plain.events !== undefined) requireKinds(present.apiVersion, plain.events);
      if (present.status === 'deleted') throw refuse('webhook_deleted');
      return keep({
        ...present,
        ...plain,
        status: statusFor(WEBHOOK, present.status, WEBHOOK_EVENT_FOR, status),
        updatedAt: clock.now(),
      });
    },

    rotateSecret(id, overlapMs) {
      const present = byId(id);
      if (present.status === 'deleted') throw refuse('webhook_deleted');
      const now = clock.now();
      const overlaps = overlapMs > 0;
      return keep({
        ...present,
        secret: drawSecret(present.apiVersion),
        previousSecret: overlaps ? present.secret : null,
        previousSecretUntil: overlaps ? now + overlapMs : null,
        updatedAt: now,
      });
    },

    remove(id) {
      const present = byId(id);
      if (present.status === 'deleted') throw refuse('webhook_not_found');
      const now = clock.now();
      return keep({
        ...present,
        status: step(WEBHOOK, present.status, 'delete'),
        updatedAt: now,
        deletedAt: now,
      });
    },
  };
}

/** Refuses: `url_invalid`. */
export function requireUrl(text: string): void {
  // The URL parser removes line breaks and tabs, so the stored text would differ from the called URL.
  if (/\p{Cc}/u.test(text)) {
    throw refuse('url_invalid', {
      field: 'url',
      message: 'url contains a control character, like a line break or a tab: remove it',
    });
  }
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return;
  throw refuse('url_invalid', { field: 'url' });
}

function requireKinds(apiVersion: Webhook['apiVersion'], kinds: readonly string[]): void {
  const unknown = kinds.find((kind) => !KINDS[apiVersion].has(kind));
  if (unknown === undefined) return;
  throw refuse('event_unknown', {
    field: 'events',
    message: `"${unknown}" is not an event kind of ${apiVersion}; GET /${apiVersion}/webhook/events lists them`,
  });
}
