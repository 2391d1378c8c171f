/** Payments, and what is drawn to become of them: nothing, a review, a cancellation, a return, a reversal or a capture. */
import type { Payment } from './books.ts';
import { type Run, refusalOf } from './context.ts';
import * as rules from './rules.ts';
import { RAILS, type Terms } from './world.ts';

/** Amounts for which the bank has a rule: returned at the end of the window, and nine days after it was made. */
export const LATE = 1313;
export const NINE_DAYS = 1414;
const ORIGINATED_ACH = ['ach_push', 'ach_pull'];

const simulate = ({ world }: Run, payment: Payment, event: string, body = {}) =>
  world.bank.sandbox.simulateTransaction({ params: { id: payment.id, event }, body });

function drawTerms({ draw, now }: Run): Terms {
  const amount = 100 + draw.below(30_000);
  const requested = draw.chance(20) ? rules.addDays(rules.utcDate(now), draw.below(12) - 2) : '';
  return {
    amount: amount === LATE || amount === NINE_DAYS ? 1 : amount,
    sameDay: draw.chance(35),
    requested,
  };
}

/** Makes a payment now, and draws what becomes of it. */
export async function pay(run: Run, rail: string, terms = drawTerms(run)): Promise<void> {
  const { world, books, draw, now } = run;
  const { make, plan, isDebit, isBookedWhenMade } = RAILS[rail] as (typeof RAILS)[string];
  const id = await make(world, terms);
  const { effective, steps } = plan(now, terms);
  const { amount } = terms;
  const payment: Payment = {
    id,
    rail,
    amount,
    made: now,
    isDebit,
    isBookedWhenMade,
    effective,
    taken: [],
    ahead: steps,
  };
  run.payments += 1;
  books.make(payment);
  run.pass();
  const { ahead } = payment;
  if (amount === LATE || amount === NINE_DAYS) {
    const at = amount === LATE ? rules.returnableUntil('R01', effective) : now + 9 * rules.DAY;
    payment.ahead = [...ahead.filter((step) => step.at <= at), { at, status: 'returned' }];
  } else if (rail === 'card_authorization') endHold(run, payment);
  else if (ORIGINATED_ACH.includes(rail) && draw.chance(12)) await review(run, payment, terms.sameDay);
  else if (ahead.length > 1 && draw.chance(5)) {
    await simulate(run, payment, 'cancel');
    books.take(payment, { at: now, status: 'canceled' });
  } else if (effective !== '' && draw.chance(30)) returnAtLast(run, payment);
  else if (ORIGINATED_ACH.includes(rail) && draw.chance(15)) reverseAtLast(run, payment);
}

async function review(run: Run, payment: Payment, sameDay: boolean): Promise<void> {
  await simulate(run, payment, 'review');
  payment.taken.push({ at: run.now, status: 'in_review' });
  const cleared = payment.ahead.find(({ status }) => status === 'cleared');
  const isSameDay = sameDay && cleared !== undefined && rules.isSameDay(cleared.at);
  const at = run.now + run.draw.below(4 * rules.DAY);
  payment.ahead = [{ at: Number.POSITIVE_INFINITY, status: '' }];
  run.later(at, async () => {
    await simulate(run, payment, 'approve');
    const { effective, steps } = rules.approvedAch(at, payment.effective, !payment.isDebit, isSameDay);
    payment.effective = effective;
    payment.ahead = steps;
  });
}

/** A hold is captured, reversed, or expires. */
function endHold(run: Run, payment: Payment): void {
  const event = run.draw.pick(['capture', 'reverse', 'expire']);
  if (event === 'expire') return;
  const at = run.now + run.draw.below(7 * rules.DAY);
  run.later(at, async () => {
    const params = { transaction_id: payment.id, event };
    await run.world.bank.sandbox.simulateAuthorization({ params, body: {} });
    run.books.take(payment, { at, status: event === 'capture' ? 'settled' : 'reversed' });
    payment.ahead = [];
  });
}

/** A return in the last instant of the window of a code, or a millisecond after it. */
function returnAtLast(run: Run, payment: Payment): void {
  const code = run.draw.pick(rules.RETURN_CODES);
  const last = rules.returnableUntil(code, payment.effective);
  if ((payment.ahead.at(-1)?.at ?? run.now) > last) return;
  giveBackAt(run, payment, last, {
    event: 'return',
    refusal: 'return_too_late',
    body: { return_code: code },
  });
}

/** A reversal 24 hours after the settlement, or a millisecond later. */
function reverseAtLast(run: Run, payment: Payment): void {
  const last = (payment.ahead.at(-1)?.at ?? run.now) + rules.DAY;
  giveBackAt(run, payment, last, { event: 'reverse', refusal: 'reversal_too_late', body: {} });
}

function giveBackAt(
  run: Run,
  payment: Payment,
  last: number,
  { event, refusal, body }: { event: string; refusal: string; body: object },
): void {
  const isLate = run.draw.chance(50);
  run.later(isLate ? last + 1 : last, async () => {
    const code = await refusalOf(simulate(run, payment, event, body));
    const what = `${event} ${JSON.stringify(body)} of ${payment.rail} ${isLate ? 'after' : 'at'} its last instant`;
    run.compare(what, code, isLate ? refusal : '');
    if (code !== '') return;
    run.books.take(payment, { at: run.now, status: event === 'return' ? 'returned' : 'reversed' });
    run.ended.add(payment);
  });
}
