/**
 * GET /v1/business and GET /v1/program/{programId}/business: businesses, newest first. A key belongs to one program, so
 * the two lists are the same.
 * Source: "list all businesses" of the platform's v1 reference; rows 16 and 149 of docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readBusinessFilters } from '../../../dialects/v1/readers/business.ts';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { BusinessList, BusinessQuery } from '../../../dialects/v1/shapes/business.ts';
import { viewBusiness } from '../../../dialects/v1/views/business.ts';
import { operation } from '../../operation.ts';

const QUERY = { limit: '10', status: 'active', query: 'birch' } as const;

function list({ holders, program }: Bank, query: Static<typeof BusinessQuery>) {
  const page = holders.list(readBusinessFilters(query), readWindow(query));
  return writeList(page, (file) => viewBusiness(file, program));
}

export const listBusinesses = operation({
  id: 'listBusinesses',
  method: 'GET',
  path: '/v1/business',
  summary: 'List businesses',
  status: 200,
  query: BusinessQuery,
  response: BusinessList,
  example: { query: QUERY },
  run: ({ bank }, { query }) => list(bank, query),
});

export const listProgramBusinesses = operation({
  id: 'listProgramBusinesses',
  method: 'GET',
  path: '/v1/program/:programId/business',
  summary: 'List the businesses of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: BusinessQuery,
  response: BusinessList,
  example: { params: ({ seed }) => ({ programId: seed('program_id') }), query: QUERY },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    return list(bank, query);
  },
});
