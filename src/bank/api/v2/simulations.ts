/**
 * The v2 simulate operations. Incoming money names a sub account, or only the master account. A card simulation names
 * a card, a type and a status; five pairs of type and status are valid.
 * Source: the simulation operations of the platform's v2 reference; decisions `master-account-incoming` and
 * `simulated-card-pairs` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { CounterpartySnapshot, Program, Transaction as TransactionRecord } from '../../model/records.ts';
import type { CardPayments } from '../../verbs/cards/payments.ts';
import type { CardAuthorization, Incoming, RtaAnswer } from '../../verbs/inputs.ts';
import { operation } from '../operation.ts';
import { ADDRESS } from './examples.ts';
import {
  AddressInput,
  AmountInput,
  body,
  bodyObject,
  enumOf,
  IdInput,
  ifPresent,
  parseAddress,
  parseAmount,
  parseId,
  TextInput,
} from './fields.ts';
import { TRANSACTION_VIEW } from './transactions/format.ts';
import { Transaction } from './transactions/shapes.ts';

const RoutingNumberInput = Type.String({ pattern: '^$|^\\d{9}$', description: 'Nine digits.' });

const incomingFields = {
  master_account_id: Type.Optional(IdInput),
  sub_account_id: Type.Optional(IdInput),
  amount: AmountInput,
  description: Type.Optional(TextInput),
};

const IncomingAch = body('IncomingAch', 'A simulated ACH payment by another bank.', {
  ...incomingFields,
  counterparty: Type.Optional(
    bodyObject({ name: Type.Optional(TextInput), routing_number: Type.Optional(RoutingNumberInput) }),
  ),
});

/** An older edition of the reference has the fields of the other side at the top level. */
const IncomingAchPull = body('IncomingAchPull', 'A simulated ACH pull by another bank.', {
  ...IncomingAch.properties,
  counterparty_name: Type.Optional({ ...TextInput, description: 'Alias of counterparty.name.' }),
  counterparty_routing_number: Type.Optional({
    ...RoutingNumberInput,
    description: 'Nine digits. Alias of counterparty.routing_number.',
  }),
});

const IncomingDomesticWire = body(
  'IncomingDomesticWire',
  'A simulated wire from another bank in the United States.',
  {
    ...incomingFields,
    counterparty: Type.Optional(
      bodyObject({
        name: Type.Optional(TextInput),
        account_number: Type.Optional({
          ...TextInput,
          description: 'The number of the account at the other bank.',
        }),
        routing_number: Type.Optional(RoutingNumberInput),
      }),
    ),
  },
);

const IncomingInternationalWire = body('IncomingInternationalWire', 'A simulated wire from a bank abroad.', {
  ...incomingFields,
  counterparty: Type.Optional(
    bodyObject({
      name: Type.Optional(TextInput),
      identifier_code: Type.Optional(
        Type.String({
          pattern: '^$|^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$',
          description: 'The BIC of the other bank.',
        }),
      ),
      account_number: Type.Optional({
        ...TextInput,
        description: 'The number of the account at the other bank.',
      }),
      address: Type.Optional(AddressInput),
    }),
  ),
});

const CardSimulation = body('CardSimulation', 'The simulated action of a merchant with a card.', {
  card_id: IdInput,
  amount: AmountInput,
  parent_transaction_id: Type.Optional(IdInput),
  type: enumOf(['auth', 'adjust', 'reverse', 'refund']),
  status: enumOf(['pending', 'settled']),
});

type IncomingBody = Static<typeof IncomingAch>;

/**
 * Parses an incoming ACH payment. Refuses: `account_not_found`, `master_account_not_found`, `amount_invalid`,
 * `field_invalid`.
 */
function parseIncomingAch(body: IncomingBody, program: Program): Incoming {
  const { name, routing_number: routingNumber } = body.counterparty ?? {};
  return parseIncoming(body, program, {
    ...ifPresent('name', name),
    ...ifPresent('routingNumber', routingNumber),
  });
}

/**
 * Parses an incoming ACH pull. Refuses like an ACH payment, and `field_invalid` if the two forms of the other side
 * differ.
 */
function parseIncomingAchPull(body: Static<typeof IncomingAchPull>, program: Program): Incoming {
  const { counterparty_name: name, counterparty_routing_number: routingNumber } = body;
  for (const field of ['name', 'routing_number'] as const) {
    const [flat, nested] = [body[`counterparty_${field}`], body.counterparty?.[field]];
    if (flat === undefined || nested === undefined || flat === nested) continue;
    throw refuse('field_invalid', {
      field: `counterparty_${field}`,
      message: `counterparty_${field} and counterparty.${field} are two names of the same field and differ; send one of them`,
    });
  }
  const counterparty = {
    ...ifPresent('name', name),
    ...ifPresent('routing_number', routingNumber),
    ...body.counterparty,
  };
  return parseIncomingAch({ ...body, counterparty }, program);
}

