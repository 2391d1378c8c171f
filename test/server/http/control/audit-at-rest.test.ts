// An audit reads a bank in slices, and the file of the bank may be closed between two slices.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../support/folder.ts';
import { openServer, pull } from './server.ts';

test('an audit whose file is closed between two slices audits the bank that is opened then', async () => {
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
