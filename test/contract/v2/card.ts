/** Cards and related data. Source: the card operations of the platform's v2 reference. */
import { rows, table, under } from '../rows.ts';
import { ADDRESS, OWNER } from './parts.ts';

const LISTS = rows(`
  merchants                       texts
  categories                      texts
  countries                       texts
`);

export const CARD = table(
  'card',
  OWNER,
  `
  id                              crd_
  sub_account_holder_id           sah_
  sub_account_id                  sub_
  cardholder_id                   cah_
  + card_holder_id                cah_                      : card-holder-id-names
  label                           text?
  product                         (business_spend|consumer_debit|business_debit|consumer_gpr|consumer_gpnr|consumer_payroll|consumer_hsa|consumer_fsa|consumer_govt_benefits)
  theme                           text?
  type                            (physical|virtual)
  expiry_month                    month
  expiry_year                     digits:4
  last4                           digits:4
  card_fulfilment                 object?
  card_fulfilment.embossing.card_holder_name text?
  card_fulfilment.embossing.business_name text?
  card_fulfilment.shipping_address object?
  card_fulfilment.tracking.status (pending|shipped|delivered|returned*|canceled*|failure*) : nothing brings a shipment back
  card_fulfilment.tracking.eta    date
  card_fulfilment.tracking.number text?
  card_fulfilment.tracking.url    text?
  card_fulfilment.tracking.provider text?
  controls.limit.period           (daily|weekly|monthly|yearly|all_time|per_transaction)?
  controls.limit.max_spend_amount money?
  controls.limit.max_spend_per_transaction money?
  controls.limit.max_spend_count  count?
  controls.atm_enabled            flag
  external_reference_id           text?
  attachments                     list?
  attachments[].id                att_
  attachments[].label             text?
  attachments[].created_at        time
  + attachments[].timestamps.created_at time                : attachments-shown
  + attachments[].timestamps.deleted_at empty               : attachments-shown
  metadata                        pairs?
  status                          (open|closed|blocked|locked)
  timestamps.created_at           time
  timestamps.updated_at           time
  timestamps.closed_at            time?
  `,
  under('card_fulfilment.shipping_address', ADDRESS),
  under('controls.allowed', LISTS),
  under('controls.blocked', LISTS),
);

export const SET_PIN_TOKEN = table(
  'set_pin_token',
  `
  id                              crd_
  set_pin_token                   hex:card_pin_test_
  `,
);

export const SHOW_TOKEN = table(
  'show_token',
  `
  id                              crd_
  show_token                      hex:card_show_test_
  `,
);

/** Ours: the platform shows it through its own software kit. */
export const SHOWN_CARD = table(
  'shown_card',
  `
  + id                            crd_                      : card-number-shown
  + card_number                   digits:16                 : card-number-shown
  + cvv                           digits:3                  : card-number-shown
  + expiry_month                  month                     : card-number-shown
  + expiry_year                   digits:4                  : card-number-shown
  `,
);

export const PROVISIONED = table(
  'provisioned',
  `
  wallet                          (apple_pay|google_pay|samsung_pay)
  apple_pay                       object?
  apple_pay.payment_account_reference text
  apple_pay.activation_data       text
  apple_pay.encrypted_pass_data   text
  apple_pay.ephemeral_public_key  text
  google_pay                      object?
  google_pay.payment_account_reference text
  google_pay.opaque_payment_card  text
  samsung_pay                     object?
  samsung_pay.payment_account_reference text
  samsung_pay.opaque_payment_card text
  `,
);
