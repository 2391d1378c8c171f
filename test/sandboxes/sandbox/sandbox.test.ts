// A whole sandbox: the same seed and the same calls produce the same bank, byte for byte, even with a restart or a
// copy in between; and two sandboxes share no data.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transaction } from '../../../src/bank/model/records.ts';
import { makeFolder } from '../../support/folder.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf, readTables } from '../../support/tables.ts';
import { live, SCENARIO } from './scenario.ts';

const fileIn = (folder: string, name = 'bank.sqlite') =>
  ({ kind: 'file', path: join(folder, name), synchronous: 'off' }) as const;

const pay = ({ run, id }: TestSandbox, amount = 1_000): Promise<Transaction> =>
  run(({ payments }) =>
    payments.originate('ach_push', {
      accountId: id('account'),
      counterpartyId: id('ach_counterparty'),
      amount,
      shortage: 'refuse',
    }),
  );

/** Runs turns of the event loop until a condition holds. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('the same seed and the same calls', () => {
  test('result in the same bank, byte for byte', async () => {
    const [first, second] = [openTestSandbox({ rails: 'fast' }), openTestSandbox({ rails: 'fast' })];
    const ends = await live(first);
    expect(ends).toContain('id_number_taken');
    expect(ends).toContain('done');
    expect(await live(second)).toEqual(ends);
    expect(readTables(second.sandbox)).toEqual(readTables(first.sandbox));
  });

  test('result in another bank with another seed', async () => {
    const [first, second] = [openTestSandbox({ seed: 'a' }), openTestSandbox({ seed: 'b' })];
    expect(first.id('account')).not.toBe(second.id('account'));
    const [one, other] = [await pay(first), await pay(second)];
    expect(one.id).not.toBe(other.id);
    expect(first.sandbox.seeded.webhookSecret).not.toBe(second.sandbox.seeded.webhookSecret);
  });

  test.each([4, 8, 13])('result in the same bank with a restart after %i of them', async (count) => {
    const whole = openTestSandbox({ rails: 'fast' });
    await live(whole);
    const place = fileIn(makeFolder());
    const first = openTestSandbox({ rails: 'fast', place });
    await live(first, SCENARIO.slice(0, count));
    const at = first.clock.now();
    await first.end();
    const second = openTestSandbox({ rails: 'fast', place, seed: 'forgotten', at });
    await live(second, SCENARIO.slice(count));
    expect(readTables(second.sandbox)).toEqual(readTables(whole.sandbox));
  });

  test('result in the same bank with a copy that takes over', async () => {
    const whole = openTestSandbox({ rails: 'fast' });
    await live(whole);
    const first = openTestSandbox({ rails: 'fast' });
    await live(first, SCENARIO.slice(0, 9));
    const image = first.sandbox.image();
    const clone = openTestSandbox({ rails: 'fast', place: { kind: 'image', image }, at: first.clock.now() });
    await live(clone, SCENARIO.slice(9));
    expect(readTables(clone.sandbox)).toEqual(readTables(whole.sandbox));
  });

  test('result in the same bank with one advance or many', async () => {
    const open = async () => {
      const sandbox = openTestSandbox({ rails: 'fast' });
      await live(
        sandbox,
        SCENARIO.slice(0, 14).map(([step]) => [step, 150]),
      );
      return sandbox;
    };
    const [slow, quick] = [await open(), await open()];
    for (let left = 80; left > 0; left -= 1) await slow.pass(250);
    await slow.pass(8 * 86_400_000);
    await quick.pass(20_000 + 8 * 86_400_000);
    expect(readTables(quick.sandbox)).toEqual(readTables(slow.sandbox));
  });
});

describe('a bank in a file', () => {
  test('continues after a restart: steps run at their scheduled instants', async () => {
    const place = fileIn(makeFolder());
    const first = openTestSandbox({ rails: 'fast', place });
    const { id } = await pay(first);
    await first.pass(1_000);
    expect(first.bank.payments.byId(id).status).toBe('pending');
    await first.end();

    const second = openTestSandbox({ rails: 'fast', place });
    expect(second.bank.payments.byId(id).status).toBe('pending');
    expect(await second.pass(60_000)).toBe(3);
    expect(second.bank.payments.byId(id)).toMatchObject({ status: 'settled', settledAt: START + 4_000 });
  });

  test('runs steps that became due while it was closed, without a request', async () => {
    const place = fileIn(makeFolder());
    const first = openTestSandbox({ rails: 'fast', place });
    const { id } = await pay(first);
    await first.end();

    const second = openTestSandbox({ rails: 'fast', place, at: START + 60_000 });
    await turnsUntil(() => second.bank.payments.byId(id).status === 'settled');
    expect(second.bank.payments.byId(id).settledAt).toBe(START + 4_000);
  });

  test('delivers to its webhooks what was undelivered when it was closed', async () => {
    const place = fileIn(makeFolder());
    const first = openTestSandbox({ place });
    const events = ['transaction.created'];
    const { id } = await first.run(({ webhooks }) =>
      webhooks.create({ apiVersion: 'v2', url: 'http://127.0.0.1:9/', events }),
    );
    await first.run(({ webhooks }) => webhooks.change(id, { status: 'paused' }));
    await first.run(({ webhooks }) => webhooks.change(id, { status: 'active' }));
    await first.sandbox.courier?.stop();
    await pay(first);
    expect(first.sent).toEqual([]);
    await first.end();

    const second = openTestSandbox({ place });
    await turnsUntil(() => second.sent.length > 0);
    expect(JSON.parse(second.sent[0]?.body ?? '')).toMatchObject({ event_type: 'transaction.created' });
  });

  test('never repeats an id or a number', async () => {
    const place = fileIn(makeFolder());
    const seen = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const sandbox = openTestSandbox({ place });
      const { id } = await pay(sandbox, 1);
      const { account } = await sandbox.run(({ accounts }) =>
        accounts.open({ holderId: sandbox.id('person'), type: 'cash' }),
      );
      for (const drawn of [id, account.id, account.accountNumber, sandbox.sandbox.nextId()]) {
        expect(seen).not.toContain(drawn);
        seen.add(drawn);
      }
      await sandbox.end();
    }
    expect(seen.size).toBe(16);
  });

  test('has everything that was acknowledged even if its process is killed', async () => {
    const folder = makeFolder();
    const place = fileIn(folder);
    const first = openTestSandbox({ place });
    const payment = await pay(first);
    const copy = fileIn(folder, 'copy.sqlite');
    for (const tail of ['', '-wal']) copyFileSync(place.path + tail, copy.path + tail);
    const second = openTestSandbox({ place: copy });
    expect(second.bank.payments.byId(payment.id)).toEqual(payment);
    expect((await pay(second)).id).toBe((await pay(first)).id);
  });

  test('completes commands that were sent before it was closed, and responds to them', async () => {
    const place = fileIn(makeFolder());
    const first = openTestSandbox({ place });
    const given = pay(first);
    await first.end();
    const payment = await given;
    expect(openTestSandbox({ place }).bank.payments.byId(payment.id)).toEqual(payment);
  });

  test('has an image that can be opened in memory and in a file', async () => {
    const folder = makeFolder();
    const first = openTestSandbox({ place: fileIn(folder) });
    const payment = await pay(first);
    const clone = openTestSandbox({ place: { kind: 'image', image: first.sandbox.image() } });
    expect(clone.bank.payments.byId(payment.id)).toEqual(payment);
    expect(digestOf(clone.sandbox)).toBe(digestOf(first.sandbox));
  });
});

describe('an image', () => {
  test('contains commands that wait for their commit', async () => {
    const first = openTestSandbox();
    const given = pay(first);
    const clone = openTestSandbox({ place: { kind: 'image', image: first.sandbox.image() } });
    const payment = await given;
    expect(clone.bank.payments.byId(payment.id)).toEqual(payment);
  });

  test('is not changed by later commands', async () => {
    const first = openTestSandbox();
    const image = first.sandbox.image();
    const before = digestOf(first.sandbox);
    await pay(first);
    const clone = openTestSandbox({ place: { kind: 'image', image } });
    expect(digestOf(clone.sandbox)).toBe(before);
    await pay(clone);
    expect(digestOf(openTestSandbox({ place: { kind: 'image', image } }).sandbox)).toBe(before);
  });
});

describe.each(['memory', 'file'] as const)('a sandbox in %s whose bank is replaced', (kind) => {
  const placeOf = () => (kind === 'file' ? fileIn(makeFolder()) : ({ kind } as const));

  test('has the new bank, also for holders of the sandbox', async () => {
    const test = openTestSandbox({ place: placeOf() });
    const { sandbox, id } = test;
    const image = sandbox.image();
    const before = digestOf(sandbox);
    const payment = await pay(test);
    sandbox.replaceWith(image);
    expect(digestOf(sandbox)).toBe(before);
    expect(() => sandbox.bank.payments.byId(payment.id)).toThrow(
      expect.objectContaining({ code: 'transaction_not_found' }),
    );
    const card = await sandbox.commit(() => sandbox.bank.cards.change(id('virtual_card'), { label: 'new' }));
    expect(card.card.label).toBe('new');
  });

  test('runs earlier commands on the old bank, and later ones on the new', async () => {
    const test = openTestSandbox({ place: placeOf() });
    const { sandbox } = test;
    const image = sandbox.image();
    const old = pay(test);
    sandbox.replaceWith(image);
    const payment = await old;
    expect(() => sandbox.bank.payments.byId(payment.id)).toThrow(
      expect.objectContaining({ code: 'transaction_not_found' }),
    );
    // The random sequence was restored with the bank: the same call has the same response.
    const input = {
      accountId: test.id('account'),
      counterpartyId: test.id('ach_counterparty'),
      amount: 1_000,
      shortage: 'refuse',
    } as const;
    const again = await sandbox.commit(() => sandbox.bank.payments.originate('ach_push', input));
    expect(again).toEqual(payment);
  });

  test('runs the scheduled steps of the new bank, and none of the old', async () => {
    const test = openTestSandbox({ rails: 'fast', place: placeOf() });
    const { sandbox } = test;
    const planned = await pay(test, 1);
    const image = sandbox.image();
    await pay(test, 2);
    sandbox.replaceWith(image);
    test.clock.advance(60_000);
    expect(await sandbox.agenda.runDue()).toBe(4);
    expect(sandbox.bank.payments.byId(planned.id).status).toBe('settled');
  });

  test('notifies its listeners', async () => {
    const test = openTestSandbox({ place: placeOf() });
    const { sandbox } = test;
    const received: string[] = [];
    const stop = sandbox.listeners.listen(({ type }) => received.push(type));
    await pay(test);
    sandbox.replaceWith(sandbox.image());
    await sandbox.commit(() => sandbox.bank.cards.change(test.id('virtual_card'), { label: 'x' }));
    stop();
    await sandbox.commit(() => sandbox.bank.cards.change(test.id('virtual_card'), { label: 'y' }));
    expect(received).toEqual(['fact', 'replaced', 'fact']);
  });
});

describe('a stored response of an idempotency key', () => {
  test('is removed after a day on the sandbox’s clock, within an hour', async () => {
    const { sandbox, run, clock } = openTestSandbox();
    const { answers } = sandbox.store;
    const keep = (key: string) =>
      run(() =>
        answers.keep({
          key: `v2:${key}`,
          fingerprint: '0'.repeat(40),
          status: 200,
          body: '',
          createdAt: clock.now(),
          factSeq: null,
          view: '',
        }),
      );
    const stored = () => readTables(sandbox).idempotency_keys?.map(({ key }) => key);
    await keep('first');
    clock.advance(12 * 3_600_000);
    await keep('second');
    clock.advance(12 * 3_600_000 - 1);
    await keep('third');
    expect(stored()).toEqual(['v2:first', 'v2:second', 'v2:third']);
    clock.advance(3_600_000);
    await keep('fourth');
    expect(stored()).toEqual(['v2:fourth', 'v2:second', 'v2:third']);
  });
});

describe('two sandboxes', () => {
  test('share no data', async () => {
    const [first, second] = [openTestSandbox({ rails: 'fast' }), openTestSandbox({ rails: 'fast' })];
    const before = digestOf(second.sandbox);
    await live(first);
    expect(digestOf(second.sandbox)).toBe(before);
    expect(second.newFacts()).toEqual([]);
    expect(second.clock.now()).toBe(START);
  });

  test('commit separately in one turn', async () => {
    const [first, second] = [openTestSandbox(), openTestSandbox()];
    const [paid, refused] = await Promise.allSettled([pay(first), pay(second, 99_999_999)]);
    expect([paid.status, refused.status]).toEqual(['fulfilled', 'rejected']);
    expect(second.newFacts()).toEqual([]);
  });
});

describe('the seed', () => {
  test('publishes no events, and its records are found by name', async () => {
    const { sandbox, id, sent, bank } = openTestSandbox();
    await sandbox.courier?.idle();
    expect(sent).toEqual([]);
    expect(readTables(sandbox).deliveries).toEqual([]);
    expect(bank.holders.byId(id('person')).holder.name).toBe('Ada Lovegood');
    expect(bank.cards.byId(id('virtual_card')).card.status).toBe('open');
    expect(bank.counterparties.byId(id('intra_counterparty')).rails.intraAccount?.accountId).toBe(
      id('other_account'),
    );
    expect(() => id('nobody')).toThrow('the seed document has no nobody');
  });

  test('creates one webhook of v1 for every kind, which is paused because nothing listens', () => {
    const { sandbox, bank } = openTestSandbox();
    const webhook = bank.webhooks.byId(sandbox.seeded.webhookId);
    expect(webhook).toMatchObject({
      apiVersion: 'v1',
      status: 'paused',
      secret: sandbox.seeded.webhookSecret,
    });
    expect(webhook.events).toHaveLength(73);
  });
});
