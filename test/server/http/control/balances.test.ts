// The balance of an account over time: each point equals the balance in the books at that time, even if points are
// reduced.

import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../support.ts';
import { openBank } from './server.ts';

const http = useHttp({ small: true, rails: 'manual' });

interface Point {
  at: string;
  posted_balance: string;
  available_balance: string;
  pending_credits: string;
  pending_debits: string;
}

const balances = async (caller: Caller, account: string, query = '') => {
  const { status, body } = await caller.v2('GET', `/_sandbox/ledger/${account}/balances${query}`);
  const answer = body as { changes: number; complete: boolean; points: Point[]; error: { hint: string } };
  return { status, body: answer, points: answer.points };
};
const figures = ({ posted_balance, available_balance, pending_credits, pending_debits }: Point) => [
  posted_balance,
  available_balance,
  pending_credits,
  pending_debits,
];
const totals = async (caller: Caller, account: string): Promise<unknown[]> => {
  const shown = await caller.v2('GET', `/_sandbox/ledger/${account}`);
  return ['available_balance', 'pending_credits', 'pending_debits'].map((name) => shown.at(name));
};
const authorize = async (caller: Caller, amount: string): Promise<string> =>
  (
    await caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`, {
      amount,
    })
  ).at('transaction.id') as string;

describe('the balance over time', () => {
  it('continues at its last read position, with the same result as a full read', async () => {
    const caller = http.caller();
    const account = caller.seed('sub_account_id');
    for (let count = 1; count <= 12; count += 1) {
      http.clock.advance(count * 1000);
      const held = await authorize(caller, `${count}.00`);
      if (count % 3 === 0) await caller.v2('POST', `/_sandbox/simulate/authorizations/${held}/capture`, {});
      for (const points of [10, 200]) {
        const continued = await balances(caller, account, `?points=${points}`);
        // A request with a start is read from there.
        const fresh = await balances(caller, account, `?points=${points}&from=2000-01-01T00:00:00.000Z`);
        expect(continued.body).toEqual(fresh.body);
      }
      const { body } = await caller.v2('GET', `/_sandbox/ledger/${account}?limit=1000`);
      expect(body).toMatchObject({ total: (body as { entries: unknown[] }).entries.length });
    }
    expect((await balances(caller, account, '?points=10')).body.complete).toBe(false);
  });

  it('has a point for each transaction, with posted, available and pending amounts, and ends now', async () => {
    const caller = http.caller();
    const account = caller.seed('sub_account_id');
    const started = (await balances(caller, account)).points.at(-1) as Point;
    expect(figures(started)).toEqual(['5000.00', '5000.00', '0.00', '0.00']);
    http.clock.advance(1000);
    const held = await authorize(caller, '40.00');
    http.clock.advance(1000);
    await caller.v2('POST', `/_sandbox/simulate/authorizations/${held}/capture`, { amount: '30.00' });
    http.clock.advance(1000);
    const incoming = await caller.v2('POST', '/_sandbox/simulate/incoming/rtp', {
      sub_account_id: account,
      amount: '7.00',
    });
    http.clock.advance(1000);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${incoming.at('transaction.id')}/settle`, {});
    http.clock.advance(60_000);
    const { body, points } = await balances(caller, account);
    expect(body.complete).toBe(true);
    expect(points.slice(-6).map(figures)).toEqual([
      ['5000.00', '4960.00', '0.00', '40.00'],
      ['4960.00', '4960.00', '0.00', '0.00'],
      ['4970.00', '4970.00', '0.00', '0.00'],
      ['4970.00', '4970.00', '7.00', '0.00'],
      ['4977.00', '4977.00', '0.00', '0.00'],
      ['4977.00', '4977.00', '0.00', '0.00'],
    ]);
    expect(points.at(-1)?.at).toBe(new Date(http.clock.now()).toISOString());
    expect(figures(points.at(-1) as Point).slice(1)).toEqual(await totals(caller, account));
  });

  it('of the master account has inverted sides, and equals its totals', async () => {
    const caller = http.caller();
    await authorize(caller, '40.00');
    await caller.v2('POST', '/_sandbox/simulate/incoming/rtp', {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '7.00',
    });
    const last = (await balances(caller, 'master')).points.at(-1) as Point;
    expect(figures(last).slice(1)).toEqual(await totals(caller, 'master'));
    expect([last.pending_credits, last.pending_debits]).toEqual(['7.00', '40.00']);
  });

  it('between two instants starts and ends with the balances at these instants', async () => {
    const caller = http.caller();
    const account = caller.seed('sub_account_id');
    http.clock.advance(10_000);
    const from = new Date(http.clock.now()).toISOString();
    http.clock.advance(10_000);
    await authorize(caller, '1.00');
    http.clock.advance(10_000);
    const to = new Date(http.clock.now()).toISOString();
    http.clock.advance(10_000);
    await authorize(caller, '2.00');
    const { body, points } = await balances(caller, account, `?from=${from}&to=${to}`);
    expect(body.changes).toBe(1);
    expect(points.map(({ available_balance: available }) => available)).toEqual([
      '5000.00',
      '4999.00',
      '4999.00',
    ]);
    expect([points[0]?.at, points[2]?.at]).toEqual([from, to]);
  });

  it('keeps minimum and maximum if there are more transactions than points', async () => {
    const caller = http.caller();
    const account = caller.seed('sub_account_id');
    for (let turn = 0; turn < 60; turn += 1) {
      http.clock.advance(1000);
      await authorize(caller, turn === 31 ? '900.00' : '1.00').then(async (id) => {
        if (turn === 31) await caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/reverse`, {});
      });
    }
    const all = (await balances(caller, account, '?points=1000')).points;
    const { body, points } = await balances(caller, account, '?points=18');
    expect(body.complete).toBe(false);
    expect(points.length).toBeLessThanOrEqual(18);
    const lowest = (list: Point[]) => Math.min(...list.map((point) => Number(point.available_balance)));
    expect(lowest(points)).toBe(lowest(all));
    expect(points.at(-1)).toEqual(all.at(-1));
    expect(all).toEqual(expect.arrayContaining(points));
  });

  it('keeps the order of events in a sandbox whose clock was set back', async () => {
    const { call } = await openBank({ rails: 'manual' });
    const { sub_account_id } = (await call('GET', '/_sandbox')).body.seeded;
    await call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2020-01-06T12:00:00Z' });
    for (let day = 0; day < 30; day += 1) {
      await call('POST', '/_sandbox/simulate/incoming/rtp', { sub_account_id, amount: '1.00' });
      await call('POST', '/_sandbox/clock/advance', { by: 'P1D' });
    }
    const { body } = await call('GET', `/_sandbox/ledger/${sub_account_id}/balances?points=30`);
    expect(body.complete).toBe(false);
    const days = new Set(body.points.map(({ at }: Point) => at.slice(0, 10)));
    expect(days.size).toBeGreaterThan(7);
    expect(body.points.at(-1)).toMatchObject({ pending_credits: '30.00' });
  });

  it.each([
    ['?points=5', 'points'],
    ['?points=1001', 'points'],
    ['?points=many', 'points'],
    ['?from=yesterday', 'from'],
    ['?from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 'to'],
  ])('refuses %s and names the field', async (query, field) => {
    const caller = http.caller();
    const { status, body } = await balances(caller, 'master', query);
    expect([status, body.error.hint]).toEqual([400, field]);
  });

  it('is 404 for an unknown account', async () => {
    const { status } = await balances(http.caller(), `sub_${'0'.repeat(32)}`);
    expect(status).toBe(404);
  });
});
