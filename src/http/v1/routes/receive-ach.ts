/**
 * POST /v1/receive/ach: pulls money from a contact's bank account by ACH. The transfer answers `pending`; the money is
 * in `pendingCredit` until it is released.
 * Source: "receive an ACH pull" and the ACH transfer flow of the platform's v1 reference; rows 28 to 30 of docs/fidelity.md.
 */
import { readAchPull } from '../../../dialects/v1/readers/receive-ach.ts';
import { ReceiveAchBody, Transfer } from '../../../dialects/v1/shapes/transfer.ts';
import { viewTransfer } from '../../../dialects/v1/views/transfer.ts';
import { operation } from '../../operation.ts';

export const receiveAch = operation({
  id: 'receiveAch',
  method: 'POST',
  path: '/v1/receive/ach',
  summary: 'Pull money by ACH',
  status: 201,
  body: ReceiveAchBody,
  response: Transfer,
  example: {
    body: ({ seed }) => ({
      accountId: seed('account_id'),
      contactId: seed('contact_id'),
      amount: '41.20',
      description: 'Top up',
      title: 'Monthly',
      type: 'sameDay',
      metadata: { order: '7' },
    }),
  },
  run({ bank }, { body }) {
    return viewTransfer(
      bank.payments.originate('ach_pull', { ...readAchPull(body), magic: 'v1_receive_ach' }),
      bank.program,
    );
  },
});
