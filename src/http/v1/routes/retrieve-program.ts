/**
 * GET /v1/program/{programId}: the program of the sandbox, which is the only one that its key knows.
 * Source: the paths of the platform's v1 reference; row 205 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { Program } from '../../../dialects/v1/shapes/program.ts';
import { viewProgram } from '../../../dialects/v1/views/program.ts';
import { operation } from '../../operation.ts';

export const retrieveProgram = operation({
  id: 'retrieveProgram',
  method: 'GET',
  path: '/v1/program/:programId',
  summary: 'Retrieve a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  response: Program,
  example: {
    params: ({ seed }) => ({ programId: seed('program_id') }),
  },
  run({ bank }, { params }) {
    requireProgram(bank.program, params.programId);
    return viewProgram(bank.program);
  },
});