/** Parses an incoming domestic wire. Refuses like an ACH payment. */
function parseIncomingDomesticWire(body: Static<typeof IncomingDomesticWire>, program: Program): Incoming {
  const { account_number: accountNumber } = body.counterparty ?? {};
  const ach = parseIncomingAch(body, program);
  return { ...ach, sender: { ...ach.sender, ...ifPresent('accountNumber', accountNumber) } };
}

/**
 * Parses an incoming international wire, whose bank is shown as the correspondent bank. Refuses like an ACH payment.
 */
function parseIncomingInternationalWire(
  body: Static<typeof IncomingInternationalWire>,
  program: Program,
): Incoming {
  const { name, account_number: accountNumber, identifier_code: code, address } = body.counterparty ?? {};
  const at = address === undefined ? null : parseAddress(address);
  const bank = { identifierCode: code ?? '', name: '', address: at };
  return parseIncoming(body, program, {
    ...ifPresent('name', name),
    ...ifPresent('accountNumber', accountNumber),
    ...(code || at !== null ? { correspondentBank: bank } : {}),
  });
}

function parseIncoming(
  body: Pick<IncomingBody, 'master_account_id' | 'sub_account_id' | 'amount' | 'description'>,
  program: Program,
  sender: Partial<CounterpartySnapshot>,
): Incoming {
  return {
    accountId: parseTarget(body, program),
    amount: parseAmount(body.amount),
    ...ifPresent('description', body.description),
    sender,
  };
}

/** The sub account; `null` if only the master account is named. */
function parseTarget(
  { master_account_id: master = '', sub_account_id: sub = '' }: Partial<Record<string, string>>,
  program: Program,
): Id | null {
  if (master !== '' && parseId('master_account', master) !== program.masterAccountId) {
    throw refuse('master_account_not_found');
  }
  if (sub !== '') return parseId('account', sub);
  if (master !== '') return null;
  throw refuse('field_missing', {
    field: 'sub_account_id',
    message: 'sub_account_id is required, or only master_account_id for money without a sub account',
  });
}

/** The actions of a merchant. */
export type CardAction =
  | { kind: 'authorize'; input: CardAuthorization; settled: boolean }
  | { kind: 'settle' | 'reverse' | 'refund' | 'promise'; cardId: Id; parentId: Id; amount: Cents };

/** The action for each valid pair of type and status. */
const ACTIONS: Readonly<Record<string, Exclude<CardAction['kind'], 'authorize'>>> = {
  'adjust settled': 'settle',
  'reverse settled': 'reverse',
  'refund settled': 'refund',
  'refund pending': 'promise',
};

/**
 * Parses a card simulation. Refuses: `card_not_found`, `transaction_not_found`, `amount_invalid`, `parent_missing`,
 * `field_invalid` for an invalid pair of type and status.
 */
function parseCardAction(body: Static<typeof CardSimulation>): CardAction {
  const { type, status, parent_transaction_id: parent = '' } = body;
  const cardId = parseId('card', body.card_id);
  const amount = parseAmount(body.amount);
  if (type === 'auth') {
    if (parent !== '') {
      throw refuse('parent_wrong', {
        field: 'parentId',
        message: 'parent_transaction_id applies only to adjust, reverse and refund; leave it out for an auth',
      });
    }
    const input: CardAuthorization = { cardId, amount, authMethod: 'online' };
    return { kind: 'authorize', input, settled: status === 'settled' };
  }
  const kind = ACTIONS[`${type} ${status}`];
  if (kind === undefined) {
    throw refuse('field_invalid', {
      field: 'status',
      message: `the type ${type} allows only the status settled`,
    });
  }
  if (parent === '') {
    throw refuse('parent_missing', {
      field: 'parentId',
      message: `parent_transaction_id is required for type ${type}`,
    });
  }
  return { kind, cardId, parentId: parseId('transaction', parent), amount };
}

function carryOut(
  cardPayments: CardPayments,
  action: CardAction,
  rta: RtaAnswer | undefined,
): TransactionRecord {
  switch (action.kind) {
    case 'authorize': {
      const opened = cardPayments.authorize({ ...action.input, ...(rta !== undefined && { rta }) });
      return action.settled && opened.status === 'pending'
        ? cardPayments.capture({ authorizationId: opened.id }).authorization
        : opened;
    }
    case 'settle':
      return cardPayments.capture({ authorizationId: action.parentId, ...action }).transaction;
    case 'reverse':
      return cardPayments.reverse(action);
    case 'refund':
      return cardPayments.settleOrRefund(action);
    case 'promise':
      return cardPayments.refund({ ...action, captured: true, isPending: true });
  }
}

