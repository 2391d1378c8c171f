// Resting sandboxes: which sandboxes rest, when they are opened again, and the handling of damaged ones.

import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SendResult } from '../../../src/bank/delivery/sender.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/bank/kernel/time.ts';
import { Database } from '../../../src/bank/store/drizzle.ts';
import { openRestingIndex } from '../../../src/bank/store/resting.ts';
import {
  createRegistry,
  type Registry,
  type RegistryOptions,
} from '../../../src/sandboxes/registry/registry.ts';
import { createBackgroundJobs } from '../../../src/sandboxes/sandbox/background-jobs.ts';
import { packImage, unpackImage } from '../../../src/sandboxes/sandbox/resting-image.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock, type HandClock } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { optionsFor } from './support.ts';

interface Opened {
  registry: Registry;
  clock: HandClock;
  data: string;
  /** The files that were set aside, and the reasons. */
  aside: [string, string][];
}

function open(changes: Partial<RegistryOptions> = {}): Opened {
  const data = changes.data === undefined ? makeFolder() : (changes.data ?? '');
  const clock = (changes.clock as HandClock | undefined) ?? createHandClock();
  const errors: unknown[] = [];
  const aside: [string, string][] = [];
  const registry = createRegistry({
    ...optionsFor(clock, errors),
    data: data === '' ? null : data,
    rails: 'calendar',
    maxOpen: 3,
    lookEveryMs: 1,
    onSetAside(name, reason, file) {
      aside.push([name, reason]);
      expect(file).toBe(join(data, `${name}.sqlite`));
    },
    ...changes,
  });
  onTestFinished(async () => {
    const problems = [...registry.open()].flatMap((sandbox) => sandbox.audit().problems);
    await registry.close();
    expect([problems, errors]).toEqual([[], []]);
  });
  return { registry, clock, data, aside };
}

const use = ({ registry }: Opened, name: string): Sandbox => {
  const sandbox = registry.byKey(`test_${name}`);
  if (sandbox === undefined) throw new Error(`test_${name} opens nothing`);
  return sandbox;
};
const openNames = ({ registry }: Opened) => [...registry.open()].map(({ name }) => name);
const problemOf = ({ registry }: Opened, of: string) =>
  registry.list().find(({ name }) => name === of)?.problem;
