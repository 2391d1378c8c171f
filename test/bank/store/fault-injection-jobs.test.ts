/**
 * Every statement of the bank's background work fails once: the settlement and the identity check that are due, the
 * recording of deliveries with their retries and drops, and the events for observers. No request waits for any of it;
 * the process continues, the failure is listed, and the timer that is then set brings the bank to the same end. `npm
 * test` tries a sample.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SendResult } from '../../../src/bank/delivery/sender.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/bank/kernel/time.ts';
import { Database } from '../../../src/bank/store/drizzle.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { openServer, pull, type Server } from '../../server/http/control/server.ts';
import { START } from '../../support/sandbox.ts';
import { readTables } from '../../support/tables.ts';
import { casesOf, FAILURES, failNth, IS_LONG, requireWhole, watchProcess } from './faults.ts';

/** Timers belong to the test: nothing runs before the time is advanced. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const ok: SendResult = { status: 200, durationMs: 1, error: '', retryAfter: null };
const answer = (status: number): SendResult => ({ ...ok, status });

/** One job of a bank, from its start to its required end, whatever fails. */
interface Work {
  readonly name: string;
  /** Creates what the job needs; the bank's image is taken afterwards. */
  prepare(server: Server): Promise<unknown>;
  /** Changes the image where no call can. */
  readonly sql?: string;
  /** The responses of receivers, one after the other; 200 afterwards. */
  readonly answers?: readonly number[];
  /** The job is done after this time, with or without a failed statement. */
  readonly takesMs: number;
  /** Opens the event stream. */
  readonly isObserved?: boolean;
}

const webhook = { apiVersion: 'v2', url: 'http://hooks.example/v2', events: ['*'] };

/** A payment whose events wait for a webhook that gets its first request in the job. */
async function prepareDeliveries(server: Server): Promise<void> {
  const { id } = (await server.call('POST', '/_sandbox/webhooks', webhook)).body;
  await server.call('PATCH', `/v2/webhook/${id}`, { status: 'inactive' });
  await pull(server, '12.00');
}

const person = {
  firstName: 'Ivo',
  lastName: 'Reed',
  email: 'ivo@example.com',
  phone: '+16505550123',
  dateOfBirth: '1988-03-14',
  idType: 'ssn',
  idNumber: '211111111',
  address: {
    addressType: 'mailing',
    line1: '123 Main St',
    city: 'San Francisco',
    state: 'CA',
    country: 'US',
    postalCode: '94105',
  },
};

/** A person whose identity check is scheduled. */
async function prepareCheck({ call }: Server): Promise<void> {
  const { id } = (await call('POST', '/v1/person', person)).body;
  const { status, body } = await call('POST', `/v1/person/${id}/kyc`, {});
  expect([status, body.status]).toEqual([201, 'submitted']);
}

const RESUME = "UPDATE webhooks SET status = 'active' WHERE url = 'http://hooks.example/v2'";

const WORKS: readonly Work[] = [
  {
    name: 'the settlement of a payment',
    prepare: (server) => pull(server, '12.00'),
    takesMs: 10 * DAY_MS,
  },
  { name: 'the recording of deliveries', prepare: prepareDeliveries, sql: RESUME, takesMs: MINUTE_MS },
  {
    name: 'the retries of deliveries',
    prepare: prepareDeliveries,
    sql: RESUME,
    answers: [500, 503],
    takesMs: 10 * MINUTE_MS,
  },
  {
    name: 'the end of a webhook that answers 410',
    prepare: prepareDeliveries,
    sql: RESUME,
    answers: [410, 410, 410, 410],
    takesMs: MINUTE_MS,
  },
  {
    name: 'the drop of deliveries after thirty days',
    prepare: prepareDeliveries,
    sql: `${RESUME}; UPDATE facts SET at = at - ${40 * DAY_MS}`,
    takesMs: MINUTE_MS,
  },
  { name: 'the end of an identity check', prepare: prepareCheck, takesMs: DAY_MS },
  {
    name: 'the settlement of a payment that is observed',
    prepare: (server) => pull(server, '12.00'),
    takesMs: 10 * DAY_MS,
    isObserved: true,
  },
];

