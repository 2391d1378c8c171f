// Histories from a sequential model are accepted, whatever overlaps and whatever answer is lost; planted anomalies are found.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Answer, anomaliesOf, isLinearizable, type Operation, verdictOn } from './checker.ts';

const INITIAL = 1000;
const none = () => INITIAL;

const op = (
  calledAt: number,
  at: number | undefined,
  change: number,
  answer?: Answer,
  key?: string,
): Operation => ({
  account: 'a',
  change,
  calledAt,
  ...(at !== undefined && answer !== undefined && { answer: { at, ...answer } }),
  ...(key !== undefined && { key }),
});
const has = (balance: number): Answer => ({ balance });
const REFUSED: Answer = { refused: true };
const DONE: Answer = { done: true };

describe('is linearizable', () => {
  it.each<[string, Operation[]]>([
    ['nothing', []],
    ['sequential', [op(1, 2, -100, has(900)), op(3, 4, 0, has(900))]],
    ['concurrent, in either order', [op(1, 9, -100, has(700)), op(2, 8, -200, has(800))]],
    ['a read concurrent with a payment, before it', [op(1, 9, -100, has(900)), op(2, 8, 0, has(1000))]],
    ['a refusal during a concurrent payment', [op(1, 9, -900, has(100)), op(2, 8, -200, REFUSED)]],
    ['without a response, but executed', [op(1, undefined, -100), op(2, 3, 0, has(900))]],
    ['without a response, and not executed', [op(1, undefined, -100), op(2, 3, 0, has(1000))]],
    [
      'without a response, executed late',
      [op(1, undefined, -100), op(2, 3, 0, has(1000)), op(4, 5, 0, has(900))],
    ],
    [
      'a retry of an executed request',
      [op(1, undefined, -100, undefined, 'k'), op(2, 3, 0, has(900)), op(4, 5, -100, has(900), 'k')],
    ],
    [
      'a retry that gets the stored response after others',
      [op(1, 2, -100, has(900), 'k'), op(3, 4, -50, has(850)), op(5, 6, -100, has(900), 'k')],
    ],
    [
      'a retry that overtakes its request',
      [op(1, undefined, -100, undefined, 'k'), op(2, 3, -100, has(900), 'k'), op(4, 5, 0, has(900))],
    ],
    [
      'two concurrent uses of a key, the later one first',
      [
        op(1, 20, -100, has(900), 'k'),
        op(2, 3, -100, has(900), 'k'),
        op(4, 5, -50, has(850)),
        op(6, 7, 0, has(850)),
      ],
    ],
    ['executed without a balance in its response', [op(1, 2, -100, DONE), op(3, 4, 0, has(900))]],
    [
      'a retry of a refusal, which remains refused',
      [op(1, 2, -2000, REFUSED, 'k'), op(3, 4, 5000, has(6000)), op(5, 6, -2000, REFUSED, 'k')],
    ],
  ])('%s', (_, history) => {
    expect(anomaliesOf(history, none)).toEqual([]);
  });
});

describe('a contradiction is found, with the response that shows it', () => {
  it.each<[string, Operation[], at: number]>([
    ['a lost update', [op(1, 9, -100, has(900)), op(2, 8, -200, has(800)), op(10, 11, 0, has(800))], 9],
    ['an acknowledged payment that is lost', [op(1, 2, -100, has(900)), op(3, 4, 0, has(1000))], 4],
    [
      'the loss of a payment acknowledged without a balance',
      [op(1, 2, -100, DONE), op(3, 4, 0, has(1000))],
      4,
    ],
    ['a payment acknowledged without sufficient funds', [op(1, 2, -1001, DONE)], 2],
    ['a stale read', [op(1, 2, -100, has(900)), op(3, 4, -100, has(800)), op(5, 6, 0, has(900))], 6],
    ['a read that goes back', [op(1, 20, -100, has(900)), op(2, 3, 0, has(900)), op(4, 5, 0, has(1000))], 5],
    [
      'a key that is executed twice',
      [op(1, undefined, -100, undefined, 'k'), op(2, 3, -100, has(800), 'k')],
      3,
    ],
    [
      'a key that is executed twice, seen by a read',
      [op(1, 2, -100, has(900), 'k'), op(3, 4, -100, has(900), 'k'), op(5, 6, 0, has(800))],
      6,
    ],
    ['a different response for a key', [op(1, 2, -100, has(900), 'k'), op(3, 4, -100, REFUSED, 'k')], 4],
    ['a refusal with sufficient funds', [op(1, 2, -100, REFUSED)], 2],
    ['a payment without sufficient funds', [op(1, 2, -1001, has(-1))], 2],
    ['a payment that was refused and executed', [op(1, 2, -2000, REFUSED), op(3, 4, 0, has(-1000))], 4],
  ])('%s', (_, history, at) => {
    expect(anomaliesOf(history, none).map(({ operation }) => operation.answer?.at)).toEqual([at]);
  });

  it('in its account', () => {
    const sound = { ...op(1, 2, -100, has(900)), account: 'b' };
    const [found, ...more] = anomaliesOf([sound, op(1, 2, -100, has(800))], none);
    expect([found?.account, more]).toEqual(['a', []]);
  });
});

