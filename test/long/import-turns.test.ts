/**
 * During the import of a bank with tens of thousands of payments, other requests are answered: no turn of the event
 * loop takes more than a part of the time of the image check. Both are processor times of this thread, so other
 * programs have no effect.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readImage } from '../../src/bank/store/images.ts';
import { lookInside } from '../../src/sandboxes/sandbox/image-checks.ts';
import { openServer } from '../server/http/control/server.ts';
import { makeFolder } from '../support/folder.ts';
import { openTestSandbox, START } from '../support/sandbox.ts';

const PAYMENTS = 12_000;
const AT_ONCE = 500;
/**
 * If the image were checked in one turn, that would take all of the time; opening the checked bank takes a twentieth.
 */
const LARGEST_PART = 1 / 4;
const LIMIT_MS = 300_000;

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

async function largeImage(): Promise<Buffer> {
  const { run, id, sandbox } = openTestSandbox();
  const order = {
    accountId: id('account'),
    counterpartyId: id('ach_counterparty'),
    amount: 100,
    shortage: 'record' as const,
  };
  for (let made = 0; made < PAYMENTS; made += AT_ONCE) {
    await run(({ payments }) => {
      for (let number = 0; number < AT_ONCE; number += 1) payments.originate('ach_pull', order);
    });
  }
  return sandbox.image();
}

/** The longest turn until `work` is done. */
async function longestTurn(work: Promise<unknown>): Promise<{ longestMs: number; turns: number }> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void work.then(end, end);
  let longestMs = 0;
  let turns = 0;
  let before = usedMs();
  while (!isOver) {
    await nextTurn();
    const now = usedMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
    turns += 1;
  }
  return { longestMs, turns };
}

test(
  'no turn of the event loop is long during the import of a large image, in memory and with a data directory',
  async () => {
    const image = await largeImage();
    const before = usedMs();
    readImage([Buffer.from(image)], lookInside(START));
    const examinedMs = usedMs() - before;
    for (const data of [null, makeFolder()]) {
      const { call } = await openServer({ data });
      await call('GET', '/_sandbox', undefined, 'test_other');
      const importing = call('POST', '/_sandbox/import', Buffer.from(image), 'test_other');
      const { longestMs, turns } = await longestTurn(importing);
      const { status, body } = await importing;
      expect([status, body.error]).toEqual([200, undefined]);
      expect(longestMs).toBeLessThan(examinedMs * LARGEST_PART);
      expect(turns).toBeGreaterThan(10);
      const { total } = (await call('GET', '/v2/payments/transaction?limit=1', undefined, 'test_other')).body;
      expect(total).toBeGreaterThanOrEqual(PAYMENTS);
    }
  },
  LIMIT_MS,
);
