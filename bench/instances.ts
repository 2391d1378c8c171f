/**
 * Measures instances of a cluster that share a bucket, each with a part of a core, in one run: payments per second with
 * one, two, three, four and six of them. An instance is added between two measurements, with its own sandboxes, so that each
 * owns as many as every other one. The clients call the owner of a sandbox. The bucket and the clients are separate processes
 * without a limit, as on other machines.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeInstance } from '../test/cluster/torture/torture.ts';
import { caseOf, requestOf } from './cases.ts';
import { freshPath, startClient, watch } from './children.ts';
import type { Job } from './client.ts';
import { limitCpu, type Quota } from './cpu-quota.ts';
import { median } from './numbers.ts';
import { cpuSeconds } from './proc.ts';
import { getJson } from './state.ts';

/** So many instances at a time. */
interface InstancesFigures {
  readonly instances: number;
  readonly payments: number;
  /** By those of one instance. */
  readonly toOne: number;
  /** The part of their processor time that the instances used. Near 1, they and nothing else were the limit; `null` without /proc. */
  readonly used: number | null;
  readonly p50: number;
}

export interface CurveFigures {
  /** The part of a core that each instance has. */
  readonly share: number;
  readonly by: Quota['by'];
  /** Of each instance. */
  readonly sandboxes: number;
  /** Of each sandbox. */
  readonly connections: number;
  readonly points: readonly InstancesFigures[];
}

export interface CurvePace {
  readonly rounds: number;
  readonly seconds: number;
}

const COUNTS = [1, 2, 3, 4, 6] as const;
/** Six instances, the bucket and the clients have to fit on two cores. */
const SHARE = 0.1;
const SANDBOXES = 4;
/**
 * A payment waits for the bucket, and then for the next turn of its instance, which runs for 5 of 50 ms. With two
 * connections for each sandbox, instances were often idle in their turns.
 */
const CONNECTIONS = 8;
/** Without a limit. */
const PREPARE_SECONDS = 6;
/** With it. */
const WARM_UP_SECONDS = 2;
/** What an error shows of each log. */
const LOG_LENGTH = 1_000;
const START_LIMIT_MS = 60_000;
const COMMAND = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));
const ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'sandbank',
  AWS_SECRET_ACCESS_KEY: 'sandbank',
  SANDBANK_SECRET_ROOT: 'the-root-of-the-secrets-of-a-cluster-in-the-bench',
  SANDBANK_RAILS: 'calendar',
  SANDBANK_LOG_LEVEL: 'warn',
};

interface Member {
  readonly url: string;
  /** The processes of the instance: workerd, and the command that starts it again. */
  readonly pids: readonly number[];
  readonly child: ChildProcess;
  /** The file of its log. */
  readonly log: string;
}

/** A sandbox with its payments. */
interface Load {
  readonly url: string;
  readonly key: string;
  readonly job: Omit<Job, 'name' | 'seconds'>;
}

