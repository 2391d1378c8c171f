/**
 * GET /v1/account/{accountId}/statement/{year}/{month}: one month with what was booked in it, or a file of it with
 * `export`. The present month is there as far as it goes.
 * Source: "retrieve a statement" of the platform's v1 reference; row 156 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { StatementFile } from '../../../bank/inputs.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { readStatementMonth } from '../../../dialects/v1/readers/statement.ts';
import { Statement, StatementParams, StatementQuery } from '../../../dialects/v1/shapes/statement.ts';
import { viewStatement } from '../../../dialects/v1/views/statement.ts';
import { type Context, operation } from '../../operation.ts';
import { isLong, renderStatement } from '../statement-files.ts';

/** What was found for a call before it was known how it is answered. */
const found = new WeakMap<Context, StatementFile>();

function find({ bank }: Context, params: Static<typeof StatementParams>): StatementFile {
  const month = readStatementMonth(params);
  return bank.statements.byId(readId('account', params.accountId), month);
}

export const retrieveStatement = operation({
  id: 'retrieveStatement',
  method: 'GET',
  path: '/v1/account/:accountId/statement/:year/:month',
  summary: 'Retrieve a statement',
  status: 200,
  refuses: ['statement_not_found'],
  params: StatementParams,
  query: StatementQuery,
  response: Statement,
  example: {
    params: ({ seed }) => ({
      accountId: seed('account_id'),
      year: seed('statement_year'),
      month: seed('statement_month'),
    }),
    query: { export: 'json' },
  },
  run: (context, { params }) =>
    viewStatement(found.get(context) ?? find(context, params), context.bank.program),
  render(context, { params, query }) {
    const form = query.export ?? 'json';
    const file = find(context, params);
    found.set(context, file);
    return form === 'json' && !isLong(file) ? undefined : renderStatement(form, file, context.bank.program);
  },
});
