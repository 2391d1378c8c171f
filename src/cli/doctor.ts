/**
 * `sandbank doctor`: checks for common problems, and suggests solutions: an old Node, a native module that does not
 * load, invalid settings, a port or a data directory that cannot be used, a ledger that does not balance, unreachable
 * receivers. It starts nothing and changes nothing.
 */

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { nodeProblem } from '../../bin/node-version.mjs';
import { maskAddresses, targetOf } from '../bank/kernel/address.ts';
import type { Sandbank } from '../kit/bank.ts';
import type { Config } from '../server/process/settings.ts';
import { readSettings } from '../server/process/settings-file.ts';
import { addressProblem, folderProblem, isSandbank, sandbankAt } from '../server/process/start-failures.ts';
import { bankOf, explainFailure, isFailure } from './bank.ts';
import { booksOfBank, booksOfFiles } from './doctor-books.ts';
import { withExamples } from './options.ts';
import { type SettingsFlags, settingsInput, takesSettings } from './settings.ts';
import { type Shell, withProgress } from './shell.ts';

/** The result of one check. */
interface Finding {
  readonly check:
    | 'node'
    | 'sqlite'
    | 'settings'
    | 'port'
    | 'bank'
    | 'data'
    | 'books'
    | 'receiver'
    | 'webhooks';
  readonly ok: boolean;
  readonly said: string;
}

