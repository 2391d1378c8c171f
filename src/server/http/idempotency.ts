/**
 * Idempotency keys: a command runs once per key, in one commit with the stored response. A repeated request gets the
 * stored response.
 * Source: decisions `idempotency-keys` and `idempotency-kept-answers` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Published } from '../../bank/outbox/outbox.ts';
import { IDEMPOTENCY_MS, type StoredAnswer } from '../../bank/store/store.ts';
import type { Instance } from '../../sandboxes/sandbox/instance.ts';
import type { Answer } from './answers.ts';
import { type Api, callOf } from './api-versions.ts';
import type { Served } from './served.ts';

/** v1's page repeats the stored answer for any request with the key. */
const OTHER_REQUEST_HINT =
  'this idempotency key was used for another request; the stored answer is returned, and this request was not executed';

const LONGEST_KEY = 255;
const nothing = (): void => undefined;

/** The parts of a bank that the keys need. */
type Keyed = Pick<Instance, 'bank' | 'clock' | 'outbox' | 'store'>;

export interface Idempotency {
  /** The key of a request; `''` for none. */
  keyOf(request: FastifyRequest): string;
  /**
   * Reserves the key of a request until it is answered; returns the function that frees it. Refuses:
   * `idempotency_key_in_use`, and in v2 `idempotency_key_too_long`.
   */
  reserve(request: FastifyRequest): () => void;
  /** Whether an answer is stored under the key. */
  isStored(opened: Keyed, key: string): boolean;
  /**
   * Calls `make` once per idempotency key and stores its response, or the response of a fault after the commit. A
   * repeated request gets the stored response. Runs in a commit.
   */
  once(opened: Keyed, request: FastifyRequest, key: string, make: () => Answer): Answer;
  /**
   * Stores a response that did not come from an operation under the request's key, unless one is already stored.
   * Returns the stored response.
   */
  store(request: FastifyRequest, answer: Answer): Promise<Answer>;
}

export interface IdempotencyOptions {
  readonly version: Api;
  readonly views: Served['views'];
  /** The response of a fault that is stored instead of the operation's. */
  faultAnswer(request: FastifyRequest): Answer | undefined;
  refused(refusal: Refusal, request: FastifyRequest): Answer;
}

export function createIdempotency({ version, views, faultAnswer, refused }: IdempotencyOptions): Idempotency {
  const inUse = new WeakMap<object, Set<string>>();

  const keyOf = (request: FastifyRequest): string => {
    if (request.method !== 'POST' && request.method !== 'PATCH') return '';
    const key = request.headers[version.idempotencyHeader];
    // The two versions have different response shapes, so neither repeats a response of the other.
    return typeof key === 'string' && key !== '' ? `${version.name}:${key}` : '';
  };

  const find = ({ store }: Keyed, key: string, now: Instant) => store.answers.find(key, now - IDEMPOTENCY_MS);

  const bodyOf = ({ outbox, bank }: Keyed, { body, factSeq, view }: StoredAnswer): string => {
    if (view === '') return body;
    const shown = views[view];
    const fact = outbox.fact(factSeq ?? 0);
    if (shown === undefined || fact === undefined) {
      throw refuse('failure', {
        message: `an idempotency key has an answer that ${version.name} cannot show`,
      });
    }
    return JSON.stringify(shown.format(fact.record, { program: bank.program }));
  };

  /**
   * The stored form of a response: its text, or the fact whose record it shows. It must be the same object, because a
   * record that was read or made in another way can differ.
   */
  const contentOf = (
    { body, shown }: Answer,
    published: readonly Published[],
  ): Pick<StoredAnswer, 'body' | 'factSeq' | 'view'> => {
    // A path of v2 may serve an operation of v1.
    if (shown !== undefined && views[shown.view.name] === shown.view) {
      const fact = published.find(({ record }) => record === shown.record);
      if (fact !== undefined) return { body: '', factSeq: fact.seq, view: shown.view.name };
    }
    return { body, factSeq: null, view: '' };
  };

  const once: Idempotency['once'] = (opened, request, key, make) => {
    if (key === '') return make();
    const now = opened.clock.now();
    const stored = find(opened, key, now);
    const fingerprint = fingerprintOf(request);
    if (stored !== undefined && stored.fingerprint !== fingerprint && version.name === 'v2') {
      return refused(refuse('idempotency_key_reused'), request);
    }
    if (stored !== undefined) {
      const hint = stored.fingerprint === fingerprint ? '' : OTHER_REQUEST_HINT;
      return { status: stored.status, body: bodyOf(opened, stored), hint, replayed: true };
    }
    const { result, published } = opened.outbox.collect(make);
    const answer = faultAnswer(request) ?? result;
    const { status } = answer;
    const { body, factSeq, view } = contentOf(answer, published);
    opened.store.answers.keep({ key, fingerprint, status, body, createdAt: now, factSeq, view });
    return answer;
  };

  return {
    keyOf,
    reserve(request) {
      const key = keyOf(request);
      if (key === '') return nothing;
      if (version.name === 'v2' && key.length > 'v2:'.length + LONGEST_KEY)
        throw refuse('idempotency_key_too_long');
      const { sandbox } = callOf(request);
      const keys = inUse.get(sandbox) ?? new Set();
      if (keys.has(key)) throw refuse('idempotency_key_in_use');
      inUse.set(sandbox, keys.add(key));
      return () => void keys.delete(key);
    },
    isStored: (opened, key) => key !== '' && find(opened, key, opened.clock.now()) !== undefined,
    once,
    async store(request, answer) {
      const { sandbox, bank } = callOf(request);
      const key = keyOf(request);
      // The request was sent to a bank that has been replaced; the new bank did not execute it.
      if (key === '' || bank !== sandbox.bankNumber) return answer;
      return sandbox.commit(() => once(sandbox, request, key, () => answer));
    },
  };
}

function fingerprintOf({ method, url, rawBody }: FastifyRequest): string {
  return hash('sha1', `${method} ${url}\n${compact(rawBody)}`);
}

/** JSON without the spaces between its parts, which a program may write differently when it repeats a request. */
function compact(body: string): string {
  if (!body.startsWith('{') || !/\s/.test(body)) return body;
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}
