/**
 * Lists what this bank does where the platform's documents are silent or disagree, and the ground of each answer: the
 * register from which the page of decisions is printed.
 */
import { Type } from '@sinclair/typebox';
import { FIDELITY } from '../../../model/fidelity.ts';
import { controlOperation } from '../operation.ts';

const GRADES = ['documented', 'sample', 'inferred', 'invented'];
const AREAS = ['interface', 'behaviour', 'webhooks', 'rails', 'control'];

export const listAssumptions = controlOperation({
  id: 'sandbox_list_assumptions',
  method: 'GET',
  path: '/_sandbox/assumptions',
  group: 'Look',
  summary: 'List what is assumed, and on which ground',
  status: 200,
  query: Type.Object({
    grade: Type.Optional(Type.String({ enum: GRADES })),
    area: Type.Optional(Type.String({ enum: AREAS })),
  }),
  response: Type.Object({
    count: Type.Integer(),
    assumptions: Type.Array(
      Type.Object({
        number: Type.String({ description: 'The row of the printed register.' }),
        area: Type.String(),
        question: Type.String(),
        answer: Type.String(),
        grade: Type.String(),
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
