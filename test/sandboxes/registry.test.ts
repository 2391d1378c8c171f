// Which key opens which bank: a sandbox comes into being with the first use of its key, is the same ever after, and with
// a data directory is found again by the next process.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Outgoing } from '../../src/delivery/sender.ts';
import { createRegistry, keyOf, type Registry, type RegistryOptions } from '../../src/sandboxes/registry.ts';
import { makeFolder } from '../support/folder.ts';
import { createHandClock, START } from '../support/sandbox.ts';
import { digestOf } from '../support/tables.ts';

function openRegistry(changes: Partial<RegistryOptions> = {}): Registry & { sent: Outgoing[] } {
  const clock = createHandClock();
  const sent: Outgoing[] = [];
  const errors: unknown[] = [];
  const registry = createRegistry({
    data: null,
    synchronous: 'off',
    seed: 'test',
    rails: 'fast',
    webhookUrl: null,
    clock,
    wallClock: clock,
    send: async (outgoing) => {
      sent.push(outgoing);
      return { status: 200, durationMs: 1, error: '', retryAfter: null };
    },
    onError: (_, error) => errors.push(error),
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
  ])('%j opens nothing', (key) => {
    const registry = openRegistry();
    expect(registry.byKey(key)).toBeUndefined();
    expect(names(registry)).toEqual(['default']);
  });

  test('tells names apart by their case', () => {
    const registry = openRegistry();
    expect(registry.byKey('test_a')).not.toBe(registry.byKey('test_A'));
  });
});

describe('the registry', () => {
  test('has the default sandbox from the start, and the others from their first use', () => {
    const registry = openRegistry();
    expect(names(registry)).toEqual(['default']);
    expect(registry.byKey('test_default')).toBe(registry.default());
    expect(registry.byName('a')).toBeUndefined();
    registry.byKey('test_a');
    expect(names(registry)).toEqual(['default', 'a']);
  });

  test('opens every sandbox as the same bank, which then goes its own way', async () => {
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

  test('gives a request that belongs to no sandbox an id that disturbs none', () => {
    const [first, second] = [openRegistry(), openRegistry()];
    const strays = Array.from({ length: 50 }, () => first.strayId());
    expect(new Set(strays).size).toBe(50);
    expect(first.default().nextId()).toBe(second.default().nextId());
    expect(strays).not.toContain(second.default().nextId());
  });

  test('gives each bank its own news to tell', async () => {
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

describe('with a data directory', () => {
  test('the seeded webhook follows the address that a later start names, and keeps it without one', async () => {
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
    const kept = sandbox && digestOf(sandbox);
    await first.close();

    const second = openRegistry({ data, seed: 'another' });
    expect(names(second).toSorted()).toEqual(['a', 'default']);
    const again = second.byName('a');
    expect(again && digestOf(again)).toBe(kept);
    expect(again?.bank.webhooks.list()).toEqual([]);
  });

  test('what else lies in it is left alone', () => {
    const data = makeFolder();
    writeFileSync(join(data, 'notes.txt'), 'mine');
    writeFileSync(join(data, '-odd.sqlite'), 'mine');
    expect(names(openRegistry({ data }))).toEqual(['default']);
  });

  test('the clock of a bank that is found again goes on, and ids do not repeat', async () => {
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
