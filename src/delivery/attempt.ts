/**
 * One attempt to deliver: the event is rendered, signed with the secrets that its webhook has at that moment, sent, and
 * what came of it is said, whatever happens. Nothing is recorded here and nothing is decided, except that what chaos
 * decided is carried out.
 */
import { type Clock, HOUR_MS, type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Fact } from '../model/facts.ts';
import type { Webhook } from '../model/records.ts';
import type { Due } from '../outbox/queue.ts';
import type { ChaosEffects, ChaosKind } from './chaos.ts';
import type { Outcome, Send } from './sender.ts';
import { signatureHeaders } from './signature.ts';

/** One event as its receiver gets it: `id` is the same at every attempt. */
export interface Rendered {
  id: string;
  body: string;
}

/** What one attempt came to. */
export interface Attempt {
  /** `""` if the event could not be rendered. */
  eventId: string;
  at: Instant;
  answeredAt: Instant;
  outcome: Outcome;
  /** Set when nothing was sent and the delivery is to be attempted so much later. */
  delayMs: number | null;
}

export interface AttemptDeps {
  send: Send;
  /** A pure function of its arguments. `ordinal` is the place of the kind among the fact's kinds of that version. */
  render(fact: Fact, kind: string, ordinal: number, webhook: Webhook): Rendered;
  /** The sandbox's: attempts are dated, retries are due and rotations overlap on it. */
  clock: Clock;
  /** The real one: signatures carry its time. */
  wallClock: Clock;
}

export interface Attempts {
  /** Renders and sends; what goes wrong is the outcome. `effects` is what chaos has decided, if it has. */
  make(
    due: Due,
    webhook: Webhook,
    options?: { effects?: ChaosEffects | undefined; chain?: string | undefined },
  ): Promise<Attempt>;
  /** Sends an example, marked as one. */
  sendExample(rendered: Rendered, webhook: Webhook): Promise<Outcome>;
  /** How many requests are without an answer. */
  inFlight(): number;
}

const EXAMPLE_HEADER = { 'x-sandbox-example': 'true' };
/** Receivers allow five minutes. */
const STALE_MS = HOUR_MS;
const OK = 200;

/** The attempts of one sandbox. */
export function createAttempts({ send, render, clock, wallClock }: AttemptDeps): Attempts {
  let inFlight = 0;

  const post = (
    { id, body }: Rendered,
    webhook: Webhook,
    kinds: readonly ChaosKind[],
    { more, chain }: { more?: Record<string, string>; chain?: string | undefined } = {},
  ): Promise<Outcome> => {
    const signedAt = wallClock.now() - (kinds.includes('stale_timestamp') ? STALE_MS : 0);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'sandbank',
      ...signatureHeaders({
        // Well formed, and another's.
        secret: kinds.includes('bad_signature') ? `not ${webhook.secret}` : secretsOf(webhook, clock.now()),
        id,
        timestampSeconds: Math.floor(signedAt / SECOND_MS),
        body,
      }),
      ...more,
    };
    return send({ url: webhook.url, headers, body, ...(chain !== undefined && { chain }) });
  };

  const sendWithEffects = async (
    rendered: Rendered,
    webhook: Webhook,
    { kinds, delayMs }: ChaosEffects,
  ): Promise<Outcome> => {
    if (kinds.includes('drop')) return unsent(OK);
    if (delayMs !== null) return unsent(null);
    const outcome = await post(rendered, webhook, kinds);
    if (kinds.includes('duplicate')) await post(rendered, webhook, kinds);
    return outcome;
  };

  return {
    async make({ delivery, fact }, webhook, { effects, chain } = {}) {
      const at = clock.now();
      let eventId = '';
      let outcome: Outcome;
      inFlight += 1;
      try {
        const rendered = render(fact, delivery.kind, delivery.ordinal, webhook);
        eventId = rendered.id;
        outcome = await (effects === undefined
          ? post(rendered, webhook, [], { chain })
          : sendWithEffects(rendered, webhook, effects));
      } catch (error) {
        outcome = failed(error);
      }
      inFlight -= 1;
      return {
        eventId,
        at,
        answeredAt: clock.now(),
        outcome: effects === undefined ? outcome : withNote(outcome, effects.kinds),
        delayMs: effects?.delayMs ?? null,
      };
    },
    async sendExample(rendered, webhook) {
      inFlight += 1;
      try {
        return await post(rendered, webhook, [], { more: EXAMPLE_HEADER });
      } catch (error) {
        return failed(error);
      } finally {
        inFlight -= 1;
      }
    },
    inFlight: () => inFlight,
  };
}

/** What signs at an instant: the newest secret, and while a rotation overlaps the one before it. */
export function secretsOf(
  { secret, previousSecret, previousSecretUntil }: Webhook,
  at: Instant,
): [string, ...string[]] {
  const overlaps = previousSecretUntil !== null && at < previousSecretUntil;
  return previousSecret !== null && overlaps ? [secret, previousSecret] : [secret];
}

function unsent(status: number | null): Outcome {
  return { status, durationMs: 0, error: '', retryAfter: null };
}

function failed(error: unknown): Outcome {
  return { ...unsent(null), error: error instanceof Error ? error.message : String(error) };
}

/** Whoever looks at the attempts must not be deceived as the receiver is. */
function withNote(outcome: Outcome, kinds: readonly ChaosKind[]): Outcome {
  if (kinds.length === 0) return outcome;
  const note = `chaos: ${kinds.join(', ')}`;
  return { ...outcome, error: outcome.error === '' ? note : `${outcome.error} (${note})` };
}
