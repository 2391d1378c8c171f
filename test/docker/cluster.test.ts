/**
 * The files of `sandbank cluster init` in containers: three instances and a bucket, under load, while containers are killed, paused for
 * longer than a lease, or disconnected from the network of the instances and the bucket. Weekly, because twenty faults take a
 * quarter of an hour.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSequence } from '../../src/bank/kernel/sequence.ts';
import { checkAll } from '../cluster/torture/checks.ts';
import { openReceiver, type Receiver, send, startLoad } from '../cluster/torture/load.ts';
import { ROOT, succeed } from '../package/support.ts';
import { makeFolder } from '../server/process/support.ts';
import { containerOf, docker, freshName, IMAGE, LABEL, tryDocker, until } from './engine.ts';

const CLUSTER_IMAGE = 'sandbank-cluster';
const INSTANCES = ['instance-0', 'instance-1', 'instance-2'] as const;
const SANDBOXES = ['shop-0', 'shop-1', 'shop-2', 'shop-3', 'shop-4', 'shop-5'];
const FAULTS = Number(process.env.SANDBANK_DOCKER_FAULTS ?? 20);
const LIMIT_MS = 40 * 60_000;
const LEASE_MS = 20_000;
/** After that nothing will come any more. */
const HOPELESS_MS = 180_000;
const EVENTS_MS = 120_000;
/** Both programs listen on loopback there: without a key of its own, a sandbox exists for its first request only on loopback. */
const RELAY = `const net = require('node:net');
for (const [from, to] of JSON.parse(process.argv[1])) net.createServer((near) => {
  const far = net.connect(to, '127.0.0.1');
  for (const socket of [near, far]) socket.on('error', () => {}).on('close', () => { near.destroy(); far.destroy(); });
  near.pipe(far).pipe(near);
}).listen(from, '0.0.0.0');`;

let receiver: Receiver;
/** Clients reach an instance by the first network, and instances each other and the bucket by the second one. */
const [front, back] = [freshName(), freshName()];
const names = new Map<string, string>();
const urls = new Map<string, string>();

beforeAll(async () => {
  receiver = await openReceiver('0.0.0.0', 'host.docker.internal');
  const folder = join(makeFolder(), 'cluster');
  await succeed(process.execPath, [join(ROOT, 'bin/sandbank.mjs'), 'cluster', 'init', folder], { cwd: ROOT });
  const words = ['build', '--network', 'host', '--quiet', '--build-arg', `SANDBANK_IMAGE=${IMAGE}`];
  await succeed('docker', [...words, '--tag', CLUSTER_IMAGE, folder], { cwd: ROOT, timeoutMs: 600_000 });
  for (const network of [front, back]) await docker('network', 'create', '--label', LABEL(), network);
  await start('bucket', [], [[9001, 9000]], 'sandbank cluster bucket');
  for (const name of INSTANCES) {
    const command = [
      'sandbank cluster instance --json --folder /cluster --data /data --bucket s3://sandbank/cluster',
      `--endpoint http://bucket:9001 --host 127.0.0.1 --peer-address ${name}:4801`,
    ].join(' ');
    await start(name, ['--publish', '127.0.0.1::4900'], [[4900, 4800]], command);
  }
  for (const name of INSTANCES) await isReady(name);
});

afterAll(async () => {
  receiver.close();
  for (const name of names.values()) await tryDocker('rm', '--force', '--volumes', name);
});

/** Starts a container whose loopback ports others reach by other ports. */
async function start(
  alias: string,
  options: string[],
  ports: [number, number][],
  command: string,
): Promise<void> {
  const name = freshName();
  names.set(alias, name);
  const own = ['--name', name, '--label', LABEL(), '--network', front, '--entrypoint', 'sh'];
  const settings = {
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    SANDBANK_SECRET_ROOT: 'the-root-of-the-secrets-of-a-cluster-in-a-test-0',
    SANDBANK_SANDBOXES: 'open',
    RELAY,
  };
  const variables = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const host = ['--add-host', 'host.docker.internal:host-gateway'];
  const script = `node -e "$RELAY" '${JSON.stringify(ports)}' & exec ${command}`;
  await docker('create', ...own, ...host, ...variables, ...options, CLUSTER_IMAGE, '-c', script);
  await docker('network', 'connect', '--alias', alias, back, name);
  await docker('start', name);
}

