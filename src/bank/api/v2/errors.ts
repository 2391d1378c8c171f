/**
 * The error body of v2: the HTTP status of the refusal's kind, a code in the platform's style, and the field by the
 * name in the request. If the platform publishes a message, it is used, unless the refusal has a more precise one.
 * Source: the error examples of the platform's v2 reference; decisions `v2-error-body` and `v2-error-codes` in
 * docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Refusal } from '../../kernel/refusal.ts';
import { REFUSALS, type RefusalCode, type RefusalKind } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import { STATUS_OF_KIND } from '../refusal-statuses.ts';
import { formatId, IdText, object, record, Text, Timestamp, text } from './fields.ts';

export const ErrorAnswer = record('Error', 'An error.', {
  request_id: IdText,
  client_id: IdText,
  method: Text,
  status: Type.Integer({ description: 'The HTTP status.' }),
  error: object({
    code: text('A code of the platform, like "EC_INVALID_INPUT".'),
    message: Text,
    field_name: text('The invalid field; "" for none.'),
  }),
  created_at: Timestamp,
});

const CODE_OF_KIND: Readonly<Record<RefusalKind, string>> = {
  invalid: 'ERROR_CODE_INVALID_FIELD',
  unauthorized: 'ERROR_CODE_UNAUTHORIZED',
  forbidden: 'ERROR_CODE_FORBIDDEN',
  not_found: 'ERROR_CODE_RESOURCE_NOT_FOUND',
  wrong_method: 'ERROR_CODE_METHOD_NOT_ALLOWED',
  too_slow: 'ERROR_CODE_REQUEST_TIMEOUT',
  conflict: 'ERROR_CODE_INVALID_STATE',
  gone: 'ERROR_CODE_RESOURCE_GONE',
  too_large: 'ERROR_CODE_REQUEST_TOO_LARGE',
  unsupported_media: 'ERROR_CODE_UNSUPPORTED_MEDIA_TYPE',
  rate_limited: 'ERROR_CODE_TOO_MANY_REQUESTS',
  headers_too_large: 'ERROR_CODE_HEADERS_TOO_LARGE',
  failure: 'ERROR_CODE_INTERNAL_ERROR',
  unavailable: 'ERROR_CODE_SERVICE_UNAVAILABLE',
  not_emulated: 'ERROR_CODE_NOT_IMPLEMENTED',
};

/** The published codes and messages of single refusals, which differ from those of their kind. */
const PUBLISHED: Readonly<Partial<Record<RefusalCode, { code?: string; message?: string }>>> = {
  body_malformed: { code: 'ERROR_CODE_INVALID_REQUEST_BODY', message: 'invalid request body' },
  body_missing: { code: 'ERROR_CODE_INVALID_REQUEST_BODY', message: 'invalid request body' },
  body_unreadable: { code: 'ERROR_CODE_INVALID_REQUEST_BODY', message: 'invalid request body' },
  phone_invalid: { code: 'ERROR_CODE_INVALID_PHONE', message: 'invalid phone' },
  write_conflict: { code: 'EC_QLDB_OCC_ERROR_RETRY', message: 'qldb occ error please retry' },
  master_account_not_found: { message: 'cannot find account by id in qldb' },
  holder_not_found: { message: 'cannot find account holder by client id in qldb' },
  account_not_found: { message: 'cannot find account by id in qldb' },
  card_holder_not_found: { message: 'cannot find card holder by id in qldb' },
  // The card pages of the reference use the message of card holders.
  card_not_found: { message: 'cannot find card holder by id in qldb' },
  counterparty_not_found: { message: 'cannot find counterparty by id in qldb' },
  transaction_not_found: { message: 'cannot find transaction by id in qldb' },
};

