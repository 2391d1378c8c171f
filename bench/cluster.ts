/**
 * Compares a bank of Durable Objects of workerd with a bank in Node, in the same rounds: payments on one sandbox on
 * local disk, and memory for each sandbox. `instances.ts` measures several instances that share a bucket.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installTools } from '../build/tools.mjs';
import { caseOf, requestOf } from './cases.ts';
import { type Bank, freshPath, startBank, startClient, watch } from './children.ts';
import { type CurveFigures, measureInstances } from './instances.ts';
import { median } from './numbers.ts';
import { cpuSeconds, residentMb } from './proc.ts';
import { getJson, readBank } from './state.ts';

/** One kind of bank, the medians of its rounds. */
interface RuntimeFigures {
  readonly name: 'Node' | 'workerd';
  readonly payments: number;
  /** By those of Node in the same round. */
  readonly toNode: number;
  readonly cpuMicros: number | null;
  /** For each open sandbox. */
  readonly sandboxMb: number | null;
}

export interface ClusterFigures {
  readonly runtimes: readonly RuntimeFigures[];
  readonly curve: CurveFigures;
}

export interface ClusterPace {
  readonly rounds: number;
  readonly seconds: number;
  readonly sandboxes: number;
}

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1.5;
const COMMAND = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));
const START_LIMIT_MS = 60_000;

/** Measures both. */
export async function measureCluster(pace: ClusterPace): Promise<ClusterFigures> {
  installTools('test/cluster/workerd');
  await import('../test/support/workerd-program.ts');
  return { runtimes: await measureRuntimes(pace), curve: await measureInstances(pace) };
}

async function measureRuntimes({ rounds, seconds, sandboxes }: ClusterPace): Promise<RuntimeFigures[]> {
  const client = startClient();
  const banks = { Node: await startBank('file'), workerd: await startInstance() };
  const names = Object.keys(banks) as (keyof typeof banks)[];
  const run = async (bank: Bank, name: string, length: number) => {
    const { seeded, transactions } = await readBank(bank.url);
    const request = requestOf(caseOf('ach'), seeded);
    const before = cpuSeconds(bank.pid);
    const outcome = await client.run({
      ...request,
      port: bank.port,
      name,
      connections: CONNECTIONS,
      seconds: length,
    });
    const after = cpuSeconds(bank.pid);
    if (outcome.problem !== '') throw new Error(`payments in a cluster: ${outcome.problem}`);
    const gained = (await readBank(bank.url)).transactions - transactions;
    if (gained !== outcome.answers) throw new Error(`${outcome.answers} answers, but ${gained} transactions`);
    return {
      payments: outcome.answers / outcome.seconds,
      cpuMicros: before === null || after === null ? null : ((after - before) / outcome.answers) * 1e6,
    };
  };
  for (const name of names) await run(banks[name], `warm-${name}`, WARM_UP_SECONDS);
  const found: Record<keyof typeof banks, Awaited<ReturnType<typeof run>>[]> = { Node: [], workerd: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      found[name].push(await run(banks[name], `round-${round}-${name}`, seconds));
    }
  }
  const memory = new Map<string, number | null>();
  for (const name of names) memory.set(name, await sandboxMb(banks[name], sandboxes));
  await Promise.all([client.stop(), ...names.map((name) => banks[name].stop())]);
  return names.map((name) => {
    const cpus = found[name].map(({ cpuMicros }) => cpuMicros);
    return {
      name,
      payments: median(found[name].map(({ payments }) => payments)),
      toNode: median(
        found[name].map(({ payments }, round) => payments / (found.Node[round]?.payments ?? Number.NaN)),
      ),
      cpuMicros: cpus.includes(null) ? null : median(cpus.filter((cpu) => cpu !== null)),
      sandboxMb: memory.get(name) ?? null,
    };
  });
}

/** The memory of each further sandbox that was used. */
async function sandboxMb({ pid, url }: Bank, sandboxes: number): Promise<number | null> {
  const before = residentMb(pid);
  await Promise.all(
    Array.from({ length: sandboxes }, (_, number) =>
      getJson(url, '/v2/accounts/sub_account', `test_more-${number}`),
    ),
  );
  const after = residentMb(pid);
  return before === null || after === null ? null : (after - before) / sandboxes;
}

/** One instance on local disk, as its user starts it; its process is that of workerd. */
async function startInstance(): Promise<Bank> {
  const readyFile = freshPath('ready.json');
  const data = freshPath('objects');
  mkdirSync(data);
  const log = openSync(freshPath('instance.log'), 'w');
  const start = performance.now();
  const child = spawn(process.execPath, [COMMAND, 'cluster', 'dev'], {
    env: {
      ...process.env,
      SANDBANK_PORT: '0',
      SANDBANK_READY_FILE: readyFile,
      SANDBANK_DATA: data,
      SANDBANK_RAILS: 'calendar',
    },
    stdio: ['ignore', log, 'inherit'],
  });
  watch(child);
  while (!existsSync(readyFile)) await stillStarting(child, start);
  const { url } = JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string };
  const startedInMs = performance.now() - start;
  return {
    pid: childOf(child.pid ?? 0) ?? child.pid ?? 0,
    port: Number(new URL(url).port),
    url,
    data,
    startedInMs,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** The process that another one started; `undefined` where the system does not show it. */
function childOf(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return first === undefined || first === '' ? undefined : Number(first);
  } catch {
    return undefined;
  }
}

async function stillStarting(child: ChildProcess, start: number): Promise<void> {
  if (child.exitCode !== null) throw new Error(`sandbank cluster dev ended with ${child.exitCode}`);
  if (performance.now() - start > START_LIMIT_MS)
    throw new Error('sandbank cluster dev did not start in time');
  await sleep(5);
}
