/**
 * GET /v1/family and GET /v1/program/{programId}/family: families, newest first. A key belongs to one program, so the two
 * lists are the same.
 * Source: "list all families" of the platform's v1 reference; rows 16 and 149 of docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readFamilyFilters } from '../../../dialects/v1/readers/family.ts';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { FamilyList, FamilyQuery } from '../../../dialects/v1/shapes/family.ts';
import { viewFamily } from '../../../dialects/v1/views/family.ts';
import { operation } from '../../operation.ts';

const QUERY = { limit: '10', status: 'active' } as const;

function list({ families, program }: Bank, query: Static<typeof FamilyQuery>) {
  const page = families.list(readFamilyFilters(query, families.idsOfPerson), readWindow(query));
  return writeList(page, (family) => viewFamily(family, program));
}

export const listFamilies = operation({
  id: 'listFamilies',
  method: 'GET',
  path: '/v1/family',
  summary: 'List families',
  status: 200,
  query: FamilyQuery,
  response: FamilyList,
  example: { query: QUERY },
  run: ({ bank }, { query }) => list(bank, query),
});

export const listProgramFamilies = operation({
  id: 'listProgramFamilies',
  method: 'GET',
  path: '/v1/program/:programId/family',
  summary: 'List the families of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: FamilyQuery,
  response: FamilyList,
  example: { params: ({ seed }) => ({ programId: seed('program_id') }), query: QUERY },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    return list(bank, query);
  },
});
