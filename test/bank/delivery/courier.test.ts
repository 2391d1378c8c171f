// The courier with a real database and a real group commit, a receiver of promises instead of the sender, and a clock
// that the test moves. No test waits for real time: it waits for requests or until the courier is idle.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Courier, type CourierDeps, createCourier } from '../../../src/bank/delivery/courier.ts';
import type { Outgoing, SendResult } from '../../../src/bank/delivery/sender.ts';
import type { Webhook } from '../../../src/bank/model/records.ts';
import { deliveries, webhooks } from '../../../src/bank/model/tables.ts';
import { createOutbox, type Outbox } from '../../../src/bank/outbox/outbox.ts';
import { createQueue, type Queue } from '../../../src/bank/outbox/queue.ts';
import {
  createGroupCommit,
  type GroupCommit,
  type GroupHooks,
} from '../../../src/bank/store/group-commit.ts';
import { type NodeConnection, openConnection } from '../../../src/bank/store/open.ts';
import { createRows } from '../../../src/bank/store/rows.ts';

const START = Date.parse('2026-11-20T18:14:04.750Z');
const WALL = Date.parse('2031-01-02T03:04:05.999Z');
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const KIND = 'counterparty.created';
/** As in a sandbox, the courier is woken after every commit, its own included. */
const HOOKS: GroupHooks = {
  markSequence: () => () => {},
  afterBegin() {},
  beforeCommit: () => queue.fill(),
  afterCommit: () => courier.wake(),
  afterUndo: () => outbox.clearWebhookCache(),
};
const id = (n: number) => String(n).padStart(32, '0');

interface Request extends Outgoing {
  answer(status: number | null, more?: Partial<SendResult>): void;
}

/** A receiver that responds with `answers`, or under control of the test if that returns `null`. */
function createReceiver() {
  const requests: Request[] = [];
  let watchers: { count: number; resolve: () => void }[] = [];
  const receiver = {
    requests,
    answers: (_: Outgoing): Partial<SendResult> | null => ({ status: 200 }),
    bodies: () => requests.map(({ body }) => body),
    /** Resolves with the last request when this many have arrived in total. */
    async arrived(count: number): Promise<Request> {
      if (requests.length < count) await new Promise<void>((resolve) => watchers.push({ count, resolve }));
      return requests[count - 1] as Request;
    },
    send: (outgoing: Outgoing) =>
      new Promise<SendResult>((resolve) => {
        const answer: Request['answer'] = (status, more) =>
          resolve({ status, durationMs: 7, error: '', retryAfter: null, ...more });
        requests.push({ ...outgoing, answer });
        const given = receiver.answers(outgoing);
        if (given !== null) answer(given.status ?? null, given);
        for (const watcher of watchers) if (requests.length >= watcher.count) watcher.resolve();
        watchers = watchers.filter(({ count }) => requests.length < count);
      }),
  };
  return receiver;
}

let connection: NodeConnection;
let outbox: Outbox;
let queue: Queue;
let group: GroupCommit;
let receiver: ReturnType<typeof createReceiver>;
let now: number;
let courier: Courier;

beforeEach(() => {
  connection = openConnection({ kind: 'memory' });
  outbox = createOutbox(connection.db);
  queue = createQueue(connection.db);
  group = createGroupCommit(connection.sqlite, HOOKS);
  receiver = createReceiver();
  now = START;
  courier = openCourier();
});
afterEach(() => connection.close());

function openCourier(changes: Partial<CourierDeps> = {}): Courier {
  return createCourier({
    queue,
    commit: group.run,
    send: receiver.send,
    render: ({ seq }, kind, ordinal, { id }) => ({
      id: `evt_${seq}_${ordinal}`,
      body: `${Number(id)}:${seq}:${kind}`,
    }),
    clock: { now: () => now },
    wallClock: { now: () => WALL },
    random: () => 0.5,
    timers: null,
    onDeactivated: (webhookId) => setStatus(webhookId, 'deactivated'),
    ...changes,
  });
}

function addWebhook(n: number, events: string[] = [KIND]): void {
  const row: Webhook = {
    id: id(n),
    apiVersion: 'v2',
    url: `http://127.0.0.1/${n}`,
    description: '',
    events,
    secret: `secret-${n}`,
    previousSecret: null,
    previousSecretUntil: null,
    madeAfterFact: 0,
    status: 'active',
    createdAt: START,
    updatedAt: START,
    deletedAt: null,
  };
  createRows(connection.db, webhooks).insert(row);
  outbox.clearWebhookCache();
}

function setStatus(webhookId: string, status: Webhook['status']): void {
  const webhook = queue.webhook(webhookId) as Webhook;
  createRows(connection.db, webhooks).replace({
    ...webhook,
    status,
    deletedAt: status === 'deleted' ? now : null,
  });
  outbox.clearWebhookCache();
}

function publish(count = 1, kinds: string[] = [KIND], about = 900): void {
  for (let made = 0; made < count; made += 1)
    outbox.publish({
      at: now,
      resource: 'counterparty',
      resourceId: id(about),
      change: 'created',
      kinds: { v1: [], v2: kinds },
      record: { id: id(900) } as never,
    });
  queue.fill();
}

/** Moves the clock, wakes the courier, and waits until it is idle. */
async function advanceTo(instant: number): Promise<void> {
  now = instant;
  courier.wake();
  await courier.idle();
}

