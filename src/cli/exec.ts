/**
 * `sandbank exec -- npm test`: a bank on a free port for as long as a command runs. The command finds the bank in its
 * environment and has stdout to itself; its exit code becomes that of `exec`. With `--min-coverage` a command that
 * passed still fails if the coverage is too low.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command } from 'commander';
import type { Config } from '../server/process/settings.ts';
import { readSettings } from '../server/process/settings-file.ts';
import { explainStart } from '../server/process/start-failures.ts';
import { CommandError } from './bank.ts';
import type { CoverageReport } from './coverage.ts';
import { percent, withExamples } from './options.ts';
import { type SettingsFlags, settingsInput, takesSettings } from './settings.ts';
import type { Shell } from './shell.ts';

interface ExecOptions extends SettingsFlags {
  readonly minCoverage?: number;
  readonly json?: boolean;
}

/**
 * The defaults of the started bank, unless the command line overrides them: settings in the environment are for
 * another bank.
 */
const OF_ITS_OWN = { port: '0', data: '', logLevel: 'error' } as const;
/** The fixed settings of the started bank. */
const FIXED = { host: '127.0.0.1' } as const;
const NOT_SETTABLE: readonly (keyof Config)[] = ['profile', 'host', 'readyFile', 'control', 'logFormat'];

const STDERR = 2;
/** The messages and exit codes of a shell for a command that cannot run. */
const CANNOT_RUN: Readonly<Record<string, { readonly code: number; readonly message: string }>> = {
  ENOENT: { code: 127, message: 'is not an installed command' },
  EACCES: { code: 126, message: 'is not executable' },
};
/** A shell adds this to the number of the signal that ended a program. */
const SIGNAL_CODE = 128;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Adds the command. */
export function addExec(program: Command, shell: Shell): void {
  const command = program
    .command('exec')
    .description('run a command against a new bank, and exit with its exit code')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--min-coverage <percent>', 'fail if the coverage is lower', percent)
    .option('--json', 'print the result as JSON; the output of the command then goes to stderr');
  withExamples(command, 'exec -- npm test', 'exec --rails manual --min-coverage 20 -- npx vitest run');
  takesSettings(command, NOT_SETTABLE)
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nThe bank is in memory and on a free port unless --data or --port is set. The command finds SANDBANK_URL,\n' +
        'SANDBANK_API_KEY and, if there is one, SANDBANK_CONTROL_TOKEN in its environment. Exits as the command does; with\n' +
        '126 or 127 if it cannot be run, with 128 plus the number of the signal that ended it, and with 1 if the coverage is\n' +
        'too low.',
    )
    .action((words: string[], options: ExecOptions) => execute(shell, words, options));
}

async function execute(shell: Shell, words: string[], options: ExecOptions): Promise<void> {
  const config = configOf(shell, options);
  const [{ startServer }, { collectCoverage }, { createLog }] = await Promise.all([
    import('../server/server.ts'),
    import('./coverage.ts'),
    import('../server/process/log.ts'),
  ]);
  const coverage = collectCoverage();
  const { log, flush } = await createLog({ ...config, logFormat: 'json' }, false, 'stderr');
  const wantsCoverage = options.minCoverage !== undefined || options.json === true;
  const hooks = wantsCoverage ? { onRemove: coverage.look } : {};
  const server = await startServer(config, log, hooks).catch(async (error: unknown) => {
    const message = await explainStart(error, config);
    throw message === null ? error : new CommandError(message);
  });
  try {
    const { url, apiKey, controlToken } = server;
    const code = await runCommand(shell, words, {
      environment: {
        ...shell.environment,
        ...withoutProxy(shell.environment),
        SANDBANK_URL: url,
        SANDBANK_API_KEY: apiKey,
        ...(controlToken !== null && { SANDBANK_CONTROL_TOKEN: controlToken }),
      },
      stdout: options.json === true ? 'stderr' : 'stdout',
    });
    shell.exitCode = code;
    const report = wantsCoverage ? await coverage.report(server.registry) : null;
    if (report !== null && options.minCoverage !== undefined) judge(shell, report, options.minCoverage);
    if (options.json === true) {
      shell.answer(
        `${JSON.stringify({ exit_code: shell.exitCode, command_exit_code: code, coverage: report })}\n`,
      );
    }
  } finally {
    await server.stop();
    flush();
  }
}

/** Excepts this machine from the proxy of the environment: clients of many languages would send it the bank's requests. */
function withoutProxy(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hasProxy = Object.keys(environment).some((name) => /^(https?|all)_proxy$/i.test(name));
  if (!hasProxy) return {};
  const hosts = [environment.no_proxy ?? environment.NO_PROXY, '127.0.0.1'].filter(Boolean).join(',');
  return { no_proxy: hosts, NO_PROXY: hosts };
}

function configOf(shell: Shell, options: ExecOptions): Config {
  const { flags, ...input } = settingsInput(options);
  const read = readSettings(shell.environment, { ...input, flags: { ...OF_ITS_OWN, ...flags, ...FIXED } });
  if ('problems' in read) throw new CommandError(read.problems.join('\nsandbank: '));
  return read.config;
}

interface CommandOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The destination of the command's stdout. */
  readonly stdout: 'stdout' | 'stderr';
}

/** Runs the command; returns its exit code as a shell would. */
function runCommand(
  shell: Shell,
  [name = '', ...args]: string[],
  { environment, stdout }: CommandOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(name, args, {
      stdio: ['inherit', stdout === 'stdout' ? 'inherit' : STDERR, 'inherit'],
      env: environment,
    });
    const pass = (signal: NodeJS.Signals): void => {
      // A terminal sends the signal to the command itself.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, pass);
    const end = (): void => {
      for (const signal of SIGNALS) process.off(signal, pass);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      end();
      const known = CANNOT_RUN[error.code ?? ''];
      if (known === undefined) return reject(error);
      shell.notify(`sandbank: "${name}" ${known.message}\n`);
      resolve(known.code);
    });
    child.on('exit', (code, signal) => {
      end();
      resolve(code ?? SIGNAL_CODE + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Prints the coverage; a command that passed fails if the coverage is too low. */
function judge(
  shell: Shell,
  { exercised, exists, percent: reached, shares }: CoverageReport,
  min: number,
): void {
  const message = `${exercised} of ${exists} features of the bank were exercised (${reached} %)`;
  if (reached >= min) {
    shell.notify(`sandbank: ${message}\n`);
    return;
  }
  const rows = Object.entries(shares).map(
    ([kind, share]) => `${kind.replaceAll('_', ' ')} ${share.exercised} of ${share.exists}`,
  );
  shell.notify(`sandbank: ${message}, and --min-coverage requires ${min} %: ${rows.join(', ')}\n`);
  shell.exitCode ||= 1;
}
