/**
 * The card test: what a merchant would do with a card, and the bank's answer to it. Whether a parent is needed
 * depends on what is tried, so the reader says so and not the shape.
 * Source: "card testing" of the platform's v1 reference; decision `v1-card-test-decline` in docs/fidelity.md.
 * [[dialects/v1/readers/card-test.ts]] Reads a card test: what the merchant tries, in the bank's words. What a test
 * does not say of its merchant is the bank's own test merchant, always the same.
 * Source: "card testing" of the platform's v1 reference; decision `uncaptured-authorization` in docs/fidelity.md.
 * [[dialects/v1/views/card-test.ts]] The bank's answer to a card test: a refusal is an answer too, with the bank's own
 * reason.
 * Source: "card testing" of the platform's v1 reference; decision `v1-card-test-decline` in docs/fidelity.md.
 * [[dialects/v1/shapes/ach-test.ts]] What another bank is made to send or to ask for by ACH.
 * Source: "test an incoming ACH" of the platform's v1 reference; decision `v1-ach-test` in docs/fidelity.md.
 */

import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../bank/bank.ts';
import type { CardPayments } from '../../bank/cards/payments.ts';
import type { CardAuthorization, Incoming, RtaAnswer } from '../../bank/inputs.ts';
import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { IncomingRail } from '../../model/rails/index.ts';
import type { Merchant, Transaction } from '../../model/records.ts';
import { AUTH_METHODS } from '../../model/vocabulary.ts';
import { operation } from '../operation.ts';
import { Amount, body, parseAmount, parseId, record, text, wordOf } from './fields.ts';
import { formatTransaction } from './transactions/format.ts';
import { MerchantInput, Transaction as TransactionShape } from './transactions/shapes.ts';

const CardTestBody = body('CardTest', 'What a merchant is made to do with a card.', {
  amount: Amount,
  txnType: Type.Optional(wordOf(['auth', 'authUpdate', 'reversal', 'refund'])),
  parentTxnId: Type.Optional(
    Type.String({ minLength: 1, description: 'needed for authUpdate and reversal' }),
  ),
  merchant: Type.Optional(MerchantInput),
  authMethod: Type.Optional(wordOf(AUTH_METHODS)),
});

export const CardTestAnswer = record('CardTestAnswer', 'What the bank answered the merchant.', {
  status: wordOf(['approved', 'declined']),
  declineReason: text('Why, in a word, like "lowBalance"; "" when it was approved.'),
});

type Body = Static<typeof CardTestBody>;

/** What a card test asks for. */
export type CardTest =
  | { kind: 'auth'; input: CardAuthorization }
  | { kind: 'authUpdate'; input: { cardId: Id; parentId: Id; total: Cents } }
  | { kind: 'reversal'; input: { cardId: Id; parentId: Id; amount: Cents } }
  | { kind: 'refund'; input: { cardId: Id; amount: Cents; parentId?: Id; merchant?: Partial<Merchant> } };

/** ISO 18245: cash from a machine. It is the only thing in a v1 test that says so. */
const ATM_CATEGORY = '6011';

/** Refuses: `amount_invalid`, `parent_missing`, `transaction_not_found`. */
export function parseCardTest(cardId: Id, body: Body): CardTest {
  const amount = parseAmount('amount', body.amount);
  const merchant = body.merchant && { merchant: parseMerchant(body.merchant) };
  const kind = body.txnType ?? 'auth';
  switch (kind) {
    case 'auth': {
      const atm = merchant?.merchant.mcc === ATM_CATEGORY;
      return { kind, input: { cardId, amount, ...merchant, authMethod: body.authMethod ?? 'other', atm } };
    }
    case 'authUpdate':
      return { kind, input: { cardId, parentId: parseParent(body), total: amount } };
    case 'reversal':
      return { kind, input: { cardId, parentId: parseParent(body), amount } };
    case 'refund': {
      const parent = body.parentTxnId === undefined ? {} : { parentId: parseParent(body) };
      return { kind, input: { cardId, amount, ...merchant, ...parent } };
    }
  }
}

function parseParent({ parentTxnId }: Body): Id {
  if (parentTxnId === undefined || parentTxnId === '') throw refuse('parent_missing', { field: 'parentId' });
  return parseId('transaction', parentTxnId);
}

/** What is not sent, or sent empty, is filled from the merchant of every test. */
function parseMerchant(given: Static<typeof MerchantInput>): Partial<Merchant> {
  const { merchantName, merchantCity, merchantState, merchantCountry, postalCode, merchantId } = given;
  return {
    ...(merchantName && { name: merchantName }),
    ...(merchantCity && { city: merchantCity }),
    ...(merchantState && { state: merchantState }),
    ...(merchantCountry && { country: merchantCountry }),
    ...(postalCode && { postalCode }),
    ...(given.merchantCategory && { category: given.merchantCategory }),
    ...(given.merchantCategoryCode && { mcc: given.merchantCategoryCode }),
    ...(merchantId && { id: merchantId }),
  };
}

