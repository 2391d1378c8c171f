// Thousands of random commands, legal and illegal, are compared with a simple model: a list of payments, each with
// nothing, a hold or a posting in the books. After every command the totals equal those of the model, and the events
// of both versions add up to them. After every run the audit finds nothing, the statements balance, the facts are in
// order, and every scheduled step is due. A bank that writes its waiting rows, empties its caches and rests at random
// points, and one without waiting rows, return the same responses and end with the same rows as one that does none of
// it. SANDBANK_PROPERTY_RUNS=<runs> sets the number of histories. A failure prints its seed. To run it again:
// SANDBANK_TEST_SEED=<seed> npx vitest run test/bank/verbs/books.property.test.ts

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/bank/kernel/refusal.ts';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import { totalsOf as totalsIn } from '../../../src/bank/model/balances.ts';
import {
  type IncomingRail,
  isAuthorization,
  type OriginationRail,
  RAILS,
  type RailEvent,
  type RailName,
  type RailStep,
  railEvents,
  railOf,
  railStep,
} from '../../../src/bank/model/rails/index.ts';
import type { Account, Card, Transaction } from '../../../src/bank/model/records.ts';
import type { RailsProfile } from '../../../src/bank/model/timetable.ts';
import type { Direction, TransactionStatus } from '../../../src/bank/model/vocabulary.ts';
import type { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import type { AccountWithBalance } from '../../../src/bank/verbs/inputs.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { disturb, disturbances, nothingHappened, readOf } from './disturbances.ts';
import { everyRail, person, putAccount, totals } from './parties.ts';
import { listenTo, type PublishedRows } from './published-rows.ts';

/** As many as run in a few seconds; more on request. */
const RUNS = 40;
const COMMANDS = 80;
const OPENING = [500_000, 250_000, 0] as const;
/** How much of the first account's balance is moved to the fallback account before a history starts. */
const FUNDED = 490_000;
/** One in this many refusals is compared with the complete state of the bank before it. */
const COMPARED = 6;
/**
 * Besides the indexes of the two accounts: the fallback account of the first, and money in suspense on the master
 * account.
 */
const FALLBACK = 2;
const WAITING = 3;

const WITHIN = ['intra_push', 'intra_pull'] as const;
const OUT: readonly OriginationRail[] = [
  ...WITHIN,
  'ach_push',
  'ach_pull',
  'domestic_wire',
  'international_wire',
  'rtp_push',
  'fednow_push',
  'debit_card_push',
  'debit_card_pull',
  'check_send',
  'check_deposit',
];
const IN: readonly IncomingRail[] = [
  'ach_received_push',
  'ach_received_pull',
  'domestic_wire_received',
  'international_wire_received',
  'rtp_received',
  'fednow_received',
];
const IN_CREDITS = IN.filter((rail) => railOf(rail).direction === 'credit');
const EVENTS = [
  ...new Set(Object.values(RAILS).flatMap(({ steps }) => Object.values(steps).flatMap(Object.keys))),
] as RailEvent[];

const side = fc.nat(1);
const which = fc.nat(COMMANDS);
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 800_000 }) },
);
const accountStatus = fc.constantFrom<Account['status']>(
  ...Array<'open'>(8).fill('open'),
  'credit_blocked',
  'debit_blocked',
  'blocked',
  'locked',
  'closed',
);
const waits = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(1, 400, 1_000, 2_500, 60_000) },
  { weight: 1, arbitrary: fc.constantFrom(DAY_MS, 8 * DAY_MS) },
);
/** True once in this many calls. */
const seldom = (many: number) => fc.nat(many - 1).map((n) => n === 0);

