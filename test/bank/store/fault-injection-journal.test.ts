/**
 * Every statement that reads and writes the surroundings of a bank in a file fails once: the opening that reads them,
 * the timer that writes the journal and the counts, the response with the journal, and the closing. No caller waits
 * for the first, the second and the last. Whatever fails, the process continues, the failure is reported, and in the
 * end the file has the faults, the chaos and each request once. `npm test` tries a sample.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import zlib, { type ZlibOptions } from 'node:zlib';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createChaos } from '../../../src/bank/delivery/chaos.ts';
import { RECEIVER_URL } from '../../../src/bank/delivery/receiver.ts';
import { SECOND_MS } from '../../../src/bank/kernel/time.ts';
import type { JournalEntry } from '../../../src/sandboxes/sandbox/journal.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { makeFolder } from '../../support/folder.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { casesOf, FAILURES, type Failure, failNth, IS_LONG, requireWhole, watchProcess } from './faults.ts';

const { deflateRaw } = zlib;

/**
 * Timers belong to the test: nothing runs before the time is advanced. Compression is synchronous, so that a write
 * takes a known number of turns.
 */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  Object.assign(zlib, {
    deflateRaw: (text: string, options: ZlibOptions, done: (error: null, result: Buffer) => void) =>
      done(null, zlib.deflateRawSync(text, options)),
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  Object.assign(zlib, { deflateRaw });
  syncBuiltinESMExports();
});

const REQUEST = { method: 'POST', path: '/v2/webhook', operation: 'v2_create_webhook' };
const CHAOS = { on: { delay: { every: 2 } }, delayMs: 60_000, shuffleSize: 0, seed: 'chaos' };
/** Longer than the delay before the journal is written, and than the one after a failure. */
const WRITTEN_MS = 10 * SECOND_MS;
const TURNS = 8;

const newFile = (): string => join(makeFolder(), 'bank.sqlite');
const openAt = (path: string): TestSandbox =>
  openTestSandbox({ place: { kind: 'file', path, synchronous: 'off' } });

const entry = (id: string): JournalEntry => ({
  at: 1,
  wallAt: 1,
  id,
  apiVersion: 'v2',
  url: REQUEST.path,
  method: REQUEST.method,
  operation: REQUEST.operation,
  status: 200,
  ms: 1,
  hint: '',
  idempotencyKey: '',
  replayed: false,
  fault: '',
  requestBody: '{}',
  answerBody: '',
  factsBefore: 0,
  factsAfter: 0,
  bank: 0,
});

/** The file of a sandbox in which everything is set, with a past request. */
async function fileWithSurroundings(): Promise<{ path: string; webhookId: string }> {
  const path = newFile();
  const { sandbox, run, end } = openAt(path);
  const { surroundings, faults, journal, receiver } = sandbox;
  const { id: webhookId } = await run(({ webhooks }) =>
    webhooks.create({ apiVersion: 'v2', url: RECEIVER_URL, description: '', events: ['card.created'] }),
  );
  await run(() => {
    surroundings.change('faults', () =>
      faults.add({ match: { method: 'POST' }, error: { status: 500 }, when: 'before', probability: 0.5 }),
    );
    surroundings.change('receiver', () => receiver.setAnswering({ status: 503, times: 9, retryAfter: 60 }));
    surroundings.change('chaos', () => sandbox.courier?.setChaos(webhookId, createChaos(CHAOS)));
  });
  journal.record(entry('before'));
  await end();
  return { path, webhookId };
}

function seen({ faults, receiver, courier, journal }: Sandbox, webhookId: string): unknown {
  return {
    faults: faults.state(),
    answering: receiver.answering(),
    chaos: courier?.chaosOf(webhookId)?.state(),
    requests: journal.entries().map(({ id }) => id),
  };
}

/**
 * Advances the time, in steps in which timers fire and their work ends: a turn for each part, and one for the commit.
 */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += SECOND_MS) {
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
  }
}

it('the surroundings of a bank are read, counted and written, whichever statement fails', async () => {
  const { path: base, webhookId } = await fileWithSurroundings();
  let refused = 0;

  const run = async (nth: number, failure: Failure, at: string) => {
    const path = newFile();
    for (const end of ['', '-wal']) if (existsSync(base + end)) copyFileSync(base + end, path + end);
    const process = watchProcess();
    const { value: opened, statements } = await failNth(nth, failure, async () => {
      let one: TestSandbox;
      try {
        one = openAt(path);
      } catch (error) {
        expect(String((error as { code?: string }).code), at).toMatch(/^SQLITE_/);
        refused += 1;
        one = openAt(path);
      }
      const { sandbox } = one;
      sandbox.journal.record(entry('after'));
      await pass(WRITTEN_MS);
      for (let draws = 0; draws < 5; draws += 1) sandbox.faults.hit(REQUEST);
      await pass(WRITTEN_MS);
      try {
        seen(sandbox, webhookId);
      } catch (error) {
        expect(String((error as { code?: string }).code), at).toMatch(/^SQLITE_/);
      }
      try {
        sandbox.rest(60_000);
      } catch (error) {
        expect(String((error as { code?: string }).code), at).toMatch(/^SQLITE_/);
      }
      return one;
    });
    const { errors, end } = opened;
    await pass(WRITTEN_MS);
    expect(await process.end(), at).toEqual([]);
    if (nth > 0) errors.length = 0;
    await end();
    const again = openAt(path);
    const found = seen(again.sandbox, webhookId);
    requireWhole(again.sandbox, ({ bank }) => bank.webhooks.list(), at);
    await again.end();
    return { statements, found };
  };

  const [first] = FAILURES;
  const whole = await run(0, first, 'no failure');
  expect(whole.found).toMatchObject({ requests: ['after', 'before'], answering: { status: 503 } });
  let tried = 0;
  for (const [nth, failure] of casesOf(whole.statements, IS_LONG ? 'all' : 1)) {
    const at = `${failure.code} at statement ${nth} of ${whole.statements}`;
    const { found } = await run(nth, failure, at);
    expect(found, at).toEqual(whole.found);
    tried += 1;
  }
  expect(tried).toBe(IS_LONG ? whole.statements * FAILURES.length : 1);
  if (IS_LONG)
    console.info(`${tried} failures injected into the journal, ${refused} of which kept a file closed`);
}, 600_000);