/** As many turns of the event loop as a wrong courier would need to show its fault. */
async function letItRun(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const states = () =>
  connection.db
    .select()
    .from(deliveries)
    .all()
    .map(({ state }) => state);

const failing = (status = 500) => {
  receiver.answers = () => ({ status });
};

const byHand = () => {
  receiver.answers = () => null;
};

describe('first attempts', () => {
  test('of one webhook are sent one at a time, in the order of the facts', async () => {
    addWebhook(1);
    publish(3);
    byHand();
    courier.wake();
    for (const seq of [1, 2, 3]) {
      const request = await receiver.arrived(seq);
      await letItRun();
      courier.wake();
      expect(receiver.requests).toHaveLength(seq);
      expect(courier.inFlight()).toBe(1);
      expect(request.body).toBe(`1:${seq}:${KIND}`);
      request.answer(200);
    }
    await courier.idle();
    expect(courier.inFlight()).toBe(0);
    expect(states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('of one fact are sent in the order of its kinds, each as a separate event', async () => {
    const kinds = ['counterparty.created', 'counterparty.updated', 'counterparty.status.activated'];
    addWebhook(1, kinds);
    publish(1, kinds);
    await advanceTo(START);
    expect(receiver.bodies()).toEqual(kinds.map((kind) => `1:1:${kind}`));
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([
      'evt_1_0',
      'evt_1_1',
      'evt_1_2',
    ]);
  });

  test('of one webhook do not wait for another webhook', async () => {
    addWebhook(1);
    addWebhook(2);
    publish(3);
    receiver.answers = ({ url }) => (url.endsWith('/1') ? null : { status: 200 });
    courier.wake();
    await receiver.arrived(4);
    await letItRun();
    expect(receiver.bodies()).toEqual([`1:1:${KIND}`, `2:1:${KIND}`, `2:2:${KIND}`, `2:3:${KIND}`]);
    receiver.answers = () => ({ status: 200 });
    receiver.requests[0]?.answer(200);
    await courier.idle();
    expect(receiver.bodies().slice(4)).toEqual([`1:2:${KIND}`, `1:3:${KIND}`]);
  });

  test('continue with events that are published while one is in flight', async () => {
    addWebhook(1);
    publish();
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    publish();
    courier.wake();
    receiver.answers = () => ({ status: 200 });
    request.answer(200);
    await courier.idle();
    expect(states()).toEqual(['delivered', 'delivered']);
  });

  test('are recorded in their order, with their results', async () => {
    addWebhook(1);
    publish(2);
    receiver.answers = ({ body }) =>
      body.startsWith('1:1')
        ? { status: null, error: 'connect ECONNREFUSED', durationMs: 3 }
        : { status: 204 };
    await advanceTo(START);
    expect(queue.attempts(1)).toEqual([
      {
        deliverySeq: 1,
        number: 1,
        at: START,
        status: null,
        durationMs: 3,
        error: 'connect ECONNREFUSED',
        webhookId: id(1),
        kind: KIND,
        answerHeaders: '',
        answerBody: '',
      },
    ]);
    expect(queue.attempts(2)).toMatchObject([
      { number: 1, at: START, status: 204, durationMs: 7, error: '' },
    ]);
  });
});

describe('concurrent first attempts', () => {
  /** The number of the fact in a request. */
  const received = ({ body }: Outgoing) => Number(body.split(':')[1]);
  const publishApart = (count: number) => {
    for (let thing = 1; thing <= count; thing += 1) publish(1, [KIND], thing);
  };

  test('begin in the order of the facts up to the maximum, and each response makes room for one', async () => {
    courier = openCourier({ concurrency: 3 });
    addWebhook(1);
    publishApart(6);
    byHand();
    courier.wake();
    await letItRun();
    expect(receiver.requests.map(received)).toEqual([1, 2, 3]);
    receiver.requests[1]?.answer(200);
    await receiver.arrived(4);
    await letItRun();
    expect(receiver.requests.map(received)).toEqual([1, 2, 3, 4]);
    receiver.answers = () => ({ status: 200 });
    for (const { answer } of receiver.requests) answer(200);
    await courier.idle();
    expect(receiver.requests.map(received)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(states()).toEqual(Array(6).fill('delivered'));
  });

  test('are sequential with a maximum of one', async () => {
    courier = openCourier({ concurrency: 1 });
    addWebhook(1);
    publishApart(3);
    byHand();
    courier.wake();
    for (const count of [1, 2, 3]) {
      const request = await receiver.arrived(count);
      await letItRun();
      expect(receiver.requests).toHaveLength(count);
      request.answer(200);
    }
    await courier.idle();
    expect(receiver.requests.map(received)).toEqual([1, 2, 3]);
  });

  test('never include two events of one resource, and events of other resources overtake', async () => {
    addWebhook(1);
    for (const thing of [1, 1, 2, 1, 3]) publish(1, [KIND], thing);
    byHand();
    courier.wake();
    await letItRun();
    expect(receiver.requests.map(received)).toEqual([1, 3, 5]);
    receiver.requests[0]?.answer(200);
    const second = await receiver.arrived(4);
    await letItRun();
    expect(receiver.requests.map(received)).toEqual([1, 3, 5, 2]);
    second.answer(200);
    expect(received(await receiver.arrived(5))).toBe(4);
    for (const { answer } of receiver.requests) answer(200);
    await courier.idle();
    expect(states()).toEqual(Array(5).fill('delivered'));
  });

  describe('with a sender that preserves the order', () => {
    const chainsOf = () => receiver.requests.map(({ orderingKey }) => orderingKey);

    beforeEach(() => {
      courier = openCourier({ resourceConcurrency: 3, concurrency: 2 });
      addWebhook(1);
      byHand();
    });

    test('several events of one resource are passed on for a fast receiver, in order', async () => {
      for (const thing of [1, 1, 1, 1, 2, 3, 1]) publish(1, [KIND], thing);
      courier.wake();
      expect(receiver.requests.map(received)).toEqual([1, 5]);
      receiver.requests[0]?.answer(200);
      await receiver.arrived(5);
      await letItRun();
      // Three events of the first resource, which the sender sends sequentially; the third resource has to wait.
      expect(receiver.requests.map(received)).toEqual([1, 5, 2, 3, 4]);
      const chains = chainsOf();
      expect(new Set([0, 2, 3, 4].map((place) => chains[place])).size).toBe(1);
      expect(chains[1]).not.toBe(chains[0]);
      receiver.answers = () => ({ status: 200 });
      for (const { answer } of receiver.requests) answer(200);
      await courier.idle();
      expect(states()).toEqual(Array(7).fill('delivered'));
    });

    test.each([500, 'slowly'] as const)(
      'one event of a resource is passed on to a receiver that responds %s',
      async (how) => {
        publish(3, [KIND], 1);
        courier.wake();
        const [first] = receiver.requests;
        if (how === 'slowly') first?.answer(200, { durationMs: 51 });
        else first?.answer(how);
        await receiver.arrived(2);
        await letItRun();
        expect(receiver.requests.map(received)).toEqual([1, 2]);
        receiver.answers = () => ({ status: 200 });
        for (const { answer } of receiver.requests) answer(200);
        await courier.idle();
      },
    );
  });

  test('the next event of a resource is sent after one has failed: a retry delays nothing', async () => {
    addWebhook(1);
    publish(2);
    byHand();
    courier.wake();
    (await receiver.arrived(1)).answer(500);
    (await receiver.arrived(2)).answer(200);
    await courier.idle();
    expect(receiver.requests.map(received)).toEqual([1, 2]);
    expect(states()).toEqual(['waiting', 'delivered']);
  });

  test('begin in a turn without client commands, or after many of them', async () => {
    const turns: (() => void)[] = [];
    const turn = () => turns.splice(0).forEach((action) => void action());
    let hasCommands = true;
    courier = openCourier({
      concurrency: 9,
      nextTurn: (action) => void turns.push(action),
      hasCommands: () => hasCommands,
    });
    const sent = () => receiver.requests.length;
    addWebhook(1);
    byHand();
    publish(1, [KIND], 1);
    courier.wake(1);
    expect([sent(), turns.length]).toEqual([0, 1]);
    turn();
    courier.wake(20);
    expect([sent(), turns.length]).toEqual([0, 1]);
    hasCommands = false;
    turn();
    expect([sent(), turns.length]).toEqual([1, 0]);

    hasCommands = true;
    publish(1, [KIND], 2);
    courier.wake(104);
    turn();
    courier.wake(23);
    expect(sent()).toBe(1);
    courier.wake(1);
    expect(sent()).toBe(2);
    turn();
    expect([sent(), turns.length]).toEqual([2, 0]);

    publish(1, [KIND], 3);
    courier.wake(1);
    const idle = courier.idle();
    expect(sent()).toBe(3);
    publish(1, [KIND], 4);
    courier.wake(1);
    expect(sent()).toBe(4);
    receiver.answers = () => ({ status: 200 });
    for (const { answer } of receiver.requests) answer(200);
    await idle;
    expect(states()).toEqual(Array(4).fill('delivered'));
  });

  test('with responses in the same turn are recorded in one command', async () => {
    const commands: number[] = [];
    group = createGroupCommit(connection.sqlite, {
      ...HOOKS,
      afterCommit(count) {
        commands.push(count);
        courier.wake(count);
      },
    });
    courier = openCourier({ concurrency: 9 });
    addWebhook(1);
    byHand();
    publishApart(5);
    courier.wake();
    for (const { answer } of receiver.requests) answer(200);
    await courier.idle();
    expect([commands, states()]).toEqual([[1], Array(5).fill('delivered')]);
  });

  test('of a long queue arrive once each', async () => {
    addWebhook(1);
    for (let made = 0; made < 700; made += 1) publish(1, [KIND], made % 90);
    await advanceTo(START);
    expect(receiver.requests.map(received).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 700 }, (_, place) => place + 1),
    );
    for (let thing = 0; thing < 90; thing += 1) {
      const own = receiver.requests.map(received).filter((seq) => (seq - 1) % 90 === thing);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
    }
  });

  test('in flight are repeated after a kill, and no others', async () => {
    courier = openCourier({ concurrency: 3 });
    addWebhook(1);
    publishApart(6);
    byHand();
    courier.wake();
    (await receiver.arrived(3)).answer(200);
    await receiver.arrived(4);
    await letItRun();

    const image = connection.sqlite.serialize();
    connection.close();
    connection = openConnection({ kind: 'image', image });
    queue = createQueue(connection.db);
    group = createGroupCommit(connection.sqlite, HOOKS);
    receiver = createReceiver();
    courier = openCourier();
    await advanceTo(START);
    expect(receiver.requests.map(received)).toEqual([1, 2, 4, 5, 6]);
  });

  test('that were read ahead are not sent after they are dropped', async () => {
    courier = openCourier({ concurrency: 2 });
    addWebhook(1);
    publishApart(6);
    byHand();
    courier.wake();
    await receiver.arrived(2);
    await group.run(() => {
      setStatus(id(1), 'deactivated');
      queue.drop(id(1));
      // Within one commit, so the courier never sees it deactivated.
      setStatus(id(1), 'active');
      publish(1, [KIND], 70);
    });
    receiver.answers = () => ({ status: 200 });
    for (const { answer } of receiver.requests) answer(200);
    await courier.idle();
    expect(receiver.requests.map(received)).toEqual([1, 2, 7]);
  });

  test('end with a 410, and those in flight are still recorded', async () => {
    courier = openCourier({ concurrency: 3 });
    addWebhook(1);
    publishApart(6);
    byHand();
    courier.wake();
    await receiver.arrived(3);
    receiver.requests[0]?.answer(410);
    await letItRun();
    receiver.requests[1]?.answer(200);
    receiver.requests[2]?.answer(500);
    await courier.idle();
    expect(receiver.requests).toHaveLength(3);
    expect(states()).toEqual(['dropped', 'delivered', 'dropped', 'dropped', 'dropped', 'dropped']);
  });
});

describe('a receiver that does not respond', () => {
  test('has at most the maximum in flight, and does not delay other webhooks', async () => {
    courier = openCourier({ concurrency: 8 });
    for (const webhook of [1, 2, 3]) addWebhook(webhook);
    for (let thing = 1; thing <= 300; thing += 1) publish(1, [KIND], thing);
    receiver.answers = ({ url }) => (url.endsWith('/2') ? null : { status: 200 });
    courier.wake();
    await receiver.arrived(608);
    await letItRun();
    const to = (webhook: number) => receiver.requests.filter(({ url }) => url.endsWith(`/${webhook}`));
    expect([to(1).length, to(2).length, to(3).length]).toEqual([300, 8, 300]);
    courier.abandon();
  });
});

describe('a webhook that fails', () => {
  const DAY_MS = 24 * HOUR_MS;
  const logged: unknown[][] = [];
  let stored: Record<string, number> = {};
  beforeEach(() => {
    logged.length = 0;
    stored = {};
    courier = openFailing();
  });
  const openFailing = () =>
    openCourier({
      failing: { read: () => stored, keep: (all) => (stored = { ...all }) },
      log: (message, detail) => logged.push([message, detail.webhookId]),
    });
  /** Runs all retries up to an instant. */
  const runTo = async (instant: number) => {
    await advanceTo(now);
    for (let due = courier.nextDueAt(); due !== null && due <= instant; due = courier.nextDueAt()) {
      await advanceTo(due);
    }
    await advanceTo(instant);
  };

  test('for five days is deactivated when the next event is exhausted, and its queue is dropped', async () => {
    addWebhook(1);
    addWebhook(2);
    receiver.answers = ({ url }) => ({ status: url.endsWith('/1') ? 503 : 200 });
    for (let day = 0; day < 5; day += 1) {
      publish();
      await runTo(START + (day + 1) * DAY_MS);
    }
    expect(queue.webhook(id(1))?.status).toBe('active');
    expect(courier.failingSince(id(1))).toBe(START);
    expect(courier.failingSince(id(2))).toBeNull();
    // Also after a restart.
    courier = openFailing();
    publish(3);
    await runTo(START + 6 * DAY_MS);
    expect(queue.webhook(id(1))?.status).toBe('deactivated');
    expect(queue.webhook(id(2))?.status).toBe('active');
    expect(queue.waiting()).toEqual({ first: 0, retry: 0 });
    expect(logged).toEqual([
      ['a webhook was deactivated, because no delivery has succeeded for five days', id(1)],
    ]);
    expect(courier.failingSince(id(1))).toBeNull();

    setStatus(id(1), 'active');
    publish();
    await runTo(START + 7 * DAY_MS);
    expect(queue.webhook(id(1))?.status).toBe('active');
  });

  test('stays active if one delivery succeeds meanwhile', async () => {
    addWebhook(1);
    for (let day = 0; day < 8; day += 1) {
      failing(day === 4 ? 200 : 503);
      publish();
      await runTo(START + (day + 1) * DAY_MS - 1);
    }
    expect(queue.webhook(id(1))?.status).toBe('active');
    expect(courier.failingSince(id(1))).toBe(START + 5 * DAY_MS - 1);
  });

  test('gets no event that has waited for thirty days: it is dropped', async () => {
    addWebhook(1);
    publish(2);
    setStatus(id(1), 'paused');
    await advanceTo(START + 29 * DAY_MS);
    publish();
    setStatus(id(1), 'active');
    now = START;
    outbox.publish({
      at: START + 29 * DAY_MS,
      resource: 'counterparty',
      resourceId: id(5),
      change: 'created',
      kinds: { v1: [], v2: [KIND] },
      record: { id: id(5) } as never,
    });
    queue.fill();
    await advanceTo(START + 31 * DAY_MS);
    expect(states()).toEqual(['dropped', 'dropped', 'delivered']);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('a delivery request', () => {
  test("is sent to the webhook's URL, signed with its secret at the time of the real clock", async () => {
    addWebhook(7);
    publish();
    await advanceTo(START);
    expect(receiver.requests[0]).toMatchObject({
      url: 'http://127.0.0.1/7',
      body: `7:1:${KIND}`,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sandbank',
        'webhook-id': 'evt_1_0',
        'webhook-timestamp': String(Math.floor(WALL / SECOND_MS)),
        // printf '7:1:counterparty.created' | openssl dgst -sha256 -hmac secret-7
        'sd-webhook-sha256-signature': '303b507e589b07473058a1c547c4009974906863463095d9a0a342d92a710677',
      },
    });
  });

  test('has the same id and body in every attempt', async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    await advanceTo(START + 5 * SECOND_MS);
    expect(receiver.bodies()).toEqual([`1:1:${KIND}`, `1:1:${KIND}`]);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1_0', 'evt_1_0']);
  });

  test('that cannot be rendered is a failed attempt, and does not delay the next', async () => {
    courier = openCourier({
      render: ({ seq }) => {
        if (seq === 1) throw new Error('no view for this');
        return { id: `evt_${seq}`, body: '{}' };
      },
    });
    addWebhook(1);
    publish(2);
    await advanceTo(START);
    expect(queue.attempts(1)).toMatchObject([{ status: null, error: 'no view for this' }]);
    expect(states()).toEqual(['waiting', 'delivered']);
  });
});

describe('a delivery succeeds', () => {
  test.each([200, 201, 202, 204, 299])('with the status %i', async (status) => {
    addWebhook(1);
    publish();
    failing(status);
    await advanceTo(START);
    expect(states()).toEqual(['delivered']);
    expect(courier.nextDueAt()).toBeNull();
  });

  test.each([301, 302, 307, 400, 404, 429, 500, 503, null])('not with the status %s', async (status) => {
    addWebhook(1);
    publish();
    receiver.answers = () => ({ status });
    await advanceTo(START);
    expect(states()).toEqual(['waiting']);
    expect(courier.nextDueAt()).toBe(START + 5 * SECOND_MS);
  });

  test('and is then never sent again, neither after a wake nor by another courier after a restart', async () => {
    addWebhook(1);
    publish();
    await advanceTo(START);
    await advanceTo(START + 24 * HOUR_MS);
    courier = openCourier();
    await advanceTo(START + 48 * HOUR_MS);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('retries', () => {
  test("are due after 5 s, 30 s, 2 min, 10 min, 1 h and 6 h of the sandbox's clock, then the delivery is exhausted", async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    const waits: number[] = [];
    for (let due = courier.nextDueAt(); due !== null; due = courier.nextDueAt()) {
      waits.push((due - now) / SECOND_MS);
      await advanceTo(due - 1);
      expect(receiver.requests).toHaveLength(waits.length);
      await advanceTo(due);
      expect(receiver.requests).toHaveLength(waits.length + 1);
    }
    expect(waits).toEqual([5, 30, 120, 600, 3600, 21_600]);
    expect(states()).toEqual(['exhausted']);
    expect(queue.attempts(1).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await advanceTo(now + 48 * HOUR_MS);
    expect(receiver.requests).toHaveLength(7);
  });

  test('end with the first success', async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    receiver.answers = () => ({ status: 200 });
    await advanceTo(START + 5 * SECOND_MS);
    await advanceTo(START + 24 * HOUR_MS);
    expect(receiver.requests).toHaveLength(2);
    expect(states()).toEqual(['delivered']);
  });

  test('have a jitter that depends on the delivery and the attempt', async () => {
    const drawn: number[][] = [];
    courier = openCourier({
      random: (deliverySeq, attempt) => {
        drawn.push([deliverySeq, attempt]);
        return 0;
      },
    });
    addWebhook(1);
    publish(2);
    failing();
    await advanceTo(START);
    expect(courier.nextDueAt()).toBe(START + 4500);
    await advanceTo(START + 4500);
    expect(drawn.slice(0, 2)).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(drawn.slice(2).toSorted()).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('do not delay first attempts, and are not delayed by them', async () => {
    addWebhook(1);
    publish(2);
    receiver.answers = ({ body }) => ({ status: body.startsWith('1:1') ? 500 : 200 });
    await advanceTo(START);
    expect(states()).toEqual(['waiting', 'delivered']);

    byHand();
    now = START + 5 * SECOND_MS;
    publish(2);
    courier.wake();
    await receiver.arrived(4);
    await letItRun();
    expect(receiver.bodies().slice(2).toSorted()).toEqual([`1:1:${KIND}`, `1:3:${KIND}`]);
    receiver.requests.find(({ body }, place) => place > 1 && body.startsWith('1:3'))?.answer(200);
    const last = await receiver.arrived(5);
    expect(last.body).toBe(`1:4:${KIND}`);
    last.answer(200);
    receiver.requests.find(({ body }, place) => place > 1 && body.startsWith('1:1'))?.answer(200);
    await courier.idle();
    expect(states()).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
  });

  test('wait at least as long as Retry-After, and not longer', async () => {
    addWebhook(1);
    publish();
    receiver.answers = () => ({ status: 429, retryAfter: '90' });
    await advanceTo(START);
    expect(courier.nextDueAt()).toBe(START + 90 * SECOND_MS);
    receiver.answers = () => ({ status: 503, retryAfter: 'Thu, 02 Jan 2031 03:14:05 GMT' });
    await advanceTo(START + 90 * SECOND_MS);
    const requested = Date.parse('2031-01-02T03:14:05Z') - WALL;
    expect(courier.nextDueAt()).toBe(now + requested);
  });

  test('of one webhook never block those of another, however many there are', async () => {
    addWebhook(1);
    publish(200);
    failing();
    await advanceTo(START);
    addWebhook(2);
    setStatus(id(1), 'paused');
    publish(2);
    await advanceTo(START + 1);
    setStatus(id(1), 'active');

    byHand();
    now = START + 6 * SECOND_MS;
    const before = receiver.requests.length;
    courier.wake();
    await letItRun();
    const started = receiver.requests.slice(before);
    expect(started.filter(({ url }) => url.endsWith('/1'))).toHaveLength(16);
    expect(started.filter(({ url }) => url.endsWith('/2'))).toHaveLength(2);

    receiver.answers = () => ({ status: 200 });
    for (const request of started) request.answer(200);
    await courier.idle();
    expect(receiver.requests).toHaveLength(before + 202);
    expect(new Set(receiver.bodies().slice(before)).size).toBe(202);
    expect(queue.waiting()).toEqual({ first: 0, retry: 0 });
  });

  test('are the same after one advance of the clock and after two steps', async () => {
    const run = async (stops: number[]) => {
      connection.close();
      connection = openConnection({ kind: 'memory' });
      outbox = createOutbox(connection.db);
      queue = createQueue(connection.db);
      group = createGroupCommit(connection.sqlite, HOOKS);
      courier = openCourier();
      now = START;
      addWebhook(1);
      publish(2);
      failing();
      await advanceTo(START);
      for (const stop of stops) {
        for (let due = courier.nextDueAt(); due !== null && due <= stop; due = courier.nextDueAt())
          await advanceTo(due);
        await advanceTo(stop);
      }
      return [...queue.attempts(1), ...queue.attempts(2)];
    };
    const inOne = await run([START + HOUR_MS]);
    expect(inOne).toHaveLength(10);
    expect(await run([START + 20 * SECOND_MS, START + HOUR_MS])).toEqual(inOne);
  });
});

test('that fail because a fact cannot be read are reported, and the courier continues', async () => {
  const logged: string[] = [];
  courier = openCourier({ log: (message) => logged.push(message) });
  addWebhook(1);
  publish(100);
  failing();
  await advanceTo(START);
  connection.sqlite.exec("UPDATE facts SET record = '{'");
  publish();
  receiver.answers = () => ({ status: 200 });
  await advanceTo(START + 5 * SECOND_MS);
  expect(new Set(logged)).toEqual(new Set(['a delivery failed unexpectedly']));
  expect(states().at(-1)).toBe('delivered');
});

describe('the timer', () => {
  test('is set for the next retry, replaced when that changes, and removed by a stop', async () => {
    const set: { ms: number; fn: () => void; isCancelled: boolean }[] = [];
    const pending = () => set.filter(({ isCancelled }) => !isCancelled);
    courier = openCourier({
      timers: {
        set(ms, fn) {
          const timer = { ms, fn, isCancelled: false };
          set.push(timer);
          return () => {
            timer.isCancelled = true;
          };
        },
      },
    });
    addWebhook(1);
    publish();
    failing();
    courier.wake();
    expect(set).toEqual([]);
    await courier.idle();
    expect(pending().map(({ ms }) => ms)).toEqual([5 * SECOND_MS]);

    now += 5 * SECOND_MS;
    pending()[0]?.fn();
    await courier.idle();
    expect(receiver.requests).toHaveLength(2);
    expect(pending().map(({ ms }) => ms)).toEqual([30 * SECOND_MS]);

    await courier.stop();
    expect(pending()).toEqual([]);
    now += HOUR_MS;
    set.at(-1)?.fn();
    await courier.idle();
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('a response with 410', () => {
  test('deactivates the webhook and drops its queue', async () => {
    addWebhook(1);
    addWebhook(2);
    publish(3);
    receiver.answers = ({ url }) => ({ status: url.endsWith('/1') ? 410 : 200 });
    await advanceTo(START);
    expect(queue.webhook(id(1))?.status).toBe('deactivated');
    expect(queue.webhook(id(2))?.status).toBe('active');
    expect(receiver.requests.filter(({ url }) => url.endsWith('/1'))).toHaveLength(1);
    expect(states()).toEqual(['dropped', 'dropped', 'dropped', 'delivered', 'delivered', 'delivered']);
    expect(courier.nextDueAt()).toBeNull();
  });

  test('to a retry also drops the waiting first attempts', async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    byHand();
    now = START + 5 * SECOND_MS;
    courier.wake();
    const retry = await receiver.arrived(2);
    publish(2);
    retry.answer(410);
    await courier.idle();
    expect(states()).toEqual(['dropped', 'dropped', 'dropped']);
    courier.wake();
    await courier.idle();
    expect(receiver.requests).toHaveLength(2);
  });

  test('for a webhook that was deleted meanwhile leaves it deleted', async () => {
    addWebhook(1);
    publish();
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    setStatus(id(1), 'deleted');
    request.answer(410);
    await courier.idle();
    expect(queue.webhook(id(1))?.status).toBe('deleted');
    expect(states()).toEqual(['dropped']);
  });

  test('does not prevent later deliveries after the webhook is activated again', async () => {
    addWebhook(1);
    publish();
    failing(410);
    await advanceTo(START);
    setStatus(id(1), 'active');
    publish();
    receiver.answers = () => ({ status: 200 });
    await advanceTo(START);
    expect(states()).toEqual(['dropped', 'delivered']);
  });
});

describe('a webhook that is not active', () => {
  test('and paused keeps its first attempts and retries, which are sent when it is resumed', async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    publish(2);
    setStatus(id(1), 'paused');
    await advanceTo(START + HOUR_MS);
    expect(receiver.requests).toHaveLength(1);
    expect(queue.waiting()).toEqual({ first: 2, retry: 1 });
    expect(courier.nextDueAt()).toBeNull();

    setStatus(id(1), 'active');
    receiver.answers = () => ({ status: 200 });
    await advanceTo(START + HOUR_MS);
    expect(receiver.bodies().slice(1).toSorted()).toEqual([1, 2, 3].map((seq) => `1:${seq}:${KIND}`));
    expect(states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('and was paused while a delivery was in flight gets no other one', async () => {
    addWebhook(1);
    publish(2);
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    setStatus(id(1), 'paused');
    request.answer(200);
    await courier.idle();
    expect(receiver.requests).toHaveLength(1);
    expect(states()).toEqual(['delivered', 'waiting']);
  });

  test.each(['deleted', 'deactivated'] as const)('but %s gets nothing', async (status) => {
    addWebhook(1);
    publish(2);
    receiver.answers = ({ body }) => (body.startsWith('1:1') ? { status: 500 } : null);
    courier.wake();
    const second = await receiver.arrived(2);
    publish();
    setStatus(id(1), status);
    second.answer(200);
    await courier.idle();
    expect(states()).toEqual(['dropped', 'delivered', 'dropped']);
    await advanceTo(START + HOUR_MS);
    expect(receiver.requests).toHaveLength(2);
  });

  test('but deleted with only a retry left drops it when it is due', async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    setStatus(id(1), 'deleted');
    await advanceTo(START + 5 * SECOND_MS);
    expect(receiver.requests).toHaveLength(1);
    expect(states()).toEqual(['dropped']);
  });

  test('but dropped while a delivery is in flight stays dropped after its failure', async () => {
    addWebhook(1);
    publish();
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    await group.run(() => {
      setStatus(id(1), 'deleted');
      queue.drop(id(1));
    });
    request.answer(500);
    await courier.idle();
    expect(states()).toEqual(['dropped']);
    expect(courier.nextDueAt()).toBeNull();
    expect(queue.attempts(1)).toMatchObject([{ status: 500 }]);
  });
});

describe('a stop', () => {
  test('sends nothing more, and waits for what is in flight', async () => {
    addWebhook(1);
    publish(2);
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    const stopped = courier.stop();
    courier.wake();
    request.answer(200);
    await stopped;
    expect(receiver.requests).toHaveLength(1);
    expect(states()).toEqual(['delivered', 'waiting']);
  });

  test('leaves deliveries without a response at the deadline to the next courier', async () => {
    courier = openCourier({ stopDeadlineMs: 1 });
    addWebhook(1);
    publish();
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    await courier.stop();
    expect(states()).toEqual(['waiting']);
    request.answer(200);
    await courier.idle();
    expect(queue.attempts(1)).toEqual([]);

    courier = openCourier();
    receiver.answers = () => ({ status: 200 });
    await advanceTo(START);
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1_0', 'evt_1_0']);
    expect(states()).toEqual(['delivered']);
  });

  test('without deliveries in flight ends immediately', async () => {
    await expect(courier.stop()).resolves.toBeUndefined();
  });
});

describe('a courier that is abandoned', () => {
  test.each([
    ['a first attempt', 0],
    ['a retry', 1],
  ])('with %s in flight records nothing, logs nothing and does not use its database', async (_, failures) => {
    const logged: string[] = [];
    courier = openCourier({ log: (message) => logged.push(message) });
    addWebhook(1);
    publish(2);
    failing();
    if (failures === 1) await advanceTo(START);
    byHand();
    now += 5 * SECOND_MS;
    courier.wake();
    const request = await receiver.arrived(1 + 2 * failures);
    courier.abandon();
    connection.close();
    request.answer(200);
    for (const { answer } of receiver.requests) answer(200);
    await courier.idle();
    courier.wake();
    await letItRun();
    expect(logged).toEqual([]);
    connection = openConnection({ kind: 'memory' });
  });
});

describe('the report', () => {
  const reports: unknown[] = [];
  beforeEach(() => {
    reports.length = 0;
    courier = openCourier({
      onAttempt: (report, webhook) => reports.push({ ...report, webhook: webhook.id }),
    });
  });

  test('of each attempt follows its recording', async () => {
    const recorded: number[] = [];
    courier = openCourier({
      onAttempt: (report) => {
        reports.push(report);
        recorded.push(queue.attempts(1).length);
        expect(connection.sqlite.inTransaction).toBe(false);
      },
    });
    addWebhook(1);
    publish();
    receiver.answers = () => ({ status: null, error: 'connect ECONNREFUSED' });
    await advanceTo(START);
    receiver.answers = () => ({ status: 204 });
    await advanceTo(START + 5 * SECOND_MS);
    const one = { eventId: 'evt_1_0', kind: KIND };
    expect(reports).toEqual([
      { ...one, number: 1, status: null, error: 'connect ECONNREFUSED', state: 'waiting' },
      { ...one, number: 2, status: 204, error: '', state: 'delivered' },
    ]);
    expect(recorded).toEqual([1, 2]);
  });

  test('shows that the last retry has failed, and that a webhook was deactivated', async () => {
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    for (let due = courier.nextDueAt(); due !== null; due = courier.nextDueAt()) await advanceTo(due);
    expect(reports.at(-1)).toMatchObject({ number: 7, state: 'exhausted' });
    publish();
    failing(410);
    await advanceTo(now);
    expect(reports.at(-1)).toMatchObject({ number: 1, state: 'dropped', webhook: id(1) });
  });

  test('has the actual state of the delivery, even if it was dropped meanwhile', async () => {
    addWebhook(1);
    publish();
    byHand();
    courier.wake();
    const request = await receiver.arrived(1);
    await group.run(() => queue.drop(id(1)));
    request.answer(500);
    await courier.idle();
    expect(reports).toMatchObject([{ status: 500, state: 'dropped' }]);
  });

  test('does not affect deliveries if it throws', async () => {
    const logged: string[] = [];
    courier = openCourier({
      onAttempt: () => {
        throw new Error('nobody wants to know');
      },
      log: (message) => logged.push(message),
    });
    addWebhook(1);
    publish(2);
    await advanceTo(START);
    expect(states()).toEqual(['delivered', 'delivered']);
    expect(new Set(logged)).toEqual(new Set(['an attempt could not be reported']));
  });

  test('of an attempt that could not be rendered has no event id', async () => {
    courier = openCourier({
      render: () => {
        throw new Error('no view for this');
      },
      onAttempt: (report) => reports.push(report),
    });
    addWebhook(1);
    publish();
    await advanceTo(START);
    expect(reports).toMatchObject([{ eventId: '', error: 'no view for this', state: 'waiting' }]);
  });
});

test("requests have two signatures while the secrets of a rotation overlap on the sandbox's clock, else one", async () => {
  addWebhook(1);
  const { secret, ...webhook } = queue.webhook(id(1)) as Webhook;
  createRows(connection.db, webhooks).replace({
    ...webhook,
    secret: 'newer',
    previousSecret: secret,
    previousSecretUntil: START + HOUR_MS,
  });
  for (const instant of [START, START + HOUR_MS - 1, START + HOUR_MS]) {
    now = instant;
    publish();
    await advanceTo(instant);
  }
  const signatures = receiver.requests.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
  expect(signatures).toEqual([2, 2, 1]);
});

describe('an example', () => {
  test('bypasses the queue, is part of idle, and is neither recorded nor retried', async () => {
    addWebhook(1);
    byHand();
    const webhook = queue.webhook(id(1)) as Webhook;
    const outcome = courier.sendExample({ id: 'evt_example', body: '{}' }, webhook);
    const request = await receiver.arrived(1);
    expect(courier.inFlight()).toBe(1);
    expect(request.headers).toMatchObject({ 'webhook-id': 'evt_example', 'x-sandbox-example': 'true' });
    request.answer(500);
    expect(await outcome).toMatchObject({ status: 500 });
    await courier.idle();
    expect(states()).toEqual([]);
    expect(courier.nextDueAt()).toBeNull();
  });

  test('that cannot be sent returns the error', async () => {
    courier = openCourier({ send: () => Promise.reject(new Error('no worker')) });
    addWebhook(1);
    const webhook = queue.webhook(id(1)) as Webhook;
    expect(await courier.sendExample({ id: 'evt_example', body: '{}' }, webhook)).toMatchObject({
      status: null,
      error: expect.stringContaining('no worker'),
    });
  });
});

describe('a kill', () => {
  test('repeats only the deliveries that were in flight', async () => {
    addWebhook(1);
    publish(3);
    byHand();
    courier.wake();
    (await receiver.arrived(1)).answer(200);
    await receiver.arrived(2);
    await letItRun();

    const image = connection.sqlite.serialize();
    connection.close();
    connection = openConnection({ kind: 'image', image });
    queue = createQueue(connection.db);
    group = createGroupCommit(connection.sqlite, HOOKS);
    receiver = createReceiver();
    courier = openCourier();
    await advanceTo(START);
    expect(receiver.bodies()).toEqual([`1:2:${KIND}`, `1:3:${KIND}`]);
  });
});

describe('an attempt that cannot be recorded', () => {
  /** A commit that fails as a whole, or one of which only the command is rolled back. */
  const FAILURES: [string, CourierDeps['commit']][] = [
    ['with its group', () => Promise.reject(new Error('disk is full'))],
    [
      'alone',
      (command) =>
        group.run(() => {
          command();
          throw new Error('disk is full');
        }),
    ],
  ];

  test.each(FAILURES)('%s is logged, and repeated later in its place', async (_, fail) => {
    let isDiskFull = true;
    const logged: unknown[] = [];
    courier = openCourier({
      commit: (command) => (isDiskFull ? fail(command) : group.run(command)),
      log: (message, detail) => logged.push([message, detail]),
    });
    addWebhook(1);
    addWebhook(2);
    publish(3);
    courier.wake();
    await courier.idle();
    await letItRun();
    const sentInVain = receiver.requests.length;
    expect(sentInVain).toBeLessThanOrEqual(6);
    await letItRun();
    courier.wake();
    await courier.idle();
    expect(receiver.requests).toHaveLength(sentInVain);
    expect(logged[0]).toEqual([
      'a delivery could not be recorded',
      { webhookId: id(1), error: 'disk is full' },
    ]);
    expect(states()).toEqual(Array(6).fill('waiting'));
    expect(courier.nextDueAt()).toBe(START + 5 * SECOND_MS);

    isDiskFull = false;
    await advanceTo(START + 5 * SECOND_MS - 1);
    expect(receiver.requests).toHaveLength(sentInVain);
    await advanceTo(START + 5 * SECOND_MS);
    const again = receiver.bodies().slice(sentInVain);
    for (const webhook of [1, 2])
      expect(again.filter((body) => body.startsWith(`${webhook}:`))).toEqual(
        [1, 2, 3].map((seq) => `${webhook}:${seq}:${KIND}`),
      );
    expect(states()).toEqual(Array(6).fill('delivered'));
  });

  test.each(FAILURES)('%s is repeated if it was a retry', async (_, fail) => {
    let isDiskFull = false;
    courier = openCourier({
      commit: (command) => (isDiskFull ? fail(command) : group.run(command)),
    });
    addWebhook(1);
    publish();
    failing();
    await advanceTo(START);
    isDiskFull = true;
    await advanceTo(START + 5 * SECOND_MS);
    await letItRun();
    expect(receiver.requests).toHaveLength(2);
    isDiskFull = false;
    receiver.answers = () => ({ status: 200 });
    await advanceTo(START + 10 * SECOND_MS);
    expect(receiver.requests).toHaveLength(3);
    expect(states()).toEqual(['delivered']);
  });

  test('does not wait longer after the clock was set back', async () => {
    let isDiskFull = true;
    courier = openCourier({
      commit: (command) => (isDiskFull ? Promise.reject(new Error('disk is full')) : group.run(command)),
    });
    addWebhook(1);
    publish();
    await advanceTo(START);
    isDiskFull = false;
    await advanceTo(START - HOUR_MS);
    expect(states()).toEqual(['delivered']);
  });
});

test('a receiver can write to the bank while it handles a delivery', async () => {
  addWebhook(1);
  publish();
  let isFree: boolean | undefined;
  receiver.answers = ({ body }) => {
    if (body.startsWith('1:1')) {
      isFree = !connection.sqlite.inTransaction;
      publish();
    }
    return { status: 200 };
  };
  await advanceTo(START);
  expect(isFree).toBe(true);
  expect(states()).toEqual(['delivered', 'delivered']);
});
