/**
 * About 20,000 requests of the fuzzer to a separate server, the same in every run, so that a failure comes from the
 * change and not from the day; SANDBANK_FUZZ_SEED selects others, and SANDBANK_FUZZ_REQUESTS more of them.
 */
import { expect, it } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';

const { SANDBANK_FUZZ_SEED = '1', SANDBANK_FUZZ_REQUESTS = '20000' } = process.env;
const REQUESTS = Number(SANDBANK_FUZZ_REQUESTS);
/** Of all operations; the others require ids that only other operations create. */
const LEAST_SUCCEEDED = 0.6;
/**
 * An idle machine sends more than a hundred per second, and one that is busy with other tests a third of that.
 */
const ALL_MS = 60_000 + REQUESTS * 40;

it(
  'every random request gets a documented response, and the books balance',
  async () => {
    const lines: string[] = [];
    const { findings, sent, succeeded, operations } = await fuzz({
      seed: Number(SANDBANK_FUZZ_SEED),
      requests: REQUESTS,
      concurrency: 8,
      line: (text) => lines.push(text),
    });
    expect(findings, lines.join('\n')).toEqual([]);
    expect(sent).toBe(REQUESTS);
    expect(succeeded).toBeGreaterThan(operations * LEAST_SUCCEEDED);
  },
  ALL_MS,
);
