// Tests every state machine and every rail, so that a new table is covered automatically: each event in each state is
// a step of the table or a refusal that lists the legal events, the timetable ends, and no path through a rail leaves
// a hold open or posts twice.

import { describe, expect, test } from 'vitest';
import { legalEvents, type Machine, step } from '../../../src/bank/kernel/machine.ts';
import { Refusal } from '../../../src/bank/kernel/refusal.ts';
import {
  ACCOUNT,
  ACCOUNT_EVENT_FOR,
  CARD,
  CARD_EVENT_FOR,
  CARD_HOLDER,
  COUNTERPARTY,
  HOLDER,
  HOLDER_EVENT_FOR,
  MACHINES,
  WEBHOOK,
  WEBHOOK_EVENT_FOR,
} from '../../../src/bank/model/machines.ts';
import {
  type LedgerAction,
  ORDERED_RAILS,
  RAILS,
  type RailEvent,
  type RailName,
  REVERSAL_RAILS,
  railEvents,
  railOf,
  railStep,
} from '../../../src/bank/model/rails/index.ts';
import {
  ACCOUNT_STATUSES,
  CARD_STATUSES,
  HOLDER_STATUSES,
  TRANSACTION_STATUSES,
  type TransactionStatus,
  WEBHOOK_STATUSES,
} from '../../../src/bank/model/vocabulary.ts';

const unique = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** The result of an attempt: the next state, or the code of the refusal and the listed events. */
function attempt(work: () => string): string | [string, readonly string[]] {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.legal];
  }
}

/** Everything that can be reached from `first` by `next`, including itself. */
function reachableFrom<T>(first: readonly T[], next: (state: T) => readonly T[]): Set<T> {
  const found = new Set(first);
  for (const state of found) for (const other of next(state)) found.add(other);
  return found;
}

const VOCABULARIES = new Map<Machine, readonly string[]>([
  [HOLDER, HOLDER_STATUSES],
  [CARD_HOLDER, HOLDER_STATUSES],
  [COUNTERPARTY, HOLDER_STATUSES],
  [ACCOUNT, ACCOUNT_STATUSES],
  [CARD, CARD_STATUSES],
  [WEBHOOK, WEBHOOK_STATUSES],
]);
const FINAL = ['deactivated', 'closed', 'deleted'];
const byName = MACHINES.map((machine) => [machine.name, machine] as const);

describe.each(byName)('the state machine of a %s', (_, machine) => {
  const states = Object.keys(machine.states);
  const events = unique(states.flatMap((state) => legalEvents(machine, state)));
  const nextOf = (state: string) => Object.values(machine.states[state] ?? {}) as string[];

  test('has a row for every status of its vocabulary, and no other', () => {
    expect(states.toSorted()).toEqual([...(VOCABULARIES.get(machine) ?? [])].toSorted());
  });

  test('follows the table or refuses with the legal events, in every state for every event', () => {
    for (const state of states) {
      for (const event of events) {
        const next = machine.states[state]?.[event];
        expect([state, event, attempt(() => step(machine, state, event))]).toEqual([
          state,
          event,
          next ?? ['illegal_step', legalEvents(machine, state)],
        ]);
      }
    }
  });

  test('leads to states with a row, never from a state to itself', () => {
    for (const state of states) {
      for (const next of nextOf(state)) {
        expect(states).toContain(next);
        expect(next).not.toBe(state);
      }
    }
  });

  test('can reach every state', () => {
    expect([...reachableFrom(machine.first, nextOf)].toSorted()).toEqual(states.toSorted());
  });

  test('has one final state, whose row is empty, which every state can reach', () => {
    const final = states.filter((state) => nextOf(state).length === 0);
    expect(final).toHaveLength(1);
    expect(FINAL).toContain(final[0]);
    for (const state of states) expect([...reachableFrom([state], nextOf)]).toContain(final[0]);
  });

  test('restores at unlocking every state in which it was locked', () => {
    const lockable = states.filter((state) => machine.states[state]?.lock !== undefined);
    const unlocks = Object.entries(machine.states.locked ?? {}).filter(([event]) =>
      event.startsWith('unlock'),
    );
    expect(unlocks.map(([, state]) => state).toSorted()).toEqual(lockable.toSorted());
  });
});

test('every machine has its vocabulary here', () => {
  expect([...VOCABULARIES.keys()]).toEqual([...MACHINES]);
});

test.each<[string, Machine, Record<string, string>]>([
  ['holder', HOLDER, HOLDER_EVENT_FOR],
  ['card holder', CARD_HOLDER, HOLDER_EVENT_FOR],
  ['counterparty', COUNTERPARTY, HOLDER_EVENT_FOR],
  ['sub account', ACCOUNT, ACCOUNT_EVENT_FOR],
  ['card', CARD, CARD_EVENT_FOR],
  ['webhook', WEBHOOK, WEBHOOK_EVENT_FOR],
])(
  "a client's wish for a status of a %s is an event that leads there and nowhere else",
  (_, machine, requests) => {
    for (const [status, event] of Object.entries(requests)) {
      const targets = Object.values(machine.states).flatMap((row) => row[event] ?? []);
      expect([event, unique(targets)]).toEqual([event, [status]]);
    }
  },
);

