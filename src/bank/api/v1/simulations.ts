/**
 * The test calls of v1: card payments by a merchant, and ACH payments or debits by another bank. A decline is a
 * response with the bank's reason, not an error. The type of a card test determines whether it needs a parent, so the
 * parser checks this and not the schema. The default merchant is always the same.
 * Source: "card testing" and "test an incoming ACH" of the platform's v1 reference; decisions `v1-card-test-decline`,
 * `uncaptured-authorization` and `v1-ach-test` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { isStateOf } from '../../model/places.ts';
import type { IncomingRail } from '../../model/rails/index.ts';
import type { Merchant, Transaction } from '../../model/records.ts';
import { AUTH_METHODS } from '../../model/vocabulary.ts';
import type { Bank } from '../../verbs/bank.ts';
import type { CardPayments } from '../../verbs/cards/payments.ts';
import type { MerchantWords } from '../../verbs/cards/purchases.ts';
import type { CardAuthorization, Incoming, RtaAnswer } from '../../verbs/inputs.ts';
import { operation } from '../operation.ts';
import { AmountInput, body, enumOf, parseAmount, parseCountry, parseId, record, text } from './fields.ts';
import { TRANSACTION_VIEW } from './transactions/format.ts';
import { MERCHANT, MerchantInput, Transaction as TransactionShape } from './transactions/shapes.ts';

const CardTestBody = body('CardTest', 'The simulated action of a merchant with a card.', {
  amount: AmountInput,
  txnType: Type.Optional(enumOf(['auth', 'authUpdate', 'reversal', 'refund'])),
  parentTxnId: Type.Optional(
    Type.String({ minLength: 1, description: 'required for authUpdate and reversal; refused for auth' }),
  ),
  merchant: Type.Optional(MerchantInput),
  authMethod: Type.Optional(enumOf(AUTH_METHODS)),
});

export const CardTestAnswer = record('CardTestAnswer', 'The response of the bank to the merchant.', {
  status: enumOf(['approved', 'declined']),
  declineReason: text('The reason as a code, like "lowBalance"; "" if it was approved.'),
});

const AchTestBody = body('AchTest', 'A simulated ACH payment by another bank.', {
  amount: AmountInput,
  txnType: enumOf(['credit', 'debit']),
  senderName: Type.Optional(Type.String({ maxLength: 100 })),
  senderRoutingNumber: Type.Optional(Type.String({ pattern: '^\\d{9}$', description: 'nine digits' })),
  description: Type.Optional(Type.String({ maxLength: 500 })),
});

type TestBody = Static<typeof CardTestBody>;

/** A parsed card test by type. */
export type CardTest =
  | { kind: 'auth'; input: CardAuthorization }
  | { kind: 'authUpdate'; input: { cardId: Id; parentId: Id; total: Cents } & MerchantWords }
  | { kind: 'reversal'; input: { cardId: Id; parentId: Id; amount: Cents } & MerchantWords }
  | { kind: 'refund'; input: { cardId: Id; amount: Cents; parentId?: Id } & MerchantWords };

const UNKNOWN_STATE =
  'must be the two-letter code of a state of the US, like OR, or of a province of CA, like ON';

/** An authorization begins a purchase and has no parent. */
const NO_PARENT = {
  field: 'parentId',
  message: 'parentTxnId applies only to authUpdate, reversal and refund; leave it out for an auth',
} as const;

/** ISO 18245: ATM withdrawals. This is the only difference from a purchase in a card test. */
const ATM_CATEGORY = '6011';

/**
 * Parses a card test. Refuses: `amount_invalid`, `parent_missing`, `transaction_not_found`; `parent_wrong` for an
 * authorization with a parent.
 */
function parseCardTest(cardId: Id, body: TestBody): CardTest {
  const amount = parseAmount(body.amount);
  const words = {
    ...(body.merchant && { merchant: parseMerchant(body.merchant) }),
    ...(body.authMethod && { authMethod: body.authMethod }),
  };
  const kind = body.txnType ?? 'auth';
  switch (kind) {
    case 'auth': {
      const atm = words.merchant?.mcc === ATM_CATEGORY;
      if (body.parentTxnId !== undefined) throw refuse('parent_wrong', NO_PARENT);
      return { kind, input: { cardId, amount, authMethod: 'other', ...words, atm } };
    }
    case 'authUpdate':
      return { kind, input: { cardId, parentId: parseParent(body), total: amount, ...words } };
    case 'reversal':
      return { kind, input: { cardId, parentId: parseParent(body), amount, ...words } };
    case 'refund': {
      const parent = body.parentTxnId === undefined ? {} : { parentId: parseParent(body) };
      return { kind, input: { cardId, amount, ...words, ...parent } };
    }
  }
}

