/**
 * The surroundings of a bank in a file: settings and the journal survive a restart, a rest and a kill; a replaced
 * bank, a copy and an image do not contain them; and the stored data is masked.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { createChaos } from '../../../src/bank/delivery/chaos.ts';
import { RECEIVER_URL } from '../../../src/bank/delivery/receiver.ts';
import { V2_KINDS } from '../../../src/bank/model/facts.ts';
import { Database } from '../../../src/bank/store/drizzle.ts';
import type { JournalEntry } from '../../../src/sandboxes/sandbox/journal.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { smallImageOf } from '../../../src/sandboxes/sandbox/snapshots.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { makeFolder } from '../../support/folder.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

const ANSWERING = { status: 503, times: 9, retryAfter: 60 };
const DELAYED = { on: { delay: { every: 2 } }, delayMs: 60_000, shuffleSize: 0, seed: 'chaos' };

function entry(id: string, changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    at: 1,
    wallAt: 1,
    id,
    apiVersion: 'v2',
    method: 'POST',
    url: '/v2/webhook',
    operation: 'v2_create_webhook',
    status: 200,
    ms: 1,
    hint: '',
    idempotencyKey: '',
    replayed: false,
    fault: '',
    requestBody: '{"description":"first"}',
    answerBody: '',
    factsBefore: 0,
    factsAfter: 0,
    bank: 0,
    ...changes,
  };
}

const openAt = (path: string): TestSandbox =>
  openTestSandbox({ place: { kind: 'file', path, synchronous: 'off' } });

/** Sets everything that can be set, like calls do. */
async function surround({ sandbox, run }: TestSandbox): Promise<string> {
  const { surroundings, faults, receiver } = sandbox;
  const webhook = await run((bank) =>
    bank.webhooks.create({ apiVersion: 'v2', url: RECEIVER_URL, description: '', events: [...V2_KINDS] }),
  );
  await run(() => {
    surroundings.change('faults', () =>
      faults.add({ match: { method: 'POST' }, error: { status: 500 }, when: 'before', probability: 0.5 }),
    );
    surroundings.change('receiver', () => receiver.setAnswering(ANSWERING));
    surroundings.change('chaos', () => sandbox.courier?.setChaos(webhook.id, createChaos(DELAYED)));
  });
  sandbox.journal.record(entry('a'));
  sandbox.journal.recordControl(entry('b', { apiVersion: 'control' }));
  return webhook.id;
}

const REQUEST = { method: 'POST', path: '/v2/webhook', operation: 'v2_create_webhook' };

function seen(sandbox: Sandbox, webhookId: string): unknown {
  return {
    faults: sandbox.faults.state(),
    active: sandbox.faults.active,
    receiver: sandbox.receiver.answering(),
    deliveries: sandbox.receiver.kept(),
    chaos: sandbox.courier?.chaosOf(webhookId)?.state(),
    requests: sandbox.journal.entries().map(({ id }) => id),
    calls: sandbox.journal.controlCalls().map(({ id }) => id),
  };
}

const NOTHING = {
  faults: { made: 0, faults: [] },
  active: false,
  receiver: { status: 200, times: null, retryAfter: null },
  deliveries: [],
  chaos: undefined,
  requests: [],
  calls: [],
};

const newFile = (): string => join(makeFolder(), 'bank.sqlite');

/** The state after a kill: the file and its log, as they are now. */
function afterKill(path: string): string {
  const copy = newFile();
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  return copy;
}

/** Advances the time after which everything is written, and waits for that. */
async function letTimePass(ms: number, isOver: () => boolean): Promise<void> {
  vi.advanceTimersByTime(ms);
  while (!isOver()) await nextTurn();
}

const rowsIn = (sandbox: Sandbox): number =>
  sandbox.connection.sqlite.prepare('SELECT count(*) FROM journal_parts').pluck().get() as number;

afterEach(() => void vi.useRealTimers());

