// The outbox with a real database: the deliveries of a fact, and rollbacks of facts.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Webhook } from '../../../src/bank/model/records.ts';
import { deliveries, facts, webhooks } from '../../../src/bank/model/tables.ts';
import { createDeliveryWrites } from '../../../src/bank/outbox/deliveries.ts';
import type { FactFilter } from '../../../src/bank/outbox/fact-log.ts';
import { createOutbox, type NewFact, type Outbox } from '../../../src/bank/outbox/outbox.ts';
import { createQueue } from '../../../src/bank/outbox/queue.ts';
import { type Connection, openConnection } from '../../../src/bank/store/open.ts';
import { createRows } from '../../../src/bank/store/rows.ts';

const AT = Date.parse('2026-11-20T18:14:04Z');
const id = (n: number) => String(n).padStart(32, '0');

const FACT: NewFact = {
  at: AT,
  resource: 'counterparty',
  resourceId: id(900),
  change: 'created',
  kinds: {
    v1: ['contact.created'],
    v2: ['counterparty.created', 'counterparty.updated', 'counterparty.status.activated'],
  },
  record: { id: id(900), name: 'Zoë’s "shop"' } as never,
};

const ALL_V2 = [...FACT.kinds.v2];

let connection: Connection;
let outbox: Outbox;

beforeEach(() => {
  connection = openConnection({ kind: 'memory' });
  outbox = createOutbox(connection.db);
});
afterEach(() => connection.close());

function addWebhook(n: number, changes: Partial<Webhook> = {}): Webhook {
  const webhook: Webhook = {
    id: id(n),
    apiVersion: 'v2',
    url: 'http://127.0.0.1/hook',
    description: '',
    events: ALL_V2,
    secret: 'secret',
    previousSecret: null,
    previousSecretUntil: null,
    madeAfterFact: 0,
    status: 'active',
    createdAt: AT,
    updatedAt: AT,
    deletedAt: null,
    ...changes,
  };
  createRows(connection.db, webhooks).insert(webhook);
  return webhook;
}

/** The deliveries, created like before a commit. */
const madeDeliveries = () => {
  createQueue(connection.db).fill();
  return connection.db.select().from(deliveries).all();
};
/** Publishes a fact with its deliveries. */
const publish = () => {
  outbox.publish(FACT);
  createQueue(connection.db).fill();
};
const queued = () =>
  madeDeliveries().map(({ webhookId, factSeq, kind, ordinal }) => [
    Number(webhookId),
    factSeq,
    kind,
    ordinal,
  ]);

describe('a fact', () => {
  test('is stored as it was published, with the kinds of both versions', () => {
    const seq = outbox.publish(FACT);
    const { kinds, ...rest } = FACT;
    expect(outbox.fact(seq)).toEqual({ seq, ...rest, kindsV1: kinds.v1, kindsV2: kinds.v2, moved: null });
  });

  test('of a payment has the moved amount, in cents with its sign', () => {
    const seq = outbox.publish({ ...FACT, moved: -1_250 });
    expect(outbox.fact(seq)?.moved).toBe(-1_250);
  });

  test('may have no kind', () => {
    const seq = outbox.publish({ ...FACT, kinds: { v1: [], v2: [] } });
    expect(outbox.fact(seq)).toMatchObject({ kindsV1: [], kindsV2: [] });
  });

  test('has the next number', () => {
    expect(outbox.latestSeq()).toBe(0);
    expect([outbox.publish(FACT), outbox.publish(FACT)]).toEqual([1, 2]);
    expect(outbox.latestSeq()).toBe(2);
  });

  test('that was rolled back does not exist', () => {
    expect(outbox.fact(1)).toBeUndefined();
  });
});

