/**
 * The books of a test: a migrated database with a ledger, a master account and two sub accounts, which are audited
 * when the test ends. A test that manipulates the books calls the audit itself.
 */
import { expect, onTestFinished } from 'vitest';
import { auditLedger } from '../../../src/bank/ledger/audit.ts';
import { createLedger, type Ledger, type TransferInput } from '../../../src/bank/ledger/ledger.ts';
import { openConnection } from '../../../src/bank/store/open.ts';

export const MASTER = 'm'.repeat(32);
export const ADA = 'a'.repeat(32);
export const BEN = 'b'.repeat(32);
/** The transaction to which all transfers here belong. */
export const BY = { transactionId: '1'.repeat(32), at: Date.parse('2026-03-04T18:00:00Z') };

export interface Books {
  ledger: Ledger;
  sqlite: ReturnType<typeof openConnection>['sqlite'];
  audit(): ReturnType<typeof auditLedger>;
  /** The four counters: debits pending and posted, credits pending and posted. */
  counters(id: string): [number, number, number, number];
}

/** Opens empty books; `honest: false` if the test manipulates them. */
export function openBooks({ honest = true } = {}): Books {
  const connection = openConnection({ kind: 'memory' });
  const { db, sqlite } = connection;
  const bare = createLedger(db);
  // In a transaction, like every command of the bank.
  const whole = <A extends unknown[], R>(verb: (...given: A) => R) =>
    sqlite.transaction(verb) as (...given: A) => R;
  const ledger: Ledger = {
    ...bare,
    post: whole(bare.post),
    hold: whole(bare.hold),
    settle: whole(bare.settle),
    release: whole(bare.release),
  };
  ledger.open(MASTER, 'master_account');
  ledger.open(ADA, 'sub_account');
  ledger.open(BEN, 'sub_account');
  onTestFinished(() => {
    const { problems } = auditLedger(db);
    connection.close();
    if (honest) expect(problems).toEqual([]);
  });
  return {
    ledger,
    sqlite,
    audit: () => auditLedger(db),
    counters(id) {
      const { debitsPending, debitsPosted, creditsPending, creditsPosted } = ledger.balance(id);
      return [debitsPending, debitsPosted, creditsPending, creditsPosted];
    },
  };
}

/** A credit to an account from outside. */
export const into = (credit: string, amount: number): TransferInput => ({
  debit: MASTER,
  credit,
  amount,
  mayOverdraw: false,
  ...BY,
});

/** A debit of an account to the outside. */
export const outOf = (debit: string, amount: number): TransferInput => ({
  debit,
  credit: MASTER,
  amount,
  mayOverdraw: false,
  ...BY,
});
