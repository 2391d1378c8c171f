/**
 * GET /v1/program/{programId}/transfer: what was ordered in the program, on every rail, newest first.
 * Source: the program page of the platform's v1 reference; row 158 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { readTransferFilters } from '../../../dialects/v1/readers/transfer.ts';
import { ProgramTransferQuery, TransferList } from '../../../dialects/v1/shapes/transfer.ts';
import { viewTransfer } from '../../../dialects/v1/views/transfer.ts';
import { ORIGINATED } from '../../../dialects/v1/vocabulary.ts';
import { operation } from '../../operation.ts';

export const listProgramTransfers = operation({
  id: 'listProgramTransfers',
  method: 'GET',
  path: '/v1/program/:programId/transfer',
  summary: 'List the transfers of a program',
  status: 200,
  params: Type.Object({ programId: Type.String() }),
  query: ProgramTransferQuery,
  response: TransferList,
  example: {
    params: ({ seed }) => ({ programId: seed('program_id') }),
    query: { transferType: 'ach', status: 'pending', offset: '0', limit: '10' },
  },
  run({ bank }, { params, query }) {
    requireProgram(bank.program, params.programId);
    const page = bank.payments.list(readTransferFilters(ORIGINATED, query), readWindow(query));
    return writeList(page, (transaction) =>
      viewTransfer(bank.solidCards.withCard(transaction), bank.program),
    );
  },
});
