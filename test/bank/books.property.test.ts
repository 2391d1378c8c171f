// Thousands of random commands, legal and not, against a model so simple that it can be believed: a list of payments,
// each with nothing, a hold or a posting in the books. After every command the totals are those of the model; after
// every run the audit is clean, the facts are in order, and nothing is planned that is not due for somebody.
// A failure names its seed: run it again with SANDBANK_TEST_SEED=<seed> npx vitest run test/bank/books.property.test.ts

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IncomingRail, OriginationRail } from '../../src/bank/inputs.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import type { Id } from '../../src/kernel/sequence.ts';
import { DAY_MS } from '../../src/kernel/time.ts';
import {
  RAILS,
  type RailEvent,
  type RailName,
  type RailStep,
  railEvents,
  railOf,
  railStep,
} from '../../src/model/rails.ts';
import type { Account, Card, Transaction } from '../../src/model/records.ts';
import type { Direction, TransactionStatus } from '../../src/model/vocabulary.ts';
import { propertyRuns, propertyTimeout } from '../support/runs.ts';
import { openTestSandbox, type TestSandbox } from '../support/sandbox.ts';
import { digestOf } from '../support/tables.ts';
import { everyRail, person, putAccount, totals } from './parties.ts';

const RUNS = 150;
const COMMANDS = 80;
const OPENING = [500_000, 250_000] as const;
/** One refusal in so many is compared with everything that the bank kept before it. */
const COMPARED = 6;

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
  'open',
  'open',
  'open',
  'credit_blocked',
  'debit_blocked',
  'blocked',
  'locked',
  'closed',
);
const waits = fc.constantFrom(1, 400, 1_000, 2_500, 60_000, DAY_MS, 8 * DAY_MS);

/** What is asked of a purchase: of which, how much of it, and whether by the other card. */
const onCard = {
  which,
  percent: fc.constantFrom(1, 30, 50, 100, 100, 101, 250),
  stranger: fc.integer({ min: 0, max: 9 }).map((n) => n === 9),
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
  {
    weight: 9,
    arbitrary: fc.record({
      verb: fc.constant('happen'),
      which,
      // Which of the legal events; beyond them any event, which is most likely refused.
      legal: fc.nat(4),
      event: fc.constantFrom(...EVENTS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant('authorize'), side, amount }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('update'), ...onCard }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('reverse'), ...onCard, whole: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('capture'),
      ...onCard,
      whole: fc.boolean(),
      final: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('refund'), ...onCard }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('refund alone'), side, amount }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('put account'), side, status: accountStatus }) },
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

/** One payment as the model sees it. */
interface Payment {
  id: Id;
  rail: RailName;
  side: number;
  amount: number;
  direction: Direction;
  status: TransactionStatus;
  books: 'nothing' | 'held' | 'posted';
  /** Moves the other account of the bank against this one. */
  within: boolean;
  /** Of a card: its own purchase, and what was refunded of it. */
  parentId: Id | '';
  /** What was captured beside the hold, less what a final capture gave back. */
  beside: number;
  refunded: number;
  /** Of a transfer within the bank: the row of the other account, which is reversed together with this one. */
  partnerId: Id | '';
}

/** What a command is to come to: a refusal, or what it changes in the model. */
type Expected = { refused: string } | { done(answer: unknown): void };

interface Model {
  refusals: number;
  payments: Payment[];
  accounts: { id: Id; status: Account['status']; opening: number }[];
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
  books: 'nothing',
  within: false,
  parentId,
  beside: 0,
  refunded: 0,
  partnerId: details.kind === 'intra' ? details.partnerId : '',
});

const opposite = (direction: Direction): Direction => (direction === 'debit' ? 'credit' : 'debit');

function totalsOf({ payments, accounts }: Model, place: number): [number, number, number] {
  let available = accounts[place]?.opening ?? 0;
  let credits = 0;
  let debits = 0;
  for (const { side, direction, amount, books, within } of payments) {
    const sign = direction === 'credit' ? 1 : -1;
    if (books === 'posted' && side === place) available += sign * amount;
    else if (books === 'posted' && within) available -= sign * amount;
    else if (books === 'held' && side === place && sign > 0) credits += amount;
    else if (books === 'held' && side === place) {
      debits += amount;
      available -= amount;
    }
  }
  return [available, credits, debits];
}

