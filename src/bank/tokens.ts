/**
 * Tokens: each opens one thing of one subject, once, within five minutes of the bank's clock. They stand in for a key
 * where a client's own page talks to the vault: the data of a card, its PIN, the debit card of a contact.
 * Source: "show a card" and "set a PIN" of the platform's v2 reference; rows 45b and 166 of docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { MINUTE_MS } from '../kernel/time.ts';
import type { Token } from '../model/records.ts';
import type { Parts } from './parts.ts';

/** How long a token opens anything. */
export const TOKEN_MS = 5 * MINUTE_MS;

export type TokenPurpose = Token['purpose'];

export interface Tokens {
  /** Makes a token that opens `purpose` of the subject. */
  issue(purpose: TokenPurpose, subjectId: Id): Token;
  /** Takes a token as used, for this purpose and subject alone. Refuses: `token_invalid`. */
  use(text: string, purpose: TokenPurpose, subjectId: Id): Token;
}

/** On the wire eight more tell whose token it is, as many as the platform's have in all. */
const DIGITS = 24;
const PREFIXES: Readonly<Record<TokenPurpose, string>> = {
  show_card: 'card_show_test_',
  set_pin: 'card_pin_test_',
  set_debit_card: 'debit_card_test_',
};

/** The verbs of tokens. */
export function createTokens({
  store,
  sequence,
  clock,
}: Pick<Parts, 'store' | 'sequence' | 'clock'>): Tokens {
  return {
    issue(purpose, subjectId) {
      const now = clock.now();
      const token: Token = {
        token: PREFIXES[purpose] + sequence.id(now).slice(0, DIGITS),
        purpose,
        subjectId,
        expiresAt: now + TOKEN_MS,
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
      store.tokens.markUsed(text, now);
      return { ...token, usedAt: now };
    },
  };
}
