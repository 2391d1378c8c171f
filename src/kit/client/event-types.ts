/**
 * The event types of both versions with the record that each carries, the ACH return codes, and the error codes of v2.
 * Printed by node build/print-records.ts.
 */
import type * as V1 from './v1.ts';
import type * as V2 from './v2.ts';

/** The record of a kind that the bank only sends as an example. */
type Unserved = Readonly<Record<string, unknown>>;

/** The event types of v2, each with the record that it carries. */
export interface V2Events {
  'client.updated': Unserved;
  'client.status.pending_activation': Unserved;
  'client.status.activated': Unserved;
  'client.status.suspended': Unserved;
  'client.status.deactivated': Unserved;
  'client.status.locked': Unserved;
  'client_member.created': Unserved;
  'client_member.updated': Unserved;
  'client_member.status.pending_activation': Unserved;
  'client_member.status.activated': Unserved;
  'client_member.status.suspended': Unserved;
  'client_member.status.deactivated': Unserved;
  'client_member.status.locked': Unserved;
  'master_account_holder.created': Unserved;
  'master_account_holder.updated': Unserved;
  'master_account_holder.status.pending_activation': Unserved;
  'master_account_holder.status.activated': Unserved;
  'master_account_holder.status.suspended': Unserved;
  'master_account_holder.status.deactivated': Unserved;
  'master_account_holder.status.locked': Unserved;
  'sub_account_holder.created': V2.SubAccountHolder;
  'sub_account_holder.updated': V2.SubAccountHolder;
  'sub_account_holder.status.pending_activation': V2.SubAccountHolder;
  'sub_account_holder.status.activated': V2.SubAccountHolder;
  'sub_account_holder.status.suspended': V2.SubAccountHolder;
  'sub_account_holder.status.deactivated': V2.SubAccountHolder;
  'sub_account_holder.status.locked': V2.SubAccountHolder;
  'card_holder.created': V2.CardHolder;
  'card_holder.updated': V2.CardHolder;
  'card_holder.status.pending_activation': V2.CardHolder;
  'card_holder.status.activated': V2.CardHolder;
  'card_holder.status.suspended': V2.CardHolder;
  'card_holder.status.deactivated': V2.CardHolder;
  'card_holder.status.locked': V2.CardHolder;
  'counterparty.created': V2.Counterparty;
  'counterparty.updated': V2.Counterparty;
  'counterparty.status.pending_activation': V2.Counterparty;
  'counterparty.status.activated': V2.Counterparty;
  'counterparty.status.suspended': V2.Counterparty;
  'counterparty.status.deactivated': V2.Counterparty;
  'counterparty.status.locked': V2.Counterparty;
  'master_account.created': V2.MasterAccount;
  'master_account.updated': V2.MasterAccount;
  'master_account.status.open': V2.MasterAccount;
  'master_account.status.closed': V2.MasterAccount;
  'master_account.status.credit_blocked': V2.MasterAccount;
  'master_account.status.debit_blocked': V2.MasterAccount;
  'master_account.status.blocked': V2.MasterAccount;
  'master_account.status.locked': V2.MasterAccount;
  'sub_account.created': V2.SubAccount;
  'sub_account.updated': V2.SubAccount;
  'sub_account.status.open': V2.SubAccount;
  'sub_account.status.closed': V2.SubAccount;
  'sub_account.status.credit_blocked': V2.SubAccount;
  'sub_account.status.debit_blocked': V2.SubAccount;
  'sub_account.status.blocked': V2.SubAccount;
  'sub_account.status.locked': V2.SubAccount;
  'card.created': V2.Card;
  'card.updated': V2.Card;
  'card.status.open': V2.Card;
  'card.status.closed': V2.Card;
  'card.status.credit_blocked': V2.Card;
  'card.status.debit_blocked': V2.Card;
  'card.status.blocked': V2.Card;
  'card.status.locked': V2.Card;
  'transaction.created': V2.Transaction;
  'transaction.updated': V2.Transaction;
  'transaction.status.pending': V2.Transaction;
  'transaction.status.clearing': V2.Transaction;
  'transaction.status.cleared': V2.Transaction;
  'transaction.status.settled': V2.Transaction;
  'transaction.status.canceled': V2.Transaction;
  'transaction.status.in_review': V2.Transaction;
  'transaction.status.returned': V2.Transaction;
  'transaction.status.reversed': V2.Transaction;
  'transaction.status.received': V2.Transaction;
  'transaction.status.declined': V2.Transaction;
  'transaction.status.refunded': V2.Transaction;
}

