/**
 * The common fields of v2's shapes: their schemas, parsers and formatters. A response is closed (exactly these
 * fields, all present); a body is open, because an unknown field is ignored and named in a hint. Enums and nullable
 * objects are plain JSON Schema, not unions, which keeps messages and serialization simple. A response contains ids
 * with v2's prefix and 32 digits; a request may use the format of either API version, and a malformed id is refused
 * like an unknown one. An empty text means "not set". A refusal names a field by its whole path.
 * Source: the data conventions of the platform's v2 reference; decisions `value-strictness`, `unknown-fields`,
 * `unset-values` and `id-format` in docs/fidelity.md.
 */
import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';
import { MONEY_PATTERN } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant, isDate } from '../../kernel/time.ts';
import { BLANK_ADDRESS } from '../../model/people.ts';
import type { Address as AddressRecord, Program } from '../../model/records.ts';
import type { OfacStatus } from '../../model/vocabulary.ts';
import { as, type Codec, codec, fields, plain } from '../codec.ts';
import {
  type BodyOptions,
  body,
  DATE_OR_EMPTY,
  DateText,
  EMAIL_OR_EMPTY,
  EmailText,
  object,
  PhoneText,
  parseEmail,
  record,
  Text,
  Time,
  Timestamp,
  text,
} from '../fields.ts';
import { formatV2, type IdKind } from '../ids.ts';

export {
  AccountNumber,
  body,
  DATE_OR_EMPTY,
  DateText,
  filledText,
  ifPresent,
  LimitMoney,
  Money,
  Month,
  object,
  parseAmount,
  parseId,
  RoutingNumber,
  record,
  SignedMoney,
  Text,
  Time,
  Timestamp,
  text,
  URI,
  URI_OR_EMPTY,
  Year,
} from '../fields.ts';

const TEXT_LENGTH = 2000;

/** An unnamed object in a body. */
export function bodyObject<P extends TProperties>(properties: P, options: BodyOptions = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: true, ...options });
}

/** The same, or `null`, with the keyword `nullable`; v1 writes a union. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  return Type.Unsafe<Static<S> | null>({ ...schema, nullable: true });
}

/** An enum of these words. */
export function enumOf<const W extends readonly string[]>(
  words: W,
  description?: string,
): TUnsafe<W[number]> {
  const schema = { type: 'string', enum: [...words] };
  return Type.Unsafe<W[number]>(description === undefined ? schema : { ...schema, description });
}

// In answers.
export const IdText = text('A prefix and 32 hexadecimal digits; "" when unset.');
export const LimitCount = text('Number of transactions per period, like "10"; "" for no limit.');
export const ExternalId = text('The client\'s id of the record; "" when unset.');
export const Purpose = text('The purpose, as text of the client.');
export const IdNumber = text('The number of the document or registration that id_type names; "" when unset.');
export const Last4 = text('The last four digits of the card number; "" when unset.');
export const Flag = enumOf(['true', 'false']);
export const Usd = enumOf(['usd']);
export const Metadata = nullable(
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Key-value pairs of the client; null until the first is set.',
  }),
);
export const Ofac = record('Ofac', 'The screening against the list of sanctions.', {
  status: enumOf(['pass', 'fail']),
  last_updated_at: Time,
});
/**
 * The reference's tables have the time of creation among the timestamps, its examples next to the label, so it is in
 * both places: decision `attachments-shown` in docs/fidelity.md.
 */
export const ATTACHED_TIMES = {
  created_at: Timestamp,
  timestamps: object({ created_at: Timestamp, deleted_at: Time }),
};
export const Attachments = nullable(
  Type.Array(object({ id: IdText, label: Text, ...ATTACHED_TIMES }), {
    description: 'The attachments of the record; null for none.',
  }),
);

// In requests.
export const TextInput = Type.String({ maxLength: TEXT_LENGTH });
/** The description in the OpenAPI documents names the record. */
export const IdInput = Type.String({ maxLength: TEXT_LENGTH });
export const ExternalIdInput = Type.String({
  maxLength: TEXT_LENGTH,
  description: "The client's id of the record.",
});
const PurposeInput = Type.String({
  maxLength: TEXT_LENGTH,
  description: 'The purpose, as text of the client.',
});
export const AmountInput = Type.String({
  pattern: MONEY_PATTERN,
  description: 'Dollars and cents greater than zero, like "12.50".',
});
/** A removable limit: `""` removes it, and a response shows `""` if there is none. */
export const LimitAmountInput = Type.String({
  pattern: `^$|${MONEY_PATTERN}`,
  description: 'Dollars and cents, like "12.50"; "" for no limit.',
});
export const FlagInput = Type.Unsafe<'true' | 'false' | boolean>({
  enum: ['true', 'false', true, false],
  description: '"true" or "false"; JSON booleans are accepted too.',
});
/**
 * A field of the platform's sample requests whose value the bank determines. It is accepted and ignored, so that a
 * client can send a whole record back.
 */
export const Ignored = Type.Optional(
  Type.Unknown({ description: 'Accepted but ignored: the bank decides it.' }),
);
export const DateInput = Type.String({ maxLength: 10, description: 'A date, YYYY-MM-DD.', ...DATE_OR_EMPTY });
const PhoneInput = Type.String({
  maxLength: TEXT_LENGTH,
  description: 'E.164 with a leading +, like "+14155550100".',
});
export const MetadataInput = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Key-value pairs to set, at most 20 keys and 4 KB; an empty value removes its key.',
  emptyClears: true,
});
const TwoLetters = Type.String({ pattern: '^$|^[A-Za-z]{2}$', description: 'Two letters.' });

