/**
 * Counterparties and the look-up of a bank.
 * Source: the counterparty operations of the platform's v2 reference.
 */
import { rows, table, under } from '../rows.ts';
import {
  ADDRESS,
  ATTACHMENTS,
  foreignBank,
  OFAC,
  OWNER,
  SCREENED_BUSINESS,
  SCREENED_PERSON,
} from './parts.ts';

const BANK_ACCOUNT = rows(`
  account_number                  text
  routing_number                  digits:9
  account_type                    (business_checking|business_savings|personal_checking|personal_savings)?
  bank_name                       text?
`);
export const COUNTERPARTY = table(
  'counterparty',
  OWNER,
  `
  id                              ctp_
  sub_account_holder_id           sah_
  sub_account_id                  sub_
  label                           text
  type                            (person|business)
  person                          object?
  business                        object?
  purpose                         text?
  external_reference_id           text?
  metadata                        pairs?
  status                          (pending_activation*|activated|suspended|deactivated|locked*) : v2-uncaused-kinds
  timestamps.created_at           time
  timestamps.updated_at           time
  timestamps.deactivated_at       time?

  intra_account                   object?
  intra_account.sub_account_number text
  intra_account.sub_account_id    sub_
  ach                             object?
  ach.verification_status         (pass|fail*|review)       : bank-account-verification
  domestic_wire                   object?
  international_wire              object?
  international_wire.account_number text
  rtp                             object?
  rtp.verification_status         (pass|fail*|review*)      : bank-account-verification
  fednow                          object?
  fednow.verification_status      (pass|fail*|review*)      : bank-account-verification
  check                           object?
  check.address                   object
  debit_card                      object?
  debit_card.card_number          text
  debit_card.last4                digits:4?
  debit_card.expiry_month         month?
  debit_card.expiry_year          digits:4?
  debit_card.cvv                  empty                     : debit-card-kept
  debit_card.address              object?
  debit_card.pull_enabled         flag
  debit_card.push_enabled         flag
  `,
  under('person', SCREENED_PERSON),
  under('business', SCREENED_BUSINESS),
  under('ach', BANK_ACCOUNT),
  under('domestic_wire', BANK_ACCOUNT),
  under('rtp', BANK_ACCOUNT),
  under('fednow', BANK_ACCOUNT),
  foreignBank('international_wire.beneficiary_bank'),
  foreignBank('international_wire.correspondent_bank'),
  under('check.address', ADDRESS),
  under('debit_card.address', ADDRESS),
  OFAC,
  ATTACHMENTS,
);

export const BANK_INFO = table(
  'bank_info',
  `
  routing_number                  text
  bank_name                       text?
  type                            (aba|swift)
  payment_methods                 texts
  address                         object?
  address.line1                   empty                     : bank-numbers
  address.line2                   empty                     : bank-numbers
  address.city                    text?
  address.state                   text?
  address.country                 text?
  address.postal_code             empty                     : bank-numbers
  `,
);
