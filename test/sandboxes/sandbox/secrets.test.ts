// Keys and signing secrets cannot be derived from the seed, stay the same as long as the data exists, and differ in
// every sandbox; ids and numbers still come from the seed.

import { randomInt } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createRegistry,
  type Registry,
  type RegistryOptions,
} from '../../../src/sandboxes/registry/registry.ts';
import { DataFileError } from '../../../src/sandboxes/sandbox/disk.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { defaultSeedDocument } from '../../../src/sandboxes/sandbox/seed-document.ts';
import { makeFolder } from '../../support/folder.ts';
import { createHandClock } from '../../support/sandbox.ts';
import { optionsFor } from '../registry/support.ts';

const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** A registry with seeded secrets, like all earlier banks with the seed `test`. */
function openSeeded(changes: Partial<RegistryOptions> = {}): Registry {
  const clock = createHandClock();
  const registry = createRegistry({
    ...optionsFor(clock),
    onError: (_, error) => {
      throw error;
    },
    ...changes,
  });
  onTestFinished(() => registry.close());
  return registry;
}

/** A registry like that of a process. */
const openRegistry = (changes: Partial<RegistryOptions> = {}): Registry =>
  openSeeded({ randomText, ...changes });

/** Every secret of the seed, as the bank stores it. */
function secretsOf({ seeded, store, bank }: Sandbox): Record<string, string> {
  const { webhookId, webhookSecret, linkSecret, tokens = {} } = seeded;
  expect(bank.webhooks.byId(webhookId).secret).toBe(webhookSecret);
  for (const token of Object.values(tokens)) expect(store.tokens.find(token)?.token).toBe(token);
  return { ...tokens, webhookSecret, linkSecret };
}

type Three = [Sandbox, Sandbox, Sandbox];

/** The two have no common secret. */
function expectAllOthers(one: Record<string, string>, other: Record<string, string>): void {
  expect(Object.keys(one)).toEqual(Object.keys(other));
  for (const [name, secret] of Object.entries(one)) expect(other[name], name).not.toBe(secret);
}

const rootOf = (data: string): string =>
  (JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as { root: string }).root;

/** Records created by a client that have a secret, or an id that follows one. */
async function live({ commit, bank, seeded, nextId }: Sandbox) {
  const { virtual_card: card = '', ach_counterparty: counterparty = '', account = '' } = seeded.ids;
  const v2 = await commit(() =>
    bank.webhooks.create({ apiVersion: 'v2', url: 'http://localhost/', events: [] }),
  );
  const v1 = await commit(() =>
    bank.webhooks.create({ apiVersion: 'v1', url: 'http://localhost/', events: [] }),
  );
  const rotated = await commit(() => bank.webhooks.rotateSecret(v1.id, 0));
  const shown = await commit(() => bank.cardVault.showToken(card));
  const set = await commit(() => bank.counterparties.issueDebitCardToken(counterparty));
  const rta = await commit(() => bank.realTime.drawSecret());
  const paid = await commit(() =>
    bank.payments.originate('ach_pull', {
      accountId: account,
      counterpartyId: counterparty,
      amount: 100,
      description: 'after the secrets',
      shortage: 'refuse',
    }),
  );
  const { card: issued } = await commit(() =>
    bank.cards.issue({ cardHolderId: seeded.ids.card_holder ?? '', type: 'virtual', label: '' }),
  );
  return {
    secrets: {
      v2: v2.secret,
      v1: v1.secret,
      rotated: rotated.secret,
      shown: shown.token,
      set: set.token,
      rta,
    },
    numbers: [v2.id, v1.id, paid, issued, nextId()],
  };
}

