/**
 * Lists what this bank does where the platform's documents are silent or disagree, and the ground of each answer: the
 * register from which the page of decisions is printed.
 */
import { Type } from '@sinclair/typebox';
import { type Decision, FIDELITY } from '../../../model/fidelity.ts';
import { controlOperation } from '../operation.ts';
import { text, word } from '../shapes.ts';

const Grade = word(
  ['documented', 'sample', 'inferred', 'invented'] as const satisfies Decision['grade'][],
  'The ground of the answer.',
);
const Area = word(
  ['interface', 'behaviour', 'webhooks', 'rails', 'control'] as const satisfies Decision['area'][],
  'The part of the register.',
);

export const listAssumptions = controlOperation({
  id: 'sandbox_list_assumptions',
  method: 'GET',
  path: '/_sandbox/assumptions',
  group: 'Look',
  summary: 'List what is assumed, and on which ground',
  status: 200,
  query: Type.Object({
    grade: Type.Optional(Grade),
    area: Type.Optional(Area),
  }),
  response: Type.Object({
    count: Type.Integer({ description: 'How many rows there are.' }),
    assumptions: Type.Array(
      Type.Object({
        number: Type.String({ description: 'The row of the printed register.' }),
        area: Area,
        question: Type.String(),
        answer: text('What this bank does.'),
        grade: Grade,
      }),
    ),
  }),
  run: (_, { query: { grade, area } }) => {
    const assumptions = FIDELITY.filter(
      (row) => (grade === undefined || row.grade === grade) && (area === undefined || row.area === area),
    );
    return { count: assumptions.length, assumptions: [...assumptions] };
  },
});
