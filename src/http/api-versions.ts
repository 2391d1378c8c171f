/**
 * The v1 interface as the server needs to know it: its headers, its operations, how it spells a refusal, and the person
 * on whose behalf a call is made.
 * Source: decision `person-header` in docs/fidelity.md. [[http/v2/dialect.ts]] The v2 interface as the server needs to
 * know it: its headers, its operations, and how it spells a refusal.
 * Source: decision `v2-vault-paths` in docs/fidelity.md for the paths in v1's words.
 */

import type { FastifyRequest } from 'fastify';
import { formatV1, formatV2, tryParseId } from '../api/ids.ts';
import type { AnyOperation } from '../api/operation.ts';
import { DOCUMENTED } from '../api/v1/documented.ts';
import { formatRefusal, resourceOf } from '../api/v1/errors.ts';
import { V1_OPERATIONS } from '../api/v1/index.ts';
import { formatRefusal as spellRefusalV2 } from '../api/v2/errors.ts';
import { V2_OPERATIONS } from '../api/v2/index.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Strike } from '../sandboxes/faults.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** An operation that the platform documents and that is not served here. */
interface Documented {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** What a refusal's answer tells of the call. */
export interface RefusedCall {
  requestId: Id;
  sandbox: Sandbox | null;
  method: string;
  /** The path of the operation, or as it was called when there is none. */
  path: string;
  now: Instant;
}

export interface Dialect {
  readonly name: 'v1' | 'v2';
  readonly prefix: string;
  readonly keyHeader: string;
  readonly idempotencyHeader: string;
  readonly operations: readonly AnyOperation[];
  readonly notEmulated: readonly Documented[];
  spellRequestId(id: Id): string;
  spellRefusal(refusal: Refusal, call: RefusedCall): { status: number; body: object };
  /** The person on whose behalf the call is made. Refuses when the header names nobody. */
  readPerson(sandbox: Sandbox, request: FastifyRequest, path: string): Id | '';
}

/** What a request carries through its life. */
export interface Call {
  sandbox: Sandbox;
  requestId: Id;
  at: Instant;
  /** The fault that it meets. */
  strike: Strike | null;
  /** Which facts it wrote, and of which of the sandbox's banks. */
  factsBefore: number;
  factsAfter: number;
  bank: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | null;
    /** The body as it was sent, to recognise the same request under the same idempotency key. */
    rawBody: string;
    operationId: string;
  }
  interface FastifyContextConfig {
    operationId?: string;
    tokenHeader?: string;
  }
}

const PERSON_HEADER = 'sd-person-id';

/** The v1 dialect; `strictPersonHeader` refuses a call that names nobody, as the platform is said to. */
export function createV1({ strictPersonHeader }: { strictPersonHeader: boolean }): Dialect {
  return {
    name: 'v1',
    prefix: '/v1',
    keyHeader: 'sd-api-key',
    idempotencyHeader: 'sd-idempotency-key',
    operations: V1_OPERATIONS,
    notEmulated: DOCUMENTED,
    spellRequestId: (id) => formatV1('request', id),
    spellRefusal: (refusal, { requestId, sandbox, method, path, now }) =>
      formatRefusal(refusal, {
        requestId,
        programId: sandbox?.program.programId ?? '',
        method,
        now,
        resource: resourceOf(path),
      }),
    readPerson(sandbox, request, path) {
      const header = request.headers[PERSON_HEADER];
      if (typeof header !== 'string' || header === '') {
        const exempt = path.startsWith('/v1/webhook') || (path === '/v1/person' && request.method === 'POST');
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

/** What pages call in v1's words; everything else of v2 is in its own. */
const IN_V1_WORDS = /^\/v2\/(card|contact)\//;

export const V2: Dialect = {
  name: 'v2',
  prefix: '/v2',
  keyHeader: 'api-key',
  idempotencyHeader: 'idempotency-key',
  operations: V2_OPERATIONS,
  notEmulated: [],
  spellRequestId: (id) => formatV2('request', id),
  spellRefusal: (refusal, { requestId, sandbox, method, path, now }) =>
    spellRefusalV2(refusal, {
      requestId,
      clientId: sandbox?.program.clientId ?? '',
      method,
      now,
      isInV1Words: IN_V1_WORDS.test(path),
    }),
  readPerson: () => '',
};
