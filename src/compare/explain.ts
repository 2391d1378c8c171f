/**
 * Finds the decision of the register that explains a difference. The relation is data: an operation cites decisions,
 * and a decision names further operations and events, fields and sorts of difference (`about` in
 * data/decisions.json). If several decisions match, the narrowest one is used.
 */
import { V1_KINDS, V2_KINDS } from '../bank/model/facts.ts';
import {
  matchesWords,
  REGISTER,
  type RegisteredDecision,
  type Spoken,
  speaksOf,
} from '../bank/model/fidelity.ts';
import { CAUSES, type Cause, type Found, ONCE } from './differences.ts';
import { OPERATIONS, operationById } from './operations.ts';

export interface ExplainedBy {
  readonly slug: string;
  readonly question: string;
  readonly evidence: string;
}

/**
 * The sorts of difference that a decision can name. `error`: both sides refuse with a different status or code.
 * `refusal`: only one side refuses. `unset`: both values are unset. `event-again`: a repeated event.
 */
export type Aspect = Cause | 'error' | 'refusal' | 'unset' | 'event-again';

export const ASPECTS: readonly Aspect[] = [
  ...(Object.keys(CAUSES) as Cause[]),
  'error',
  'refusal',
  'unset',
  'event-again',
];

/** The default of a decision that names only fields: it is about their values, not their existence or format. */
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
/** Sorts of difference that concern a whole response or event, independent of the field. */
const OF_ANSWERS = /^(status|error|event-.*)$/;
/** Sorts of difference in the later states of a record, which the decisions of its creating operation explain. */
const OF_COURSES = /^(state-order|not-reached|event-.*)$/;

/** Unset values, as they are printed. */
const UNSET = /^(null|""|\[\])$/;
const FIRST_REFUSAL = 400;

type Traced = Pick<Found, 'cause' | 'field' | 'operation' | 'here' | 'there' | 'origin' | 'fault'>;

/** The decision that explains a difference; `undefined` if there is none. */
export function explain(place: Traced): ExplainedBy | undefined {
  const explaining = REGISTER.filter((row) => explains(row, place));
  // Only the invalid field shows which of several requirements was not met.
  const isUnclear = aspectOf(place) === 'refusal' && place.fault === undefined;
  if (isUnclear && explaining.length > 1) return undefined;
  const [narrowest] = explaining.toSorted((one, other) => breadthOf(one) - breadthOf(other));
  if (narrowest === undefined) return undefined;
  const { slug, question, evidence } = narrowest;
  return { slug, question, evidence };
}

/** Whether a decision explains a difference. */
function explains(row: RegisteredDecision, place: Traced): boolean {
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

/** Whether a decision names a field, by its path: `data[].person.kyc.status`. */
export function isAboutField({ about }: RegisteredDecision, field: string): boolean {
  if (about?.fields === undefined) return true;
  // A decision about a record also applies to lists of it.
  const path = field
    .replace(/^data\[\]\./, '')
    .replaceAll('[]', '')
    .split('.');
  return about.fields.some((named) => {
    const parts = named.split('.');
    return path.some((_, at) => parts.every((part, index) => matchesWords(part, path[at + index] ?? '')));
  });
}

/** The operation with this id, or the event of this kind. */
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
/** The breadth of a decision about any field: more than all operations and events. */
const ANY_FIELD = 1_000;

/** The breadth of a decision: the number of operations and events, then of fields. */
function breadthOf(row: RegisteredDecision): number {
  return (BREADTHS.get(row) ?? 0) + (row.about?.fields?.length ?? ANY_FIELD);
}