const isOpen = (opened: Opened, name: string) => openNames(opened).includes(name);
/** Checks run by a timer of the real clock. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(isSo()).toBe(true);
}
const someLooks = () => new Promise((resolve) => setTimeout(resolve, 50));
const label = (sandbox: Sandbox, text: string) =>
  sandbox.commit(() => sandbox.bank.cards.change(sandbox.seeded.ids.virtual_card ?? '', { label: text }));
/** Frees everything to which nothing refers. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
const pay = (sandbox: Sandbox) =>
  sandbox.commit(() =>
    sandbox.bank.payments.originate('ach_push', {
      accountId: sandbox.seeded.ids.account ?? '',
      counterpartyId: sandbox.seeded.ids.ach_counterparty ?? '',
      amount: 100,
      shortage: 'refuse',
    }),
  );

describe.each<[string, () => string | null]>([
  ['a file', makeFolder],
  ['a bank in memory', () => null],
])('%s that nobody uses', (_, data) => {
  test('a file rests after a minute', async () => {
    const opened = open({ data: data() });
    const bytes = use(opened, 'a').connection.bytes();
    opened.clock.advance(MINUTE_MS - 1);
    await someLooks();
    expect(openNames(opened)).toEqual(['default', 'a']);
    opened.clock.advance(1);
    await until(() => !isOpen(opened, 'a'));
    // The default one always stays open.
    expect(openNames(opened)).toEqual(['default']);
    expect(opened.registry.list().find(({ name }) => name === 'a')).toMatchObject({ open: false, bytes });
  });

  test('a file rests after the configured time', async () => {
    const opened = open({ data: data(), restAfterMs: SECOND_MS });
    use(opened, 'a').open();
    opened.clock.advance(SECOND_MS - 1);
    await someLooks();
    expect(isOpen(opened, 'a')).toBe(true);
    opened.clock.advance(1);
    await until(() => !isOpen(opened, 'a'));
  });

  test('a bank opens even if its coverage cannot continue, and the error is reported', async () => {
    const reported: unknown[] = [];
    const opened = open({ data: data(), onError: (name, error) => reported.push([name, error]) });
    const sandbox = use(opened, 'a');
    sandbox.open();
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    const error = new Error('no coverage');
    vi.spyOn(sandbox.coverage, 'follow').mockImplementationOnce(() => {
      throw error;
    });
    await label(sandbox, 'after');
    expect(sandbox.bank.cards.byId(sandbox.seeded.ids.virtual_card ?? '').card.label).toBe('after');
    expect(reported).toEqual([['a', error]]);
  });

  test('a resting file is opened at its next use, by any holder, unchanged', async () => {
    const opened = open({ data: data() });
    const sandbox = use(opened, 'a');
    await label(sandbox, 'before');
    const [digest, id] = [digestOf(sandbox), sandbox.nextId()];
    sandbox.faults.add({ match: {}, when: 'before', error: { status: 500 } });
    sandbox.coverage.countOperation('met');
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    expect(sandbox.faults.list()).toHaveLength(1);
    expect(sandbox.coverage.report(['met']).shares.operations.counts).toEqual({ met: 1 });
    expect(digestOf(sandbox)).toBe(digest);
    expect(isOpen(opened, 'a')).toBe(true);
    expect(use(opened, 'a')).toBe(sandbox);
    // Ids continue at their position, including ids that no command stored.
    expect(sandbox.nextId() > id).toBe(true);
    await label(sandbox, 'after');
    expect(sandbox.bank.cards.byId(sandbox.seeded.ids.virtual_card ?? '').card.label).toBe('after');
  });

  test('a resting file is opened when a scheduled step is due, and not before', async () => {
    const opened = open({ data: data() });
    const sandbox = use(opened, 'a');
    const { id } = await pay(sandbox);
    // The first step is due soon, the next one on the next banking day.
    opened.clock.set(sandbox.store.agenda.nextDueAt() ?? 0);
    await sandbox.agenda.runDue();
    const { status } = sandbox.bank.payments.byId(id);
    const dueAt = sandbox.store.agenda.nextDueAt() ?? 0;
    expect(dueAt - opened.clock.now()).toBeGreaterThan(10 * MINUTE_MS);
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    opened.clock.set(dueAt - 1);
    await someLooks();
    expect(isOpen(opened, 'a')).toBe(false);
    opened.clock.set(dueAt);
    await until(() => isOpen(opened, 'a'));
    await until(() => sandbox.bank.payments.byId(id).status !== status);
  });

  test('a resting file is opened when a retry is due', async () => {
    const sent: string[] = [];
    let status = 500;
    const opened = open({
      data: data(),
      send: async ({ body }) => {
        sent.push(body);
        return { status, durationMs: 1, error: '', retryAfter: null };
      },
    });
    const sandbox = use(opened, 'a');
    const change = { status: 'active', url: 'http://x.example' } as const;
    await sandbox.commit(() => sandbox.bank.webhooks.change(sandbox.seeded.webhookId, change));
    await label(sandbox, 'told');
    const { courier } = sandbox;
    // The first retries are due within minutes.
    for (;;) {
      await courier?.idle();
      const wait = (courier?.nextDueAt() ?? 0) - opened.clock.now();
      if (wait > 10 * MINUTE_MS) break;
      opened.clock.advance(wait);
      courier?.wake();
    }
    const dueAt = courier?.nextDueAt() ?? 0;
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    const before = sent.length;
    status = 200;
    opened.clock.set(dueAt);
    await until(() => sent.length === before + 1);
    expect(isOpen(opened, 'a')).toBe(true);
  });
});

describe('an idle file', () => {
  test('has no side files when it is closed', async () => {
    const opened = open();
    use(opened, 'a').open();
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    expect(readdirSync(opened.data).filter((file) => /^a\.sqlite-/.test(file))).toEqual([]);
  });

  test('is closed if the maximum is open, the least recently used one first', () => {
    const opened = open();
    for (const name of ['a', 'b']) {
      use(opened, name).open();
      opened.clock.advance(SECOND_MS);
    }
    use(opened, 'a').open();
    opened.clock.advance(SECOND_MS);
    use(opened, 'c').open();
    expect(openNames(opened)).toEqual(['default', 'a', 'c']);
    expect(opened.registry.list().map((row) => [row.name, row.open])).toEqual([
      ['default', true],
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
  });

  test.each<[string, (sandbox: Sandbox) => Promise<unknown> | unknown]>([
    ['a listener', (sandbox) => sandbox.listeners.listen(() => {})],
    [
      'a response of a receiver that is awaited',
      async (sandbox) => {
        const change = { status: 'active', url: 'http://x.example' } as const;
        await sandbox.commit(() => sandbox.bank.webhooks.change(sandbox.seeded.webhookId, change));
        await label(sandbox, 'told');
      },
    ],
  ])('stays open while there is %s, and keeps others out where there is no room', async (_, keepBusy) => {
    const answers: ((outcome: SendResult) => void)[] = [];
    const opened = open({ maxOpen: 2, send: () => new Promise((resolve) => answers.push(resolve)) });
    await keepBusy(use(opened, 'a'));
    opened.clock.advance(2 * MINUTE_MS);
    await someLooks();
    expect(isOpen(opened, 'a')).toBe(true);
    expect(() => use(opened, 'b').open()).toThrow(
      '2 sandboxes are in use with open files, the maximum that the file descriptors of this process allow',
    );
    for (const answer of answers) answer({ status: 200, durationMs: 1, error: '', retryAfter: null });
  });
});

describe('the search for due banks', () => {
  /** Pays from each of them, and returns when the last payment is continued: on the next banking day. */
  const payAndWait = async ({ clock }: Opened, sandboxes: readonly Sandbox[]): Promise<number> => {
    for (const sandbox of sandboxes) await pay(sandbox);
    const latest = (): number => Math.max(...sandboxes.map(({ store }) => store.agenda.nextDueAt() ?? 0));
    clock.set(latest());
    for (const { agenda } of sandboxes) await agenda.runDue();
    expect(latest() - clock.now()).toBeGreaterThan(10 * MINUTE_MS);
    return latest();
  };

  test('does not continue for a bank that was opened before its step was due', async () => {
    const clock = createHandClock();
    let readings = 0;
    const wallClock = {
      now() {
        readings += 1;
        return clock.now();
      },
    };
    const opened = open({ data: null, clock, wallClock, lookEveryMs: 20 });
    const sandbox = use(opened, 'a');
    const dueAt = await payAndWait(opened, [sandbox]);
    clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    clock.set(dueAt - 1);
    sandbox.open();
    clock.set(dueAt + SECOND_MS);
    const before = readings;
    await someLooks();
    await someLooks();
    // Five searches with a few readings each; in every turn of the event loop it would be hundreds.
    expect(readings - before).toBeLessThan(100);
  });

  test('opens a few at a time, so that requests are answered meanwhile', async () => {
    const opened = open({ data: null });
    const sandboxes = Array.from({ length: 20 }, (_, number) => use(opened, `s${number}`));
    const dueAt = await payAndWait(opened, sandboxes);
    opened.clock.advance(MINUTE_MS);
    await until(() => openNames(opened).length === 1);
    opened.clock.set(dueAt);
    await until(() => openNames(opened).length > 1);
    expect(openNames(opened).length).toBeLessThan(21);
    await until(() => openNames(opened).length === 21);
  });
});

