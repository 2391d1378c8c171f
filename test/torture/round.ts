/**
 * One round: an empty data directory, receivers, a server, and the phases of load. Each phase ends as planned. The checks
 * then run against the server, which was started again with the same data if it had ended. The first finding ends the round.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, createExcuses, type Finding, find, request } from './client.ts';
import { runActions } from './clients.ts';
import { damage, fill, idleThrough, type Stage } from './disks.ts';
import type { Wired } from './events.ts';
import { strike } from './faults.ts';
import { createHistory } from './history.ts';
import { createModel } from './model.ts';
import type { Observers } from './observers.ts';
import type { FaultName, Injection, Phase, Round } from './plan.ts';
import { OPENING, prove } from './proofs.ts';
import { openReceiver, type Receiver } from './receivers.ts';
import { isKilled, type Server, STOP_LIMIT_MS, startServer, TOOLS } from './server.ts';

export interface Outcome {
  readonly findings: readonly Finding[];
  readonly requests: number;
  readonly payments: number;
  /** Deliveries that arrived, with repetitions. */
  readonly deliveries: number;
  /** Refusals that a fault explains: a full disk, a server that stops. */
  readonly unavailable: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly dropped: number;
  /** Operations whose balances were checked, and accounts whose search ended without a result. */
  readonly explained: number;
  readonly cut: number;
  readonly kills: number;
  readonly faults: ReadonlyMap<FaultName, number>;
  readonly starts: number;
  readonly slowestStartMs: number;
  readonly slowestStopMs: number;
  readonly most: { rssMb: number; fds: number };
  /** After the load, when nothing is pending. */
  readonly rest: { rssMb: number; fds: number };
  readonly seconds: number;
  /** The last lines of the log of the last server. */
  readonly log: string;
  readonly mix: string;
}

/**
 * The maximum memory and file descriptors of a server after load and checks: those of the runtime, its sockets (sixteen for each
 * receiver), and a part for each used sandbox.
 */
const REST = { mb: 300, mbEach: 1.5, fds: 200, fdsEach: 2.2 };
const TMPFS_MB = 400;
/** Enough for the hundred sandboxes that a round may open. A smaller disk would stay full. */
const IDLE_TMPFS_MB = 160;

