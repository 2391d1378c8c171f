// More than a year of a bank with calendar rails: payments around holidays on weekends and around both changes of
// daylight saving time, and a card's monthly limit for thirteen months.

import { describe, expect, test } from 'vitest';
import { targetOf } from '../../../src/sandboxes/sandbox/time-targets.ts';
import { advance, settle, type Travelled } from '../../../src/sandboxes/sandbox/time-travel.ts';
import { openTraveller, pay, spend, type Traveller } from './travellers.ts';

const PATIENT = { deadlineMs: 30_000 };
const at = (text: string) => Date.parse(text);

const freeze = ({ sandbox }: Traveller, now: string) =>
  sandbox.setClock((clock) => clock.set('frozen', at(now)));
const story = ({ transitions }: Travelled) =>
  transitions.map(({ to, at: instant }) => `${to} ${new Date(instant).toISOString()}`);

/** A bank that was seeded on the day it starts, like the fixture. */
const open = async (now: string): Promise<Traveller> => {
  const traveller = openTraveller({ at: at(now) });
  await freeze(traveller, now);
  return traveller;
};

describe('an ACH pull', () => {
  test.each([
    [
      // Friday, 3 July 2026 is a banking day: the 4th is a Saturday.
      '2026-07-02T17:00:00Z',
      [
        'pending 2026-07-02T17:01:00.000Z',
        'clearing 2026-07-02T19:15:00.000Z',
        'cleared 2026-07-03T12:30:00.000Z',
        'settled 2026-07-07T12:30:00.000Z',
      ],
    ],
    [
      '2027-06-17T17:00:00Z',
      [
        'pending 2027-06-17T17:01:00.000Z',
        'clearing 2027-06-17T19:15:00.000Z',
        'cleared 2027-06-18T12:30:00.000Z',
        'settled 2027-06-22T12:30:00.000Z',
      ],
    ],
    [
      '2027-12-23T18:00:00Z',
      [
        'pending 2027-12-23T18:01:00.000Z',
        'clearing 2027-12-23T20:15:00.000Z',
        'cleared 2027-12-24T13:30:00.000Z',
        'settled 2027-12-28T13:30:00.000Z',
      ],
    ],
    [
      '2027-12-30T18:00:00Z',
      [
        'pending 2027-12-30T18:01:00.000Z',
        'clearing 2027-12-30T20:15:00.000Z',
        'cleared 2027-12-31T13:30:00.000Z',
        'settled 2028-01-04T13:30:00.000Z',
      ],
    ],
    [
      // Over the weekend on which daylight saving time starts.
      '2026-03-06T18:00:00Z',
      [
        'pending 2026-03-06T18:01:00.000Z',
        'clearing 2026-03-06T20:15:00.000Z',
        'cleared 2026-03-09T12:30:00.000Z',
        'settled 2026-03-11T12:30:00.000Z',
      ],
    ],
    [
      // And on which it ends.
      '2026-10-30T17:00:00Z',
      [
        'pending 2026-10-30T17:01:00.000Z',
        'clearing 2026-10-30T19:15:00.000Z',
        'cleared 2026-11-02T13:30:00.000Z',
        'settled 2026-11-04T13:30:00.000Z',
      ],
    ],
  ])('of %s', async (now, expected) => {
    const traveller = await open(now);
    await pay(traveller, 'ach_pull', 10_000);
    expect(story(await settle(traveller.sandbox, PATIENT))).toEqual(expected);
  });

  test.each([
    ['2026-07-02T17:00:00Z', 3],
    ['2027-12-23T18:00:00Z', 3],
    ['2026-03-06T18:00:00Z', 3],
    ['2026-10-30T17:00:00Z', 3],
  ])('of %s settles after %i banking days, and not one earlier', async (now, days) => {
    const traveller = await open(now);
    const { id } = await pay(traveller, 'ach_pull', 10_000);
    const { bank, clock } = traveller.sandbox;
    for (let day = 1; day < days; day += 1) {
      await advance(traveller.sandbox, targetOf({ business_days: 1 }, clock.now()), PATIENT);
      expect(bank.payments.byId(id).status).toBe('cleared');
    }
    await advance(traveller.sandbox, targetOf({ business_days: 1 }, clock.now()), PATIENT);
    expect(bank.payments.byId(id).status).toBe('settled');
  });
});

describe('a monthly limit of a card', () => {
  test('resets on the first day of each of thirteen months', async () => {
    const traveller = await open('2026-01-15T18:00:00Z');
    const { sandbox, run, id } = traveller;
    await run(({ cards }) =>
      cards.change(id('virtual_card'), {
        controls: { limit: { period: 'monthly', maxSpendAmount: 10_000 } },
      }),
    );
    for (let month = 0; month < 13; month += 1) {
      const bought = await spend(traveller, 6_000);
      expect([month, bought.status]).toEqual([month, 'pending']);
      const refused = await spend(traveller, 4_001);
      expect([refused.status, refused.reason?.code]).toEqual(['declined', 'spendLimit']);
      // It is not captured, so it is released after a week, to the month of the purchase, in a separate row.
      const week = await advance(sandbox, targetOf({ by: 'P7D' }, sandbox.clock.now()), PATIENT);
      expect(story(week).map((line) => line.split(' ')[0])).toEqual(['reversed', 'settled']);
      const again = await spend(traveller, 10_000);
      expect(again.status).toBe('pending');
      expect((await spend(traveller, 1)).reason?.code).toBe('spendLimit');
      await advance(sandbox, targetOf({ by: 'P1M' }, sandbox.clock.now() - 7 * 86_400_000), PATIENT);
    }
    expect(new Date(sandbox.clock.now()).toISOString()).toBe('2027-02-15T18:00:00.000Z');
  });

  test('counts to the last second of a month', async () => {
    const traveller = await open('2026-01-31T23:59:59Z');
    const { sandbox, run, id } = traveller;
    await run(({ cards }) =>
      cards.change(id('virtual_card'), {
        controls: { limit: { period: 'monthly', maxSpendAmount: 10_000 } },
      }),
    );
    expect((await spend(traveller, 10_000)).status).toBe('pending');
    await advance(sandbox, targetOf({ by: 'PT0.999S' }, sandbox.clock.now()), PATIENT);
    expect((await spend(traveller, 1)).reason?.code).toBe('spendLimit');
    await advance(sandbox, targetOf({ by: 'PT0.001S' }, sandbox.clock.now()), PATIENT);
    expect((await spend(traveller, 10_000)).status).toBe('pending');
  });
});
