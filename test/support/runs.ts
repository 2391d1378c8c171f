/**
 * The amount of random test data. `npm test` uses little; `npm run test:long` sets `SANDBANK_PROPERTY_RUNS` and
 * `SANDBANK_FUZZ_RUNS`, and uses many times as much. The data is the same in every long run; `SANDBANK_TEST_SEED`
 * selects other data.
 */

/** A number from the environment; undefined if it is not set or invalid. */
function countIn(name: string): number | undefined {
  const number = Number(process.env[name] ?? '');
  return number > 0 ? number : undefined;
}

/** The number of histories of the books in `npm test`, which SANDBANK_PROPERTY_RUNS overrides. */
const USUAL_HISTORIES = 150;
const TIMES = (countIn('SANDBANK_PROPERTY_RUNS') ?? USUAL_HISTORIES) / USUAL_HISTORIES;

const seed = process.env.SANDBANK_TEST_SEED;

/** The seed of all random test data: SANDBANK_TEST_SEED, otherwise a different one for each run. */
export const TEST_SEED: number | undefined = seed === undefined ? undefined : Number(seed);

/** The options of a property with this number of runs in `npm test`; long runs scale all properties in proportion. */
export function propertyRuns(usual: number): { numRuns: number; seed?: number } {
  const numRuns = Math.max(1, Math.round(usual * TIMES));
  return { numRuns, ...(TEST_SEED !== undefined && { seed: TEST_SEED }) };
}

/** The timeout of a property with this timeout in `npm test`, scaled in the same way. */
export function propertyTimeout(usualMs: number): number {
  return usualMs * Math.max(1, TIMES);
}

/** The number of random requests for each operation, if it is set; then lists are also read completely. */
export const FUZZ_RUNS: number | undefined = countIn('SANDBANK_FUZZ_RUNS');

/** Whether everything runs, as it does once a week; otherwise what docs/decisions/0044 names. */
export const IS_WHOLE = process.env.SANDBANK_TEST_WHOLE === '1';

/** The day, which selects what runs today; `SANDBANK_TEST_DAY` repeats that of another day. */
export const TEST_DAY: number = countIn('SANDBANK_TEST_DAY') ?? Math.floor(Date.now() / 86_400_000);

/** Of this many equal parts of a list, the one of today: in as many days each has run. Once a week, the whole list. */
export function partOfToday<T>(list: readonly T[], parts: number): T[] {
  return list.filter((_, at) => IS_WHOLE || at % parts === TEST_DAY % parts);
}
