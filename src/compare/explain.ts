/**
 * The decision of the register that explains a difference. Which one that is stands in data: an operation cites decisions, a
 * decision names further operations and events, and the fields and sorts of difference that it is about (`about` in
 * data/decisions.json). Of several that are about a difference the one that is about the least is taken.
 */
import { V1_KINDS, V2_KINDS } from '../model/facts.ts';
import { matchesWords, REGISTER, type RegisteredDecision, type Spoken, speaksOf } from '../model/fidelity.ts';
import { CAUSES, type Cause, type Found, ONCE } from './differences.ts';
import { OPERATIONS, operationById } from './operations.ts';

export interface ExplainedBy {
  readonly number: string;
  readonly slug: string;
  readonly question: string;
  readonly grade: string;
}

/**
 * What a decision can be about: a cause. `error` is another status or code of what both sides refuse, `refusal` is a call that only
 * one of them refuses, `unset` is what stands for nothing on both sides, `event-again` an event that comes once more.
 */
export type Aspect = Cause | 'error' | 'refusal' | 'unset' | 'event-again';

export const ASPECTS: readonly Aspect[] = [
  ...(Object.keys(CAUSES) as Cause[]),
  'error',
  'refusal',
  'unset',
  'event-again',
];

/** What a decision is about that names fields and no causes: which value they have, and not whether they are there or how they are written. */
const OF_VALUES: readonly Aspect[] = [
  'emptiness',
  'vocabulary',
  'rounding',
  'value',
  'relation',
  'order',
  'items',
  'state-order',
  'not-reached',
];
/** Aspects of a whole answer or event: the field says nothing. */
const OF_ANSWERS = /^(status|error|event-.*)$/;
/** Aspects of what becomes of a record: the decisions of the operation that made it count. */
const OF_COURSES = /^(state-order|not-reached|event-.*)$/;

/** Values that stand for nothing, as they are printed. */
const UNSET = /^(null|""|\[\])$/;
const FIRST_REFUSAL = 400;

type Traced = Pick<Found, 'cause' | 'field' | 'operation' | 'here' | 'there' | 'origin' | 'fault'>;

/** The decision that explains a difference at one place; `undefined` where none does. */
export function explain(place: Traced): ExplainedBy | undefined {
  const explaining = REGISTER.filter((row) => explains(row, place));
  // Which of several needs was not met is known by the field at fault alone.
  const isUnclear = aspectOf(place) === 'refusal' && place.fault === undefined;
  if (isUnclear && explaining.length > 1) return undefined;
  const [narrowest] = explaining.toSorted((one, other) => breadthOf(one) - breadthOf(other));
  if (narrowest === undefined) return undefined;
  const { number, slug, question, grade } = narrowest;
  return { number, slug, question, grade };
}

/** Whether a decision is about a difference at one place. */
export function explains(row: RegisteredDecision, place: Traced): boolean {
  const { about } = row;
  if (about?.fields === undefined && about?.causes === undefined) return false;
  const aspect = aspectOf(place);
  const causes = about.causes ?? OF_VALUES;
  if (!causes.includes(aspect) && !(aspect === 'unset' && causes.includes('emptiness'))) return false;
  const made = OF_COURSES.test(aspect) && place.origin !== undefined ? [place.origin] : [];
  if (![place.operation, ...made].some((id) => speaksOf(row, spokenOf(id)))) return false;
  if (aspect === 'refusal') return place.fault === undefined || isAboutField(row, place.fault);
  return OF_ANSWERS.test(aspect) || isAboutField(row, place.field);
}

/** Whether a decision is about a field, by the way to it: `data[].person.kyc.status`. */
export function isAboutField({ about }: RegisteredDecision, field: string): boolean {
  if (about?.fields === undefined) return true;
  // What is said of a record holds in a list of them too.
  const path = field
    .replace(/^data\[\]\./, '')
    .replaceAll('[]', '')
    .split('.');
  return about.fields.some((named) => {
    const parts = named.split('.');
    return path.some((_, at) => parts.every((part, index) => matchesWords(part, path[at + index] ?? '')));
  });
}

/** An operation by its id, or an event by its kind. */
export function spokenOf(id: string): Spoken {
  return operationById(id) ?? { id, path: '' };
}

function aspectOf({ cause, here, there }: Traced): Aspect {
  if (cause === 'error-code') return 'error';
  if (cause === 'event-extra' && here === ONCE) return 'event-again';
  if (cause === 'emptiness' && UNSET.test(here) && UNSET.test(there)) return 'unset';
  if (cause !== 'status') return cause;
  const [own, foreign] = [here, there].map((text) => Number.parseInt(text, 10) >= FIRST_REFUSAL);
  if (own !== foreign) return 'refusal';
  return own === true ? 'error' : 'status';
}

const EVERYTHING: readonly Spoken[] = [
  ...OPERATIONS,
  ...[...V2_KINDS, ...V1_KINDS].map((kind) => spokenOf(`event ${kind}`)),
];
const BREADTHS = new Map(
  REGISTER.map((row) => [row, EVERYTHING.filter((spoken) => speaksOf(row, spoken)).length] as const),
);
/** More than operations and events. */
const ANY_FIELD = 1_000;

/** How much a decision is about: operations and events, and in them fields. */
function breadthOf(row: RegisteredDecision): number {
  return (BREADTHS.get(row) ?? 0) + (row.about?.fields?.length ?? ANY_FIELD);
}
