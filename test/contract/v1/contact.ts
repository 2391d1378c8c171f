/**
 * Contacts and the look-up of a bank.
 * Source: the contact object and its rails in the platform's v1 reference.
 */
import { rows, table, under } from '../rows.ts';
import { addressAt } from './parts.ts';

const BANK_ACCOUNT = rows(`
  accountNumber                   text
  routingNumber                   digits:9
  accountType                     (businessChecking|personalChecking|businessSavings|personalSavings)?
  bankName                        text?
  last4                           text
`);

export const CONTACT = table(
  'contact',
  `
  id                              con-
  accountId                       acc-
  programId                       prg-
  name                            text
  label                           text?
  email                           text?
  phone                           phone?
  type                            (others|selfAch|selfIntrabank)
  status                          (active|deleted)
  metadata                        pairs?
  createdAt                       time
  modifiedAt                      time
  intrabank                       object?
  intrabank.accountId             acc-
  intrabank.accountNumber         digits:16
  ach                             object?
  ach.verified                    boolean
  wire                            object?
  wire.domestic                   object?
  wire.international              object?
  wire.international.accountNumber text
  wire.international.accountType  text?
  wire.international.bankIdentifierType text?
  wire.international.bankIdentifierCode text?
  wire.international.beneficiaryBank text?
  wire.international.correspondentBank text?
  wire.international.correspondentBankIdentifierCode text?
  check                           object?
  card                            object?
  debitCard                       object?
  debitCard.cardNumber            text
  debitCard.last4                 digits:4?
  debitCard.expiryMonth           month?
  debitCard.expiryYear            digits:4?
  - debitCard.cvv                 text                      : debit-card-kept
  debitCard.pull.enabled          boolean
  debitCard.push.enabled          boolean
  debitCard.usageType             empty                     : its words are published nowhere
  crossBorder                     null                      : its fields are published nowhere
  `,
  under('ach', BANK_ACCOUNT),
  under('wire.domestic', BANK_ACCOUNT),
  addressAt('wire.domestic.address', 'wire'),
  addressAt('wire.international.beneficiaryAddress', 'wire'),
  addressAt('wire.international.beneficiaryBankAddress', 'wire'),
  addressAt('wire.international.correspondentBankAddress', 'wire'),
  addressAt('check.address', 'check'),
  addressAt('card.address', 'card'),
  addressAt('debitCard.address', 'card'),
);

export const DELETED_CONTACT = table('deleted contact', 'id con-', 'status (deleted)');
export const DEBIT_CARD_TOKEN = table('debit_card_token', 'id con-', 'debitCardToken text');

export const BANK_INFO_V1 = table(
  'bank',
  `
  routingNumber                   text
  bankName                        text?
  type                            (aba|swift)
  paymentMethods                  texts
  address                         object
  address.addressType             empty                     : bank-numbers
  address.line1                   empty                     : bank-numbers
  address.line2                   empty                     : bank-numbers
  address.city                    text?
  address.state                   text?
  address.country                 text?
  address.postalCode              empty                     : bank-numbers
  `,
);
