/**
 * A merchant does something with a card: asks for an authorization, settles or reverses it, or refunds. A refusal by the
 * bank is an answer, a transaction of type `decline`; where real-time authorization is set up, the client is asked first.
 * Source: the simulation operations of the platform's v2 reference; rows 34, 35, 123 and 185 of docs/fidelity.md.
 */
import type { CardPayments } from '../../../bank/card-payments.ts';
import type { RtaAnswer } from '../../../bank/inputs.ts';
import { type CardWish, readCardWish } from '../../../dialects/v2/readers/simulation.ts';
import { CardSimulation } from '../../../dialects/v2/shapes/simulation.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import type { Transaction as TransactionRecord } from '../../../model/records.ts';
import { operation } from '../../operation.ts';
import { askAboutCard } from '../../rta.ts';

export const simulateCard = operation({
  id: 'v2_simulate_incoming_card_issuing',
  method: 'POST',
  path: '/v2/simulate/incoming/card_issuing',
  summary: 'Simulate a card transaction',
  status: 201,
  refuses: ['illegal_step'],
  body: CardSimulation,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      card_id: seed('virtual_card_id'),
      amount: '93.50',
      parent_transaction_id: '',
      type: 'auth',
      status: 'pending',
    }),
  },
  async prepare(sandbox, { body }) {
    const wish = readCardWish(body);
    return wish.kind === 'authorize' ? askAboutCard(sandbox, wish.input) : undefined;
  },
  run: ({ bank, prepared }, { body }) =>
    viewTransaction(carryOut(bank.cardPayments, readCardWish(body), prepared), bank.program),
});

function carryOut(cardPayments: CardPayments, wish: CardWish, rta: RtaAnswer | undefined): TransactionRecord {
  switch (wish.kind) {
    case 'authorize': {
      const opened = cardPayments.authorize({ ...wish.input, ...(rta !== undefined && { rta }) });
      return wish.settled && opened.status === 'pending'
        ? cardPayments.capture({ authorizationId: opened.id }).authorization
        : opened;
    }
    case 'settle':
      return cardPayments.capture({ authorizationId: wish.parentId, ...wish }).transaction;
    case 'reverse':
      return cardPayments.reverse(wish);
    case 'refund':
      return cardPayments.settleOrRefund(wish);
    case 'promise':
      return cardPayments.refund({ ...wish, captured: true, promised: true });
  }
}
