// Delivery chaos in the courier of a whole sandbox, with the recorded sender of the test sandbox: the sent
// deliveries, their times on the sandbox's clock, and their attempts. No test waits for real time.

import { describe, expect, test } from 'vitest';
import { type ChaosSetting, createChaos } from '../../../src/bank/delivery/chaos.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { person } from '../verbs/parties.ts';

const SECOND_MS = 1_000;
const KIND = 'sub_account_holder.created';

interface Scene extends TestSandbox {
  webhookId: string;
  /** Publishes this many events, each in a separate commit, and waits until the deliveries are sent. */
  publish(count: number): Promise<void>;
  /** The numbers of the sent events, in order, from 1. */
  left(): number[];
  states(): Record<string, number>;
  settle(ms?: number): Promise<void>;
}

async function scene(setting?: Partial<ChaosSetting>): Promise<Scene> {
  const bench = openTestSandbox();
  const { sandbox, run, sent, clock } = bench;
  const webhook = await run(({ webhooks }) =>
    webhooks.create({ apiVersion: 'v2', url: 'http://127.0.0.1/hook', events: [KIND] }),
  );
  if (setting !== undefined) {
    const whole = { on: {}, delayMs: 30 * SECOND_MS, shuffleSize: 0, seed: 'seed', ...setting };
    sandbox.courier?.setChaos(webhook.id, createChaos(whole));
  }
  const numbers = new Map<string, number>();
  const settle = async (ms = 0) => {
    clock.advance(ms);
    sandbox.courier?.wake();
    await sandbox.courier?.idle();
  };
  return {
    ...bench,
    webhookId: webhook.id,
    settle,
    async publish(count) {
      for (let made = 0; made < count; made += 1) {
        const { holder } = await run(({ holders }) =>
          holders.create({ person: person({ idNumber: '', phone: '' }) }),
        );
        numbers.set(holder.id, numbers.size + 1);
        await settle();
      }
    },
    left: () => sent.map(({ body }) => numbers.get(JSON.parse(body).data.id.slice(4)) ?? 0),
    states: () => ({ ...sandbox.queue.counts().get(webhook.id) }),
  };
}

const header = ({ sent }: Scene, name: string) => sent.map(({ headers }) => headers[name]);
const errors = ({ sandbox }: Scene) =>
  sandbox.queue
    .attempts(sandbox.outbox.latestSeq())
    .map(({ number, status, error }) => ({ number, status, error }));

test('without chaos every delivery is sent once, in order', async () => {
  const it = await scene();
  await it.publish(3);
  expect(it.left()).toEqual([1, 2, 3]);
});

describe('a duplicated event', () => {
  test('is sent twice, and recorded as one attempt', async () => {
    const it = await scene({ on: { duplicate: { every: 2 } } });
    await it.publish(4);
    expect(it.left()).toEqual([1, 2, 2, 3, 4, 4]);
    expect(it.sent[1]).toEqual(it.sent[2]);
    expect(errors(it)).toEqual([{ number: 1, status: 200, error: 'chaos: duplicate' }]);
    expect(it.states()).toMatchObject({ delivered: 4 });
    await it.publish(1);
    expect(errors(it)).toEqual([{ number: 1, status: 200, error: '' }]);
  });
});

describe('a dropped event', () => {
  test('is reported as delivered and never sent, and its attempt shows that it was dropped', async () => {
    const it = await scene({ on: { drop: { skipFirst: 1, times: 2 } } });
    await it.publish(3);
    expect(it.left()).toEqual([1]);
    expect(it.states()).toMatchObject({ delivered: 3, waiting: 0 });
    expect(errors(it)).toEqual([{ number: 1, status: 200, error: 'chaos: drop' }]);
    await it.publish(1);
    expect(it.left()).toEqual([1, 4]);
  });
});

describe('a delayed event', () => {
  test("is overtaken by others, and sent at its time on the sandbox's clock", async () => {
    const it = await scene({ on: { delay: { times: 1 } } });
    await it.publish(3);
    expect(it.left()).toEqual([2, 3]);
    expect(it.sandbox.courier?.nextDueAt()).toBe(START + 30 * SECOND_MS);
    await it.settle(30 * SECOND_MS - 1);
    expect(it.left()).toEqual([2, 3]);
    await it.settle(1);
    expect(it.left()).toEqual([2, 3, 1]);
    expect(it.states()).toMatchObject({ delivered: 3 });
  });

  test('gets the other effects when it is sent', async () => {
    const it = await scene({ on: { delay: {}, duplicate: {} } });
    await it.publish(1);
    expect(it.left()).toEqual([]);
    await it.settle(30 * SECOND_MS);
    expect(it.left()).toEqual([1, 1]);
    expect(errors(it)).toEqual([
      { number: 1, status: null, error: 'chaos: delay' },
      { number: 2, status: 200, error: 'chaos: duplicate' },
    ]);
  });

  test('is also sent after a restart', async () => {
    const it = await scene({ on: { delay: {} } });
    await it.publish(1);
    it.sandbox.replaceWith(it.sandbox.image());
    await it.settle(30 * SECOND_MS);
    expect(it.left()).toEqual([1]);
  });
});

