// The interface of the ledger: the effects of posting, holding, settling and releasing on the four counters and the
// available balance, and refusals, which change nothing.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CENTS } from '../../../src/bank/kernel/money.ts';
import type { Ledger } from '../../../src/bank/ledger/ledger.ts';
import { totalsOf } from '../../../src/bank/model/balances.ts';
import { inTransaction } from '../../../src/bank/store/group-commit.ts';
import { ADA, BEN, BY, into, MASTER, openBooks, outOf } from './books.ts';

const refused = (code: string) => expect.objectContaining({ code });

describe('a posting', () => {
  test('moves money immediately', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    expect(counters(ADA)).toEqual([0, 0, 0, 1_000]);
    expect(counters(MASTER)).toEqual([0, 1_000, 0, 0]);
  });

  test('within the bank does not change the master account', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    ledger.post({ ...outOf(ADA, 400), credit: BEN });
    expect(counters(MASTER)).toEqual([0, 1_000, 0, 0]);
    expect(counters(ADA)).toEqual([0, 400, 0, 1_000]);
    expect(counters(BEN)).toEqual([0, 0, 0, 400]);
  });

  test('returns both accounts as they are after it', () => {
    const { ledger } = openBooks();
    ledger.post(into(ADA, 1_000));
    const written = ledger.post({ ...outOf(ADA, 400), credit: BEN });
    expect(written).toMatchObject({ transferId: 2, amount: 400 });
    expect(written.debit).toEqual(ledger.balance(ADA));
    expect(written.credit).toEqual(ledger.balance(BEN));
  });

  test('can transfer the whole available balance, and not a cent more', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    expect(() => ledger.post(outOf(ADA, 1_001))).toThrow(refused('insufficient_funds'));
    ledger.post(outOf(ADA, 1_000));
    expect(counters(ADA)).toEqual([0, 1_000, 0, 1_000]);
  });

  test('requires two accounts', () => {
    const { ledger } = openBooks();
    expect(() => ledger.post({ ...into(ADA, 1), debit: ADA })).toThrow('a transfer needs two accounts');
  });

  test('requires existing accounts', () => {
    const { ledger, audit } = openBooks();
    const nobody = 'c'.repeat(32);
    expect(() => ledger.post(into(nobody, 1))).toThrow(`no ledger account ${nobody}`);
    expect(() => ledger.balance(nobody)).toThrow(`no ledger account ${nobody}`);
    expect(audit()).toMatchObject({ transfers: 0, problems: [] });
  });
});

test('an account whose opening is rolled back does not exist', () => {
  const { ledger, sqlite } = openBooks();
  const nobody = 'c'.repeat(32);
  const opening = () =>
    inTransaction(sqlite, () => {
      ledger.open(nobody, 'sub_account');
      expect(ledger.balance(nobody).creditsPosted).toBe(0);
      throw new Error('taken back');
    });
  expect(opening).toThrow('taken back');
  expect(() => ledger.balance(nobody)).toThrow(`no ledger account ${nobody}`);
});

describe('a hold', () => {
  test('reduces the available balance of the paying account', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    ledger.hold(outOf(ADA, 300));
    expect(counters(ADA)).toEqual([300, 0, 0, 1_000]);
    expect(counters(MASTER)).toEqual([0, 1_000, 300, 0]);
    expect(totalsOf(ledger.balance(ADA))).toEqual({
      availableBalance: 700,
      pendingCredits: 0,
      pendingDebits: 300,
    });
  });

  test('of incoming money is not available', () => {
    const { ledger } = openBooks();
    ledger.hold(into(ADA, 300));
    expect(totalsOf(ledger.balance(ADA))).toEqual({
      availableBalance: 0,
      pendingCredits: 300,
      pendingDebits: 0,
    });
  });

  test('cannot reserve what another hold has reserved', () => {
    const { ledger } = openBooks();
    ledger.post(into(ADA, 1_000));
    ledger.hold(outOf(ADA, 600));
    expect(() => ledger.hold(outOf(ADA, 401))).toThrow(refused('insufficient_funds'));
    ledger.hold(outOf(ADA, 400));
  });

  test('is open until it ends', () => {
    const { ledger } = openBooks();
    const { transferId } = ledger.hold(into(ADA, 300));
    expect(ledger.openHold(transferId)).toMatchObject({ kind: 'hold', amount: 300, creditAccount: ADA });
    ledger.release(transferId, BY);
    expect(() => ledger.openHold(transferId)).toThrow(refused('hold_resolved'));
  });
});

