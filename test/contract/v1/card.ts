/**
 * Cards, what is handed out beside their record, the card test and the declined authorizations.
 * Source: the card pages of the platform's v1 reference and the models of its public clients.
 */
import { table, under } from '../rows.ts';
import { addressAt, MERCHANT } from './parts.ts';

export const CARD_V1 = table(
  'card',
  `
  id                              crd-
  accountId                       acc-
  businessId                      bus-?
  familyId                        fam-?
  programId                       prg-
  createdPersonId                 per-?
  walletId                        empty                     : row 177
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
  shipping.eta                    date
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

/** The platform shows it through a vault, and publishes no fields. */
export const SHOWN_CARD_V1 = table(
  'shown card',
  `
  + id                            crd-                      : row 45b
  + cardNumber                    digits:16                 : row 45b
  + cvv                           digits:3                  : row 45b
  + expiryMonth                   month                     : row 45b
  + expiryYear                    digits:4                  : row 45b
  `,
);

export const PROVISIONED_V1 = table(
  'provisioned card',
  `
  + wallet                        (+applePay|+googlePay|+samsungPay) : row 176
  + applePay                      object?                   : row 176
  + applePay.paymentAccountReference text                   : row 176
  + applePay.activationData       text                      : row 176
  + applePay.encryptedPassData    text                      : row 176
  + applePay.ephemeralPublicKey   text                      : row 176
  + googlePay                     object?                   : row 176
  + googlePay.paymentAccountReference text                  : row 176
  + googlePay.opaquePaymentCard   text                      : row 176
  + samsungPay                    object?                   : row 176
  + samsungPay.paymentAccountReference text                 : row 176
  + samsungPay.opaquePaymentCard  text                      : row 176
  `,
);

export const ATM = table(
  'cash machine',
  `
  + name                          text                      : row 179
  + description                   text                      : row 179
  + coordinates.latitude          number                    : row 179
  + coordinates.longitude         number                    : row 179
  + latitude                      number                    : row 179
  + longitude                     number                    : row 179
  + distance                      number                    : row 179
  + distanceUnit                  (+miles)                  : row 179
  + address.addressType           (+mailing)                : row 179
  + address.line1                 text                      : row 179
  + address.line2                 empty                     : row 179
  + address.city                  text                      : row 179
  + address.state                 text                      : row 179
  + address.country               text                      : row 179
  + address.postalCode            text                      : row 179
  `,
);

const REASONS = [
  'lowBalance',
  'doNotHonor',
  '+cardInactive',
  '+cardCanceled',
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
  declineReason                   (${REASONS})?             : row 36
  `,
);

const declined = (name: string, currency: string) =>
  table(
    name,
    `
    cardId                        crd-
    amount                        money
    currency                      (${currency})
    status                        (closed)
    reason                        (${REASONS})              : row 36
    approved                      (false)
    method                        empty                     : empty in every published example
    merchant                      object
    createdAt                     time
    authMethod                    (keyedIn|swipe|chip|online|contactless|other)
    wallet                        (applePay|googlePay|samsungPay)?
    localTransactionAmount        money
    localTransactionCurrency      (${currency})
    currencyConversionRate        rate
    rtaAuthId                     car-?
    `,
    under('merchant', MERCHANT),
  );

/** In the list of a card the currency is a number, in an event it has its name. */
export const DECLINED = declined('declined authorization', '840');
export const DECLINED_TOLD = declined('declined authorization of an event', 'USD');
