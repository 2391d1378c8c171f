/**
 * Pseudonyms replace private values in a recording: the same pseudonym for the same value, of the same form, and
 * valid for a bank, so that a recording can be replayed. Test numbers that the platform publishes are kept, because
 * they have a meaning.
 */

/** A sort of value that is replaced. */
export type Sort =
  | 'name'
  | 'text'
  | 'email'
  | 'phone'
  | 'date'
  | 'idNumber'
  | 'digits'
  | 'routing'
  | 'card'
  | 'masked'
  | 'iban'
  | 'bic'
  | 'street'
  | 'city'
  | 'state'
  | 'postalCode'
  | 'link'
  | 'token'
  | 'image'
  | 'id';

/** Published test values. */
const PUBLISHED = new Set(['999999999', '+15555555555', '4000056655665556']);
const ROUTING_NUMBERS = ['121042882', '021000021', '122235821'];
const NAMES = [
  'Alder',
  'Birch',
  'Cedar',
  'Elm',
  'Fern',
  'Hazel',
  'Ivy',
  'Juniper',
  'Linden',
  'Maple',
  'Oak',
  'Rowan',
];
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TEXT_MARK = 'Text ';

/** A number with a fixed number of digits. */
const counted = (number: number, length: number): string =>
  String(number).padStart(length, '0').slice(-length);
const hex = (number: number, length: number): string =>
  number.toString(16).padStart(length, '0').slice(-length);

/** Create the n-th pseudonym of each sort. */
const MAKE: Readonly<Record<Sort, (original: string, number: number) => string>> = {
  name: (_, number) => `${NAMES[number % NAMES.length]}${lettersOf(Math.floor(number / NAMES.length))}`,
  text: (_, number) => `${TEXT_MARK}${number}`,
  email: (_, number) => `person${number}@redacted.example`,
  phone: (_, number) => `+1503555${counted(number, 4)}`,
  date: (_, number) => `19${counted(50 + (number % 50), 2)}-01-${counted(1 + (number % 28), 2)}`,
  // The first digit decides the outcome of a check.
  idNumber: (original, number) => `${original.charAt(0)}${counted(number, Math.max(original.length - 1, 1))}`,
  digits: (original, number) => (original.length < 2 ? '7' : `7${counted(number, original.length - 1)}`),
  routing: (_, number) => ROUTING_NUMBERS[number % ROUTING_NUMBERS.length] ?? '',
  masked: (original, number) =>
    original
      .replace(/[^*xX•\d -]/g, '*')
      .replace(/\d+/g, (run) => counted(number, run.length).replace(/^0/, '7')),
  card: () => '4000056655665556',
  iban: () => 'DE89370400440532013000',
  bic: () => 'COBADEFF',
  street: (_, number) => `${number + 1} Redacted Street`,
  city: () => 'Springfield',
  state: () => 'OR',
  postalCode: () => '97301',
  link: (_, number) => `https://redacted.example/${number}`,
  token: (_, number) => `redacted${counted(number, 24)}`,
  image: () => IMAGE,
  // An id of zeros identifies no record.
  id: (original, number) => (/^[a-z]{2,6}[-_][0-]+$/.test(original) ? original : idLike(original, number)),
};

/** A number in letters, because a name has no digits. */
function lettersOf(number: number): string {
  return number === 0
    ? ''
    : `${String.fromCharCode(97 + (number % 26))}${lettersOf(Math.floor(number / 26))}`;
}

/** An id of the same prefix and form. */
function idLike(original: string, number: number): string {
  const [prefix = ''] = /^[a-z]{2,6}[-_]/.exec(original) ?? [];
  const digits = `${'0'.repeat(20)}${hex(number, 12)}`;
  if (!original.slice(prefix.length).includes('-')) return `${prefix}${digits}`;
  return `${prefix}${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

export interface Pseudonyms {
  /** The pseudonym of a value; the same for the same value and sort. */
  of(sort: Sort, original: string): string;
}

/** The pseudonyms of one recording. */
export function createPseudonyms(): Pseudonyms {
  const given = new Map<Sort, Map<string, string>>();
  return {
    of(sort, original) {
      if (PUBLISHED.has(original)) return original;
      const known = given.get(sort) ?? new Map<string, string>();
      given.set(sort, known);
      const pseudonym = known.get(original) ?? MAKE[sort](original, known.size + 1);
      known.set(original, pseudonym);
      return pseudonym;
    },
  };
}

/** Whether a text is a pseudonym, whose words have no meaning. */
export function isRedactedText(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    (new RegExp(`^${TEXT_MARK}\\d+$`).test(value) || /^redacted\d{24}$|redacted\.example/.test(value))
  );
}
