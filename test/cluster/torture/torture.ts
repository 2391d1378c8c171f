/**
 * Drives a cluster of three instances and their bucket with payments and faults that are drawn from a seed, and checks in the
 * end that nothing acknowledged was lost or doubled. A bucket that does not keep its promises has to be caught by the same checks.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorker } from '../../../build/worker.mjs';
import { createSequence } from '../../../src/bank/kernel/sequence.ts';
import { type Bucket, HEALTHY, openBucket } from './bucket.ts';
import { checkAll, type Verdict } from './checks.ts';
import { type Load, openReceiver, type Receiver, send, startLoad } from './load.ts';
import { allReady, createMember, type Member } from './members.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SECOND_MS = 1_000;
/** Of the runtime, by default. */
const LEASE_MS = 20 * SECOND_MS;
/** What a takeover may take beyond it. */
const RECOVERY_MS = LEASE_MS + 7 * SECOND_MS;
/** After that nothing will come any more. */
const HOPELESS_MS = 120 * SECOND_MS;
const EVENTS_MS = 90 * SECOND_MS;
const LOOK_EVERY_MS = 100;

/** What is drawn for a fault. */
interface Draw {
  /** A whole number of so many. */
  below(count: number): number;
  /** A duration between two, in milliseconds. */
  between(least: number, most: number): number;
  pick<T>(values: readonly T[]): T;
}

interface Scene {
  readonly members: readonly Member[];
  readonly bucket: Bucket;
  readonly draw: Draw;
}

/** Each does its fault and what belongs to it, and leaves everything running; answers what it was in words. */
type Fault = (scene: Scene) => Promise<string>;

/**
 * An instance that owns a sandbox, because a fault of one that owns none tests little. The bucket has a record for each object and for
 * each instance; where workerd writes them in another way, it is any instance.
 */
function anOwner({ members, bucket, draw }: Scene): Member {
  const json = (key: string): { node?: string; address?: string } => JSON.parse(bucket.text(key) ?? '{}');
  const keys = bucket.keys().sort();
  const owned = keys.filter((key) => key.endsWith('/own.json'));
  const { node } = owned.length === 0 ? {} : json(draw.pick(owned));
  const { address = '' } = json(keys.find((key) => key.endsWith(`/nodes/${node}.json`)) ?? '');
  return members.find(({ toPeers }) => address.endsWith(`:${toPeers.port}`)) ?? draw.pick(members);
}

const healthy = (bucket: Bucket): void => void Object.assign(bucket.faults, HEALTHY);

/** A cut of one instance that is longer than its lease. */
const cut =
  (what: 'bucket' | 'peers' | 'both', least: number, most: number): Fault =>
  async (scene) => {
    const { members, draw } = scene;
    const member = anOwner(scene);
    const others = members.filter((one) => one !== member);
    const ms = draw.between(least, most);
    const how = draw.pick(['late', 'broken'] as const);
    if (what !== 'peers') member.toBucket.cut();
    if (what !== 'bucket') {
      member.toPeers.cut();
      for (const other of others) other.toPeers.cut([member.pid()]);
    }
    await pause(ms);
    member.toBucket.heal(how);
    for (const one of members) one.toPeers.heal(how);
    return `${member.name} for ${seconds(ms)}, then what waited ${how === 'late' ? 'arrives late' : 'is lost'}`;
  };

/** The bucket has a bad time. */
const bucketFault =
  (faults: Partial<Bucket['faults']>, least: number, most: number): Fault =>
  async ({ bucket, draw }) => {
    const ms = draw.between(least, most);
    Object.assign(bucket.faults, faults);
    await pause(ms);
    healthy(bucket);
    return `for ${seconds(ms)}`;
  };