describe('deliveries', () => {
  test('do not exist without a webhook', () => {
    outbox.publish(FACT);
    expect(queued()).toEqual([]);
  });

  test('exist for each subscribed kind, in the order of the kinds', () => {
    addWebhook(1, { events: ['counterparty.status.activated', 'card.created', 'counterparty.created'] });
    outbox.publish(FACT);
    expect(queued()).toEqual([
      [1, 1, 'counterparty.created', 0],
      [1, 1, 'counterparty.status.activated', 2],
    ]);
  });

  test('are due from the instant of the fact on', () => {
    addWebhook(1, { events: ['counterparty.created'] });
    outbox.publish(FACT);
    expect(madeDeliveries()).toEqual([
      {
        seq: 1,
        webhookId: id(1),
        factSeq: 1,
        kind: 'counterparty.created',
        ordinal: 0,
        state: 'waiting',
        attempts: 0,
        dueAt: AT,
        lastStatus: null,
      },
    ]);
  });

  test('exist for webhooks of both versions, each with its own kinds', () => {
    addWebhook(1, { events: ['counterparty.created', 'contact.created'] });
    addWebhook(2, { apiVersion: 'v1', events: ['counterparty.created', 'contact.created'] });
    outbox.publish(FACT);
    expect(queued()).toEqual([
      [1, 1, 'counterparty.created', 0],
      [2, 1, 'contact.created', 0],
    ]);
  });

  test.each(['paused', 'deactivated', 'deleted'] as const)(
    'do not exist for a webhook that is %s',
    (status) => {
      addWebhook(1, { status, deletedAt: status === 'deleted' ? AT : null });
      outbox.publish(FACT);
      expect(queued()).toEqual([]);
    },
  );
});

describe('the webhook cache', () => {
  const pause = (webhook: Webhook) =>
    createRows(connection.db, webhooks).replace({ ...webhook, status: 'paused' });

  test('is read again after a change is announced', () => {
    outbox.publish(FACT);
    const webhook = addWebhook(1, { events: ['counterparty.created'] });
    outbox.clearWebhookCache();
    outbox.publish(FACT);
    pause(webhook);
    outbox.clearWebhookCache();
    outbox.publish(FACT);
    expect(queued()).toEqual([[1, 2, 'counterparty.created', 0]]);
  });

  test('is correct after an announced creation that was rolled back', () => {
    connection.sqlite.exec('BEGIN; SAVEPOINT command');
    addWebhook(1);
    outbox.clearWebhookCache();
    outbox.publish(FACT);
    connection.sqlite.exec('ROLLBACK TO command; RELEASE command');
    outbox.clearWebhookCache();
    outbox.publish(FACT);
    connection.sqlite.exec('COMMIT');
    expect(queued()).toEqual([]);
    expect(outbox.latestSeq()).toBe(1);
  });

  test('is correct after an announced pause that was rolled back', () => {
    const webhook = addWebhook(1, { events: ['counterparty.created'] });
    connection.sqlite.exec('BEGIN');
    pause(webhook);
    outbox.clearWebhookCache();
    outbox.publish(FACT);
    connection.sqlite.exec('ROLLBACK');
    outbox.clearWebhookCache();
    outbox.publish(FACT);
    expect(queued()).toEqual([[1, 1, 'counterparty.created', 0]]);
  });
});

test('a fact that was rolled back leaves neither a record nor a delivery', () => {
  addWebhook(1);
  connection.sqlite.exec('BEGIN');
  outbox.publish(FACT);
  connection.sqlite.exec('ROLLBACK');
  expect(connection.db.select().from(facts).all()).toEqual([]);
  expect(queued()).toEqual([]);
});

