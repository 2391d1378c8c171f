/**
 * The decision of the register that explains a difference. A decision explains it if it is about what differs: it cites
 * the field between backticks and speaks of the noun of the operation, or it is the decision for a sort of difference.
 * Of several decisions the one that speaks of the fewest other things is taken.
 */
import type { AnyOperation } from '../api/operation.ts';
import { REGISTER, type RegisteredDecision } from '../model/fidelity.ts';
import type { Cause, Found } from './differences.ts';

export interface ExplainedBy {
  readonly number: string;
  readonly slug: string;
  readonly question: string;
  readonly grade: string;
}

/** Sorts of difference that a decision is about as a whole. */
const OF_CAUSES: readonly {
  readonly cause: Cause;
  readonly field?: RegExp;
  readonly version?: 'v1' | 'v2';
  readonly slug: string;
}[] = [
  { cause: 'status', version: 'v2', slug: 'v2-success-status' },
  { cause: 'status', version: 'v1', slug: 'v1-success-status' },
];

interface Indexed {
  readonly row: RegisteredDecision;
  readonly cited: ReadonlySet<string>;
  readonly words: string;
}

const INDEX: readonly Indexed[] = REGISTER.map((row) => {
  const cited = [...row.answer.matchAll(/`([^`]+)`/g), ...row.question.matchAll(/`([^`]+)`/g)].flatMap(
    ([, text = '']) => text.split(/[.\s:]/),
  );
  return { row, cited: new Set(cited), words: `${row.slug} ${row.question} ${row.answer}`.toLowerCase() };
});

/** The decision that explains a difference; `undefined` where none does. */
export function explain(
  { cause, field, operation }: Pick<Found, 'cause' | 'field' | 'operation'>,
  operations: readonly (AnyOperation | undefined)[],
): ExplainedBy | undefined {
  const paths = operations.flatMap((one) => (one === undefined ? [] : [one.path]));
  const version = paths.length > 0 ? versionOf(paths) : undefined;
  const ofCause = OF_CAUSES.find(
    (row) =>
      row.cause === cause &&
      (row.version === undefined || row.version === version) &&
      (row.field?.test(field) ?? true),
  );
  if (ofCause !== undefined) return present(REGISTER.find(({ slug }) => slug === ofCause.slug));
  const name = field.replaceAll('[]', '').split('.').at(-1) ?? '';
  const kind = operation.startsWith('event ') ? operation.slice('event '.length) : undefined;
  const nouns = new Set(kind === undefined ? paths.flatMap(nounsOf) : nounsOf(kind.replaceAll('.', '/')));
  const candidates = INDEX.filter(
    ({ row, cited, words }) =>
      (cited.has(name) || (kind !== undefined && cited.has(kind))) &&
      isOfVersion(row, version) &&
      [...nouns].some((noun) => words.includes(noun)),
  );
  return present(candidates.toSorted((one, other) => one.cited.size - other.cited.size)[0]?.row);
}

function versionOf(paths: readonly string[]): 'v1' | 'v2' | undefined {
  const [first = ''] = paths;
  const version = first.startsWith('/v1/') ? 'v1' : 'v2';
  return paths.every((path) => path.startsWith(`/${version}/`)) ? version : undefined;
}

/** The nouns of a path: `card holder` of `/v2/issuing/card_holder/:id`. */
function nounsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':') && !/^v[12]$/.test(part))
    .map((part) => part.replaceAll('_', ' ').toLowerCase());
}

/** A row whose slug names the other version is about that one. */
function isOfVersion({ slug, question }: RegisteredDecision, version: 'v1' | 'v2' | undefined): boolean {
  if (version === undefined) return true;
  const other = version === 'v1' ? 'v2' : 'v1';
  const named = (of: string): boolean => slug.startsWith(`${of}-`) || question.includes(of);
  return !named(other) || named(version);
}

function present(row: RegisteredDecision | undefined): ExplainedBy | undefined {
  if (row === undefined) return undefined;
  const { number, slug, question, grade } = row;
  return { number, slug, question, grade };
}