/** Advances both clocks, in steps in which timers fire and their work ends. */
async function pass({ registry, clock }: Server, ms: number): Promise<void> {
  const end = clock.now() + ms;
  while (clock.now() < end) {
    const step = Math.min(end - clock.now(), ms > DAY_MS ? 6 * HOUR_MS : 2 * SECOND_MS);
    clock.advance(step);
    await vi.advanceTimersByTimeAsync(Math.min(step, MINUTE_MS));
    await settleDown(registry.default());
  }
}

async function settleDown(sandbox: Sandbox): Promise<void> {
  if (!sandbox.isOpen()) return;
  const { courier } = sandbox;
  await new Promise((resolve) => setImmediate(resolve));
  await courier?.idle();
}

/** The values that are equal in the end: numbers and states. An attempt that was not recorded is repeated. */
function endOf(sandbox: Sandbox): unknown {
  const { meta: _, delivery_attempts: __, ...tables } = readTables(sandbox);
  const { transactions = [], deliveries = [], webhooks = [], holders = [] } = tables;
  return {
    counts: Object.entries(tables).map(([name, rows]) => [name, rows.length]),
    transactions: transactions.map(({ status }) => status),
    deliveries: deliveries.map(({ state }) => state),
    webhooks: webhooks.map(({ status }) => status),
    holders: holders.map(({ status }) => status),
  };
}

const cachedOf = ({ bank, courier }: Sandbox) =>
  bank.webhooks.list().map((one) => [one.status, courier?.failingSince(one.id)]);

let tried = 0;

describe('the result is the same, whichever statement fails, for', () => {
  it.each(WORKS)(
    '$name',
    async (work) => {
      const failures: unknown[] = [];
      let answers: number[] = [];
      const dropped = { count: 0 };
      const server = await openServer(
        {
          lookEveryMs: 1e9,
          send: async () => answer(answers.shift() ?? 200),
          counters: {
            countState() {},
            countCommit() {},
            countDropped(_, count) {
              dropped.count += count;
            },
          },
        },
        failures,
      );
      const sandbox = server.registry.default();
      await work.prepare(server);
      await sandbox.courier?.idle();
      const copy = new Database(sandbox.image());
      if (work.sql !== undefined) copy.exec(work.sql);
      const image = copy.serialize();
      copy.close();
      const heard = { facts: 0 };

      const run = async (nth: number, failure: (typeof FAILURES)[number]) => {
        server.clock.set(START);
        answers = [...(work.answers ?? [])];
        Object.assign(dropped, { count: 0 });
        Object.assign(heard, { facts: 0 });
        const stop = work.isObserved
          ? sandbox.listeners.listen(({ type }) => {
              if (type === 'fact') heard.facts += 1;
            })
          : () => {};
        try {
          const { statements } = await failNth(nth, failure, async () => {
            sandbox.replaceWith(image);
            await settleDown(sandbox);
            await pass(server, work.takesMs);
          });
          // As long as the longest wait after a failure.
          await pass(server, 2 * MINUTE_MS);
          return { statements };
        } finally {
          stop();
        }
      };

      await run(0, FAILURES[0]);
      const { statements } = await run(0, FAILURES[0]);
      const end = endOf(sandbox);
      const facts = heard.facts;
      const droppedWhole = dropped.count;
      for (const [nth, failure] of casesOf(statements, IS_LONG ? 'all' : WORKS.indexOf(work) + 1)) {
        const process = watchProcess();
        let refused: unknown;
        await run(nth, failure).catch((error: unknown) => {
          refused = error;
        });
        const at = `${work.name}: ${failure.code} at statement ${nth} of ${statements}`;
        expect(await process.end(), at).toEqual([]);
        failures.length = 0;
        // The replacement of the bank, which starts the job, failed: nothing changed.
        if (refused !== undefined) {
          expect(String((refused as { code?: string }).code), at).toMatch(/^SQLITE_/);
          continue;
        }
        tried += 1;
        expect(server.registry.jobs.failing(), at).toEqual([]);
        expect(endOf(sandbox), at).toEqual(end);
        if (work.isObserved) expect(heard.facts, at).toBe(facts);
        expect(dropped.count, at).toBe(droppedWhole);
        requireWhole(sandbox, cachedOf, at);
      }
    },
    600_000,
  );
});

it('there are as many cases as statements', () => {
  expect(tried).toBeGreaterThan(IS_LONG ? 500 : 2);
  if (IS_LONG) console.info(`${tried} failures injected into what a bank does by itself`);
});
