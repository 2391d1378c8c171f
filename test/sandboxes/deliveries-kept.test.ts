// What becomes of deliveries that queue up by the hundred thousand: nothing is dropped while the receiver makes progress; one
// that accepts nothing for a minute has a bound, and whatever it costs is reported.

import { expect, test } from 'vitest';
import type { Outgoing, SendResult } from '../../src/delivery/sender.ts';
import type { Fact } from '../../src/model/facts.ts';
import { WAITING_AT_MOST } from '../../src/outbox/deliveries.ts';
import { DeliveryProblem } from '../../src/sandboxes/instance.ts';
import { openSandbox, type Sandbox } from '../../src/sandboxes/sandbox.ts';
import { SEEDED_SECRETS } from '../../src/sandboxes/secrets.ts';
import { person } from '../bank/parties.ts';
import { createHandClock, START, seededImage, smallFixture } from '../support/sandbox.ts';

const MINUTE_MS = 60_000;
const KIND = 'sub_account_holder.created';
const ACCEPTED: SendResult = { status: 200, durationMs: 1, error: '', retryAfter: null };

interface Scene {
  sandbox: Sandbox;
  webhookId: string;
  clock: ReturnType<typeof createHandClock>;
  logged: unknown[][];
  dropped: Record<string, number>;
  requests: Outgoing[];
  /** What was sent and has no response yet. */
  held: (() => void)[];
  publish(count: number): Promise<void>;
  counts(): Record<string, number>;
}

/** A sandbox with one webhook; what it sends is answered when the test says so. */
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
    sandbox.bank.webhooks.create({ dialect: 'v2', url: 'http://127.0.0.1/hook', events: [KIND] }),
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
        // A fact of so many kinds has as many deliveries, and is quicker to write than as many facts.
        const kinds = { v1: [], v2: Array<string>(1_000).fill(KIND) };
        await sandbox.commit(() => sandbox.outbox.publish({ ...fact, at: clock.now(), kinds }));
      }
    },
    counts: () => ({ ...sandbox.queue.counts().get(webhookId) }),
  };
}

/** The fact that such an event is about. */
function factOfKind({ outbox }: Sandbox): Fact {
  for (let seq = outbox.latestSeq(); seq > 0; seq -= 1) {
    const fact = outbox.fact(seq);
    if (fact?.kindsV2.includes(KIND)) return fact;
  }
  throw new Error('no such fact');
}

test('nothing is dropped while the receiver makes progress; one that accepts nothing has a bound, and drops are loud', async () => {
  const it = await scene();
  const { sandbox, webhookId, clock } = it;
  await it.publish(WAITING_AT_MOST + 3_000);
  it.held.shift()?.();
  await expect.poll(() => it.counts()).toMatchObject({ delivered: 1 });
  clock.advance(MINUTE_MS - 1);
  await it.publish(3_000);
  expect(it.counts()).toMatchObject({ dropped: 0, delivered: 1, waiting: WAITING_AT_MOST + 5_999 });
  expect([it.logged, it.dropped, sandbox.lastDroppedAt(webhookId)]).toEqual([[], {}, null]);

  clock.advance(1);
  await it.publish(2_000);
  const { dropped = 0, waiting = 0 } = it.counts();
  expect(waiting).toBeLessThanOrEqual(WAITING_AT_MOST + 1_000);
  expect(dropped + waiting).toBe(WAITING_AT_MOST + 7_999);
  expect(it.dropped).toEqual({ too_many: dropped });
  expect(it.logged).toEqual([
    [
      'deliveries were dropped: too many wait for a webhook that accepts nothing',
      webhookId,
      expect.any(Number),
    ],
  ]);
  expect(sandbox.lastDroppedAt(webhookId)).toBe(clock.now());

  // It accepts again, first what was in flight when its delivery was dropped. From here nothing is dropped.
  it.held.shift()?.();
  await expect.poll(() => it.counts().delivered).toBeGreaterThanOrEqual(2);
  await it.publish(3_000);
  expect(it.counts()).toMatchObject({ dropped: dropped - 1 });
  expect(it.counts().waiting).toBeGreaterThan(WAITING_AT_MOST + 1_000);
  await sandbox.commit(() => sandbox.bank.webhooks.remove(webhookId));
  expect(it.counts()).toMatchObject({ waiting: 0 });
  expect(it.dropped.webhook_ended).toBeGreaterThan(WAITING_AT_MOST);
  await sandbox.close();
}, 60_000);
