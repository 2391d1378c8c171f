// The sandbox of a token, which the end of the token identifies, even if the sandbox rests or keys are random.

import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '../../../src/bank/kernel/time.ts';
import { createRegistry, type RegistryOptions } from '../../../src/sandboxes/registry/registry.ts';
import { markToken, tokenMarkOf, unmarkToken } from '../../../src/sandboxes/registry/token-marks.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock } from '../../support/sandbox.ts';
import { optionsFor } from './support.ts';

function open(changes: Partial<RegistryOptions> = {}) {
  const clock = createHandClock();
  const errors: unknown[] = [];
  const registry = createRegistry({
    ...optionsFor(clock, errors),
    rails: 'manual',
    ...changes,
  });
  onTestFinished(async () => {
    await registry.close();
    expect(errors).toEqual([]);
  });
  return { registry, clock };
}

const handOut = async (sandbox: Sandbox): Promise<string> => {
  const { virtual_card: card = '' } = sandbox.seeded.ids;
  const { token } = await sandbox.commit(() => sandbox.bank.cardVault.showToken(card));
  return markToken(sandbox.name, token);
};

describe('a mark', () => {
  test('belongs to one sandbox, and is removed only there', () => {
    expect(tokenMarkOf('a')).toMatch(/^[0-9a-f]{8}$/);
    expect(tokenMarkOf('a')).not.toBe(tokenMarkOf('b'));
    const token = markToken('a', 'card_show_test_1');
    expect(token).toBe(`card_show_test_1${tokenMarkOf('a')}`);
    expect(unmarkToken('a', token)).toBe('card_show_test_1');
    expect(unmarkToken('b', token)).toBe('');
    expect(unmarkToken('a', '')).toBe('');
  });
});

describe('the sandbox of a token', () => {
  test('is the one that issued it, even if others have equal digits', async () => {
    const { registry } = open();
    const [one, other] = ['a', 'b'].map((name) => registry.byKey(`test_${name}`) as Sandbox);
    const [first, second] = [await handOut(one as Sandbox), await handOut(other as Sandbox)];
    expect(first.slice(0, -8)).toBe(second.slice(0, -8));
    expect(registry.byToken(first)).toBe(one);
    expect(registry.byToken(second)).toBe(other);
  });

  test('does not exist for a token that nobody issued', async () => {
    const { registry } = open();
    const token = await handOut(registry.default());
    expect(registry.byToken(token.replace('show', 'shew'))).toBeUndefined();
    expect(registry.byToken(`x${tokenMarkOf('nobody')}`)).toBeUndefined();
    expect(registry.byToken(tokenMarkOf('default'))).toBeUndefined();
    expect(registry.byToken('')).toBeUndefined();
  });

  test('may have a random key', async () => {
    const { registry } = open({ closed: { randomText: () => 'r4nd0m' } });
    const { sandbox } = registry.create('mine');
    expect(registry.byToken(await handOut(sandbox))).toBe(sandbox);
  });

  test('is opened again if its file rests', async () => {
    const { registry, clock } = open({ data: makeFolder(), maxOpen: 2 });
    const sandbox = registry.byKey('test_a') as Sandbox;
    const token = await handOut(sandbox);
    clock.advance(MINUTE_MS);
    registry.byKey('test_b');
    const isResting = () => registry.list().some(({ name, open: isOpen }) => name === 'a' && !isOpen);
    for (let turn = 0; turn < 1_000 && !isResting(); turn += 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(isResting()).toBe(true);
    expect(registry.byToken(token)).toBe(sandbox);
    expect(isResting()).toBe(false);
  });
});
