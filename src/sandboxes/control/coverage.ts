/**
 * The decisions where the platform's documents are silent, and how many operations, refusals and other things the
 * calls of a sandbox have exercised.
 */
import { Type } from '@sinclair/typebox';
import { V1_OPERATIONS } from '../../bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../bank/api/v2/index.ts';
import { type Decision, EVIDENCE, FIDELITY } from '../../bank/model/fidelity.ts';
import { COVERED } from '../sandbox/coverage-catalogue.ts';
import { DATE, enumOf, text } from './fields.ts';
import { controlOperation } from './operation.ts';

const Evidence = enumOf(EVIDENCE, 'How the answer is known.');
const Area = enumOf(
  ['interface', 'behaviour', 'webhooks', 'rails', 'control'] as const satisfies Decision['area'][],
  'The section of the register.',
);

const Recording = Type.Object(
  {
    date: text('The day of the recording, YYYY-MM-DD.', DATE),
    result: enumOf(['confirms', 'contradicts'], 'Whether it confirms or contradicts the answer.'),
  },
  { description: 'Absent if no recording of the platform was compared.' },
);

const Share = Type.Object(
  {
    exists: Type.Integer({ description: 'Number of items of this kind.' }),
    exercised: Type.Integer({ description: 'Number of exercised items.' }),
    percent: Type.Number({ description: 'Percentage of exercised items.' }),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'How often each item was exercised.' }),
    missing: Type.Array(Type.String(), { description: 'Items that were not exercised.' }),
  },
  { title: 'CoverageShare', description: 'The coverage of one kind.' },
);

/** The operations of both API versions, which coverage counts. */
export const OPERATION_IDS = [...V2_OPERATIONS, ...V1_OPERATIONS].map(({ id }) => id);

export const COVERAGE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_assumptions',
    method: 'GET',
    path: '/_sandbox/assumptions',
    group: 'Inspect',
    summary: 'List the decisions with their evidence',
    description:
      "Lists the decisions of this bank where the platform's documents are silent or contradict each other, with the evidence for each answer. The page on fidelity is printed from the same register.",
    answer: 'The register of decisions with their evidence.',
    status: 200,
    query: Type.Object({
      evidence: Type.Optional(Evidence),
      area: Type.Optional(Area),
    }),
    response: Type.Object({
      count: Type.Integer({ description: 'How many rows there are.' }),
      assumptions: Type.Array(
        Type.Object({
          slug: Type.String({ description: 'The name of the decision, with which other answers cite it.' }),
          area: Area,
          question: Type.String(),
          answer: text('The behaviour of this bank.'),
          evidence: Evidence,
          recording: Type.Optional(Recording),
        }),
      ),
    }),
    run: (_, { query: { evidence, area } }) => {
      const assumptions = FIDELITY.filter(
        (row) =>
          (evidence === undefined || row.evidence === evidence) && (area === undefined || row.area === area),
      );
      return { count: assumptions.length, assumptions: [...assumptions] };
    },
  }),

  controlOperation({
    id: 'sandbox_retrieve_coverage',
    method: 'GET',
    path: '/_sandbox/coverage',
    group: 'Inspect',
    summary: 'Show the coverage',
    description:
      'Shows which operations, states, transitions, events and error codes were exercised in this sandbox since it was opened or since the coverage was cleared. Requests of clients and of the control plane both count.',
    answer: 'The exercised share of the bank, and the parts that were not exercised.',
    status: 200,
    response: Type.Object({
      percent: Type.Number({ description: 'Percentage of everything below together.' }),
      facts_not_read: Type.Integer({
        description: 'Facts that were not counted because their bank was replaced too early; usually 0.',
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
  }),

  controlOperation({
    id: 'sandbox_clear_coverage',
    method: 'DELETE',
    path: '/_sandbox/coverage',
    group: 'Inspect',
    summary: 'Clear the coverage',
    description:
      'Clears the coverage and starts counting again. Send it before a test run to see what the run exercises.',
    answer: 'The coverage was cleared; there is no body.',
    status: 204,
    run: ({ sandbox }) => sandbox.coverage.clear(sandbox.outbox),
  }),
] as const;