/** The event types of v1, each with the record that it carries. */
export interface V1Events {
  'account.created': V1.Account;
  'account.credit': V1.Transaction;
  'account.debit': V1.Transaction;
  'account.updated': V1.Account;
  'ach.auth.request': Unserved;
  'ach.originated.credit': V1.Transaction;
  'ach.originated.debit': V1.Transaction;
  'ach.originated.updated': V1.Transaction;
  'ach.received.credit': V1.Transaction;
  'ach.received.debit': V1.Transaction;
  'ach.received.declined': V1.Transaction;
  'ach.reversal.credit': V1.Transaction;
  'ach.reversal.debit': V1.Transaction;
  'business.created': V1.Business;
  'business.kyb.approved': V1.Kyb;
  'business.kyb.declined': V1.Kyb;
  'business.kyb.review': V1.Kyb;
  'business.updated': V1.Business;
  'card.auth.request': Unserved;
  'card.canceled': V1.Card;
  'card.declined': V1.DeclinedAuthorization;
  'card.deposit': V1.Transaction;
  'card.enriched': V1.Transaction;
  'card.refund': V1.Transaction;
  'card.replaced': V1.Card;
  'card.reversal': V1.Transaction;
  'card.reward.canceled': V1.Transaction;
  'card.reward.credit': V1.Transaction;
  'card.reward.pending': V1.Transaction;
  'card.spend': V1.Transaction;
  'card.spend.update': V1.Transaction;
  'card.updated': V1.Card;
  'card.wallet.created': V1.Card;
  'card.wallet.updated': V1.Card;
  'check.originated.credit': V1.Transaction;
  'check.originated.debit': V1.Transaction;
  'check.reversal.credit': V1.Transaction;
  'check.reversal.debit': V1.Transaction;
  'contact.created': V1.Contact;
  'contact.updated': V1.Contact;
  'debitcard.chargeback': Unserved;
  'family.created': V1.Family;
  'family.updated': V1.Family;
  'intrabank.originated.credit': V1.Transaction;
  'intrabank.originated.debit': V1.Transaction;
  'intrabank.received.credit': V1.Transaction;
  'intrabank.received.debit': V1.Transaction;
  'member.created': V1.Member;
  'member.updated': V1.Member;
  'person.created': V1.Person;
  'person.kyc.approved': V1.Kyc;
  'person.kyc.declined': V1.Kyc;
  'person.kyc.review': V1.Kyc;
  'person.kyc.updated': V1.Kyc;
  'person.updated': V1.Person;
  'solidcard.canceled': V1.Card;
  'solidcard.delivered': V1.Card;
  'solidcard.originated.debit': V1.Transaction;
  'solidcard.reversal.credit': V1.Transaction;
  'solidcard.topup': V1.Transaction;
  'transfer.created': V1.Transfer;
  'transfer.updated': V1.Transfer;
  'wallet.created': V1.Wallet;
  'wallet.credit': V1.Transaction;
  'wallet.debit': V1.Transaction;
  'wallet.transfer.created': V1.Transfer;
  'wallet.transfer.updated': V1.Transfer;
  'wallet.updated': V1.Wallet;
  'wire.originated.debit': V1.Transaction;
  'wire.originated.updated': V1.Transaction;
  'wire.received.credit': V1.Transaction;
  'wire.reversal.credit': V1.Transaction;
  'wire.reversal.debit': V1.Transaction;
}

/** An event type of either version. */
export type EventType = keyof V2Events | keyof V1Events;

/** The record that an event of this kind carries; either record for a kind of both versions. */
export type EventRecord<Kind extends EventType> =
  | (Kind extends keyof V2Events ? V2Events[Kind] : never)
  | (Kind extends keyof V1Events ? V1Events[Kind] : never);

/** The code under which an ACH entry is sent back. */
export type ReturnCode =
  | 'R01'
  | 'R02'
  | 'R03'
  | 'R04'
  | 'R05'
  | 'R06'
  | 'R07'
  | 'R08'
  | 'R09'
  | 'R10'
  | 'R11'
  | 'R12'
  | 'R13'
  | 'R14'
  | 'R15'
  | 'R16'
  | 'R17'
  | 'R18'
  | 'R19'
  | 'R20'
  | 'R21'
  | 'R22'
  | 'R23'
  | 'R24'
  | 'R25'
  | 'R26'
  | 'R27'
  | 'R28'
  | 'R29'
  | 'R30'
  | 'R31'
  | 'R32'
  | 'R33'
  | 'R34'
  | 'R35'
  | 'R36'
  | 'R37'
  | 'R38'
  | 'R39'
  | 'R40'
  | 'R41'
  | 'R42'
  | 'R43'
  | 'R44'
  | 'R45'
  | 'R46'
  | 'R47'
  | 'R50'
  | 'R51'
  | 'R52'
  | 'R53'
  | 'R61'
  | 'R62'
  | 'R67'
  | 'R68'
  | 'R69'
  | 'R70'
  | 'R71'
  | 'R72'
  | 'R73'
  | 'R74'
  | 'R75'
  | 'R76'
  | 'R77'
  | 'R80'
  | 'R81'
  | 'R82'
  | 'R83'
  | 'R84'
  | 'R85'
  | 'R90';

