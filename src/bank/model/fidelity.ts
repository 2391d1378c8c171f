/**
 * The register of decisions: what this bank does where the platform's documents say nothing or contradict each other,
 * each with its evidence. The rows are in data/decisions.json, from which the page of decisions is printed, so an answer
 * has one source. test/reference/register checks rows against the server.
 */
import decisions from '../../../data/decisions.json' with { type: 'json' };

/**
 * The evidence for an answer: a page of the platform, only a published example, a public client of the platform, a
 * conclusion from these, or none. If a part of an answer is less certain, the answer says so.
 */
export const EVIDENCE = ['documented', 'sample', 'client', 'inferred', 'ours'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export const AREAS = ['interface', 'behaviour', 'webhooks', 'rails', 'control'] as const;
export type Area = (typeof AREAS)[number];

/** The result of comparing a decision with a recording of the platform, in the fields that the decision names. */
export interface RecordingProof {
  /** The day of the recording, like `2026-11-25`. */
  readonly date: string;
  readonly result: 'confirms' | 'contradicts';
}

/**
 * The parts of a response that a decision explains. `sandbank compare` uses them to assign differences to decisions;
 * a decision without fields and causes explains none.
 */
interface DecisionSubject {
  /**
   * Besides the operations that cite the decision: ids, paths with everything below them, and kinds of events like
   * `event card.*`.
   */
  readonly operations?: readonly string[];
  /**
   * Fields and headers: a name or a path like `kyc.status`; `*_id` matches all names that end with `_id`. Default:
   * any.
   */
  readonly fields?: readonly string[];
  /** Kinds of difference; default: those of a value. */
  readonly causes?: readonly string[];
}

/** A decision in a response. */
export interface Decision {
  /** The name with which code, documents and other answers cite it: never reused for another question. */
  readonly slug: string;
  readonly area: Area;
  readonly question: string;
  readonly answer: string;
  readonly evidence: Evidence;
  /** Absent if no recording of the platform was compared. */
  readonly recording?: RecordingProof;
}

/** A decision in the register. */
export interface RegisteredDecision extends Decision {
  /**
   * The sources of the answer, or those from which it deliberately differs: pages, articles, or clients of the
   * platform.
   */
  readonly pages?: readonly string[];
  readonly about?: DecisionSubject;
}

export const REGISTER = decisions as readonly RegisteredDecision[];

const BY_SLUG = new Map(REGISTER.map((row) => [row.slug, row]));

/** The decision of a slug. Throws for an unknown slug, because only code passes slugs. */
export function decisionOf(slug: string): RegisteredDecision {
  const row = BY_SLUG.get(slug);
  if (row === undefined) throw new TypeError(`no decision ${slug}`);
  return row;
}

/** The register without pages and subjects, which only the printed page and the comparison use. */
export const FIDELITY: readonly Decision[] = REGISTER.map(({ pages: _, about: __, ...decision }) => decision);

/** How an answer is known, in words: `inferred`, `ours, recording (2026-11-25)`. */
export function howKnown({ evidence, recording }: Pick<Decision, 'evidence' | 'recording'>): string {
  if (recording === undefined) return evidence;
  const { date, result } = recording;
  return `${evidence}, recording (${date})${result === 'confirms' ? '' : ': contradicts it'}`;
}

/** The subject of a decision: an operation, or an event as `event card.created`. */
export interface Spoken {
  readonly id: string;
  /** In Fastify's format; `''` for an event. */
  readonly path: string;
  readonly decisions?: readonly string[];
}

/**
 * Whether a decision is about an operation or event: the operation cites the decision, or the decision names the
 * operation.
 */
export function speaksOf({ slug, about }: RegisteredDecision, { id, path, decisions = [] }: Spoken): boolean {
  if (decisions.includes(slug)) return true;
  return (about?.operations ?? []).some((named) => {
    if (named.startsWith('/')) return path === named || path.startsWith(`${named}/`);
    return named.includes('*') ? matchesWords(named, id) : named === id;
  });
}

/** Whether a text matches a pattern in which `*` stands for any characters. */
export function matchesWords(pattern: string, text: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.at(-1) ?? '';
  if (rest.length === 0) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

const WHOLE_VERSIONS: readonly string[] = ['/v1', '/v2', 'event *'];

/**
 * The decisions of an operation: those that it cites, then those that name it. Decisions about a whole version are
 * left out.
 */
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
