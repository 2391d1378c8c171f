/**
 * The two API versions as data: their headers, how they format a refusal, and the person on whose behalf a v1 call is
 * made. Their operations are in a separate file (`served.ts`), which is loaded at the first request.
 * Source: decisions `person-header` and `v2-vault-paths` in docs/fidelity.md.
 */
import type { FastifyRequest } from 'fastify';
import { formatV1, formatV2, tryParseId } from '../../bank/api/ids.ts';
import { formatRefusal, resourceOf } from '../../bank/api/v1/errors.ts';
import { formatRefusal as formatRefusalV2 } from '../../bank/api/v2/errors.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { FaultHit } from '../../sandboxes/sandbox/faults.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';

/** The properties of the call that a refusal contains. */
export interface RefusedCall {
  requestId: Id;
  sandbox: Sandbox | null;
  method: string;
  /** The path of the operation, or the URL of the call if it reaches no operation. */
  path: string;
  now: Instant;
}

export interface Api {
  readonly name: 'v1' | 'v2';
  readonly prefix: string;
  readonly keyHeader: string;
  readonly idempotencyHeader: string;
  formatRequestId(id: Id): string;
  formatRefusal(refusal: Refusal, call: RefusedCall): { status: number; body: object };
  /** The person on whose behalf the call is made; `''` for none. Refuses: `person_header_missing`, `holder_not_found`. */
  parsePerson(sandbox: Sandbox, request: FastifyRequest, path: string): Id | '';
}

/** The state of a request while it is handled. */
export interface Call {
  sandbox: Sandbox;
  requestId: Id;
  /** The call comes from an observer and has no side effects. */
  isObserver: boolean;
  at: Instant;
  /** The fault that applies to it. */
  faultHit: FaultHit | null;
  /** The range of facts that it wrote, and the bank of the sandbox in which it wrote them. */
  factsBefore: number;
  factsAfter: number;
  bank: number;
}

/** Refuses: `key_missing`. */
export function callOf({ call }: FastifyRequest): Call {
  if (call === null) throw refuse('key_missing');
  return call;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | null;
    /** The body as text, to compare requests with the same idempotency key. */
    rawBody: string;
    operationId: string;
  }
  interface FastifyContextConfig {
    operationId?: string;
    tokenHeader?: string;
  }
}

const PERSON_HEADER = 'sd-person-id';

/** Version 1; `strictPersonHeader` refuses a call without a person, as the platform's reference says. */
export function createV1({ strictPersonHeader }: { strictPersonHeader: boolean }): Api {
  return {
    name: 'v1',
    prefix: '/v1',
    keyHeader: 'sd-api-key',
    idempotencyHeader: 'sd-idempotency-key',
    formatRequestId: (id) => formatV1('request', id),
    formatRefusal: (refusal, { requestId, sandbox, method, path, now }) =>
      formatRefusal(refusal, {
        requestId,
        programId: sandbox?.program.programId ?? '',
        method,
        now,
        resource: resourceOf(path),
      }),
    parsePerson(sandbox, request, path) {
      const header = request.headers[PERSON_HEADER];
      if (typeof header !== 'string' || header === '') {
        const exempt =
          /^\/v1\/(webhook|auth)(\/|$)/.test(path) || (path === '/v1/person' && request.method === 'POST');
        if (strictPersonHeader && !exempt) throw refuse('person_header_missing');
        return '';
      }
      const id = tryParseId('person', header);
      if (id === undefined || sandbox.store.holders.byId(id)?.type !== 'person') {
        throw refuse('holder_not_found', { field: PERSON_HEADER });
      }
      return id;
    },
  };
}

/** The v2 paths that serve v1 operations, and whose refusals use v1's names of fields. */
const V1_ERROR_PATHS = /^\/v2\/(card|contact)\//;

export const V2: Api = {
  name: 'v2',
  prefix: '/v2',
  keyHeader: 'api-key',
  idempotencyHeader: 'idempotency-key',
  formatRequestId: (id) => formatV2('request', id),
  formatRefusal: (refusal, { requestId, sandbox, method, path, now }) =>
    formatRefusalV2(refusal, {
      requestId,
      clientId: sandbox?.program.clientId ?? '',
      method,
      now,
      isInV1Words: V1_ERROR_PATHS.test(path),
    }),
  parsePerson: () => '',
};