it('the surroundings are the same after a restart, including random numbers and counts', async () => {
  const path = newFile();
  const before = openAt(path);
  const webhookId = await surround(before);
  const draws = Array.from({ length: 20 }, () => before.sandbox.faults.hit(REQUEST) !== null);
  await before.run((bank) => bank.webhooks.change(webhookId, { status: 'paused' }));
  await before.run((bank) => bank.webhooks.change(webhookId, { status: 'active' }));
  await before.sandbox.courier?.idle();
  const expected = seen(before.sandbox, webhookId);
  const { sandbox: other } = openTestSandbox();
  other.faults.restore(before.sandbox.faults.state());
  await before.end();

  const after = openAt(path);
  expect(seen(after.sandbox, webhookId)).toEqual(expected);
  expect(draws).toContain(true);
  // The random sequence continues: the next requests have the same faults as without a restart.
  const next = () => Array.from({ length: 20 }, () => after.sandbox.faults.hit(REQUEST) !== null);
  expect(next()).toEqual(Array.from({ length: 20 }, () => other.faults.hit(REQUEST) !== null));
});

it('the built-in receiver has its deliveries after a restart, and continues to count', async () => {
  const path = newFile();
  const before = openAt(path);
  const { sandbox, run } = before;
  await run((bank) =>
    bank.webhooks.create({ apiVersion: 'v2', url: RECEIVER_URL, description: '', events: [...V2_KINDS] }),
  );
  const lock = (bank: TestSandbox['bank']) => bank.cards.lock(before.id('virtual_card'));
  await run(lock);
  await sandbox.courier?.idle();
  const kept = sandbox.receiver.kept();
  expect(kept.length).toBeGreaterThan(0);
  await before.end();
  const after = openAt(path);
  expect(after.sandbox.receiver.kept()).toEqual(kept);
  expect(after.sandbox.receiver.deliveries.numbers().next).toBe(kept.length);
});

it('a kill loses at most the last seconds, and nothing that a call set', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const path = newFile();
  const before = openAt(path);
  const { sandbox } = before;
  const webhookId = await surround(before);
  // Immediately: what calls set. The journal waits.
  const atOnce = openAt(afterKill(path));
  expect(seen(atOnce.sandbox, webhookId)).toEqual({
    ...(seen(sandbox, webhookId) as object),
    requests: [],
    calls: [],
  });
  await letTimePass(2000, () => rowsIn(sandbox) === 2);
  sandbox.journal.record(entry('c'));
  const later = openAt(afterKill(path));
  expect(seen(later.sandbox, webhookId)).toMatchObject({ requests: ['a'], calls: ['b'] });
});