// In both.
const addressFields = {
  line1: as('line1', plain(TextInput, Text)),
  line2: as('line2', plain(TextInput, Text)),
  city: as('city', plain(TextInput, Text)),
  state: as('state', plain(TwoLetters, text('Two letters; in other countries any text.'))),
  country: as('country', plain(TwoLetters, text('Two letters, ISO 3166-1.'))),
  postal_code: as('postalCode', plain(TextInput, Text)),
};
const ADDRESS = fields(addressFields);
export const Address = record('Address', 'A postal address.', ADDRESS.outputs);
export const AddressInput = { ...body('AddressInput', 'A postal address.', ADDRESS.inputs), isAddress: true };
/** Foreign addresses can have states of any length. */
export const AnyAddressInput = {
  ...bodyObject({ ...ADDRESS.inputs, state: Type.Optional(TextInput) }),
  isAddress: true,
};

/** Formats `sub_` and the 32 digits; an unset id stays `''`. */
export const formatId: (kind: IdKind, id: Id | '') => string = formatV2;

const E164 = /^\+[1-9]\d{1,14}$/;

/** Parses a boolean of v2, which is a word. */
export function parseFlag(value: 'true' | 'false' | boolean): boolean {
  return value === true || value === 'true';
}

/** Parses a date that exists, or `''`. Refuses: `field_invalid`. */
export function parseDate(field: string, text: string): string {
  if (text !== '' && !isDate(text)) {
    throw refuse('field_invalid', {
      field,
      message: `${field} must be a valid date, YYYY-MM-DD`,
    });
  }
  return text;
}

/** Parses a phone in E.164, or `''`. Refuses: `phone_invalid`. */
function parsePhone(text: string): string {
  if (text !== '' && !E164.test(text)) throw refuse('phone_invalid', { field: 'phone' });
  return text;
}

/** Formats a boolean as the word that v2 uses for it. */
export function formatFlag(value: boolean): 'true' | 'false' {
  return value ? 'true' : 'false';
}

/** Parses an address. */
export function parseAddress(body: Static<typeof AddressInput>): AddressRecord {
  return { ...BLANK_ADDRESS, ...ADDRESS.parse(body) };
}

/** Formats an address; `null` if it is not set. */
export function formatAddress(address: AddressRecord | null): Static<typeof Address> | null {
  return address && ADDRESS.format(address);
}

/** Formats an OFAC screening. */
export function formatOfac(status: OfacStatus, at: Instant): Static<typeof Ofac> {
  return { status, last_updated_at: formatInstant(at) };
}

/** Formats the owner of a record: the client, and the master account of all its sub accounts. */
export function formatOwner(program: Program): {
  client_id: string;
  master_account_holder_id: string;
  master_account_id: string;
} {
  return {
    client_id: formatId('client', program.clientId),
    master_account_holder_id: formatId('master_account_holder', program.masterAccountHolderId),
    master_account_id: formatId('master_account', program.masterAccountId),
  };
}

/** The descriptive fields of a client: label, references and metadata. */
export const words = {
  external_reference_id: as('externalReferenceId', plain(ExternalIdInput, ExternalId)),
  purpose: as('purpose', plain(PurposeInput, Purpose)),
};
export const WORDS = fields(words);
export const METADATA = fields({
  metadata: as(
    'metadata',
    codec(
      MetadataInput,
      Metadata,
      (pairs) => pairs,
      (pairs: Static<typeof Metadata>) => pairs,
    ),
  ),
});

/** The codecs of common values. */
export const flagCodec = codec(FlagInput, Flag, parseFlag, formatFlag);
export const dateCodec = codec(
  DateInput,
  DateText,
  (text, name) => parseDate(name, text),
  (date: string) => date,
);
export const phoneCodec = codec(PhoneInput, PhoneText, parsePhone, (phone: string) => phone);
export const emailCodec = codec(
  Type.String({ maxLength: TEXT_LENGTH, ...EMAIL_OR_EMPTY }),
  EmailText,
  (text, name) => parseEmail(name, text),
  (email: string) => email,
);
export const addressCodec = codec(AddressInput, nullable(Address), parseAddress, formatAddress);

/** The same, or `null`. */
export function orNone<I extends TSchema, O extends TSchema, V, W>({
  input,
  output,
  parse,
  format,
}: Codec<I, O, V, W>): Codec<
  TUnsafe<Static<I> | null>,
  TUnsafe<Static<O> | null>,
  Exclude<V, undefined> | null,
  W | null
> {
  return {
    input: nullable(input),
    output: nullable(output),
    parse: (value, name) => (value === null ? null : (parse(value, name) as Exclude<V, undefined>)),
    format: (value) => (value === null ? null : format(value)),
  };
}

/** The same, but a body may repeat the unset value: `""` or `null` means "not sent". */
export function unlessUnset<I extends TSchema, J extends TSchema, O extends TSchema, V, W>(
  input: J,
  { output, parse, format }: Codec<I, O, V, W>,
): Codec<J, O, V | undefined, W> {
  return codec(
    input,
    output,
    (value: Static<J>, name: string) => (value === null || value === '' ? undefined : parse(value, name)),
    format,
  );
}
