/**
 * Transfers, transactions and batches.
 * Source: the transfer and transaction objects of the platform's v1 reference, and its samples of webhooks.
 */
import { type Row, rows, table, under } from '../rows.ts';
import { addressAt, addressFor, MERCHANT } from './parts.ts';

export const TRANSFER = table(
  'transfer',
  `
  id                              tra-
  accountId                       acc-
  contactId                       con-
  name                            text
  accountNumber                   text?
  routingNumber                   digits:9?
  bankName                        text?
  accountType                     (businessChecking|personalChecking|businessSavings|personalSavings)?
  amount                          money
  status                          (completed|pending|declined|settled*|approved*|waitingForFiles|canceled|refund*|returned*) : v1-payment-status
  title                           text?
  description                     text?
  txnType                         (debit|credit)
  transferType                    (intrabank|ach|card*|physicalCheck|domesticWire|internationalWire|debitCard|solidCard|crossBorder*|+rtp|+fednow) : v1-wallets and v1-instant-rails; a card is no transfer
  transferSubType                 (originated)
  type                            (sameDay|nextDay)?
  valid                           (true)?
  attachment                      text?
  bin                             empty                     : for paying abroad, which is not emulated
  iban                            empty                     : for paying abroad, which is not emulated
  destinationAmount               (0.00)
  destinationCurrency             empty                     : for paying abroad, which is not emulated
  purposeCode                     empty                     : for paying abroad, which is not emulated
  fallbackTransferId              empty                     : fallback-draws
  parentTransferId                empty                     : of what is added to a card that was sent, which is not emulated
  reviewCode                      text?
  reviewMessage                   text?
  card                            object?
  metadata                        pairs?
  createdAt                       time
  modifiedAt                      time
  transferredAt                   time
  address                         object
  `,
  under('address', addressFor('wire', 'check')),
);

export const CHARGEBACK = table(
  'chargeback',
  `
  id                              text
  programId                       prg-
  personId                        per-
  businessId                      empty                     : the account of the scenario is a person's
  familyId                        empty                     : the account of the scenario is a person's
  contactId                       con-
  accountId                       acc-
  transactionId                   txn-
  amount                          money
  status                          (chargedBack)
  createdAt                       time
  modifiedAt                      time
  reversalTransactionId           txn-
  merchantReferenceId             text
  exceptionId                     text
  networkTransactionId            text
  networkId                       text
  last4                           digits:4
  originalProcessedDate           null                      : debit-card-chargeback
  exceptionCode                   text?
  exceptionDescription            text?
  `,
);

const SIDE = rows(`
  transferId                      tra-
  contactId                       con-?
  name                            text?
`);
/** The rail objects whose inner fields are published. */
const rail = (name: string, ...more: readonly (readonly Row[])[]): readonly Row[] => [
  ...rows(`${name} object?`),
  ...under(name, [...SIDE, ...more.flat()]),
];
/** No published sample shows the fields of these two. */
const wire = (name: string): readonly Row[] => [
  ...rail(
    name,
    rows(`
      routingNumber               digits:9?
      + imad                      text?                     : the names of the two references are not published
      + omad                      text?                     : the names of the two references are not published
    `),
    addressAt('address', 'wire'),
  ),
];

export const TRANSACTION_V1 = table(
  'transaction',
  `
  id                              txn-
  accountId                       acc-
  businessId                      bus-?
  familyId                        fam-?
  personId                        per-?
  programId                       prg-
  - accountCreatedPersonId        per-                      : in samples of 2021 only, and in no table
  txnType                         (credit|debit)
  title                           text
  amount                          signed
  currency                        (USD)
  transferType                    (intrabank|ach|card|domesticWire|internationalWire|debitCard|solidCard|physicalCheck|digitalCheck*|crossBorder*|buy*|sell*|send*|receive*|+rtp|+fednow) : v1-wallets and v1-instant-rails
  subType                         (originated|received|auth|authUpdate|reversal|refund|interest*|fees*|penalty*|promotionalCredit*|accountCreationCredit|accountClosing|push|pull|overdraft|atm|topup*|reward*) : what this bank has no movement for
  description                     text?
  balance                         signed
  status                          (pending|settled|canceled|declined|returned*) : v1-payment-status
  digitalCheck                    null                      : not emulated
  crossBorder                     null                      : not emulated
  buy                             null                      : other currencies are not emulated
  sell                            null                      : other currencies are not emulated
  enrichedData                    null                      : nothing is known of a merchant beyond its record
  initiatedByPersonName           empty                     : nothing is published of when it is filled
  parentTxnId                     txn-?
  parentTransferId                tra-?
  fallbackTxnId                   txn-?
  fallbackTransferId              tra-?
  reviewCode                      text?
  reviewMessage                   text?
  metadata                        pairs?
  createdAt                       time
  modifiedAt                      time
  txnDate                         time

  card                            object?
  card.id                         crd-
  card.transferId                 tra-
  card.label                      text?
  card.merchant                   object
  card.authMethod                 (keyedIn|swipe|chip|online|contactless|other)
  card.wallet                     (applePay|googlePay|samsungPay)?
  card.authId                     car-?
  card.localTransactionAmount     signed
  card.localTransactionCurrency   (USD)
  card.currencyConversionRate     rate
  card.rewardAmount               empty                     : rewards are not emulated
  card.isCaptured                 boolean
  card.capturedAt                 time?
  card.disputeStatus              (notInitiated|initiated|successful|declined)
  card.availableLimit             money?
  card.pinVerified                boolean
  `,
  under('card.merchant', MERCHANT),
  rail('solidCard'),
  rail('intrabank', rows('routingNumber digits:9\nbankName text')),
  rail(
    'ach',
    rows(`
      routingNumber               digits:9?
      type                        (sameDay|nextDay)?
      bankName                    text?
      traceNumber                 digits:14?
      authId                      aar-?
    `),
  ),
  wire('domesticWire'),
  wire('internationalWire'),
  rail(
    'physicalCheck',
    rows('checkNumber text?\n+ cashed boolean : sent-check-status'),
    addressAt('shipping', 'check'),
  ),
  rail('debitCard'),
);

export const BATCH = table(
  'batch',
  `
  batchId                         bch-
  transferType                    (intrabank)
  status                          (submitted)
  totalCount                      integer
  successCount                    integer
  failedCount                     integer
  createdAt                       time
  modifiedAt                      time
  completedAt                     empty                     : it is answered when it is handed in
  `,
);
