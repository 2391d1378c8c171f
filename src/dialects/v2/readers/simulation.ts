/**
 * Reads the bodies of the simulate operations into what the bank is asked.
 * Source: the simulation operations of the platform's v2 reference; rows 181 and 185 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CardAuthorization, Incoming } from '../../../bank/inputs.ts';
import type { Cents } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { OtherSide, Program } from '../../../model/records.ts';
import { readId } from '../ids.ts';
import type {
  CardSimulation,
  IncomingAch,
  IncomingDomesticWire,
  IncomingInternationalWire,
} from '../shapes/simulation.ts';
import { readAmount, sent } from './fields.ts';
import { readAddress } from './people.ts';

type IncomingBody = Static<typeof IncomingAch>;

/** Reads an ACH from outside. Refuses: `account_not_found`, `master_account_not_found`, `amount_invalid`, `field_invalid`. */
export function readIncomingAch(body: IncomingBody, program: Program): Incoming {
  const { name, routing_number: routingNumber } = body.counterparty ?? {};
  return readIncoming(body, program, { ...sent('name', name), ...sent('routingNumber', routingNumber) });
}

/** Reads a wire from outside. Refuses as an ACH does. */
export function readIncomingDomesticWire(
  body: Static<typeof IncomingDomesticWire>,
  program: Program,
): Incoming {
  const { account_number: accountNumber } = body.counterparty ?? {};
  const ach = readIncomingAch(body, program);
  return { ...ach, sender: { ...ach.sender, ...sent('accountNumber', accountNumber) } };
}

/** Reads a wire from abroad, whose bank comes back as the correspondent bank. Refuses as an ACH does. */
export function readIncomingInternationalWire(
  body: Static<typeof IncomingInternationalWire>,
  program: Program,
): Incoming {
  const { name, account_number: accountNumber, identifier_code: code, address } = body.counterparty ?? {};
  const at = address === undefined ? null : readAddress(address);
  const bank = { identifierCode: code ?? '', name: '', address: at };
  return readIncoming(body, program, {
    ...sent('name', name),
    ...sent('accountNumber', accountNumber),
    ...(code || at !== null ? { correspondentBank: bank } : {}),
  });
}

function readIncoming(
  body: Pick<IncomingBody, 'master_account_id' | 'sub_account_id' | 'amount' | 'description'>,
  program: Program,
  sender: Partial<OtherSide>,
): Incoming {
  return {
    accountId: readTarget(body, program),
    amount: readAmount(body.amount),
    ...sent('description', body.description),
    sender,
  };
}

/** The sub account; `null` for the master account alone. */
function readTarget(
  { master_account_id: master = '', sub_account_id: sub = '' }: Partial<Record<string, string>>,
  program: Program,
): Id | null {
  if (master !== '' && readId('master_account', master) !== program.masterAccountId) {
    throw refuse('master_account_not_found');
  }
  if (sub !== '') return readId('account', sub);
  if (master !== '') return null;
  throw refuse('field_invalid', {
    field: 'sub_account_id',
    message: 'sub_account_id is required, or master_account_id alone for money that names no sub account',
  });
}

/** What a merchant does. */
export type CardWish =
  | { kind: 'authorize'; input: CardAuthorization; settled: boolean }
  | { kind: 'settle' | 'reverse' | 'refund' | 'promise'; cardId: Id; parentId: Id; amount: Cents };

/** What each type means with each status; the others mean nothing. */
const WISHES: Readonly<Record<string, Exclude<CardWish['kind'], 'authorize'>>> = {
  'adjust settled': 'settle',
  'reverse settled': 'reverse',
  'refund settled': 'refund',
  'refund pending': 'promise',
};

/**
 * Reads what a merchant does. Refuses: `card_not_found`, `transaction_not_found`, `amount_invalid`, `parent_missing`,
 * `field_invalid` for a pair of type and status that means nothing.
 */
export function readCardWish(body: Static<typeof CardSimulation>): CardWish {
  const { type, status, parent_transaction_id: parent = '' } = body;
  const cardId = readId('card', body.card_id);
  const amount = readAmount(body.amount);
  if (type === 'auth') {
    const input: CardAuthorization = { cardId, amount, authMethod: 'online' };
    return { kind: 'authorize', input, settled: status === 'settled' };
  }
  const kind = WISHES[`${type} ${status}`];
  if (kind === undefined) {
    throw refuse('field_invalid', {
      field: 'status',
      message: `of type ${type} there is only the status settled`,
    });
  }
  if (parent === '') {
    throw refuse('parent_missing', {
      field: 'parentId',
      message: `parent_transaction_id is required for type ${type}`,
    });
  }
  return { kind, cardId, parentId: readId('transaction', parent), amount };
}
