/**
 * Cards, related data, the card test and the declined authorizations. Source: the card pages of the platform's v1
 * reference and the models of its public clients.
 */
import { table, under } from '../rows.ts';
import { addressAt, MERCHANT } from './parts.ts';

export const CARD_V1 = table(
  'card',
  `
  id                              crd-
  accountId                       acc-?
  businessId                      bus-?
  familyId                        fam-?
  programId                       prg-
  createdPersonId                 per-?
  walletId                        empty                     : v1-card-filters
  cardholder.id                   chd-
  cardholder.personId             per-?
  cardholder.name                 text
  cardholder.createdAt            time
  cardholder.modifiedAt           time
  cardType                        (virtual|physical)
  label                           text?
  bin                             (debit|credit)
  currency                        (USD)
  limitAmount                     money?
  limitInterval                   (daily|weekly|monthly|yearly|allTime|perTransaction)?
  availableLimit                  money?
  allowedCategories               texts?
  blockedCategories               texts?
  allowedMerchants                texts?
  blockedMerchants                texts?
  atmAccess                       boolean
  theme                           text?
  embossingPerson                 text?
  embossingBusiness               text?
  shipping                        object?
  shipping.id                     shp-
  shipping.deliveryStatus         (pending|shipped|delivered|returned*|failure*|canceled*) : nothing brings a shipment back
  shipping.deliveryPartner        text?
  shipping.eta                    date?
  shipping.trackingNumber         text?
  shipping.trackingUrl            text?
  shipping.createdAt              time
  shipping.modifiedAt             time
  expiryMonth                     month
  expiryYear                      digits:4
  last4                           digits:4
  cardStatus                      (active|inactive|canceled|pendingActivation)
  activatedAt                     time?
  metadata                        pairs?
  createdAt                       time
  modifiedAt                      time
  `,
  addressAt('cardholder.billingAddress', 'billing'),
  addressAt('shipping.shippingAddress', 'shipping'),
);

export const CANCELED_CARD = table('canceled card', 'id crd-', 'cardStatus (canceled)');
export const ACTIVATED_CARD = table('activated card', 'id crd-', 'status (active)');
export const SHOW_TOKEN_V1 = table('show token', 'id crd-', 'showToken text');
export const PIN_TOKEN = table('pin token', 'id crd-', 'pinToken text');
export const CARD_PIN = table('pin', 'id crd-');

/** The platform provides it through a vault, and publishes no fields. */
export const SHOWN_CARD_V1 = table(
  'shown card',
  `
  + id                            crd-                      : card-number-shown
  + cardNumber                    digits:16                 : card-number-shown
  + cvv                           digits:3                  : card-number-shown
  + expiryMonth                   month                     : card-number-shown
  + expiryYear                    digits:4                  : card-number-shown
  `,
);

export const PROVISIONED_V1 = table(
  'provisioned card',
  `
  + wallet                        (+applePay|+googlePay|+samsungPay) : card-provision
  + applePay                      object?                   : card-provision
  + applePay.paymentAccountReference text                   : card-provision
  + applePay.activationData       text                      : card-provision
  + applePay.encryptedPassData    text                      : card-provision
  + applePay.ephemeralPublicKey   text                      : card-provision
  + googlePay                     object?                   : card-provision
  + googlePay.paymentAccountReference text                  : card-provision
  + googlePay.opaquePaymentCard   text                      : card-provision
  + samsungPay                    object?                   : card-provision
  + samsungPay.paymentAccountReference text                 : card-provision
  + samsungPay.opaquePaymentCard  text                      : card-provision
  `,
);

export const ATM = table(
  'cash machine',
  `
  + name                          text                      : cash-machine-search
  + description                   text                      : cash-machine-search
  + coordinates.latitude          number                    : cash-machine-search
  + coordinates.longitude         number                    : cash-machine-search
  + latitude                      number                    : cash-machine-search
  + longitude                     number                    : cash-machine-search
  + distance                      number                    : cash-machine-search
  + distanceUnit                  (+miles)                  : cash-machine-search
  + address.addressType           (+mailing)                : cash-machine-search
  + address.line1                 text                      : cash-machine-search
  + address.line2                 empty                     : cash-machine-search
  + address.city                  text                      : cash-machine-search
  + address.state                 text                      : cash-machine-search
  + address.country               text                      : cash-machine-search
  + address.postalCode            text                      : cash-machine-search
  `,
);

const REASONS = [
  'lowBalance',
  'doNotHonor',
  '+cardInactive',
  '+cardCanceled',
  '+cardExpired*',
  '+accountBlocked',
  '+pinNotSet',
  '+countryNotAllowed',
  '+categoryNotAllowed',
  '+merchantNotAllowed',
  '+perTransactionLimit',
  '+spendLimit',
  '+countLimit',
].join('|');

export const CARD_TEST = table(
  'card test',
  `
  status                          (approved|declined)
  declineReason                   (${REASONS})?             : v1-card-test-decline
  `,
);

const declined = (name: string, currency: string, local: string) =>
  table(
    name,
    `
    cardId                        crd-
    amount                        money
    currency                      (${currency})
    status                        (closed)
    reason                        (${REASONS})              : v1-card-test-decline
    approved                      (false)
    method                        empty                     : empty in every published example
    merchant                      object
    createdAt                     time
    authMethod                    (keyedIn|swipe|chip|online|contactless|other)
    wallet                        (applePay|googlePay|samsungPay)?
    localTransactionAmount        money
    localTransactionCurrency      ${local}
    currencyConversionRate        rate
    rtaAuthId                     car-?
    `,
    under('merchant', MERCHANT),
  );

/** A list of a card has a numeric currency, an event an alphabetic one. */
export const DECLINED = declined(
  'declined authorization',
  '840',
  'empty                     : empty in the published list',
);
export const DECLINED_EVENT = declined('declined authorization of an event', 'USD', '(USD)');
