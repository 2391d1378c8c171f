/**
 * The state of two accounts as a client knows it that only receives events: the rows in the events of each version,
 * formatted by the real code, and the credits and debits of v1. At any time the rows of an account add up to its
 * available balance plus pending credits, the credits and debits to its available balance, and a row of v1 that was
 * settled keeps its balance and its date. Decisions `v1-booked-rows`, `account-events` and `rows-add-up` in
 * docs/fidelity.md.
 */
import { expect } from 'vitest';
import { formatEventFor } from '../../../src/bank/api/events.ts';
import { formatTransaction as viewV1 } from '../../../src/bank/api/v1/transactions/format.ts';
import { formatTransaction as viewV2 } from '../../../src/bank/api/v2/transactions/format.ts';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { formatInstant } from '../../../src/bank/kernel/time.ts';
import type { Fact } from '../../../src/bank/model/facts.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { totals } from './parties.ts';

/** One row as in its last event, with signed amounts in cents. */
interface Row {
  accountId: Id;
  v1: number;
  v2: number;
  /** v1's balance and date at its first settlement. */
  booked: string | undefined;
  shown: string;
}

export interface PublishedRows {
  /** Processes one fact. */
  onFact(fact: Fact): void;
  /** Compares the received rows with the present accounts. */
  expectSound(): void;
  /** Compares the last received state of each row with a response of the bank. */
  expectCurrent(): void;
}

const centsOf = (text: string): number => Math.round(Number(text) * 100);

/** Processes the facts of a bank from the first on. */
export function listenTo(sandbox: TestSandbox, accountIds: readonly Id[]): PublishedRows {
  const { outbox } = sandbox.sandbox;
  const rows = new Map<Id, Row>();
  const movedV1 = new Map(accountIds.map((accountId) => [accountId, 0]));

  /** The credits and debits in v1 of this fact. */
  const movementsIn = (fact: Fact): number =>
    fact.kindsV1.reduce((sum, kind, ordinal) => {
      if (kind !== 'account.credit' && kind !== 'account.debit') return sum;
      const text = formatEventFor('v1', { fact, kind, ordinal, program: sandbox.bank.program });
      const { data } = JSON.parse(text) as { data: { txnType: string; amount: string; balance: string } };
      const moved = centsOf(data.amount);
      expect([kind, data.txnType, Math.sign(moved)]).toEqual(
        kind === 'account.credit' ? [kind, 'credit', 1] : [kind, 'debit', -1],
      );
      expect(centsOf(data.balance), 'the balance of a movement is the one after it').toBe(
        (movedV1.get((fact.record as Transaction).accountId ?? '') ?? 0) + sum + moved,
      );
      return sum + moved;
    }, 0);

  const viewsOf = (transaction: Transaction) => {
    const { program } = sandbox.bank;
    return {
      v1: viewV1(transaction, program),
      v2: viewV2(transaction, { program }),
    };
  };

  const onFact: PublishedRows['onFact'] = (fact) => {
    const { accountId } = fact.record as Transaction;
    if (fact.resource !== 'transaction' || accountId === null || !movedV1.has(accountId)) return;
    const available = (movedV1.get(accountId) ?? 0) + movementsIn(fact);
    movedV1.set(accountId, available);

    const transaction = fact.record as Transaction;
    const { v1, v2 } = viewsOf(transaction);
    const seen = rows.get(transaction.id);
    const now = `${v1.balance} at ${v1.txnDate}`;
    if (seen?.booked !== undefined) expect(now, 'what was booked stays as it was').toBe(seen.booked);
    else if (v1.status === 'settled') {
      expect(centsOf(v1.balance), 'the balance of a row is the one right after it').toBe(available);
      expect(v1.txnDate, 'a row is dated when it was booked').toBe(formatInstant(fact.at));
    }
    if (v2.card !== null && (v2.type === 'reverse' || v2.status === 'pending')) {
      expect(v2.card.network_settlement_at, 'the network settles what it takes, when it takes it').toBe('');
    }
    rows.set(transaction.id, {
      accountId,
      v1: v1.status === 'declined' ? 0 : centsOf(v1.amount),
      // v2 has no event for a payment that moved nothing: it is declined immediately, or returned without a reversal.
      v2: transaction.movedNothing ? 0 : centsOf(v2.amount) * (v2.direction === 'credit' ? 1 : -1),
      booked: seen?.booked ?? (v1.status === 'settled' ? now : undefined),
      shown: `${v1.amount} ${v1.status} ${now}, ${v2.amount} ${v2.status}`,
    });
  };

  for (let seq = 1; seq <= outbox.latestSeq(); seq += 1) onFact(outbox.fact(seq) as Fact);

  return {
    onFact,

    expectSound() {
      const sums = new Map(accountIds.map((accountId) => [accountId, [0, 0] as [number, number]]));
      for (const { accountId, v1, v2 } of rows.values()) {
        const sum = sums.get(accountId);
        if (sum === undefined) continue;
        sum[0] += v1;
        sum[1] += v2;
      }
      for (const accountId of accountIds) {
        const [available, pendingCredits] = totals(sandbox, accountId);
        const there = available + pendingCredits;
        expect(sums.get(accountId), 'the rows of v1 and of v2 add up').toEqual([there, there]);
        expect(movedV1.get(accountId), 'the movements that v1 was told of add up').toBe(available);
      }
    },

    expectCurrent() {
      for (const [id, { shown }] of rows) {
        const { v1, v2 } = viewsOf(sandbox.bank.payments.byId(id));
        expect(`${v1.amount} ${v1.status} ${v1.balance} at ${v1.txnDate}, ${v2.amount} ${v2.status}`).toBe(
          shown,
        );
      }
    },
  };
}
