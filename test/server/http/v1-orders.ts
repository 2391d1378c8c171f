/**
 * The originations of v1 for tests: a contact with every rail, one row for each operation, and the records to check
 * afterwards.
 */
import { expect } from 'vitest';
import type { Answer, Caller, ReceivedEvent } from './support.ts';

/**
 * The path of an operation, the fields of its body besides the common ones, and the transfer that it creates.
 */
export interface Order {
  readonly path: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly txnType: 'debit' | 'credit';
  readonly transferType: string;
  readonly status: string;
}

export const ORDERS: readonly Order[] = [
  { path: '/v1/send/intrabank', txnType: 'debit', transferType: 'intrabank', status: 'completed' },
  { path: '/v1/send/ach', txnType: 'debit', transferType: 'ach', status: 'completed' },
  {
    path: '/v1/send/wire',
    more: { type: 'domestic' },
    txnType: 'debit',
    transferType: 'domesticWire',
    status: 'pending',
  },
  {
    path: '/v1/send/check',
    more: { type: 'physical' },
    txnType: 'debit',
    transferType: 'physicalCheck',
    status: 'completed',
  },
  { path: '/v1/send/debitpush', txnType: 'debit', transferType: 'debitCard', status: 'pending' },
  { path: '/v1/receive/intrabank', txnType: 'credit', transferType: 'intrabank', status: 'completed' },
  { path: '/v1/receive/ach', txnType: 'credit', transferType: 'ach', status: 'pending' },
  { path: '/v1/receive/check', txnType: 'credit', transferType: 'physicalCheck', status: 'waitingForFiles' },
  { path: '/v1/receive/debitpull', txnType: 'credit', transferType: 'debitCard', status: 'pending' },
];

export const ADDRESS = {
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};

const BANK = { accountNumber: '000123456789', routingNumber: '122235821', accountType: 'businessSavings' };

/** Sets every rail of a contact that a transfer can use; the seeded contact by default. */
export async function giveRails(caller: Caller, contactId = caller.seed('contact_id')): Promise<void> {
  const contact = `/v1/contact/${contactId}`;
  const changed = await caller.v1('PATCH', contact, {
    intrabank: { accountId: caller.seed('other_sub_account_id') },
    wire: {
      domestic: { ...BANK, address: ADDRESS },
      international: { accountNumber: 'DE89370400440532013000', bankIdentifierCode: 'COBADEFF' },
    },
    check: { address: ADDRESS },
  });
  expect(changed.status, changed.text).toBe(200);
  const token = await caller.v1('POST', `${contact}/debitcard/token`);
  const card = { cardNumber: '4000056655665556', expiryMonth: '04', expiryYear: '2030', cvv: '123' };
  const set = await caller.v1(
    'PATCH',
    `${contact}/debitcard`,
    { debitCard: { ...card, address: ADDRESS } },
    { 'sd-debitcard-token': token.id('debitCardToken') },
  );
  expect(set.status, set.text).toBe(200);
}

/** Sends a request for a transfer without checking its response. */
export function send(caller: Caller, path: string, change: object = {}): Promise<Answer> {
  return caller.v1('POST', path, {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('contact_id'),
    amount: '41.20',
    description: 'Invoice 88',
    ...change,
  });
}

/** Creates a transfer that succeeds. */
export async function order(caller: Caller, { path, more }: Order, change: object = {}): Promise<Answer> {
  const answer = await send(caller, path, { ...more, ...change });
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

/** The row of the operation with this path. */
export function orderOf(path: string): Order {
  const found = ORDERS.find((row) => row.path === path);
  if (found === undefined) throw new Error(`nothing is ordered at ${path}`);
  return found;
}

/** The transactions of the seeded account, newest first. */
export async function entries(caller: Caller, query = ''): Promise<Record<string, unknown>[]> {
  const answer = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.at('data') as Record<string, unknown>[];
}

/** The available balance of an account in v1. */
export async function available(caller: Caller, account = 'account_id'): Promise<unknown> {
  return (await caller.v1('GET', `/v1/account/${caller.seed(account)}`)).at('availableBalance');
}

/** The received event kinds of v1. */
export async function kinds(caller: Caller): Promise<string[]> {
  return (await caller.receivedEvents()).v1.map(({ kind }) => kind);
}

/** The one record of a kind among the received events. */
export function recordOf(events: readonly ReceivedEvent[], kind: string): Record<string, unknown> {
  const found = events.filter((event) => event.kind === kind);
  expect(found.length, `${kind} among ${events.map((event) => event.kind).join(', ')}`).toBe(1);
  return found[0]?.record ?? {};
}
