/**
 * The register of decisions: what this bank does where the platform's documents are silent or disagree, each with the
 * ground that it stands on. The rows are in data/decisions.json, from which the page of decisions is printed, so one
 * answer is changed in one place. What the server can be asked about is held against them in test/register.
 */
import decisions from '../../data/decisions.json' with { type: 'json' };

/**
 * What an answer rests on: a page of the platform, a published example only, a public client of the platform, a conclusion from
 * these, or nothing. Where a part of an answer has less ground than the rest, the answer says so.
 */
export const GRADES = ['documented', 'sample', 'client', 'inferred', 'invented'] as const;
export type Grade = (typeof GRADES)[number];

export const AREAS = ['interface', 'behaviour', 'webhooks', 'rails', 'control'] as const;
export type Area = (typeof AREAS)[number];

/** What a recording of the platform said about a decision, in the fields that the decision names. */
export interface RecordingProof {
  /** The day of the recording, like `2026-11-25`. */
  readonly date: string;
  readonly result: 'confirms' | 'contradicts';
}

/**
 * What of an answer a decision speaks of. A difference between this bank and the platform is traced to it by these, and a
 * decision that names neither fields nor causes explains none.
 */
export interface DecisionSubject {
  /**
   * Besides the operations that cite the decision: ids, paths with everything below them, and kinds of events like
   * `event card.*`.
   */
  readonly operations?: readonly string[];
  /** Fields and headers: a name, or several in a row like `kyc.status`; `*_id` stands for all that end so. Any unless named. */
  readonly fields?: readonly string[];
  /** Sorts of difference; those of a value unless named. */
  readonly causes?: readonly string[];
}

/** A decision as it is served. */
export interface Decision {
  /** Never reused and never renumbered: clients and other answers refer to it. */
  readonly number: string;
  readonly area: Area;
  readonly question: string;
  readonly answer: string;
  readonly grade: Grade;
  /** Absent if no recording of the platform was compared. */
  readonly recording?: RecordingProof;
}

/** A decision as it stands in the register. */
export interface RegisteredDecision extends Decision {
  /** The words by which the code and the documents cite it. */
  readonly slug: string;
  /** What it rests on, or deliberately departs from: pages, articles, or clients of the platform. */
  readonly pages?: readonly string[];
  readonly about?: DecisionSubject;
}

export const REGISTER = decisions as readonly RegisteredDecision[];

const BY_SLUG = new Map(REGISTER.map((row) => [row.slug, row]));

/** The decision that a slug names. Fails for a slug that there is not: the code names it. */
export function decisionOf(slug: string): RegisteredDecision {
  const row = BY_SLUG.get(slug);
  if (row === undefined) throw new TypeError(`no decision ${slug}`);
  return row;
}

/** The register without the slugs, the pages and the subjects, which the printed page and the comparison have. */
export const FIDELITY: readonly Decision[] = REGISTER.map(
  ({ slug: _, pages: __, about: ___, ...decision }) => decision,
);

/** Each grade in a word for a reader: what is invented is ours. */
export const GRADE_WORDS: Readonly<Record<Grade, string>> = {
  documented: 'documented',
  sample: 'sample',
  client: 'client',
  inferred: 'inferred',
  invented: 'ours',
};

/** How an answer is known, in words: `inferred`, `ours, recording (2026-11-25)`. */
export function howKnown({ grade, recording }: Pick<Decision, 'grade' | 'recording'>): string {
  if (recording === undefined) return GRADE_WORDS[grade];
  const { date, result } = recording;
  return `${GRADE_WORDS[grade]}, recording (${date})${result === 'confirms' ? '' : ': contradicts it'}`;
}

/** What a decision may speak of: an operation, or an event as `event card.created`. */
export interface Spoken {
  readonly id: string;
  /** As Fastify writes it; `''` for an event. */
  readonly path: string;
  readonly decisions?: readonly string[];
}

/** Whether a decision speaks of an operation or event: the operation cites it, or it names the operation. */
export function speaksOf({ slug, about }: RegisteredDecision, { id, path, decisions = [] }: Spoken): boolean {
  if (decisions.includes(slug)) return true;
  return (about?.operations ?? []).some((named) => {
    if (named.startsWith('/')) return path === named || path.startsWith(`${named}/`);
    return named.includes('*') ? matchesWords(named, id) : named === id;
  });
}

/** Whether a text is one in which `*` stands for anything. */
export function matchesWords(pattern: string, text: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.at(-1) ?? '';
  if (rest.length === 0) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

const WHOLE_VERSIONS: readonly string[] = ['/v1', '/v2', 'event *'];

/** The decisions that an operation rests on: those that it cites, then those that name it. What holds for a whole version is left out. */
export function decisionsOf(operation: Spoken): RegisteredDecision[] {
  const cited = (operation.decisions ?? []).map(decisionOf);
  const naming = REGISTER.filter(
    (row) =>
      !cited.includes(row) &&
      !(row.about?.operations ?? []).some((named) => WHOLE_VERSIONS.includes(named)) &&
      speaksOf(row, operation),
  );
  return [...cited, ...naming];
}
