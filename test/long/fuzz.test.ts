/**
 * Some 20,000 requests of the fuzzer to a server of its own, the same in every run, so that a failure comes from the
 * change and not from the day; SANDBANK_FUZZ_SEED asks for others, and SANDBANK_FUZZ_REQUESTS for more of them.
 */
import { expect, it } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';

const { SANDBANK_FUZZ_SEED = '1', SANDBANK_FUZZ_REQUESTS = '20000' } = process.env;
const REQUESTS = Number(SANDBANK_FUZZ_REQUESTS);
/** Of all operations; the others want ids that only other operations make. */
const LEAST_SUCCEEDED = 0.6;
/** A quiet machine does a hundred and more in a second, and one that is busy with other tests a third of that. */
const ALL_MS = 60_000 + REQUESTS * 40;

it(
  'answers whatever it is sent as its documents say, and keeps its books',
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
