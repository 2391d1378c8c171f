/**
 * The errors of v1: one flat body, with a code that consists of the resource and the reason. Published codes are used
 * unchanged; the others follow their pattern. `sysMessage` is the short name of the code. v1 has no field for the
 * invalid field, so the message names it.
 * Source: "errors" of the platform's v1 reference; decisions `v1-error-body` and `v1-error-codes` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Refusal } from '../../kernel/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import { formatV1 } from '../ids.ts';
import { STATUS_OF_KIND } from '../refusal-statuses.ts';
import { enumOf, IdText, record, Text, Timestamp } from './fields.ts';

export const ErrorBody = record('Error', 'An error.', {
  requestId: IdText,
  method: Text,
  status: Type.Integer({ description: 'The HTTP status.' }),
  code: Type.String({ pattern: '^EC_[A-Z0-9_]+$', description: 'A code of the platform.' }),
  message: Text,
  sysMessage: Text,
  programId: IdText,
  env: enumOf(['test']),
  createdAt: Timestamp,
});

/** The properties of a refused request in the error body. */
export interface RefusedRequest {
  requestId: Id;
  method: string;
  /** `''` before the program of the request is known. */
  programId: Id | '';
  now: Instant;
  /** The resource of the path, from `resourceOf`. */
  resource: string;
}

