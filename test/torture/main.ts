/**
 * `npm run torture`: runs rounds from a seed against whole servers until the time is over, and checks the results. After a finding it
 * writes the shortest round that still fails into a file, and exits with 1.
 *
 *     npm run torture -- --seed 7 --minutes 10
 *     npm run torture -- --history torture-7-12.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { positiveNumber, wholeNumber } from '../../src/cli/options.ts';
import { FAULTS, PROOFS, type Round } from './plan.ts';
import { TOOLS } from './server.ts';
import { type Report, seedOfToday, torture, tortureRound } from './torture.ts';

const whole = wholeNumber(0);

const command = new Command('torture')
  // Exit code 1 is reserved for findings.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .description(
    'Drives servers with load, kills, full disks and damaged files, and proves from the outside what is left.',
  )
  .option('--seed <number>', 'what everything is drawn from; the date unless given', whole, seedOfToday())
  .option('--minutes <number>', 'how long', positiveNumber, 2)
  .option('--from <round>', 'the first round', whole, 1)
  .option('--rounds <number>', 'at most so many rounds', whole, Number.POSITIVE_INFINITY)
  .option('--shrink <seconds>', 'how long to look for a shorter round', whole, 90)
  .option('--keep-going', 'go on after a finding', false)
  .option(
    '--without <names>',
    `what to do without, of ${Object.keys({ ...FAULTS, ...PROOFS, ...TOOLS }).join(', ')}`,
    '',
  )
  .option('--history <file>', 'run the round in this file instead')
  .option('--times <number>', 'run it so often', whole, 1);

const options = command.parse().opts<{
  seed: number;
  minutes: number;
  from: number;
  rounds: number;
  shrink: number;
  keepGoing: boolean;
  without: string;
  history?: string;
  times: number;
}>();
const report: Report = {
  line: (text) => process.stdout.write(`${text}\n`),
  history(round) {
    const file = join(tmpdir(), `torture-${round.seed.replaceAll('/', '-')}.json`);
    writeFileSync(file, JSON.stringify(round, null, 1));
    return file;
  },
};

const SWITCHES: readonly Record<string, boolean>[] = [FAULTS, PROOFS, TOOLS];
for (const name of options.without.split(',').filter((word) => word !== '')) {
  const known = SWITCHES.filter((switches) => name in switches);
  if (known.length === 0) {
    const names = SWITCHES.flatMap((switches) => Object.keys(switches));
    command.error(
      `error: --without does not know ${name}; expected some of ${[...new Set(names)].join(', ')}`,
    );
  }
  for (const switches of known) switches[name] = false;
}
// The end of this process also ends the processes that it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

let found = 0;
if (options.history !== undefined) {
  const round = JSON.parse(readFileSync(options.history, 'utf8')) as Round;
  for (let time = 0; time < options.times; time += 1)
    found += (await tortureRound(round, report)).findings.length;
} else found = await torture(options, report);
process.exit(found > 0 ? 1 : 0);
