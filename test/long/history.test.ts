// Clients pay concurrently from one account of a real bank, which is killed at random moments, and repeat requests
// without a response under the same key. Some order of the requests explains every response, and a planted anomaly in
// the recorded history is found.

import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeFolder, type Running, startBank, stop, until } from '../server/process/support.ts';
import { type Answer, anomaliesOf, type Operation } from '../torture/history/checker.ts';

const CLIENTS = 6;
const KILLS = 4;
/** Responses between two kills, so that the length of the history does not depend on the speed of the machine. */
const BETWEEN_KILLS = 60;
const RETRY_MS = 200;
const ACCOUNT = 'payer';
/** One in this many requests reads the balance. */
const READS = 4;
/** One in this many completed requests is repeated with its key. */
const REPEATS = 7;

const centsOf = (text: unknown): number => Math.round(Number(text) * 100);

async function balanceOf(bank: Running): Promise<number> {
  const { body } = await bank.v2('GET', `/v2/accounts/sub_account/${bank.seeded.sub_account_id}`);
  return centsOf(body.available_balance);
}

async function payFrom(bank: Running, cents: number, key: string): Promise<Answer> {
  const { sub_account_id, intra_counterparty_id: counterparty_id } = bank.seeded;
  const payment = { sub_account_id, counterparty_id, amount: (cents / 100).toFixed(2) };
  const { status, text, body } = await bank.v2('POST', '/v2/payments/intra_account/push', payment, {
    'idempotency-key': key,
  });
  if (status !== 201) throw new Error(`a payment was answered with ${status}: ${text}`);
  return body.status === 'declined' ? { refused: true } : { balance: centsOf(body.available_balance) };
}

it('some order of the requests explains every response of a bank that is killed', async () => {
  const settings = {
    SANDBANK_DATA: makeFolder(),
    SANDBANK_LOG_LEVEL: 'error',
    SANDBANK_SHORTFALL: 'declined',
  };
  let bank = await startBank(settings);
  const initial = await balanceOf(bank);
  const history: Operation[] = [];
  let isOver = false;
  let underWay = 0;
  // Each call and each response has its position in one order.
  let moment = 0;
  const now = (): number => {
    moment += 1;
    return moment;
  };

  /** Sends one request, and records it with or without its response. */
  const record = async (
    request: { change: number; key?: string },
    make: (bank: Running) => Promise<Answer>,
  ): Promise<boolean> => {
    const operation = { account: ACCOUNT, calledAt: now(), ...request };
    underWay += 1;
    try {
      const answer = await make(bank);
      history.push({ ...operation, answer: { ...answer, at: now() } });
      return true;
    } catch (error) {
      // Only after a broken connection it is unknown what happened.
      if (!(error instanceof TypeError)) throw error;
      history.push(operation);
      return false;
    } finally {
      underWay -= 1;
    }
  };

  const client = async (number: number): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      if ((turn + number) % READS === 0) {
        if (!(await record({ change: 0 }, async (to) => ({ balance: await balanceOf(to) }))))
          await pause(RETRY_MS);
        continue;
      }
      const cents = ((turn * 37 + number * 11) % 400) + 1;
      const key = `client-${number}-${turn}`;
      const pay = () => record({ change: -cents, key }, (to) => payFrom(to, cents, key));
      while (!(await pay())) await pause(RETRY_MS);
      if (turn % REPEATS === 0) await pay();
    }
  };

  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  const answers = (): number => history.filter(({ answer }) => answer !== undefined).length;
  const work = async (count: number): Promise<void> => {
    const enough = answers() + count;
    await until('the work of the clients', () => answers() >= enough);
  };
  const kill = async (): Promise<void> => {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await work(BETWEEN_KILLS + kills * 7);
      // What it has sent is read, so that afterwards each client has a request without a response.
      bank.child.kill('SIGSTOP');
      await until('a request of each client', () => underWay === CLIENTS);
      await stop(bank, 'SIGKILL');
      bank = await startBank(settings);
    }
    await work(BETWEEN_KILLS);
  };
  await Promise.race([kill(), clients]);
  isOver = true;
  await clients;
  await record({ change: 0 }, async (to) => ({ balance: await balanceOf(to) }));
  await stop(bank);

  const answered = history.filter(({ answer }) => answer !== undefined);
  const paid = answered.filter(
    ({ change, answer }) => change < 0 && answer !== undefined && 'balance' in answer,
  );
  expect(history.length - answered.length, 'requests without an answer').toBeGreaterThan(0);
  expect(paid.length, 'payments').toBeGreaterThan(100);
  expect(anomaliesOf(history, () => initial)).toEqual([]);

  // The same history without one acknowledged payment.
  const lost = paid[Math.floor(paid.length / 2)] as Operation;
  const without = history.filter(({ key }) => key !== lost.key);
  expect(anomaliesOf(without, () => initial)).toHaveLength(1);
});