describe('settling a hold', () => {
  test('in full turns it into a posting', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    const { transferId } = ledger.hold(outOf(ADA, 300));
    expect(ledger.settle(transferId, BY).amount).toBe(300);
    expect(counters(ADA)).toEqual([0, 300, 0, 1_000]);
    expect(counters(MASTER)).toEqual([0, 1_000, 0, 300]);
  });

  test('in part posts the part and releases the rest', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    const { transferId } = ledger.hold(outOf(ADA, 300));
    expect(ledger.settle(transferId, BY, 120).amount).toBe(120);
    expect(counters(ADA)).toEqual([0, 120, 0, 1_000]);
    expect(totalsOf(ledger.balance(ADA)).availableBalance).toBe(880);
    expect(() => ledger.settle(transferId, BY, 180)).toThrow(refused('hold_resolved'));
  });

  test('for more than the held amount is a programming error', () => {
    const { ledger, counters } = openBooks();
    const { transferId } = ledger.hold(into(ADA, 300));
    expect(() => ledger.settle(transferId, BY, 301)).toThrow(`hold ${transferId} is smaller than 301`);
    expect(counters(ADA)).toEqual([0, 0, 300, 0]);
  });

  test('never fails for lack of funds', () => {
    const { ledger } = openBooks();
    ledger.post(into(ADA, 300));
    const { transferId } = ledger.hold(outOf(ADA, 300));
    ledger.post({ ...outOf(ADA, 500), mayOverdraw: true });
    ledger.settle(transferId, BY);
    expect(totalsOf(ledger.balance(ADA)).availableBalance).toBe(-500);
  });
});

describe('releasing a hold', () => {
  test('restores everything as it was before the hold', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, 1_000));
    const { transferId } = ledger.hold(outOf(ADA, 300));
    ledger.release(transferId, BY);
    expect(counters(ADA)).toEqual([0, 0, 0, 1_000]);
    expect(counters(MASTER)).toEqual([0, 1_000, 0, 0]);
  });

  test('never fails for lack of funds', () => {
    const { ledger } = openBooks();
    ledger.post(into(ADA, 300));
    const { transferId } = ledger.hold(outOf(ADA, 300));
    ledger.post({ ...outOf(ADA, 500), mayOverdraw: true });
    ledger.release(transferId, BY);
    expect(totalsOf(ledger.balance(ADA)).availableBalance).toBe(-200);
  });
});

describe('a hold ends once', () => {
  const ends: [string, (ledger: Ledger, id: number) => unknown][] = [
    ['settled', (ledger, id) => ledger.settle(id, BY)],
    ['settled in part', (ledger, id) => ledger.settle(id, BY, 1)],
    ['released', (ledger, id) => ledger.release(id, BY)],
  ];
  const twice = ends.flatMap(([first, end]) =>
    ends.map(([second, again]) => [first, second, end, again] as const),
  );

  test.each(twice)('one that was %s cannot be %s', (_, __, end, again) => {
    const { ledger, counters, audit } = openBooks();
    const { transferId } = ledger.hold(into(ADA, 300));
    end(ledger, transferId);
    const before = [counters(ADA), counters(MASTER), audit()];
    expect(() => again(ledger, transferId)).toThrow(refused('hold_resolved'));
    expect([counters(ADA), counters(MASTER), audit()]).toEqual(before);
  });

  test('an unknown hold cannot be ended', () => {
    const { ledger } = openBooks();
    const { transferId } = ledger.post(into(ADA, 300));
    expect(() => ledger.settle(transferId, BY)).toThrow(`transfer ${transferId} is not a hold`);
    expect(() => ledger.release(99, BY)).toThrow('transfer 99 is not a hold');
  });
});

describe('an overdraft', () => {
  test('belongs to the transfer, not to the account', () => {
    const { ledger } = openBooks();
    ledger.post({ ...outOf(ADA, 500), mayOverdraw: true });
    ledger.hold({ ...outOf(ADA, 100), mayOverdraw: true });
    expect(totalsOf(ledger.balance(ADA)).availableBalance).toBe(-600);
    expect(() => ledger.post(outOf(ADA, 1))).toThrow(refused('insufficient_funds'));
  });

  test('is reduced by credits, which are never refused for it', () => {
    const { ledger } = openBooks();
    ledger.post({ ...outOf(ADA, 500), mayOverdraw: true });
    ledger.post(into(ADA, 200));
    expect(totalsOf(ledger.balance(ADA)).availableBalance).toBe(-300);
  });

  test('of the master account is allowed: it is money from outside', () => {
    const { ledger } = openBooks();
    ledger.post(into(ADA, 1_000));
    expect(totalsOf(ledger.balance(MASTER), 'master_account')).toEqual({
      availableBalance: 1_000,
      pendingCredits: 0,
      pendingDebits: 0,
    });
    ledger.post({ ...outOf(ADA, 4_000), mayOverdraw: true });
    expect(totalsOf(ledger.balance(MASTER), 'master_account').availableBalance).toBe(-3_000);
  });
});