/** Measures all numbers of instances over one bucket. */
export async function measureInstances({ rounds, seconds }: CurvePace): Promise<CurveFigures> {
  const program = freshPath('program');
  await writeInstance(program);
  const bucket = await startBucket();
  const client = startClient();
  const members: Member[] = [];
  const quotas: Quota[] = [];
  const loads: Load[] = [];
  const points: InstancesFigures[] = [];
  let made = 0;
  const run = async (length: number, some: readonly Load[] = loads) => {
    made += 1;
    const before = used(members);
    const from = performance.now();
    const outcomes = await client.runAll(
      some.map(({ job, key }) => ({ ...job, name: `${key}-${made}`, seconds: length })),
    );
    const after = used(members);
    const took = (performance.now() - from) / 1_000;
    const problem = outcomes.find((outcome) => outcome.problem !== '')?.problem;
    if (problem !== undefined) {
      const logs = members.map(({ log }) => readFileSync(log, 'utf8').slice(-LOG_LENGTH)).join('');
      throw new Error(`payments with ${members.length} instances: ${problem}\n${logs}`);
    }
    return {
      answers: outcomes.map(({ answers }) => answers),
      payments: outcomes.reduce((sum, { answers, seconds: own }) => sum + answers / own, 0),
      p50: median(outcomes.map(({ p50 }) => p50)),
      used: before === null || after === null ? null : (after - before) / took / (SHARE * members.length),
    };
  };
  for (const count of COUNTS) {
    while (members.length < count) {
      const member = await startInstance(members.length, program, bucket.url);
      const keys = Array.from({ length: SANDBOXES }, (_, number) => `test_bench-${members.length}-${number}`);
      const own = await Promise.all(keys.map((key) => openSandbox(member, key)));
      members.push(member);
      loads.push(...own);
      // Its code is compiled before its time is limited. Otherwise that alone would take half a minute.
      await run(PREPARE_SECONDS, own);
      quotas.push(limitCpu(member.pids, SHARE));
    }
    await run(WARM_UP_SECONDS);
    const before = await transactionsOf(loads);
    const found: Awaited<ReturnType<typeof run>>[] = [];
    for (let round = 0; round < rounds; round += 1) found.push(await run(seconds));
    const after = await transactionsOf(loads);
    for (const [place, { key }] of loads.entries()) {
      const gained = (after[place] ?? 0) - (before[place] ?? 0);
      const answers = found.reduce((sum, one) => sum + (one.answers[place] ?? 0), 0);
      if (gained !== answers) throw new Error(`${key}: ${answers} answers, but ${gained} transactions`);
    }
    const payments = median(found.map((one) => one.payments));
    const shares = found.map((one) => one.used);
    points.push({
      instances: count,
      payments,
      toOne: payments / (points[0]?.payments ?? payments),
      used: shares.includes(null) ? null : median(shares.filter((share) => share !== null)),
      p50: median(found.map(({ p50 }) => p50)),
    });
  }
  for (const quota of quotas) quota.end();
  await Promise.all([client.stop(), ...members.map(({ child }) => end(child))]);
  await end(bucket.child);
  const by = quotas[0]?.by ?? 'control group';
  return { share: SHARE, by, sandboxes: SANDBOXES, connections: CONNECTIONS, points };
}

/** Processor time of all instances. */
function used(members: readonly Member[]): number | null {
  const all = members.flatMap(({ pids }) => pids.map(cpuSeconds));
  return all.includes(null) ? null : all.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

/** The first instance that gets a request of a sandbox owns it. */
async function openSandbox({ url }: Member, key: string): Promise<Load> {
  const { seeded } = await getJson<{ seeded: Record<string, string> }>(url, '/_sandbox', key);
  const request = requestOf(caseOf('ach'), seeded);
  const headers = { ...request.headers, 'api-key': key };
  const job = { ...request, headers, port: Number(new URL(url).port), connections: CONNECTIONS };
  return { url, key, job };
}

const transactionsOf = (loads: readonly Load[]): Promise<number[]> =>
  Promise.all(
    loads.map(
      async ({ url, key }) =>
        (await getJson<{ counts: { transactions: number } }>(url, '/_sandbox', key)).counts.transactions,
    ),
  );

async function startBucket(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [COMMAND, 'cluster', 'bucket', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  watch(child);
  const ended = text(child.stdout).then((output) => {
    throw new Error(`sandbank cluster bucket ended: ${output}`);
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
  const { url } = JSON.parse(String(line)) as { url: string };
  return { url, child };
}

/** An instance as its user starts it. */
async function startInstance(number: number, program: string, endpoint: string): Promise<Member> {
  const data = freshPath(`instance-${number}`);
  const readyFile = freshPath(`instance-${number}.json`);
  mkdirSync(data);
  const log = freshPath('instance.log');
  const words = [
    ...['cluster', 'instance', '--json', '--folder', program, '--data', data, '--port', '0'],
    ...['--bucket', 's3://sandbank/cluster', '--endpoint', endpoint],
  ];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [COMMAND, ...words], {
    env: { PATH, HOME, ...ENVIRONMENT, SANDBANK_READY_FILE: readyFile },
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  });
  watch(child);
  const start = performance.now();
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`an instance ended with ${child.exitCode}`);
    if (performance.now() - start > START_LIMIT_MS) throw new Error('an instance did not start in time');
    await sleep(20);
  }
  const { url } = JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string };
  const { supervisor, workerd } = JSON.parse(readFileSync(join(data, 'processes.json'), 'utf8'));
  return { url, pids: [workerd, supervisor], child, log };
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
