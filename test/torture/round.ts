/**
 * One round: an empty data directory, receivers, a server, and the phases of load, each ended as the plan has it, then
 * proven on the server that goes on with the data. The first finding ends it.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type Finding, find, request, runActions } from './clients.ts';
import { createModel } from './model.ts';
import type { Damage, Full, Injection, Phase, Round } from './plan.ts';
import { prove, type Wired } from './proofs.ts';
import { openReceiver, type Receiver } from './receivers.ts';
import { fileOf, isKilled, type Server, STOP_LIMIT_MS, startServer, TOOLS } from './server.ts';

export interface Outcome {
  readonly findings: readonly Finding[];
  readonly requests: number;
  readonly payments: number;
  /** Deliveries that arrived, repetitions too. */
  readonly deliveries: number;
  /** Answers that the plan excuses: a full disk, a server that stops. */
  readonly unavailable: number;
  readonly kills: number;
  readonly starts: number;
  readonly slowestStartMs: number;
  readonly slowestStopMs: number;
  readonly most: { rssMb: number; fds: number };
  /** After load, drained. */
  readonly rest: { rssMb: number; fds: number };
  readonly seconds: number;
  /** The last lines of the last server. */
  readonly log: string;
  readonly mix: string;
}

/**
 * What a server may hold after load and proofs: the runtime's own, sockets (sixteen for each receiver among them), and a
 * part for each sandbox that was used.
 */
const REST = { mb: 300, mbEach: 1.5, fds: 200, fdsEach: 2.2 };
const TMPFS_MB = 400;
const RECOVERY_MS = 10_000;

