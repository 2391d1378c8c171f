/**
 * What the sandbox is at this moment: version, clock, rails, counts, and the ids that it was founded with.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { summarize } from '../summary.ts';

const Summary = Type.Object({
  version: Type.String(),
  sandbox: Type.String(),
  clock: Type.Object({ mode: Type.String(), now: Type.String(), rate: Type.Number() }),
  rails: Type.String(),
  counts: Type.Record(Type.String(), Type.Integer()),
  seeded: Type.Record(Type.String(), Type.String()),
});

export const retrieveSummary = controlOperation({
  id: 'sandbox_retrieve_summary',
  method: 'GET',
  path: '/_sandbox',
  group: 'Summary',
  summary: 'What the sandbox is at this moment',
  status: 200,
  response: Summary,
  run: ({ sandbox, version }) => summarize(sandbox, version),
});