/** An instance loses its power, and perhaps its disk. */
const powerLoss =
  (losesDisk: boolean): Fault =>
  async (scene) => {
    const { draw } = scene;
    const member = anOwner(scene);
    const ms = draw.between(500, 24 * SECOND_MS);
    await member.kill();
    await pause(ms);
    if (losesDisk) member.wipe();
    member.start();
    return `${member.name} for ${seconds(ms)}`;
  };

export const FAULTS = {
  crash: async (scene) => {
    const member = anOwner(scene);
    member.crash();
    // Otherwise it would still count as ready.
    await pause(SECOND_MS);
    return member.name;
  },
  power: powerLoss(false),
  disk: powerLoss(true),
  pause: async (scene) => {
    const { draw } = scene;
    const member = anOwner(scene);
    const ms = draw.between(LEASE_MS + SECOND_MS, LEASE_MS + 10 * SECOND_MS);
    member.suspend();
    await pause(ms);
    member.resume();
    await pause(2 * SECOND_MS);
    return `${member.name} for ${seconds(ms)}`;
  },
  term: async (scene) => {
    const member = anOwner(scene);
    const code = await member.stop();
    member.start();
    if (code !== 0) throw new Error(`${member.name} ended with ${code} after SIGTERM`);
    return member.name;
  },
  'cut from the bucket': cut('bucket', LEASE_MS + SECOND_MS, LEASE_MS + 8 * SECOND_MS),
  'cut from the others': cut('peers', 4 * SECOND_MS, 12 * SECOND_MS),
  'cut from all': cut('both', LEASE_MS + SECOND_MS, LEASE_MS + 8 * SECOND_MS),
  'bucket slow': bucketFault({ slowMs: 800 }, 4 * SECOND_MS, 8 * SECOND_MS),
  'bucket 503': bucketFault({ refuses: 0.4 }, 4 * SECOND_MS, 8 * SECOND_MS),
  'bucket loses answers': bucketFault({ losesAnswer: 0.25 }, 4 * SECOND_MS, 8 * SECOND_MS),
  'bucket delivers late': bucketFault({ delivers: 0.15 }, 4 * SECOND_MS, 8 * SECOND_MS),
  clock: async (scene) => {
    const { draw } = scene;
    const member = anOwner(scene);
    const by = draw.pick([-15, -1, 1, 15]);
    await member.stop();
    member.start({ LD_PRELOAD: skewLibrary(), SKEW_SECONDS: String(by) });
    if (Math.abs(by) < MOST_SKEW_SECONDS) return `${member.name} by ${by} s`;
    // It sees that its clock is not that of the bucket, and takes no part.
    const code = await member.ended();
    member.start();
    if (code !== 1) throw new Error(`${member.name} ended with ${code} when its clock was off by ${by} s`);
    return `${member.name} by ${by} s, so that it took no part`;
  },
} satisfies Record<string, Fault>;
export type FaultName = keyof typeof FAULTS;

let library: string | undefined;

/** The library that moves a clock; `''` where there is no compiler. */
function skewLibrary(): string {
  if (library !== undefined) return library;
  const file = join(mkdtempSync(join(tmpdir(), 'sandbank-skew-')), 'skew.so');
  const source = fileURLToPath(new URL('skew.c', import.meta.url));
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', file, source, '-ldl'], {
    stdio: 'ignore',
  });
  library = status === 0 ? file : '';
  process.once('exit', () => rmSync(join(file, '..'), { recursive: true, force: true }));
  return library;
}

/** An instance whose clock is off by more leaves the cluster. */
const MOST_SKEW_SECONDS = 2;

/** Whether this machine can move the clock of one process. */
export const canSkew = (): boolean => process.platform === 'linux' && skewLibrary() !== '';

/** The kinds in the order in which each seed goes through them: every kind comes before one comes twice. */
export function planFaults(seed: number, count: number): FaultName[] {
  const { below } = drawOf(`plan ${seed}`);
  const names = (Object.keys(FAULTS) as FaultName[]).filter((name) => name !== 'clock' || canSkew());
  const plan: FaultName[] = [];
  while (plan.length < count) {
    const left = [...names];
    while (left.length > 0) plan.push(...left.splice(below(left.length), 1));
  }
  return plan.slice(0, count);
}

