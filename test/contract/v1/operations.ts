/**
 * The operations of v1 with their responses and the documented fields. A POST is 201, and GET, PATCH, DELETE and the
 * test helpers are 200, as on the pages that contain a status; decision `v1-success-status` in docs/fidelity.md.
 * Source: the navigation and pages of the platform's v1 reference, and the paths that its public clients call.
 */
import { type PublishedOperation, readOperations } from '../operations.ts';
import type { Table } from '../rows.ts';
import { ACCOUNT_V1, STATEMENT, STATEMENT_MONTH } from './account.ts';
import {
  ACTIVATED_CARD,
  ATM,
  CANCELED_CARD,
  CARD_PIN,
  CARD_TEST,
  CARD_V1,
  DECLINED,
  PIN_TOKEN,
  PROVISIONED_V1,
  SHOW_TOKEN_V1,
  SHOWN_CARD_V1,
} from './card.ts';
import { BANK_INFO_V1, CONTACT, DEBIT_CARD_TOKEN, DELETED_CONTACT } from './contact.ts';
import { BATCH, TRANSACTION_V1, TRANSFER } from './money.ts';
import {
  DELETED_WEBHOOK,
  LIST_V1,
  PROGRAM,
  WEBHOOK_EVENTS_V1,
  WEBHOOK_SECRET,
  WEBHOOK_V1,
} from './others.ts';
import {
  BUSINESS,
  BUSINESS_DOCUMENT,
  DISCLOSURE,
  DOCUMENT,
  FAMILY,
  IDV,
  KYB,
  KYC,
  MEMBER,
  NAICS_SECTOR,
  PERSON,
  PLAID_TOKEN,
  PROJECTION,
  SESSION,
  SIGNED_OUT,
  WALLET,
} from './people.ts';

const TABLES: Readonly<Record<string, Table>> = {
  person: PERSON,
  kyc: KYC,
  idv: IDV,
  business: BUSINESS,
  kyb: KYB,
  projection: PROJECTION,
  disclosure: DISCLOSURE,
  naics_sector: NAICS_SECTOR,
  family: FAMILY,
  member: MEMBER,
  document: DOCUMENT,
  plaid_token: PLAID_TOKEN,
  wallet: WALLET,
  session: SESSION,
  signed_out: SIGNED_OUT,
  business_document: BUSINESS_DOCUMENT,
  account: ACCOUNT_V1,
  statement_month: STATEMENT_MONTH,
  statement: STATEMENT,
  contact: CONTACT,
  deleted_contact: DELETED_CONTACT,
  debit_card_token: DEBIT_CARD_TOKEN,
  bank: BANK_INFO_V1,
  card: CARD_V1,
  canceled_card: CANCELED_CARD,
  activated_card: ACTIVATED_CARD,
  show_token: SHOW_TOKEN_V1,
  shown_card: SHOWN_CARD_V1,
  pin_token: PIN_TOKEN,
  pin: CARD_PIN,
  provisioned: PROVISIONED_V1,
  atm: ATM,
  declined: DECLINED,
  card_test: CARD_TEST,
  transfer: TRANSFER,
  transaction: TRANSACTION_V1,
  batch: BATCH,
  webhook: WEBHOOK_V1,
  webhook_secret: WEBHOOK_SECRET,
  webhook_events: WEBHOOK_EVENTS_V1,
  deleted_webhook: DELETED_WEBHOOK,
  program: PROGRAM,
};

