// Advancing the clock: all due work runs at its own instant and in order, its effects are reported, and the number of
// advances makes no difference.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/bank/kernel/time.ts';
import {
  advance,
  nextDueAt,
  settle,
  type Travelled,
  waitUntilQuiet,
} from '../../../src/sandboxes/sandbox/time-travel.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';
import { START } from '../../support/sandbox.ts';
import { readTables } from '../../support/tables.ts';
import { openTraveller, pay, spend, type Traveller } from './travellers.ts';

const PATIENT = { deadlineMs: 20_000 };

const freeze = ({ sandbox }: Traveller, now = START) => sandbox.setClock((clock) => clock.set('frozen', now));
const by = ({ sandbox }: Traveller, ms: number) => advance(sandbox, sandbox.clock.now() + ms, PATIENT);
const iso = (instant: number) => new Date(instant).toISOString();
const steps = ({ transitions }: Travelled) => transitions.map(({ from, to, at }) => [from, to, iso(at)]);

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Only lists, which are merged from parts. */
const listsOf = (parts: Travelled[]) => ({
  transitions: parts.flatMap(({ transitions }) => transitions),
  postings: parts.flatMap(({ postings }) => postings),
  events: parts.flatMap(({ events }) => events),
  deliveries: parts.flatMap(({ deliveries }) =>
    // An advance reports the state of a delivery at its end; one that waits then may be dropped with its webhook in a
    // later one.
    deliveries.map((one) => ({ ...one, state: one.state === 'dropped' ? 'waiting' : one.state })),
  ),
});

