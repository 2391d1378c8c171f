/**
 * Starts the longest test files first. Without a record of earlier runs, as in a new clone, Vitest starts the largest files first, and a
 * long file of two lines would run alone at the end, beside an idle core.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first. */
const LONGEST = [
  'test/package/package.test.ts',
  'test/long/inspector.test.ts',
  'test/long/languages.test.ts',
  'test/server/http/bad-input-v1.test.ts',
  'test/long/answers.test.ts',
  'test/server/http/bad-input-v2.test.ts',
  'test/long/cluster-faults.test.ts',
  'test/long/collections.test.ts',
  'test/kit/vitest.test.ts',
  'test/long/compare.test.ts',
  'test/long/docs-pages.test.ts',
  'test/long/fuzz.test.ts',
  'test/long/seed-templates.test.ts',
  'test/long/first-start.test.ts',
  'test/long/years.test.ts',
  'test/long/inspector-craft.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return rank < 0 ? LONGEST.length : rank;
    };
    // The files of a project stay together, because a worker runs those of one project.
    return [...Map.groupBy(sorted, ({ project }) => project.name).values()].flatMap((ofProject) =>
      ofProject.toSorted((one, other) => rankOf(one) - rankOf(other)),
    );
  }
}
