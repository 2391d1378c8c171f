/**
 * Compares two responses to the same request, field by field. `values.ts` decides which values are compared exactly
 * and which only by their form; for ids the relations are compared. A record in a list is compared with its
 * counterpart, so that other records of a real account do not matter.
 */
import { counted } from '../bank/kernel/count.ts';
import { type Cause, type Found, print } from './differences.ts';
import { distanceOf, formOf, isIdForm, isTimeForm, isUnset, typeOf, withoutIds } from './forms.ts';
import { wordsAt } from './operations.ts';
import { isRedactedText } from './pseudonyms.ts';
import type { Relation } from './relation.ts';
import type { Exchange, ReceivedAnswer } from './transcript.ts';
import { dependsOnBank, dependsOnTime, isErrorCode } from './values.ts';

export interface AnswerContext {
  readonly relation: Relation;
  /** False if the two sides have different records, so that only forms are compared. */
  readonly sameRecords: boolean;
  /** Whether the other side's texts are pseudonyms; then only texts that were sent are compared. */
  readonly isRedacted?: boolean;
  /** All texts that were sent to this bank so far. */
  readonly sent: ReadonlySet<string>;
  /** Called for every equal value, and for every pair of related ids. */
  readonly onAgreement?: (operation: string, field: string) => void;
}

interface Place {
  readonly operation: string;
  readonly step: string;
  readonly ignored: readonly string[];
  readonly isRefusal: boolean;
  /** Whether the scenario has waited for all pending work. */
  readonly isSteady: boolean;
  readonly context: AnswerContext;
  readonly found: Found[];
}

/** Forms that a recording does not redact. */
const READABLE = new Set(['amount', 'boolean', 'number']);

type Fields = Readonly<Record<string, unknown>>;

const FIRST_REFUSAL = 400;
/** Amounts that differ by at most this are considered equal and rounded differently. */
const MAX_ROUNDING = 0.05;
/** A generated value of at most this length may equal a value of another request by chance. */
const LONGEST_CHANCE = 4;
/** The fields with the records of a list; those of a statement are transactions. */
const LISTS = new Set(['data', 'transactions']);

/** The differences between the responses of one step on both sides. */
export function compareAnswers(here: Exchange, there: Exchange, context: AnswerContext): Found[] {
  if (here.answer === undefined || there.answer === undefined) return [];
  const place: Place = {
    operation: here.operation,
    step: here.step,
    ignored: here.ignore ?? [],
    isRefusal: here.answer.status >= FIRST_REFUSAL,
    isSteady: here.isSteady === true,
    context,
    found: [],
  };
  if (here.answer.status !== there.answer.status) {
    const code = codeOf(there.answer);
    add(place, 'status', '', String(here.answer.status), `${there.answer.status}${code}`);
    const fault = faultOf(here.answer) ?? faultOf(there.answer);
    return fault === undefined ? place.found : place.found.map((one) => ({ ...one, fault }));
  }
  compareHeaders(place, here.answer, there.answer);
  compareBodies(place, here.answer.body, there.answer.body);
  return place.found;
}

/** The differences between two records of a response or an event. */
export function compareRecords(
  where: Pick<Place, 'operation' | 'step'>,
  here: unknown,
  there: unknown,
  context: AnswerContext,
): Found[] {
  const place: Place = { ...where, ignored: [], isRefusal: false, isSteady: true, context, found: [] };
  compareBodies(place, here, there);
  return place.found;
}

/** The error code of an unexpected refusal. */
function codeOf({ status, body }: ReceivedAnswer): string {
  if (status < FIRST_REFUSAL || typeof body !== 'object' || body === null) return '';
  const { code, error } = body as { code?: unknown; error?: { code?: unknown } };
  const found = code ?? error?.code;
  return typeof found === 'string' ? ` ${found}` : '';
}

