/**
 * The operations of v2 with their responses and the documented fields. Source: the index and the operation pages of
 * the platform's v2 reference. No update of a webhook is published.
 */
import { type PublishedOperation, readOperations } from '../operations.ts';
import { CARD_PIN, SHOWN_CARD_V1 } from '../v1/card.ts';
import { CONTACT } from '../v1/contact.ts';
import { MASTER_ACCOUNT, SUB_ACCOUNT } from './accounts.ts';
import { CARD, PROVISIONED, SET_PIN_TOKEN, SHOW_TOKEN, SHOWN_CARD } from './card.ts';
import { BANK_INFO, COUNTERPARTY } from './counterparty.ts';
import { CARD_HOLDER, SUB_ACCOUNT_HOLDER } from './holders.ts';
import { ATTACHMENT, LIST_V2, WEBHOOK_EVENTS, WEBHOOK_V2, WEBHOOK_WITH_SECRET } from './others.ts';
import { TRANSACTION } from './transaction.ts';

const TABLES = {
  master_account: MASTER_ACCOUNT,
  holder: SUB_ACCOUNT_HOLDER,
  sub_account: SUB_ACCOUNT,
  counterparty: COUNTERPARTY,
  bank_info: BANK_INFO,
  card_holder: CARD_HOLDER,
  card: CARD,
  set_pin_token: SET_PIN_TOKEN,
  show_token: SHOW_TOKEN,
  shown_card: SHOWN_CARD,
  shown_card_v1: SHOWN_CARD_V1,
  pin: CARD_PIN,
  contact: CONTACT,
  provisioned: PROVISIONED,
  transaction: TRANSACTION,
  attachment: ATTACHMENT,
  webhook: WEBHOOK_V2,
  webhook_with_secret: WEBHOOK_WITH_SECRET,
  webhook_events: WEBHOOK_EVENTS,
};