describe('an advance', () => {
  test('runs every step at its own instant and reports it', async () => {
    const traveller = openTraveller();
    await freeze(traveller);
    const { id } = await pay(traveller, 'ach_push', 1_000);
    const way = await by(traveller, 3 * DAY_MS);
    expect(way).toMatchObject({ quiescent: true, from: START, to: START + 3 * DAY_MS });
    expect(steps(way)).toEqual([
      ['originated', 'pending', '2026-03-04T18:01:00.000Z'],
      ['pending', 'clearing', '2026-03-04T20:15:00.000Z'],
      ['clearing', 'cleared', '2026-03-05T13:30:00.000Z'],
      ['cleared', 'settled', '2026-03-05T13:30:00.000Z'],
    ]);
    expect(
      way.transitions.every(({ transactionId, rail }) => transactionId === id && rail === 'ach_push'),
    ).toBe(true);
    expect(way.postings).toEqual([
      expect.objectContaining({
        kind: 'settle',
        amount: 1_000,
        transactionId: id,
        at: Date.parse('2026-03-05T13:30:00Z'),
      }),
    ]);
    expect(way.events.map(({ kind }) => kind)).toEqual([
      'transaction.status.pending',
      'transaction.status.clearing',
      'transaction.status.cleared',
      'ach.originated.updated',
      'transaction.status.settled',
    ]);
    expect(way.deliveries).toEqual([]);
    expect(traveller.sandbox.clock.setting()).toMatchObject({ mode: 'frozen', shows: START + 3 * DAY_MS });
  });

  test('reports only what happened during the advance', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await pay(traveller, 'ach_push', 1);
    await by(traveller, 10_000);
    const again = await by(traveller, DAY_MS);
    expect(listsOf([again])).toEqual({ transitions: [], postings: [], events: [], deliveries: [] });
  });

  test('by 0 runs what is due now', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await pay(traveller, 'ach_push', 1);
    expect(steps(await by(traveller, 0))).toEqual([]);
    await traveller.sandbox.setClock((clock) => clock.moveTo(START + 1_000));
    await by(traveller, 0);
    expect(nextDueAt(traveller.sandbox)).toBe(START + 2_000);
  });

  test('delivers events meanwhile, and retries when a retry is due', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    const webhook = await traveller.listen('v2', 2);
    await spend(traveller, 100);
    const way = await by(traveller, MINUTE_MS);
    expect(way.quiescent).toBe(true);
    const tried = way.deliveries.map(({ number, status, state, kind, webhookId }) => {
      return [number, status, state, kind, webhookId];
    });
    const kinds = ['transaction.created', 'transaction.status.pending'];
    const round = (number: number, status: number, state: string) =>
      kinds.map((kind) => [number, status, state, kind, webhook]);
    // Jitter may change the order within a round.
    const inOrder = tried.toSorted(
      (a, b) => Number(a[0]) - Number(b[0]) || String(a[3]).localeCompare(String(b[3])),
    );
    expect(inOrder).toEqual([
      ...round(1, 503, 'waiting'),
      ...round(2, 503, 'waiting'),
      ...round(3, 200, 'delivered'),
    ]);
    const instants = way.deliveries.map(({ at }) => at);
    expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    expect(way.deliveries[0]?.eventId).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  test('lets a receiver call the bank, and runs what that causes in its order', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await traveller.listen('v2', 0);
    let answered = 0;
    traveller.onDelivery = async ({ body }) => {
      const event = JSON.parse(body) as { event_type: string; data: { amount: string } };
      if (event.event_type !== 'transaction.status.settled' || event.data.amount !== '7.00') return;
      answered += 1;
      await pay(traveller, 'ach_push', 800);
    };
    await pay(traveller, 'ach_push', 700);
    const way = await by(traveller, MINUTE_MS);
    expect(answered).toBe(1);
    expect(steps(way)).toEqual([
      ['originated', 'pending', iso(START + 1_000)],
      ['pending', 'clearing', iso(START + 2_000)],
      ['clearing', 'cleared', iso(START + 3_000)],
      ['cleared', 'settled', iso(START + 4_000)],
      [null, 'originated', iso(START + 4_000)],
      ['originated', 'pending', iso(START + 5_000)],
      ['pending', 'clearing', iso(START + 6_000)],
      ['clearing', 'cleared', iso(START + 7_000)],
      ['cleared', 'settled', iso(START + 8_000)],
    ]);
  });

  test('reports the previous state of a transaction that a command changed meanwhile', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    const other = await traveller.run(({ payments }) =>
      payments.receive('ach_received_push', { accountId: traveller.id('account'), amount: 5, sender: {} }),
    );
    await traveller.run(({ payments }) => payments.applyEvent(other.id, 'review'));
    await pay(traveller, 'ach_push', 700);
    await traveller.listen('v2', 0);
    traveller.onDelivery = async ({ body }) => {
      const { event_type: type } = JSON.parse(body) as { event_type: string };
      if (type === 'transaction.status.clearing') {
        await traveller.run(({ payments }) => payments.applyEvent(other.id, 'approve'));
      }
    };
    const way = await by(traveller, MINUTE_MS);
    const own = way.transitions.filter(({ transactionId }) => transactionId === other.id);
    expect(own.map(({ from, to }) => [from, to])).toEqual([
      ['in_review', 'received'],
      ['received', 'settled'],
    ]);
  });

  test('is refused during another one: a receiver that requests one would wait for itself', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await traveller.listen('v1', 0);
    await pay(traveller, 'ach_push', 1);
    await traveller.sandbox.courier?.idle();
    const answers: string[] = [];
    traveller.onDelivery = () =>
      by(traveller, DAY_MS).then(
        () => void answers.push('moved'),
        (error: { code: string }) => void answers.push(error.code),
      );
    const way = await by(traveller, DAY_MS);
    expect(new Set(answers)).toEqual(new Set(['illegal_step']));
    expect(way).toMatchObject({ quiescent: true, to: START + DAY_MS });
    await expect(by(traveller, DAY_MS)).resolves.toMatchObject({ to: START + 2 * DAY_MS });
  });

  test('stops at its deadline, reports it, and continues on request', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await traveller.listen('v2', 0);
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => {
      answer = resolve;
    });
    traveller.onDelivery = () => silence;
    await pay(traveller, 'ach_push', 700);
    const target = START + MINUTE_MS;
    const way = await advance(traveller.sandbox, target, { deadlineMs: 5 });
    expect(way).toMatchObject({ quiescent: false, to: START });
    answer();
    const rest = await advance(traveller.sandbox, target, PATIENT);
    expect(rest).toMatchObject({ quiescent: true, to: target });
    expect(rest.transitions.at(-1)?.to).toBe('settled');
  });

  test('stops if its caller disconnects', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await traveller.listen('v2', 0);
    const caller = new AbortController();
    traveller.onDelivery = async () => caller.abort();
    await pay(traveller, 'ach_push', 700);
    const way = await advance(traveller.sandbox, START + MINUTE_MS, { ...PATIENT, signal: caller.signal });
    expect(way).toMatchObject({ quiescent: false, to: START });
    const late = await advance(traveller.sandbox, START + MINUTE_MS, { ...PATIENT, signal: caller.signal });
    expect(late.to).toBe(START);
  });

  test('ends if the bank is replaced meanwhile, and does not affect the new one', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    const { sandbox } = traveller;
    await freeze(traveller);
    const image = sandbox.image();
    await traveller.listen('v2', 0);
    await pay(traveller, 'ach_push', 700);
    await sandbox.courier?.idle();
    traveller.onDelivery = async () => {
      await aTurn();
      sandbox.replaceWith(image);
    };
    await expect(by(traveller, DAY_MS)).rejects.toMatchObject({ code: 'write_conflict' });
    expect(sandbox.clock.now()).toBe(START);
    traveller.onDelivery = async () => {};
    await expect(by(traveller, DAY_MS)).resolves.toMatchObject({ to: START + DAY_MS, quiescent: true });
  });

  test('of a bank with many steps at one instant runs all of them', async () => {
    const traveller = openTraveller();
    await freeze(traveller);
    await Promise.all(Array.from({ length: 300 }, () => pay(traveller, 'ach_push', 1)));
    const way = await by(traveller, 3 * DAY_MS);
    expect(way.quiescent).toBe(true);
    expect(way.transitions).toHaveLength(1_200);
    expect(way.postings).toHaveLength(300);
  });
});