/** Approved, or declined and why. */
export function formatCardTest(transaction: Transaction): Static<typeof CardTestAnswer> {
  if (transaction.status !== 'declined') return { status: 'approved', declineReason: '' };
  return { status: 'declined', declineReason: transaction.reason?.code ?? '' };
}

const AchTestBody = body('AchTest', 'What another bank is made to send or to collect by ACH.', {
  amount: Amount,
  txnType: wordOf(['credit', 'debit']),
  senderName: Type.Optional(Type.String({ maxLength: 100 })),
  senderRoutingNumber: Type.Optional(Type.String({ pattern: '^\\d{9}$', description: 'nine digits' })),
  description: Type.Optional(Type.String({ maxLength: 500 })),
});

function parseTest(bank: Bank, cardId: string, body: Static<typeof CardTestBody>): CardTest {
  const { card } = bank.cards.byId(parseId('card', cardId));
  if (card.type !== 'virtual') throw refuse('card_not_virtual');
  return parseCardTest(card.id, body);
}

function tryOut(cardPayments: CardPayments, test: CardTest, rta: RtaAnswer | undefined): Transaction {
  switch (test.kind) {
    case 'auth':
      return cardPayments.authorize({ ...test.input, test: true, ...(rta !== undefined && { rta }) });
    case 'authUpdate':
      return cardPayments.update({ ...test.input, test: true });
    case 'reversal':
      return cardPayments.reverse(test.input);
    case 'refund':
      return cardPayments.refund(test.input);
  }
}

/** Who sends when nobody is named. */
const TEST_SENDER = 'Test Sender';

/** Refuses: `amount_invalid`. */
function parseAchTest(
  accountId: Id,
  body: Static<typeof AchTestBody>,
): { rail: IncomingRail; input: Incoming } {
  const { txnType, senderName, senderRoutingNumber = '', description = '' } = body;
  return {
    rail: txnType === 'credit' ? 'ach_received_push' : 'ach_received_pull',
    input: {
      accountId,
      amount: parseAmount('amount', body.amount),
      description,
      sender: { name: senderName || TEST_SENDER, routingNumber: senderRoutingNumber },
    },
  };
}

export const SIMULATION_OPERATIONS = [
  /**
   * POST /v1/card/{cardId}/test: does what a merchant would do with a virtual card. A refusal by the bank is an answer
   * with status 200, not an error.
   * Source: "card testing" of the platform's v1 reference; decisions `v1-card-test-decline` and
   * `uncaptured-authorization` in docs/fidelity.md.
   */
  operation({
    id: 'testCard',
    method: 'POST',
    path: '/v1/card/:cardId/test',
    summary: 'Test a virtual card: authorize, update, reverse or refund',
    status: 200,
    refuses: ['card_not_virtual', 'illegal_step'],
    params: Type.Object({ cardId: Type.String() }),
    body: CardTestBody,
    response: CardTestAnswer,
    example: {
      params: ({ seed }) => ({ cardId: seed('card_id') }),
      body: {
        amount: '1.40',
        txnType: 'refund',
        merchant: {
          merchantName: 'Harbor Books',
          merchantCity: 'Monterey',
          merchantState: 'CA',
          merchantCountry: 'US',
          postalCode: '93940',
          merchantCategory: 'Book Stores',
          merchantCategoryCode: '5942',
          merchantId: 'HB-1',
        },
        authMethod: 'keyedIn',
      },
    },
    async prepare(ask, bank, { params, body }) {
      const test = parseTest(bank, params.cardId, body);
      return test.kind === 'auth' ? ask.card({ ...test.input, test: true }) : undefined;
    },
    run({ bank, prepared }, { params, body }) {
      return formatCardTest(tryOut(bank.cardPayments, parseTest(bank, params.cardId, body), prepared));
    },
  }),

  /**
   * POST /v1/account/{accountId}/test/ach: another bank sends money by ACH, or asks for some, and it is decided at once. A
   * debit that cannot be paid is an answer with status 200 and a declined transaction, not an error.
   * Source: "test an incoming ACH" of the platform's v1 reference; decisions `incoming-not-taken` and `v1-ach-test` in
   * docs/fidelity.md.
   */
  operation({
    id: 'testAch',
    method: 'POST',
    path: '/v1/account/:accountId/test/ach',
    summary: 'Test an incoming ACH',
    status: 200,
    params: Type.Object({ accountId: Type.String() }),
    body: AchTestBody,
    response: TransactionShape,
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
    async prepare(ask, _bank, { params, body }) {
      const { rail, input } = parseAchTest(parseId('account', params.accountId), body);
      return ask.debit(rail, input);
    },
    run({ bank, prepared }, { params, body }) {
      const { rail, input } = parseAchTest(parseId('account', params.accountId), body);
      const received = bank.payments.receiveAtOnce(rail, {
        ...input,
        ...(prepared !== undefined && { rta: prepared }),
      });
      return formatTransaction(received, bank.program);
    },
  }),
] as const;