describe('deliveries above the maximum', () => {
  const DELIVERY = { webhookId: id(1), factSeq: 1, kind: 'counterparty.created', ordinal: 0, dueAt: AT };

  /** Adds this many waiting retries, with a limit of 300; returns the numbers of drops. */
  const planRetries = (count: number, isStalled: boolean) => {
    const received: number[] = [];
    const rules = {
      isStalled: () => isStalled,
      onDrop: (_: string, dropped: number) => void received.push(dropped),
    };
    const queue = createQueue(connection.db);
    const { add, countRetry } = createDeliveryWrites(connection.db, rules, 300);
    outbox.publish(FACT);
    addWebhook(1);
    for (let made = 0; made < count; made += 1) {
      const deliverySeq = add(DELIVERY);
      queue.record({
        deliverySeq,
        number: 1,
        at: AT,
        status: 500,
        durationMs: 1,
        error: '',
        state: 'waiting',
        dueAt: AT + 5_000,
      });
      countRetry(id(1));
    }
    return { received, waiting: queue.waiting() };
  };

  test('that wait for a retry are dropped, the oldest first, and counted', () => {
    expect(planRetries(1_000, true)).toEqual({ received: [700], waiting: { first: 0, retry: 300 } });
    const states = connection.db.select().from(deliveries).all();
    expect(states.map(({ state }) => state)).toEqual([
      ...Array<string>(700).fill('dropped'),
      ...Array<string>(300).fill('waiting'),
    ]);
  });

  test('that wait for a retry are kept while the receiver makes progress, or has no attempts', () => {
    expect(planRetries(2_000, false)).toEqual({ received: [], waiting: { first: 0, retry: 2_000 } });
  });
});

describe('a retry', () => {
  test('of a paused webhook is not due, and continues when it is resumed; others move with the clock', () => {
    const paused = addWebhook(1, { events: ['counterparty.created'] });
    addWebhook(2, { events: ['counterparty.created'] });
    const queue = createQueue(connection.db);
    publish();
    const attempt = { number: 1, at: AT, status: 503, durationMs: 1, error: '', state: 'waiting' } as const;
    for (const deliverySeq of [1, 2]) queue.record({ ...attempt, deliverySeq, dueAt: AT + 10 });
    createRows(connection.db, webhooks).replace({ ...paused, status: 'paused' });
    expect(queue.retriesDue(AT + 9, 10, [])).toEqual([]);
    expect(queue.retriesDue(AT + 10, 10, [])).toEqual([{ seq: 2, webhookId: id(2) }]);
    expect(queue.retriesDue(AT + 10, 10, [id(2)])).toEqual([]);
    createRows(connection.db, webhooks).replace(paused);
    expect(queue.retriesDue(AT + 10, 10, []).map(({ seq }) => seq)).toEqual([1, 2]);
    queue.shiftRetries(5);
    expect([queue.retriesDue(AT + 14, 10, []).length, queue.nextRetryAt(AT)]).toEqual([0, AT + 15]);
  });

  test('that is due first is the next, whichever event is older', () => {
    addWebhook(1);
    const queue = createQueue(connection.db);
    publish();
    for (const [deliverySeq, dueAt] of [
      [1, AT + 20],
      [2, AT + 10],
      [3, AT + 15],
    ] as const) {
      const attempt = { number: 1, at: AT, status: 503, durationMs: 1, error: '', state: 'waiting' } as const;
      queue.record({ ...attempt, deliverySeq, dueAt });
    }
    expect([AT, AT + 10, AT + 15, AT + 20].map((after) => queue.nextRetryAt(after))).toEqual([
      AT + 10,
      AT + 15,
      AT + 20,
      null,
    ]);
  });
});