describe('with random secrets', () => {
  test('two processes of one seed have the same ids and different secrets', () => {
    const [one, other] = [openRegistry().default(), openRegistry().default()];
    expect(other.seeded.ids).toEqual(one.seeded.ids);
    expect(other.program.programId).toBe(one.program.programId);
    expectAllOthers(secretsOf(one), secretsOf(other));
    expectAllOthers(secretsOf(one), secretsOf(openSeeded().default()));
  });

  test('secrets have the same format as those of a seed', () => {
    const [own, seeded] = [secretsOf(openRegistry().default()), secretsOf(openSeeded().default())];
    const form = (text: string) =>
      text.replace(/[0-9a-f]{24,}$|^[A-Za-z0-9]{32}$/, (end) => 'x'.repeat(end.length));
    const forms = (secrets: Record<string, string>) => Object.values(secrets).map(form);
    expect(forms(own)).toEqual(forms(seeded));
    expect(forms(own)).toContain(`sk_test_${'x'.repeat(32)}`);
  });

  test('secrets created later also differ, and ids and numbers are the same', async () => {
    const [one, other, seeded] = await Promise.all(
      [openRegistry(), openRegistry(), openSeeded()].map((registry) => live(registry.default())),
    );
    expect(one?.numbers).toEqual(other?.numbers);
    expect(one?.numbers).toEqual(seeded?.numbers);
    expectAllOthers(one?.secrets ?? {}, other?.secrets ?? {});
    expectAllOthers(one?.secrets ?? {}, seeded?.secrets ?? {});
  });

  test('the sandboxes of one process have the same ids and different secrets', () => {
    const registry = openRegistry();
    const [a, b] = [registry.create('a').sandbox, registry.create('b').sandbox];
    expect(a.seeded.ids).toEqual(b.seeded.ids);
    expectAllOthers(secretsOf(a), secretsOf(b));
    expectAllOthers(secretsOf(a), secretsOf(registry.default()));
  });

  test('a token derived from the seed is not valid', () => {
    const [own, seeded] = [openRegistry().default(), openSeeded().default()];
    for (const token of Object.values(seeded.seeded.tokens ?? {})) {
      expect(own.store.tokens.find(token)).toBeUndefined();
    }
  });

  test('a reset results in the same secrets again', () => {
    const registry = openRegistry();
    const sandbox = registry.create('a').sandbox;
    const before = secretsOf(sandbox);
    sandbox.replaceWith(registry.seedImages.imageOf(sandbox));
    expect(secretsOf(sandbox)).toEqual(before);
  });

  test('a snapshot keeps a rotated secret, and a reset removes it', async () => {
    const registry = openRegistry();
    const sandbox = registry.default();
    const { webhookId, webhookSecret } = sandbox.seeded;
    const { secret } = await sandbox.commit(() => sandbox.bank.webhooks.rotateSecret(webhookId, 0));
    const image = sandbox.image();
    sandbox.replaceWith(registry.seedImages.imageOf(sandbox));
    expect(sandbox.bank.webhooks.byId(webhookId).secret).toBe(webhookSecret);
    sandbox.replaceWith(image);
    expect(sandbox.bank.webhooks.byId(webhookId).secret).toBe(secret);
  });

  test('a sandbox that is seeded from a document has its own, too', () => {
    const seed = (registry: Registry) => {
      const sandbox = registry.default();
      sandbox.replaceWith(registry.seedImages.imageFrom(defaultSeedDocument(), sandbox.clock.now()));
      return sandbox;
    };
    const [one, other, seeded] = [openRegistry(), openRegistry(), openSeeded()].map(seed) as Three;
    expect(one.seeded.ids).toEqual(seeded.seeded.ids);
    expectAllOthers(secretsOf(one), secretsOf(other));
    expectAllOthers(secretsOf(one), secretsOf(seeded));
  });

  test('the next process with the data has the same secrets, in every sandbox', async () => {
    const data = makeFolder();
    const first = openRegistry({ data });
    const before = [first.default(), first.create('a').sandbox].map(secretsOf);
    await first.close();
    const next = openRegistry({ data });
    expect([next.default(), next.byName('a')].map((one) => one && secretsOf(one))).toEqual(before);
    // A sandbox that is created now has what it would have had before.
    const b = secretsOf(next.create('b').sandbox);
    await next.remove('b');
    await next.close();
    expect(secretsOf(openRegistry({ data }).create('b').sandbox)).toEqual(b);
  });

  test('the root is readable only by its owner', () => {
    const data = makeFolder();
    openRegistry({ data });
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(rootOf(data)).toMatch(/^[A-Za-z0-9]{44}$/);
  });

  test('an image contains neither the root nor the key of links', async () => {
    const data = makeFolder();
    const registry = openRegistry({ data });
    const { sandbox } = registry.create('a');
    await live(sandbox);
    const image = sandbox.image();
    expect(image.includes(rootOf(data))).toBe(false);
    expect(image.includes(sandbox.seeded.linkSecret)).toBe(false);
    // Its content is the whole bank.
    expect(image.includes(sandbox.seeded.webhookSecret)).toBe(true);
  });

  test('an unreadable root prevents the start', async () => {
    const data = makeFolder();
    await openRegistry({ data }).close();
    writeFileSync(join(data, 'secrets.json'), '{}');
    expect(() => openRegistry({ data })).toThrow(DataFileError);
  });

  test('an imported bank keeps its secrets until it is reset, and its links become invalid', () => {
    const there = openRegistry().default();
    const registry = openRegistry();
    const sandbox = registry.default();
    const own = secretsOf(sandbox);
    const { linkSecret, ...rest } = secretsOf(there);
    sandbox.replaceWith(there.image());
    expect(secretsOf(sandbox)).toEqual({ ...rest, linkSecret: own.linkSecret });
    expect(linkSecret).not.toBe(own.linkSecret);
    sandbox.replaceWith(registry.seedImages.imageOf(sandbox));
    expect(secretsOf(sandbox)).toEqual(own);
  });

  test('a copy of a sandbox has the secrets of the original until it is reset', () => {
    const registry = openRegistry();
    const a = registry.create('a').sandbox;
    const { linkSecret: _, ...copied } = secretsOf(a);
    const b = registry.create('b', a.image()).sandbox;
    expect(secretsOf(b)).toMatchObject(copied);
    b.replaceWith(registry.seedImages.imageOf(b));
    expectAllOthers(secretsOf(a), secretsOf(b));
  });

  test('a bank with seeded secrets gets random ones', async () => {
    const data = makeFolder();
    const seeded = openSeeded({ data });
    const known = secretsOf(seeded.default());
    await seeded.close();
    expectAllOthers(known, secretsOf(openRegistry({ data }).default()));
  });

  test('a secret that was rotated before does not change', async () => {
    const data = makeFolder();
    const seeded = openSeeded({ data });
    const { commit, bank, seeded: seededBank } = seeded.default();
    const { secret } = await commit(() => bank.webhooks.rotateSecret(seededBank.webhookId, 0));
    await seeded.close();
    const next = openRegistry({ data }).default();
    expect(next.bank.webhooks.byId(seededBank.webhookId).secret).toBe(secret);
  });
});

describe('with seeded secrets', () => {
  test('they are always the same for a seed, in every sandbox', () => {
    const registry = openSeeded();
    const secrets = secretsOf(registry.default());
    expect(secrets).toEqual({
      show_token: 'card_show_test_019cba01b500704eb8997080',
      pin_token: 'card_pin_test_019cba01b500704f8eba8faa',
      debit_card_token: 'debit_card_test_019cba01b5007050b77cb446',
      webhookSecret: 'sk_test_0e7b86d21db277800b3676d5dd574dae',
      linkSecret: 'jtGLCzBDqZTdsGJ1IhIZjh5msF82tBsP',
    });
    expect(secretsOf(registry.create('a').sandbox)).toEqual(secrets);
  });

  test('those created after the seed are too', async () => {
    const { commit, bank } = openSeeded().default();
    const webhook = await commit(() =>
      bank.webhooks.create({ apiVersion: 'v2', url: 'http://localhost/', events: [] }),
    );
    expect(webhook.secret).toBe('YElozrkzZAM5vgt4iVYFHHKDAMvXXplO');
  });

  test('no root is stored', () => {
    const data = makeFolder();
    openSeeded({ data });
    expect(() => statSync(join(data, 'secrets.json'))).toThrow('ENOENT');
  });
});