describe('a search with a limit', () => {
  // Each payment without a response may have taken effect or not, so the number of orders doubles with each.
  const open = Array.from({ length: 18 }, (_, place) => op(place, undefined, -(2 ** place)));
  const history = [...open, op(50, 51, 0, has(INITIAL - 2 ** 17 - 1))];

  it('reports that it was cut off', () => {
    expect(verdictOn(history, INITIAL, 500)).toBe('cut');
    expect(anomaliesOf(history, none, 500)).toEqual([]);
  });

  it('still finds what precedes the limit', () => {
    const lost = [op(1, 2, -100, has(900)), op(3, 4, 0, has(1000)), ...open.slice(0, 3)];
    expect(verdictOn(lost, INITIAL, 500)).toBe('anomalous');
    expect(anomaliesOf(lost, none, 500).map(({ operation }) => operation.answer?.at)).toEqual([4]);
    expect(verdictOn([op(1, 2, -100, has(900))], INITIAL, 500)).toBe('linearizable');
  });
});

const request = fc.record({
  change: fc.constantFrom(-400, -250, -100, -1, 0, 0, 50, 300),
  /** How long before and after its effect it was called and had its response. */
  before: fc.nat(25),
  later: fc.nat(25),
  answered: fc.nat(9).map((n) => n > 0),
  carriedOut: fc.nat(3).map((n) => n > 0),
  /** Which earlier request this one repeats. */
  repeats: fc.option(fc.nat(5), { nil: undefined }),
});
type Request = typeof request extends fc.Arbitrary<infer R> ? R : never;

/** The view of clients of a sequential bank: requests take effect one after the other, ten apart. */
function seen(requests: readonly Request[]): Operation[] {
  let balance = INITIAL;
  const stored = new Map<string, Answer>();
  const history: Operation[] = [];
  for (const [place, { before, later, answered, carriedOut, repeats, ...own }] of requests.entries()) {
    const first = repeats === undefined ? undefined : history[history.length - 1 - repeats];
    const key = first?.key ?? `key ${place}`;
    const change = first?.change ?? own.change;
    const now = (place + 3) * 10;
    const calledAt = now - before;
    if (!answered && !carriedOut) {
      history.push(op(calledAt, undefined, change, undefined, key));
      continue;
    }
    let answer = stored.get(key);
    if (answer === undefined) {
      const isRefused = change < 0 && balance + change < 0;
      if (!isRefused) balance += change;
      answer = isRefused ? REFUSED : has(balance);
      stored.set(key, answer);
    }
    history.push(op(calledAt, answered ? now + later : undefined, change, answer, key));
  }
  return history;
}

test('every history of a sequential bank is linearizable', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
      expect(anomaliesOf(seen(requests), none)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('an unexplained balance is found in every history', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 30 }), fc.nat(), (requests, which) => {
      const history = seen(requests);
      const answered = history.filter(({ answer }) => answer !== undefined && 'balance' in answer);
      fc.pre(answered.length > 0);
      const spoiled = answered[which % answered.length] as Operation;
      const { at, balance } = spoiled.answer as { at: number; balance: number };
      // No sum of the changes ends in half a cent.
      const other = { ...spoiled, answer: { at, balance: balance + 0.5 } };
      const altered = history.map((operation) => (operation === spoiled ? other : operation));
      expect(isLinearizable(altered, INITIAL)).toBe(false);
    }),
    { numRuns: 100 },
  );
});

test('the loss of an acknowledged payment is found by the next read', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 30 }), (requests) => {
      // All have responses, each with its own key, so that the balance at the end is certain.
      const certain = requests.map((one) => ({ ...one, answered: true, repeats: undefined }));
      const history = seen(certain);
      const total = history.reduce(
        (sum, { change, answer }) => (answer !== undefined && 'balance' in answer ? sum + change : sum),
        INITIAL,
      );
      const read = (balance: number) => op(10_000, 10_001, 0, has(balance));
      expect(isLinearizable([...history, read(total)], INITIAL)).toBe(true);
      for (const { change, answer } of history) {
        if (change === 0 || answer === undefined || 'refused' in answer) continue;
        expect(isLinearizable([...history, read(total - change)], INITIAL)).toBe(false);
      }
    }),
    { numRuns: 60 },
  );
});
