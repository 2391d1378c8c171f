/**
 * Tokens: each opens one thing of one subject within five minutes of the bank's clock, as often as one likes where it only
 * shows something, once where it sets something. They stand in for a key where a client's own page talks to the vault:
 * the data of a card, its PIN, the debit card of a contact.
 * Source: "show a card" and "set a PIN" of the platform's v2 reference, and its page that shows a card; decisions
 * `card-number-shown`, `v1-debit-card-token` and `card-tokens` in docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import { HEX, type Id } from '../kernel/sequence.ts';
import { type Instant, MINUTE_MS } from '../kernel/time.ts';
import type { Token } from '../model/records.ts';
import type { Dependencies } from './dependencies.ts';

/** How long a token opens anything, where nothing else was said. */
export const TOKEN_MS = 5 * MINUTE_MS;

export type TokenPurpose = Token['purpose'];

export interface Tokens {
  /** Makes a token that opens `purpose` of the subject, until an instant or for five minutes. */
  issue(purpose: TokenPurpose, subjectId: Id, expiresAt?: Instant): Token;
  /**
   * Takes a token for this purpose and subject alone; one that is good once is used up, one that shows something is left
   * as it is, and nothing is written. Refuses: `token_invalid`.
   */
  use(text: string, purpose: TokenPurpose, subjectId: Id): Token;
}

/** With these a token ends, after a word for its purpose. On the wire eight more tell whose token it is, as many as the platform's have in all. */
export const TOKEN_DIGITS = 24;
const PURPOSES: Readonly<Record<TokenPurpose, { prefix: string; isGoodOnce: boolean }>> = {
  // A page reads the number, the code and the two parts of the date by a request each.
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
