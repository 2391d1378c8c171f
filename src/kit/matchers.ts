/**
 * Matchers of vitest: whether a bank published an event, the balance of an account, and whether the books balance.
 * Each sends requests, so it must be awaited.
 */
import { expect } from 'vitest';
import type { Sandbank } from './bank.ts';
import { type EventPattern, linesOf } from './events.ts';
import { checkOptions } from './options.ts';

/** The figures of an account in the format of v2; omitted ones are not compared. */
interface Figures {
  readonly available_balance?: string;
  readonly pending_credits?: string;
  readonly pending_debits?: string;
}

interface BankMatchers {
  /**
   * An event of this type happened, optionally about this record. `transaction.*` matches all types that begin with
   * `transaction.`.
   */
  toHavePublished(type: EventPattern, about?: { readonly resource: string }): Promise<void>;
  /** The account has these figures. */
  toHaveBalance(accountId: string, figures: Figures): Promise<void>;
  /** The books balance: all transfers add up, and the sub accounts equal the master account. */
  toBalance(): Promise<void>;
}

// The assertions of vitest extend those of Chai. Vitest's own interface for matchers has other type parameters in
// vitest 5 than in vitest 4, so a declaration that merges with it would support only one of them.
declare global {
  namespace Chai {
    interface Assertion extends BankMatchers {}
  }
}

const FIGURES: readonly (keyof Figures)[] = ['available_balance', 'pending_credits', 'pending_debits'];
const SHOWN = 10;

/** Refuses what is no bank of the kit, before a method of it is missing. */
function checkBank(bank: unknown): void {
  if ((bank as Partial<Sandbank> | undefined)?.sandbox === undefined)
    throw new TypeError('expect(...) of this matcher takes the bank of a test, such as expect(bank)');
}

expect.extend({
  async toHavePublished(bank: Sandbank, type: EventPattern, about: { resource?: string } = {}) {
    checkBank(bank);
    checkOptions('toHavePublished', about, ['resource']);
    const [found] = await bank.events.list(type, { ...about, limit: 1 });
    const newest = linesOf(await bank.events.list(undefined, { limit: SHOWN }));
    const of = about.resource === undefined ? '' : ` about ${about.resource}`;
    return {
      pass: found !== undefined,
      message: () =>
        found === undefined
          ? `expected an event ${type}${of}; ${newest === '' ? 'nothing has happened yet' : `the newest are\n${newest}`}`
          : `expected no event ${type}${of}, but found ${found.id}`,
    };
  },

  async toHaveBalance(bank: Sandbank, accountId: string, figures: Figures) {
    checkBank(bank);
    checkOptions('toHaveBalance', figures, FIGURES);
    const account = await bank.v2.retrieveSubAccount({ params: { sub_account_id: accountId } });
    const actual = Object.fromEntries(
      Object.keys(figures).map((name) => [name, account[name as keyof Figures]]),
    );
    return {
      pass: this.equals(actual, figures),
      // Vitest prints the difference of `actual` and `expected`.
      message: () => `expected ${this.isNot ? 'other' : 'these'} figures of ${accountId}`,
      actual,
      expected: figures,
    };
  },

  async toBalance(bank: Sandbank) {
    checkBank(bank);
    const { balanced, problems } = await bank.sandbox.verifyLedger();
    return {
      pass: balanced,
      message: () =>
        balanced ? 'expected books that do not balance' : `the books are wrong:\n${problems.join('\n')}`,
    };
  },
});