const ROWS = `
  GET    /v2/accounts/master_account                                  200 list<master_account> : master_account_holder_id status limit starting_after ending_before
  GET    /v2/accounts/master_account/{master_account_id}              200 master_account
  POST   /v2/accounts/sub_account_holder                              201 holder : master_account_id type person business verification external_reference_id purpose metadata
  GET    /v2/accounts/sub_account_holder                              200 list<holder> : master_account_id sub_account_id external_reference_id limit starting_after ending_before
  GET    /v2/accounts/sub_account_holder/{sub_account_holder_id}      200 holder
  PATCH  /v2/accounts/sub_account_holder/{sub_account_holder_id}      200 holder : person business verification external_reference_id purpose metadata status
  POST   /v2/accounts/sub_account_holder/{sub_account_holder_id}/kyc  201 holder
  POST   /v2/accounts/sub_account_holder/{sub_account_holder_id}/kyb  201 holder
  POST   /v2/accounts/sub_account_holder/{sub_account_holder_id}/idv  201 holder
  POST   /v2/accounts/sub_account                                     201 sub_account : sub_account_holder_id label type external_reference_id purpose metadata
  GET    /v2/accounts/sub_account                                     200 list<sub_account> : sub_account_holder_id master_account_id status external_reference_id limit starting_after ending_before
  GET    /v2/accounts/sub_account/{sub_account_id}                    200 sub_account
  PATCH  /v2/accounts/sub_account/{sub_account_id}                    200 sub_account : label external_reference_id purpose metadata status
  POST   /v2/payments/counterparty                                    201 counterparty : sub_account_id label type person business intra_account ach domestic_wire international_wire rtp fednow check debit_card purpose external_reference_id metadata
  GET    /v2/payments/counterparty                                    200 list<counterparty> : sub_account_id external_reference_id status limit starting_after ending_before
  GET    /v2/payments/counterparty/bank                               200 bank_info : type routing_number
  GET    /v2/payments/counterparty/{counterparty_id}                  200 counterparty
  PATCH  /v2/payments/counterparty/{counterparty_id}                  200 counterparty : label type person business intra_account ach domestic_wire international_wire rtp fednow check debit_card purpose external_reference_id metadata status
  POST   /v2/issuing/card_holder                                      201 card_holder : sub_account_id person external_reference_id purpose metadata
  GET    /v2/issuing/card_holder                                      200 list<card_holder> : master_account_id limit starting_after ending_before
  GET    /v2/issuing/card_holder/{card_holder_id}                     200 card_holder
  PATCH  /v2/issuing/card_holder/{card_holder_id}                     200 card_holder : person external_reference_id purpose metadata status
  POST   /v2/issuing/card                                             201 card : cardholder_id card_holder_id label product theme type card_fulfilment controls external_reference_id metadata
  GET    /v2/issuing/card                                             200 list<card> : sub_account_id card_holder_id limit starting_after ending_before
  GET    /v2/issuing/card/{card_id}                                   200 card
  PATCH  /v2/issuing/card/{card_id}                                   200 card : label controls external_reference_id metadata status
  PATCH  /v2/issuing/card/{card_id}/activate                          200 card : expiry_month expiry_year last4
  POST   /v2/issuing/card/{card_id}/provision                         200 provisioned : wallet apple_pay google_pay samsung_pay
  POST   /v2/issuing/card/{card_id}/replace                           200 card : reason card_fulfilment
  POST   /v2/issuing/card/{card_id}/set_pin_token                     200 set_pin_token
  POST   /v2/issuing/card/{card_id}/show_token                        200 show_token
  + GET  /v2/issuing/card/{card_id}/show                              200 shown_card : card-number-shown
  + GET  /v2/card/{cardId}/show                                       200 shown_card_v1 : v2-vault-paths
  + POST /v2/card/{cardId}/pin                                        200 pin : v2-vault-paths
  + PATCH /v2/contact/{contactId}/debitcard                           200 contact : v2-vault-paths
  + POST /v2/contact/{contactId}/debitcard                            201 contact : v2-vault-paths
  POST   /v2/payments/transaction                                     201 transaction : master_account_transaction_id sub_account_id amount
  GET    /v2/payments/transaction                                     200 list<transaction> : sub_account_id master_account_id sub_account_holder_id master_account_holder_id external_reference_id ledger_type limit starting_after ending_before
  GET    /v2/payments/transaction/{transaction_id}                    200 transaction
  PATCH  /v2/payments/transaction/{transaction_id}                    200 transaction : description metadata
  POST   /v2/payments/intra_account/push                              201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/intra_account/pull                              201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/ach/push                                        201 transaction : sub_account_id counterparty_id amount description external_reference_id same_day effective_date company_discretionary_data company_entry_description
  POST   /v2/payments/ach/pull                                        201 transaction : sub_account_id counterparty_id amount description external_reference_id same_day effective_date company_discretionary_data company_entry_description
  POST   /v2/payments/domestic_wire/push                              201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/international_wire/push                         201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/rtp/push                                        201 transaction : sub_account_id counterparty_id amount description external_reference_id reference_number
  POST   /v2/payments/fednow/push                                     201 transaction : sub_account_id counterparty_id amount description external_reference_id reference_number
  POST   /v2/payments/debitcard/push                                  201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/debitcard/pull                                  201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/check/send                                      201 transaction : sub_account_id counterparty_id amount description external_reference_id
  POST   /v2/payments/check/deposit                                   201 transaction : sub_account_id counterparty_id amount description external_reference_id image
  POST   /v2/attachment                                               201 attachment : reference_id label
  GET    /v2/attachment                                               200 list<attachment> : limit starting_after ending_before
  GET    /v2/attachment/{attachment_id}                               200 attachment
  DELETE /v2/attachment/{attachment_id}                               204 -
  POST   /v2/webhook                                                  201 webhook_with_secret : description url events
  GET    /v2/webhook                                                  200 list<webhook> : limit starting_after ending_before
  GET    /v2/webhook/events                                           200 webhook_events
  GET    /v2/webhook/{webhook_id}                                     200 webhook
  DELETE /v2/webhook/{webhook_id}                                     204 -
  POST   /v2/simulate/incoming/ach/push                               201 transaction : master_account_id sub_account_id amount description counterparty
  POST   /v2/simulate/incoming/ach/pull                               201 transaction : master_account_id sub_account_id amount description counterparty
  POST   /v2/simulate/incoming/domestic_wire                          201 transaction : master_account_id sub_account_id amount description counterparty
  POST   /v2/simulate/incoming/international_wire                     201 transaction : master_account_id sub_account_id amount description counterparty
  POST   /v2/simulate/incoming/card_issuing                           201 transaction : card_id amount parent_transaction_id type status
`;

export const OPERATIONS_V2: readonly PublishedOperation[] = readOperations(ROWS, TABLES, LIST_V2);