describe('a bank in memory', () => {
  test('rests again after it was replaced while it rested', async () => {
    const opened = open({ data: null });
    const sandbox = use(opened, 'a');
    sandbox.open();
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    await opened.registry.exchange(sandbox, opened.registry.seedImages.image());
    expect(openNames(opened)).toEqual(['default', 'a']);
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
  });

  test('does not keep the image from which it was created', async () => {
    const { registry } = open({ data: null });
    const create = (): WeakRef<Buffer> => {
      const image = Buffer.from(registry.seedImages.image());
      registry.create('copy', image);
      return new WeakRef(image);
    };
    const image = create();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(image.deref()).toBeUndefined();
  });

  test('can be deleted while it rests', async () => {
    const opened = open({ data: null });
    for (const name of ['a', 'b']) use(opened, name).open();
    opened.clock.advance(MINUTE_MS);
    await until(() => openNames(opened).length === 1);
    await opened.registry.remove('a');
    expect(opened.registry.list().map(({ name }) => name)).toEqual(['default', 'b']);
  });

  test('stays open if it is too large to be compressed in one turn', async () => {
    const opened = open({ data: null });
    const sandbox = use(opened, 'a');
    sandbox.store.meta.write('settings', 'x'.repeat(9_000_000));
    opened.clock.advance(2 * MINUTE_MS);
    await someLooks();
    expect(isOpen(opened, 'a')).toBe(true);
  });

  test('rests between requests if many rest together', async () => {
    const opened = open({ data: null });
    const names = Array.from({ length: 40 }, (_, number) => `many${number}`);
    for (const name of names) use(opened, name).open();
    opened.clock.advance(MINUTE_MS);
    await until(() => openNames(opened).length <= 25);
    expect(openNames(opened).length).toBeGreaterThan(1);
    await until(() => openNames(opened).length === 1);
  });

  test('at rest stores little more than its difference from a new bank', () => {
    const opened = open({ data: null });
    const base = opened.registry.seedImages.image();
    const packed = packImage(use(opened, 'a').image(), base);
    expect(packed.base).toBe(base);
    expect(packed.packed.length).toBeLessThan(base.length / 100);
    expect(unpackImage(packed).equals(use(opened, 'a').image())).toBe(true);
  });

  test('is restored exactly, whatever changed and however large it became', () => {
    const base = Buffer.alloc(10 * 4096, 7);
    for (const length of [0, 1, 4096, 9 * 4096, 10 * 4096, 12 * 4096 + 100]) {
      const image = Buffer.alloc(length, 7);
      for (const at of [0, 5000, 40_000, length - 1]) if (at >= 0 && at < length) image[at] = 1;
      expect(unpackImage(packImage(image, base)).equals(image)).toBe(true);
    }
  });
});