/** The invalid field, if the response names one. */
function faultOf({ status, body }: ReceivedAnswer): string | undefined {
  if (status < FIRST_REFUSAL) return undefined;
  const { error } = Object(body) as { error?: { field_name?: unknown } };
  const name = error?.field_name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function compareHeaders(place: Place, here: ReceivedAnswer, there: ReceivedAnswer): void {
  for (const name of new Set([...Object.keys(here.headers), ...Object.keys(there.headers)])) {
    const [one, other] = [here.headers[name], there.headers[name]];
    if (one === undefined || other === undefined) {
      add(
        place,
        'header',
        name,
        one === undefined ? 'absent' : 'there',
        other === undefined ? 'absent' : 'there',
      );
    } else if (name === 'content-type' && mediaType(one) !== mediaType(other)) {
      add(place, 'header', name, mediaType(one), mediaType(other));
    }
  }
}

function mediaType(text: string): string {
  return text.toLowerCase().replaceAll(/\s/g, '');
}

function compareBodies(place: Place, here: unknown, there: unknown): void {
  if (typeof here === 'string' && typeof there === 'string') return;
  compareValues(place, '', here, there);
}

function add(place: Place, cause: Cause, field: string, here: string, there: string): void {
  if (place.ignored.includes(field)) return;
  place.found.push({ cause, operation: place.operation, step: place.step, field, here, there });
}

function compareValues(place: Place, field: string, here: unknown, there: unknown): void {
  if (place.ignored.includes(field)) return;
  const [one, other] = [typeOf(here), typeOf(there)];
  if (one !== other) compareTypes(place, field, here, there);
  else if (one === 'object') compareObjects(place, field, here as Fields, there as Fields);
  else if (one === 'list') compareLists(place, field, here as unknown[], there as unknown[]);
  else compareLeaves(place, field, here, there);
}

function compareLeaves(place: Place, field: string, here: unknown, there: unknown): void {
  const leaf = leafDifference(place, field, here, there);
  if (leaf !== undefined) add(place, leaf[0], field, leaf[1], leaf[2]);
  else if (here === there || isIdForm(formOf(here))) place.context.onAgreement?.(place.operation, field);
}

function compareTypes(place: Place, field: string, here: unknown, there: unknown): void {
  if (isUnset(here) && isUnset(there)) add(place, 'emptiness', field, print(here), print(there));
  else if (!(isUnset(here) || isUnset(there))) add(place, 'type', field, typeOf(here), typeOf(there));
  // Another record may have a value where this record has none.
  else if (isComparable(place, field) && !dependsOnBank(place.operation, field)) {
    add(place, 'emptiness', field, setOr(here, typeOf), setOr(there, typeOf));
  }
}

/** Describes a value; an unset value is printed unchanged. */
function setOr(value: unknown, describe: (value: unknown) => string): string {
  return isUnset(value) ? print(value) : describe(value);
}

function compareObjects(place: Place, field: string, here: Fields, there: Fields): void {
  for (const name of new Set([...Object.keys(here), ...Object.keys(there)])) {
    const path = field === '' ? name : `${field}.${name}`;
    if (!Object.hasOwn(there, name)) add(place, 'missing', path, print(here[name]), 'absent');
    else if (!Object.hasOwn(here, name)) add(place, 'extra', path, 'absent', print(there[name]));
    else compareValues(place, path, here[name], there[name]);
  }
}

function compareLists(
  place: Place,
  field: string,
  here: readonly unknown[],
  there: readonly unknown[],
): void {
  if (LISTS.has(field) && [...here, ...there].some((item) => idOf(item) !== undefined)) {
    compareRecordLists(place, field, here, there);
    return;
  }
  if (here.length !== there.length && isComparable(place, field)) {
    add(place, 'items', field, counted(here.length, 'item'), counted(there.length, 'item'));
  }
  if (isReordered(here, there)) {
    add(place, 'order', field, print(here), print(there));
    return;
  }
  const length = Math.min(here.length, there.length);
  for (let index = 0; index < length; index += 1) {
    compareValues(place, `${field}[]`, here[index], there[index]);
  }
}

function isReordered(here: readonly unknown[], there: readonly unknown[]): boolean {
  const [one, other] = [here, there].map((list) => list.map((item) => JSON.stringify(item)));
  return one?.join() !== other?.join() && one?.toSorted().join() === other?.toSorted().join();
}

function idOf(item: unknown): string | undefined {
  const id = typeof item === 'object' && item !== null ? (item as Fields).id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Compares the matching records of two lists, and their order. */
function compareRecordLists(
  place: Place,
  field: string,
  here: readonly unknown[],
  there: readonly unknown[],
): void {
  const { relation } = place.context;
  const hasAll = isComparable(place, field);
  const path = `${field}[]`;
  const known = here.filter((item) => relation.otherOf(idOf(item) ?? '') !== undefined);
  const positions = known.map((item) => {
    const other = relation.otherOf(idOf(item) ?? '');
    return there.findIndex((candidate) => idOf(candidate) === other);
  });
  known.forEach((item, index) => {
    const position = positions[index] ?? -1;
    if (position >= 0) compareValues(place, path, item, there[position]);
    // On a full page of another account the record may be on a later page.
    else if (hasAll) add(place, 'items', field, 'has the record', 'lacks the record');
  });
  for (const item of there) {
    const own = relation.ownOf(idOf(item) ?? '');
    if (own !== undefined && !known.some((one) => idOf(one) === own) && hasAll) {
      add(place, 'items', field, 'lacks the record', 'has the record');
    }
  }
  const present = positions.filter((position) => position >= 0);
  if (present.some((position, index) => index > 0 && position < (present[index - 1] ?? 0))) {
    add(place, 'order', field, 'in order', 'in another order');
  }
  if (known.length === 0 && here[0] !== undefined && there[0] !== undefined) {
    const shapes: Place = { ...place, context: { ...place.context, sameRecords: false } };
    compareValues(shapes, path, here[0], there[0]);
  }
}

type Leaf = readonly [cause: Cause, here: string, there: string];

/** The difference between two values of one type; `undefined` if they are equal or may differ. */
function leafDifference(place: Place, field: string, here: unknown, there: unknown): Leaf | undefined {
  const [one, other] = [formOf(here), formOf(there)];
  if (isIdForm(one) && isIdForm(other)) return idDifference(place, String(here), String(there));
  if (here === there || isRedactedText(there)) return undefined;
  const asTheyAre = [print(here), print(there)] as const;
  if (place.isRefusal && isErrorCode(field)) return ['error-code', ...asTheyAre];
  const words = wordsAt(place.operation, field);
  if (words !== undefined && there !== '' && !words.includes(String(there)))
    return ['vocabulary', ...asTheyAre];
  const isFixed = isComparable(place, field);
  if (isUnset(here) !== isUnset(there)) {
    return isFixed ? ['emptiness', setOr(here, formOf), setOr(there, formOf)] : undefined;
  }
  const isFree = words === undefined && dependsOnBank(place.operation, field);
  const isWhen = isTimeForm(one) || one === 'date';
  // A month, a year or the last four digits of a card may equal values of other requests by chance.
  const isByChance = isWhen || one === 'amount' || String(here).length <= LONGEST_CHANCE;
  if (isFixed && isGiven(here, place.context.sent) && !(isFree && isByChance)) {
    return [one === other ? 'value' : 'format', ...asTheyAre];
  }
  if (one !== other) return isFree && one === 'text' ? undefined : ['format', one, other];
  const isHidden = place.context.isRedacted === true && words === undefined && !READABLE.has(one);
  if (isWhen || isFree || !isFixed || isHidden || isSameText(here, there)) return undefined;
  const distance = distanceOf(here, there);
  return [distance !== undefined && distance <= MAX_ROUNDING ? 'rounding' : 'value', ...asTheyAre];
}

function idDifference({ context }: Place, here: string, there: string): Leaf | undefined {
  const [one, other] = [formOf(here), formOf(there)];
  if (one !== other) return ['format', one, other];
  if (!context.sameRecords || context.relation.relate(here, there)) return undefined;
  const expected = context.relation.otherOf(here) ?? 'an id that was not seen before';
  return ['relation', print(here), `${print(there)}, expected ${expected}`];
}

/** Whether the two values must be equal on banks with the same behaviour. */
function isComparable({ context, isSteady, operation }: Place, field: string): boolean {
  return context.sameRecords && (isSteady || !dependsOnTime(operation, field));
}

/** Whether a request has sent a value. Short words occur in many requests by chance. */
function isGiven(value: unknown, sent: ReadonlySet<string>): boolean {
  return typeof value === 'string' && value.length > 1 && sent.has(value);
}

function isSameText(here: unknown, there: unknown): boolean {
  return typeof here === 'string' && typeof there === 'string' && withoutIds(here) === withoutIds(there);
}