/** `*` is the resource of the path; `%` is PERSON, or BUSINESS for the path of a business. */
const CODES = {
  body_malformed: 'EC_*_INVALID_REQUEST',
  body_missing: 'EC_*_INVALID_REQUEST',
  body_unreadable: 'EC_*_INVALID_REQUEST',
  field_invalid: 'EC_*_INVALID_REQUEST',
  field_unknown: 'EC_*_UNKNOWN_FIELD',
  phone_invalid: 'EC_*_INVALID_PHONE',
  metadata_too_large: 'EC_*_METADATA_TOO_LARGE',
  cursor_invalid: 'EC_*_INVALID_PAGINATION',
  key_missing: 'EC_UNAUTHORIZED',
  key_unknown: 'EC_UNAUTHORIZED',
  token_invalid: 'EC_*_INVALID_TOKEN',
  person_header_missing: 'EC_PERSON_ID_HEADER_REQUIRED',
  path_unknown: 'EC_PATH_NOT_FOUND',
  method_wrong: 'EC_METHOD_NOT_ALLOWED',
  body_too_large: 'EC_REQUEST_TOO_LARGE',
  trace_too_large: 'EC_REQUEST_TOO_LARGE',
  media_unsupported: 'EC_UNSUPPORTED_MEDIA_TYPE',
  rate_limited: 'EC_RATE_LIMITED',
  request_timeout: 'EC_REQUEST_TIMEOUT',
  headers_too_large: 'EC_HEADERS_TOO_LARGE',
  write_conflict: 'EC_QLDB_OCC_ERROR_RETRY',
  not_emulated: 'EC_NOT_EMULATED',
  failure: 'EC_INTERNAL_ERROR',
  link_expired: 'EC_*_LINK_EXPIRED',
  link_unknown: 'EC_*_LINK_NOT_FOUND',

  program_not_found: 'EC_PROGRAM_NOT_FOUND',
  master_account_not_found: 'EC_MASTER_ACCOUNT_NOT_FOUND',
  holder_not_found: 'EC_%_NOT_FOUND',
  family_not_found: 'EC_FAMILY_NOT_FOUND',
  member_not_found: 'EC_MEMBER_NOT_FOUND',
  account_not_found: 'EC_ACCOUNT_NOT_FOUND',
  card_holder_not_found: 'EC_CARDHOLDER_NOT_FOUND',
  card_not_found: 'EC_CARD_NOT_FOUND',
  counterparty_not_found: 'EC_CONTACT_NOT_FOUND',
  transaction_not_found: 'EC_TRANSACTION_NOT_FOUND',
  statement_not_found: 'EC_STATEMENT_NOT_FOUND',
  batch_not_found: 'EC_BATCH_NOT_FOUND',
  transfer_not_found: 'EC_TRANSFER_NOT_FOUND',
  disclosure_not_found: 'EC_BUSINESS_AGREEMENT_NOT_FOUND',
  document_not_found: 'EC_DOCUMENT_NOT_FOUND',
  attachment_not_found: 'EC_ATTACHMENT_NOT_FOUND',
  webhook_not_found: 'EC_WEBHOOK_NOT_FOUND',
  event_not_found: 'EC_EVENT_NOT_FOUND',
  sandbox_not_found: 'EC_SANDBOX_NOT_FOUND',
  snapshot_not_found: 'EC_SNAPSHOT_NOT_FOUND',
  fault_not_found: 'EC_FAULT_NOT_FOUND',
  request_not_found: 'EC_REQUEST_NOT_FOUND',
  control_token_wrong: 'EC_UNAUTHORIZED',
  host_foreign: 'EC_FORBIDDEN',
  origin_foreign: 'EC_FORBIDDEN',
  sandbox_exists: 'EC_SANDBOX_EXISTS',
  sandboxes_full: 'EC_SANDBOX_LIMIT_REACHED',
  sandbox_damaged: 'EC_SANDBOX_DAMAGED',
  data_not_written: 'EC_SANDBOX_NOT_WRITTEN',
  sandbox_unavailable: 'EC_SANDBOX_UNAVAILABLE',
  sandboxes_busy: 'EC_SANDBOX_LIMIT_REACHED',
  observers_full: 'EC_SANDBOX_LIMIT_REACHED',
  image_invalid: 'EC_SANDBOX_INVALID_IMAGE',

  illegal_step: 'EC_*_INVALID_STATE',
  return_too_late: 'EC_TRANSACTION_RETURN_TOO_LATE',
  reversal_too_late: 'EC_TRANSACTION_REVERSAL_TOO_LATE',
  holder_type_wrong: 'EC_%_INVALID_TYPE',
  holder_not_verified: 'EC_%_NOT_VERIFIED',
  holder_not_active: 'EC_%_NOT_ACTIVE',
  id_number_taken: 'EC_%_ID_NUMBER_EXISTS',
  phone_taken: 'EC_PERSON_PHONE_EXISTS',
  name_locked: 'EC_%_UPDATE_ERROR',
  member_exists: 'EC_MEMBER_EXISTS',
  ownership_exceeded: 'EC_MEMBER_OWNERSHIP_EXCEEDED',
  projection_locked: 'EC_BUSINESS_PROJECTION_LOCKED',
  disclosure_missing: 'EC_BUSINESS_DISCLOSURE_REQUIRED',
  details_missing: 'EC_%_DETAILS_REQUIRED',
  not_account_holder: 'EC_ACCOUNT_FORBIDDEN',
  account_not_active: 'EC_ACCOUNT_NOT_ACTIVE',
  account_not_empty: 'EC_ACCOUNT_NOT_EMPTY',
  account_is_fallback: 'EC_ACCOUNT_IS_FALLBACK',
  switched_off: 'EC_*_NOT_ENABLED',
  account_debit_blocked: 'EC_ACCOUNT_DEBIT_BLOCKED',
  account_credit_blocked: 'EC_ACCOUNT_CREDIT_BLOCKED',
  counterparty_not_active: 'EC_CONTACT_NOT_ACTIVE',
  counterparty_rail_missing: 'EC_CONTACT_TRANSFER_TYPE_MISSING',
  counterparty_elsewhere: 'EC_CONTACT_INVALID_ACCOUNT',
  counterparty_ofac_failed: 'EC_CONTACT_OFAC_DECLINED',
  intra_account_unknown: 'EC_CONTACT_INVALID_INTRABANK_ACCOUNT',
  intra_account_own: 'EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST',
  card_closed: 'EC_CARD_CANCELED',
  card_not_virtual: 'EC_CARD_NOT_VIRTUAL',
  card_controls_both: 'EC_CARD_INVALID_CONTROLS',
  card_details_mismatch: 'EC_CARD_DETAILS_MISMATCH',
  parent_missing: 'EC_CARD_PARENT_TXN_REQUIRED',
  parent_wrong: 'EC_CARD_INVALID_PARENT_TXN',
  event_unknown: 'EC_WEBHOOK_INVALID_EVENT',
  url_invalid: 'EC_WEBHOOK_INVALID_URL',
  webhooks_full: 'EC_WEBHOOK_LIMIT_REACHED',
  webhook_deleted: 'EC_WEBHOOK_DELETED',
  webhook_not_active: 'EC_WEBHOOK_NOT_ACTIVE',

  amount_invalid: 'EC_*_INVALID_AMOUNT',
  amount_too_large: 'EC_*_AMOUNT_TOO_LARGE',
  insufficient_funds: 'EC_ACCOUNT_INSUFFICIENT_FUNDS',
  limit_exceeded: 'EC_*_LIMIT_EXCEEDED',
  hold_resolved: 'EC_*_ALREADY_RESOLVED',
} as const satisfies Record<RefusalCode, string>;

/** Published errors, which are used verbatim. */
const VERBATIM: Partial<Record<RefusalCode, { message: string; sysMessage: string }>> = {
  person_header_missing: { message: 'person id missing in header', sysMessage: 'personId_missing' },
  write_conflict: { message: 'qldb occ error please retry', sysMessage: 'qldb occ error please retry' },
  intra_account_own: {
    message: 'Invalid self intrabank request',
    sysMessage: 'contact_invalid_self_intrabank_request',
  },
};