function parseParent({ parentTxnId }: TestBody): Id {
  if (parentTxnId === undefined || parentTxnId === '') throw refuse('parent_missing', { field: 'parentId' });
  return parseId('transaction', parentTxnId);
}

/** Refuses: `field_invalid` for an unknown country or state. */
function parseMerchant(input: Static<typeof MerchantInput>): Partial<Merchant> {
  parseCountry('merchant.merchantCountry', input.merchantCountry ?? '');
  if (!isStateOf(input.merchantCountry ?? '', input.merchantState ?? '')) {
    throw refuse('field_invalid', { field: 'merchant.merchantState', message: UNKNOWN_STATE });
  }
  return MERCHANT.parse(input);
}

/** The default sender. */
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
      amount: parseAmount(body.amount),
      description,
      sender: { name: senderName || TEST_SENDER, routingNumber: senderRoutingNumber },
    },
  };
}

/** Formats the result of a card test: approved, or declined with the reason. */
export function formatCardTest(transaction: Transaction): Static<typeof CardTestAnswer> {
  if (transaction.status !== 'declined') return { status: 'approved', declineReason: '' };
  return { status: 'declined', declineReason: transaction.reason?.code ?? '' };
}

/** The test of a virtual card. Refuses: `card_not_found`, `card_not_virtual`, and like `parseCardTest`. */
function findCardTest(bank: Bank, cardId: string, body: Static<typeof CardTestBody>): CardTest {
  const { card } = bank.cards.byId(parseId('card', cardId));
  if (card.type !== 'virtual') throw refuse('card_not_virtual');
  return parseCardTest(card.id, body);
}

function runCardTest(cardPayments: CardPayments, test: CardTest, rta: RtaAnswer | undefined): Transaction {
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

/**
 * A hint about the control that would have declined the test, and how to apply controls; `undefined` if there is
 * none.
 */
function controlHint(cardPayments: CardPayments, test: CardTest): string | undefined {
  if (test.kind !== 'auth' && test.kind !== 'authUpdate') return undefined;
  const objection = cardPayments.controlNotApplied({ ...test.input, test: true });
  if (objection === undefined) return undefined;
  const { code, message } = objection.reason;
  return `a purchase outside the card test would be declined with ${code} (${message}); set card_controls_in_test with PUT /_sandbox/settings to apply this control here`;
}

export const SIMULATION_OPERATIONS = [
  operation({
    id: 'testCard',
    method: 'POST',
    path: '/v1/card/:cardId/test',
    summary: 'Test a virtual card: authorize, update, reverse or refund',
    description:
      'Simulates actions of a merchant with a virtual card: authorize, update, reverse or refund. The response is 2xx for a declined purchase too; its `status` shows the decline. The bank captures an authorization later.',
    answer: 'The response of the bank to the merchant.',
    decisions: ['v1-card-test-decline', 'uncaptured-authorization'],
    status: 200,
    refuses: ['card_not_virtual', 'illegal_step'],
    body: CardTestBody,
    response: CardTestAnswer,
    example: {
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
    async prepare(authorizer, bank, { params, body }) {
      const test = findCardTest(bank, params.cardId, body);
      return test.kind === 'auth' ? authorizer.card({ ...test.input, test: true }) : undefined;
    },
    run({ bank, prepared, hint }, { params, body }) {
      const test = findCardTest(bank, params.cardId, body);
      const remark = controlHint(bank.cardPayments, test);
      const transaction = runCardTest(bank.cardPayments, test, prepared);
      if (remark !== undefined && transaction.status !== 'declined') hint(remark);
      return formatCardTest(transaction);
    },
  }),

  operation({
    id: 'testAch',
    method: 'POST',
    path: '/v1/account/:accountId/test/ach',
    summary: 'Test an incoming ACH',
    description:
      'Simulates an ACH credit or debit from another bank, which is accepted or declined at once. If a debit exceeds the balance, the response is 2xx with a declined transaction.',
    answer: 'The transaction, settled or declined.',
    decisions: ['incoming-not-taken', 'v1-ach-test'],
    status: 200,
    body: AchTestBody,
    response: TransactionShape,
    example: {
      body: {
        amount: '10.00',
        txnType: 'credit',
        senderName: 'Maple Grove Dental LLC',
        senderRoutingNumber: '121042882',
        description: 'Payroll',
      },
    },
    async prepare(authorizer, _bank, { params, body }) {
      const { rail, input } = parseAchTest(parseId('account', params.accountId), body);
      return authorizer.debit(rail, input);
    },
    run({ bank, prepared, show }, { params, body }) {
      const { rail, input } = parseAchTest(parseId('account', params.accountId), body);
      const received = bank.payments.receiveAtOnce(rail, {
        ...input,
        ...(prepared !== undefined && { rta: prepared }),
      });
      return show(TRANSACTION_VIEW, received);
    },
  }),
] as const;
