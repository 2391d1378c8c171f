/**
 * POST /v1/account/{accountId}/test/ach: another bank sends money by ACH, or asks for some, and it is decided at once. A
 * debit that cannot be paid is an answer with status 200 and a declined transaction, not an error.
 * Source: "test an incoming ACH" of the platform's v1 reference; rows 32 and 196 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { readAchTest } from '../../../dialects/v1/readers/transaction.ts';
import { AchTestBody } from '../../../dialects/v1/shapes/ach-test.ts';
import { Transaction } from '../../../dialects/v1/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v1/views/transaction.ts';
import { operation } from '../../operation.ts';
import { askAboutDebit } from '../../rta.ts';

export const testAch = operation({
  id: 'testAch',
  method: 'POST',
  path: '/v1/account/:accountId/test/ach',
  summary: 'Test an incoming ACH',
  status: 200,
  params: Type.Object({ accountId: Type.String() }),
  body: AchTestBody,
  response: Transaction,
  example: {
    params: ({ seed }) => ({ accountId: seed('account_id') }),
    body: {
      amount: '10.00',
      txnType: 'credit',
      senderName: 'Maple Grove Dental LLC',
      senderRoutingNumber: '121042882',
      description: 'Payroll',
    },
  },
  async prepare(sandbox, { params, body }) {
    const { rail, input } = readAchTest(readId('account', params.accountId), body);
    return askAboutDebit(sandbox, rail, input);
  },
  run({ bank, prepared }, { params, body }) {
    const { rail, input } = readAchTest(readId('account', params.accountId), body);
    const received = bank.payments.receiveAtOnce(rail, {
      ...input,
      ...(prepared !== undefined && { rta: prepared }),
    });
    return viewTransaction(received, bank.program);
  },
});
