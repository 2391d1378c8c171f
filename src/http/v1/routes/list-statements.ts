/**
 * GET /v1/account/{accountId}/statement: the months of an account, newest first, with the present one to date.
 * Source: "list all statements" of the platform's v1 reference; row 156 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { StatementList, StatementListQuery } from '../../../dialects/v1/shapes/statement.ts';
import { viewStatementMonth } from '../../../dialects/v1/views/statement.ts';
import { operation } from '../../operation.ts';

export const listStatements = operation({
  id: 'listStatements',
  method: 'GET',
  path: '/v1/account/:accountId/statement',
  summary: 'List the statements of an account',
  status: 200,
  params: Type.Object({ accountId: Type.String() }),
  query: StatementListQuery,
  response: StatementList,
  example: {
    params: ({ seed }) => ({ accountId: seed('account_id') }),
    query: { offset: '0', limit: '10' },
  },
  run({ bank }, { params, query }) {
    const page = bank.statements.list(readId('account', params.accountId), readWindow(query));
    return writeList(page, viewStatementMonth);
  },
});
