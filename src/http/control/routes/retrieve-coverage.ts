/**
 * Shows what was exercised in this sandbox since it was opened or its coverage was last cleared: how often each thing was
 * met, what exists and was not, and the share. What a client did by itself and what the control plane made happen count
 * alike.
 */
import { Type } from '@sinclair/typebox';
import { COVERED } from '../../../sandboxes/coverage-catalogue.ts';
import { OPERATIONS } from '../../v1/operations.ts';
import { V2_OPERATIONS } from '../../v2/operations.ts';
import { controlOperation } from '../operation.ts';

const Share = Type.Object(
  {
    exists: Type.Integer({ description: 'How many there are.' }),
    exercised: Type.Integer({ description: 'How many of them were met.' }),
    percent: Type.Number({ description: 'Percent of them that were met.' }),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'How often each was met.' }),
    missing: Type.Array(Type.String(), { description: 'Those that were not.' }),
  },
  { title: 'CoverageShare', description: 'What of one kind was met.' },
);

/** Of both generations: what coverage counts as operations that exist. */
export const OPERATION_IDS = [...V2_OPERATIONS, ...OPERATIONS].map(({ id }) => id);

export const retrieveCoverage = controlOperation({
  id: 'sandbox_retrieve_coverage',
  method: 'GET',
  path: '/_sandbox/coverage',
  group: 'Look',
  summary: 'Show what was exercised',
  status: 200,
  response: Type.Object({
    percent: Type.Number({ description: 'Percent of everything below together.' }),
    facts_not_read: Type.Integer({
      description: 'Facts of a bank that was exchanged before so many of them could be counted; mostly 0.',
    }),
    ...(Object.fromEntries(COVERED.map((kind) => [kind, Share])) as Record<
      (typeof COVERED)[number],
      typeof Share
    >),
  }),
  run: async ({ sandbox }) => {
    await sandbox.coverage.catchUp(sandbox.outbox);
    const { percent, factsNotRead, shares } = sandbox.coverage.report(OPERATION_IDS);
    return { percent, facts_not_read: factsNotRead, ...shares };
  },
});
