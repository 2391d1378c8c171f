/**
 * The v2 interface as the server needs to know it: its headers, its operations, and how it spells a refusal.
 * Source: row 251 of docs/fidelity.md for the paths in v1's words.
 */
import { spellV2 } from '../../dialects/identifiers.ts';
import { spellRefusal } from '../../dialects/v2/errors.ts';
import type { Dialect } from '../dialect.ts';
import { V2_DOCUMENTED } from './documented.ts';
import { V2_OPERATIONS } from './operations.ts';

/** What pages call in v1's words; everything else of v2 is in its own. */
const IN_V1_WORDS = /^\/v2\/(card|contact)\//;

export const V2: Dialect = {
  name: 'v2',
  prefix: '/v2',
  keyHeader: 'api-key',
  idempotencyHeader: 'idempotency-key',
  operations: V2_OPERATIONS,
  notEmulated: V2_DOCUMENTED,
  spellRequestId: (id) => spellV2('request', id),
  spellRefusal: (refusal, { requestId, sandbox, method, path, now }) =>
    spellRefusal(refusal, {
      requestId,
      clientId: sandbox?.program.clientId ?? '',
      method,
      now,
      isInV1Words: IN_V1_WORDS.test(path),
    }),
  readPerson: () => '',
};
