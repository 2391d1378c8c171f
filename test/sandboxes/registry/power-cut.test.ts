// The guarantee of SANDBANK_SYNCHRONOUS=full: acknowledged changes survive a power failure. The files are written to
// a file system that simulates a power failure at any moment: of a file that was not synced only the name remains,
// and in a folder that was not synced the previous entries remain. SQLite syncs its own files.

import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createRegistry,
  type Registry,
  type RegistryOptions,
} from '../../../src/sandboxes/registry/registry.ts';
import type { Files } from '../../../src/sandboxes/sandbox/disk.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { watchSqlite } from '../../support/failing-sqlite.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';

type Inode = number;

/** A file system below a folder that loses what was not synced. */
function forgetful(root: string) {
  const safeContent = new Set<Inode>();
  /** The names in each synced folder at that time. */
  const safeNames = new Map<string, Map<string, Inode>>();
  const paths = new Map<number, string>();
  /** Called before every step that changes something. */
  let before = (): void => {};

  const inodeOf = (path: string): Inode => fs.statSync(path).ino;
  const namesOf = (folder: string): Map<string, Inode> =>
    new Map(fs.readdirSync(folder).map((name) => [name, inodeOf(join(folder, name))]));
  /** Keeps the content of a file whose name is removed. */
  const stored = join(makeFolder(), 'kept');
  fs.mkdirSync(stored);
  const keep = (path: string): void => {
    if (!fs.existsSync(path) || fs.statSync(path).isDirectory()) return;
    const under = join(stored, String(inodeOf(path)));
    if (!fs.existsSync(under)) fs.linkSync(path, under);
  };
  const synced = (path: string): void => {
    if (fs.statSync(path).isDirectory()) safeNames.set(path, namesOf(path));
    else safeContent.add(inodeOf(path));
  };

  const files: Files = {
    openSync: ((path: string, ...more: []) => {
      before();
      const file = fs.openSync(path, ...(more as unknown as [string]));
      paths.set(file, path);
      return file;
    }) as typeof fs.openSync,
    closeSync: fs.closeSync,
    writeFileSync: (...args) => {
      before();
      fs.writeFileSync(...args);
    },
    fsyncSync(file) {
      synced(paths.get(file) ?? '');
    },
    renameSync(from, to) {
      before();
      keep(String(to));
      keep(String(from));
      fs.renameSync(from, to);
    },
    rmSync(path, options) {
      before();
      keep(String(path));
      fs.rmSync(path, options);
    },
    mkdirSync: ((...args: [string]) => {
      before();
      return fs.mkdirSync(...args);
    }) as typeof fs.mkdirSync,
    async copyFile(from, to) {
      await promises.copyFile(from, to);
    },
    open: (async (path: string, ...more: []) => {
      const file = await promises.open(path, ...more);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        synced(path);
      };
      return file;
    }) as typeof promises.open,
  };

  /** The state after a power failure now. */
  const cut = (): string => {
    const left = join(makeFolder(), 'data');
    const restore = (folder: string): void => {
      const to = join(left, relative(root, folder));
      fs.mkdirSync(to, { recursive: true });
      const now = fs.existsSync(folder) ? namesOf(folder) : new Map<string, Inode>();
      const names = new Map(safeNames.get(folder) ?? []);
      // SQLite syncs the folder of a log that it creates, and removes a log that it has finished.
      for (const [name, inode] of now) if (isOfSqlite(name)) names.set(name, inode);
      for (const name of [...names.keys()]) if (isOfSqlite(name) && !now.has(name)) names.delete(name);
      for (const [name, inode] of names) {
        const path = [join(folder, name), join(stored, String(inode))].find(
          (at) => fs.existsSync(at) && inodeOf(at) === inode,
        );
        if (path === undefined) throw new Error(`${name} is nowhere`);
        if (fs.statSync(path).isDirectory()) restore(path);
        else if (safeContent.has(inode) || isOfSqlite(name)) fs.copyFileSync(path, join(to, name));
        else fs.writeFileSync(join(to, name), '');
      }
    };
    restore(root);
    return left;
  };

  return {
    files,
    cut,
    /** Simulates a failure before every step of an operation, and returns the state after each. */
    async cutsDuring(action: () => unknown): Promise<string[]> {
      const cuts: string[] = [];
      before = () => cuts.push(cut());
      try {
        await action();
      } finally {
        before = () => {};
      }
      return cuts;
    },
  };
}

