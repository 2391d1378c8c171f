// The bank of each key: the first use of a key creates its sandbox, later uses open the same one, and with a data
// directory the next process finds it.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Outgoing } from '../../../src/bank/delivery/sender.ts';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import { keyOf } from '../../../src/sandboxes/registry/keys.ts';
import {
  createRegistry,
  prepareRegistry,
  type Registry,
  type RegistryOptions,
} from '../../../src/sandboxes/registry/registry.ts';
import { DataFileError } from '../../../src/sandboxes/sandbox/disk.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock, START, smallFixture } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { optionsFor } from './support.ts';

function openRegistry(changes: Partial<RegistryOptions> = {}): Registry & { sent: Outgoing[] } {
  const sent: Outgoing[] = [];
  const errors: unknown[] = [];
  const registry = createRegistry({
    ...optionsFor(createHandClock(), errors),
    send: async (outgoing) => {
      sent.push(outgoing);
      return { status: 200, durationMs: 1, error: '', retryAfter: null };
    },
    ...changes,
  });
  onTestFinished(async () => {
    const problems = [...registry.open()].flatMap((sandbox) => sandbox.audit().problems);
    await registry.close();
    expect([problems, errors]).toEqual([[], []]);
  });
  return { ...registry, sent };
}

const names = (registry: Registry) => [...registry.open()].map(({ name }) => name);

describe('a key', () => {
  test.each(['a', 'ci-7', 'A_b-9', '0', 'x'.repeat(64)])('test_%s opens the sandbox of its name', (name) => {
    const registry = openRegistry();
    const sandbox = registry.byKey(`test_${name}`);
    expect(sandbox?.name).toBe(name);
    expect(registry.byKey(keyOf(name))).toBe(sandbox);
    expect(registry.byName(name)).toBe(sandbox);
  });

  test.each([
    '',
    'a',
    'test',
    'test_',
    'test_-a',
    'test__a',
    'TEST_a',
    ' test_a',
    'test_a ',
    'test_a\n',
    'test_a b',
    'test_a.b',
    'test_../a',
    'test_a/b',
    'test_é',
    'live_a',
    `test_${'x'.repeat(65)}`,
  ])('%j opens no sandbox', (key) => {
    const registry = openRegistry();
    expect(registry.byKey(key)).toBeUndefined();
    expect(names(registry)).toEqual(['default']);
  });

  test('distinguishes upper and lower case in names', () => {
    const registry = openRegistry();
    expect(registry.byKey('test_a')).not.toBe(registry.byKey('test_A'));
  });
});

describe('the registry', () => {
  test('has the default sandbox at the start, and the others from their first use', () => {
    const registry = openRegistry();
    expect(names(registry)).toEqual(['default']);
    expect(registry.byKey('test_default')).toBe(registry.default());
    expect(registry.byName('a')).toBeUndefined();
    registry.byKey('test_a');
    expect(names(registry)).toEqual(['default', 'a']);
  });

  test('opens every sandbox as the same bank, which is independent afterwards', async () => {
    const registry = openRegistry();
    const [first, second] = [registry.byKey('test_a'), registry.byKey('test_b')];
    if (first === undefined || second === undefined) throw new Error('both keys are good');
    expect(first.seeded).toEqual(second.seeded);
    const before = digestOf(second);
    expect(digestOf(first)).toBe(before);
    await first.commit(() => first.bank.webhooks.remove(first.seeded.webhookId));
    expect(digestOf(first)).not.toBe(before);
    expect(digestOf(second)).toBe(before);
    expect(digestOf(registry.default())).toBe(before);
  });

  test('gives a request without a sandbox an id that does not affect any sandbox', () => {
    const [first, second] = [openRegistry(), openRegistry()];
    const strays = Array.from({ length: 50 }, () => first.strayId());
    expect(new Set(strays).size).toBe(50);
    expect(first.default().nextId()).toBe(second.default().nextId());
    expect(strays).not.toContain(second.default().nextId());
  });

  test('gives each bank its own listeners', async () => {
    const registry = openRegistry({ webhookUrl: 'http://127.0.0.1:9/hook' });
    const [first, second] = [registry.byKey('test_a'), registry.byKey('test_b')];
    if (first === undefined || second === undefined) throw new Error('both keys are good');
    expect(first.bank.webhooks.byId(first.seeded.webhookId)).toMatchObject({
      status: 'active',
      url: 'http://127.0.0.1:9/hook',
    });
    await first.commit(() => first.bank.cards.change(first.seeded.ids.virtual_card ?? '', { label: 'x' }));
    await Promise.all([first.courier?.idle(), second.courier?.idle()]);
    expect(registry.sent.map(({ body }) => JSON.parse(body).eventType)).toEqual(['card.updated']);
  });
});