describe('a start', () => {
  /** A data directory with closed sandboxes. */
  async function folderWith(names: readonly string[], live: (opened: Opened) => unknown = () => {}) {
    const first = open({ maxOpen: 50 });
    for (const name of names) use(first, name).open();
    await live(first);
    await first.registry.close();
    return first;
  }

  test('opens none of the closed files', async () => {
    const { data } = await folderWith(['a', 'b', 'c']);
    const second = open({ data });
    expect(second.registry.list()).toHaveLength(4);
    await someLooks();
    expect(openNames(second)).toEqual(['default']);
  });

  test('opens a file when its step is due, without a request', async () => {
    let dueAt = 0;
    const { data } = await folderWith(['a', 'b'], async (opened) => {
      await pay(use(opened, 'a'));
      dueAt = use(opened, 'a').store.agenda.nextDueAt() ?? 0;
    });
    const clock = createHandClock();
    const second = open({ data, clock, wallClock: clock });
    await someLooks();
    expect(openNames(second)).toEqual(['default']);
    clock.set(dueAt);
    await until(() => isOpen(second, 'a'));
    expect(isOpen(second, 'b')).toBe(false);
  });

  test.each([
    ['was not closed', () => {}],
    ['was closed, without an index', (data: string) => rmSync(join(data, 'resting.index'), { force: true })],
    [
      'was closed, with a damaged index',
      (data: string) => writeFileSync(join(data, 'resting.index'), 'x'.repeat(9000)),
    ],
  ])('opens each file that %s, and closes it if nothing is due soon', async (received, spoil) => {
    const data = join(makeFolder(), 'copy');
    const first = open({ maxOpen: 50 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) use(first, name).open();
    await pay(use(first, 'd'));
    const dueAt = use(first, 'd').store.agenda.nextDueAt() ?? 0;
    if (received !== 'was not closed') await first.registry.close();
    cpSync(first.data, data, { recursive: true });
    spoil(data);
    const clock = createHandClock();
    const second = open({ data, clock, wallClock: clock });
    expect(openNames(second)).toEqual(['default']);
    const index = () => readFileSync(join(data, 'resting.index-wal'), 'latin1');
    await until(() => ['a', 'b', 'c', 'd', 'e'].every((name) => index().includes(name)));
    await until(() => openNames(second).length === 1);
    clock.set(dueAt);
    await until(() => isOpen(second, 'd'));
  });

  test('removes unfinished files of a kill, and nothing else', async () => {
    const { data } = await folderWith(['a']);
    const left = [
      'a.sqlite.half',
      'a.sqlite-new',
      'b.sqlite.3.half',
      'image.1.half',
      'keys.json.2.half',
      'c.sqlite.4.half-wal',
    ];
    for (const name of [...left, 'mine.half.txt', 'notes.txt'])
      writeFileSync(join(data, name), 'SQLite format 3');
    const second = open({ data });
    expect(second.registry.list().map(({ name }) => name)).toEqual(['default', 'a']);
    const names = readdirSync(data);
    expect(left.filter((name) => names.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['mine.half.txt', 'notes.txt']));
  });

  test('creates no sandboxes above the limit, but opens all that it finds', async () => {
    const first = open({ maxSandboxes: 3 });
    for (const name of ['a', 'b']) use(first, name);
    expect(() => use(first, 'c')).toThrow('the maximum of SANDBANK_MAX_SANDBOXES');
    await first.registry.close();
    const second = open({ data: first.data, maxSandboxes: 1 });
    expect(second.registry.list()).toHaveLength(3);
    expect(use(second, 'b').name).toBe('b');
  });

  test('creates files that only their owner can read', async () => {
    const { data } = await folderWith(['a'], async ({ registry }) => {
      await registry.snapshots.take(registry.default(), 's');
    });
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(3);
    const modes = files.map(({ parentPath, name }) => [name, statSync(join(parentPath, name)).mode & 0o077]);
    expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
  });
});

describe('an unusable file', () => {
  const GARBAGE = 'this is no database, and long enough to be read as one'.repeat(50);
  const path = (data: string, name: string) => join(data, `${name}.sqlite`);
  const WAYS: [string, RegExp, (file: string) => void][] = [
    ['is not a database', /not a database/, (file) => writeFileSync(file, GARBAGE)],
    ['is empty', /its database is empty/, (file) => writeFileSync(file, '')],
    [
      'was deleted without its log',
      /missing, and only its write-ahead log/,
      (file) => {
        writeFileSync(`${file}-wal`, 'x'.repeat(4152));
        rmSync(file);
      },
    ],
    ['is truncated', /malformed|disk image/, (file) => truncateSync(file, 8192)],
    ['is of a newer version', /newer Sandbank/, (file) => writeInto(file, 60, Buffer.from([0, 0, 3, 231]))],
  ];

  /** A stopped bank whose sandbox `name` was damaged. */
  async function spoilt(name: string, spoil: (file: string) => void) {
    const first = open({ maxOpen: 50 });
    for (const other of ['a', 'b']) use(first, other).open();
    await label(use(first, 'b'), 'kept');
    await first.registry.close();
    const good = readFileSync(path(first.data, name));
    spoil(path(first.data, name));
    return { data: first.data, good };
  }
  const touch = (opened: Opened, name: string) => use(opened, name).store.counts();
  const nameOf = (sandbox: Sandbox) =>
    sandbox.bank.cards.byId(sandbox.seeded.ids.virtual_card ?? '').card.label;

  describe.each(WAYS)('because it %s', (_, why, spoil) => {
    // A default sandbox of a newer version prevents the start: the whole directory then is of that version.
    const names = why.source.includes('newer') ? ['a'] : ['a', 'default'];
    test.each(names)('does not affect the others, as %s, also after a restart', async (name) => {
      const { data } = await spoilt(name, spoil);
      for (let start = 0; start < 2; start += 1) {
        const opened = open({ data });
        for (let call = 0; call < 2; call += 1) {
          expect(() => touch(opened, name)).toThrow(
            expect.objectContaining({ code: 'sandbox_damaged', message: expect.stringMatching(why) }),
          );
        }
        expect(opened.aside).toEqual([[name, expect.stringMatching(why)]]);
        expect(opened.registry.list().filter(({ problem }) => problem !== '')).toEqual([
          expect.objectContaining({ name, open: false, problem: expect.stringMatching(why) }),
        ]);
        expect(nameOf(use(opened, 'b'))).toBe('kept');
        expect(opened.registry.now()).toBe(opened.clock.now());
        await opened.registry.close();
      }
    });

    test('works again after an import', async () => {
      const { data } = await spoilt('a', spoil);
      const opened = open({ data });
      expect(() => touch(opened, 'a')).toThrow(why);
      const image = use(opened, 'b').image();
      await opened.registry.exchange(use(opened, 'a'), image);
      expect(nameOf(use(opened, 'a'))).toBe('kept');
      expect(problemOf(opened, 'a')).toBe('');
      await opened.registry.close();
      const again = open({ data });
      expect(nameOf(use(again, 'a'))).toBe('kept');
    });

    test('can be replaced by a new one after its deletion', async () => {
      const { data } = await spoilt('a', spoil);
      const opened = open({ data });
      expect(() => touch(opened, 'a')).toThrow(why);
      await opened.registry.remove('a');
      expect(touch(opened, 'a')).toEqual(opened.registry.default().store.counts());
    });

    test('works again after its repair, without a restart', async () => {
      const { data, good } = await spoilt('a', spoil);
      const opened = open({ data });
      expect(() => touch(opened, 'a')).toThrow(why);
      rmSync(path(data, 'a'), { force: true, recursive: true });
      rmSync(`${path(data, 'a')}-wal`, { force: true });
      writeFileSync(path(data, 'a'), good);
      expect(touch(opened, 'a')).toEqual(opened.registry.default().store.counts());
      expect(problemOf(opened, 'a')).toBe('');
    });
  });

  test('can be replaced after a copy of it was attempted, and after one that failed', async () => {
    const { data } = await spoilt('a', (file) => writeFileSync(file, GARBAGE));
    const opened = open({ data });
    const sandbox = use(opened, 'a');
    await expect(opened.registry.snapshots.take(sandbox, 's')).rejects.toThrow('not a database');
    await opened.registry.exchange(sandbox, opened.registry.seedImages.image());
    await expect(sandbox.writeTo(join(data, 'nowhere', 'x'))).rejects.toThrow('does not exist');
    await opened.registry.exchange(sandbox, opened.registry.seedImages.image());
    expect(sandbox.isOpen()).toBe(true);
  });

  test('of the default sandbox can be reset', async () => {
    const { data } = await spoilt('default', (file) => writeFileSync(file, GARBAGE));
    const opened = open({ data });
    const sandbox = opened.registry.default();
    expect(() => sandbox.store.counts()).toThrow('not a database');
    await opened.registry.exchange(sandbox, opened.registry.seedImages.imageOf(sandbox));
    expect(sandbox.store.counts()).toEqual(use(opened, 'c').store.counts());
  });

  test('is also set aside if this is detected during use', async () => {
    const opened = open();
    const sandbox = use(opened, 'a');
    sandbox.open();
    const error = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
    opened.registry.noteFailure('a', new Error('something else'));
    expect(problemOf(opened, 'a')).toBe('');
    opened.registry.noteFailure('a', error);
    expect(() => touch(opened, 'a')).toThrow('database disk image is malformed');
    expect(opened.aside).toEqual([['a', 'database disk image is malformed']]);
    await opened.registry.exchange(sandbox, opened.registry.seedImages.image());
    expect(touch(opened, 'a')).toEqual(opened.registry.default().store.counts());
  });

  test('that another program has open is not marked as damaged permanently', () => {
    const opened = open();
    const other = open();
    use(other, 'x').open();
    // Another path for the same file, so that the lock of the directory does not apply.
    cpSync(path(other.data, 'x'), path(opened.data, 'x'));
    const holder = new Database(path(opened.data, 'x'));
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE');
    expect(() => touch(opened, 'x')).toThrow('another program has it open');
    holder.close();
    expect(touch(opened, 'x')).toEqual(opened.registry.default().store.counts());
  });
});

/** Writes bytes into a file at an offset. */
function writeInto(file: string, at: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, at);
  writeFileSync(file, content);
}