const nameOf = (alias: string): string => names.get(alias) ?? '';

/** Waits until it is ready, and learns the port at which this machine reaches it, which changes with each start. */
async function isReady(alias: string): Promise<void> {
  const name = nameOf(alias);
  await until(`${alias} to be ready`, async () => {
    const { code, stdout } = await tryDocker('port', name, '4900/tcp');
    if (code !== 0) throw new Error(`${alias} ended:\n${(await containerOf(name).logs()).slice(-2_000)}`);
    urls.set(alias, `http://${stdout.split('\n')[0]?.trim()}`);
    return (await send(`${urls.get(alias)}/readyz`, { signal: AbortSignal.timeout(5_000) })).status === 200;
  });
}

it(`${FAULTS} faults of containers lose and repeat no payment and no event`, {
  timeout: LIMIT_MS,
}, async () => {
  const seed = process.env.SANDBANK_TEST_SEED ?? '1';
  const sequence = createSequence(`containers ${seed}`);
  const random = (): number => sequence.fraction();
  const between = (least: number, most: number): number => least + random() * (most - least);
  const faults = {
    async kill(name: string) {
      await docker('kill', name);
      await pause(between(500, LEASE_MS / 2));
      await docker('start', name);
    },
    async pause(name: string) {
      await docker('pause', name);
      await pause(between(LEASE_MS + 1_000, LEASE_MS + 8_000));
      await docker('unpause', name);
    },
    async disconnect(name: string, alias: string) {
      await docker('network', 'disconnect', back, name);
      await pause(between(LEASE_MS + 1_000, LEASE_MS + 8_000));
      await docker('network', 'connect', '--alias', alias, back, name);
    },
  };
  const seeded = new Map<string, Record<string, string>>();
  for (const [place, sandbox] of SANDBOXES.entries()) {
    const url = urls.get(INSTANCES[place % INSTANCES.length] ?? '');
    const headers = { 'api-key': `test_${sandbox}`, 'content-type': 'application/json' };
    const first = await send(`${url}/_sandbox`, { headers });
    expect(first).toMatchObject({ status: 200 });
    seeded.set(sandbox, JSON.parse(first.text).seeded);
    const body = JSON.stringify({ api_version: 'v2', url: receiver.url + sandbox, events: ['*'] });
    const made = await send(`${url}/_sandbox/webhooks`, { method: 'POST', headers, body });
    expect(made).toMatchObject({ status: 201 });
  }
  const load = startLoad({
    urls: () => [...urls.values()],
    sandboxes: SANDBOXES,
    clients: 3,
    random,
    seeded,
    restMs: 150,
  });
  expect(await load.allAnswer(HOPELESS_MS), 'all sandboxes answer before the faults').toBe(true);
  const kinds = Object.keys(faults) as (keyof typeof faults)[];
  let alias = '';
  for (let number = 0; number < FAULTS; number += 1) {
    const kind = kinds[number % kinds.length] as keyof typeof faults;
    // The one of the last fault owns no sandbox any more, so a fault of it would test little.
    const others = INSTANCES.filter((one) => one !== alias);
    alias = others[Math.floor(random() * others.length)] ?? '';
    load.takeGaps();
    await faults[kind](nameOf(alias), alias);
    await isReady(alias);
    const doAnswer = await load.allAnswer(HOPELESS_MS);
    const longest = Math.max(...load.takeGaps().map(({ ms }) => ms));
    process.stdout.write(
      `${number + 1} ${kind} ${alias}: longest gap ${(longest / 1_000).toFixed(1)} s, ${load.acknowledged.size} payments\n`,
    );
    expect(doAnswer, `all sandboxes answer after ${kind} of ${alias}`).toBe(true);
  }
  expect(await load.finish(HOPELESS_MS), 'every client could finish its payment').toBe(true);
  const url = urls.get('instance-0') ?? '';
  const verdict = await checkAll({ url, sandboxes: SANDBOXES, seeded, load, receiver, limitMs: EVENTS_MS });
  expect(verdict).toMatchObject({ lost: 0, doubled: 0, findings: [] });
  // Otherwise the faults met no load.
  expect(verdict.acknowledged).toBeGreaterThan(20 * FAULTS);
});