describe('a signature', () => {
  test('that is invalid has the right form, and is valid in the retry', async () => {
    const good = await scene();
    const bad = await scene({ on: { bad_signature: { times: 1 } } });
    for (const it of [good, bad]) await it.publish(2);
    expect(bad.sent.map(({ body }) => body)).toEqual(good.sent.map(({ body }) => body));
    for (const name of ['sd-webhook-sha256-signature', 'webhook-signature']) {
      const [first, second] = header(bad, name);
      expect(first).not.toBe(header(good, name)[0]);
      expect(first).toHaveLength(String(header(good, name)[0]).length);
      expect(second).toBe(header(good, name)[1]);
    }
  });

  test('that is stale was valid an hour ago', async () => {
    const it = await scene({ on: { stale_timestamp: { times: 1 } } });
    await it.publish(2);
    const [first, second] = header(it, 'webhook-timestamp').map(Number);
    expect(second).toBe(START / SECOND_MS);
    expect(first).toBe(START / SECOND_MS - 3600);
  });
});

describe('shuffled first attempts', () => {
  test('wait for a full window, and are sent in another, reproducible order', async () => {
    const orders = [];
    for (let time = 0; time < 2; time += 1) {
      const it = await scene({ shuffleSize: 4 });
      await it.publish(3);
      expect(it.left()).toEqual([]);
      await it.publish(5);
      expect(it.left()).toHaveLength(8);
      expect(it.left()).not.toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(it.left().slice(0, 4).toSorted()).toEqual([1, 2, 3, 4]);
      orders.push(it.left());
    }
    expect(orders[0]).toEqual(orders[1]);
  });

  test('are sent after one second of the clock if the window is not full', async () => {
    const it = await scene({ shuffleSize: 5 });
    await it.publish(2);
    expect(it.sandbox.courier?.nextDueAt()).toBe(START + SECOND_MS);
    await it.settle(SECOND_MS - 1);
    expect(it.left()).toEqual([]);
    await it.settle(1);
    expect(it.left()).toEqual([2, 1]);
    expect(it.sandbox.courier?.nextDueAt()).toBeNull();
  });

  test('are sent when they are flushed, and later ones wait again', async () => {
    const it = await scene({ shuffleSize: 5 });
    await it.publish(3);
    expect(it.sandbox.courier?.flushShuffled()).toBe(true);
    await it.sandbox.courier?.idle();
    expect(it.left().toSorted()).toEqual([1, 2, 3]);
    expect(it.sandbox.courier?.flushShuffled()).toBe(false);
    await it.publish(1);
    expect(it.left()).toHaveLength(3);
  });

  test('are sent in order when chaos is removed', async () => {
    const it = await scene({ shuffleSize: 5 });
    await it.publish(3);
    it.sandbox.courier?.setChaos(it.webhookId, null);
    it.sandbox.courier?.wake();
    await it.sandbox.courier?.idle();
    expect(it.left()).toEqual([1, 2, 3]);
    expect(it.sandbox.courier?.nextDueAt()).toBeNull();
  });

  test('of a paused webhook do not delay other webhooks', async () => {
    const it = await scene({ shuffleSize: 5 });
    await it.publish(1);
    await it.run(({ webhooks }) => webhooks.change(it.webhookId, { status: 'paused' }));
    expect(it.sandbox.courier?.nextDueAt()).toBeNull();
    await it.settle(2 * SECOND_MS);
    expect(it.left()).toEqual([]);
    await it.run(({ webhooks }) => webhooks.change(it.webhookId, { status: 'active' }));
    await it.settle();
    expect(it.left()).toEqual([1]);
  });
});

test('chaos of one webhook does not affect others, and ends with the bank', async () => {
  const it = await scene({ on: { drop: {} } });
  const other = await it.run(({ webhooks }) =>
    webhooks.create({ apiVersion: 'v2', url: 'http://127.0.0.1/other', events: [KIND] }),
  );
  await it.publish(1);
  expect(it.sent.map(({ url }) => url)).toEqual([other.url]);
  it.sandbox.replaceWith(it.sandbox.image());
  expect(it.sandbox.courier?.chaosOf(it.webhookId)).toBeUndefined();
  await it.sandbox.commit(() =>
    it.sandbox.bank.holders.create({ person: person({ idNumber: '', phone: '' }) }),
  );
  await it.settle();
  expect(it.sent).toHaveLength(3);
});