it('no secret data are stored', async () => {
  const path = newFile();
  const before = openAt(path);
  before.sandbox.journal.record(
    entry('a', {
      url: '/v2/accounts?account_number=123456789012',
      requestBody: '{"account_number":"123456789012","ssn":"123456789","name":"Ann"}',
      answerBody: 'not JSON',
    }),
  );
  await before.end();
  const file = new Database(readFileSync(path).fill(1, 18, 20));
  const { inflateRawSync } = await import('node:zlib');
  const parts = file.prepare('SELECT entries FROM journal_parts').pluck().all() as Buffer[];
  file.close();
  const text = parts.map((part) => inflateRawSync(part).toString()).join();
  expect(text).toContain('Ann');
  expect(text).not.toMatch(/12345678|not JSON"/);
  const [stored] = openAt(path).sandbox.journal.entries();
  expect(stored).toMatchObject({
    url: '/v2/accounts?account_number=********9012',
    requestBody: '{"account_number":"********9012","ssn":"*****6789","name":"Ann"}',
    answerBody: '"[8 characters that are not JSON]"',
  });
});

it('an image contains none of it, in a file or in memory', async () => {
  const path = newFile();
  const before = openAt(path);
  const webhookId = await surround(before);
  const copy = newFile();
  await before.sandbox.writeTo(copy);
  const copied = openAt(copy);
  expect(seen(copied.sandbox, webhookId)).toEqual(NOTHING);
  expect(readFileSync(copy).includes('"when":"before"')).toBe(false);
  const small = smallImageOf(before.sandbox) as Buffer;
  expect(before.sandbox.image().includes('"when":"before"')).toBe(true);
  expect(small.includes('"when":"before"')).toBe(false);
  const inMemory = openTestSandbox({ place: { kind: 'image', image: small } });
  expect(seen(inMemory.sandbox, webhookId)).toEqual(NOTHING);
  await before.end();
  expect(readFileSync(path).includes('"when":"before"')).toBe(true);
});

it('everything ends with the bank, except the journal, which is in the file of the next', async () => {
  const path = newFile();
  const before = openAt(path);
  const webhookId = await surround(before);
  await before.end();
  const middle = openAt(path);
  const copy = newFile();
  await middle.sandbox.writeTo(copy);
  middle.sandbox.replaceWith({ file: copy });
  const gone = { ...NOTHING, requests: ['a'], calls: ['b'] };
  expect(seen(middle.sandbox, webhookId)).toEqual(gone);
  await middle.end();
  const { sandbox } = openAt(path);
  expect(seen(sandbox, webhookId)).toEqual(gone);
  // A request to another bank: its effects are not looked up in this one.
  expect([sandbox.bankNumber, sandbox.journal.entries()[0]?.bank]).toEqual([1, 0]);
});

it('a rest changes nothing, and writes the journal', async () => {
  const path = newFile();
  const { sandbox, run } = openAt(path);
  sandbox.journal.record(entry('a'));
  await run(() => sandbox.surroundings.change('receiver', () => sandbox.receiver.setAnswering(ANSWERING)));
  expect(sandbox.rest(60_000)).toBeDefined();
  expect(openAt(afterKill(path)).sandbox.journal.entries()).toHaveLength(1);
  sandbox.journal.record(entry('b'));
  expect([sandbox.journal.entries().length, sandbox.receiver.answering()]).toEqual([2, ANSWERING]);
});

it('a sandbox whose journal cannot be written stays open, and writes it when there is room', async () => {
  const path = newFile();
  const { sandbox, errors } = openAt(path);
  sandbox.journal.record(entry('a'));
  let fails = true;
  const end = watchSqlite(({ isCommit }) => {
    if (fails && isCommit) throw sqliteError('SQLITE_FULL');
  });
  expect(() => sandbox.rest(60_000)).toThrow('disk is full');
  expect(sandbox.isOpen()).toBe(true);
  fails = false;
  end();
  errors.length = 0;
  expect(sandbox.rest(60_000)).toBeDefined();
  expect(openAt(afterKill(path)).sandbox.journal.entries()).toHaveLength(1);
});

it('a failed commit of a change has no effect', async () => {
  const one = openAt(newFile());
  const { sandbox, run, errors } = one;
  const webhookId = await surround(one);
  const before = seen(sandbox, webhookId);
  let fails = true;
  const end = watchSqlite(({ isCommit }) => {
    if (fails && isCommit) throw sqliteError('SQLITE_FULL');
  });
  const { surroundings, faults, receiver, courier, store } = sandbox;
  const changes = [
    () => surroundings.change('faults', () => faults.clear()),
    () => surroundings.change('receiver', () => store.onUndo(receiver.clear())),
    () => surroundings.change('chaos', () => courier?.setChaos(webhookId, null)),
  ];
  for (const change of changes) await expect(run(change)).rejects.toThrow();
  fails = false;
  end();
  expect(seen(sandbox, webhookId)).toEqual(before);
  errors.length = 0;
});

it('a failed write is repeated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { sandbox, errors } = openAt(newFile());
  sandbox.journal.record(entry('a'));
  let fails = true;
  const end = watchSqlite(({ isCommit }) => {
    if (fails && isCommit) throw sqliteError('SQLITE_FULL');
  });
  await letTimePass(2000, () => errors.length > 0);
  fails = false;
  end();
  errors.length = 0;
  expect(rowsIn(sandbox)).toBe(0);
  await letTimePass(5000, () => rowsIn(sandbox) === 1);
});

it('an opening that cannot read them does not lose them, and a later one reads them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const path = newFile();
  const before = openAt(path);
  const webhookId = await surround(before);
  const expected = seen(before.sandbox, webhookId) as { requests: string[] };
  await before.end();
  let fails = true;
  const end = watchSqlite(({ sql }) => {
    if (fails && /^select .* from "(surroundings|journal_parts)"/i.test(sql))
      throw sqliteError('SQLITE_BUSY');
  });
  const { sandbox, run, errors } = openAt(path);
  sandbox.journal.record(entry('c'));
  await letTimePass(5000, () => errors.length > 0);
  const clear = () => sandbox.surroundings.change('faults', () => sandbox.faults.clear());
  await expect(run(clear)).rejects.toThrow('locked');
  expect(() => sandbox.rest(60_000)).toThrow('locked');
  fails = false;
  end();
  errors.length = 0;
  expect(sandbox.rest(60_000)).toBeDefined();
  const after = openAt(afterKill(path));
  expect(seen(after.sandbox, webhookId)).toEqual({ ...expected, requests: ['c', ...expected.requests] });
});
