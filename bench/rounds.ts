/**
 * The rounds of one case. In each round, the floor and the banks get the same load one after the other, and ratios
 * are computed only within a round, because the speed of the machine varies. After every run the changes of the bank
 * must equal the effects of its answers.
 */

import { type Case, isPayment, requestOf, sampleOf } from './cases.ts';
import { PLACES, type Place, startBank, startClient, startFloor } from './children.ts';
import type { Outcome } from './client.ts';
import { median } from './numbers.ts';
import { cpuSeconds } from './proc.ts';
import { type BankState, readBank } from './state.ts';

export type Target = 'floor' | Place;

export interface Pace {
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** One line of the table: the medians of its rounds. */
export interface Line {
  readonly measured: Case;
  readonly connections: number;
  readonly target: Target;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Requests per second relative to the floor, for each round. */
  readonly toFloor: readonly number[];
  /** Requests per second relative to the file with `synchronous=normal`. */
  readonly toFile: readonly number[];
  /** Processor time of the server per request, in microseconds. */
  readonly cpuMicros: number | null;
  /** The floor's processor time per request relative to this server's, for each round; empty if unknown. */
  readonly cpuToFloor: readonly number[];
  /** The share of a core that the load used. */
  readonly clientBusy: number;
}

/** A measured server. */
export interface Server {
  readonly target: Target;
  readonly pid: number;
  readonly port: number;
  /** `null` for bare Fastify, which has no state to check. */
  readonly url: string | null;
  readonly seeded: BankState['seeded'];
  stop(): Promise<void>;
}

export interface Run extends Outcome {
  readonly cpuMicros: number | null;
}

type Round = ReadonlyMap<Target, Run>;

/** From this number of connections on, commits are shared; with one connection `full` only measures the disk. */
const SHARED_COMMITS = 16;
export const WARM_UP_CONNECTIONS = 64;
/** The floor is between the two servers that are compared with it, and `full` is next to the file. */
const ORDER: readonly Target[] = ['memory', 'floor', 'file', 'full'];

/** The delay of an ACH pull's first planned step. */
const FIRST_STEP_MS = 60_000;
const SHOWN: readonly Target[] = ['floor', ...PLACES];

/** Measures one case on new servers. */
export async function measureCase(measured: Case, pace: Pace, note: (text: string) => void): Promise<Line[]> {
  const begun = performance.now();
  const servers = await startServers(measured);
  const client = startClient();
  const load = loading(measured, client, note);
  for (const server of servers) await load(server, WARM_UP_CONNECTIONS, pace.warmUpSeconds);
  const lines: Line[] = [];
  for (const connections of pace.connections) {
    const compared = servers.filter(({ target }) => target !== 'full' || connections >= SHARED_COMMITS);
    const rounds: Round[] = [];
    while (rounds.length < pace.rounds) {
      const round = new Map<Target, Run>();
      // Every other round is reversed, because the speed of the machine may drift within a round.
      for (const server of rounds.length % 2 === 0 ? compared : compared.toReversed()) {
        round.set(server.target, await load(server, connections, pace.seconds));
      }
      rounds.push(round);
    }
    const shown = compared.toSorted((a, b) => SHOWN.indexOf(a.target) - SHOWN.indexOf(b.target));
    lines.push(...shown.map(({ target }) => lineOf(measured, connections, target, rounds)));
  }
  if (measured.steps > 0 && performance.now() - begun > FIRST_STEP_MS) {
    note(
      `${measured.title}: took more than a minute, so the first planned steps were due while it was measured`,
    );
  }
  await Promise.all([client, ...servers].map((child) => child.stop()));
  return lines;
}

/** Applies the load of a case to one server after the other, and checks the changes of each bank. */
export function loading(
  measured: Case,
  client: ReturnType<typeof startClient>,
  note: (text: string) => void,
): (server: Server, connections: number, seconds: number) => Promise<Run> {
  let jobs = 0;
  return async (server, connections, seconds) => {
    jobs += 1;
    const before = server.url === null ? null : await readBank(server.url);
    const cpuBefore = cpuSeconds(server.pid);
    const outcome = await client.run({
      ...requestOf(measured, server.seeded),
      port: server.port,
      name: `job${jobs}`,
      connections,
      seconds,
    });
    const cpuAfter = cpuSeconds(server.pid);
    const where = `${measured.title}, ${connections} connections, ${server.target}`;
    if (outcome.problem !== '') throw new Error(`${where}: ${outcome.problem}`);
    if (outcome.answers === 0) throw new Error(`${where}: no answer`);
    if (server.url !== null && before !== null) {
      const late = checkGain(where, measured, outcome.answers, before, await readBank(server.url));
      if (late > 0) note(`${where}: ${late} planned steps were due and executed during the run`);
    }
    const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
    return { ...outcome, cpuMicros: cpu === null ? null : (cpu / outcome.answers) * 1e6 };
  };
}

async function startServers(measured: Case): Promise<Server[]> {
  const servers: Server[] = [];
  for (const target of PLACES) {
    if (target === 'full' && !isPayment(measured)) continue;
    servers.push(await startServer(target));
  }
  const [first] = servers;
  if (first === undefined || first.url === null) throw new Error('no bank was started');
  const answer = await sampleOf(measured, first.url, first.seeded);
  const { pid, port, stop } = await startFloor({ [measured.name]: answer });
  servers.push({ target: 'floor', pid, port, url: null, seeded: first.seeded, stop });
  return servers.sort((a, b) => ORDER.indexOf(a.target) - ORDER.indexOf(b.target));
}

/** Starts a bank of this build or of another one. */
export async function startServer(target: Place, build?: string): Promise<Server> {
  const { pid, port, url, stop } = await startBank(target, { build });
  const { seeded } = await readBank(url);
  return { target, pid, port, url, seeded, stop };
}

/**
 * Throws if the changes of the bank do not match its answers; returns the number of planned steps that were executed.
 */
function checkGain(
  where: string,
  measured: Case,
  answers: number,
  before: BankState,
  after: BankState,
): number {
  const transactions = after.transactions - before.transactions;
  if (transactions !== answers * measured.transactions) {
    throw new Error(`${where}: ${answers} answers, but ${transactions} more transactions`);
  }
  const cents = after.cents - before.cents;
  if (cents !== answers * measured.cents) {
    throw new Error(`${where}: ${answers} answers, but the account gained ${cents} cents`);
  }
  return answers * measured.steps - (after.plannedSteps - before.plannedSteps);
}

function lineOf(measured: Case, connections: number, target: Target, rounds: readonly Round[]): Line {
  const outcomes = rounds.map((round) => outcomeOf(round, target));
  const to = (other: Target): number[] =>
    rounds.map((round) => perSecond(outcomeOf(round, target)) / perSecond(outcomeOf(round, other)));
  const cpus = outcomes.map(({ cpuMicros }) => cpuMicros);
  return {
    measured,
    connections,
    target,
    perSecond: median(outcomes.map(perSecond)),
    p50: median(outcomes.map(({ p50 }) => p50)),
    p99: median(outcomes.map(({ p99 }) => p99)),
    toFloor: to('floor'),
    toFile: to('file'),
    cpuMicros: cpus.includes(null) ? null : median(cpus.filter((cpu) => cpu !== null)),
    cpuToFloor: rounds.flatMap((round) => cpuRatio(outcomeOf(round, 'floor'), outcomeOf(round, target))),
    clientBusy: median(outcomes.map(({ busy }) => busy)),
  };
}

function outcomeOf(round: Round, target: Target): Run {
  const outcome = round.get(target);
  if (outcome === undefined) throw new Error(`${target} was left out of a round`);
  return outcome;
}

function cpuRatio(floor: Run, run: Run): number[] {
  return floor.cpuMicros === null || run.cpuMicros === null ? [] : [floor.cpuMicros / run.cpuMicros];
}

export function perSecond({ answers, seconds }: Outcome): number {
  return answers / seconds;
}
