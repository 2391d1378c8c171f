/**
 * GET /v1/program/{programId}/account: the accounts of the program, with the filters of the list of accounts.
 * Source: the program page of the platform's v1 reference; row 158 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readAccountFilters } from '../../../dialects/v1/readers/account.ts';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { AccountList, AccountQuery } from '../../../dialects/v1/shapes/account.ts';
import { viewAccount } from '../../../dialects/v1/views/account.ts';
import { operation } from '../../operation.ts';

export const listProgramAccounts = operation({
  id: 'listProgramAccounts',
  method: 'GET',
  path: '/v1/program/:programId/account',
  summary: 'List the accounts of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: AccountQuery,
  response: AccountList,
  example: {
    params: ({ seed }) => ({ programId: seed('program_id') }),
    query: { status: 'active', offset: '0', limit: '10' },
  },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    const page = bank.accounts.list(readAccountFilters(query), readWindow(query));
    return writeList(page, (file) => viewAccount(file, bank.program));
  },
});