/** Files that SQLite creates, writes and syncs. */
const isOfSqlite = (name: string): boolean => /-(wal|shm|journal)$|^resting\.index/.test(name);

const openIn = (data: string, changes: Partial<RegistryOptions> = {}): Registry => {
  const clock = createHandClock();
  const registry = createRegistry({
    data,
    synchronous: 'full',
    seed: 'test',
    rails: 'manual',
    webhookUrl: null,
    clock,
    wallClock: clock,
    send: async () => ({ status: 200, durationMs: 1, error: '', retryAfter: null }),
    onError: (_, error) => {
      throw error;
    },
    ...changes,
  });
  onTestFinished(() => registry.close());
  return registry;
};

const label = (sandbox: Sandbox, text: string) =>
  sandbox.commit(() => sandbox.bank.cards.change(sandbox.seeded.ids.virtual_card ?? '', { label: text }));
const labelOf = (sandbox: Sandbox) =>
  sandbox.bank.cards.byId(sandbox.seeded.ids.virtual_card ?? '').card.label;

/** A bank on a file system that loses unsynced data, with a payment card that is called `before`. */
async function begin() {
  const data = join(fs.realpathSync(makeFolder()), 'data');
  const disk = forgetful(data);
  const registry = openIn(data, { files: disk.files });
  await label(registry.default(), 'before');
  return { data, disk, registry };
}

/** The state that the next process finds after a failure. */
async function found<T>(left: string, look: (registry: Registry) => T | Promise<T>): Promise<T> {
  const registry = openIn(left);
  try {
    return await look(registry);
  } finally {
    await registry.close();
  }
}
const defaultLabel = (left: string) => found(left, (registry) => labelOf(registry.default()));

