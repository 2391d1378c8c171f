/**
 * The common fields of v1's records and requests, with their parsers and formatters. In a response an unset text or
 * time is `''`, an unset object or list is `null`, and no field is omitted; booleans are JSON booleans. The field of
 * an address determines its type, so the type in a request is not stored. This file also contains the default title
 * and description of a transaction.
 * Source: the conventions, the rules of fields, the address object and the samples of transactions of the platform's v1
 * reference; decisions `unset-values`, `v1-shown-person`, `v1-error-codes`, `id-format`, `v2-error-codes`,
 * `value-strictness` and `v1-payment-titles` in docs/fidelity.md.
 */
import {
  type Static,
  type TNull,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';
import { type Cents, MONEY_OR_DOLLARS_PATTERN } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { isDate } from '../../kernel/time.ts';
import { BLANK_ADDRESS } from '../../model/people.ts';
import { isCountry } from '../../model/places.ts';
import { isReversal } from '../../model/rails/index.ts';
import type {
  Address as AddressRecord,
  Metadata as MetadataRecord,
  Program,
  Transaction,
} from '../../model/records.ts';
import type { HolderType } from '../../model/vocabulary.ts';
import { as, type Codec, codec, fields } from '../codec.ts';
import {
  DATE_OR_EMPTY,
  DateText,
  EMAIL_OR_EMPTY,
  EmailText,
  filledText,
  PhoneText,
  parseAmount as parseCents,
  parseEmail,
  parseId,
  record,
  Text,
  text,
} from '../fields.ts';
import { formatV1 } from '../ids.ts';
import type { WordTable } from './vocabulary.ts';

export {
  AccountNumber,
  body,
  DATE,
  DATE_OR_EMPTY,
  DATE_TIME,
  EMAIL,
  EmailText,
  filledText,
  LimitMoney,
  Money,
  Month,
  object,
  PhoneText,
  parseId,
  pickSent,
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

export const IdText = text('A prefix and a UUID; "" when unset.');
export const IdNumber = text('The number of the document or registration that idType names; "" when unset.');
export const Last4 = text('The last four digits of the number; "" when unset.');
export const Currency = enumOf(['USD']);
export const CurrencyRate = text(
  'Units of the account\'s currency per unit of the merchant\'s, like "1.000000000".',
);
/** An amount in a request. The page on test credits sends whole dollars, "200". */
export const AmountInput = Type.String({
  pattern: MONEY_OR_DOLLARS_PATTERN,
  description: 'dollars and cents, like "12.50", or whole dollars, like "12"',
});
/** Key-value pairs of the client; an empty value removes its key. */
export const MetadataInput = Type.Record(Type.String(), Type.String(), {
  description: 'Key-value pairs to set; an empty value removes its key.',
  emptyClears: true,
});

/** An enum of these words. The OpenAPI document of v1 has `enum` before `type`, that of v2 after it. */
export function enumOf<const W extends readonly string[]>(
  words: W,
  description?: string,
): TUnsafe<W[number]> {
  const options = description === undefined ? {} : { description };
  return Type.Unsafe<W[number]>(Type.String({ enum: [...words], ...options }));
}

/** The shape, or `null`, as a union; v2 writes it with the keyword `nullable`. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const Metadata = orNull(
  Type.Record(Type.String(), Type.String(), { description: 'Key-value pairs of the client; null for none.' }),
);

/** The owner of a record in the bank. */
interface Owned {
  readonly holderType: HolderType | null;
  readonly holderId: Id | null;
  readonly familyId: Id | '';
}

/** The owner fields of a record: the business or the family, if one owns it, and the person. */
export function formatOwner({ holderType, holderId, familyId }: Owned, personId: Id | '') {
  return {
    personId: formatV1('person', personId),
    businessId: holderType === 'business' ? formatV1('business', holderId ?? '') : '',
    familyId: formatV1('family', familyId),
  };
}

/** The id of a real-time authorization of ACH, with `aar-`; that of a card has `car-`. */
export function formatAchAuthorization(id: Id | ''): string {
  return formatV1('authorization', id).replace('car-', 'aar-');
}

/** Checks that a path names the sandbox's program. Refuses: `program_not_found`. */
export function requireProgram({ programId }: Program, text: string): void {
  if (parseId('program', text) !== programId) throw refuse('program_not_found');
}

const WHOLE_DOLLARS = /^\d+$/;
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Parses an amount greater than zero, in cents. Refuses: `amount_invalid`. */
export function parseAmount(text: string, field = 'amount'): Cents {
  return parseCents(WHOLE_DOLLARS.test(text) ? `${text}.00` : text, field);
}

/** Parses an existing date, or `''`. Refuses: `field_invalid`. */
function parseDate(field: string, text: string): string {
  if (text === '' || isDate(text)) return text;
  throw refuse('field_invalid', { field, message: `must be a valid date, YYYY-MM-DD; got "${text}"` });
}

/** Parses an E.164 number, or `''`. Refuses: `phone_invalid`. */
function parsePhone(field: string, text: string): string {
  if (text === '' || PHONE.test(text)) return text;
  throw refuse('phone_invalid', { field });
}

/** Parses a country in two letters, or `''`. Refuses: `field_invalid`. */
export function parseCountry(field: string, text: string): string {
  if (text === '' || isCountry(text)) return text.toUpperCase();
  throw refuse('field_invalid', {
    field,
    message: `must be the two-letter code of a country (ISO 3166-1), like "US"; got "${text}"`,
  });
}

const ADDRESS_TYPES = ['mailing', 'billing', 'shipping', 'card', 'wire', 'check'] as const;

/** An address in a response; a transfer without one has an address of empty strings. */
export const Address = record('Address', 'A postal address and its purpose.', {
  addressType: enumOf([...ADDRESS_TYPES, '']),
  line1: Text,
  line2: Text,
  city: Text,
  state: text('Two letters; in other countries any text.'),
  country: text('Two letters, ISO 3166-1.'),
  postalCode: Text,
});

const Line = Type.String({ maxLength: 60 });
const RequiredLine = filledText(60);

export const AddressInput = Type.Object(
  {
    addressType: Type.Optional(enumOf([...ADDRESS_TYPES, ''])),
    line1: RequiredLine,
    line2: Type.Optional(Line),
    city: RequiredLine,
    state: Type.String({
      maxLength: 60,
      description: 'a state of the US or a province of CA in two letters; in other countries any text',
    }),
    country: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters' }),
    postalCode: Line,
  },
  { title: 'AddressInput', description: 'A postal address.', isAddress: true },
);

/** Parses an address; its country becomes upper case. */
export function parseAddress(address: Static<typeof AddressInput>): AddressRecord {
  return {
    line1: address.line1,
    line2: address.line2 ?? '',
    city: address.city,
    state: address.state,
    country: address.country.toUpperCase(),
    postalCode: address.postalCode,
  };
}

/** Parses an address, or `null`. */
export function parseAddressOrNull(
  address: Static<typeof AddressInput> | null | undefined,
): AddressRecord | null {
  return address == null ? null : parseAddress(address);
}

type View = Static<typeof Address>;

/** Formats an address, or `null`. */
export function formatAddress(addressType: View['addressType'], address: AddressRecord | null): View | null {
  return address === null ? null : { addressType, ...addressLines(address) };
}

/** Formats an address, or seven empty strings, because a transfer always contains the object. */
export function formatAddressOrBlank(addressType: View['addressType'], address: AddressRecord | null): View {
  return formatAddress(addressType, address) ?? { addressType: '', ...addressLines(BLANK_ADDRESS) };
}

const addressLines = ({ line1, line2, city, state, country, postalCode }: AddressRecord): AddressRecord => ({
  line1,
  line2,
  city,
  state,
  country,
  postalCode,
});

/** A value that is stored unchanged. */
const asSent = <V>(value: V): V => value;

/** The codecs of common values. */
export const dateCodec = codec(
  Type.String({ maxLength: 10, description: 'YYYY-MM-DD', ...DATE_OR_EMPTY }),
  DateText,
  (text, name) => parseDate(name, text),
  asSent<string>,
);
/** A phone with this shape. */
export const phoneCodec = (input: TString) =>
  codec(input, PhoneText, (text, name) => parsePhone(name, text), asSent<string>);
/** An email address with this shape. */
export const emailCodec = (input: TString) =>
  codec(input, EmailText, (text, name) => parseEmail(name, text), asSent<string>);
/** A phone that may be empty. */
export const anyPhone = phoneCodec(Type.String({ maxLength: 16, description: 'E.164 with a leading +' }));
/** An email address that may be empty. */
export const anyEmail = emailCodec(Type.String({ maxLength: 100, ...EMAIL_OR_EMPTY }));
/** An address of this type, or `null`. */
export const addressCodec = (type: View['addressType']) =>
  codec(orNull(AddressInput), orNull(Address), parseAddressOrNull, (address: AddressRecord | null) =>
    formatAddress(type, address),
  );
export const MAILING = fields({ address: as('address', addressCodec('mailing')) });
/** The metadata of a record; `null` in a body means "not sent". */
export const METADATA = fields({
  metadata: as(
    'metadata',
    codec(orNull(MetadataInput), Metadata, (pairs) => pairs ?? undefined, asSent<MetadataRecord>),
  ),
});

/** The same, or `null`. */
export function orNone<I extends TSchema, O extends TSchema, V, W>({
  input,
  output,
  parse,
  format,
}: Codec<I, O, V, W>): Codec<TUnion<[I, TNull]>, TUnion<[O, TNull]>, Exclude<V, undefined> | null, W | null> {
  return {
    input: orNull(input),
    output: orNull(output),
    parse: (value, name) =>
      value === null ? null : (parse(value as Static<I>, name) as Exclude<V, undefined>),
    format: (value) => (value === null ? null : format(value)) as Static<TUnion<[O, TNull]>>,
  };
}

/** A word of a table, or `''`. */
export function wordCodec<Word extends string, V1 extends string>(
  table: WordTable<Word, V1>,
): Codec<TUnsafe<V1 | ''>, TUnsafe<V1 | ''>, Word | '', Word | ''> {
  const shape = enumOf<readonly (V1 | '')[]>([...table.words, '']);
  return codec(shape, shape, (word) => (word === '' ? '' : table.parse(word as V1)), table.format);
}

/**
 * A word that a body cannot clear: `""` counts as not sent, as decision `zero-values` says, because the schema does not
 * accept it.
 */
export function keptWordCodec<Word extends string, V1 extends string>(
  table: WordTable<Word, V1>,
): Codec<TUnsafe<V1>, TUnsafe<V1 | ''>, Word | '', Word | ''> {
  return { ...wordCodec(table), input: enumOf<readonly V1[]>(table.words) };
}

/**
 * The client's title, otherwise "Paid to ...", "Received from ..." (only "Received" if the other side is unknown),
 * the title of a check, or the merchant's name.
 */
export function titleOf(transaction: Transaction): string {
  return transaction.title || generatedTitle(transaction);
}

function generatedTitle({ rail, method, direction, otherSide, details }: Transaction): string {
  if (details.kind === 'card') return details.merchant.name;
  if (rail === 'account_opening') return 'Account Opened';
  const name = otherSide?.name ?? '';
  const titled = (what: string, link: string): string => (name === '' ? what : `${what} ${link} ${name}`);
  if (rail === 'solid_card_send' || rail === 'solid_card_back') return titled('Card sent', 'to');
  // A reversal has the opposite direction and the title of the transaction that it reverses.
  const out = (direction === 'debit') !== isReversal(rail);
  if (method === 'check') return out ? titled('Check created', 'for') : titled('Received check', 'from');
  return out ? titled('Paid', 'to') : titled('Received', 'from');
}

/** The default description of a card transaction; v2 shows only the merchant's name. */
export function descriptionOf({ rail, description, details }: Transaction): string {
  if (details.kind !== 'card' || details.described === true) return description;
  const spent = `Spent ${details.cardLabel} at ${description}`.replace('  ', ' ');
  return rail === 'card_reverse' ? `Reversal for - ${spent}` : spent;
}
