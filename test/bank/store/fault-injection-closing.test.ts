/**
 * Every statement of an idle sandbox fails once: it is closed after a minute, opened when a settlement or a delivery
 * is due, executes that, and is closed again. Whatever fails, the process continues, the sandbox is closed in the end
 * with everything done once, no job is listed as failing, and the index has the time of the next opening. `npm test`
 * tries a sample.
 */
import { cpSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/bank/kernel/time.ts';
import { createRegistry, type Registry } from '../../../src/sandboxes/registry/registry.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock, type HandClock } from '../../support/sandbox.ts';
import { readTables } from '../../support/tables.ts';
import { casesOf, FAILURES, type Failure, failNth, IS_LONG, requireWhole, watchProcess } from './faults.ts';

/** Timers belong to the test: nothing runs before the time is advanced. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const NAME = 'idle';

interface Opened {
  readonly registry: Registry;
  readonly clock: HandClock;
  readonly sandbox: Sandbox;
}

/** The bank of a data directory, in which one sandbox is not open. */
function open(data: string): Opened {
  const clock = createHandClock();
  const registry = createRegistry({
    data,
    synchronous: 'off',
    seed: 'test',
    rails: 'calendar',
    webhookUrl: 'http://hooks.example/v2',
    clock,
    wallClock: clock,
    send: async () => ({ status: 200, durationMs: 1, error: '', retryAfter: null }),
    onError() {},
  });
  const sandbox = registry.byKey(`test_${NAME}`);
  if (sandbox === undefined) throw new Error('the sandbox is not there');
  return { registry, clock, sandbox };
}

/** Advances the time in steps in which timers fire and their work ends. */
async function pass({ clock, sandbox }: Opened, ms: number): Promise<void> {
  const end = clock.now() + ms;
  while (clock.now() < end) {
    const step = Math.min(end - clock.now(), ms > HOUR_MS ? 6 * HOUR_MS : 5 * SECOND_MS);
    clock.advance(step);
    await vi.advanceTimersByTimeAsync(Math.min(step, MINUTE_MS));
    await new Promise((resolve) => setImmediate(resolve));
    await sandbox.opened()?.courier?.idle();
  }
}

/** A data directory whose sandbox was closed with a payment to settle and its events to deliver. */
async function folderWithPayment(): Promise<string> {
  const data = makeFolder();
  const opened = open(data);
  const { registry, sandbox } = opened;
  const { account = '', ach_counterparty = '' } = sandbox.seeded.ids;
  await sandbox.commit(() =>
    sandbox.bank.payments.originate('ach_pull', {
      accountId: account,
      counterpartyId: ach_counterparty,
      amount: 1200,
      shortage: 'refuse',
    }),
  );
  await registry.close();
  return data;
}

/** The values that are equal in the end. An attempt that was not recorded is repeated. */
function endOf(sandbox: Sandbox): unknown {
  const { meta: _, delivery_attempts: __, ...tables } = readTables(sandbox);
  const { transactions = [], deliveries = [] } = tables;
  return {
    counts: Object.entries(tables).map(([name, rows]) => [name, rows.length]),
    transactions: transactions.map(({ status }) => status),
    deliveries: deliveries.map(({ state }) => state),
  };
}

it('an idle sandbox is closed and opened again, whichever statement fails', async () => {
  const base = await folderWithPayment();
  const run = async (nth: number, failure: Failure, at: string) => {
    const data = makeFolder();
    cpSync(base, data, { recursive: true });
    const opened = open(data);
    const { registry, sandbox } = opened;
    onTestFinished(() => registry.close());
    sandbox.open();
    const process = watchProcess();
    const { statements } = await failNth(nth, failure, async () => {
      await pass(opened, 2 * MINUTE_MS);
      await pass(opened, 10 * DAY_MS);
    });
    // As long as the longest wait after a failure, and the idle minute.
    await pass(opened, 5 * MINUTE_MS);
    expect(await process.end(), at).toEqual([]);
    expect(registry.jobs.failing(), at).toEqual([]);
    expect(sandbox.isOpen(), at).toBe(false);
    await registry.close();
    return { statements, data };
  };
  /** A start that finds everything in the index opens nothing. */
  const endIn = async (data: string, at: string) => {
    const opened = open(data);
    await pass(opened, MINUTE_MS);
    expect(opened.sandbox.isOpen(), at).toBe(false);
    const end = endOf(opened.sandbox);
    requireWhole(opened.sandbox, ({ bank }) => bank.webhooks.list(), at);
    await opened.registry.close();
    return end;
  };
  const [first] = FAILURES;
  const whole = await run(0, first, 'no failure');
  const end = await endIn(whole.data, 'no failure');
  let tried = 0;
  for (const [nth, failure] of casesOf(whole.statements, IS_LONG ? 'in turn' : 3)) {
    const at = `${failure.code} at statement ${nth} of ${whole.statements}`;
    const { data } = await run(nth, failure, at);
    expect(await endIn(data, at), at).toEqual(end);
    tried += 1;
  }
  expect(tried).toBe(IS_LONG ? whole.statements : 1);
  if (IS_LONG) console.info(`${tried} failures injected into the closing and opening of a file`);
}, 600_000);
