/**
 * Idempotency keys: a command runs once for a key, in one commit with the answer that is stored under it, and a repetition
 * gets that answer.
 * Source: decisions `idempotency-keys` and `idempotency-kept-answers` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { IDEMPOTENCY_MS } from '../store/store.ts';
import type { Answer } from './answers.ts';
import { type Api, callOf } from './api-versions.ts';

const OTHER_REQUEST_HINT =
  'this idempotency key was used for another request; the stored answer is returned, and this request was not executed';

export interface Idempotency {
  /** The key of a request; `''` for none. */
  keyOf(request: FastifyRequest): string;
  /** Whether an answer is stored under the key. */
  isStored(sandbox: Sandbox, key: string): boolean;
  /**
   * Calls `make` once for an idempotency key and stores its answer, or that of a fault after the commit; a repetition
   * gets the stored answer. Runs in a commit.
   */
  once(sandbox: Sandbox, request: FastifyRequest, key: string, make: () => Answer): Answer;
  /** Stores an answer that no operation gave under the request's key; an answer that is stored already wins. */
  store(request: FastifyRequest, answer: Answer): Promise<Answer>;
}

/** `faultAnswer` is the answer of a fault that is stored in place of the operation's. */
export function createIdempotency(
  version: Api,
  faultAnswer: (request: FastifyRequest) => Answer | undefined,
): Idempotency {
  const keyOf = (request: FastifyRequest): string => {
    if (request.method !== 'POST' && request.method !== 'PATCH') return '';
    const key = request.headers[version.idempotencyHeader];
    // The two versions answer in different shapes, so neither replays an answer of the other.
    return typeof key === 'string' && key !== '' ? `${version.name}:${key}` : '';
  };

  const find = (sandbox: Sandbox, key: string, now = sandbox.clock.now()) =>
    sandbox.store.answers.find(key, now - IDEMPOTENCY_MS);

  const once: Idempotency['once'] = (sandbox, request, key, make) => {
    if (key === '') return make();
    const now = sandbox.clock.now();
    const stored = find(sandbox, key, now);
    const fingerprint = fingerprintOf(request);
    if (stored !== undefined) {
      const { status, body } = stored;
      const hint = stored.fingerprint === fingerprint ? '' : OTHER_REQUEST_HINT;
      return { status, body, hint, replayed: true };
    }
    const made = make();
    const answer = faultAnswer(request) ?? made;
    const { status, body } = answer;
    sandbox.store.answers.keep({ key, fingerprint, status, body, createdAt: now });
    return answer;
  };

  return {
    keyOf,
    isStored: (sandbox, key) => key !== '' && find(sandbox, key) !== undefined,
    once,
    async store(request, answer) {
      const { sandbox, bank } = callOf(request);
      const key = keyOf(request);
      // The request was made to the bank before an exchange, and the new one never saw it.
      if (key === '' || bank !== sandbox.banksBefore) return answer;
      return sandbox.commit(() => once(sandbox, request, key, () => answer));
    },
  };
}

function fingerprintOf(request: FastifyRequest): string {
  return hash('sha1', `${request.method} ${request.url}\n${request.rawBody}`);
}
