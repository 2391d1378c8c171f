/**
 * `sandbank exec -- npm test`: a bank on a free port for as long as a command runs. The command finds it in its
 * environment; what it ends with is what this ends with. With `--min-coverage` a command that passed still fails when it
 * left too much of the bank untried.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import { CommandError } from './bank.ts';

interface ExecOptions {
  readonly rails?: 'fast' | 'calendar' | 'manual';
  readonly seed?: string;
  readonly minCoverage?: string;
}

const NOT_FOUND_CODE = 127;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Adds the command. */
export function addExec(program: Command): void {
  program
    .command('exec')
    .description('run a command against a bank of its own, and end as it ends')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--rails <pace>', 'fast, calendar or manual')
    .option('--seed <text>', 'the seed of ids and numbers')
    .option('--min-coverage <percent>', 'fail when less of what the interface can do was exercised')
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nThe command finds SANDBANK_URL and SANDBANK_API_KEY in its environment.\n\n' +
        'Examples:\n  $ sandbank exec -- npm test\n  $ sandbank exec --min-coverage 20 -- npx vitest run',
    )
    .action(async ([name = '', ...args]: string[], options: ExecOptions) => {
      const least = readPercent(options.minCoverage);
      const { startSandbank } = await import('../kit/start.ts');
      const bank = await startSandbank({
        ...(options.rails !== undefined && { rails: options.rails }),
        ...(options.seed !== undefined && { seed: options.seed }),
      });
      try {
        process.exitCode = await runBeside(bank, name, args);
        if (least !== undefined) await requireCoverage(bank, least);
      } finally {
        await bank.close();
      }
    });
}

/** Runs the command with the bank in its environment; answers its exit code. */
function runBeside(bank: Sandbank, name: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, { stdio: 'inherit', env: { ...process.env, ...bank.env } });
    const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, pass);
    const end = (): void => {
      for (const signal of SIGNALS) process.off(signal, pass);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      end();
      if (error.code !== 'ENOENT') return reject(error);
      process.stderr.write(`sandbank: there is no command "${name}"\n`);
      resolve(NOT_FOUND_CODE);
    });
    child.on('exit', (code, signal) => {
      end();
      // As a shell tells of a program that a signal ended.
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

function readPercent(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const percent = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent;
  throw new CommandError(`--min-coverage is a percentage from 0 to 100; got "${text}"`);
}

/** Says what was exercised; a command that passed fails when that is too little. */
async function requireCoverage(bank: Sandbank, least: number): Promise<void> {
  const { exercised, exists } = await coverageOf(bank);
  const percent = (100 * exercised) / exists;
  const said = `${exercised} of ${exists} things that a bank can do were exercised (${percent.toFixed(1)} %)`;
  if (percent >= least) {
    process.stderr.write(`sandbank: ${said}\n`);
    return;
  }
  process.stderr.write(`sandbank: ${said}, and --min-coverage wants ${least} %\n`);
  process.exitCode ||= 1;
}

/** What was met in any sandbox of the bank: operations, states, transitions, events and codes together. */
async function coverageOf(bank: Sandbank): Promise<{ exercised: number; exists: number }> {
  const { sandboxes } = await bank.sandbox.listSandboxes();
  const met = new Set<string>();
  let exists = 0;
  for (const { key } of sandboxes) {
    if (key === null) continue;
    const { percent: _, facts_not_read: __, ...shares } = await bank.sandbox.retrieveCoverage({
      headers: { 'api-key': key },
    });
    exists = 0;
    for (const [kind, share] of Object.entries(shares)) {
      exists += share.exists;
      for (const name of Object.keys(share.counts)) met.add(`${kind} ${name}`);
    }
  }
  return { exercised: met.size, exists };
}
