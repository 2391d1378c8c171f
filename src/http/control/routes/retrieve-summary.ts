/**
 * What the sandbox is at this moment: version, clock, rails, counts, and the ids that it was founded with.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { Counts, Instant, text, word } from '../shapes.ts';
import { summarize } from '../summary.ts';
import { ClockView } from '../time-views.ts';

const Summary = Type.Object({
  version: text('Of the server.'),
  sandbox: text('The name of the sandbox.'),
  clock: Type.Object({ ...ClockView.properties, now: Instant }),
  rails: word(
    ['fast', 'calendar', 'manual'],
    'When payments go on: at once, by the banking calendar, or when they are told.',
  ),
  counts: Counts,
  seeded: Type.Record(Type.String(), Type.String(), {
    description: 'The ids of the records that the bank was founded with, and the secret of its webhook.',
  }),
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