interface DoctorOptions extends SettingsFlags {
  readonly json?: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const ANSWER_TIMEOUT_MS = 3_000;
/** The number of newest events that are searched for a failed delivery. */
const LOOKED_AT = 100;
const HOST_OF_CONTAINER = 'host.docker.internal';
/** The longest name of a check. */
const CHECK_WIDTH = 8;

/** Adds the command. */
export function addDoctor(program: Command, shell: Shell): void {
  const command = program
    .command('doctor')
    .description('find common problems and suggest solutions')
    .option('--json', 'print only the findings, as JSON');
  withExamples(command, 'doctor --port 5000');
  takesSettings(command)
    .addHelpText(
      'after',
      '\nIt reads the settings as "sandbank start" does, and starts nothing. With SANDBANK_URL set it also checks the bank at\n' +
        'that address. It exits with 1 if it finds a problem.',
    )
    .action(async (options: DoctorOptions) => {
      const findings = await withProgress(shell, () => 'looking', examine(shell, options));
      if (options.json === true) shell.answer(`${JSON.stringify({ findings })}\n`);
      else {
        for (const { check, ok, said: finding } of findings) {
          shell.answer(`${ok ? 'ok   ' : 'WRONG'}  ${check.padEnd(CHECK_WIDTH)}  ${finding}\n`);
        }
      }
      if (findings.some(({ ok }) => !ok)) shell.exitCode = 1;
    });
}

async function examine(shell: Shell, options: DoctorOptions): Promise<Finding[]> {
  const read = readSettings(shell.environment, settingsInput(options));
  const machine = [node(), await database()];
  if ('problems' in read) {
    return [
      ...machine,
      ...read.problems.map((text) => ({ check: 'settings' as const, ok: false, said: text })),
    ];
  }
  const { config } = read;
  const openAt = config.port === 0 ? undefined : await sandbankAt(config);
  const named = shell.environment.SANDBANK_URL || undefined;
  const elsewhere = named === undefined ? [] : [await namedBank(named)];
  const [answering = openAt] = elsewhere.filter(({ ok }) => ok).map(() => named);
  return [
    ...machine,
    { check: 'settings', ok: true, said: `profile ${config.profile}, rails ${config.rails}` },
    await port(config, openAt),
    ...elsewhere,
    data(config),
    ...(await books(shell, config, openAt)),
    ...(await receiver(config)),
    ...(answering === undefined ? [] : await webhooks(shell, config, answering)),
  ];
}

function node(): Finding {
  const version = process.versions.node;
  const problem = nodeProblem(version, null);
  return { check: 'node', ok: problem === null, said: problem ?? version };
}

async function database(): Promise<Finding> {
  try {
    const { openConnection } = await import('../bank/store/open.ts');
    openConnection({ kind: 'memory' }).close();
    return { check: 'sqlite', ok: true, said: 'opens' };
  } catch (error) {
    const [finding] = (error as Error).message.split('\n');
    return {
      check: 'sqlite',
      ok: false,
      said: `better-sqlite3 does not load (${finding}): run "npm rebuild better-sqlite3", or "npm ci", with this Node`,
    };
  }
}

async function port(config: Config, openAt: string | undefined): Promise<Finding> {
  const { host, port: number } = config;
  if (number === 0) return { check: 'port', ok: true, said: 'a free port is used' };
  if (openAt !== undefined) return { check: 'port', ok: true, said: `a Sandbank is open at ${openAt}` };
  const problem = await addressProblem(config);
  return { check: 'port', ok: problem === null, said: problem ?? `${number} on ${host} is free` };
}

/** Whether a bank answers at the address that SANDBANK_URL gives to every other command. */
async function namedBank(url: string): Promise<Finding> {
  if (await isSandbank(url)) return { check: 'bank', ok: true, said: `a Sandbank is open at ${url}` };
  const said = `SANDBANK_URL is ${url}, and no Sandbank responds there: start it, correct the address, or unset SANDBANK_URL`;
  return { check: 'bank', ok: false, said };
}

function data({ data: folder }: Config): Finding {
  if (folder === null) return { check: 'data', ok: true, said: 'in memory' };
  const problem = folderProblem(folder);
  return { check: 'data', ok: problem === null, said: problem ?? `${folder} can be written` };
}

/** Whether the ledger balances: of the running bank, or of the files that no bank has open. */
async function books(shell: Shell, config: Config, openAt: string | undefined): Promise<Finding[]> {
  const found =
    openAt === undefined ? await booksOfFiles(config.data) : await booksOfBank(shell, config, openAt);
  return found.map(({ ok, message }) => ({ check: 'books', ok, said: message }));
}

/** Whether the address of the seeded webhook responds. */
async function receiver({ webhookUrl }: Config): Promise<Finding[]> {
  if (webhookUrl === null) return [];
  try {
    const { url, headers } = targetOf(webhookUrl);
    await fetch(url, { method: 'HEAD', headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return [{ check: 'receiver', ok: true, said: `${maskAddresses(webhookUrl)} answers` }];
  } catch (error) {
    const { cause, message } = error as Error;
    const why = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
    const finding = `${maskAddresses(webhookUrl)} cannot be reached (${why}): ${adviceFor(webhookUrl, isContainer())}`;
    return [{ check: 'receiver', ok: false, said: finding }];
  }
}

/** The hint for a receiver that does not respond. */
export function adviceFor(url: string, inContainer: boolean): string {
  const { hostname } = new URL(url);
  const advice = 'start it, or correct the address; the bank retries the deliveries meanwhile';
  if (!inContainer || !LOOPBACK.test(hostname)) return advice;
  return `${advice}. In a container ${hostname} is the container itself; the machine is ${HOST_OF_CONTAINER} (on Linux with --add-host ${HOST_OF_CONTAINER}:host-gateway)`;
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}

/** Whether the deliveries of the running bank succeed. */
async function webhooks(shell: Shell, { controlToken }: Config, url: string): Promise<Finding[]> {
  const bank = bankOf(shell, { url, ...(controlToken !== null && { controlToken }) });
  try {
    const { webhooks: listed } = await bank.sandbox.listWebhooks();
    const active = listed.filter(({ status }) => status === 'active');
    return await Promise.all(active.map((webhook) => examineWebhook(bank, webhook)));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [{ check: 'webhooks', ok: false, said: explainFailure(error) }];
  }
}

type Webhook = Awaited<ReturnType<Sandbank['sandbox']['listWebhooks']>>['webhooks'][number];

async function examineWebhook(
  bank: Sandbank,
  { id, url, api_version: apiVersion, deliveries }: Webhook,
): Promise<Finding> {
  const { waiting, exhausted, delivered } = deliveries;
  const failure = waiting + exhausted === 0 ? undefined : await lastFailure(bank, id, apiVersion);
  const finding = `${id} to ${url}: ${delivered} delivered, ${waiting} pending, ${exhausted} failed`;
  if (failure === undefined) return { check: 'webhooks', ok: true, said: finding };
  return { check: 'webhooks', ok: false, said: `${finding} (${failure}): ${adviceFor(url, isContainer())}` };
}

/** The result of the last failed attempt to this webhook, among the newest events. */
async function lastFailure(
  bank: Sandbank,
  webhookId: string,
  apiVersion: Webhook['api_version'],
): Promise<string | undefined> {
  const { events } = await bank.sandbox.listEvents({
    query: { api_version: apiVersion, limit: String(LOOKED_AT) },
  });
  for (const { id, deliveries } of events) {
    if (deliveries.waiting + deliveries.exhausted === 0) continue;
    const { attempts } = await bank.sandbox.listEventAttempts({ params: { id } });
    const last = attempts.findLast(({ webhook_id: of }) => of === webhookId);
    if (last !== undefined && last.state !== 'delivered') return last.error || `it answered ${last.status}`;
  }
  return undefined;
}
