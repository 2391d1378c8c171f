// A sandbox in memory has a size limit, which does not depend on the disk.
import { expect, onTestFinished, test, vi } from 'vitest';
import { NodeDriver } from '../../../../src/bank/store/node-driver.ts';
import { openServer, pull } from './server.ts';

const FULL =
  'the sandbox is full, because its database has the maximum size of a database in memory: reset it, or keep it on a file with SANDBANK_DATA; nothing was changed';

test('a full sandbox in memory refuses commands with an explanation, and works after a reset', async () => {
  // Each refusal is logged, like that of a full disk.
  const logged: string[] = [];
  const server = await openServer({}, logged);
  const { call } = server;
  const spy = vi.spyOn(NodeDriver.prototype, 'atomically');
  onTestFinished(() => void spy.mockRestore());
  await pull(server, '5.00');
  const driver = spy.mock.contexts.at(-1) as NodeDriver;
  driver.exec(`PRAGMA max_page_count = ${String(driver.prepare('PRAGMA page_count').pluck().get())}`);

  const { seeded } = (await call('GET', '/_sandbox')).body;
  const pay = () =>
    call('POST', '/v2/payments/ach/pull', {
      sub_account_id: seeded.sub_account_id,
      counterparty_id: seeded.ach_counterparty_id,
      amount: '6.00',
    });
  let answer = await pay();
  for (let paid = 0; paid < 100 && answer.status === 201; paid += 1) answer = await pay();
  expect([answer.status, answer.body.error.message]).toEqual([503, FULL]);

  const total = async () => (await call('GET', '/_sandbox')).body.counts.transactions;
  const before = await total();
  expect((await pay()).status).toBe(503);
  expect(await total()).toBe(before);
  expect(logged.splice(0).every((line) => line.includes('MemoryFullError'))).toBe(true);
  expect((await call('GET', '/_sandbox/ledger/verify')).body.problems).toEqual([]);
  expect((await call('POST', '/_sandbox/reset')).status).toBe(200);
  expect((await call('GET', '/_sandbox')).body.counts.transactions).toBeLessThan(before);
  await pull(server, '6.00');
});
