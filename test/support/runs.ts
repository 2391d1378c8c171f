/**
 * How much of what is made up is tried. `npm test` tries what a person waits for; `npm run test:long` sets
 * `SANDBANK_PROPERTY_RUNS` and `SANDBANK_FUZZ_RUNS`, and tries many times as much. What is tried is the same in every long
 * run; `SANDBANK_TEST_SEED` asks for something else.
 */

/** A number of the environment; undefined when it is not set, or is none. */
function countIn(name: string): number | undefined {
  const number = Number(process.env[name] ?? '');
  return number > 0 ? number : undefined;
}

/** How many histories of the books `npm test` tries; SANDBANK_PROPERTY_RUNS is a number in its place. */
const USUAL_HISTORIES = 150;
const TIMES = (countIn('SANDBANK_PROPERTY_RUNS') ?? USUAL_HISTORIES) / USUAL_HISTORIES;

const seed = process.env.SANDBANK_TEST_SEED;

/** The seed of everything that is made up; another one each time unless SANDBANK_TEST_SEED says which. */
export const TEST_SEED: number | undefined = seed === undefined ? undefined : Number(seed);

/** What a property that is tried so often in `npm test` is tried with: each is tried more in the same proportion. */
export function propertyRuns(usual: number): { numRuns: number; seed?: number } {
  const numRuns = Math.max(1, Math.round(usual * TIMES));
  return { numRuns, ...(TEST_SEED !== undefined && { seed: TEST_SEED }) };
}

/** The milliseconds that such a property may take, where those are what it may take in `npm test`. */
export function propertyTimeout(usualMs: number): number {
  return usualMs * Math.max(1, TIMES);
}

/** How often each operation is sent something made up, where that is asked for: then lists are gone through whole, too. */
export const FUZZ_RUNS: number | undefined = countIn('SANDBANK_FUZZ_RUNS');
