/**
 * Sends money to another bank within seconds, by RTP.
 * Source: the RTP operations of the platform's v2 reference; rows 28, 45e and 187 of docs/fidelity.md.
 */
import { readInstantOrigination } from '../../../dialects/v2/readers/payment.ts';
import { InstantOrigination } from '../../../dialects/v2/shapes/origination.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { ORIGINATION, operation } from '../../operation.ts';

export const originateRtpPush = operation({
  id: 'v2_originate_rtp_push',
  method: 'POST',
  path: '/v2/payments/rtp/push',
  summary: 'Originate an RTP push',
  status: 201,
  refuses: ORIGINATION,
  body: InstantOrigination,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      sub_account_id: seed('sub_account_id'),
      counterparty_id: seed('vendor_counterparty_id'),
      amount: '12.00',
      description: 'Courier',
      reference_number: 'COURIER 9',
      external_reference_id: 'courier-9',
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(bank.payments.originate('rtp_push', readInstantOrigination(body)), bank.program),
});
