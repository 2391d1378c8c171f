// Hundreds of thousands of queued deliveries: they are kept until they are too old or their webhook ends, and drops
// are reported.

import { expect, test } from 'vitest';
import type { Outgoing, SendResult } from '../../../src/bank/delivery/sender.ts';
import type { Fact } from '../../../src/bank/model/facts.ts';
import { DeliveryProblem } from '../../../src/sandboxes/sandbox/instance.ts';
import { openSandbox, type Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { SEEDED_SECRETS } from '../../../src/sandboxes/sandbox/secrets.ts';
import { person } from '../../bank/verbs/parties.ts';
import { createHandClock, START, seededImage, smallFixture } from '../../support/sandbox.ts';

const MINUTE_MS = 60_000;
const MANY = 120_000;
const OLD = 6_000;
const KIND = 'sub_account_holder.created';
const ACCEPTED: SendResult = { status: 200, durationMs: 1, error: '', retryAfter: null };

interface Scene {
  sandbox: Sandbox;
  webhookId: string;
  clock: ReturnType<typeof createHandClock>;
  logged: unknown[][];
  dropped: Record<string, number>;
  requests: Outgoing[];
  /** Sent requests without a response yet. */
  held: (() => void)[];
  publish(count: number): Promise<void>;
  counts(): Record<string, number>;
}

/** A sandbox with one webhook, whose requests get responses under control of the test. */
async function scene(): Promise<Scene> {
  const clock = createHandClock(START);
  const logged: unknown[][] = [];
  const dropped: Record<string, number> = {};
  const requests: Outgoing[] = [];
  const held: (() => void)[] = [];
  const sandbox = openSandbox({
    name: 'test',
    place: { kind: 'image', image: seededImage('test', START) },
    rails: 'manual',
    clock,
    wallClock: clock,
    send: (outgoing) => {
      requests.push(outgoing);
      return new Promise((resolve) => held.push(() => resolve(ACCEPTED)));
    },
    secrets: SEEDED_SECRETS,
    seedSource: { seed: 'test', document: smallFixture(), webhookUrl: null },
    counters: {
      countState() {},
      countCommit() {},
      countDropped: (reason, count) => {
        dropped[reason] = (dropped[reason] ?? 0) + count;
      },
    },
    onError(error) {
      if (!(error instanceof DeliveryProblem)) throw error;
      logged.push([error.what, error.detail.webhookId, error.detail.count]);
    },
  });
  await sandbox.commit(() => sandbox.bank.holders.create({ person: person({ idNumber: '', phone: '' }) }));
  const { seq: _, kindsV1: _v1, kindsV2: _v2, moved: _moved, ...fact } = factOfKind(sandbox);
  const { id: webhookId } = await sandbox.commit(() =>
    sandbox.bank.webhooks.create({ apiVersion: 'v2', url: 'http://127.0.0.1/hook', events: [KIND] }),
  );
  return {
    sandbox,
    webhookId,
    clock,
    logged,
    dropped,
    requests,
    held,
    async publish(count) {
      for (let made = 0; made < count; made += 1_000) {
        // A fact with this many kinds has as many deliveries, and is faster to write than as many facts.
        const kinds = { v1: [], v2: Array<string>(1_000).fill(KIND) };
        await sandbox.commit(() => sandbox.outbox.publish({ ...fact, at: clock.now(), kinds }));
      }
    },
    counts: () => ({ ...sandbox.queue.counts().get(webhookId) }),
  };
}

/** The fact of such an event. */
function factOfKind({ outbox }: Sandbox): Fact {
  for (let seq = outbox.latestSeq(); seq > 0; seq -= 1) {
    const fact = outbox.fact(seq);
    if (fact?.kindsV2.includes(KIND)) return fact;
  }
  throw new Error('no such fact');
}

test('no first attempt is dropped, however many wait and whether the receiver stalls', async () => {
  const it = await scene();
  const { sandbox, webhookId, clock } = it;
  await it.publish(MANY);
  // Deliveries begin in a turn after the command.
  await expect.poll(() => it.held.length).toBeGreaterThan(0);
  it.held.shift()?.();
  await expect.poll(() => it.counts()).toMatchObject({ delivered: 1 });
  clock.advance(MINUTE_MS);
  expect(sandbox.courier?.isStalled(webhookId)).toBe(true);
  await it.publish(5_000);
  expect(it.counts()).toMatchObject({ dropped: 0, delivered: 1, waiting: MANY + 4_999 });
  expect([it.logged, it.dropped, sandbox.lastDroppedAt(webhookId)]).toEqual([[], {}, null]);

  // It accepts again, and receives what waited.
  it.held.shift()?.();
  await expect.poll(() => it.counts().delivered).toBeGreaterThanOrEqual(2);
  await sandbox.close();
});

test('the deliveries of a deleted webhook are dropped immediately, counted and dated', async () => {
  const it = await scene();
  const { sandbox, webhookId, clock } = it;
  await it.publish(MANY);
  await sandbox.commit(() => sandbox.bank.webhooks.remove(webhookId));
  expect(it.counts()).toEqual({ waiting: 0, delivered: 0, exhausted: 0, dropped: MANY });
  expect([it.logged, it.dropped]).toEqual([[], { webhook_ended: MANY }]);
  expect(sandbox.lastDroppedAt(webhookId)).toBe(clock.now());
  await it.publish(1_000);
  expect(it.counts()).toMatchObject({ waiting: 0, dropped: MANY });
  await sandbox.close();
});

test('a delivery that has waited for thirty days is dropped and logged', async () => {
  const it = await scene();
  const { sandbox, webhookId, clock } = it;
  await it.publish(OLD);
  await expect.poll(() => it.held.length).toBe(1);
  clock.advance(31 * 24 * 60 * MINUTE_MS);
  it.held.shift()?.();
  await expect.poll(() => it.counts().waiting).toBe(0);
  expect(it.counts()).toMatchObject({ delivered: 1, dropped: OLD - 1 });
  expect(it.dropped).toEqual({ too_old: OLD - 1 });
  expect(it.logged[0]).toEqual([
    'deliveries were dropped: they were pending for thirty days',
    webhookId,
    expect.any(Number),
  ]);
  await sandbox.close();
});
