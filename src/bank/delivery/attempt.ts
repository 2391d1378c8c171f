/**
 * One delivery attempt: puts the event into its envelope, signs it with the current secrets of its webhook, sends it
 * and returns the result; a failure is a result too. It records nothing. This module applies the effects of chaos.
 */
import { type Clock, HOUR_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Fact } from '../model/facts.ts';
import type { Webhook } from '../model/records.ts';
import type { Due } from '../outbox/queue.ts';
import type { ChaosEffects, ChaosKind } from './chaos.ts';
import { isReceiverUrl, type Receiver } from './receiver.ts';
import type { Send, SendResult } from './sender.ts';
import { signatureHeaders } from './signature.ts';

/** One event as its receiver gets it; `id` is the same for every attempt. */
export interface Envelope {
  id: string;
  body: string;
}

/** The result of one attempt. */
export interface Attempt {
  /** `""` if the envelope could not be made. */
  eventId: string;
  at: Instant;
  respondedAt: Instant;
  result: SendResult;
  /** If nothing was sent: the delay until the delivery is attempted. Otherwise `null`. */
  delayMs: number | null;
}

export interface AttemptDeps {
  send: Send;
  /** The built-in receiver of the sandbox, which keeps its deliveries. */
  receiver?: Receiver;
  /** A pure function of its arguments. `ordinal` is the place of the kind among the fact's kinds of that version. */
  render(fact: Fact, kind: string, ordinal: number, webhook: Webhook): Envelope;
  /** The sandbox's clock: for the time of attempts, due retries and overlapping secrets. */
  clock: Clock;
  /** The real clock: for the time in signatures. */
  wallClock: Clock;
}

export interface Attempts {
  /** Builds the envelope and sends it; an error is a result. `effects` are those of chaos, if any. */
  make(
    due: Due,
    webhook: Webhook,
    options?: { effects?: ChaosEffects | undefined; orderingKey?: string | undefined },
  ): Promise<Attempt>;
  /** Sends an example, marked as one. */
  sendExample(envelope: Envelope, webhook: Webhook): Promise<SendResult>;
  /** The number of requests without a response. */
  inFlight(): number;
}

const EXAMPLE_HEADER = { 'x-sandbox-example': 'true' };
/** How old a stale timestamp is. Receivers accept signatures of the last five minutes. */
const STALE_MS = HOUR_MS;
const OK = 200;

/** The attempts of one sandbox. */
export function createAttempts({ send, receiver, render, clock, wallClock }: AttemptDeps): Attempts {
  let inFlight = 0;

  const sendRequest = (
    { id, body }: Envelope,
    webhook: Webhook,
    kinds: readonly ChaosKind[],
    { more, orderingKey }: { more?: Record<string, string>; orderingKey?: string | undefined } = {},
  ): Promise<SendResult> => {
    const at = clock.now();
    const wallNow = wallClock.now();
    const secrets = secretsOf(webhook, at);
    const signedAt = wallNow - (kinds.includes('stale_timestamp') ? STALE_MS : 0);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'sandbank',
      ...signatureHeaders({
        // The signature has the right form, but was made with another secret.
        secret: kinds.includes('bad_signature') ? `not ${webhook.secret}` : secrets,
        id,
        timestampSeconds: Math.floor(signedAt / SECOND_MS),
        body,
      }),
      ...more,
    };
    if (receiver !== undefined && isReceiverUrl(webhook.url)) {
      return Promise.resolve(receiver.take({ headers, body }, { webhook, secrets, at, wallNow }));
    }
    return send({ url: webhook.url, headers, body, ...(orderingKey !== undefined && { orderingKey }) });
  };

  const sendWithEffects = async (
    envelope: Envelope,
    webhook: Webhook,
    { kinds, delayMs }: ChaosEffects,
  ): Promise<SendResult> => {
    if (kinds.includes('drop')) return unsent(OK);
    if (delayMs !== null) return unsent(null);
    const result = await sendRequest(envelope, webhook, kinds);
    if (kinds.includes('duplicate')) await sendRequest(envelope, webhook, kinds);
    return result;
  };

  return {
    async make({ delivery, fact }, webhook, { effects, orderingKey } = {}) {
      const at = clock.now();
      let eventId = '';
      let result: SendResult;
      inFlight += 1;
      try {
        const envelope = render(fact, delivery.kind, delivery.ordinal, webhook);
        eventId = envelope.id;
        result = await (effects === undefined
          ? sendRequest(envelope, webhook, [], { orderingKey })
          : sendWithEffects(envelope, webhook, effects));
      } catch (error) {
        result = failed(error);
      }
      inFlight -= 1;
      return {
        eventId,
        at,
        respondedAt: clock.now(),
        result: effects === undefined ? result : withNote(result, effects.kinds),
        delayMs: effects?.delayMs ?? null,
      };
    },
    async sendExample(envelope, webhook) {
      inFlight += 1;
      try {
        return await sendRequest(envelope, webhook, [], { more: EXAMPLE_HEADER });
      } catch (error) {
        return failed(error);
      } finally {
        inFlight -= 1;
      }
    },
    inFlight: () => inFlight,
  };
}

/** The secrets that sign a webhook's events at an instant: the newest, and during a rotation also the previous one. */
export function secretsOf(
  { secret, previousSecret, previousSecretUntil }: Webhook,
  at: Instant,
): [string, ...string[]] {
  const overlaps = previousSecretUntil !== null && at < previousSecretUntil;
  return previousSecret !== null && overlaps ? [secret, previousSecret] : [secret];
}

function unsent(status: number | null): SendResult {
  return { status, durationMs: 0, error: '', retryAfter: null };
}

function failed(error: unknown): SendResult {
  return { ...unsent(null), error: error instanceof Error ? error.message : String(error) };
}

/** Adds the effects of chaos to the recorded error, so that the list of attempts shows them. */
function withNote(result: SendResult, kinds: readonly ChaosKind[]): SendResult {
  if (kinds.length === 0) return result;
  const note = `chaos: ${kinds.join(', ')}`;
  return { ...result, error: result.error === '' ? note : `${result.error} (${note})` };
}
