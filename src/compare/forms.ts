/**
 * The form of a value, independent of its content: a number, a text, an amount, an id with its prefix, a time in its
 * format. Two banks generate different ids, times and numbers of the same form.
 */

/** The name of a form; the form of digits includes their number. */
export type Form = string;

const ID = /^([a-z]{2,6})([-_])([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Z]{26})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

interface Shape {
  readonly form: Form;
  readonly matches: RegExp;
}

/** The forms of a text; the first match applies. */
const TEXTS: readonly Shape[] = [
  { form: 'empty text', matches: /^$/ },
  { form: 'uuid', matches: UUID },
  { form: 'date', matches: /^\d{4}-\d\d-\d\d$/ },
  { form: 'date like 01/31/2026', matches: /^\d\d\/\d\d\/\d{4}$/ },
  { form: 'amount', matches: /^-?\d+\.\d\d$/ },
  { form: 'decimal', matches: /^-?\d+\.\d+$/ },
  { form: 'digits', matches: /^\d+$/ },
  { form: 'phone', matches: /^\+\d{6,15}$/ },
  { form: 'email', matches: /^[^\s@]+@[^\s@]+\.[^\s@]+$/ },
  { form: 'link', matches: /^https?:\/\/\S+$/ },
];

/** The form of a value. */
export function formOf(value: unknown): Form {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  const id = ID.exec(value);
  if (id !== null) return `id ${id[1]}${id[2]}`;
  if (TIME.test(value)) return `time like ${value.replace(/\.\d+/, '.0').replaceAll(/\d/g, '0')}`;
  return TEXTS.find(({ matches }) => matches.test(value))?.form ?? 'text';
}

/** The coarse type of JSON that a value has. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
}

export function isIdForm(form: Form): boolean {
  return form.startsWith('id ') || form === 'uuid';
}

export function isTimeForm(form: Form): boolean {
  return form.startsWith('time ');
}

/** Whether a value is unset. */
export function isUnset(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

const INSIDE =
  /[a-z]{2,6}[-_](?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d{4}-\d\d-\d\dT[\d:.]+Z?/g;

/** A text without the ids and times in it. */
export function withoutIds(text: string): string {
  return text.replaceAll(INSIDE, '…');
}

/** The difference of two amounts, which are numbers or texts; `undefined` if one is not an amount. */
export function distanceOf(here: unknown, there: unknown): number | undefined {
  const [one, other] = [amountOf(here), amountOf(there)];
  return one === undefined || other === undefined ? undefined : Math.abs(one - other);
}

function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? Number(value) : undefined;
}
