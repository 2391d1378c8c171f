// An audit goes through a bank in turns, and its file may be closed between two of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { openServer, pull } from './server.ts';

test('an audit whose file is closed between two turns audits the bank that is opened then', async () => {
  const server = await openServer({ data: makeFolder() });
  const sandbox = server.registry.default();
  await pull(server, '5.00');
  await sandbox.courier?.idle();
  let closed = 0;
  let isAnswered = false;
  const answering = server.call('GET', '/_sandbox/ledger/verify').finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    if (sandbox.isOpen()) {
      sandbox.drop();
      closed += 1;
    }
    await nextTurn();
  }
  const { status, body } = await answering;
  expect([status, body.problems]).toEqual([200, []]);
  expect(closed).toBeGreaterThan(1);
});