/**
 * The state of a transaction in the books after a path: nothing yet, an open hold, a posting, or a reversed one.
 */
type Books = 'nothing' | 'held' | 'posted' | 'freed' | 'undone';

const BOOKS: Record<LedgerAction, Partial<Record<Books, Books>>> = {
  hold: { nothing: 'held' },
  post: { nothing: 'posted' },
  settle: { held: 'posted' },
  release: { held: 'freed' },
  undo: { posted: 'undone' },
  none: { nothing: 'nothing', held: 'held', posted: 'posted', freed: 'freed', undone: 'undone' },
};

const RAIL_NAMES = Object.keys(RAILS) as RailName[];
const EVENTS = unique(
  RAIL_NAMES.flatMap((name) => TRANSACTION_STATUSES.flatMap((status) => railEvents(name, status))),
);

describe.each(RAIL_NAMES)('the rail %s', (name) => {
  const rail = railOf(name);
  const stepsFrom = (status: TransactionStatus) =>
    railEvents(name, status).map((event) => railStep(name, status, event));
  const nextOf = (status: TransactionStatus) => stepsFrom(status).map(({ to }) => to);
  const reachable = reachableFrom([rail.opens.status], nextOf);

  test('follows the table or refuses with the legal events, in every status for every event', () => {
    for (const status of TRANSACTION_STATUSES) {
      for (const event of EVENTS) {
        const next = rail.steps[status]?.[event]?.to;
        expect([status, event, attempt(() => railStep(name, status, event).to)]).toEqual([
          status,
          event,
          next ?? ['illegal_step', railEvents(name, status)],
        ]);
      }
    }
  });

  test('can reach every status that has a row, and has no empty row', () => {
    for (const [status, row] of Object.entries(rail.steps)) {
      expect([...reachable]).toContain(status);
      expect(Object.keys(row)).not.toEqual([]);
    }
  });

  test('has only legal scheduled events, which end', () => {
    for (const status of Object.keys(rail.timetable) as TransactionStatus[]) {
      const seen = new Set<TransactionStatus>();
      let at = status;
      for (let planned = rail.timetable[at]; planned !== undefined; planned = rail.timetable[at]) {
        expect(railEvents(name, at)).toContain(planned.event);
        expect(seen).not.toContain(at);
        seen.add(at);
        at = railStep(name, at, planned.event).to;
      }
      expect([...reachable]).toContain(status);
    }
  });

  test('writes the books once: a hold is resolved once, and only postings are reversed', () => {
    const opened = BOOKS[rail.opens.ledger].nothing;
    const walk = reachableFrom([`${rail.opens.status} ${opened}`], (place) => {
      const [status, books] = place.split(' ') as [TransactionStatus, Books];
      return stepsFrom(status).map(({ to, ledger }) => {
        const after = BOOKS[ledger][books];
        expect([place, to, ledger, after]).not.toContain(undefined);
        return `${to} ${after}`;
      });
    });
    for (const place of walk) {
      const [status, books] = place.split(' ') as [TransactionStatus, Books];
      if (nextOf(status).length === 0) expect([status, books]).not.toEqual([status, 'held']);
      // In a non-final state, the status alone determines the state in the books.
      else expect([...walk].filter((other) => other.startsWith(`${status} `))).toEqual([place]);
    }
  });

  test('can always reach a final status', () => {
    for (const status of reachable) {
      const ends = [...reachableFrom([status], nextOf)].filter((end) => nextOf(end).length === 0);
      expect(ends).not.toEqual([]);
    }
  });

  test('records only reversals as separate rows', () => {
    for (const status of reachable) {
      for (const { row, ledger } of stepsFrom(status)) {
        // The receiver's row of a transfer within the bank: the sender's row writes the books of both.
        const partner = rail.opens.ledger === 'none' && rail.contra === 'sub_account';
        if (row !== undefined) expect(partner ? ['none'] : ['release', 'undo']).toContain(ledger);
      }
    }
  });
});

test('every status of a transaction is reached by some rail', () => {
  const reached = RAIL_NAMES.flatMap((name) => {
    const { opens } = railOf(name);
    const nextOf = (status: TransactionStatus) =>
      railEvents(name, status).map((event: RailEvent) => railStep(name, status, event).to);
    return [...reachableFrom([opens.status], nextOf)];
  });
  expect(unique(reached).toSorted()).toEqual([...TRANSACTION_STATUSES].toSorted());
});

describe('the flags of a rail', () => {
  test('mark it as a transfer of v1 exactly if a client can originate it', () => {
    const transfers = RAIL_NAMES.filter((name) => railOf(name).v1.isTransfer);
    expect([...transfers].sort()).toEqual([...ORDERED_RAILS].sort());
    for (const name of RAIL_NAMES)
      expect(railOf(name).v1.kinds.created ?? []).not.toContain('transfer.created');
  });

  test('mark it as a reversal if it reverses another transaction, in the direction of its name', () => {
    expect(REVERSAL_RAILS.map((name) => [name, railOf(name).direction])).toEqual([
      ['reversal_credit', 'credit'],
      ['reversal_debit', 'debit'],
      ['debit_card_chargeback', 'debit'],
    ]);
  });
});
