/**
 * The table of contents of v2: with what is emulated and what is only documented it is the platform's whole index.
 */
import { describe, expect, it } from 'vitest';
import { V2_OPERATIONS } from '../../../src/api/v2/index.ts';

const INDEX = `
GET /v2/accounts/master_account
GET /v2/accounts/master_account/:master_account_id
POST /v2/accounts/sub_account_holder
GET /v2/accounts/sub_account_holder
GET /v2/accounts/sub_account_holder/:sub_account_holder_id
PATCH /v2/accounts/sub_account_holder/:sub_account_holder_id
POST /v2/accounts/sub_account_holder/:sub_account_holder_id/kyc
POST /v2/accounts/sub_account_holder/:sub_account_holder_id/kyb
POST /v2/accounts/sub_account_holder/:sub_account_holder_id/idv
POST /v2/accounts/sub_account
GET /v2/accounts/sub_account
GET /v2/accounts/sub_account/:sub_account_id
PATCH /v2/accounts/sub_account/:sub_account_id
POST /v2/payments/counterparty
GET /v2/payments/counterparty
GET /v2/payments/counterparty/:counterparty_id
PATCH /v2/payments/counterparty/:counterparty_id
GET /v2/payments/counterparty/bank
POST /v2/issuing/card_holder
GET /v2/issuing/card_holder
GET /v2/issuing/card_holder/:card_holder_id
PATCH /v2/issuing/card_holder/:card_holder_id
POST /v2/issuing/card
GET /v2/issuing/card
GET /v2/issuing/card/:card_id
PATCH /v2/issuing/card/:card_id
PATCH /v2/issuing/card/:card_id/activate
POST /v2/issuing/card/:card_id/provision
POST /v2/issuing/card/:card_id/replace
POST /v2/issuing/card/:card_id/set_pin_token
POST /v2/issuing/card/:card_id/show_token
GET /v2/payments/transaction
POST /v2/payments/transaction
GET /v2/payments/transaction/:transaction_id
PATCH /v2/payments/transaction/:transaction_id
POST /v2/payments/intra_account/push
POST /v2/payments/intra_account/pull
POST /v2/payments/ach/push
POST /v2/payments/ach/pull
POST /v2/payments/domestic_wire/push
POST /v2/payments/international_wire/push
POST /v2/payments/rtp/push
POST /v2/payments/fednow/push
POST /v2/payments/debitcard/push
POST /v2/payments/debitcard/pull
POST /v2/payments/check/send
POST /v2/payments/check/deposit
POST /v2/attachment
GET /v2/attachment
GET /v2/attachment/:attachment_id
DELETE /v2/attachment/:attachment_id
POST /v2/webhook
GET /v2/webhook
GET /v2/webhook/:webhook_id
DELETE /v2/webhook/:webhook_id
GET /v2/webhook/events
POST /v2/simulate/incoming/ach/push
POST /v2/simulate/incoming/ach/pull
POST /v2/simulate/incoming/domestic_wire
POST /v2/simulate/incoming/international_wire
POST /v2/simulate/incoming/card_issuing
`
  .trim()
  .split('\n');

/** What the platform does outside of its interface. */
const OURS = [
  'GET /v2/issuing/card/:card_id/show',
  'GET /v2/card/:cardId/show',
  'POST /v2/card/:cardId/pin',
  'PATCH /v2/contact/:contactId/debitcard',
  'POST /v2/contact/:contactId/debitcard',
];
/** They act on a card, or hand out a token, and make no record. */
const ACTS = /^POST .*(card_id\/(provision|replace|set_pin_token|show_token)|cardId\/pin)$/;

const key = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('the operations of v2', () => {
  it('are, emulated or not, those of the index, each once', () => {
    expect(V2_OPERATIONS.map(key).sort()).toEqual([...INDEX, ...OURS].sort());
  });

  it('each have a name of their own', () => {
    const names = V2_OPERATIONS.map((operation) => operation.id);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(V2_OPERATIONS.map((operation) => [key(operation), operation] as const))(
    '%s succeeds with the documented status',
    (name, operation) => {
      const expected = { POST: 201, GET: 200, PATCH: 200, PUT: 200, DELETE: 204 }[operation.method];
      expect(operation.status).toBe(ACTS.test(name) ? 200 : expected);
    },
  );

  it('take the parameters that their paths name', () => {
    for (const { path, params } of V2_OPERATIONS) {
      const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      expect(Object.keys(params?.properties ?? {}), path).toEqual(named);
    }
  });
});
