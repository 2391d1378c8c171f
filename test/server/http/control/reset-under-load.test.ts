// A bank that is reset under load: every response belongs completely to the old or the new bank, the books of both
// balance, and no response reports a server error.

import { describe, expect, test } from 'vitest';
import { parseMoney } from '../../../../src/bank/kernel/money.ts';
import { makeFolder } from '../../../support/folder.ts';
import { readTables } from '../../../support/tables.ts';
import { openServer } from './server.ts';

const CLIENTS = 16;
const RESETS = 25;

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe.each([
  ['in memory', () => null],
  ['in a file', makeFolder],
])('%s', (_, data) => {
  test('a reset under load never shows a partial bank', async () => {
    const server = await openServer({
      data: data(),
      rails: 'fast',
      synchronous: 'off',
      webhookUrl: 'http://receiver.example/',
    });
    const { registry, call } = server;
    const sandbox = registry.default();
    const { seeded } = (await call('GET', '/_sandbox')).body;
    const pulls = {
      sub_account_id: seeded.sub_account_id,
      counterparty_id: seeded.ach_counterparty_id,
      amount: '1.00',
    };
    const moves = {
      sub_account_id: seeded.sub_account_id,
      counterparty_id: seeded.intra_counterparty_id,
      amount: '1.00',
    };

    // Every bank in order, as it was when it was replaced.
    const banks: Buffer[] = [];
    const { exchange } = registry;
    registry.exchange = (left, image) => {
      banks.push(left.image());
      return exchange(left, image);
    };

    let resets = 0;
    const originated: { id: string; pending: number }[] = [];
    const statuses = new Set<number>();
    const client = async (place: number): Promise<void> => {
      for (let round = 0; resets < RESETS; round += 1) {
        const key = { 'idempotency-key': `${place}/${round}` };
        const pull = await call(
          'POST',
          '/v2/payments/ach/pull',
          pulls,
          undefined,
          round % 2 === 0 ? key : {},
        );
        statuses.add(pull.status);
        if (pull.status === 201) {
          originated.push({
            id: pull.body.id.slice(4),
            pending: parseMoney(pull.body.pending_credits) ?? -1,
          });
        }
        const account = await call('GET', `/v2/accounts/sub_account/${seeded.sub_account_id}`);
        statuses.add(account.status);
        expect((parseMoney(account.body.pending_credits) ?? 1) % 100).toBe(0);
        statuses.add((await call('POST', '/v2/payments/intra_account/pull', moves)).status);
        statuses.add(
          (await call('PATCH', `/v1/contact/${seeded.contact_id}`, { name: `Client ${place}` })).status,
        );
        // An id that the old bank may have and the new one does not.
        statuses.add((await call('GET', `/v2/payments/transaction/${pull.body.id}`)).status);
        statuses.add(
          (await call('POST', '/v2/payments/ach/pull', { ...pulls, amount: 'much' }, undefined, key)).status,
        );
      }
    };
    const resetter = async (): Promise<void> => {
      while (resets < RESETS) {
        for (let turn = 0; turn < resets % 7; turn += 1) await aTurn();
        expect((await call('POST', '/_sandbox/reset')).status).toBe(200);
        resets += 1;
      }
    };
    await Promise.all([resetter(), ...Array.from({ length: CLIENTS }, (__, place) => client(place))]);

    expect([...statuses].toSorted()).toEqual([200, 201, 400, 404]);
    banks.push(sandbox.image());
    /** The pending amount of an account after each pull of each bank. */
    const written = new Set<string>();
    for (const image of banks) {
      const { problems, rows } = registry.seedImages.withTemporary(image, (bank) => ({
        problems: bank.audit().problems,
        rows: readTables(bank).transactions ?? [],
      }));
      expect(problems).toEqual([]);
      for (const { id, pending_credits: pending } of rows) written.add(`${id} ${pending}`);
    }
    expect(originated.length).toBeGreaterThan(CLIENTS);
    for (const { id, pending } of originated) expect(written).toContain(`${id} ${pending}`);
  });
});
