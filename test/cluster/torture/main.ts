/**
 * `npm run torture:cluster`: faults under load in a cluster of three instances, and the checks of what is left. Prints a table; exit
 * code 1 on a finding.
 *
 *     npm run torture:cluster -- --faults 60 --seed 7
 *     npm run torture:cluster -- --only crash,term --faults 10
 *     npm run torture:cluster -- --broken forgets
 */
import { Command } from 'commander';
import { wholeNumber } from '../../../src/cli/options.ts';
import '../../support/workerd-program.ts';
import { describeOutcome } from './table.ts';
import {
  BROKEN,
  canSkew,
  FAULTS,
  type FaultName,
  planFaults,
  tortureBroken,
  tortureCluster,
} from './torture.ts';

const command = new Command('torture:cluster')
  // 1 is for findings.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .description('Kills, pauses and cuts off instances of a cluster under load, and checks what is left.')
  .option('--seed <number>', 'what everything is drawn from', wholeNumber(0), 1)
  .option('--faults <number>', 'how many', wholeNumber(1), 60)
  .option('--sandboxes <number>', 'how many', wholeNumber(1, 100), 6)
  .option('--only <names>', `only these faults, of ${Object.keys(FAULTS).join(', ')}`, '')
  .option('--broken <name>', `a broken bucket in place of faults: ${Object.keys(BROKEN).join(' or ')}`);

const { seed, faults, sandboxes, only, broken } = command.parse().opts<{
  seed: number;
  faults: number;
  sandboxes: number;
  only: string;
  broken?: string;
}>();
const line = (text: string): void => void process.stdout.write(`${text}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

if (broken !== undefined) {
  if (!(broken in BROKEN))
    command.error(`error: --broken is ${broken}; expected ${Object.keys(BROKEN).join(' or ')}`);
  const { findings, acknowledged, lost, doubled } = await tortureBroken(broken as keyof typeof BROKEN, seed);
  line(`acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}`);
  for (const finding of findings) line(finding);
  line(findings.length > 0 ? 'the broken bucket was caught' : 'the broken bucket was not caught');
  process.exit(findings.length > 0 ? 0 : 1);
}

const wanted = only.split(',').filter((name) => name !== '');
const unknown = wanted.find((name) => !(name in FAULTS));
if (unknown !== undefined) {
  command.error(`error: --only does not know ${unknown}; expected some of ${Object.keys(FAULTS).join(', ')}`);
}
if (!canSkew()) line('There is no C compiler here, so no clock is moved.');
const plan =
  wanted.length === 0
    ? planFaults(seed, faults)
    : Array.from({ length: faults }, (_, at) => wanted[at % wanted.length] as FaultName);
const outcome = await tortureCluster({ seed, faults: plan, sandboxes, line });
line(describeOutcome(outcome));
process.exit(outcome.findings.length > 0 ? 1 : 0);
