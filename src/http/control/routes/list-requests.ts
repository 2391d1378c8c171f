/**
 * Lists what the sandbox was asked and what it answered, newest first: the last 1000 calls of both generations.
 */
import { Type } from '@sinclair/typebox';
import { JOURNAL_LENGTH, type JournalEntry } from '../../../sandboxes/journal.ts';
import { controlOperation } from '../operation.ts';
import { RequestView, viewRequest } from '../requests.ts';

const USUAL_LIMIT = 100;

export const listRequests = controlOperation({
  id: 'sandbox_list_requests',
  method: 'GET',
  path: '/_sandbox/requests',
  group: 'Look',
  summary: 'List the last requests',
  status: 200,
  query: Type.Object({
    operation: Type.Optional(Type.String({ maxLength: 100, description: 'An operationId.' })),
    status: Type.Optional(
      Type.String({
        pattern: '^([1-5]\\d\\d|[1-5]xx|0)$',
        description: 'Like 409, or 4xx; 0 for a broken connection.',
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9]\\d{0,2}|1000)$',
        description: `1 to ${JOURNAL_LENGTH}; ${USUAL_LIMIT} when not sent.`,
      }),
    ),
  }),
  response: Type.Object({
    kept: Type.Integer({ description: 'How many the journal holds.' }),
    dropped: Type.Integer({ description: 'How many older ones it no longer holds.' }),
    requests: Type.Array(RequestView),
  }),
  run: ({ sandbox }, { query }) => {
    const { operation, status, limit = String(USUAL_LIMIT) } = query;
    const fits = (entry: JournalEntry): boolean =>
      (operation === undefined || entry.operation === operation) &&
      (status === undefined || fitsStatus(status, entry.status));
    const found: JournalEntry[] = [];
    for (const entry of sandbox.journal.entries()) {
      if (found.length === Number(limit)) break;
      if (fits(entry)) found.push(entry);
    }
    return { ...sandbox.journal.counts(), requests: found.map((entry) => viewRequest(sandbox, entry)) };
  },
});

function fitsStatus(wanted: string, status: number): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}