describe('after a power cut', () => {
  test('the first start is complete, with its responses', async () => {
    const { disk } = await begin();
    expect(await defaultLabel(disk.cut())).toBe('before');
  });

  test('a created sandbox exists, unless there was no response yet', async () => {
    const { disk, registry } = await begin();
    const cuts = await disk.cutsDuring(() => registry.create('made'));
    expect(cuts.length).toBeGreaterThan(2);
    for (const left of cuts) {
      await found(left, (bank) => {
        expect(bank.list().filter(({ problem }) => problem !== '')).toEqual([]);
        expect(labelOf(bank.default())).toBe('before');
      });
    }
    const made = registry.byName('made') as Sandbox;
    await label(made, 'mine');
    await found(disk.cut(), (bank) => expect(labelOf(bank.byName('made') as Sandbox)).toBe('mine'));
  });

  test('a deleted sandbox does not exist', async () => {
    const { disk, registry } = await begin();
    registry.create('made');
    await registry.remove('made');
    await found(disk.cut(), (bank) => expect(bank.list().map(({ name }) => name)).toEqual(['default']));
  });

  test('a reset is complete if there was a response, and otherwise complete or without effect', async () => {
    const { disk, registry } = await begin();
    const sandbox = registry.default();
    const image = registry.seedImages.imageOf(sandbox);
    const cuts = await disk.cutsDuring(() => registry.exchange(sandbox, image));
    expect(cuts.length).toBeGreaterThan(2);
    const fresh = labelOf(sandbox);
    expect(fresh).not.toBe('before');
    for (const left of cuts) expect(['before', fresh]).toContain(await defaultLabel(left));
    expect(await defaultLabel(disk.cut())).toBe(fresh);
    await label(sandbox, 'after');
    expect(await defaultLabel(disk.cut())).toBe('after');
  });

  test('a snapshot is complete if there was a response, and so is its restore', async () => {
    const { disk, registry } = await begin();
    const sandbox = registry.default();
    const digest = digestOf(sandbox);
    await registry.snapshots.take(sandbox, 'kept');
    await found(disk.cut(), async (bank) => {
      const stored = bank.snapshots.find('default', 'kept')?.image as { file: string };
      expect(bank.seedImages.withTemporary(fs.readFileSync(stored.file), digestOf)).toBe(digest);
    });
    await label(sandbox, 'later');
    const kept = await registry.images.ofSnapshot('default', 'kept');
    const cuts = await disk.cutsDuring(() => registry.exchange(sandbox, kept));
    for (const left of cuts) expect(['later', 'before']).toContain(await defaultLabel(left));
    expect(await defaultLabel(disk.cut())).toBe('before');
  });

  test('the keys of created sandboxes exist', async () => {
    const { data, disk, registry } = await begin();
    await registry.close();
    const closed = { randomText: () => 'r4nd0m' };
    const again = openIn(data, { files: disk.files, closed });
    const { key } = again.create('mine');
    const left = disk.cut();
    const after = openIn(left, { closed });
    expect(after.byKey(key)?.name).toBe('mine');
  });

  test('a new sandbox has the same secrets, although their first write does not wait for the disk', async () => {
    const data = join(fs.realpathSync(makeFolder()), 'data');
    const disk = forgetful(data);
    const changes = { randomText: (length: number) => 'r'.repeat(length) };
    const registry = openIn(data, { ...changes, files: disk.files });
    const steps: string[] = [];
    const end = watchSqlite(({ sql }) => steps.push(sql));
    const made = registry.create('made').sandbox;
    end();
    const waiting = steps.findIndex((sql) => sql.startsWith('UPDATE webhooks'));
    expect(steps.slice(0, waiting).findLast((sql) => sql.includes('synchronous'))).toMatch(
      /synchronous = OFF/,
    );
    expect(steps.findLast((sql) => sql.includes('synchronous'))).toBe('PRAGMA synchronous = full');
    const left = disk.cut();
    fs.rmSync(join(left, 'made.sqlite-wal'));
    const again = openIn(left, changes).byName('made');
    expect(again?.seeded).toEqual(made.seeded);
    expect(again?.bank.webhooks.byId(made.seeded.webhookId).secret).toBe(made.seeded.webhookSecret);
    expect(made.seeded.webhookSecret).not.toBe(registry.default().seeded.webhookSecret);
  });

  test('every commit of SQLite waits for the disk, after each of these operations', async () => {
    const { registry } = await begin();
    const sandbox = registry.default();
    const FULL = 2;
    const mode = () => sandbox.connection.sqlite.prepare('PRAGMA synchronous').pluck().get();
    expect(mode()).toBe(FULL);
    await registry.exchange(sandbox, registry.seedImages.image());
    expect(mode()).toBe(FULL);
    await registry.snapshots.take(sandbox, 'kept');
    expect(mode()).toBe(FULL);
    const made = registry.create('made').sandbox;
    expect(made.connection.sqlite.prepare('PRAGMA synchronous').pluck().get()).toBe(FULL);
    made.rest(0);
    expect(made.isOpen()).toBe(false);
    expect(made.connection.sqlite.prepare('PRAGMA synchronous').pluck().get()).toBe(FULL);
  });
});

test('a file system that loses unsynced data is simulated: without a sync the changes are lost', async () => {
  const data = join(fs.realpathSync(makeFolder()), 'data');
  const disk = forgetful(data);
  const registry = openIn(data, { files: disk.files, synchronous: 'normal' });
  registry.create('made');
  const left = disk.cut();
  expect(fs.readdirSync(left).filter((name) => name === 'made.sqlite')).toEqual([]);
  expect(dirname(left)).not.toBe(dirname(data));
});
