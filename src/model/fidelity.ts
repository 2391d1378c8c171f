/**
 * The register of decisions: what this bank does where the platform's documents are silent or disagree, each with the
 * ground that it stands on. The rows are in data/decisions.json, from which the page of decisions is printed, so one
 * answer is changed in one place. What the server can be asked about is held against them in test/register.
 */
import decisions from '../../data/decisions.json' with { type: 'json' };

/**
 * What an answer rests on: a page of the platform, a published example only, a conclusion from either, or nothing.
 * Where a part of an answer has less ground than the rest, the answer says so.
 */
export const GRADES = ['documented', 'sample', 'inferred', 'invented'] as const;
export type Grade = (typeof GRADES)[number];

export const AREAS = ['interface', 'behaviour', 'webhooks', 'rails', 'control'] as const;
export type Area = (typeof AREAS)[number];

/** A decision as it is served. */
export interface Decision {
  /** Never reused and never renumbered: clients and other answers refer to it. */
  readonly number: string;
  readonly area: Area;
  readonly question: string;
  readonly answer: string;
  readonly grade: Grade;
}

/** A decision as it stands in the register. */
export interface RegisteredDecision extends Decision {
  /** The words by which the code and the documents cite it. */
  readonly slug: string;
  /** What it rests on, or deliberately departs from: pages, articles, or clients of the platform. */
  readonly pages?: readonly string[];
}

export const REGISTER = decisions as readonly RegisteredDecision[];

/** The register without the slugs and the pages, which the printed page has. */
export const FIDELITY: readonly Decision[] = REGISTER.map(({ slug: _, pages: __, ...decision }) => decision);