/** The default field of refusals without one. */
const DEFAULT_FIELD: Readonly<Partial<Record<RefusalCode, string>>> = {
  phone_invalid: 'phone',
  phone_taken: 'phone',
  id_number_taken: 'id_number',
  metadata_too_large: 'metadata',
  ownership_exceeded: 'business.members.ownership',
  holder_type_wrong: 'type',
  holder_not_verified: 'sub_account_holder_id',
  holder_not_active: 'sub_account_holder_id',
  account_not_active: 'sub_account_id',
  account_debit_blocked: 'sub_account_id',
  account_credit_blocked: 'sub_account_id',
  counterparty_not_active: 'counterparty_id',
  counterparty_rail_missing: 'counterparty_id',
  counterparty_elsewhere: 'counterparty_id',
  counterparty_ofac_failed: 'counterparty_id',
  intra_account_unknown: 'intra_account',
  intra_account_own: 'intra_account',
  card_controls_both: 'controls',
  parent_missing: 'parent_transaction_id',
  parent_wrong: 'parent_transaction_id',
  event_unknown: 'events',
  url_invalid: 'url',
  amount_invalid: 'amount',
  amount_too_large: 'amount',
  insufficient_funds: 'amount',
  limit_exceeded: 'amount',
};

/** Internal names whose v2 names are not just their snake case. */
const FIELD_NAMES = new Map(
  Object.entries({
    accountId: 'sub_account_id',
    businessId: 'sub_account_holder_id',
    cardHolderName: 'card_fulfilment.embossing.card_holder_name',
    businessName: 'card_fulfilment.embossing.business_name',
    cardType: 'type',
    holderId: 'sub_account_holder_id',
    holderType: 'type',
    parentId: 'parent_transaction_id',
    shipment: 'card_fulfilment',
    identifierCode: 'beneficiary_bank.identifier_code',
    correspondentIdentifierCode: 'correspondent_bank.identifier_code',
    total: 'amount',
  }),
);

/** The properties of the call in a refusal: ids without prefix, and the client if it is known. */
export interface RefusedCall {
  requestId: Id;
  clientId: Id | '';
  method: string;
  now: Instant;
  /** Whether the body has v1's field names, so that the field is named as sent. Default: false. */
  isInV1Words?: boolean;
}

/** Formats a refusal in v2. */
export function formatRefusal(
  refusal: Refusal,
  call: RefusedCall,
): { status: number; body: Static<typeof ErrorAnswer> } {
  const row = REFUSALS[refusal.code];
  const published = PUBLISHED[refusal.code];
  const status = STATUS_OF_KIND[row.kind];
  const code = CODE_OF_KIND[row.kind];
  const usual = refusal.message === row.message;
  const name = nameField(refusal, call.isInV1Words === true);
  return {
    status,
    body: {
      request_id: formatId('request', call.requestId),
      client_id: status === 401 ? '' : formatId('client', call.clientId),
      method: call.method,
      status,
      error: {
        code: published?.code ?? code,
        message: usual ? (published?.message ?? row.message) : nameInSentence(refusal, name),
        // The platform names no field if a record does not exist, not even the field with its id.
        field_name: row.kind === 'not_found' ? '' : name,
      },
      created_at: formatInstant(call.now),
    },
  };
}

/** Replaces the field name at the beginning of a message by its v2 name; a metadata key is not changed. */
function nameInSentence({ field, message }: Refusal, name: string): string {
  if (name === 'metadata' || !message.startsWith(`${field} `)) return message;
  const subject = IN_LIST.test(field) ? `each entry of ${name}` : name;
  return subject + message.slice(field.length);
}

/** The path of a list item. */
const IN_LIST = /[./]\d+$/;

/** The whole path of the field, without list indexes. */
function nameField({ code, field }: Refusal, isAsSent: boolean): string {
  const path = field.split(/[./]/).filter((step) => step !== '' && !/^\d+$/.test(step));
  if (path.length === 0) return DEFAULT_FIELD[code] ?? '';
  // The published example of an invalid phone names the field without its parent.
  if (code === 'phone_invalid') return path.at(-1) ?? '';
  // A metadata key is chosen by the client and not a field of the API.
  if (path.includes('metadata')) return path.slice(0, path.indexOf('metadata') + 1).join('.');
  if (isAsSent) return path.join('.');
  return path
    .map((name) => FIELD_NAMES.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join('.');
}
