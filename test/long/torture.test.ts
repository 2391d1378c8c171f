/**
 * Two minutes of the torture test: servers under load that are killed, stopped, on full disks or with
 * damaged files, and checked from the outside after each fault. One round idles for more than a minute in parallel.
 * The rounds are the same in every run, so that a failure is caused by a change; SANDBANK_TORTURE_SEED selects other
 * rounds, and SANDBANK_TORTURE_MINUTES more of them. A failure prints the command that repeats its round.
 */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { torture } from '../torture/torture.ts';

const { SANDBANK_TORTURE_SEED = '1', SANDBANK_TORTURE_MINUTES = '2' } = process.env;
const MINUTES = Number(SANDBANK_TORTURE_MINUTES);
const SHRINK_SECONDS = 90;
/** The last round starts within the time limit and may end after it. */
const ALL_MS = (MINUTES + 4) * 60_000;

it(
  'a server under faults loses nothing that was acknowledged, delivers every event in order and keeps its books',
  async () => {
    const lines: string[] = [];
    const seed = Number(SANDBANK_TORTURE_SEED);
    const options = {
      seed,
      minutes: MINUTES,
      from: 1,
      rounds: 1_000,
      shrink: SHRINK_SECONDS,
      keepGoing: false,
    };
    const found = await torture(options, {
      line(text) {
        lines.push(text);
        process.stdout.write(`${text}\n`);
      },
      history(round) {
        const file = join(tmpdir(), `torture-${round.seed.replaceAll('/', '-')}.json`);
        writeFileSync(file, JSON.stringify(round));
        return file;
      },
    });
    expect(found, lines.join('\n')).toBe(0);
    expect(lines.length, 'the seed, some rounds and their sums').toBeGreaterThan(2);
  },
  ALL_MS,
);
