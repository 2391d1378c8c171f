/**
 * GET /v1/account/{accountId}/statement/{statementId}: one month with what was booked in it, or as a PDF with
 * `export=pdf`.
 * Source: the clients of the platform's v1; row 156 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { StatementDetail, StatementQuery } from '../../../dialects/v1/shapes/statement.ts';
import { viewStatementDetail } from '../../../dialects/v1/views/statement.ts';
import { operation } from '../../operation.ts';
import { renderStatement } from '../statement-pdf.ts';
import { listStatements } from './list-statements.ts';

export const retrieveStatement = operation({
  id: 'retrieveStatement',
  method: 'GET',
  path: '/v1/account/:accountId/statement/:statementId',
  summary: 'Retrieve a statement',
  status: 200,
  params: Type.Object({ accountId: Type.String(), statementId: Type.String() }),
  query: StatementQuery,
  response: StatementDetail,
  example: {
    after: listStatements,
    params: ({ seed, made }) => ({ accountId: seed('account_id'), statementId: made('data.0.id') }),
    query: { export: 'json' },
  },
  run({ bank }, { params }) {
    const file = bank.statements.byId(readId('account', params.accountId), params.statementId);
    return viewStatementDetail(file, bank.program);
  },
  render({ bank }, { params, query }) {
    if (query.export !== 'pdf') return undefined;
    const file = bank.statements.byId(readId('account', params.accountId), params.statementId);
    return renderStatement(file, bank.program);
  },
});
