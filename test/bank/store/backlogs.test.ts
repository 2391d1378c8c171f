// Backlogs of webhooks: stored as parts of the log of facts, from which rows of deliveries are created in groups.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Webhook } from '../../../src/bank/model/records.ts';
import { backlogs, deliveries, webhooks } from '../../../src/bank/model/tables.ts';
import { createOutbox, type NewFact, type Outbox } from '../../../src/bank/outbox/outbox.ts';
import { createQueue, type Queue } from '../../../src/bank/outbox/queue.ts';
import { cachesOf } from '../../../src/bank/store/cache.ts';
import { migrate, stepsTo } from '../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { type NodeConnection, openConnection } from '../../../src/bank/store/open.ts';
import { createRows } from '../../../src/bank/store/rows.ts';

const AT = Date.parse('2026-11-20T18:14:04Z');
const id = (n: number) => String(n).padStart(32, '0');
const HOOK = id(1);
const CREATED = 'counterparty.created';
const UPDATED = 'counterparty.updated';
const KINDS = [CREATED, UPDATED];
/** A webhook never has more waiting rows: 512, and the rest of the facts that are read together. */
const ROWS_AT_MOST = 512 + 128 * KINDS.length;

let connection: NodeConnection;
let outbox: Outbox;
let queue: Queue;

beforeEach(() => {
  connection = openConnection({ kind: 'memory' });
  open();
});
afterEach(() => connection.close());

function open(): void {
  outbox = createOutbox(connection.db);
  queue = createQueue(connection.db);
}

function addWebhook(n = 1, changes: Partial<Webhook> = {}): void {
  createRows(connection.db, webhooks).insert({
    id: id(n),
    apiVersion: 'v2',
    url: 'http://127.0.0.1/hook',
    description: '',
    events: KINDS,
    secret: 'secret',
    previousSecret: null,
    previousSecretUntil: null,
    madeAfterFact: 0,
    status: 'active',
    createdAt: AT,
    updatedAt: AT,
    deletedAt: null,
    ...changes,
  });
  outbox.clearWebhookCache();
}

function change(changes: Partial<Webhook>): void {
  createRows(connection.db, webhooks).replace({ ...(queue.webhook(HOOK) as Webhook), ...changes });
  outbox.clearWebhookCache();
}

function publish(count: number, kinds: string[] = KINDS): void {
  for (let made = 0; made < count; made += 1) {
    outbox.publish({
      at: AT,
      resource: 'counterparty',
      resourceId: id(900),
      change: 'created',
      kinds: { v1: [], v2: kinds },
      record: { id: id(900) },
    } as unknown as NewFact);
  }
}

const rows = () => connection.db.select().from(deliveries).all();
const kept = () => connection.db.select().from(backlogs).all();
const counts = () => queue.counts().get(HOOK);

/** Delivers everything, including new events; returns the facts and kinds in order. */
function deliverAll(): string[] {
  const sent: string[] = [];
  for (;;) {
    queue.fill();
    const due = queue.firstsBehind(HOOK, 0, 100);
    if (due.length === 0) return sent;
    for (const { delivery } of due) {
      sent.push(`${delivery.factSeq} ${delivery.kind}`);
      const { seq: deliverySeq } = delivery;
      const attempt = { number: 1, at: AT, status: 200, durationMs: 1, error: '', dueAt: AT } as const;
      queue.record({ ...attempt, deliverySeq, state: 'delivered' });
    }
  }
}

test('publishing a fact writes no delivery: a long backlog has few rows, and all of it is counted', () => {
  addWebhook();
  publish(2_000);
  expect(rows()).toEqual([]);
  expect(queue.waiting()).toEqual({ first: 4_000, retry: 0 });
  queue.fill();
  const made = rows().length;
  expect(made).toBeGreaterThanOrEqual(512);
  expect(made).toBeLessThanOrEqual(ROWS_AT_MOST);
  queue.fill();
  expect(rows()).toHaveLength(made);
  expect(queue.waiting()).toEqual({ first: 4_000, retry: 0 });
  expect(counts()).toEqual({ waiting: 4_000, delivered: 0, exhausted: 0, dropped: 0 });
  publish(1);
  expect(queue.waiting().first).toBe(4_002);
});

test('deliveries are created in the order of the facts and of their kinds, each once', () => {
  addWebhook();
  publish(1_000);
  const expected = Array.from({ length: 1_000 }, (_, n) => KINDS.map((kind) => `${n + 1} ${kind}`)).flat();
  expect(deliverAll()).toEqual(expected);
  expect(counts()).toEqual({ waiting: 0, delivered: 2_000, exhausted: 0, dropped: 0 });
});

test('a change of the kinds applies from the next fact on, however many wait', () => {
  addWebhook(1, { events: [CREATED] });
  publish(1_000);
  queue.fill();
  change({ events: [UPDATED] });
  publish(2);
  expect(counts()).toMatchObject({ waiting: 1_002 });
  const sent = deliverAll();
  expect(sent).toHaveLength(1_002);
  expect(sent.slice(-3)).toEqual([`1000 ${CREATED}`, `1001 ${UPDATED}`, `1002 ${UPDATED}`]);
  expect(kept()).toHaveLength(1);
});