export const SIMULATION_OPERATIONS = [
  operation({
    id: 'v2_simulate_incoming_ach_push',
    method: 'POST',
    path: '/v2/simulate/incoming/ach/push',
    summary: 'Simulate an incoming ACH push',
    description:
      'Simulates an ACH credit that another bank sends to a sub account, or to the master account. The payment is `received` and settles by the timetable. If the account cannot accept it, it is returned with R02.',
    answer: 'The payment, received.',
    decisions: ['incoming-not-taken', 'incoming-ach-fields', 'master-account-incoming'],
    status: 201,
    body: IncomingAch,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        master_account_id: seed('master_account_id'),
        sub_account_id: seed('sub_account_id'),
        amount: '75.00',
        description: 'Seed funds',
        counterparty: { name: 'Pat Rowe', routing_number: '021000021' },
      }),
    },
    run: ({ bank, show }, { body }) =>
      show(
        TRANSACTION_VIEW,
        bank.payments.receive('ach_received_push', parseIncomingAch(body, bank.program)),
      ),
  }),

  operation({
    id: 'v2_simulate_incoming_ach_pull',
    method: 'POST',
    path: '/v2/simulate/incoming/ach/pull',
    summary: 'Simulate an incoming ACH pull',
    description:
      'Simulates an ACH debit with which another bank pulls money from a sub account. If real-time authorization is configured, the bank first sends a request to your program. A debit that exceeds the balance is received and then returned with R01.',
    answer: 'The payment, received.',
    decisions: ['incoming-not-taken', 'incoming-ach-fields', 'real-time-stand-in', 'master-account-incoming'],
    status: 201,
    body: IncomingAchPull,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        master_account_id: seed('master_account_id'),
        sub_account_id: seed('sub_account_id'),
        amount: '75.00',
        description: 'Seed funds',
        counterparty: { name: 'Pat Rowe', routing_number: '021000021' },
        counterparty_name: 'Pat Rowe',
        counterparty_routing_number: '021000021',
      }),
    },
    prepare: (authorizer, bank, { body }) =>
      authorizer.debit('ach_received_pull', parseIncomingAchPull(body, bank.program)),
    run: ({ bank, prepared, show }, { body }) => {
      const input = {
        ...parseIncomingAchPull(body, bank.program),
        ...(prepared !== undefined && { rta: prepared }),
      };
      return show(TRANSACTION_VIEW, bank.payments.receive('ach_received_pull', input));
    },
  }),

  operation({
    id: 'v2_simulate_incoming_domestic_wire',
    method: 'POST',
    path: '/v2/simulate/incoming/domestic_wire',
    summary: 'Simulate an incoming domestic wire',
    description:
      'Simulates a wire from another bank in the United States. The payment is `received` and settles at once while the wire network is open.',
    answer: 'The payment, received.',
    decisions: ['wire-timing', 'master-account-incoming'],
    status: 201,
    body: IncomingDomesticWire,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        master_account_id: seed('master_account_id'),
        sub_account_id: seed('sub_account_id'),
        amount: '75.00',
        description: 'Seed funds',
        counterparty: { name: 'Pat Rowe', account_number: '5500112255', routing_number: '021000021' },
      }),
    },
    run: ({ bank, show }, { body }) =>
      show(
        TRANSACTION_VIEW,
        bank.payments.receive('domestic_wire_received', parseIncomingDomesticWire(body, bank.program)),
      ),
  }),

  operation({
    id: 'v2_simulate_incoming_international_wire',
    method: 'POST',
    path: '/v2/simulate/incoming/international_wire',
    summary: 'Simulate an incoming international wire',
    description:
      'Simulates a wire from a bank abroad. The payment is `received` and settles at once while the wire network is open.',
    answer: 'The payment, received.',
    decisions: ['wire-timing', 'master-account-incoming'],
    status: 201,
    body: IncomingInternationalWire,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        master_account_id: seed('master_account_id'),
        sub_account_id: seed('sub_account_id'),
        amount: '75.00',
        description: 'Seed funds',
        counterparty: {
          name: 'Pat Rowe',
          identifier_code: 'COBADEFFXXX',
          account_number: 'DE89370400440532013000',
          address: { ...ADDRESS, city: 'Frankfurt', state: '', country: 'DE' },
        },
      }),
    },
    run: ({ bank, show }, { body }) =>
      show(
        TRANSACTION_VIEW,
        bank.payments.receive(
          'international_wire_received',
          parseIncomingInternationalWire(body, bank.program),
        ),
      ),
  }),

  operation({
    id: 'v2_simulate_incoming_card_issuing',
    method: 'POST',
    path: '/v2/simulate/incoming/card_issuing',
    summary: 'Simulate a card transaction',
    description:
      'Simulates actions of a merchant with a card: authorize, settle, reverse or refund. An authorization holds the amount, and expires after seven days unless it is settled. If the card, the account or your real-time authorization declines a purchase, the response is 2xx with a transaction of type `decline`.',
    answer: 'The card transaction; a declined purchase has the type `decline`.',
    decisions: ['authorization-checks', 'v2-simulated-decline', 'real-time-stand-in', 'simulated-card-pairs'],
    status: 201,
    refuses: ['illegal_step', 'reversal_not_allowed'],
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
    async prepare(authorizer, _bank, { body }) {
      const action = parseCardAction(body);
      return action.kind === 'authorize' ? authorizer.card(action.input) : undefined;
    },
    run: ({ bank, prepared, show }, { body }) =>
      show(TRANSACTION_VIEW, carryOut(bank.cardPayments, parseCardAction(body), prepared)),
  }),
] as const;