/** Whether an account in this state takes part in a movement of this direction that its own client makes. */
function refusalOfAccount(status: Account['status'], direction: Direction): string | undefined {
  if (status === 'open' || status === `${opposite(direction)}_blocked`) return undefined;
  return status === `${direction}_blocked` ? `account_${direction}_blocked` : 'account_not_active';
}

function apply(payment: Payment, step: RailStep): void {
  payment.status = step.to;
  if (step.ledger === 'settle') payment.books = 'posted';
  if (step.ledger === 'release' || step.ledger === 'undo') payment.books = 'nothing';
}

function expectation(model: Model, given: Command): Expected {
  const { payments, accounts, cards, counterparties } = model;
  const available = (place: number) => totalsOf(model, place)[0];
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
      return { done: (answer) => add(answer, { side, books, within, status }) };
    }
    case 'receive': {
      const { rail, side, amount } = given;
      const { direction } = railOf(rail);
      const shut = refusalOfAccount(accounts[side]?.status ?? 'open', direction) !== undefined;
      const short = direction === 'debit' && available(side) < amount;
      const books = shut || short ? 'nothing' : 'held';
      return { done: (answer) => add(answer, { side, books, status: 'received' }) };
    }
    case 'happen': {
      const payment = payments[given.which % payments.length];
      if (payment === undefined) return { refused: 'transaction_not_found' };
      const event = eventOf(payment, given);
      const partner = payments.find(({ id }) => id === payment.partnerId);
      if (!railEvents(payment.rail, payment.status).includes(event)) return { refused: 'illegal_step' };
      return {
        done() {
          for (const one of [payment, ...(partner === undefined ? [] : [partner])]) {
            apply(one, railStep(one.rail, one.status, event));
          }
        },
      };
    }
    case 'authorize': {
      const { side, amount } = given;
      const account = accounts[side]?.status;
      const approved =
        cards[side]?.status === 'open' &&
        (account === 'open' || account === 'credit_blocked') &&
        available(side) >= amount;
      return approved
        ? { done: (answer) => add(answer, { side, books: 'held', status: 'pending' }) }
        : { done: (answer) => add(answer, { side, status: 'declined' }) };
    }
    case 'update': {
      const { parent, side, amount } = wishOf(model, given);
      if (parent === undefined) return { refused: 'transaction_not_found' };
      if (!isAuthorization(parent, side) || parent.status !== 'pending') return { refused: 'parent_wrong' };
      const more = amount - parent.amount;
      if (more > 0 && more > available(side)) {
        return { done: (answer) => add(answer, { side, status: 'declined' }) };
      }
      return {
        done() {
          parent.amount = amount;
        },
      };
    }
    case 'reverse': {
      const { parent, side, amount } = wishOf(model, given);
      if (parent === undefined) return { refused: 'transaction_not_found' };
      const back = given.whole ? parent.amount : amount;
      const open = isAuthorization(parent, side) && parent.status === 'pending';
      if (!open || back > parent.amount) return { refused: 'parent_wrong' };
      return {
        done(answer) {
          if (back === parent.amount) apply(parent, railStep(parent.rail, parent.status, 'reverse'));
          else parent.amount -= back;
          add(answer, { side, amount: back, status: 'settled' });
        },
      };
    }
    case 'refund': {
      const { parent: named, side, amount } = wishOf(model, given);
      // A capture that is a row of its own stands for its authorization.
      const parent = named?.rail.startsWith('card_adjust')
        ? payments.find(({ id }) => id === named.parentId)
        : named;
      if (parent === undefined) return { refused: 'transaction_not_found' };
      const { status, beside, refunded } = parent;
      const bought = ['pending', 'settled'].includes(status) || (status === 'reversed' && beside > 0);
      const left = beside - refunded + (status === 'reversed' ? 0 : parent.amount);
      if (!isAuthorization(parent, side) || !bought || amount > left) return { refused: 'parent_wrong' };
      return {
        done(answer) {
          // What is refunded was taken first.
          if (parent.status === 'pending') apply(parent, railStep(parent.rail, parent.status, 'settle'));
          add(answer, { side, books: 'posted', status: 'settled' });
          parent.refunded += amount;
          if (parent.status === 'settled' && amount === left) parent.status = 'refunded';
        },
      };
    }
    case 'capture': {
      const { parent, amount } = wishOf(model, given);
      if (parent === undefined) return { refused: 'transaction_not_found' };
      if (parent.rail !== 'card_authorization') return { refused: 'parent_wrong' };
      if (parent.status !== 'pending') return { refused: 'illegal_step' };
      const held = parent.amount;
      const taken = given.whole ? held : amount;
      const rest = given.final ? 0 : Math.max(0, held - taken);
      return {
        done(answer) {
          const { transaction } = answer as { transaction: Transaction };
          if (rest > 0) parent.amount = rest;
          else apply(parent, railStep(parent.rail, parent.status, 'settle'));
          parent.beside += rest > 0 ? taken : taken - held;
          if (transaction.id !== parent.id) {
            add(transaction, { side: parent.side, books: 'posted', status: 'settled' });
          }
        },
      };
    }
    case 'refund alone':
      return { done: (answer) => add(answer, { side: given.side, books: 'posted', status: 'settled' }) };
    case 'put account':
      return {
        done() {
          const account = accounts[given.side];
          if (account !== undefined) account.status = given.status;
        },
      };
    case 'change card': {
      const card = cards[given.side];
      if (card?.status === 'closed' && given.status !== 'closed') return { refused: 'illegal_step' };
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

function eventOf(
  { rail, status }: Payment,
  { legal, event }: { legal: number; event: RailEvent },
): RailEvent {
  return railEvents(rail, status)[legal] ?? event;
}

interface CardWish {
  which: number;
  percent: number;
  stranger: boolean;
}

/** Whose purchase and how much; now and then of a row that is no authorization, or by the card of the other account. */
function wishOf({ payments }: Model, { which, percent, stranger }: CardWish) {
  const rows = payments.filter(({ rail }) =>
    rail.startsWith(which % 5 === 0 ? 'card_' : 'card_authorization'),
  );
  const parent = rows[which % rows.length];
  return {
    parent,
    side: parent === undefined ? 0 : stranger ? 1 - parent.side : parent.side,
    amount: Math.max(1, Math.round(((parent?.amount ?? 1) * percent) / 100)),
  };
}

const isAuthorization = ({ rail, side }: Payment, place: number): boolean =>
  rail === 'card_authorization' && side === place;

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
      const payment = model.payments[given.which % model.payments.length];
      const event = payment === undefined ? given.event : eventOf(payment, given);
      return run(({ payments }) => payments.happen(payment?.id ?? nobody, event));
    }
    case 'authorize':
      return run(({ cardPayments }) =>
        cardPayments.authorize({ cardId: at(given.side).cardId, amount: given.amount }),
      );
    case 'update':
    case 'reverse':
    case 'refund': {
      const { parent, side, amount } = wishOf(model, given);
      const asked = { cardId: at(side).cardId, parentId: parent?.id ?? nobody };
      return run(({ cardPayments }) => {
        if (given.verb === 'update') return cardPayments.update({ ...asked, total: amount });
        if (given.verb === 'refund') return cardPayments.refund({ ...asked, amount });
        return cardPayments.reverse({ ...asked, ...(!given.whole && { amount }) });
      });
    }
    case 'capture': {
      const { parent, amount } = wishOf(model, given);
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
        cardPayments.refund({ cardId: at(given.side).cardId, amount: given.amount }),
      );
    case 'put account':
      return run(() => putAccount(sandbox, at(given.side).accountId, given.status));
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