test('a bank that cannot write at its end is closed nevertheless, and loses nothing acknowledged', async () => {
  const data = makeFolder();
  const received: string[] = [];
  const first = open({
    data,
    onError: (name, error) => received.push(`${name}: ${(error as Error).message}`),
  });
  const sandbox = use(first, 'a');
  await label(sandbox, 'kept');
  // An id that no command stored is written when the bank is closed.
  sandbox.nextId();
  const { meta } = sandbox.store;
  meta.write = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  await first.registry.close();
  expect(received).toEqual(['a: database or disk is full']);
  const second = open({ data });
  const { bank, seeded } = use(second, 'a');
  expect(bank.cards.byId(seeded.ids.virtual_card ?? '').card.label).toBe('kept');
});

describe('a full disk while files are idle', () => {
  const diskFull = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  /** A registry that records the reports of its jobs. */
  function openWatched(): Opened & { reports: string[] } {
    const reports: string[] = [];
    const clock = createHandClock();
    const jobs = createBackgroundJobs({
      wallClock: clock,
      onFail: ({ sandbox, job }) => void reports.push(`${sandbox}: ${job} fails`),
      onRecover: ({ sandbox, job, failures }) =>
        void reports.push(`${sandbox}: ${job} works after ${failures > 1 ? 'many' : failures}`),
    });
    return { ...open({ jobs, clock }), reports };
  }
  /** Makes a write of only this bank fail; returns the function that ends that. */
  function fill(sandbox: Sandbox): () => void {
    // An id that no command stored is written when the file is closed.
    sandbox.nextId();
    const { meta } = sandbox.store;
    const { write } = meta;
    meta.write = () => {
      throw diskFull();
    };
    return () => {
      meta.write = write;
    };
  }

  test('keeps a file open, is reported once, and the file is closed when there is room', async () => {
    const opened = openWatched();
    const [a, b] = [use(opened, 'a'), use(opened, 'b')];
    b.open();
    const empty = fill(a);
    opened.clock.advance(MINUTE_MS);
    // The failure of one does not prevent others from being closed.
    await until(() => !isOpen(opened, 'b'));
    await someLooks();
    expect(isOpen(opened, 'a')).toBe(true);
    expect(opened.reports).toEqual(['a: close fails']);
    expect(opened.registry.jobs.failing()).toMatchObject([
      { sandbox: 'a', job: 'close', error: { message: 'database or disk is full' } },
    ]);
    expect(opened.registry.jobs.failures().get('close')).toBeGreaterThan(1);
    empty();
    await until(() => !isOpen(opened, 'a'));
    expect(opened.reports).toEqual(['a: close fails', 'a: close works after many']);
    expect(opened.registry.jobs.failing()).toEqual([]);
  });

  test('does not report a failed closing of a sandbox that is in use again', async () => {
    const opened = openWatched();
    const sandbox = use(opened, 'a');
    const empty = fill(sandbox);
    opened.clock.advance(MINUTE_MS);
    await until(() => opened.reports.includes('a: close fails'));
    sandbox.open();
    await until(() => opened.registry.jobs.failing().length === 0);
    expect(isOpen(opened, 'a')).toBe(true);
    empty();
  });

  test('at the limit of open files allows another one, as long as the process can open it', () => {
    const opened = openWatched();
    const filled = ['a', 'b'].map((name) => fill(use(opened, name)));
    opened.clock.advance(2_000);
    expect(use(opened, 'c').bank.accounts.master().account.id).not.toBe('');
    expect(openNames(opened)).toEqual(['default', 'a', 'b', 'c']);
    expect(opened.reports).toEqual(['a: close fails']);
    for (const empty of filled) empty();
  });

  test('does not prevent a bank whose closing failed from settling payments', async () => {
    const opened = openWatched();
    const sandbox = use(opened, 'a');
    await pay(sandbox);
    const dueAt = sandbox.store.agenda.nextDueAt() ?? 0;
    expect(dueAt).toBeGreaterThan(opened.clock.now());
    const instance = sandbox.opened();
    const empty = fill(sandbox);
    expect(() => instance?.abandon()).toThrow('full');
    empty();
    opened.clock.advance(dueAt - opened.clock.now());
    instance?.agenda.rearm();
    await until(() => sandbox.store.agenda.nextDueAt() !== dueAt);
  });

  test('does not report a failed delivery of a closed sandbox', async () => {
    const opened = openWatched();
    const sandbox = use(opened, 'a');
    sandbox.open();
    const end = watchSqlite(({ sql }) => {
      if (sql.startsWith('select "id" from "webhooks"')) throw diskFull();
    });
    await label(sandbox, 'read by the courier');
    await until(() => opened.reports.includes('a: deliver fails'));
    end();
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    expect(opened.registry.jobs.failing()).toEqual([]);
  });

  test('a file that another program had open when its step was due is opened later', async () => {
    const opened = openWatched();
    const sandbox = use(opened, 'a');
    const { id } = await pay(sandbox);
    opened.clock.set(sandbox.store.agenda.nextDueAt() ?? 0);
    await sandbox.agenda.runDue();
    const { status } = sandbox.bank.payments.byId(id);
    const dueAt = sandbox.store.agenda.nextDueAt() ?? 0;
    opened.clock.advance(MINUTE_MS);
    await until(() => !isOpen(opened, 'a'));
    const end = watchSqlite(({ sql, database }) => {
      if (sql.includes('locking_mode') && database.name === join(opened.data, 'a.sqlite')) {
        throw sqliteError('SQLITE_BUSY');
      }
    });
    opened.clock.set(dueAt);
    await until(() => opened.reports.includes('a: open fails'));
    end();
    opened.clock.advance(MINUTE_MS);
    await until(() => isOpen(opened, 'a'));
    await until(() => sandbox.bank.payments.byId(id).status !== status);
    expect(opened.registry.jobs.failing()).toEqual([]);
  });

  test('an index that cannot be written is written later', async () => {
    const opened = openWatched();
    use(opened, 'a').open();
    const end = watchSqlite(({ database }) => {
      if (database.name === join(opened.data, 'resting.index')) throw sqliteError('SQLITE_FULL');
    });
    opened.clock.advance(MINUTE_MS);
    await until(() => opened.reports.includes('a: index fails'));
    expect(isOpen(opened, 'a')).toBe(false);
    end();
    await until(() => opened.registry.jobs.failing().length === 0);
    expect(opened.reports.map((line) => line.replace(/ after .*/, ''))).toEqual([
      'a: index fails',
      'a: index works',
    ]);
  });
});

test('a resting sandbox is not opened after its registry is closed', async () => {
  const opened = open();
  const sandbox = use(opened, 'a');
  opened.clock.advance(MINUTE_MS);
  await until(() => !isOpen(opened, 'a'));
  await opened.registry.close();
  expect(() => sandbox.open()).toThrow('the bank is closed');
});

test('the index of resting files omits a file that was deleted while no process ran', async () => {
  const data = makeFolder();
  const first = open({ data });
  for (const name of ['a', 'b']) use(first, name).open();
  await first.registry.close();
  const indexed = () => {
    const index = openRestingIndex(join(data, 'resting.index'), () => {});
    const names = [...index.all().keys()].toSorted();
    index.close();
    return names;
  };
  expect(indexed()).toEqual(['a', 'b', 'default']);
  rmSync(join(data, 'a.sqlite'));
  await open({ data }).registry.close();
  expect(indexed()).toEqual(['b', 'default']);
});