const PEOPLE = `
  POST   /v1/auth/register                           200 session : clientId idNumberLast4 refreshToken idToken
  POST   /v1/auth/logout                             200 signed_out : clientId refreshToken phone
  POST   /v1/person                                  201 person : firstName middleName lastName phone email dateOfBirth idType idNumber address metadata
  GET    /v1/person                                  200 list<person>
  GET    /v1/person/{personId}                       200 person
  PATCH  /v1/person/{personId}                       200 person : firstName middleName lastName phone email dateOfBirth idType idNumber address metadata status
  POST   /v1/person/{personId}/kyc                   201 kyc
  GET    /v1/person/{personId}/kyc                   200 kyc
  POST   /v1/person/{personId}/idv                   201 idv : action
  POST   /v1/business                                201 business : about address dba email entityType formationDate idNumber idType industry legalName naicsCode phone website metadata
  GET    /v1/business                                200 list<business>
  GET    /v1/business/{businessId}                   200 business
  PATCH  /v1/business/{businessId}                   200 business : about address dba email entityType formationDate idNumber idType industry legalName naicsCode phone website metadata status
  POST   /v1/business/{businessId}/kyb               201 kyb
  GET    /v1/business/{businessId}/kyb               200 kyb
  GET    /v1/business/{businessId}/projection        200 projection
  PATCH  /v1/business/{businessId}/projection        200 projection
  GET    /v1/business/{businessId}/ownershipDisclosure 200 disclosure
  POST   /v1/business/{businessId}/ownershipDisclosure 201 disclosure : redirectUri action
  GET    /v1/business/naicscode                      200 list<naics_sector>
  POST   /v1/family                                  201 family : name phone email address metadata
  + GET  /v1/family                                  200 list<family> : v1-party-lists
  + GET  /v1/family/{familyId}                       200 family : the event family.updated wants somebody who changes one
  + PATCH /v1/family/{familyId}                      200 family : family-changes
  POST   /v1/member                                  201 member : businessId familyId personId person ownership title metadata
  GET    /v1/member                                  200 list<member>
  GET    /v1/member/{memberId}                       200 member
  PATCH  /v1/member/{memberId}                       200 member
  POST   /v1/member/{memberId}/kyc                   201 kyc
  GET    /v1/member/{memberId}/kyc                   200 kyc
  POST   /v1/owner                                   201 member
  GET    /v1/owner                                   200 list<member>
  GET    /v1/owner/{memberId}                        200 member
  POST   /v1/owner/{memberId}/kyc                    201 kyc
  GET    /v1/owner/{memberId}/kyc                    200 kyc
  PATCH  /v1/owner/{memberId}                        200 member
  POST   /v1/person/{personId}/document              201 document : description docType documentNumber expirationDate issuingCountry issuingState name
  GET    /v1/person/{personId}/document              200 list<document>
  GET    /v1/person/{personId}/document/{documentId} 200 document
  PATCH  /v1/person/{personId}/document/{documentId} 200 document : description docType documentNumber expirationDate issuingCountry issuingState name
  POST   /v1/business/{businessId}/document          201 business_document
  GET    /v1/business/{businessId}/document          200 list<business_document>
  GET    /v1/business/{businessId}/document/{documentId} 200 business_document
  PATCH  /v1/business/{businessId}/document/{documentId} 200 business_document
`;

const ACCOUNTS = `
  POST   /v1/account                                 201 account : businessId familyId label acceptedTerms type metadata
  GET    /v1/account                                 200 list<account> : businessId personId limit offset
  GET    /v1/account/{accountId}                     200 account
  PATCH  /v1/account/{accountId}                     200 account : config
  GET    /v1/account/{accountId}/statement           200 list<statement_month>
  GET    /v1/account/{accountId}/statement/{year}/{month} 200 statement[transactions]<transaction> : export
  POST   /v1/account/{accountId}/plaid-token         201 plaid_token : packageName plaidUpdateMode
  POST   /v1/account/{accountId}/plaid-account       201 contact : plaidToken plaidAccountId
  POST   /v1/account/{accountId}/processor-token     200 contact : processorToken
  + POST /v1/wallet                                  201 wallet : v1-wallets
  + GET  /v1/wallet                                  200 list<wallet> : v1-wallets
  + GET  /v1/wallet/{walletId}                       200 wallet : v1-wallets
  POST   /v1/contact                                 201 contact : accountId name email phone metadata intrabank ach wire check card label
  GET    /v1/contact                                 200 list<contact> : offset limit id status type accountId intrabankAccountNumber achAccountNumber achRoutingNumber wireDomesticAccountNumber wireDomesticRoutingNumber wireInternationalAccountNumber wireInternationalBankIdentifierCode startTime endTime modifiedStartTime modifiedEndTime externalId metadata.query
  GET    /v1/contact/{contactId}                     200 contact
  PATCH  /v1/contact/{contactId}                     200 contact : accountId name email phone intrabank ach wire check card metadata
  DELETE /v1/contact/{contactId}                     200 deleted_contact
  GET    /v1/contact/bank                            200 bank : type routingNumber
  POST   /v1/contact/{contactId}/debitcard/token     201 debit_card_token
  PATCH  /v1/contact/{contactId}/debitcard           200 contact
  POST   /v1/contact/{contactId}/debitcard           201 contact
  POST   /v1/card                                    201 card : accountId cardType label currency limitAmount limitInterval billingAddress bin allowedCategories blockedCategories allowedMerchants blockedMerchants atmAccess theme metadata embossingPerson embossingBusiness shipping
  GET    /v1/card                                    200 list<card> : accountId offset limit orderBy walletId cardType query theme status externalId minAvailableLimit maxAvailableLimit
  GET    /v1/card/{cardId}                           200 card
  PATCH  /v1/card/{cardId}                           200 card : billingAddress label limitInterval limitAmount cardStatus allowedCategories blockedCategories allowedMerchants blockedMerchants metadata
  DELETE /v1/card/{cardId}                           200 canceled_card
  PATCH  /v1/card/{cardId}/activate                  200 activated_card : expiryMonth expiryYear last4
  POST   /v1/card/{cardId}/replace                   201 card : reason shipping
  GET    /v1/card/{cardId}/declined                  200 list<declined>
  POST   /v1/card/{cardId}/showtoken                 201 show_token
  POST   /v1/card/{cardId}/show-token                201 show_token
  GET    /v1/card/{cardId}/unredact                  200 shown_card
  + GET  /v1/card/{cardId}/show                      200 shown_card : card-number-shown
  POST   /v1/card/{cardId}/pintoken                  201 pin_token
  POST   /v1/card/{cardId}/pin                       200 pin : expiryMonth expiryYear last4 pin
  POST   /v1/card/{cardId}/provision                 201 provisioned
  GET    /v1/card/atm                                200 list<atm> : latitude longitude radius
  POST   /v1/card/{cardId}/test                      200 card_test : amount authMethod txnType parentTxnId merchant
`;

