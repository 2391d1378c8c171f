/**
 * The v1 interface as the server needs to know it: its headers, its operations, how it spells a refusal, and the person
 * on whose behalf a call is made.
 * Source: row 5 of docs/fidelity.md.
 */
import { parseId, spellV1 } from '../../dialects/identifiers.ts';
import { resourceOf, spellRefusal } from '../../dialects/v1/errors.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Dialect } from '../dialect.ts';
import { DOCUMENTED } from './documented.ts';
import { OPERATIONS } from './operations.ts';

const PERSON_HEADER = 'sd-person-id';

/** The v1 dialect; `strictPersonHeader` refuses a call that names nobody, as the platform is said to. */
export function createV1({ strictPersonHeader }: { strictPersonHeader: boolean }): Dialect {
  return {
    name: 'v1',
    prefix: '/v1',
    keyHeader: 'sd-api-key',
    idempotencyHeader: 'sd-idempotency-key',
    operations: OPERATIONS,
    notEmulated: DOCUMENTED,
    spellRequestId: (id) => spellV1('request', id),
    spellRefusal: (refusal, { requestId, sandbox, method, path, now }) =>
      spellRefusal(refusal, {
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
      const id = parseId('person', header);
      if (id === undefined || sandbox.store.holders.byId(id)?.type !== 'person') {
        throw refuse('holder_not_found', { field: PERSON_HEADER });
      }
      return id;
    },
  };
}
