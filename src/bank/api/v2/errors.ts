/**
 * The error body of v2: the platform's code with its HTTP status, and the field by the name in the request. If the platform publishes a message, it is used, unless the refusal has a more precise one.
 * Source: the error examples of the platform's v2 reference; decisions `v2-error-body` and `v2-error-codes` in
 * docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Refusal } from '../../kernel/refusal.ts';
import { inV2, REFUSALS } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import { formatId, IdText, object, record, Text, Timestamp, text } from './fields.ts';

export const ErrorAnswer = record('Error', 'An error.', {
  request_id: IdText,
  client_id: IdText,
  method: Text,
  status: Type.Integer({ description: 'The HTTP status.' }),
  error: object({
    code: text('A code of the platform, like "ERROR_CODE_INVALID_FIELD".'),
    message: Text,
    field_name: text('The invalid field; "" for none.'),
  }),
  created_at: Timestamp,
});

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
  const { code, status } = inV2(refusal.code);
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
        code,
        message: usual ? (row.inV2 ?? row.message) : nameInSentence(refusal, name),
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
  if (path.length === 0) return REFUSALS[code].field ?? '';
  // The published example of an invalid phone names the field without its parent.
  if (code === 'phone_invalid') return path.at(-1) ?? '';
  // A metadata key is chosen by the client and not a field of the API.
  if (path.includes('metadata')) return path.slice(0, path.indexOf('metadata') + 1).join('.');
  if (isAsSent) return path.join('.');
  return path
    .map((name) => FIELD_NAMES.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .join('.');
}