/** The four operations of each rail, and the fields of its origination besides the common ones. */
const TRANSFERS = [
  ['send/intrabank', ''],
  ['send/ach', 'type'],
  ['send/wire', 'type'],
  ['send/check', 'type attachment'],
  ['send/card', 'bin'],
  ['send/debitpush', ''],
  ['receive/intrabank', ''],
  ['receive/ach', 'type'],
  ['receive/check', ''],
  ['receive/debitpull', ''],
]
  .map(
    ([rail, more]) => `
  POST   /v1/${rail}              201 transfer : accountId contactId amount description title metadata ${more}
  GET    /v1/${rail}              200 list<transfer> : accountId offset limit txnType modifiedStartTime modifiedEndTime externalId
  GET    /v1/${rail}/{transferId} 200 transfer
  PATCH  /v1/${rail}/{transferId} 200 transfer : title description metadata`,
  )
  .join('');

const MONEY = `
  PATCH  /v1/receive/check/{transferId}/files        200 transfer
  POST   /v1/batch/intrabank                         201 batch : data
  GET    /v1/account/{accountId}/transaction         200 list<transaction> : offset limit orderBy export id txnType status transferId accountId cardId walletId contactId personId businessId parentTransactionId transferType subType minAmount maxAmount startTime endTime modifiedStartTime modifiedEndTime metadata.query
  GET    /v1/account/{accountId}/transaction/{txnId} 200 transaction : export
  POST   /v1/account/{accountId}/test/ach            200 transaction : amount txnType senderName senderRoutingNumber description
  POST   /v1/webhook                                 201 webhook : url events description status
  GET    /v1/webhook                                 200 list<webhook>
  GET    /v1/webhook/{webhookId}                     200 webhook
  PATCH  /v1/webhook/{webhookId}                     200 webhook : description status url events
  DELETE /v1/webhook/{webhookId}                     200 deleted_webhook
  GET    /v1/webhook/{webhookId}/secret              200 webhook_secret
  GET    /v1/webhook/events                          200 webhook_events
  GET    /v1/program/{programId}                     200 program
  GET    /v1/program/{programId}/contact             200 list<contact>
  GET    /v1/program/{programId}/account             200 list<account>
  GET    /v1/program/{programId}/person              200 list<person>
  GET    /v1/program/{programId}/business            200 list<business>
  GET    /v1/program/{programId}/card                200 list<card>
  GET    /v1/program/{programId}/transaction         200 list<transaction>
  GET    /v1/program/{programId}/transfer            200 list<transfer>
  + GET  /v1/program/{programId}/family              200 list<family> : v1-party-lists
  + GET  /v1/program/{programId}/member              200 list<member> : v1-party-lists
`;

export const OPERATIONS_V1: readonly PublishedOperation[] = readOperations(
  [PEOPLE, ACCOUNTS, TRANSFERS, MONEY].join('\n'),
  TABLES,
  LIST_V1,
);