describe('an amount', () => {
  test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_CENTS + 1])(
    'of %d is refused',
    (amount) => {
      const { ledger, counters, audit } = openBooks();
      expect(() => ledger.post(into(ADA, amount))).toThrow(refused('amount_invalid'));
      expect(() => ledger.hold(into(ADA, amount))).toThrow(refused('amount_invalid'));
      expect(counters(ADA)).toEqual([0, 0, 0, 0]);
      expect(audit().transfers).toBe(0);
    },
  );

  test('may have the largest exact value', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, MAX_CENTS));
    expect(counters(ADA)).toEqual([0, 0, 0, MAX_CENTS]);
    expect(totalsOf(ledger.balance(ADA)).availableBalance).toBe(MAX_CENTS);
  });

  test.each(['post', 'hold'] as const)(
    'that a counter cannot hold is refused, and nothing changes (%s)',
    (verb) => {
      const { ledger, counters, audit } = openBooks();
      ledger[verb](into(ADA, MAX_CENTS - 5));
      const before = [counters(ADA), counters(BEN), counters(MASTER), audit()];
      expect(() => ledger[verb](into(BEN, 6))).toThrow(refused('amount_too_large'));
      expect([counters(ADA), counters(BEN), counters(MASTER), audit()]).toEqual(before);
      ledger[verb](into(BEN, 5));
    },
  );

  test('is also refused as too large if the credit overflows', () => {
    const { ledger, counters } = openBooks();
    ledger.post(into(ADA, MAX_CENTS - 5));
    ledger.post(outOf(ADA, MAX_CENTS - 5));
    expect(() => ledger.post({ ...outOf(BEN, 6), mayOverdraw: true })).toThrow(refused('amount_too_large'));
    expect(counters(BEN)).toEqual([0, 0, 0, 0]);
  });
});

describe('the two entries of a transfer', () => {
  test('contain the available balance of each account after it', () => {
    const { ledger, sqlite } = openBooks();
    ledger.post(into(ADA, 1_000));
    const { transferId } = ledger.hold(outOf(ADA, 300));
    ledger.post({ ...outOf(ADA, 200), credit: BEN });
    ledger.settle(transferId, BY, 250);
    const entries = sqlite
      .prepare('SELECT kind, debit_available_after, credit_available_after FROM transfers ORDER BY id')
      .raw()
      .all();
    expect(entries).toEqual([
      ['post', 1_000, 1_000],
      ['hold', 700, 700],
      ['post', 500, 200],
      ['settle', 550, 750],
    ]);
  });
});

test('any transfers keep the books: the available balance is credits minus debits and holds', () => {
  const amount = fc.integer({ min: 1, max: 1_000 });
  const account = fc.constantFrom(ADA, BEN);
  const step = fc.oneof(
    fc.record({ verb: fc.constantFrom('post', 'hold'), from: account, to: account, amount }),
    fc.record({ verb: fc.constantFrom('post', 'hold'), from: account, to: fc.constant(MASTER), amount }),
    fc.record({ verb: fc.constantFrom('post', 'hold'), from: fc.constant(MASTER), to: account, amount }),
    fc.record({ verb: fc.constantFrom('settle', 'release'), place: fc.nat(5), amount }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { ledger, audit } = openBooks();
      const posted = new Map([
        [ADA, 0],
        [BEN, 0],
        [MASTER, 0],
      ]);
      const move = (from: string, to: string, cents: number) => {
        posted.set(from, (posted.get(from) ?? 0) - cents);
        posted.set(to, (posted.get(to) ?? 0) + cents);
      };
      const holds: { id: number; from: string; to: string; amount: number }[] = [];
      const heldFrom = (id: string) =>
        holds.filter(({ from }) => from === id).reduce((sum, hold) => sum + hold.amount, 0);

      for (const step of steps) {
        if ('place' in step) {
          const [hold] = holds.splice(step.place, 1);
          if (hold === undefined) continue;
          const part = Math.min(step.amount, hold.amount);
          if (step.verb === 'release') ledger.release(hold.id, BY);
          else ledger.settle(hold.id, BY, part);
          if (step.verb === 'settle') move(hold.from, hold.to, part);
          continue;
        }
        const { from, to, verb } = step;
        if (from === to) continue;
        const movement = { debit: from, credit: to, amount: step.amount, mayOverdraw: false, ...BY };
        const short = from !== MASTER && (posted.get(from) ?? 0) - heldFrom(from) < step.amount;
        const run = () => ledger[verb as 'post' | 'hold'](movement);
        if (short) {
          expect(run).toThrow(refused('insufficient_funds'));
          continue;
        }
        const { transferId } = run();
        if (verb === 'post') move(from, to, step.amount);
        else holds.push({ id: transferId, from, to, amount: step.amount });
      }

      for (const id of [ADA, BEN]) {
        const { availableBalance, pendingDebits } = totalsOf(ledger.balance(id));
        expect(availableBalance).toBe((posted.get(id) ?? 0) - heldFrom(id));
        expect(pendingDebits).toBe(heldFrom(id));
      }
      expect(audit()).toMatchObject({ openHolds: holds.length, problems: [] });
    }),
  );
});