describe('the queue', () => {
  const settled = { number: 1, at: AT, status: 500, durationMs: 3, error: '' } as const;

  test('counts waiting deliveries', () => {
    const queue = createQueue(connection.db);
    addWebhook(1);
    publish();
    expect(queue.waiting()).toEqual({ first: 3, retry: 0 });
    queue.record({ ...settled, deliverySeq: 1, state: 'waiting', dueAt: AT + 5000 });
    queue.record({ ...settled, deliverySeq: 2, status: 200, state: 'delivered', dueAt: AT });
    expect(queue.waiting()).toEqual({ first: 1, retry: 1 });
    queue.drop(id(1));
    expect(queue.waiting()).toEqual({ first: 0, retry: 0 });
  });

  test('lists the attempts of a fact', () => {
    const queue = createQueue(connection.db);
    addWebhook(1, { events: ['counterparty.created'] });
    publish();
    publish();
    queue.record({ ...settled, deliverySeq: 1, state: 'waiting', dueAt: AT + 5000 });
    queue.record({
      deliverySeq: 1,
      number: 2,
      at: AT + 5000,
      status: null,
      durationMs: 9,
      error: 'connect ECONNREFUSED',
      state: 'waiting',
      dueAt: AT + 35_000,
    });
    expect(queue.attempts(1)).toMatchObject([
      { ...settled, deliverySeq: 1, webhookId: id(1), kind: 'counterparty.created' },
      {
        deliverySeq: 1,
        number: 2,
        at: AT + 5000,
        status: null,
        durationMs: 9,
        error: 'connect ECONNREFUSED',
        webhookId: id(1),
        kind: 'counterparty.created',
      },
    ]);
    expect(queue.attempts(2)).toEqual([]);
  });

  test('lists the deliveries of facts with the version of their webhooks', () => {
    const queue = createQueue(connection.db);
    addWebhook(1, { events: ['counterparty.created'] });
    addWebhook(2, { apiVersion: 'v1', events: ['contact.created'] });
    for (let made = 0; made < 3; made += 1) publish();
    const seen = queue
      .deliveriesOf([1, 3])
      .map(({ seq, factSeq, webhookId, apiVersion }) => [seq, factSeq, Number(webhookId), apiVersion]);
    expect(seen).toEqual([
      [1, 1, 1, 'v2'],
      [2, 1, 2, 'v1'],
      [5, 3, 1, 'v2'],
      [6, 3, 2, 'v1'],
    ]);
    expect(queue.deliveriesOf([])).toEqual([]);
  });

  test('knows which facts have a delivery for a webhook', () => {
    const queue = createQueue(connection.db);
    addWebhook(1, { events: ['counterparty.created', 'counterparty.status.activated'] });
    addWebhook(2, { events: ['counterparty.created'] });
    publish();
    publish();
    queue.record({ ...settled, deliverySeq: 1, status: 200, state: 'delivered', dueAt: AT });
    queue.record({ ...settled, deliverySeq: 2, state: 'exhausted', dueAt: AT });
    expect(queue.queuedFor(id(1), 0, 1)).toEqual([{ factSeq: 1, ordinal: 0 }]);
    expect(queue.queuedFor(id(1), 1, 9)).toEqual([
      { factSeq: 2, ordinal: 0 },
      { factSeq: 2, ordinal: 2 },
    ]);
  });

  test('adds a delivery at the end', () => {
    const queue = createQueue(connection.db);
    addWebhook(1, { events: ['counterparty.created'] });
    publish();
    publish();
    const delivery = { webhookId: id(1), factSeq: 1, kind: 'counterparty.created', ordinal: 0, dueAt: AT };
    expect(queue.add(delivery)).toBe(3);
    expect(queue.firstsWaiting(id(1), 2)).toEqual([1, 2]);
    expect(queue.firstsWaiting(id(1), 9)).toEqual([1, 2, 3]);
    expect(queue.firstsBehind(id(1), 2, 1)).toMatchObject([{ delivery: { seq: 3 }, fact: { seq: 1 } }]);
  });

  test('counts the deliveries of each webhook by state', () => {
    const queue = createQueue(connection.db);
    addWebhook(1, { events: ['counterparty.created'] });
    addWebhook(2);
    publish();
    expect(queue.record({ ...settled, deliverySeq: 1, status: 200, state: 'delivered', dueAt: AT })).toBe(
      'delivered',
    );
    queue.drop(id(2));
    expect(queue.counts()).toEqual(
      new Map([
        [id(1), { waiting: 0, delivered: 1, exhausted: 0, dropped: 0 }],
        [id(2), { waiting: 0, delivered: 0, exhausted: 0, dropped: 3 }],
      ]),
    );
    expect(queue.record({ ...settled, deliverySeq: 2, state: 'waiting', dueAt: AT })).toBe('dropped');
  });

  test('finds the deliveries of a fact by an index', () => {
    const plan = connection.sqlite
      .prepare(
        'EXPLAIN QUERY PLAN SELECT * FROM deliveries WHERE fact_seq IN (SELECT value FROM json_each(?))',
      )
      .all('[1]') as { detail: string }[];
    expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX deliveries_of_fact');
  });
});

