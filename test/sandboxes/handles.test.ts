// Sandboxes in files: how many are open, which may rest, and that nobody notices.

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/time.ts';
import { createRegistry, type Registry, type RegistryOptions } from '../../src/sandboxes/registry.ts';
import type { Sandbox } from '../../src/sandboxes/sandbox.ts';
import { makeFolder } from '../support/folder.ts';
import { createHandClock, type HandClock } from '../support/sandbox.ts';
import { digestOf } from '../support/tables.ts';

interface Opened {
  registry: Registry;
  clock: HandClock;
  data: string;
}

function open(changes: Partial<RegistryOptions> = {}): Opened {
  const data = changes.data ?? makeFolder();
  const clock = createHandClock();
  const errors: unknown[] = [];
  const registry = createRegistry({
    data,
    synchronous: 'off',
    seed: 'test',
    rails: 'calendar',
    webhookUrl: null,
    clock,
    wallClock: clock,
    send: async () => ({ status: 200, durationMs: 1, error: '', retryAfter: null }),
    onError: (_, error) => errors.push(error),
    maxOpenFiles: 3,
    ...changes,
  });
  onTestFinished(async () => {
    const problems = [...registry.open()].flatMap((sandbox) => sandbox.audit().problems);
    await registry.close();
    expect([problems, errors]).toEqual([[], []]);
  });
  return { registry, clock, data };
}

const use = ({ registry }: Opened, name: string): Sandbox => {
  const sandbox = registry.byKey(`test_${name}`);
  if (sandbox === undefined) throw new Error(`test_${name} opens nothing`);
  return sandbox;
};
const openNames = ({ registry }: Opened) => [...registry.open()].map(({ name }) => name);
/** Closing takes a commit of its own and then some turns. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !isSo(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(isSo()).toBe(true);
}
const label = (sandbox: Sandbox, text: string) =>
  sandbox.commit(() => sandbox.bank.cards.change(sandbox.seeded.ids.virtual_card ?? '', { label: text }));
const pay = (sandbox: Sandbox) =>
  sandbox.commit(() =>
    sandbox.bank.payments.originate('ach_push', {
      accountId: sandbox.seeded.ids.account ?? '',
      counterpartyId: sandbox.seeded.ids.ach_counterparty ?? '',
      amount: 100,
      shortage: 'refuse',
    }),
  );

describe('a file that nobody uses', () => {
  test('rests when more are open than need to be, the one that was not used for the longest time first', async () => {
    const opened = open();
    for (const name of ['a', 'b', 'c']) {
      use(opened, name);
      opened.clock.advance(1_000);
    }
    use(opened, 'a');
    opened.clock.advance(MINUTE_MS);
    use(opened, 'c');
    use(opened, 'd');
    await turnsUntil(() => openNames(opened).length === 3);
    // The two that were not used for a minute; the default one always stays.
    expect(openNames(opened)).toEqual(['default', 'c', 'd']);
    expect(opened.registry.list().map(({ name, open: isOpen }) => [name, isOpen])).toEqual([
      ['default', true],
      ['a', false],
      ['b', false],
      ['c', true],
      ['d', true],
    ]);
    expect(readdirSync(opened.data).filter((file) => /^[ab]\.sqlite-/.test(file))).toEqual([]);
  });

  test('is opened at its next use, by whoever holds it, as it was', async () => {
    const opened = open();
    const sandbox = use(opened, 'a');
    await label(sandbox, 'before');
    const [digest, id] = [digestOf(sandbox), sandbox.nextId()];
    opened.clock.advance(MINUTE_MS);
    for (const name of ['b', 'c', 'd']) use(opened, name);
    await turnsUntil(() => !openNames(opened).includes('a'));
    expect(digestOf(sandbox)).toBe(digest);
    expect(openNames(opened)).toContain('a');
    expect(use(opened, 'a')).toBe(sandbox);
    // Ids go on where they were, also those that no command kept.
    expect(sandbox.nextId() > id).toBe(true);
    await label(sandbox, 'after');
    expect(sandbox.bank.cards.byId(sandbox.seeded.ids.virtual_card ?? '').card.label).toBe('after');
  });

  test('stays open for a minute after its last use', async () => {
    const opened = open();
    for (const name of ['a', 'b', 'c', 'd', 'e']) use(opened, name);
    opened.clock.advance(MINUTE_MS - 1);
    use(opened, 'f');
    await new Promise((resolve) => setImmediate(resolve));
    expect(openNames(opened)).toHaveLength(7);
  });

  test.each<[string, (sandbox: Sandbox) => Promise<unknown> | unknown]>([
    ['a planned step', pay],
    [
      'a delivery that waits',
      async (sandbox) => {
        await sandbox.commit(() =>
          sandbox.bank.webhooks.change(sandbox.seeded.webhookId, {
            status: 'active',
            url: 'http://x.example',
          }),
        );
        await label(sandbox, 'told');
        await sandbox.commit(() =>
          sandbox.bank.webhooks.change(sandbox.seeded.webhookId, { status: 'paused' }),
        );
      },
    ],
    ['somebody who listens', (sandbox) => sandbox.news.listen(() => {})],
    ['a fault', (sandbox) => sandbox.faults.add({ match: {}, when: 'before', error: { status: 500 } })],
  ])('stays open while there is %s', async (_, owe) => {
    const opened = open({ send: async () => ({ status: 500, durationMs: 1, error: '', retryAfter: null }) });
    const sandbox = use(opened, 'a');
    await owe(sandbox);
    await sandbox.courier?.idle();
    opened.clock.advance(MINUTE_MS);
    for (const name of ['b', 'c', 'd']) use(opened, name);
    opened.clock.advance(MINUTE_MS);
    use(opened, 'e');
    await turnsUntil(() => openNames(opened).length <= 3);
    expect(openNames(opened)).toContain('a');
  });

  test('of those that were found at the start rests at once', async () => {
    const first = open();
    for (const name of ['a', 'b', 'c', 'd', 'e']) use(first, name);
    await pay(use(first, 'd'));
    await first.registry.close();
    const second = open({ data: first.data });
    await turnsUntil(() => openNames(second).length === 3);
    expect(openNames(second)).toEqual(expect.arrayContaining(['default', 'd']));
    expect(second.registry.list()).toHaveLength(6);
  });
});

describe('the registry of a data directory', () => {
  test('writes a new sandbox whole: half of one is no sandbox', () => {
    const data = makeFolder();
    writeFileSync(join(data, 'a.sqlite.half'), 'SQLite format 3');
    const opened = open({ data });
    expect(opened.registry.list().map(({ name }) => name)).toEqual(['default']);
    expect(use(opened, 'a').store.counts()).toEqual(opened.registry.default().store.counts());
  });

  test('takes no more sandboxes than it may, but all that it finds', async () => {
    const first = open({ maxSandboxes: 3 });
    for (const name of ['a', 'b']) use(first, name);
    expect(() => use(first, 'c')).toThrow('as many as SANDBANK_MAX_SANDBOXES allows');
    await first.registry.close();
    const second = open({ data: first.data, maxSandboxes: 1 });
    expect(second.registry.list()).toHaveLength(3);
    expect(use(second, 'b').name).toBe('b');
  });
});