/** A bank of two accounts, each with a card and with a counterparty that has every rail and the other account. */
async function open(rails: 'fast' | 'manual'): Promise<[TestSandbox, Model]> {
  const sandbox = openTestSandbox({ rails });
  const { run, id, news } = sandbox;
  const ids = [id('account'), id('other_account')] as const;
  const model = await run(({ cardHolders, cards, counterparties }): Model => {
    const holder = cardHolders.create({ accountId: ids[1], person: person() });
    const { card } = cards.issue({ cardHolderId: holder.id, type: 'virtual' });
    return {
      refusals: 0,
      payments: [],
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
        { id: counterparties.create(everyRail(ids[0], ids[1])).id, status: 'activated' },
        { id: counterparties.create(everyRail(ids[1], ids[0])).id, status: 'activated' },
      ],
    };
  });
  news();
  return [sandbox, model];
}

/** What happened by itself, told by the facts: a row of its own, or the planned step of a payment. */
function follow(model: Model, sandbox: TestSandbox, byItself: boolean): void {
  for (const { resource, change, record } of sandbox.news()) {
    if (resource !== 'transaction') continue;
    const told = record as Transaction;
    const known = model.payments.find(({ id }) => id === told.id);
    if (known === undefined) {
      model.payments.push({ ...rowOf(told), side: told.accountId === model.accounts[0]?.id ? 0 : 1 });
    } else if (byItself && change === 'status') {
      const { rail, status } = known;
      const event =
        (told.outcome?.status === status && told.outcome.event) || railOf(rail).timetable[status]?.event;
      expect(event).toBeDefined();
      apply(known, railStep(rail, status, event as RailEvent));
    }
  }
}

