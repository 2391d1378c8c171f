/**
 * The program: the client's side of the platform, to which all records of v1 belong. A sandbox has one, and it is
 * always active.
 * Source: the platform publishes the path and no fields; decision `program-record` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Program as ProgramRecord } from '../../model/records.ts';
import { formatV1 } from '../ids.ts';
import { operation } from '../operation.ts';
import { enumOf, IdText, RoutingNumber, record, requireProgram, Text, text } from './fields.ts';

export const Program = record('Program', 'The program of the client, which contains all records.', {
  id: IdText,
  name: Text,
  status: enumOf(['active']),
  env: enumOf(['test']),
  sponsorBankName: text('The name of the bank that holds the money.'),
  routingNumber: RoutingNumber,
});

/** Formats a program. */
function formatProgram(program: ProgramRecord): Static<typeof Program> {
  return {
    id: formatV1('program', program.programId),
    name: program.name,
    status: 'active',
    env: 'test',
    sponsorBankName: program.sponsorBank,
    routingNumber: program.routingNumber,
  };
}

export const PROGRAM_OPERATIONS = [
  operation({
    id: 'retrieveProgram',
    method: 'GET',
    path: '/v1/program/:programId',
    summary: 'Retrieve a program',
    description:
      'Retrieves the program of the sandbox. A key belongs to one program and cannot retrieve another.',
    answer: 'The program.',
    decisions: ['program-record'],
    status: 200,
    response: Program,
    run({ bank }, { params }) {
      requireProgram(bank.program, params.programId);
      return formatProgram(bank.program);
    },
  }),
] as const;
