/**
 * GET /v1/program/{programId}/person: the persons of the program, newest first, whoever calls.
 * Source: the lists of a program in the platform's v1 reference; rows 16 and 137 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { PersonList, PersonQuery } from '../../../dialects/v1/shapes/person.ts';
import { operation } from '../../operation.ts';
import { listPersonsOf } from '../persons.ts';

export const listProgramPersons = operation({
  id: 'listProgramPersons',
  method: 'GET',
  path: '/v1/program/:programId/person',
  summary: 'List the persons of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: PersonQuery,
  response: PersonList,
  example: {
    params: ({ seed }) => ({ programId: seed('program_id') }),
    query: { offset: '0', limit: '10', startTime: '2020-01-01T00:00:00Z', status: 'active' },
  },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    return listPersonsOf(bank, query);
  },
});