test('creates no sandbox while the one of that name is being deleted, and a new one afterwards', async () => {
  let finish = (): void => {};
  const asked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const registry = openRegistry({ onRemove: () => asked });
  const before = registry.byKey('test_a');
  const removed = registry.remove('a');
  expect(registry.byKey('test_a')).toBeUndefined();
  finish();
  await removed;
  const after = registry.byKey('test_a');
  expect(after).toBeDefined();
  expect(after === before).toBe(false);
});

describe('with a data directory', () => {
  test('the seeded webhook has the URL of a later start, and keeps it without one', async () => {
    const data = makeFolder();
    const seen: [string, string][] = [];
    for (const webhookUrl of [null, 'http://127.0.0.1:9/first', 'http://127.0.0.1:9/second', null]) {
      const registry = openRegistry({ data, webhookUrl });
      const { bank, seeded } = registry.default();
      const { status, url } = bank.webhooks.byId(seeded.webhookId);
      seen.push([status, url]);
      await registry.close();
    }
    expect(seen).toEqual([
      ['paused', 'http://127.0.0.1:9/'],
      ['active', 'http://127.0.0.1:9/first'],
      ['active', 'http://127.0.0.1:9/second'],
      ['active', 'http://127.0.0.1:9/second'],
    ]);
  });

  test('a sandbox is a file, which the next process finds', async () => {
    const data = join(makeFolder(), 'deep', 'down');
    const first = openRegistry({ data });
    const sandbox = first.byKey('test_a');
    await sandbox?.commit(() => sandbox.bank.webhooks.remove(sandbox.seeded.webhookId));
    expect(
      readdirSync(data)
        .filter((name) => name.endsWith('.sqlite'))
        .toSorted(),
    ).toEqual(['a.sqlite', 'default.sqlite']);
    const stored = sandbox && digestOf(sandbox);
    await first.close();

    const second = openRegistry({ data, seed: 'another' });
    expect(
      second
        .list()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['a', 'default']);
    const again = second.byName('a');
    expect(again && digestOf(again)).toBe(stored);
    expect(again?.bank.webhooks.list()).toEqual([]);
  });

  test('a new sandbox that cannot be opened leaves no file', () => {
    const data = makeFolder();
    const registry = openRegistry({ data });
    const end = watchSqlite(() => {
      throw sqliteError('SQLITE_FULL');
    });
    try {
      expect(() => registry.byKey('test_a')).toThrow();
    } finally {
      end();
    }
    expect(readdirSync(data).filter((name) => name.startsWith('a.'))).toEqual([]);
    expect(registry.list().map(({ name }) => name)).toEqual(['default']);
    expect(registry.byKey('test_a')?.name).toBe('a');
  });

  test('a reset opens one database, and shows the new bank before it ends the old one', async () => {
    const registry = openRegistry({ data: makeFolder(), synchronous: 'normal' });
    const sandbox = registry.default();
    const reset = async (): Promise<number> => {
      const old = sandbox.connection.sqlite;
      const databases = new Set<object>();
      const end = watchSqlite(({ database, sql }) => {
        if (!sql.startsWith('PRAGMA synchronous')) databases.add(database);
      });
      const image = registry.seedImages.imageOf(sandbox);
      const preview = () => registry.seedImages.preview(image);
      const seen = await registry.exchange(
        sandbox,
        image,
        ({ store, clock }) => [sandbox.connection.sqlite === old, store.counts(), clock.setting().mode],
        preview,
      );
      end();
      expect(seen).toEqual([true, sandbox.store.counts(), 'live']);
      databases.delete(old);
      databases.delete(preview().connection.sqlite);
      return databases.size;
    };
    expect([await reset(), await reset()]).toEqual([1, 1]);
    await expect(
      registry.exchange(sandbox, registry.seedImages.image(), () => {
        throw new Error('not shown');
      }),
    ).rejects.toThrow('not shown');
    expect(sandbox.bankNumber).toBe(2);
  });

  test('a removal reports what it cannot remove, and the sandbox is gone', async () => {
    const data = makeFolder();
    const reported: unknown[] = [];
    const registry = openRegistry({
      data,
      closed: { randomText: () => 'secret' },
      onError: (name, error) => reported.push([name, (error as NodeJS.ErrnoException).code]),
    });
    const { key } = registry.create('a');
    expect(registry.byKey(key)?.name).toBe('a');
    // The file of the keys cannot be replaced.
    rmSync(join(data, 'keys.json'));
    mkdirSync(join(data, 'keys.json'));
    await registry.remove('a');
    expect([names(registry), existsSync(join(data, 'a.sqlite'))]).toEqual([['default'], false]);
    expect(reported).toEqual([['a', 'EISDIR']]);
  });

  // A large bank is copied in several turns of the event loop.
  test.each<[string, number]>([
    ['small', 0],
    ['large', 2_000_000],
  ])('a %s bank is the same in a copy, and after a restore of its snapshot', async (_, padding) => {
    const registry = openRegistry({ data: makeFolder() });
    const sandbox = registry.default();
    sandbox.store.meta.write('settings', 'x'.repeat(padding));
    const digest = digestOf(sandbox);
    await registry.snapshots.take(sandbox, 'kept');
    const image = await registry.images.of(sandbox);
    expect(Buffer.isBuffer(image)).toBe(padding === 0);
    expect(digestOf(registry.create('copy', image).sandbox)).toBe(digest);
    sandbox.store.meta.write('settings', 'changed');
    expect(digestOf(sandbox)).not.toBe(digest);
    await registry.exchange(sandbox, await registry.images.ofSnapshot('default', 'kept'));
    expect(digestOf(sandbox)).toBe(digest);
  });

  test('other files in it are not touched', () => {
    const data = makeFolder();
    writeFileSync(join(data, 'notes.txt'), 'mine');
    writeFileSync(join(data, '-odd.sqlite'), 'mine');
    expect(names(openRegistry({ data }))).toEqual(['default']);
  });

  test('the clock of a bank continues after a restart, and ids do not repeat', async () => {
    const data = makeFolder();
    const first = openRegistry({ data });
    const seen = [first.default().nextId(), first.default().nextId()];
    await first.close();
    const clock = createHandClock(START - 5_000);
    const second = openRegistry({ data, clock });
    const next = second.default().nextId();
    expect(seen).not.toContain(next);
    expect(next > (seen[1] ?? '')).toBe(true);
  });
});

