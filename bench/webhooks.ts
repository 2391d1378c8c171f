/**
 * Payments while a webhook gets their events. It measures payments per second without and with the webhook, the
 * deliveries that arrive during the load, and the pending ones at the end; then the same at half of the full load.
 * Deliveries may be pending, but none may be dropped. The webhook is the seeded one: v1 with all kinds.
 */

import { type Case, caseOf, requestOf, sampleOf } from './cases.ts';
import { startBank, startClient, startFloor, startReceiver } from './children.ts';
import { cpuSeconds } from './proc.ts';
import { getJson, readBank } from './state.ts';

export interface WebhookFigures {
  /** The requests per second of bare Fastify in the same run. */
  readonly floor: number;
  readonly without: number;
  readonly full: DeliveryRun;
  readonly half: DeliveryRun;
}

/** One run with a webhook. */
interface DeliveryRun {
  readonly payments: number;
  readonly deliveries: number;
  /** The pending deliveries after the last payment. */
  readonly backlog: number;
  /** The dropped deliveries, although the receiver accepted everything. */
  readonly dropped: number;
  /** Processor time of the bank, both threads, in cores. */
  readonly busy: number | null;
}

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;

interface Webhooks {
  webhooks: { status: string; deliveries: { waiting: number; dropped: number } }[];
}

/** Runs each of the three for `seconds`, each on a separate bank in memory. */
export async function measureWebhooks(seconds: number): Promise<WebhookFigures> {
  const payment = caseOf('intra');
  const client = startClient();
  const receiver = await startReceiver();

  const run = async (hasWebhook: boolean, perSecond?: number): Promise<DeliveryRun> => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const bank = await startBank('memory', hasWebhook ? { webhookUrl: url } : {});
    const { seeded } = await readBank(bank.url);
    const load = (name: string, length: number) =>
      client.run({
        ...requestOf(payment, seeded),
        port: bank.port,
        name,
        connections: CONNECTIONS,
        seconds: length,
        ...(perSecond !== undefined && { perSecond }),
      });
    await load('warm', WARM_UP_SECONDS);
    const before = await receiver.received();
    const cpuBefore = cpuSeconds(bank.pid);
    const begun = performance.now();
    const { answers, problem, seconds: took } = await load('run', seconds);
    if (problem !== '') throw new Error(`payments with a webhook: ${problem}`);
    const arrived = (await receiver.received()) - before;
    const length = (performance.now() - begun) / 1000;
    const cpuAfter = cpuSeconds(bank.pid);
    const busy = cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / length;
    const { webhooks } = await getJson<Webhooks>(bank.url, '/_sandbox/webhooks');
    const backlog = webhooks.reduce((sum, { deliveries }) => sum + deliveries.waiting, 0);
    const dropped = webhooks.reduce((sum, { deliveries }) => sum + deliveries.dropped, 0);
    await bank.stop();
    return { payments: answers / took, deliveries: arrived / length, backlog, dropped, busy };
  };

  const floor = await measureFloor(payment, client, seconds);
  const { payments: without } = await run(false);
  const full = await run(true);
  const half = await run(true, without / 2);
  await Promise.all([client.stop(), receiver.stop()]);
  return { floor, without, full, half };
}

/** The same load on bare Fastify. */
export async function measureFloor(
  payment: Case,
  client: ReturnType<typeof startClient>,
  seconds: number,
): Promise<number> {
  const bank = await startBank('memory');
  const { seeded } = await readBank(bank.url);
  const floor = await startFloor({ [payment.name]: await sampleOf(payment, bank.url, seeded) });
  await bank.stop();
  const load = (length: number) =>
    client.run({
      ...requestOf(payment, seeded),
      port: floor.port,
      name: 'floor',
      connections: CONNECTIONS,
      seconds: length,
    });
  await load(WARM_UP_SECONDS);
  const { answers, seconds: took } = await load(seconds / 2);
  await floor.stop();
  return answers / took;
}
