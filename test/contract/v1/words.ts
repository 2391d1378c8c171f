/**
 * The enum values that clients of v1 send. Source: the enums in the request fields of the platform's v1 reference and
 * of the models of its public clients.
 */
import { readSent, type SentRow } from '../words.ts';

const ENTITIES =
  'soleProprietor|singleMemberLLC|limitedLiabilityCompany|generalPartnership|unlistedCorporation|publiclyTradedCorporation|association|nonProfit|governmentOrganization|revocableTrust|irrevocableTrust|estate|limitedPartnership|limitedLiabilityPartnership';
const BANK_ACCOUNTS = 'businessChecking|personalChecking|businessSavings|personalSavings';
const INTERVALS = 'daily|weekly|monthly|yearly|allTime|perTransaction';
const VERIFICATIONS = 'notStarted|submitted|approved|declined|inReview';

export const SENT_V1: readonly SentRow[] = readSent(`
  POST  /v1/person                       idType                     ssn|passport|otherId =
  POST  /v1/person                       address.addressType        mailing|billing>mailing|shipping>mailing = : the place of an address says what it is for
  PATCH /v1/person/{personId}            status                     active|inactive|deactivated =
  GET   /v1/person                       status                     active|inactive|deactivated -
  GET   /v1/person                       kycstatus                  ${VERIFICATIONS} -
  POST  /v1/person/{personId}/idv        action                     new|resume -
  POST  /v1/business                     entityType                 ${ENTITIES} =
  POST  /v1/business                     idType                     ein|ssn|otherId =
  PATCH /v1/business/{businessId}        status                     active|inactive=409|dormant=400|deactivated = : a business that waits is not frozen, and only the platform lets one go dormant
  GET   /v1/business                     status                     active|inactive|dormant|deactivated -
  GET   /v1/business                     kybstatus                  ${VERIFICATIONS} -
  POST  /v1/business/{businessId}/ownershipDisclosure action        regenerate -
  POST  /v1/account                      type                       personalChecking|businessChecking=400|cardAccount|clearingAccount|fallbackAccount|fundingAccount = : v1-account-owner
  PATCH /v1/account/{accountId}          status                     active|debitBlocked|creditBlocked|blocked|closed =
  GET   /v1/account                      status                     active|debitBlocked|creditBlocked|blocked|closed -
  GET   /v1/account                      type                       businessChecking|personalChecking|cardAccount|clearingAccount|fallbackAccount|fundingAccount -
  GET   /v1/account/{accountId}/statement/{year}/{month} export      json|csv|pdf -
  POST  /v1/contact                      type                       others|selfAch|selfIntrabank =
  POST  /v1/contact                      ach.accountType            ${BANK_ACCOUNTS} =
  POST  /v1/contact                      wire.domestic.accountType  ${BANK_ACCOUNTS} =
  GET   /v1/contact                      status                     active|deleted -
  GET   /v1/contact                      type                       others|selfAch|selfIntrabank -
  GET   /v1/contact/bank                 type                       aba|swift =
  POST  /v1/card                         cardType                   virtual|physical =
  POST  /v1/card                         bin                        debit|credit =
  POST  /v1/card                         limitInterval              ${INTERVALS} =
  PATCH /v1/card/{cardId}                limitInterval              ${INTERVALS} =
  PATCH /v1/card/{cardId}                cardStatus                 active|inactive =
  GET   /v1/card                         cardType                   virtual|physical -
  GET   /v1/card                         status                     active|inactive|canceled|pendingActivation -
  GET   /v1/card                         orderBy                    createdAt|-createdAt -
  POST  /v1/card/{cardId}/replace        reason                     lost -
  POST  /v1/card/{cardId}/test           authMethod                 keyedIn|swipe|chip|online|contactless|other -
  POST  /v1/card/{cardId}/test           txnType                    auth|authUpdate=400|reversal=400|refund - : an update and a reversal need their parent
  POST  /v1/account/{accountId}/test/ach txnType                    credit|debit =
  POST  /v1/send/ach                     type                       sameDay|nextDay =
  POST  /v1/receive/ach                  type                       sameDay|nextDay =
  POST  /v1/send/wire                    type                       domestic|international -
  POST  /v1/send/check                   type                       physical -
  GET   /v1/send/ach                     txnType                    credit|debit -
  POST  /v1/batch/intrabank              data.0.api                 send|receive -
  GET   /v1/account/{accountId}/transaction txnType                 credit|debit -
  GET   /v1/account/{accountId}/transaction status                  pending|canceled|settled|declined|returned -
  GET   /v1/account/{accountId}/transaction orderBy                 createdAt|-createdAt|txnDate|-txnDate -
  GET   /v1/account/{accountId}/transaction export                  json|csv|pdf -
  GET   /v1/account/{accountId}/transaction transferType            intrabank|ach|card|domesticWire|internationalWire|debitCard|solidCard|physicalCheck|buy|sell|send|receive -
  GET   /v1/account/{accountId}/transaction subType                 originated|received|auth|authUpdate|reversal|refund|interest|fees|penalty|promotionalCredit|accountCreationCredit|accountClosing|push|pull|overdraft|atm|topup|reward -
  POST  /v1/webhook                      status                     active|paused =
  PATCH /v1/webhook/{webhookId}          status                     active|paused|deactivated =
`);