/** Runs a round to its end or its first finding. Leaves nothing behind. */
export async function runRound(round: Round): Promise<Outcome> {
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-torture-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const isSmall = TOOLS.tmpfs && round.phases.some(({ full }) => full?.kind === 'tmpfs');
  if (isSmall) spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${TMPFS_MB}m`, 'tmpfs', data]);
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
  const counts = { requests: 0, payments: 0, unavailable: 0 };
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
    full: false,
    fulls: 0,
    answered: () => onAnswer(),
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
      kills += 1;
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
    await server?.kill();
    kills += 1;
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
        kills += 1;
        await start();
        await learn(client);
      }
      await wire(client, round, wired, receivers);
      await runPhase(client, phase, {
        data,
        isSmall,
        kill,
        stop,
        listen: (received) => (onAnswer = received),
      });
      onAnswer = () => {};
      // Whatever was injected has struck by now, or will not.
      if (server?.ending === true && server.ended() === null) await kill();
      if (server?.ended() !== null) noteEnd();
      if (phase.damage !== undefined && client.findings.length === 0) {
        await stop();
        damage(client, data, phase.damage);
      }
      if (client.findings.length > 0) break;
      if (!isUp()) {
        if (phase.nextStart !== undefined) {
          await start(phase.nextStart);
          // It may live through its start; then it goes now.
          if (isUp() && server?.ending === true) await kill();
        }
        if (!isUp()) await start();
      }
      if (client.findings.length > 0) break;
      await prove(client, wired, at === round.phases.length - 1);
      if (!isUp()) find(client, 'the server ended by itself', 'during the proofs');
      if (client.findings.length > 0) break;
      rest = client.server.now();
      const used = client.model.names().length;
      if (rest.rssMb > REST.mb + used * REST.mbEach || rest.fds > REST.fds + used * REST.fdsEach) {
        const output = `${JSON.stringify(rest)} with ${used} sandboxes`;
        find(client, 'memory or descriptors are not given back', output);
      }
    }
    await stop();
  } finally {
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
    deliveries,
    kills,
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

/** The ids of the seeding; false when the server was killed before it told them. */
async function learn(client: Client): Promise<boolean> {
  if (client.seeded.sub_account_id !== undefined) return true;
  const reply = await request(client, { method: 'GET', path: '/_sandbox', sandbox: 'default' });
  if (reply?.status !== 200) return false;
  client.seeded = (JSON.parse(reply.text) as { seeded: Record<string, string> }).seeded;
  return true;
}

/** Makes the webhooks that are not made yet. */
async function wire(client: Client, round: Round, wired: Wired[], receivers: Receiver[]): Promise<void> {
  for (const listener of round.listeners) {
    if (wired.some((other) => other.events === listener.events)) continue;
    const { sandbox, behaviour, dialect, events } = listener;
    if (client.model.sandbox(sandbox).isDamaged) continue;
    const log = await request(client, { method: 'GET', path: '/_sandbox/events?limit=1', sandbox });
    if (log?.status !== 200) return;
    const { cursor } = JSON.parse(log.text) as { cursor: string };
    // One for each try: whether a try whose answer was lost made a webhook is not known, nor its secret.
    const receiver = await openReceiver(behaviour);
    receivers.push(receiver);
    receiver.repeatsExactly = (client.roles.get(sandbox) ?? 'steady') === 'steady';
    const body = { dialect, url: receiver.url, events };
    const made = await request(client, { method: 'POST', path: '/_sandbox/webhooks', sandbox, body });
    if (made?.status !== 201) return;
    const { id, secret } = JSON.parse(made.text) as { id: string; secret: string };
    receiver.secret = secret;
    wired.push({ ...listener, receiver, id, cursor });
  }
}

interface Stage {
  readonly data: string;
  readonly isSmall: boolean;
  kill(): Promise<void>;
  stop(): Promise<void>;
  listen(received: () => void): void;
}

/** The load of a phase, until its end. */
async function runPhase(client: Client, phase: Phase, stage: Stage): Promise<void> {
  const { end, full } = phase;
  let answers = 0;
  let ending: Promise<void> | undefined;
  let free: (() => Promise<void>) | undefined;
  let freeing: Promise<void> | undefined;
  const finish = async (): Promise<void> => {
    if (end.how === 'quiet') return;
    // From here on a broken connection is nobody's fault.
    client.server.ending = true;
    await pause(end.jitterMs);
    await (end.how === 'kill' ? stage.kill() : stage.stop());
  };
  stage.listen(() => {
    answers += 1;
    if (full !== undefined && answers === full.afterAnswers + 1) free = fill(client, full, stage);
    if (full !== undefined && answers === full.afterAnswers + full.forAnswers) freeing = free?.();
    if (end.how !== 'quiet' && answers === end.afterAnswers) ending = finish();
  });
  await runActions(client, phase.actions);
  freeing ??= free?.();
  await freeing;
  if (client.server.ended() === null) ending ??= finish();
  await ending;
}

/** Takes the room away; the result gives it back and waits until payments are taken again. */
function fill(
  client: Client,
  { kind, roomKb }: Full,
  { data, isSmall }: Stage,
): (() => Promise<void>) | undefined {
  const { server } = client;
  const ballast = join(data, 'ballast');
  let free: () => void;
  if (kind === 'tmpfs' && isSmall) {
    const { bavail, bsize } = statfsSync(data);
    const file = openSync(ballast, 'w');
    const piece = Buffer.alloc(64 * 1024);
    try {
      for (let left = bavail * bsize - roomKb * 1024; left > 0; )
        left -= writeSync(file, piece, 0, Math.min(left, piece.length));
    } catch {
      // The bank was quicker to take the last of it.
    }
    closeSync(file);
    free = () => rmSync(ballast, { force: true });
  } else if (TOOLS.prlimit) {
    const logs = readdirSync(data).filter((name) => name.endsWith('-wal'));
    const longest = Math.max(0, ...logs.map((name) => statSync(join(data, name)).size));
    const limit = (text: string): void =>
      void spawnSync('prlimit', ['--pid', String(server.pid), `--fsize=${text}:`]);
    limit(String(longest + roomKb * 1024));
    free = () => limit('unlimited');
  } else return undefined;
  client.full = true;
  client.fulls += 1;
  return async () => {
    free();
    const since = performance.now();
    const before = client.model.items.size;
    for (let tried = 0; server.ended() === null && !server.ending; tried += 1) {
      const tag = `r${before}-${tried}`;
      const pay = { do: 'pay', lane: 0, sandbox: 'still', tag, rail: 'v2_ach_pull', cents: 7 } as const;
      await runActions(client, [pay]);
      if (client.model.items.get(tag)?.state !== 'refused') break;
      if (performance.now() - since > RECOVERY_MS) {
        find(client, 'the bank does not recover when there is room again', `for ${RECOVERY_MS} ms`);
        break;
      }
      await pause(50);
    }
    // Others may still hear of what failed before.
    await pause(300);
    client.full = false;
  };
}

/** Damages the file of a sandbox; nothing happens where it has none yet. */
function damage(client: Client, data: string, { sandbox, how, at }: Damage): void {
  const file = fileOf(data, sandbox);
  if (!existsSync(file)) return;
  const { size } = statSync(file);
  client.model.sandbox(sandbox).isDamaged = true;
  if (how === 'delete') rmSync(file);
  else if (how === 'empty') writeFileSync(file, '');
  else {
    const handle = openSync(file, 'r+');
    if (how === 'truncate') ftruncateSync(handle, Math.floor(size * (at[0] ?? 0)));
    else for (const part of at) writeSync(handle, Buffer.from([0xa5]), 0, 1, Math.floor(size * part));
    closeSync(handle);
  }
}

/** In a few words, what a round consists of. */
function mixOf({ phases, places, listeners, synchronous }: Round): string {
  const words = phases.map(({ actions, end, injection, nextStart, full, damage: hurt }) =>
    [
      `${actions.length}`,
      ...(injection === undefined ? [] : [`${injection.call}#${injection.when}`]),
      ...(full === undefined ? [] : [`full:${full.kind}`]),
      end.how,
      ...(hurt === undefined ? [] : [`${hurt.how}:${hurt.sandbox}`]),
      ...(nextStart === undefined ? [] : [`start:${nextStart.call}#${nextStart.when}`]),
    ].join(' '),
  );
  const roles = places.map(({ role }) => role[0]).join('');
  const habits = listeners.map(({ behaviour }) => behaviour).join(',');
  return `${words.join(' | ')} | ${roles} ${habits}${synchronous === 'normal' ? '' : ` ${synchronous}`}`;
}