/** Runs a round until its end or its first finding. Removes its files and ends its processes. */
export async function runRound(round: Round): Promise<Outcome> {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-torture-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const isIdle = round.phases.some(({ idle }) => idle !== undefined);
  const isSmall = TOOLS.tmpfs && (isIdle || round.phases.some(({ full }) => full?.kind === 'tmpfs'));
  const size = isIdle ? IDLE_TMPFS_MB : TMPFS_MB;
  if (isSmall) spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'tmpfs', data]);
  const settings = { data, readyFile: join(folder, 'ready.json'), synchronous: round.synchronous };
  const wired: Wired[] = [];
  const receivers: Receiver[] = [];
  const most = { rssMb: 0, fds: 0 };
  let rest = { rssMb: 0, fds: 0 };
  let kills = 0;
  let starts = 0;
  let slowestStartMs = 0;
  let slowestStopMs = 0;
  let log = '';
  let onAnswer = (): void => {};
  const zeros = { lost: 0, doubled: 0, dropped: 0, explained: 0, cut: 0 };
  const counts = { requests: 0, payments: 0, unavailable: 0, ...zeros };
  const faults = new Map<FaultName, number>();
  const noteFault = (name: FaultName): void => void faults.set(name, (faults.get(name) ?? 0) + 1);
  const observers: Observers[] = [];
  let server: Server | undefined;
  const client: Client = {
    get server() {
      if (server === undefined) throw new Error('no server is running');
      return server;
    },
    model: createModel(),
    seeded: {},
    roles: new Map(round.places.map(({ name, role }) => [name, role])),
    findings: [],
    counts,
    history: createHistory(OPENING),
    explained: new Set(round.places.filter((one) => one.isExplained === true).map(({ name }) => name)),
    excuses: createExcuses(),
    answered: () => onAnswer(),
  };

  const noteKill = (name: FaultName): void => {
    kills += 1;
    noteFault(name);
  };
  const start = async (injection?: Injection): Promise<void> => {
    const started = await startServer(settings, injection);
    starts += 1;
    if ('failed' in started) {
      log = started.log;
      if (!started.killed) {
        find(client, 'the server does not start', started.log.slice(-1500));
        return;
      }
      noteKill('injection');
      return start();
    }
    server = started;
    slowestStartMs = Math.max(slowestStartMs, started.startedInMs);
  };
  const isUp = (): boolean => server !== undefined && server.ended() === null;
  const noteEnd = (): void => {
    if (server === undefined) return;
    log = server.log();
    most.rssMb = Math.max(most.rssMb, server.most.rssMb);
    most.fds = Math.max(most.fds, server.most.fds);
    for (const receiver of receivers) receiver.release();
  };
  const kill = async (): Promise<void> => {
    // It may have been killed at a system call before.
    if (server?.ended() === null) noteKill('kill');
    await server?.kill();
    noteEnd();
  };
  const stop = async (): Promise<void> => {
    if (server === undefined || server.ended() !== null) return;
    const wasKilled = server.ending;
    const { ms, code, signal } = await server.stop();
    noteEnd();
    if (wasKilled && isKilled({ code, signal })) return;
    slowestStopMs = Math.max(slowestStopMs, ms);
    if (code !== 0 || ms > STOP_LIMIT_MS) {
      find(
        client,
        'the server does not stop well',
        `after ${Math.round(ms)} ms: ${JSON.stringify({ code, signal })}`,
      );
    }
  };

  try {
    for (const [at, phase] of round.phases.entries()) {
      if (!isUp() || (phase.injection !== undefined && at > 0)) {
        await stop();
        await start(phase.injection);
      }
      if (client.findings.length > 0) break;
      if (!(await learn(client))) {
        noteEnd();
        noteKill('injection');
        await start();
        await learn(client);
      }
      await wire(client, round, wired, receivers);
      const edges = wired.filter(({ behaviour }) => behaviour === 'edge').length;
      if (edges > 0) faults.set('edge', edges);
      const killsBefore = kills;
      await runPhase(client, phase, {
        data,
        isSmall,
        kill,
        stop,
        listen: (received) => (onAnswer = received),
        observers,
        noteFault,
      });
      onAnswer = () => {};
      if (phase.injection !== undefined && kills === killsBefore && isKilled(server?.ended() ?? null)) {
        noteKill('injection');
      }
      // A server that was to be killed at a system call, and was not, is killed now.
      if (server?.ending === true && server.ended() === null) await kill();
      if (server?.ended() !== null) noteEnd();
      if (phase.damage !== undefined && client.findings.length === 0) {
        await stop();
        damage(client, data, phase.damage);
        noteFault('damage');
      }
      if (client.findings.length > 0) break;
      if (!isUp()) {
        if (phase.nextStart !== undefined) {
          await start(phase.nextStart);
          // It may have survived its start.
          if (isUp() && server?.ending === true) await kill();
        }
        if (!isUp()) await start();
      }
      if (client.findings.length > 0) break;
      await prove(client, wired, observers, at === round.phases.length - 1);
      for (const one of observers.splice(0)) one.close();
      if (!isUp()) find(client, 'the server ended by itself', 'during the proofs');
      if (client.findings.length > 0) break;
      rest = client.server.now();
      const used = client.model.names().length;
      const isTooMuch =
        rest.rssMb > REST.mb + used * REST.mbEach || rest.fds > REST.fds + used * REST.fdsEach;
      if (isTooMuch) {
        const output = `${JSON.stringify(rest)} with ${used} sandboxes`;
        find(client, 'memory or descriptors are not given back', output);
      }
    }
    await stop();
  } finally {
    for (const one of observers) one.close();
    if (isUp()) await server?.kill();
    noteEnd();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    if (isSmall) spawnSync('umount', [data]);
    rmSync(folder, { recursive: true, force: true });
  }
  const deliveries = receivers
    .flatMap(({ arrived }) => [...arrived.values()])
    .reduce((sum, times) => sum + times, 0);
  const seconds = (performance.now() - startedAt) / 1000;
  const { findings } = client;
  return {
    findings,
    ...counts,
    acknowledged: [...client.model.items.values()].filter(({ state }) => state === 'acknowledged').length,
    deliveries,
    kills,
    faults,
    starts,
    slowestStartMs,
    slowestStopMs,
    most,
    rest,
    seconds,
    log,
    mix: mixOf(round),
  };
}

/** Reads the seeded ids; false if the server was killed before it sent them. */
async function learn(client: Client): Promise<boolean> {
  if (Object.keys(client.seeded).length > 0) return true;
  const reply = await request(client, { method: 'GET', path: '/_sandbox', sandbox: 'default' });
  if (reply?.status !== 200) return false;
  client.seeded = (JSON.parse(reply.text) as { seeded: Record<string, string> }).seeded;
  return true;
}

