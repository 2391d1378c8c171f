/**
 * A minute of payments at full load with one v1 webhook for all kinds, whose receiver accepts everything. It measures
 * payments per second, compared with bare Fastify and with a bank without a webhook, the processor time per payment,
 * the dropped deliveries, and the time until the remaining deliveries have arrived. Every delivery must arrive.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { caseOf, requestOf } from './cases.ts';
import { type Place, startBank, startClient, startReceiver } from './children.ts';
import { cpuSeconds } from './proc.ts';
import { getJson, readBank } from './state.ts';
import { measureFloor } from './webhooks.ts';

export interface WebhookLoadFigures {
  readonly seconds: number;
  /** The storage of the banks. */
  readonly place: Place;
  /** The requests per second of bare Fastify, before and after. */
  readonly floors: readonly [number, number];
  readonly without: LoadRun;
  readonly with: LoadRun;
  /** Deliveries per second that arrived during the load. */
  readonly arrived: number;
  readonly waiting: number;
  readonly dropped: number;
  /** The time until no delivery was pending; `null` if it exceeded the limit of the bench. */
  readonly caughtUpInSeconds: number | null;
  readonly delivered: number;
  readonly received: number;
}

interface LoadRun {
  readonly payments: number;
  /** Processor time of the bank per payment, both threads, in microseconds. */
  readonly cpuMicros: number | null;
}

interface Webhooks {
  webhooks: { deliveries: { waiting: number; delivered: number; dropped: number } }[];
}

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
const LOOK_EVERY_MS = 2_000;
/** A longer load would exceed the gigabyte of a sandbox in memory. */
const IN_MEMORY_SECONDS = 15;
const CATCH_UP_AT_MOST_MS = 20 * 60_000;

/** Measures with a load of `seconds`, on banks in memory, or with files if it is long. */
export async function measureWebhookLoad(seconds: number): Promise<WebhookLoadFigures> {
  const payment = caseOf('intra');
  const client = startClient();
  const receiver = await startReceiver();
  const others = Math.min(seconds, 8);
  const place: Place = seconds > IN_MEMORY_SECONDS ? 'file' : 'memory';

  const load = async (bank: Awaited<ReturnType<typeof startBank>>, length: number): Promise<LoadRun> => {
    const { seeded } = await readBank(bank.url);
    const job = { ...requestOf(payment, seeded), port: bank.port, connections: CONNECTIONS };
    await client.run({ ...job, name: 'warm', seconds: WARM_UP_SECONDS });
    const before = cpuSeconds(bank.pid);
    const { answers, problem, seconds: took } = await client.run({ ...job, name: 'run', seconds: length });
    if (problem !== '') throw new Error(`payments with a webhook: ${problem}`);
    const after = cpuSeconds(bank.pid);
    const cpuMicros = before === null || after === null ? null : ((after - before) / answers) * 1e6;
    return { payments: answers / took, cpuMicros };
  };

  const floorBefore = await measureFloor(payment, client, others);
  const plain = await startBank(place);
  const without = await load(plain, others);
  await plain.stop();

  const bank = await startBank(place, { webhookUrl: `http://127.0.0.1:${receiver.port}/` });
  const begun = performance.now();
  const run = await load(bank, seconds);
  const arrived = ((await receiver.received()) / (performance.now() - begun)) * 1000;
  const { waiting } = await standOf(bank.url);
  const end = performance.now();
  let isDone = false;
  do {
    const { counts } = await getJson<{ counts: { waiting_deliveries: number } }>(bank.url, '/_sandbox');
    isDone = counts.waiting_deliveries === 0;
    if (!isDone) await sleep(LOOK_EVERY_MS);
  } while (!isDone && performance.now() - end < CATCH_UP_AT_MOST_MS);
  const caughtUpInSeconds = isDone ? (performance.now() - end) / 1000 : null;
  const { delivered, dropped } = await standOf(bank.url);
  const received = await receiver.received();
  await bank.stop();
  const floorAfter = await measureFloor(payment, client, others);
  await Promise.all([client.stop(), receiver.stop()]);
  return {
    seconds,
    place,
    floors: [floorBefore, floorAfter],
    without,
    with: run,
    arrived,
    waiting,
    dropped,
    caughtUpInSeconds,
    delivered,
    received,
  };
}

async function standOf(url: string): Promise<{ waiting: number; delivered: number; dropped: number }> {
  const { webhooks } = await getJson<Webhooks>(url, '/_sandbox/webhooks');
  const sum = (name: 'waiting' | 'delivered' | 'dropped'): number =>
    webhooks.reduce((total, { deliveries }) => total + deliveries[name], 0);
  return { waiting: sum('waiting'), delivered: sum('delivered'), dropped: sum('dropped') };
}