/** The input of an action on a purchase: which purchase, how much of it, and whether by the other card. */
const onCard = {
  which,
  percent: fc.constantFrom(1, 10, 30, 50, 100, 100, 101, 250),
  isUnrelated: seldom(15),
  /** Prefers one in an unusual state, if there is one. */
  any: seldom(5),
};

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant('originate'),
      rail: fc.constantFrom(...OUT),
      side,
      amount,
      shortage: fc.constantFrom('record', 'refuse'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ verb: fc.constant('receive'), rail: fc.constantFrom(...IN), side, amount }),
  },
  // Debits from other banks, which the fallback account covers.
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('receive'),
      rail: fc.constant('ach_received_pull'),
      side: fc.constant(0),
      amount,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      verb: fc.constant('happen'),
      which,
      // One of the legal events; rarely any event, which is probably refused.
      legal: fc.nat(9),
      any: seldom(6),
      event: fc.constantFrom(...EVENTS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('receive for nobody'),
      rail: fc.constantFrom(...IN_CREDITS),
      amount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('sub-ledger'),
      which,
      any: seldom(5),
      side,
      percent: fc.constantFrom(1, 30, 50, 100, 101),
    }),
  },
  // Requests like those of the control plane and v2; with `test` a card test of v1.
  {
    weight: 5,
    arbitrary: fc.record({ verb: fc.constant('authorize'), side, amount, test: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('update'), ...onCard }) },
  { weight: 5, arbitrary: fc.record({ verb: fc.constant('reverse'), ...onCard, whole: seldom(5) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('capture'),
      ...onCard,
      whole: seldom(3),
      final: seldom(3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('refund'),
      ...onCard,
      // A card test first captures what is held; the others refund what was captured.
      how: fc.constantFrom('test', 'captured', 'promised'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('refund alone'),
      side,
      amount,
      how: fc.constantFrom('captured', 'promised'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('put account'), side, status: accountStatus }) },
  // Moves money to and from the fallback account of the first account, and sets whether it covers that account.
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('fund'),
      back: seldom(3),
      amount,
      percent: fc.constantFrom(50, 100),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('cover'),
      ach: fc.constantFrom(true, true, true, false),
      card: fc.constantFrom(true, true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('put fallback'), status: accountStatus }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('close'),
      side: fc.constantFrom(1, FALLBACK),
      mailsBalance: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('change card'),
      side,
      status: fc.constantFrom('open', 'open', 'open', 'blocked', 'blocked', 'closed'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      verb: fc.constant('change counterparty'),
      side,
      status: fc.constantFrom('activated', 'activated', 'suspended'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('wait'), ms: waits }) },
);

type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** One payment in the model. */
interface Payment {
  id: Id;
  rail: RailName;
  /** The index of its account, or `WAITING`. */
  side: number;
  amount: number;
  direction: Direction;
  status: TransactionStatus;
  books: 'nothing' | 'held' | 'posted';
  /** The index of the account of this bank on the other side. */
  against: number | undefined;
  /** For a card: whether it is a purchase of its own. */
  parentId: Id | '';
  /** How much of an authorization was released while the rest stayed on hold. */
  reversed: number;
  /** What was captured in parts, minus what a final capture released. */
  adjusted: number;
  /** What was refunded of a purchase, pending or not, and how much of that has settled. */
  refunded: number;
  paidBack: number;
  /** The state of a dispute of the purchase. */
  dispute: 'notInitiated' | 'initiated' | 'successful' | 'declined';
  /**
   * For a transfer within the bank: the row of the other account, which is reversed together with this one.
   */
  partnerId: Id | '';
  /** For sub-ledgered money: its master transaction. */
  entryId: Id | '';
}

/** The expected result of a command: a refusal, or a change of the model. */
type Expected = { refused: string } | { done(answer: unknown): void };

interface Model {
  published: PublishedRows;
  refusals: number;
  payments: Payment[];
  accounts: { id: Id; status: Account['status']; opening: number }[];
  /** Which payments the fallback account covers. */
  covers: { ach: boolean; card: boolean };
  /** How much it has to provide now, in two rows of its own. */
  draws: number[];
  /** The counterparties with which the two accounts pay each other. */
  funding: readonly [Id, Id];
  cards: { id: Id; status: Card['status'] }[];
  counterparties: { id: Id; status: string }[];
}

const rowOf = ({ id, rail, amount, direction, status, parentId, details }: Transaction): Payment => ({
  id,
  rail,
  side: 0,
  amount,
  direction,
  status,
  books: railOf(rail).opens.ledger === 'post' ? 'posted' : 'nothing',
  against: undefined,
  parentId,
  reversed: 0,
  adjusted: 0,
  refunded: 0,
  paidBack: 0,
  dispute: 'notInitiated',
  partnerId: details.kind === 'intra' ? details.partnerId : '',
  entryId: '',
});

/** How much of an authorization is held, and how much was captured in total. */
const heldOf = ({ status, amount, reversed }: Payment): number =>
  status === 'pending' ? amount - reversed : 0;
const capturedOf = ({ status, amount, reversed, adjusted }: Payment): number =>
  adjusted + (status === 'settled' || status === 'refunded' ? amount - reversed : 0);

const opposite = (direction: Direction): Direction => (direction === 'debit' ? 'credit' : 'debit');

function totalsOf({ payments, accounts }: Model, place: number): [number, number, number] {
  let available = accounts[place]?.opening ?? 0;
  let credits = 0;
  let debits = 0;
  for (const { side, direction, books, against, ...payment } of payments) {
    const sign = direction === 'credit' ? 1 : -1;
    const amount = payment.amount - payment.reversed;
    if (books === 'posted' && side === place) available += sign * amount;
    else if (books === 'posted' && against === place) available -= sign * amount;
    else if (books === 'held' && side === place && sign > 0) credits += amount;
    else if (books === 'held' && side === place) {
      debits += amount;
      available -= amount;
    }
  }
  return [available, credits, debits];
}

/**
 * Whether an account with this status can have a payment in this direction that its own client originates.
 */
function refusalOfAccount(status: Account['status'], direction: Direction): string | undefined {
  if (status === 'open' || status === `${opposite(direction)}_blocked`) return undefined;
  return status === `${direction}_blocked` ? `account_${direction}_blocked` : 'account_not_active';
}

function apply(payment: Payment, step: RailStep): void {
  payment.status = step.to;
  if (step.ledger === 'settle') payment.books = 'posted';
  if (step.ledger === 'release' || step.ledger === 'undo') payment.books = 'nothing';
}

/** A purchase is over when it is refunded completely; its dispute then ends without money. */
function payBack(purchase: Payment | undefined, amount: number): void {
  if (purchase === undefined) return;
  purchase.paidBack += amount;
  if (purchase.status === 'settled' && purchase.paidBack === capturedOf(purchase)) {
    purchase.status = 'refunded';
    if (purchase.dispute === 'initiated') purchase.dispute = 'declined';
  }
}

/** How much of a master transaction in suspense is not sub-ledgered. */
const leftOf = ({ payments }: Model, { id, amount }: Payment): number =>
  payments.reduce(
    (left, part) => (part.entryId === id && part.status === 'settled' ? left - part.amount : left),
    amount,
  );

/** An event of a payment: a step of its rail, and its side effects for a card or a sub-ledgered part. */
function expectedOf(model: Model, payment: Payment, event: RailEvent): Expected {
  const { payments } = model;
  const { id, rail, status, amount, partnerId, parentId } = payment;
  if (!railEvents(rail, status).includes(event)) return { refused: 'illegal_step' };
  const refundable = capturedOf(payment) - payment.refunded;
  if (isAuthorization(rail) && event === 'refund' && refundable <= 0) return { refused: 'illegal_step' };
  const { dispute } = railStep(rail, status, event);
  const disputable = refundable > 0 || event === 'lose_dispute';
  if (dispute !== undefined && (dispute.from !== payment.dispute || !disputable)) {
    return { refused: 'illegal_step' };
  }
  return {
    done() {
      if (dispute !== undefined) payment.dispute = dispute.to;
      if (event === 'win_dispute') payment.refunded += refundable;
      if (event === 'refund') {
        payment.refunded += refundable;
        payBack(payment, refundable);
        return;
      }
      // Both rows of a transfer within the bank, and all parts of a master transaction, are reversed together.
      const together = payments.filter(
        (other) => other.id === partnerId || (other.entryId === id && other.status === 'settled'),
      );
      const goesBack = event === 'return' || event === 'reverse';
      for (const one of [payment, ...(partnerId !== '' || goesBack ? together : [])]) {
        apply(one, railStep(one.rail, one.status, event));
      }
      if (rail !== 'card_refund') return;
      const purchase = payments.find((other) => other.id === parentId);
      if (event === 'settle') payBack(purchase, amount);
      else if (purchase !== undefined) purchase.refunded -= amount;
    },
  };
}

/** How much the fallback account provides for a missing amount; `undefined` if it provides nothing. */
function drawOf(model: Model, side: number, way: 'ach' | 'card', amount: number): number | undefined {
  const missing = amount - totalsOf(model, side)[0];
  const status = model.accounts[FALLBACK]?.status;
  const covers = side === 0 && model.covers[way] && (status === 'open' || status === 'credit_blocked');
  return covers && missing > 0 && totalsOf(model, FALLBACK)[0] >= missing ? missing : undefined;
}

function expectation(model: Model, given: Command): Expected {
  const { payments, accounts, cards, counterparties, draws } = model;
  const available = (place: number) => totalsOf(model, place)[0];
  const draw = (amount: number | undefined): void => {
    if (amount !== undefined) draws.push(amount);
  };
  const add = (answer: unknown, more: Partial<Payment>): void => {
    payments.push({ ...rowOf(answer as Transaction), ...more });
  };

  switch (given.verb) {
    case 'originate': {
      const { rail, side, amount, shortage } = given;
      const { direction, opens } = railOf(rail);
      const within = rail === 'intra_push' || rail === 'intra_pull';
      const refused =
        refusalOfAccount(accounts[side]?.status ?? 'open', direction) ??
        (counterparties[side]?.status === 'activated' ? undefined : 'counterparty_not_active') ??
        (within ? refusalOfAccount(accounts[1 - side]?.status ?? 'open', opposite(direction)) : undefined);
      if (refused !== undefined) return { refused };
      const payer = direction === 'debit' ? side : within ? 1 - side : undefined;
      const short = payer !== undefined && available(payer) < amount;
      if (short && shortage === 'refuse') return { refused: 'insufficient_funds' };
      const books = short ? 'nothing' : within ? 'posted' : 'held';
      const status = short ? 'declined' : opens.status;
      const against = within ? 1 - side : undefined;
      return { done: (answer) => add(answer, { side, books, against, status }) };
    }
    case 'receive': {
      const { rail, side, amount } = given;
      const { direction } = railOf(rail);
      const shut = refusalOfAccount(accounts[side]?.status ?? 'open', direction) !== undefined;
      const drawn = shut || direction === 'credit' ? undefined : drawOf(model, side, 'ach', amount);
      const short = direction === 'debit' && available(side) < amount && drawn === undefined;
      const books = shut || short ? 'nothing' : 'held';
      return {
        done(answer) {
          draw(drawn);
          add(answer, { side, books, status: 'received' });
        },
      };
    }
    case 'receive for nobody':
      return { done: (answer) => add(answer, { side: WAITING, books: 'held', status: 'received' }) };
    case 'sub-ledger': {
      const { entry, amount } = partOf(model, given);
      if (entry === undefined) return { refused: 'transaction_not_found' };
      const { side } = given;
      const refused = refusalOfAccount(accounts[side]?.status ?? 'open', 'credit');
      if (refused !== undefined) return { refused };
      if (entry.status !== 'settled') return { refused: 'illegal_step' };
      if (leftOf(model, entry) === 0) return { refused: 'entry_sub_ledgered' };
      if (amount > leftOf(model, entry)) return { refused: 'field_invalid' };
      return { done: (answer) => add(answer, { side, entryId: entry.id }) };
    }
    case 'happen': {
      const payment = paymentOf(model, given);
      if (payment === undefined) return { refused: 'transaction_not_found' };
      return expectedOf(model, payment, eventOf(payment, given));
    }
    case 'authorize': {
      const { side, amount } = given;
      const account = accounts[side]?.status;
      const usable = cards[side]?.status === 'open' && (account === 'open' || account === 'credit_blocked');
      const drawn = usable ? drawOf(model, side, 'card', amount) : undefined;
      const approved = usable && (available(side) >= amount || drawn !== undefined);
      return {
        done(answer) {
          draw(drawn);
          add(answer, approved ? { side, books: 'held', status: 'pending' } : { side, status: 'declined' });
        },
      };
    }
    case 'update': {
      const { parent, side, amount } = actionOf(model, given);
      if (parent === undefined) return { refused: 'transaction_not_found' };
      if (!isOwn(parent, side) || parent.status !== 'pending' || amount <= parent.reversed) {
        return { refused: 'parent_wrong' };
      }
      const more = amount - parent.amount;
      const drawn = more > 0 ? drawOf(model, side, 'card', more) : undefined;
      if (more > 0 && more > available(side) && drawn === undefined) {
        return { done: (answer) => add(answer, { side, status: 'declined' }) };
      }
      return {
        done() {
          draw(drawn);
          parent.amount = amount;
        },
      };
    }
    case 'reverse': {
      const { parent, side, amount } = actionOf(model, given);
      if (parent === undefined) return { refused: 'transaction_not_found' };
      const held = heldOf(parent);
      const back = given.whole ? held : amount;
      const open = isOwn(parent, side) && parent.status === 'pending';
      if (!open || back > held) return { refused: 'reversal_not_allowed' };
      return {
        done(answer) {
          if (back === held) apply(parent, railStep(parent.rail, parent.status, 'reverse'));
          else parent.reversed += back;
          add(answer, { side, amount: back, status: 'settled' });
        },
      };
    }
    case 'refund': {
      const { parent: named, side, amount } = actionOf(model, given);
      // The separate row of a capture represents its authorization.
      const parent = named?.rail.startsWith('card_adjust')
        ? payments.find(({ id }) => id === named.parentId)
        : named;
      if (parent === undefined) return { refused: 'transaction_not_found' };
      const { status, adjusted, refunded } = parent;
      const bought = ['pending', 'settled'].includes(status) || (status === 'reversed' && adjusted > 0);
      const left = capturedOf(parent) - refunded + (given.how === 'test' ? heldOf(parent) : 0);
      if (!isOwn(parent, side) || !bought || amount > left) return { refused: 'parent_wrong' };
      return {
        done(answer) {
          // A refund in a card test captures first.
          if (given.how === 'test' && parent.status === 'pending') {
            apply(parent, railStep(parent.rail, parent.status, 'settle'));
          }
          parent.refunded += amount;
          add(answer, { side });
          if (given.how !== 'promised') payBack(parent, amount);
        },
      };
    }
    case 'capture': {
      const { parent, amount } = actionOf(model, given);
      if (parent === undefined) return { refused: 'transaction_not_found' };
      if (!isAuthorization(parent.rail)) return { refused: 'parent_wrong' };
      if (parent.status !== 'pending' && parent.status !== 'reversed') return { refused: 'illegal_step' };
      const held = heldOf(parent);
      const isLate = parent.status === 'reversed';
      const released = model.payments.findLast(
        (payment) => payment.parentId === parent.id && payment.rail === 'card_reverse',
      );
      const whole = isLate ? (released?.amount ?? 0) : held;
      const taken = given.whole ? whole : amount;
      const rest = given.final ? 0 : Math.max(0, held - taken);
      return {
        done(answer) {
          const { transaction } = answer as { transaction: Transaction };
          // A capture of more than the held amount may overdraw.
          if (taken > held) draw(drawOf(model, parent.side, 'card', taken - held));
          if (rest > 0) parent.amount -= taken;
          else if (!isLate) apply(parent, railStep(parent.rail, parent.status, 'settle'));
          parent.adjusted += rest > 0 ? taken : taken - held;
          if (transaction.id !== parent.id) add(transaction, { side: parent.side });
        },
      };
    }
    case 'refund alone':
      return { done: (answer) => add(answer, { side: given.side }) };
    case 'put account':
      return {
        done() {
          const account = accounts[given.side];
          if (account !== undefined) account.status = given.status;
        },
      };
    case 'fund': {
      const [from, to] = given.back ? [FALLBACK, 0] : [0, FALLBACK];
      const refused =
        refusalOfAccount(accounts[from]?.status ?? 'open', 'debit') ??
        refusalOfAccount(accounts[to]?.status ?? 'open', 'credit') ??
        (available(from) < fundingOf(model, given) ? 'insufficient_funds' : undefined);
      if (refused !== undefined) return { refused };
      return { done: (answer) => add(answer, { side: from, against: to, books: 'posted' }) };
    }
    case 'cover': {
      if (accounts[FALLBACK]?.status === 'closed') return { refused: 'field_invalid' };
      return {
        done() {
          model.covers = { ach: given.ach, card: given.card };
        },
      };
    }
    case 'put fallback':
      return {
        done() {
          const account = accounts[FALLBACK];
          if (account !== undefined) account.status = given.status;
        },
      };
    case 'close': {
      const { side, mailsBalance } = given;
      const account = accounts[side];
      if (account?.status === 'closed') return { done: () => {} };
      if (account?.status === 'locked') return { refused: 'illegal_step' };
      const { ach, card } = model.covers;
      const covers = side === FALLBACK && (ach || card) && accounts[0]?.status !== 'closed';
      if (covers) return { refused: 'account_is_fallback' };
      const [balance, ...pending] = totalsOf(model, side);
      const fits = mailsBalance ? balance >= 0 : balance === 0;
      if (!fits || pending.some((cents) => cents !== 0)) return { refused: 'account_not_empty' };
      return {
        done(answer) {
          if (account !== undefined) account.status = 'closed';
          expect(totalsIn((answer as AccountWithBalance).balance).availableBalance).toBe(0);
        },
      };
    }
    case 'change card': {
      const card = cards[given.side];
      if (card?.status === 'closed' && given.status !== 'closed') return { refused: 'card_status_fixed' };
      return {
        done(answer) {
          if (card !== undefined) card.status = (answer as { card: Card }).card.status;
          expect(card?.status).toBe(given.status);
        },
      };
    }
    case 'change counterparty': {
      const counterparty = counterparties[given.side];
      return {
        done() {
          if (counterparty !== undefined) counterparty.status = given.status;
        },
      };
    }
    case 'wait':
      return { done: () => {} };
  }
}

/** How much is moved to the fallback account, or back from it. */
function fundingOf(model: Model, given: { back: boolean; amount: number; percent: number }): number {
  if (!given.back) return given.amount;
  return Math.max(1, Math.round((totalsOf(model, FALLBACK)[0] * given.percent) / 100));
}

/** The payment of an event: one that is not in a final state, if there is one. */
function paymentOf({ payments }: Model, { which, any }: { which: number; any: boolean }) {
  const moving = any ? [] : payments.filter(({ rail, status }) => railEvents(rail, status).length > 0);
  const rows = moving.length > 0 ? moving : payments;
  return rows[which % rows.length];
}

function eventOf(
  { rail, status }: Payment,
  { legal, any, event }: { legal: number; any: boolean; event: RailEvent },
): RailEvent {
  const events = railEvents(rail, status);
  return (any ? undefined : events[legal % events.length]) ?? event;
}

interface CardAction {
  verb: 'update' | 'reverse' | 'capture' | 'refund';
  which: number;
  percent: number;
  isUnrelated: boolean;
  any: boolean;
}

/** Which purchase and how much; sometimes a row of another type, or the card of the other account. */
function actionOf({ payments }: Model, { verb, which, percent, isUnrelated, any }: CardAction) {
  const cards = payments.filter(({ rail }) => rail.startsWith('card_'));
  const fits = (payment: Payment): boolean =>
    isAuthorization(payment.rail) &&
    (verb === 'refund'
      ? capturedOf(payment) > payment.refunded
      : payment.status === 'pending' || (verb === 'capture' && payment.status === 'reversed'));
  const fitting = any ? [] : cards.filter(fits);
  const rows = fitting.length > 0 ? fitting : cards;
  const parent = rows[which % rows.length];
  return {
    parent,
    side: parent === undefined ? 0 : isUnrelated ? 1 - parent.side : parent.side,
    amount: Math.max(1, Math.round(((parent?.amount ?? 1) * percent) / 100)),
  };
}

const isOwn = ({ rail, side }: Payment, place: number): boolean => isAuthorization(rail) && side === place;

/** Which transaction in suspense, and how much of the rest. */
function partOf(model: Model, { which, percent, any }: { which: number; percent: number; any: boolean }) {
  const all = model.payments.filter(({ side, rail }) => side === WAITING && rail !== 'reversal_debit');
  const settled = any ? [] : all.filter((entry) => entry.status === 'settled' && leftOf(model, entry) > 0);
  const entries = settled.length > 0 ? settled : all;
  const entry = entries[which % entries.length];
  const left = entry === undefined ? 1 : leftOf(model, entry);
  return { entry, amount: Math.max(1, Math.round((left * percent) / 100)) };
}

function carryOut(sandbox: TestSandbox, model: Model, given: Command): Promise<unknown> {
  const { run, pass } = sandbox;
  const at = (place: number) => ({
    accountId: model.accounts[place]?.id ?? '',
    counterpartyId: model.counterparties[place]?.id ?? '',
    cardId: model.cards[place]?.id ?? '',
  });
  const nobody = 'f'.repeat(32);
  switch (given.verb) {
    case 'originate': {
      const { rail, side, amount, shortage } = given;
      return run(({ payments }) => payments.originate(rail, { ...at(side), amount, shortage }));
    }
    case 'receive': {
      const { rail, side, amount } = given;
      return run(({ payments }) => payments.receive(rail, { ...at(side), amount, sender: {} }));
    }
    case 'happen': {
      const payment = paymentOf(model, given);
      const event = payment === undefined ? given.event : eventOf(payment, given);
      return run(({ payments }) => payments.applyEvent(payment?.id ?? nobody, event));
    }
    case 'receive for nobody': {
      const { rail, amount } = given;
      return run(({ payments }) => payments.receive(rail, { accountId: null, amount, sender: {} }));
    }
    case 'sub-ledger': {
      const { entry, amount } = partOf(model, given);
      const { accountId } = at(given.side);
      return run(({ payments }) =>
        payments.subLedger({ masterEntryId: entry?.id ?? nobody, accountId, amount }),
      );
    }
    case 'authorize': {
      const { side, amount, test } = given;
      return run(({ cardPayments }) =>
        cardPayments.authorize({ cardId: at(side).cardId, amount, ...(test && { test }) }),
      );
    }
    case 'update':
    case 'reverse':
    case 'refund': {
      const { parent, side, amount } = actionOf(model, given);
      const request = { cardId: at(side).cardId, parentId: parent?.id ?? nobody };
      return run(({ cardPayments }) => {
        if (given.verb === 'update') return cardPayments.update({ ...request, total: amount });
        if (given.verb === 'refund') return cardPayments.refund({ ...request, amount, ...waysOf(given.how) });
        return cardPayments.reverse({ ...request, ...(!given.whole && { amount }) });
      });
    }
    case 'capture': {
      const { parent, amount } = actionOf(model, given);
      return run(({ cardPayments }) =>
        cardPayments.capture({
          authorizationId: parent?.id ?? nobody,
          final: given.final,
          ...(!given.whole && { amount }),
        }),
      );
    }
    case 'refund alone':
      return run(({ cardPayments }) =>
        cardPayments.refund({
          cardId: at(given.side).cardId,
          amount: given.amount,
          ...waysOf(given.how),
        }),
      );
    case 'put account':
      return run(() => putAccount(sandbox, at(given.side).accountId, given.status));
    case 'fund': {
      const [from, counterpartyId] = given.back ? [FALLBACK, model.funding[1]] : [0, model.funding[0]];
      const amount = fundingOf(model, given);
      return run(({ payments }) =>
        payments.originate('intra_push', { ...at(from), counterpartyId, amount, shortage: 'refuse' }),
      );
    }
    case 'cover': {
      const fallbackId = at(FALLBACK).accountId;
      const fallback = {
        ach: { enabled: given.ach, fallbackId },
        card: { enabled: given.card, fallbackId },
      };
      return run(({ accounts }) => accounts.change(at(0).accountId, { config: { fallback } }));
    }
    case 'put fallback':
      return run(() => putAccount(sandbox, at(FALLBACK).accountId, given.status));
    case 'close': {
      const { side, mailsBalance } = given;
      return run(({ accounts }) => accounts.change(at(side).accountId, { status: 'closed', mailsBalance }));
    }
    case 'change card':
      return run(({ cards }) => cards.change(at(given.side).cardId, { status: given.status as 'open' }));
    case 'change counterparty':
      return run(({ counterparties }) =>
        counterparties.change(at(given.side).counterpartyId, { status: given.status as 'activated' }),
      );
    case 'wait':
      return pass(given.ms);
  }
}

const waysOf = (how: 'test' | 'captured' | 'promised') => ({
  captured: how !== 'test',
  isPending: how === 'promised',
});

/**
 * A bank with two accounts, each with a card and a counterparty that has every rail and the other account. The first
 * has a fallback account.
 */
async function open(rails: RailsProfile): Promise<[TestSandbox, Model]> {
  const sandbox = openTestSandbox({ rails });
  const { run, id, newFacts } = sandbox;
  const [first, second] = [id('account'), id('other_account')];
  const model = await run(({ accounts, cardHolders, cards, counterparties }): Model => {
    const { holderId } = accounts.byId(first).account;
    const { account: fallback } = accounts.open({ holderId, type: 'checking', role: 'fallback' });
    const ids = [first, second, fallback.id];
    const fund = (accountId: Id, to: Id): Id => {
      const rails = { intraAccount: { accountId: to } };
      return counterparties.create({ accountId, name: 'Fallback', relation: 'selfIntrabank', rails }).id;
    };
    const holder = cardHolders.create({ accountId: second, person: person() });
    const { card } = cards.issue({ cardHolderId: holder.id, type: 'virtual' });
    return {
      published: listenTo(sandbox, ids),
      refusals: 0,
      payments: [],
      covers: { ach: false, card: false },
      draws: [],
      funding: [fund(first, fallback.id), fund(fallback.id, first)],
      accounts: ids.map((accountId, place) => ({
        id: accountId,
        status: 'open',
        opening: OPENING[place] ?? 0,
      })),
      cards: [
        { id: id('virtual_card'), status: 'open' },
        { id: card.id, status: 'open' },
      ],
      counterparties: [
        { id: counterparties.create(everyRail(first, second)).id, status: 'activated' },
        { id: counterparties.create(everyRail(second, first)).id, status: 'activated' },
      ],
    };
  });
  newFacts();
  // The first account has a low balance, so that its fallback account is used often.
  await take(sandbox, model, { verb: 'cover', ach: true, card: true });
  await take(sandbox, model, { verb: 'fund', back: false, amount: FUNDED, percent: 100 });
  return [sandbox, model];
}

/** Changes without a command, as facts: a new row, or a scheduled step of a payment. */
function follow(model: Model, sandbox: TestSandbox, byItself: boolean): void {
  const fresh = new Set<Id>();
  for (const fact of sandbox.newFacts()) {
    model.published.onFact(fact);
    const { resource, change, record } = fact;
    if (resource !== 'transaction') continue;
    const published = record as Transaction;
    const known = model.payments.find(({ id }) => id === published.id);
    if (known === undefined) {
      const place = model.accounts.findIndex(({ id }) => id === published.accountId);
      const against = published.rail === 'overdraft_draw' ? 0 : undefined;
      const books = published.rail === 'account_closing' && { books: 'held' as const };
      model.payments.push({ ...rowOf(published), side: place === -1 ? WAITING : place, against, ...books });
      if (against !== undefined) expect([place, published.amount]).toEqual([FALLBACK, model.draws.shift()]);
      fresh.add(published.id);
    } else if (fresh.has(known.id)) {
      // A refund that is caused by an event is pending and settled in the same command.
      known.status = published.status;
    } else if (byItself && change === 'status') {
      const { rail, status } = known;
      const event =
        (published.outcome?.status === status && published.outcome.event) ||
        railOf(rail).timetable[status]?.event;
      expect(event).toBeDefined();
      // What was settled in v1 remains spent.
      if (rail === 'card_test_authorization') expect(published.status).toBe('settled');
      apply(known, railStep(rail, status, event as RailEvent));
    }
  }
}

/** Runs a command and the steps that are then due; returns the result of the bank, or its refusal. */
async function take(sandbox: TestSandbox, model: Model, given: Command): Promise<unknown> {
  const expected = expectation(model, given);
  if ('refused' in expected) model.refusals += 1;
  const compares = 'refused' in expected && model.refusals % COMPARED === 0;
  const before = compares ? digestOf(sandbox.sandbox) : '';
  let answer: unknown;
  let refused: string | undefined;
  try {
    answer = await carryOut(sandbox, model, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused = error.code;
  }
  expect(refused).toBe('refused' in expected ? expected.refused : undefined);
  if ('done' in expected) expected.done(answer);
  if (compares) expect(digestOf(sandbox.sandbox)).toBe(before);
  follow(model, sandbox, given.verb === 'wait');
  expect(model.draws).toEqual([]);
  await sandbox.pass();
  follow(model, sandbox, true);
  for (const [place, { id }] of model.accounts.entries()) {
    expect(totals(sandbox, id)).toEqual(totalsOf(model, place));
  }
  for (const [place, { id }] of model.cards.entries()) {
    expect(sandbox.sandbox.store.cardUsage.since(id, '').amount).toBe(usageOf(model, place));
  }
  model.published.expectSound();
  return refused ?? answer;
}

/**
 * The amount that counts towards a limit of the card: what its purchases hold and captured, minus what was refunded.
 */
function usageOf({ payments }: Model, place: number): number {
  return payments
    .filter((payment) => isOwn(payment, place))
    .reduce((sum, purchase) => sum + heldOf(purchase) + capturedOf(purchase) - purchase.refunded, 0);
}

function examine(sandbox: TestSandbox, { payments, accounts, published }: Model): void {
  const { bank, sandbox: whole } = sandbox;
  published.expectCurrent();
  for (const { id, rail, status, amount, books } of payments) {
    const stored = bank.payments.byId(id);
    expect([stored.rail, stored.status, stored.amount, stored.holdId !== null]).toEqual([
      rail,
      status,
      amount,
      books === 'held',
    ]);
    if (books === 'held') expect(stored.settledAt).toBeNull();
  }
  const report = whole.audit();
  expect(report.problems).toEqual([]);
  expect(report.openHolds).toBe(payments.filter(({ books }) => books === 'held').length);

  const planned = payments.filter(({ id }) => bank.payments.byId(id).dueAt !== null);
  expect(whole.store.counts()).toMatchObject({ planned_steps: planned.length });

  const { debitsPosted, creditsPosted } = bank.accounts.master().balance;
  const waiting = bank.payments.suspenseBalance();
  const owed = accounts.reduce((sum, { id }, place) => {
    const { balance } = bank.accounts.byId(id);
    // Statements consist of rows, and add up to the available balance and the money on hold for pending payments.
    const [latest] = bank.statements.list(id, { kind: 'offset', offset: 0, limit: 1 }).items;
    const [available] = totals(sandbox, id);
    expect(latest?.closing).toBe(available + waitingToLeave(payments, place));
    return sum + balance.creditsPosted - balance.debitsPosted;
  }, waiting.creditsPosted - waiting.debitsPosted);
  expect(debitsPosted - creditsPosted).toBe(owed);

  const facts = Array.from({ length: whole.outbox.latestSeq() }, (_, place) => whole.outbox.fact(place + 1));
  let last = 0;
  for (const [place, fact] of facts.entries()) {
    expect(fact?.seq).toBe(place + 1);
    expect(fact?.at).toBeGreaterThanOrEqual(last);
    last = fact?.at ?? 0;
  }
}

function waitingToLeave(payments: readonly Payment[], place: number): number {
  return payments
    .filter(({ rail }) => railOf(rail).booked === 'when_settled' && railOf(rail).direction === 'debit')
    .reduce((sum, { side, books, amount }) => (side === place && books === 'held' ? sum + amount : sum), 0);
}

/** A bank without waiting rows. */
function writeAtOnce({ sandbox }: TestSandbox): void {
  const { waitingRows } = sandbox.connection.sqlite as NodeDriver;
  waitingRows.begin = () => {};
}

test('random commands leave the books equal to the model, and all totals add up', {
  timeout: propertyTimeout(240_000),
}, async () => {
  const happened = nothingHappened();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('fast' as const, 'calendar' as const, 'manual' as const),
      fc.array(command, { minLength: 1, maxLength: COMMANDS, size: 'max' }),
      // One of four histories runs once. The others run a second time: by a bank with disturbances at random points,
      // or by one that writes each row immediately.
      fc.oneof(
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: disturbances(1, 6) },
        { weight: 1, arbitrary: fc.constant('writes at once') },
      ),
      async (rails, commands, way) => {
        const outcomes: [answers: unknown[], digest: string][] = [];
        for (const isDisturbed of way === undefined ? [false] : [false, true]) {
          const [sandbox, model] = await open(rails);
          const disturbNow =
            isDisturbed && typeof way === 'object' ? disturb(sandbox, way, happened) : undefined;
          if (isDisturbed && typeof way === 'string') writeAtOnce(sandbox);
          const answers: unknown[] = [];
          for (const given of commands) {
            answers.push(readOf(sandbox));
            disturbNow?.();
            answers.push(await take(sandbox, model, given));
          }
          examine(sandbox, model);
          outcomes.push([answers, digestOf(sandbox.sandbox)]);
          await sandbox.end();
        }
        expect(outcomes.at(-1)).toEqual(outcomes[0]);
      },
    ),
    propertyRuns(RUNS),
  );
  expect(Object.entries(happened).filter(([, times]) => times === 0)).toEqual([]);
});