describe('the event log', () => {
  const stretch = { after: 0, upTo: 99, newestFirst: false, limit: 99 };
  const seqs = (filter: FactFilter, part: Partial<typeof stretch> = {}) =>
    outbox.factsIn({ ...stretch, ...part }, filter).map(({ seq }) => seq);
  beforeEach(() => {
    outbox.publish(FACT);
    outbox.publish({
      ...FACT,
      at: AT + 1,
      resource: 'card',
      kinds: { v1: [], v2: ['card.updated'] },
    } as NewFact);
    outbox.publish({ ...FACT, at: AT + 2, resourceId: id(901), kinds: { v1: ['card.updated'], v2: [] } });
    outbox.publish({ ...FACT, at: AT + 3, kinds: { v1: [], v2: [] } });
  });

  test('of a record is read from an index, without the facts of transactions', () => {
    const of = FACT.resourceId;
    outbox.publish({ ...FACT, resource: 'transaction', kinds: { v1: [], v2: ['card.updated'] } } as NewFact);
    expect(outbox.factsOfRecord(of).map(({ seq, resource }) => [seq, resource])).toEqual([
      [1, 'counterparty'],
      [2, 'card'],
      [4, 'counterparty'],
    ]);
    const plan = connection.sqlite
      .prepare("EXPLAIN QUERY PLAN SELECT * FROM facts WHERE resource <> 'transaction' AND resource_id = ?")
      .all(of) as { detail: string }[];
    expect(plan.map(({ detail }) => detail).join()).toContain('USING INDEX facts_of_records');
  });

  test('is read in either direction, from any position, with a limit', () => {
    expect(seqs({})).toEqual([1, 2, 3]);
    expect(seqs({}, { newestFirst: true })).toEqual([3, 2, 1]);
    expect(seqs({}, { newestFirst: true, limit: 2 })).toEqual([3, 2]);
    expect(seqs({}, { after: 1, upTo: 2 })).toEqual([2]);
  });

  test.each<[FactFilter, number[]]>([
    [{ resource: 'card' }, [2]],
    [{ resourceId: id(901) }, [3]],
    [{ resource: 'card', resourceId: id(901) }, []],
    [{ kind: 'card.updated' }, [2, 3]],
    [{ kind: 'card.updated', version: 'v1' }, [3]],
    [{ kind: 'counterparty.status.*' }, [1]],
    [{ kind: 'counterparty.update' }, []],
    [{ kind: 'updated' }, []],
    [{ version: 'v2' }, [1, 2]],
    [{ from: AT + 1 }, [2, 3]],
    [{ from: AT + 1, until: AT + 1 }, [2]],
  ])('has what is wanted by %j', (filter, expected) => {
    expect(seqs(filter)).toEqual(expected);
  });
});

test('the newest number is correct after an announced rollback', () => {
  outbox.publish(FACT);
  connection.sqlite.exec('BEGIN');
  outbox.publish(FACT);
  expect(outbox.latestSeq()).toBe(2);
  connection.sqlite.exec('ROLLBACK');
  outbox.clearWebhookCache();
  expect(outbox.latestSeq()).toBe(1);
});
