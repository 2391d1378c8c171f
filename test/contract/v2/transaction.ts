/**
 * Transactions.
 * Source: the transaction operations of the platform's v2 reference.
 */
import { table, under } from '../rows.ts';
import { ADDRESS, ATTACHMENTS, foreignBank, OFAC } from './parts.ts';

export const TRANSACTION = table(
  'transaction',
  `
  id                              txn_
  client_id                       cli_
  master_account_holder_id        mah_
  master_account_id               mas_
  sub_account_holder_id           sah_?
  sub_account_id                  sub_?
  status                          (originated|pending|clearing|cleared|settled|canceled|in_review|returned|reversed|received|declined|refunded)
  amount                          money
  currency                        (usd)
  direction                       (debit|credit)
  method                          (ach|domestic_wire|international_wire|check|fednow|rtp|debit_card|card_issuing|intra_account)
  type                            (push|pull|decline|cancel|return|send|deposit|request*|auth|adjust|reverse|refund) : no operation requests
  message                         (incoming|outgoing)
  description                     text?
  available_balance               signed
  pending_credits                 money
  pending_debits                  money
  counterparty                    object?
  counterparty.id                 ctp_?
  counterparty.name               text?
  counterparty.verification_status (pass|fail*|review)?     : bank-account-verification
  counterparty.account_number     text?
  counterparty.routing_number     digits:9?
  counterparty.account_type       (business_checking|business_savings|personal_checking|personal_savings)?
  counterparty.bank_name          text?
  counterparty.shipping_address   object?
  ach                             object?
  + ach.same_day                  flag                      : in every published example
  ach.effective_date              date
  ach.company_discretionary_data  text?
  ach.company_entry_description   text?
  ach.trace_number                digits:14?
  ach.return_code                 text?
  ach.rta_id                      rta_?
  domestic_wire                   object?
  domestic_wire.imad              text?
  domestic_wire.omad              text?
  international_wire              object?
  international_wire.imad         text?
  international_wire.omad         text?
  rtp                             object?
  rtp.reference_number            text?
  fednow                          object?
  fednow.reference_number         text?
  check                           object?
  check.check_number              text?
  check.cashed                    flag
  + check.tracking                object?                   : in the published example of a sent check
  + check.tracking.status         (pending|shipped|delivered|returned*|canceled*|failure*) : in the published example of a sent check
  + check.tracking.eta            date?                     : in the published example of a sent check
  card                            object?
  card.id                         crd_
  card.cardholder_id              cah_
  + card.card_holder_id           cah_                      : card-holder-id-names
  card.merchant                   text
  card.auth_method                (online|+keyed_in|+swipe|+chip|+contactless|+other) : one word is published; the others are those of v1
  card.wallet                     (google_pay|+apple_pay|+samsung_pay)? : one word is published; the others are those of the provision
  card.rta_id                     rta_?
  card.local_transaction.amount   money
  card.local_transaction.currency (usd)
  card.local_transaction.conversion_rate rate
  card.available_limit            object?
  card.available_limit.period     (daily|per_transaction|weekly|monthly|yearly|all_time)
  card.available_limit.max_spend_amount money?
  + card.available_limit.max_spend_count count?             : in the published examples
  + card.network_settlement_at    time?                     : in the published examples
  parent_transaction_id           txn_?
  external_reference_id           text?
  purpose                         empty                     : no operation takes one
  metadata                        pairs?
  reconciliation.status           (reconciled|not_reconciled)
  reconciliation.master_account   list?
  reconciliation.master_account[].id mas_
  reconciliation.master_account[].transaction_id txn_
  reconciliation.master_account[].amount money
  reconciliation.sub_account      list?
  reconciliation.sub_account[].id sub_
  reconciliation.sub_account[].transaction_id txn_
  reconciliation.sub_account[].amount money
  timestamps.created_at           time
  timestamps.updated_at           time
  timestamps.settled_at           time?
  `,
  foreignBank('counterparty.beneficiary_bank'),
  foreignBank('counterparty.correspondent_bank'),
  under('counterparty.shipping_address', ADDRESS),
  OFAC,
  ATTACHMENTS,
);
