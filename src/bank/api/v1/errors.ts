/**
 * The errors of v1: one flat body, with a code that consists of the resource and the reason. Published codes are used
 * unchanged; the others follow their pattern. `sysMessage` is the short name of the code. v1 has no field for the
 * invalid field, so the message names it.
 * Source: "errors" of the platform's v1 reference; decisions `v1-error-body` and `v1-error-codes` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Refusal } from '../../kernel/refusal.ts';
import { REFUSALS, type RefusalCode, statusOf } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import { formatV1 } from '../ids.ts';
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
  EC_WALLET_NOT_FOUND: 'wallet not found',
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
  'wallet',
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
  const status = statusOf(refusal.code);
  const code = REFUSALS[refusal.code].v1
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
