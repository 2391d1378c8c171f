// When requests wait for a webhook: while more deliveries than a bound are queued behind its next one, and its receiver accepts.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Courier, createCourier } from '../../src/delivery/courier.ts';
import type { SendResult } from '../../src/delivery/sender.ts';
import type { Webhook } from '../../src/model/records.ts';
import { deliveries, webhooks } from '../../src/model/tables.ts';
import { createOutbox, type Outbox } from '../../src/outbox/outbox.ts';
import { createQueue, type Queue } from '../../src/outbox/queue.ts';
import { createGroupCommit, type GroupCommit } from '../../src/store/group-commit.ts';
import { type Connection, openConnection } from '../../src/store/open.ts';
import { createRows } from '../../src/store/rows.ts';

const START = Date.parse('2026-11-20T18:14:04.750Z');
const KIND = 'counterparty.created';
const HOOK = '1'.padStart(32, '0');
const BOUND = 1_000;

let connection: Connection;
let outbox: Outbox;
let queue: Queue;
let group: GroupCommit;
let courier: Courier;
let wallNow: number;
let isOpen: boolean;
let held: (() => void)[];
let sent: string[];

beforeEach(() => {
  connection = openConnection({ kind: 'memory' });
  outbox = createOutbox(connection.db);
  queue = createQueue(connection.db);
  group = createGroupCommit(connection.sqlite, {
    afterBegin() {},
    beforeCommit() {},
    afterCommit: () => courier.wake(),
    afterUndo: () => outbox.clearWebhookCache(),
  });
  wallNow = START;
  isOpen = false;
  held = [];
  sent = [];
  courier = createCourier({
    queue,
    commit: group.run,
    send: ({ body }) => {
      sent.push(body);
      return new Promise<SendResult>((resolve) => {
        const answer = () => resolve({ status: 200, durationMs: 1, error: '', retryAfter: null });
        if (isOpen) answer();
        else held.push(answer);
      });
    },
    render: ({ seq }) => ({ id: `evt_${seq}`, body: String(seq) }),
    clock: { now: () => START },
    wallClock: { now: () => wallNow },
    random: () => 0.5,
    timers: null,
    concurrency: 1,
    behindAtMost: BOUND,
  });
  createRows(connection.db, webhooks).insert({
    id: HOOK,
    dialect: 'v2',
    url: 'http://127.0.0.1/1',
    description: '',
    events: [KIND],
    secret: 'secret',
    previousSecret: null,
    previousSecretUntil: null,
    madeAfterFact: 0,
    status: 'active',
    createdAt: START,
    updatedAt: START,
    deletedAt: null,
  });
});
afterEach(() => connection.close());

function publish(count: number): void {
  for (let made = 0; made < count; made += 1)
    outbox.publish({
      at: START,
      resource: 'counterparty',
      resourceId: String(made).padStart(32, '0'),
      change: 'created',
      kinds: { v1: [], v2: [KIND] },
      record: {} as never,
    });
}

function setStatus(status: Webhook['status']): void {
  const webhook = queue.webhook(HOOK) as Webhook;
  createRows(connection.db, webhooks).replace({ ...webhook, status });
  outbox.clearWebhookCache();
}

/** Publishes so many, and has the receiver accept one of them. */
async function queueUp(count: number): Promise<void> {
  publish(count);
  courier.wake();
  await expect.poll(() => held.length).toBe(1);
  held.shift()?.();
  await expect.poll(() => held.length).toBe(1);
}

test('a webhook with no more than the bound behind it holds nobody up', async () => {
  await queueUp(BOUND);
  expect(courier.isBehind()).toBe(false);
});

test('one with more does, until it has caught up, and each event is sent once and in order', async () => {
  await queueUp(3 * BOUND);
  expect(courier.isBehind()).toBe(true);
  isOpen = true;
  held.shift()?.();
  await expect.poll(() => courier.isBehind()).toBe(false);
  await courier.idle();
  await expect.poll(() => sent.length, { timeout: 10_000 }).toBe(3 * BOUND);
  expect(sent).toEqual(Array.from({ length: 3 * BOUND }, (_, n) => String(n + 1)));
  await courier.idle();
  const states = connection.db.select().from(deliveries).all();
  expect(states.filter(({ state }) => state !== 'delivered')).toEqual([]);
});

test('a receiver that has accepted nothing for a second holds nobody up', async () => {
  await queueUp(3 * BOUND);
  wallNow += 999;
  expect(courier.isBehind()).toBe(true);
  wallNow += 1;
  expect(courier.isBehind()).toBe(false);
});

test.each(['paused', 'deactivated', 'deleted'] as const)('a %s webhook holds nobody up', async (status) => {
  await queueUp(3 * BOUND);
  expect(courier.isBehind()).toBe(true);
  setStatus(status);
  expect(courier.isBehind()).toBe(false);
});

test('nor does a courier that was stopped', async () => {
  await queueUp(3 * BOUND);
  const stopped = courier.stop();
  expect(courier.isBehind()).toBe(false);
  held.shift()?.();
  await stopped;
});
