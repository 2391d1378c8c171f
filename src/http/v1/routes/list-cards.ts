/**
 * GET /v1/card and GET /v1/program/{programId}/card: the cards of an account, or of all accounts of the program. The two
 * differ in whether the account must be named.
 * Source: "list all cards" of the platform's v1 reference; rows 16 and 177 of docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { writeList } from '../../../dialects/v1/paging.ts';
import { readCardQuery } from '../../../dialects/v1/readers/card.ts';
import { readId, requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { CardList, CardQuery, ProgramCardQuery } from '../../../dialects/v1/shapes/card.ts';
import { viewCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';

export const listCards = operation({
  id: 'listCards',
  method: 'GET',
  path: '/v1/card',
  summary: 'List cards',
  status: 200,
  refuses: ['account_not_found'],
  query: CardQuery,
  response: CardList,
  example: {
    query: ({ seed }) => ({ accountId: seed('account_id'), status: 'active', orderBy: '-createdAt' }),
  },
  run({ bank }, { query }) {
    bank.accounts.byId(readId('account', query.accountId, 'accountId'));
    return list(bank, query);
  },
});

export const listProgramCards = operation({
  id: 'listProgramCards',
  method: 'GET',
  path: '/v1/program/:programId/card',
  summary: 'List the cards of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: ProgramCardQuery,
  response: CardList,
  example: {
    params: ({ seed }) => ({ programId: seed('program_id') }),
    query: { cardType: 'virtual', limit: '10' },
  },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    return list(bank, query);
  },
});

function list({ cards, program }: Bank, query: Static<typeof ProgramCardQuery>) {
  const { where, window, left } = readCardQuery(query);
  const page = left === undefined ? cards.list(where, window) : cards.listByLeft(where, window, left);
  return writeList(page, (file) => viewCard(file, program));
}