export interface ClusterTorture {
  readonly seed: number;
  readonly faults: readonly FaultName[];
  readonly sandboxes?: number;
  readonly line: (text: string) => void;
}

/** What happened at one fault. */
interface Struck {
  readonly name: FaultName;
  /** The longest gap of any sandbox. */
  readonly recoveryMs: number;
}

export interface Outcome extends Verdict {
  readonly struck: readonly Struck[];
  readonly failures: ReadonlyMap<number, number>;
}

/** A cluster with its surroundings, for one action. */
export interface Stage extends Scene {
  readonly receiver: Receiver;
  readonly sandboxes: readonly string[];
  readonly seeded: Map<string, Record<string, string>>;
  readonly random: () => number;
  /** What instances run from their next start on. */
  use(folder: string): void;
  /** Starts the clients, a few for each sandbox. */
  load(): Load;
  check(load: Load, limitMs?: number): Promise<Verdict>;
}

export interface StageOptions {
  readonly seed: string;
  readonly members: number;
  readonly sandboxes: number;
  readonly restMs: number;
  /** What the instances run; a fresh bundle unless given. */
  readonly folder?: (folder: string) => Promise<void>;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Bundles the worker with the configuration of an instance, as `sandbank cluster init` would write them. */
export async function writeInstance(folder: string): Promise<void> {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  copyFileSync(join(ROOT, 'deploy/cluster/instance.capnp'), join(folder, 'instance.capnp'));
  await bundleWorker(join(folder, 'worker.js'));
}

/** Opens a bucket, instances and a receiver, runs an action, and ends them. */
export async function onStage<T>(options: StageOptions, action: (stage: Stage) => Promise<T>): Promise<T> {
  const { seed, restMs } = options;
  const work = mkdtempSync(join(tmpdir(), 'sandbank-cluster-test-'));
  let folder = join(work, 'program');
  const draw = drawOf(seed);
  const bucket = await openBucket(draw.random);
  const receiver = await openReceiver();
  const members: Member[] = [];
  try {
    await (options.folder ?? writeInstance)(folder);
    const settings = { SANDBANK_RAILS: 'fast', SANDBANK_LOG_LEVEL: 'info', ...options.settings };
    for (let number = 0; number < options.members; number += 1) {
      const name = `instance-${number}`;
      members.push(await createMember({ name, folder: () => folder, disks: work, bucket, settings }));
    }
    for (const member of members) member.start();
    await allReady(members);
    const sandboxes = Array.from({ length: options.sandboxes }, (_, number) => `shop-${number}`);
    const seeded = new Map<string, Record<string, string>>();
    return await action({
      members,
      bucket,
      draw,
      receiver,
      sandboxes,
      seeded,
      random: draw.random,
      use(other) {
        folder = other;
      },
      load: () =>
        startLoad({
          urls: () => members.map(({ url }) => url),
          sandboxes,
          clients: 3,
          random: draw.random,
          seeded,
          restMs,
        }),
      check: (load, limitMs = EVENTS_MS) =>
        checkAll({
          url: members[0]?.url ?? '',
          sandboxes,
          seeded,
          load,
          receiver,
          limitMs,
        }),
    });
  } finally {
    await Promise.all(members.map((member) => member.kill()));
    for (const { toBucket, toPeers } of members) {
      toBucket.close();
      toPeers.close();
    }
    receiver.close();
    await bucket.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Makes the sandboxes, each through another instance, with a webhook that gets all of their events. */
export async function makeSandboxes({ members, sandboxes, seeded, receiver }: Stage): Promise<void> {
  for (const [place, name] of sandboxes.entries()) {
    const url = members[place % members.length]?.url;
    const headers = { 'api-key': `test_${name}`, 'content-type': 'application/json' };
    const first = await send(`${url}/_sandbox`, { headers });
    if (first.status !== 200) throw new Error(`${name} was not made: ${first.status} ${first.text}`);
    seeded.set(name, (JSON.parse(first.text) as { seeded: Record<string, string> }).seeded);
    const body = JSON.stringify({ api_version: 'v2', url: receiver.url + name, events: ['*'] });
    const webhook = await send(`${url}/_sandbox/webhooks`, { method: 'POST', headers, body });
    if (webhook.status !== 201) throw new Error(`no webhook for ${name}: ${webhook.text}`);
  }
}

/** Runs faults one after the other under load. */
export function tortureCluster(options: ClusterTorture): Promise<Outcome> {
  const { seed, faults, line, sandboxes = 6 } = options;
  return onStage({ seed: `faults ${seed}`, members: 3, sandboxes, restMs: 120 }, async (stage) => {
    const { members, draw } = stage;
    await makeSandboxes(stage);
    const load = stage.load();
    const findings: string[] = [];
    const struck: Struck[] = [];
    await load.allAnswer(HOPELESS_MS);
    for (const [place, name] of faults.entries()) {
      load.takeGaps();
      const words = await FAULTS[name](stage).catch((error: Error) => {
        findings.push(`failed: ${name}: ${error.message}`);
        return error.message;
      });
      const doAnswer = await load.allAnswer(HOPELESS_MS);
      const gaps = load.takeGaps();
      const worst = gaps.toSorted((a, b) => b.ms - a.ms)[0] ?? { sandbox: '', ms: 0 };
      struck.push({ name, recoveryMs: worst.ms });
      line(`${place + 1} ${name}: ${words}; longest gap ${seconds(worst.ms)}`);
      if (!doAnswer) findings.push(`silent: ${name} (${words}): a sandbox does not answer any more`);
      else if (worst.ms > RECOVERY_MS) {
        findings.push(`slow: ${worst.sandbox} answered again after ${seconds(worst.ms)}: ${name} (${words})`);
      }
      await allReady(members);
      await pause(draw.between(300, 2 * SECOND_MS));
    }
    if (!(await load.finish(HOPELESS_MS))) findings.push('silent: a client could not finish its payment');
    const verdict = await stage.check(load);
    return { ...verdict, findings: [...findings, ...verdict.findings], struck, failures: load.failures };
  });
}

interface Broken {
  readonly faults: Partial<Bucket['faults']>;
  /** How sandboxes lose their owner. */
  ownerEnds(members: readonly Member[], load: Load): Promise<void>;
}

/** So many payments are enough for a broken bucket to show, however fast the machine is. */
const SHOWING = 100;

/** Waits until so many more payments are acknowledged, or until a broken cluster had more than enough time for them. */
async function pays(load: Load, count: number): Promise<void> {
  const { acknowledged } = load;
  const enough = acknowledged.size + count;
  const deadline = performance.now() + RECOVERY_MS;
  while (acknowledged.size < enough && performance.now() < deadline) await pause(LOOK_EVERY_MS);
}

/** Broken buckets by their names. */
export const BROKEN = {
  'ignores conditions': {
    faults: { ignoresConditions: true },
    async ownerEnds(members, load) {
      await members[1]?.kill();
      // Both others see the lease expire, and take its sandboxes.
      await pause(RECOVERY_MS);
      await load.allAnswer(2 * RECOVERY_MS);
    },
  },
  forgets: {
    faults: { forgets: 0.3 },
    async ownerEnds(members) {
      await members[1]?.stop();
    },
  },
} satisfies Record<string, Broken>;

/**
 * A cluster whose bucket breaks its promises while sandboxes lose their owner: under load, so that the other instances claim the
 * same sandboxes at the same time, and read them from the bucket.
 */
export function tortureBroken(kind: keyof typeof BROKEN, seed: number): Promise<Verdict> {
  return onStage({ seed: `${kind} ${seed}`, members: 3, sandboxes: 9, restMs: 5 }, async (stage) => {
    const { members, bucket } = stage;
    const { faults, ownerEnds } = BROKEN[kind];
    await makeSandboxes(stage);
    const load = stage.load();
    await load.allAnswer(HOPELESS_MS);
    Object.assign(bucket.faults, faults);
    await pause(2 * SECOND_MS);
    await pays(load, SHOWING);
    await ownerEnds(members, load);
    await pays(load, SHOWING);
    healthy(bucket);
    await load.finish(5 * SECOND_MS);
    // Nothing that is missing will come.
    return stage.check(load, 2 * SECOND_MS);
  });
}

/**
 * A payment whose owner is lost before it settles, and for which nobody asks any more. Answers whether it was not settled when the owner
 * was lost, and whether the event of its settlement came.
 */
export function loseOwnerOfPayment(seed: number): Promise<{ wasOpen: boolean; isSettled: boolean }> {
  return onStage({ seed: `alarm ${seed}`, members: 2, sandboxes: 1, restMs: 0 }, async (stage) => {
    const { members, seeded, receiver } = stage;
    // Made through the first instance, which owns it.
    await makeSandboxes(stage);
    const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded.get('shop-0') ?? {};
    const description = 'lost-with-its-owner';
    const body = JSON.stringify({ sub_account_id, counterparty_id, amount: '1.00', description });
    const headers = { 'api-key': 'test_shop-0', 'content-type': 'application/json' };
    const paid = await send(`${members[0]?.url}/v2/payments/ach/pull`, { method: 'POST', headers, body });
    await members[0]?.kill();
    const wasOpen = paid.status === 201 && !receiver.settled.has(description);
    const deadline = performance.now() + HOPELESS_MS;
    while (!receiver.settled.has(description) && performance.now() < deadline) await pause(LOOK_EVERY_MS);
    return { wasOpen, isSettled: receiver.settled.has(description) };
  });
}

/** The response of another instance for a sandbox whose owner is lost. */
export interface Lost {
  readonly path: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/**
 * The requests that another instance refuses for a sandbox whose owner is lost, until it has taken the sandbox over: of each API version
 * and of the control plane. Throws if that never happens.
 */
export function askForLostSandbox(seed: number): Promise<Lost[]> {
  return onStage({ seed: `lost ${seed}`, members: 2, sandboxes: 1, restMs: 0 }, async (stage) => {
    const { members } = stage;
    await makeSandboxes(stage);
    await members[0]?.kill();
    const headers = { 'api-key': 'test_shop-0', 'sd-api-key': 'test_shop-0' };
    const ask = async (path: string): Promise<Lost> => {
      const response = await fetch(`${members[1]?.url}${path}`, { headers });
      const { status } = response;
      return { path, status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
    };
    const deadline = performance.now() + HOPELESS_MS;
    // At the same time, because a request to a lost owner takes a large part of the lease.
    const answers = await Promise.all(['/v2/webhook', '/v1/webhook', '/_sandbox/clock'].map(ask));
    while (answers.at(-1)?.status !== 200) {
      if (performance.now() > deadline) throw new Error('the lost sandbox is not taken over');
      await pause(LOOK_EVERY_MS);
      answers.push(await ask('/_sandbox/clock'));
    }
    return answers.filter(({ status }) => status !== 200);
  });
}

const seconds = (ms: number): string => `${(ms / SECOND_MS).toFixed(1)} s`;

function drawOf(seed: string): Draw & { random: () => number } {
  const sequence = createSequence(seed);
  const random = (): number => sequence.fraction();
  const below = (count: number): number => Math.floor(random() * count);
  return {
    random,
    below,
    between: (least, most) => least + random() * (most - least),
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
  };
}
