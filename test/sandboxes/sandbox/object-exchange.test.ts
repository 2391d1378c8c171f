/**
 * A sandbox in a Durable Object has one database, so a new bank replaces the old one in it: completely or not at all,
 * and the old one writes nothing afterwards. The test uses a substitute for the storage of an object;
 * test/long/worker-images.test.ts uses the real one.
 */
import { expect, onTestFinished, test } from 'vitest';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { dumpRows, loadRows } from '../../../src/bank/store/row-image.ts';
import { createObjectDriver } from '../../../src/cluster/worker/object-driver.ts';
import { objectStorageOn } from '../../support/object-storage.ts';
import { openTestSandbox, START, seededImage, type TestSandbox } from '../../support/sandbox.ts';

function openObject(): { opened: TestSandbox; sqlite: NodeDriver; reopen: () => TestSandbox } {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  const storage = objectStorageOn(sqlite);
  const open = () => createObjectDriver(storage);
  loadRows(open(), seededRows());
  const reopen = () => openTestSandbox({ place: { kind: 'object', open } });
  return { opened: reopen(), sqlite, reopen };
}

function seededRows(): Buffer {
  const sqlite = new NodeDriver(seededImage('test', START));
  try {
    return dumpRows(sqlite);
  } finally {
    sqlite.close();
  }
}

const pull = (opened: TestSandbox, amount: number) =>
  opened.run((bank) =>
    bank.payments.originate('ach_pull', {
      accountId: opened.id('account'),
      counterpartyId: opened.id('ach_counterparty'),
      amount,
      shortage: 'refuse',
    }),
  );
const rowsOf = ({ sandbox }: TestSandbox) => sandbox.image();

test('the new bank continues in the same database, with the random sequence and the caches of its image', async () => {
  const { opened } = openObject();
  const { sandbox } = opened;
  const before = rowsOf(opened);
  const first = await pull(opened, 100);
  const after = rowsOf(opened);
  expect(sandbox.replaceWith(before, ({ store }) => store.counts().transactions)).toBe(
    sandbox.store.counts().transactions,
  );
  expect(rowsOf(opened).equals(before)).toBe(true);
  expect(sandbox.bankNumber).toBe(1);
  expect(await pull(opened, 100)).toEqual(first);
  expect(rowsOf(opened).equals(after)).toBe(true);
});

test('a damaged or unreadable image does not change the old bank', async () => {
  const { opened } = openObject();
  const { sandbox } = opened;
  const image = rowsOf(opened);
  await pull(opened, 100);
  const before = rowsOf(opened);
  const instance = sandbox.opened();
  expect(() => sandbox.replaceWith(image.subarray(0, 500))).toThrow('it is damaged');
  expect(() =>
    sandbox.replaceWith(image, ({ nextId }) => {
      // The writes of the new bank until then are not stored either.
      nextId();
      throw new Error('sorry');
    }),
  ).toThrow('sorry');
  expect([sandbox.opened() === instance, sandbox.bankNumber]).toEqual([true, 0]);
  expect(rowsOf(opened).equals(before)).toBe(true);
  await pull(opened, 200);
  expect(sandbox.audit().problems).toEqual([]);
});

test('earlier commands run on the old bank, which writes nothing afterwards', async () => {
  const { opened } = openObject();
  const { sandbox } = opened;
  const image = rowsOf(opened);
  const { connection, commit } = sandbox;
  const given = pull(opened, 100);
  sandbox.replaceWith(image);
  const replaced = rowsOf(opened);
  expect((await given).amount).toBe(100);
  await expect(commit(() => 1)).rejects.toThrow('closed');
  expect(() => connection.sqlite.exec('DELETE FROM meta')).toThrow('not open');
  expect(rowsOf(opened).equals(replaced)).toBe(true);
});

test('an exchange that fails at any of its statements keeps the old bank, and succeeds when it is repeated', async () => {
  const { opened, sqlite } = openObject();
  const { sandbox } = opened;
  const image = rowsOf(opened);
  await pull(opened, 100);
  const before = rowsOf(opened);
  const { prepare, exec } = sqlite;
  let left = Number.POSITIVE_INFINITY;
  let calls = 0;
  const failing = () => {
    calls += 1;
    left -= 1;
    if (left < 0) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
  };
  sqlite.prepare = ((sql: string) => {
    failing();
    return prepare.call(sqlite, sql);
  }) as never;
  sqlite.exec = (sql) => {
    failing();
    return exec.call(sqlite, sql);
  };
  sandbox.replaceWith(before);
  calls = 0;
  // Until the new bank was read; later errors cannot fail the exchange.
  const all = sandbox.replaceWith(image, () => calls);
  sandbox.replaceWith(before);
  for (let number = 1; number < all; number += 1) {
    left = number;
    expect(() => sandbox.replaceWith(image), `statement ${number}`).toThrow('disk I/O error');
    left = Number.POSITIVE_INFINITY;
    expect(rowsOf(opened).equals(before), `statement ${number}`).toBe(true);
  }
  sandbox.replaceWith(image);
  expect(rowsOf(opened).equals(image)).toBe(true);
});

test('an image that is too large for the memory is refused by name, and the bank continues', async () => {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  const storage = objectStorageOn(sqlite);
  loadRows(createObjectDriver(storage), seededRows());
  const open = () => Object.defineProperty(createObjectDriver(storage), 'maxImageBytes', { value: 1024 });
  const opened = openTestSandbox({ place: { kind: 'object', open } });
  expect(() => opened.sandbox.image()).toThrow(
    expect.objectContaining({
      code: 'not_emulated',
      message: expect.stringContaining('sandbank start has one'),
    }),
  );
  expect((await pull(opened, 100)).amount).toBe(100);
});

test('an evicted object keeps its faults', () => {
  const { opened, reopen } = openObject();
  const { surroundings, faults } = opened.sandbox;
  surroundings.change('faults', () =>
    faults.add({ match: { method: 'POST' }, error: { status: 503 }, when: 'before', probability: 1 }),
  );
  // Eviction is not announced.
  const { sandbox } = reopen();
  expect(sandbox.opened()?.store.counts().transactions).toBeDefined();
  expect(sandbox.faults.state()).toEqual(faults.state());
});

test('texts and kinds that are longer than a pattern can be searched', () => {
  const { store, outbox } = openObject().opened.sandbox;
  const search = { idDigits: '', amount: null, limit: 10 };
  expect(store.search({ ...search, text: 'x'.repeat(80) })).toEqual([]);
  expect(store.search({ ...search, text: 'EVERYDAY' })).not.toEqual([]);
  const all = { after: 0, upTo: outbox.latestSeq(), newestFirst: true, limit: 1000 };
  const kinds = (kind?: string) => outbox.factsIn(all, { kind }).length;
  expect(kinds('master_account_holder.status.pending_activation_again')).toBe(0);
  expect(kinds('sub_account.created')).toBeGreaterThan(0);
  expect(kinds('sub_acc*')).toBeGreaterThan(kinds('sub_account.created'));
  expect(kinds()).toBeGreaterThan(kinds('sub_acc*'));
});