async function take(sandbox: TestSandbox, model: Model, given: Command): Promise<void> {
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
  await sandbox.pass();
  follow(model, sandbox, true);
  for (const [place, { id }] of model.accounts.entries()) {
    expect(totals(sandbox, id)).toEqual(totalsOf(model, place));
  }
}

function examine(sandbox: TestSandbox, { payments, accounts }: Model): void {
  const { bank, sandbox: whole } = sandbox;
  for (const { id, rail, status, amount, books } of payments) {
    const kept = bank.payments.byId(id);
    expect([kept.rail, kept.status, kept.amount, kept.holdId !== null]).toEqual([
      rail,
      status,
      amount,
      books === 'held',
    ]);
    if (books === 'held') expect(kept.settledAt).toBeNull();
  }
  const report = whole.audit();
  expect(report.problems).toEqual([]);
  expect(report.openHolds).toBe(payments.filter(({ books }) => books === 'held').length);

  const planned = payments.filter(({ id }) => bank.payments.byId(id).dueAt !== null);
  expect(whole.store.counts()).toMatchObject({ planned_steps: planned.length });

  const { debitsPosted, creditsPosted } = bank.accounts.master().balance;
  const owed = accounts.reduce((sum, { id }) => {
    const { balance } = bank.accounts.byId(id);
    const posted = balance.creditsPosted - balance.debitsPosted;
    // Statements are made of rows, and come to what the transfers do.
    const [latest] = bank.statements.list(id, { kind: 'offset', offset: 0, limit: 1 }).items;
    expect(latest?.closing).toBe(posted);
    return sum + posted;
  }, 0);
  expect(debitsPosted - creditsPosted).toBe(owed);

  const facts = Array.from({ length: whole.outbox.latestSeq() }, (_, place) => whole.outbox.fact(place + 1));
  let last = 0;
  for (const [place, fact] of facts.entries()) {
    expect(fact?.seq).toBe(place + 1);
    expect(fact?.at).toBeGreaterThanOrEqual(last);
    last = fact?.at ?? 0;
  }
}

test('whatever is asked of the bank, its books are those of the model', {
  timeout: propertyTimeout(60_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('fast' as const, 'manual' as const),
      fc.array(command, { minLength: 1, maxLength: COMMANDS, size: 'max' }),
      async (rails, commands) => {
        const [sandbox, model] = await open(rails);
        for (const given of commands) await take(sandbox, model, given);
        examine(sandbox, model);
        await sandbox.end();
      },
    ),
    propertyRuns(RUNS),
  );
});
