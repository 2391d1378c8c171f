/**
 * Tokens: each authorizes one action on one record within five minutes of the bank's clock, any number of times if it
 * shows data, and once if it sets data. A client's page uses them instead of the API key: for the data of a card, its
 * PIN, and the debit card of a contact.
 * Source: "show a card" and "set a PIN" of the platform's v2 reference, and its page that shows a card; decisions
 * `card-number-shown`, `v1-debit-card-token` and `card-tokens` in docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import { HEX, type Id } from '../kernel/sequence.ts';
import { type Instant, MINUTE_MS } from '../kernel/time.ts';
import type { Token } from '../model/records.ts';
import type { Dependencies } from './dependencies.ts';

/** The default lifetime of a token. */
export const TOKEN_MS = 5 * MINUTE_MS;

export type TokenPurpose = Token['purpose'];

export interface Tokens {
  /** Creates a token for `purpose` of a record, valid until a time or for five minutes. */
  issue(purpose: TokenPurpose, subjectId: Id, expiresAt?: Instant): Token;
  /**
   * Accepts a token only for this purpose and record. A token that can be used once becomes invalid; for a token that
   * shows data, nothing is written. Refuses: `token_invalid`.
   */
  use(text: string, purpose: TokenPurpose, subjectId: Id): Token;
}

/**
 * The number of digits of a token, after a prefix for its purpose. In the API eight more digits identify the sandbox;
 * the platform's tokens have as many in all.
 */
export const TOKEN_DIGITS = 24;
const PURPOSES: Readonly<Record<TokenPurpose, { prefix: string; isGoodOnce: boolean }>> = {
  // The platform's page reads the number, the code and the two parts of the expiry with one request each.
  show_card: { prefix: 'card_show_test_', isGoodOnce: false },
  set_pin: { prefix: 'card_pin_test_', isGoodOnce: true },
  set_debit_card: { prefix: 'debit_card_test_', isGoodOnce: true },
};

/** The verbs of tokens. */
export function createTokens({
  store,
  sequence,
  secretFor,
  clock,
}: Pick<Dependencies, 'store' | 'sequence' | 'secretFor' | 'clock'>): Tokens {
  return {
    issue(purpose, subjectId, expiresAt) {
      const now = clock.now();
      const token: Token = {
        token: PURPOSES[purpose].prefix + secretFor(sequence.id(now).slice(0, TOKEN_DIGITS), HEX),
        purpose,
        subjectId,
        expiresAt: expiresAt ?? now + TOKEN_MS,
        usedAt: null,
      };
      store.tokens.insert(token);
      return token;
    },

    use(text, purpose, subjectId) {
      const now = clock.now();
      const token = store.tokens.find(text);
      if (
        token === undefined ||
        token.purpose !== purpose ||
        token.subjectId !== subjectId ||
        token.usedAt !== null ||
        now >= token.expiresAt
      ) {
        throw refuse('token_invalid');
      }
      if (!PURPOSES[purpose].isGoodOnce) return token;
      store.tokens.markUsed(text, now);
      return { ...token, usedAt: now };
    },
  };
}