/** Messages by code that replace the bank's message. */
const MESSAGES: Readonly<Record<string, string>> = {
  EC_PERSON_NOT_FOUND: 'person not found',
  EC_BUSINESS_NOT_FOUND: 'business not found',
  EC_FAMILY_NOT_FOUND: 'family not found',
  EC_MEMBER_NOT_FOUND: 'member not found',
  EC_ACCOUNT_NOT_FOUND: 'account not found',
  EC_CARDHOLDER_NOT_FOUND: 'cardholder not found',
  EC_CARD_NOT_FOUND: 'card not found',
  EC_CONTACT_NOT_FOUND: 'contact not found',
  EC_TRANSACTION_NOT_FOUND: 'transaction not found',
  EC_TRANSFER_NOT_FOUND: 'transfer not found',
  EC_CONTACT_INVALID_INTRABANK_ACCOUNT: 'no account of this bank has this number',
  EC_CARD_CANCELED: 'the card is canceled',
};

/** The v1 names of the bank's fields, part by part; other names are the same in v1. */
const FIELD_NAMES = new Map(
  Object.entries({
    counterpartyId: 'contactId',
    // The header contains the person of an account.
    holderId: 'sd-person-id',
    cardHolderId: 'cardholderId',
    createdBy: 'sd-person-id',
    parentId: 'parentTxnId',
    total: 'amount',
    sameDay: 'type',
    cardHolderName: 'embossingPerson',
    businessName: 'embossingBusiness',
    intraAccount: 'intrabank',
    domesticWire: 'wire.domestic',
    internationalWire: 'wire.international',
    identifierCode: 'bankIdentifierCode',
    correspondentIdentifierCode: 'correspondentBankIdentifierCode',
    externalReferenceId: 'metadata.externalId',
  }),
);

/** A control list of a card, which v1 has at the top level: `allowedMerchants`. */
const CONTROL_LIST = /^controls\.(allowed|blocked)\.(\w+)$/;

/** Fields with a holder's id, and the type of the holder; other fields belong to the resource of the path. */
const HOLDER_FIELDS: Readonly<Record<string, 'PERSON' | 'BUSINESS'>> = {
  businessId: 'BUSINESS',
  personId: 'PERSON',
  createdBy: 'PERSON',
  'sd-person-id': 'PERSON',
};

const RESOURCES = new Set([
  'account',
  'auth',
  'batch',
  'business',
  'card',
  'contact',
  'family',
  'member',
  'person',
  'program',
  'webhook',
]);

/** The resource of a v1 path, for its errors: `contact`, `transfer`, `document`, ...; `''` for any other path. */
export function resourceOf(path: string): string {
  const [, , noun = '', , part] = path.split('/');
  if (noun === 'send' || noun === 'receive') return 'transfer';
  // The old path of members.
  if (noun === 'owner') return 'member';
  if (!RESOURCES.has(noun)) return '';
  return part === 'document' ? part : noun;
}

/** Formats a refusal in v1. */
export function formatRefusal(
  refusal: Refusal,
  { requestId, method, programId, now, resource }: RefusedRequest,
): { status: number; body: Static<typeof ErrorBody> } {
  const status = STATUS_OF_KIND[REFUSALS[refusal.code].kind];
  const code = CODES[refusal.code]
    .replace('*_', resource === '' ? '' : `${resource.toUpperCase()}_`)
    .replace('%', HOLDER_FIELDS[refusal.field] ?? (resource === 'business' ? 'BUSINESS' : 'PERSON'));
  const verbatim = VERBATIM[refusal.code];
  const body = {
    requestId: formatV1('request', requestId),
    method,
    status,
    code,
    message: verbatim?.message ?? formatMessage(refusal, code, resource),
    sysMessage: verbatim?.sysMessage ?? code.slice('EC_'.length).toLowerCase(),
    programId: status === 401 ? '' : formatV1('program', programId),
    env: 'test' as const,
    createdAt: formatInstant(now),
  };
  return { status, body };
}

function formatMessage({ code, field: path, message }: Refusal, v1Code: string, resource: string): string {
  const { kind, message: own } = REFUSALS[code];
  const ownMessage = message === own ? (MESSAGES[v1Code] ?? message) : message;
  // The fields of a person or a business are at the top level of its record.
  const field = path.startsWith(`${resource}.`) ? path.slice(resource.length + 1) : path;
  const sentence = ownMessage.replaceAll('counterparty', 'contact').replaceAll('intra_account', 'intrabank');
  if (kind !== 'invalid' || field === '') return sentence;
  const name = formatField(field);
  return sentence.startsWith(`${path} `) ? name + sentence.slice(path.length) : `${name}: ${sentence}`;
}

function formatField(field: string): string {
  // The configuration of an account uses the names of v1 internally too.
  if (field.startsWith('config.')) return field;
  const list = CONTROL_LIST.exec(field);
  if (list !== null) return `${list[1]}${list[2]?.charAt(0).toUpperCase()}${list[2]?.slice(1)}`;
  return field
    .split('.')
    .filter((name) => name !== 'rails')
    .map((name) => FIELD_NAMES.get(name) ?? name)
    .join('.');
}