describe('a key that is first used after a restart', () => {
  /** Uses keys in one process; returns their banks before any change. */
  async function processOf(
    data: string,
    days: number,
    use: readonly string[],
    changes: Partial<RegistryOptions> = {},
    meanwhile: (registry: Registry) => void = () => {},
  ): Promise<string[]> {
    const clock = createHandClock(START + days * DAY_MS);
    const registry = createRegistry({ ...optionsFor(clock), rails: 'manual', data, ...changes });
    meanwhile(registry);
    const found = use.map((name) => digestOf(registry.byKey(`test_${name}`) as Sandbox));
    await registry.close();
    return found;
  }
  const seedSources = (data: string) =>
    JSON.parse(readFileSync(join(data, 'seeded.json'), 'utf8')) as unknown;
  const row = (seed: string, rails: string, days: number) => ({
    seed,
    rails,
    at: new Date(START + days * DAY_MS).toISOString(),
  });

  test('opens the same bank as it would have before, however long ago that was', async () => {
    const data = makeFolder();
    const [a, b] = await processOf(data, 0, ['a', 'b']);
    expect(b).toBe(a);
    expect(await processOf(data, 1, ['c'])).toEqual([a]);
    expect(await processOf(data, 400, ['d', 'e'])).toEqual([a, a]);
    expect(seedSources(data)).toEqual([row('test', 'manual', 0)]);
  });

  test('opens another bank with another seed or other rails, and the first one again with the first settings', async () => {
    const data = makeFolder();
    const [a] = await processOf(data, 0, ['a']);
    const [b] = await processOf(data, 1, ['b'], { seed: 'other' });
    const [c] = await processOf(data, 2, ['c'], { rails: 'calendar' });
    expect(new Set([a, b, c]).size).toBe(3);
    expect(await processOf(data, 3, ['d'], { seed: 'other' })).toEqual([b]);
    expect(await processOf(data, 4, ['e'], { rails: 'calendar' })).toEqual([c]);
    expect(await processOf(data, 5, ['f'])).toEqual([a]);
    expect(seedSources(data)).toEqual([
      row('test', 'manual', 0),
      row('other', 'manual', 1),
      row('test', 'calendar', 2),
    ]);
  });

  test('is seeded at the first use of its settings, with or without an earlier use of a key', async () => {
    const data = makeFolder();
    await processOf(data, 0, []);
    await processOf(data, 1, [], { seed: 'other' });
    const [late] = await processOf(data, 2, ['a'], { seed: 'other' });
    expect(seedSources(data)).toEqual([row('test', 'manual', 0), row('other', 'manual', 1)]);
    expect(await processOf(makeFolder(), 1, ['a'], { seed: 'other' })).toEqual([late]);
  });

  test('opens the same bank, whatever happened to the others', async () => {
    const data = makeFolder();
    const [a] = await processOf(data, 0, ['a']);
    const other = openRegistry({ seed: 'elsewhere' }).default().image();
    const changed = await processOf(data, 1, ['b', 'default'], {}, (registry) => {
      registry.default().replaceWith(other);
    });
    expect(changed).toEqual([a, expect.not.stringMatching(a ?? '')]);
    const document = { ...smallFixture(), cards: [] };
    const seeded = await processOf(data, 2, ['c', 'default'], {}, (registry) => {
      registry.default().replaceWith(registry.seedImages.imageFrom(document, START + 2 * DAY_MS));
    });
    expect(seeded).toEqual([a, expect.not.stringMatching(a ?? '')]);
    const reset = await processOf(data, 3, ['d'], {}, (registry) => {
      const sandbox = registry.default();
      sandbox.replaceWith(registry.seedImages.imageOf(sandbox));
    });
    expect(reset).toEqual([a]);
    expect(await processOf(data, 4, ['e'])).toEqual([a]);
  });

  test('is seeded again if nothing is stored', async () => {
    const [first, second] = [createHandClock(), createHandClock(START + 1)].map((clock) =>
      openRegistry({ clock, wallClock: clock }).byKey('test_a'),
    );
    expect(first?.seeded.ids).not.toEqual(second?.seeded.ids);
  });

  test('is read from the file of an earlier version, which is renamed', async () => {
    const data = makeFolder();
    const before = await processOf(data, 0, ['first']);
    renameSync(join(data, 'seeded.json'), join(data, 'founding.json'));
    expect(await processOf(data, 10, ['second'])).toEqual(before);
    expect(readdirSync(data)).toContain('seeded.json');
    expect(readdirSync(data)).not.toContain('founding.json');
  });

  test.each(['', '{', '{}', '[1]', '[null]', '[{"seed":"test","rails":"manual","at":"soon"}]'])(
    'is refused if the file contains %j',
    async (text) => {
      const data = makeFolder();
      await processOf(data, 0, []);
      const path = join(data, 'seeded.json');
      writeFileSync(path, text);
      const { registry, open } = prepareRegistry({ ...optionsFor(createHandClock()), data });
      const output = `${path} contains when the sandboxes were seeded and cannot be read; restore it or delete it`;
      expect(open).toThrow(new DataFileError(output));
      await registry.close();
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});

describe('a registry that is not open yet', () => {
  const prepared = (data: string | null) => prepareRegistry({ ...optionsFor(createHandClock()), data });

  test('has touched no file, and has no default sandbox', async () => {
    const data = join(makeFolder(), 'data');
    const { registry, open, undo } = prepared(data);
    expect(existsSync(data)).toBe(false);
    expect(() => registry.default()).toThrow('not open');
    expect(registry.list()).toEqual([]);
    await registry.close();
    undo();
    open();
    expect(registry.default().name).toBe('default');
    await registry.close();
    expect(readdirSync(data).toSorted()).toEqual(['default.sqlite', 'resting.index', 'seeded.json']);
  });

  test('that could not be opened removes the folders and files that it created', async () => {
    const folder = makeFolder();
    const data = join(folder, 'deep', 'data');
    const { registry, open, undo } = prepared(data);
    open();
    await registry.close();
    undo();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('and keeps those of others', async () => {
    const folder = makeFolder();
    const data = join(folder, 'deep', 'data');
    const { registry, open, undo } = prepared(data);
    open();
    await registry.close();
    writeFileSync(join(data, 'notes.txt'), 'mine');
    undo();
    expect(readdirSync(data)).toEqual(['notes.txt']);
    rmSync(join(data, 'notes.txt'));

    const before = prepared(data);
    before.open();
    before.registry.byKey('test_a');
    await before.registry.close();
    const files = readdirSync(data).toSorted();
    writeFileSync(join(data, 'seeded.json'), '{');
    const again = prepared(data);
    expect(again.open).toThrow(/cannot be read/);
    await again.registry.close();
    again.undo();
    expect(readdirSync(data).toSorted()).toEqual(files);
  });

  test('that another process locks out has not touched the others', async () => {
    const data = makeFolder();
    const first = prepared(data);
    first.open();
    first.registry.byKey('test_a');
    const files = readdirSync(data).toSorted();
    const second = prepareRegistry({ ...optionsFor(createHandClock()), data, seed: 'another' });
    expect(second.open).toThrow(/locked/);
    await second.registry.close();
    second.undo();
    expect(readdirSync(data).toSorted()).toEqual(files);
    expect(readFileSync(join(data, 'seeded.json'), 'utf8')).not.toContain('another');
    await first.registry.close();
  });
});