test('a paused webhook keeps waiting deliveries, gets no events meanwhile, and continues', () => {
  addWebhook(1, { events: [CREATED] });
  publish(1_000);
  queue.fill();
  change({ status: 'paused' });
  publish(500);
  queue.fill();
  expect(counts()).toMatchObject({ waiting: 1_000 });
  change({ status: 'active' });
  publish(1);
  const sent = deliverAll();
  expect(sent).toHaveLength(1_001);
  expect(sent.slice(-2)).toEqual([`1000 ${CREATED}`, `1501 ${CREATED}`]);
});

test('dropped deliveries are counted and shown as dropped, and never created; those of later facts are', () => {
  addWebhook(1, { events: [CREATED] });
  publish(1_000);
  queue.fill();
  const made = rows().length;
  change({ status: 'deactivated' });
  outbox.drop(HOOK);
  publish(5);
  queue.fill();
  expect(rows()).toHaveLength(made);
  expect(counts()).toEqual({ waiting: 0, delivered: 0, exhausted: 0, dropped: 1_000 });
  expect(queue.statesOf([1, 1_000, 1_001]).map(({ factSeq, state }) => [factSeq, state])).toEqual([
    [1, 'dropped'],
    [1_000, 'dropped'],
  ]);
  expect(queue.queuedFor(HOOK, 0, 1_005)).toEqual([]);
  change({ status: 'active' });
  publish(1);
  expect(deliverAll()).toEqual([`1006 ${CREATED}`]);
  outbox.drop(HOOK);
  expect(counts()).toMatchObject({ dropped: 1_000 });
});

test('a delivery without a row is shown like the others, and not queued twice by a replay', () => {
  addWebhook(1);
  addWebhook(2, { events: [UPDATED] });
  publish(700);
  queue.fill();
  const expected = [
    [700, id(1), 0, 'waiting'],
    [700, id(1), 1, 'waiting'],
    [700, id(2), 1, 'waiting'],
  ];
  expect(rows().some(({ factSeq }) => factSeq === 700)).toBe(false);
  expect(
    queue
      .statesOf([700])
      .map((state) => [
        state.factSeq,
        'webhookId' in state ? state.webhookId : '',
        state.ordinal,
        state.state,
      ]),
  ).toEqual(expected);
  expect(queue.queuedFor(id(2), 698, 700)).toMatchObject([
    { factSeq: 699, ordinal: 1 },
    { factSeq: 700, ordinal: 1 },
  ]);
});

test('a rollback restores the counts', () => {
  addWebhook();
  publish(1);
  expect(queue.waiting().first).toBe(2);
  connection.sqlite.exec('BEGIN; SAVEPOINT command');
  const undo = cachesOf(connection.sqlite).mark();
  change({ status: 'paused' });
  publish(1);
  connection.sqlite.exec('ROLLBACK TO command; RELEASE command');
  undo();
  outbox.clearWebhookCache();
  publish(1);
  expect(queue.waiting().first).toBe(4);
  connection.sqlite.exec('COMMIT');
  expect(deliverAll()).toHaveLength(4);
});

test('another process continues at the same position', () => {
  addWebhook(1, { events: [CREATED] });
  publish(1_500);
  queue.fill();
  const image = connection.image();
  connection.close();
  connection = openConnection({ kind: 'image', image });
  open();
  expect(counts()).toMatchObject({ waiting: 1_500 });
  expect(deliverAll()).toHaveLength(1_500);
});

test('a backlog without subscribed kinds creates no rows, and its position moves', () => {
  addWebhook(1, { events: [CREATED] });
  publish(2_500, [UPDATED]);
  queue.fill();
  expect([rows(), kept()]).toMatchObject([[], [{ afterFact: 2_500, upToFact: null }]]);
  publish(1);
  expect(deliverAll()).toEqual([`2501 ${CREATED}`]);
});

test('a bank of an earlier version, whose deliveries all have rows, gets those of the next facts', () => {
  const older = new NodeDriver(':memory:');
  migrate(older, stepsTo(8));
  older.exec(`INSERT INTO webhooks (id, dialect, url, description, events, secret, status, created_at, updated_at)
      VALUES ('${HOOK}', 'v2', 'http://127.0.0.1/', '', '["${CREATED}"]', 'secret', 'active', ${AT}, ${AT});
    INSERT INTO facts (at, resource, resource_id, change, kinds_v1, kinds_v2, record)
      VALUES (${AT}, 'counterparty', '${id(900)}', 'created', '', '${CREATED}', '{}');
    INSERT INTO deliveries (webhook_id, fact_seq, kind, ordinal, state, attempts, due_at)
      VALUES ('${HOOK}', 1, '${CREATED}', 0, 'waiting', 0, ${AT})`);
  connection.close();
  connection = openConnection({ kind: 'image', image: older.serialize() });
  open();
  publish(1);
  expect(deliverAll()).toEqual([`1 ${CREATED}`, `2 ${CREATED}`]);
});