/** A code in the error body of v2. */
export type V2ErrorCode =
  | 'ERROR_CODE_AUTH_FORBIDDEN'
  | 'ERROR_CODE_UNAUTHORIZED'
  | 'ERROR_CODE_RATE_LIMIT_EXCEEDED'
  | 'ERROR_CODE_RESOURCE_NOT_FOUND'
  | 'ERROR_CODE_RESOURCE_ALREADY_EXIST'
  | 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED'
  | 'ERROR_CODE_INVALID_REQUEST_BODY'
  | 'ERROR_CODE_INVALID_FIELD'
  | 'ERROR_CODE_REQUIRED_FIELD_MISSING'
  | 'ERROR_CODE_MAX_ALLOWED_LENGTH_EXCEEDED'
  | 'ERROR_CODE_MIN_ALLOWED_LENGTH_NOT_MET'
  | 'ERROR_CODE_INVALID_AMOUNT'
  | 'ERROR_CODE_INVALID_ARGUMENT'
  | 'ERROR_CODE_INDEX_NOT_PRESENT_ON_FIELD'
  | 'ERROR_CODE_MISSING_REQUIRED_FILTER'
  | 'ERROR_CODE_INTERNAL_ERROR'
  | 'ERROR_CODE_DB_ERROR'
  | 'ERROR_CODE_REDIS_ERROR'
  | 'ERROR_CODE_IDEMPOTENCY_ERROR'
  | 'ERROR_CODE_IDEMPOTENCY_BAD_REQUEST'
  | 'ERROR_CODE_IDEMPOTENCY_KEY_CONFLICT'
  | 'ERROR_CODE_IDEMPOTENCY_KEY_LENGTH_EXCEEDED'
  | 'ERROR_CODE_ACCOUNT_CREATION_NOT_ALLOWED'
  | 'ERROR_CODE_ACCOUNT_STATUS_NOT_OPEN'
  | 'ERROR_CODE_CLIENT_NOT_ACTIVE'
  | 'ERROR_CODE_MASTER_ACCOUNT_HOLDER_STATUS_NOT_ACTIVE'
  | 'ERROR_CODE_SUB_ACCOUNT_HOLDER_STATUS_NOT_ACTIVE'
  | 'ERROR_CODE_INSUFFICIENT_BALANCE'
  | 'ERROR_CODE_TRANSFER_DAILY_LIMIT_EXCEEDED'
  | 'ERROR_CODE_TRANSFER_MONTHLY_LIMIT_EXCEEDED'
  | 'ERROR_CODE_FORM_FACTOR_NOT_ENABLED'
  | 'ERROR_CODE_HOLD_BALANCE_ERROR'
  | 'ERROR_CODE_TRANSACTION_RECONCILED'
  | 'ERROR_CODE_TRANSACTION_REVERSAL_NOT_ALLOWED'
  | 'ERROR_CODE_RECON_TRANSACTION_NOT_CAPTURED'
  | 'ERROR_CODE_CARD_ISSUANCE_PRODUCT_DISABLED'
  | 'ERROR_CODE_CARD_ISSUANCE_PRODUCT_LIMIT_EXCEEDED'
  | 'ERROR_CODE_CARD_ISSUANCE_INVALID_THEME_FOR_PRODUCT'
  | 'ERROR_CODE_CARD_ISSUANCE_CARDHOLDER_NOT_ACTIVE'
  | 'ERROR_CODE_INVALID_CARD_REPLACE_REASON'
  | 'ERROR_CODE_CARD_REPLACEMENT_NOT_ALLOWED_FOR_STATUS'
  | 'ERROR_CODE_CARD_REPLACEMENT_INTERVAL_VIOLATION'
  | 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED'
  | 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS'
  | 'ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED'
  | 'ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED_FOR_STATUS'
  | 'ERROR_CODE_CARD_INCORRECT_DETAILS'
  | 'ERROR_CODE_CARD_SET_PIN_NOT_ALLOWED'
  | 'ERROR_CODE_CARD_PROVISIONING_NOT_ALLOWED'
  | 'ERROR_CODE_CARD_PROGRAM_DUPLICATE_THEME'
  | 'ERROR_CODE_CARD_PROGRAM_SUBBIN_ALREADY_USED'
  | 'ERROR_CODE_CARD_PROGRAM_IMAGE_ALREADY_USED'
  | 'ERROR_CODE_INVALID_PHONE'
  | 'EC_QLDB_OCC_ERROR_RETRY'
  | 'ERROR_CODE_FORBIDDEN'
  | 'ERROR_CODE_METHOD_NOT_ALLOWED'
  | 'ERROR_CODE_REQUEST_TIMEOUT'
  | 'ERROR_CODE_RESOURCE_GONE'
  | 'ERROR_CODE_REQUEST_TOO_LARGE'
  | 'ERROR_CODE_UNSUPPORTED_MEDIA_TYPE'
  | 'ERROR_CODE_HEADERS_TOO_LARGE'
  | 'ERROR_CODE_NOT_IMPLEMENTED'
  | 'ERROR_CODE_SERVICE_UNAVAILABLE';
