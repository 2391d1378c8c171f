/**
 * The operations that the platform documents for v2 and this bank does not have, in the order of its reference. They are
 * answered with 501, so that a caller can tell them from a path that nobody knows. An operation that is built moves from
 * here to `operations.ts`.
 * Source: the index of the platform's v2 reference; row 19 of docs/fidelity.md.
 */
import type { AnyOperation } from '../operation.ts';

export const V2_DOCUMENTED: readonly Pick<AnyOperation, 'method' | 'path' | 'summary'>[] = [
  { method: 'GET', path: '/v2/accounts/master_account', summary: 'List master accounts' },
  {
    method: 'GET',
    path: '/v2/accounts/master_account/:master_account_id',
    summary: 'Retrieve a master account',
  },
  { method: 'GET', path: '/v2/accounts/sub_account_holder', summary: 'List sub account holders' },
  {
    method: 'PATCH',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id',
    summary: 'Update a sub account holder',
  },
  {
    method: 'POST',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id/idv',
    summary: 'Submit an IDV',
  },
  { method: 'POST', path: '/v2/accounts/sub_account', summary: 'Create a sub account' },
  { method: 'GET', path: '/v2/accounts/sub_account', summary: 'List sub accounts' },
  { method: 'PATCH', path: '/v2/accounts/sub_account/:sub_account_id', summary: 'Update a sub account' },
  { method: 'POST', path: '/v2/payments/counterparty', summary: 'Create a counterparty' },
  { method: 'GET', path: '/v2/payments/counterparty', summary: 'List counterparties' },
  { method: 'GET', path: '/v2/payments/counterparty/bank', summary: 'Retrieve the bank of a routing number' },
  { method: 'GET', path: '/v2/payments/counterparty/:counterparty_id', summary: 'Retrieve a counterparty' },
  { method: 'PATCH', path: '/v2/payments/counterparty/:counterparty_id', summary: 'Update a counterparty' },
  { method: 'POST', path: '/v2/issuing/card_holder', summary: 'Create a card holder' },
  { method: 'GET', path: '/v2/issuing/card_holder', summary: 'List card holders' },
  { method: 'GET', path: '/v2/issuing/card_holder/:card_holder_id', summary: 'Retrieve a card holder' },
  { method: 'PATCH', path: '/v2/issuing/card_holder/:card_holder_id', summary: 'Update a card holder' },
  { method: 'POST', path: '/v2/issuing/card', summary: 'Create a card' },
  { method: 'GET', path: '/v2/issuing/card', summary: 'List cards' },
  { method: 'PATCH', path: '/v2/issuing/card/:card_id/activate', summary: 'Activate a card' },
  { method: 'POST', path: '/v2/issuing/card/:card_id/provision', summary: 'Provision a card for a wallet' },
  { method: 'POST', path: '/v2/issuing/card/:card_id/replace', summary: 'Reissue a card' },
  { method: 'POST', path: '/v2/issuing/card/:card_id/set_pin_token', summary: 'Get a token that sets a PIN' },
  { method: 'POST', path: '/v2/issuing/card/:card_id/show_token', summary: 'Get a token that shows a card' },
  { method: 'POST', path: '/v2/payments/transaction', summary: 'Sub-ledger a transaction' },
  { method: 'GET', path: '/v2/payments/transaction', summary: 'List transactions' },
  { method: 'PATCH', path: '/v2/payments/transaction/:transaction_id', summary: 'Update a transaction' },
  { method: 'POST', path: '/v2/payments/intra_account/push', summary: 'Originate an intra-account push' },
  { method: 'POST', path: '/v2/payments/ach/push', summary: 'Originate an ACH push' },
  { method: 'POST', path: '/v2/payments/domestic_wire/push', summary: 'Originate a domestic wire' },
  {
    method: 'POST',
    path: '/v2/payments/international_wire/push',
    summary: 'Originate an international wire',
  },
  { method: 'POST', path: '/v2/payments/rtp/push', summary: 'Originate an RTP push' },
  { method: 'POST', path: '/v2/payments/fednow/push', summary: 'Originate a FedNow push' },
  { method: 'POST', path: '/v2/payments/debitcard/push', summary: 'Originate a debit card push' },
  { method: 'POST', path: '/v2/payments/debitcard/pull', summary: 'Originate a debit card pull' },
  { method: 'POST', path: '/v2/payments/check/send', summary: 'Send a check' },
  { method: 'POST', path: '/v2/payments/check/deposit', summary: 'Deposit a check' },
  { method: 'POST', path: '/v2/attachment', summary: 'Create an attachment' },
  { method: 'GET', path: '/v2/attachment', summary: 'List attachments' },
  { method: 'GET', path: '/v2/attachment/:attachment_id', summary: 'Retrieve an attachment' },
  { method: 'DELETE', path: '/v2/attachment/:attachment_id', summary: 'Delete an attachment' },
  { method: 'GET', path: '/v2/webhook/events', summary: 'List the event kinds' },
  { method: 'POST', path: '/v2/simulate/incoming/ach/push', summary: 'Simulate an incoming ACH push' },
  { method: 'POST', path: '/v2/simulate/incoming/ach/pull', summary: 'Simulate an incoming ACH pull' },
  {
    method: 'POST',
    path: '/v2/simulate/incoming/domestic_wire',
    summary: 'Simulate an incoming domestic wire',
  },
  {
    method: 'POST',
    path: '/v2/simulate/incoming/international_wire',
    summary: 'Simulate an incoming international wire',
  },
  { method: 'POST', path: '/v2/simulate/incoming/card_issuing', summary: 'Simulate a card transaction' },
];
