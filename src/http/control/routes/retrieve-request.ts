/**
 * Shows one request by the id that its answer carried in `x-request-id`, in either generation's spelling.
 */
import { Type } from '@sinclair/typebox';
import { parseId } from '../../../dialects/identifiers.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { controlOperation } from '../operation.ts';
import { RequestView, viewRequest } from '../requests.ts';

export const retrieveRequest = controlOperation({
  id: 'sandbox_retrieve_request',
  method: 'GET',
  path: '/_sandbox/requests/:id',
  group: 'Look',
  summary: 'Show a request',
  status: 200,
  refuses: ['request_not_found'],
  params: Type.Object({ id: Type.String() }),
  response: RequestView,
  run: ({ sandbox }, { params }) => {
    const id = parseId('request', params.id);
    const entry = id === undefined ? undefined : sandbox.journal.byId(id);
    if (entry === undefined) throw refuse('request_not_found');
    return viewRequest(sandbox, entry);
  },
});
