/**
 * The 404 and 400 errors of v2, verbatim where they are published. A row of a 404 names the operation and the unknown
 * id: a path parameter, or a field of the body. Source: the error examples of the operation pages in the platform's
 * v2 reference; decision `mistaken-error-examples` in docs/fidelity.md for the three that name the wrong thing.
 */

export const NOT_FOUND_V2: Readonly<Record<string, string>> = {
  'cannot find account by id in qldb': `
    GET   /v2/accounts/master_account/{master_account_id}             master_account_id
    GET   /v2/accounts/sub_account/{sub_account_id}                   sub_account_id
    PATCH /v2/accounts/sub_account/{sub_account_id}                   sub_account_id
    POST  /v2/accounts/sub_account_holder                             master_account_id
    POST  /v2/payments/counterparty                                   sub_account_id
    POST  /v2/payments/intra_account/push                             sub_account_id
    POST  /v2/payments/intra_account/pull                             sub_account_id
    POST  /v2/payments/ach/push                                       sub_account_id
    POST  /v2/payments/ach/pull                                       sub_account_id
    POST  /v2/payments/domestic_wire/push                             sub_account_id
    POST  /v2/payments/international_wire/push                        sub_account_id
    POST  /v2/payments/rtp/push                                       sub_account_id
    POST  /v2/payments/fednow/push                                    sub_account_id
    POST  /v2/payments/debitcard/push                                 sub_account_id
    POST  /v2/payments/debitcard/pull                                 sub_account_id
    POST  /v2/payments/check/send                                     sub_account_id
    POST  /v2/payments/check/deposit                                  sub_account_id
    POST  /v2/payments/transaction                                    sub_account_id
  `,
  'cannot find account holder by client id in qldb': `
    POST  /v2/accounts/sub_account                                    sub_account_holder_id
    PATCH /v2/accounts/sub_account_holder/{sub_account_holder_id}     sub_account_holder_id
    POST  /v2/accounts/sub_account_holder/{sub_account_holder_id}/kyc sub_account_holder_id
    POST  /v2/accounts/sub_account_holder/{sub_account_holder_id}/kyb sub_account_holder_id
  `,
  'cannot find card holder by id in qldb': `
    GET   /v2/issuing/card_holder/{card_holder_id}                    card_holder_id
    PATCH /v2/issuing/card_holder/{card_holder_id}                    card_holder_id
    POST  /v2/issuing/card                                            card_holder_id
    GET   /v2/issuing/card/{card_id}                                  card_id
    PATCH /v2/issuing/card/{card_id}                                  card_id
    PATCH /v2/issuing/card/{card_id}/activate                         card_id
    POST  /v2/issuing/card/{card_id}/provision                        card_id
    POST  /v2/issuing/card/{card_id}/replace                          card_id
    POST  /v2/issuing/card/{card_id}/set_pin_token                    card_id
    POST  /v2/issuing/card/{card_id}/show_token                       card_id
  `,
  'cannot find counterparty by id in qldb': `
    GET   /v2/payments/counterparty/{counterparty_id}                 counterparty_id
    PATCH /v2/payments/counterparty/{counterparty_id}                 counterparty_id
  `,
  'cannot find transaction by id in qldb': `
    GET   /v2/payments/transaction/{transaction_id}                   transaction_id
    PATCH /v2/payments/transaction/{transaction_id}                   transaction_id
  `,
};

/** Refused bodies, each with the published part of the response. */
export const INVALID_V2: readonly {
  method: 'POST' | 'PATCH';
  path: string;
  /** The body, or the changed fields of the example. */
  body: string | Record<string, unknown>;
  code: string;
  message: string;
  field: string;
}[] = [
  {
    method: 'POST',
    path: '/v2/accounts/sub_account_holder',
    body: { type: undefined },
    code: 'ERROR_CODE_INVALID_FIELD',
    message: 'no type specified!',
    field: 'type',
  },
  {
    method: 'POST',
    path: '/v2/payments/counterparty',
    body: { type: undefined },
    code: 'ERROR_CODE_INVALID_FIELD',
    message: 'type must be properly set',
    field: '',
  },
  {
    method: 'POST',
    path: '/v2/issuing/card',
    body: { type: undefined },
    code: 'ERROR_CODE_INVALID_FIELD',
    message: 'enum is required',
    field: 'type',
  },
  {
    method: 'PATCH',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id',
    body: '{"person":',
    code: 'ERROR_CODE_INVALID_REQUEST_BODY',
    message: 'invalid request body',
    field: '',
  },
  {
    method: 'PATCH',
    path: '/v2/issuing/card_holder/:card_holder_id',
    body: { person: { phone: '5035550123' } },
    code: 'ERROR_CODE_INVALID_PHONE',
    message: 'invalid phone',
    field: 'phone',
  },
];
