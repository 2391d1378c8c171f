/**
 * One bank on calendar rails, advanced day by day with payments by seed on the way, and compared with the rules: the
 * instants of every step, effective dates, return windows, balances, statements, the calendar, retries and the audit.
 */
import { startSandbank } from '../../src/kit/index.ts';
import { checkDay, checkMonth } from './checks.ts';
import { iso, Run } from './context.ts';
import { LATE, NINE_DAYS, pay } from './fates.ts';
import * as rules from './rules.ts';
import { issueCard, money, openWorld, RAILS } from './world.ts';

/** The first day, the day after the last, and the number from which everything is drawn. */
export interface Span {
  readonly from: string;
  readonly to: string;
  readonly seed: number;
}

interface Report {
  readonly days: number;
  readonly payments: number;
  readonly comparisons: number;
  readonly differences: readonly string[];
}

const HOUR = rules.DAY / 24;
const PAYMENTS_PER_DAY = 3;
/** The event whose deliveries fail. */
const CARD_EVENT = 'card.spend';
/** Times at which something ends or begins, Pacific, and how far from them a payment is made, in milliseconds. */
const EDGES = [...rules.ACH_WINDOWS, ...rules.CHECK_FILES, '05:30', '06:00', '12:00'];
const DISTANCES = [-30_000, -1, 0, 1];

export async function runYears({ from, to, seed }: Span): Promise<Report> {
  const begin = Date.parse(`${from}T00:00:00Z`);
  const end = Date.parse(`${to}T00:00:00Z`);
  await using bank = await startSandbank({ rails: 'calendar', now: iso(begin), randomSeed: String(seed) });
  const { sandbox } = bank;
  await sandbox.createWebhook({ body: { api_version: 'v1', receiver: true, events: [CARD_EVENT] } });
  const late = { match: { amount: { equals: money(LATE) } }, outcome: { return_code: 'R01', after: 'P30D' } };
  const soon = {
    match: { amount: { equals: money(NINE_DAYS) } },
    outcome: { return_code: 'R10', after: 'P9D' },
  };
  await sandbox.replaceRules({ body: { rules: [late, soon] } });
  const run = new Run(await openWorld(bank), begin, seed);
  await beginYear(run);
  await beginMonth(run);
  for (let day = begin; day < end; day += rules.DAY) {
    drawDay(run, day);
    await run.advance(day + rules.DAY);
    await checkDay(run);
    const date = rules.utcDate(run.now);
    if (!date.endsWith('-01')) continue;
    await checkMonth(run);
    if (date.endsWith('-01-01')) await beginYear(run);
    await beginMonth(run);
  }
  const { payments, comparisons, differences } = run;
  return { days: (end - begin) / rules.DAY, payments, comparisons, differences };
}

function drawDay(run: Run, day: number): void {
  const { draw } = run;
  for (let count = 0; count < PAYMENTS_PER_DAY; count += 1) {
    const edge = rules.timeOn(rules.utcDate(day), draw.pick(EDGES), 'pacific') + draw.pick(DISTANCES);
    const at = draw.chance(50) ? edge : day + draw.below(rules.DAY);
    const rail = draw.pick([...Object.keys(RAILS), 'ach_push', 'ach_pull', 'ach_pull']);
    run.later(at, () => pay(run, rail));
  }
}

/** A new card, which is used in its last instant and in the next. */
async function beginYear(run: Run): Promise<void> {
  const { sandbox } = run.world.bank;
  const end = await issueCard(run.world);
  const { card } = run.world;
  for (const at of [end - 1, end])
    run.later(at, async () => {
      const params = { card_id: card };
      const { transaction } = await sandbox.simulateCardAuthorization({ params, body: { amount: '1.00' } });
      run.compare(
        `a purchase around the end of a card at ${iso(end)}`,
        transaction.status,
        at < end ? 'pending' : 'declined',
      );
      if (transaction.status !== 'pending') return;
      const hold = { transaction_id: transaction.id, event: 'reverse' };
      await sandbox.simulateAuthorization({ params: hold, body: {} });
    });
}

/** Money, and what happens once a month. */
async function beginMonth(run: Run): Promise<void> {
  const terms = { sameDay: true, requested: '' };
  const once = (day: number, hour: number, rail: string, amount: number): void =>
    run.later(run.now + day * rules.DAY + hour * HOUR, () => pay(run, rail, { ...terms, amount }));
  await pay(run, 'rtp_received', { ...terms, amount: 50_000_000 });
  once(9, 20, 'ach_push', LATE);
  once(10, 20, 'ach_pull', NINE_DAYS);
  // The largest amount of a same-day payment, and one cent more.
  once(14, 18, 'ach_pull', 100_000_000);
  once(14, 18, 'ach_pull', 100_000_001);
  run.later(run.now + 19 * rules.DAY, () => checkRetries(run));
}

/** The attempts to deliver an event to a receiver that is down for a day. */
async function checkRetries(run: Run): Promise<void> {
  const { sandbox } = run.world.bank;
  await sandbox.setReceiver({ body: { status: 503 } });
  await pay(run, 'card_authorization');
  const { events } = await sandbox.listEvents({ query: { type: CARD_EVENT, limit: '1' } });
  run.later(run.now + rules.DAY, async () => {
    await sandbox.clearReceiver();
    const { attempts } = await sandbox.listEventAttempts({ params: { id: events[0]?.id ?? '' } });
    const times = attempts.map(({ at }) => Date.parse(at) / 1000).sort((one, other) => one - other);
    const waits = times.slice(1).map((at, number) => at - (times[number] ?? 0));
    // Up to a tenth shorter or longer, and shown in whole seconds.
    const isInTime = rules.RETRIES.map(
      (wait, number) => Math.abs((waits[number] ?? 0) - wait) <= wait / 10 + 1,
    );
    run.compare(
      'waits between attempts',
      [waits.length, isInTime],
      [rules.RETRIES.length, rules.RETRIES.map(() => true)],
    );
  });
}