describe('a clock after an advance', () => {
  test('continues live with a new offset from the real one', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await by(traveller, DAY_MS);
    traveller.clock.advance(1_234);
    expect(traveller.sandbox.clock.now()).toBe(START + DAY_MS + 1_234);
    expect(traveller.sandbox.clock.setting().mode).toBe('live');
    await by(traveller, DAY_MS);
    expect(traveller.sandbox.clock.now()).toBe(START + 2 * DAY_MS + 1_234);
  });

  test('continues at its rate', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await traveller.sandbox.setClock((clock) => clock.set('scaled', START, 60));
    await pay(traveller, 'ach_push', 1);
    const way = await by(traveller, HOUR_MS);
    expect(way.transitions).toHaveLength(4);
    traveller.clock.advance(1_000);
    expect(traveller.sandbox.clock.now()).toBe(START + HOUR_MS + MINUTE_MS);
  });
});

describe('two small advances', () => {
  const command = fc.oneof(
    fc.record({ does: fc.constantFrom('ach_push', 'ach_pull'), amount: fc.integer({ min: 1, max: 9_999 }) }),
    fc.record({ does: fc.constant('spend'), amount: fc.integer({ min: 1, max: 9_999 }) }),
    fc.record({ does: fc.constant('receive'), amount: fc.integer({ min: 1, max: 9_999 }) }),
  );
  const instants = fc.array(fc.integer({ min: 0, max: 12 * DAY_MS }), { maxLength: 6 });

  const begin = async (traveller: Traveller, commands: { does: string; amount: number }[], mode: Mode) => {
    const { sandbox, run, id } = traveller;
    await sandbox.setClock((clock) => clock.set(mode, START, mode === 'scaled' ? 1_000 : undefined));
    await traveller.listen('v1', 1);
    await traveller.listen('v2', 3);
    await traveller.listen('v2', 99);
    for (const { does, amount } of commands) {
      if (does === 'spend') await spend(traveller, amount);
      else if (does === 'receive') {
        await run(({ payments }) =>
          payments.receive('ach_received_pull', { accountId: id('account'), amount, sender: {} }),
        );
      } else await pay(traveller, does as 'ach_push', amount);
      // Immediate work is done by a timer, which may fire before or after the next command.
      await sandbox.agenda.runDue();
    }
  };
  type Mode = 'live' | 'frozen' | 'scaled';

  test.each([
    ['frozen', 'calendar'],
    ['live', 'fast'],
    ['scaled', 'fast'],
  ] as const)(
    '%s have the same result as a large one, on the rails %s',
    async (mode, rails) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(command, { minLength: 1, maxLength: 5 }),
          instants,
          async (commands, stops) => {
            const [whole, parts] = [openTraveller({ rails }), openTraveller({ rails })];
            await begin(whole, commands, mode);
            await begin(parts, commands, mode);
            const end = START + 12 * DAY_MS;
            const once = await advance(whole.sandbox, end, PATIENT);
            const ways: Travelled[] = [];
            for (const stop of [...stops.map((ms) => START + ms).toSorted((a, b) => a - b), end]) {
              ways.push(await advance(parts.sandbox, stop, PATIENT));
            }
            expect(once.quiescent && ways.every(({ quiescent }) => quiescent)).toBe(true);
            expect(listsOf(ways)).toEqual(listsOf([once]));
            expect(readTables(parts.sandbox)).toEqual(readTables(whole.sandbox));
          },
        ),
        propertyRuns(6),
      );
    },
    propertyTimeout(30_000),
  );
});