/** Creates the webhooks that do not exist yet. */
async function wire(client: Client, round: Round, wired: Wired[], receivers: Receiver[]): Promise<void> {
  for (const listener of round.listeners) {
    if (wired.some((other) => other.events === listener.events)) continue;
    const { sandbox, behaviour, apiVersion, events } = listener;
    if (client.model.sandbox(sandbox).isDamaged) continue;
    const log = await request(client, { method: 'GET', path: '/_sandbox/events?limit=1', sandbox });
    if (log?.status !== 200) return;
    const { cursor } = JSON.parse(log.text) as { cursor: string };
    // Each attempt has its own receiver: after a lost response, the webhook may exist with an unknown secret.
    const receiver = await openReceiver(behaviour);
    receivers.push(receiver);
    receiver.repeatsExactly = (client.roles.get(sandbox) ?? 'steady') === 'steady';
    const body = { api_version: apiVersion, url: receiver.url, events };
    const made = await request(client, { method: 'POST', path: '/_sandbox/webhooks', sandbox, body });
    if (made?.status !== 201) return;
    const { id, secret } = JSON.parse(made.text) as { id: string; secret: string };
    receiver.secret = secret;
    wired.push({ ...listener, receiver, id, cursor });
  }
}

interface Theatre extends Stage {
  readonly observers: Observers[];
  noteFault(name: FaultName): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
  listen(received: () => void): void;
}

/** Runs the load of a phase with its faults, until its end. */
async function runPhase(client: Client, phase: Phase, theatre: Theatre): Promise<void> {
  const { end, full, idle, faults = [] } = phase;
  const { observers, noteFault } = theatre;
  let answers = 0;
  let ending: Promise<void> | undefined;
  let free: (() => Promise<void>) | undefined;
  let freeing: Promise<void> | undefined;
  const struck: Promise<void>[] = [];
  const strikeAll = (due: Required<Phase>['faults']): void => {
    for (const fault of due) {
      noteFault(fault.kind);
      struck.push(strike(fault, client, observers));
    }
  };
  const finish = async (): Promise<void> => {
    if (end.how === 'quiet') return;
    // A stopped process does not handle SIGTERM.
    if (end.how === 'term') await Promise.all(struck);
    // From now on, a broken connection is expected.
    client.server.ending = true;
    await pause(end.jitterMs);
    await (end.how === 'kill' ? theatre.kill() : theatre.stop());
  };
  theatre.listen(() => {
    answers += 1;
    strikeAll(faults.filter(({ afterAnswers }) => afterAnswers === answers));
    if (full !== undefined && answers === full.afterAnswers + 1) {
      free = fill(client, full, theatre);
      if (free !== undefined) noteFault('full');
    }
    if (full !== undefined && answers === full.afterAnswers + full.forAnswers) freeing = free?.();
    if (end.how !== 'quiet' && answers === end.afterAnswers) ending = finish();
  });
  await runActions(client, phase.actions);
  freeing ??= free?.();
  await freeing;
  // Later requests are no load.
  theatre.listen(() => {});
  await Promise.all(struck);
  if (idle !== undefined && client.server.ended() === null) {
    noteFault('idle');
    await idleThrough(client, idle, theatre);
  }
  if (client.server.ended() === null) ending ??= finish();
  await ending;
}

/** A short description of a round. */
function mixOf({ phases, places, listeners, synchronous }: Round): string {
  const words = phases.map(({ actions, end, injection, nextStart, full, faults = [], idle, damage: hurt }) =>
    [
      `${actions.length}`,
      ...(injection === undefined ? [] : [`${injection.call}#${injection.when}`]),
      ...(full === undefined ? [] : [`full:${full.kind}`]),
      ...faults.map(({ kind }) => kind),
      ...(idle === undefined ? [] : ['idle']),
      end.how,
      ...(hurt === undefined ? [] : [`${hurt.how}:${hurt.sandbox}`]),
      ...(nextStart === undefined ? [] : [`start:${nextStart.call}#${nextStart.when}`]),
    ].join(' '),
  );
  const roles = places.map(({ role }) => role[0]).join('');
  const habits = listeners.map(({ behaviour }) => behaviour).join(',');
  return `${words.join(' | ')} | ${roles} ${habits}${synchronous === 'normal' ? '' : ` ${synchronous}`}`;
}