describe('settling', () => {
  test('ends when every payment has settled, and not later', async () => {
    const traveller = openTraveller();
    await freeze(traveller);
    await pay(traveller, 'ach_push', 1_000);
    await pay(traveller, 'ach_pull', 2_000);
    const settled = await settle(traveller.sandbox, PATIENT);
    expect(settled).toMatchObject({ quiescent: true, left: [] });
    expect(iso(settled.to)).toBe('2026-03-09T12:30:00.000Z');
    expect(settled.transitions.filter(({ to }) => to === 'settled')).toHaveLength(2);
  });

  test('keeps card holds that wait for their capture', async () => {
    const traveller = openTraveller();
    await freeze(traveller);
    const { id } = await spend(traveller, 1_000);
    const settled = await settle(traveller.sandbox, PATIENT);
    expect(settled).toMatchObject({ quiescent: true, left: [], to: START, transitions: [] });
    expect(traveller.sandbox.bank.payments.byId(id).status).toBe('pending');
  });

  test('lists payments that wait for an action', async () => {
    const traveller = openTraveller();
    await freeze(traveller);
    const { id } = await pay(traveller, 'ach_push', 1_000);
    await traveller.run(({ payments }) => payments.applyEvent(id, 'review'));
    const settled = await settle(traveller.sandbox, PATIENT);
    expect(settled.left).toEqual([{ id, rail: 'ach_push', status: 'in_review' }]);
    expect(settled.to).toBe(START);
  });

  test('advances each payment along its rail with manual rails', async () => {
    const traveller = openTraveller({ rails: 'manual' });
    await freeze(traveller);
    await traveller.listen('v2', 0);
    const out = await pay(traveller, 'ach_push', 1_000);
    const sentBack = await traveller.run(({ payments }) =>
      payments.receive('ach_received_pull', {
        accountId: traveller.id('account'),
        amount: 99_999_999,
        sender: {},
      }),
    );
    const hold = await spend(traveller, 500);
    const settled = await settle(traveller.sandbox, PATIENT);
    expect(settled).toMatchObject({ quiescent: true, left: [], to: START });
    const { payments } = traveller.sandbox.bank;
    expect(payments.byId(out.id).status).toBe('settled');
    expect(payments.byId(sentBack.id)).toMatchObject({ status: 'returned', reason: { code: 'R01' } });
    expect(payments.byId(hold.id).status).toBe('pending');
    expect(settled.transitions.map(({ from, to }) => [from, to])).toEqual([
      ['originated', 'pending'],
      ['received', 'returned'],
      ['pending', 'clearing'],
      ['clearing', 'cleared'],
      ['cleared', 'settled'],
    ]);
    expect(settled.deliveries.length).toBeGreaterThan(0);
    expect(settled.deliveries.every(({ state }) => state === 'delivered')).toBe(true);
  });
});

describe('waiting until the bank is quiet', () => {
  test('runs due steps and deliveries in flight, and moves no clock', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await freeze(traveller);
    await traveller.listen('v2', 1);
    await pay(traveller, 'ach_push', 1);
    await traveller.sandbox.setClock((clock) => clock.moveTo(START + 3_500));
    expect(await waitUntilQuiet(traveller.sandbox, 20_000)).toBe(true);
    expect(traveller.sandbox.clock.now()).toBe(START + 3_500);
    expect(traveller.sandbox.courier?.inFlight()).toBe(0);
    expect(nextDueAt(traveller.sandbox)).toBe(START + 4_000);
  });

  test('ends at its deadline', async () => {
    const traveller = openTraveller({ rails: 'fast' });
    await traveller.listen('v1', 0);
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => {
      answer = resolve;
    });
    traveller.onDelivery = () => silence;
    await traveller.run(({ cards }) => cards.change(traveller.id('virtual_card'), { label: 'x' }));
    expect(await waitUntilQuiet(traveller.sandbox, 5)).toBe(false);
    answer();
    expect(await waitUntilQuiet(traveller.sandbox, 20_000)).toBe(true);
  });
});
