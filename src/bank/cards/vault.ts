/**
 * What of a card is never in its record: its number and code, its PIN, and what a wallet needs of it. The first two are
 * behind tokens, the PIN's good once; a PIN is taken note of and not kept.
 * Source: decisions `card-number-shown`, `card-tokens` and `card-provision` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import { ALPHANUMERIC, type Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Card, Token } from '../../model/records.ts';
import type { Wallet } from '../../model/vocabulary.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CardDetailsInput, WalletPass } from '../inputs.ts';
import { publisherOf } from '../publish.ts';
import type { TokenPurpose, Tokens } from '../tokens.ts';
import type { Cards } from './cards.ts';
import { requireDetails } from './making.ts';

export interface CardVault {
  /** A token for `show`, until an instant or for five minutes. Refuses: `card_not_found`, `card_closed`. */
  showToken(id: Id, expiresAt?: Instant): Token;
  /** A token for `setPin`, until an instant or for five minutes. Refuses: `card_not_found`, `card_closed`. */
  pinToken(id: Id, expiresAt?: Instant): Token;
  /**
   * The card with its number and code, for as long as the token is good; changes nothing. Refuses: `card_not_found`,
   * `token_invalid`, `card_closed`.
   */
  show(id: Id, token: string): Card;
  /** The same for whoever may do anything with the card; changes nothing. Refuses: `card_not_found`, `card_closed`. */
  reveal(id: Id): Card;
  /**
   * Takes note that a PIN was set, by whoever has a token and knows the card. Refuses: `card_not_found`, `token_invalid`,
   * `card_closed`, `card_details_mismatch`.
   */
  setPin(id: Id, token: string, input: CardDetailsInput): Card;
  /** Puts an open card into a wallet. Refuses: `card_not_found`, `card_closed`, `illegal_step`. */
  provision(id: Id, wallet: Wallet): WalletPass;
}

const REFERENCE_LENGTH = 29;
const SECRET_LENGTH = 88;

/** The verbs of what is behind tokens. */
export function createCardVault(
  { store, sequence, clock, outbox }: Dependencies,
  cards: Cards,
  tokens: Tokens,
): CardVault {
  const publish = publisherOf(outbox, 'card');
  const issue = (id: Id, purpose: TokenPurpose, expiresAt: Instant | undefined): Token => {
    const { card } = cards.byId(id);
    requireNotClosed(card);
    return tokens.issue(purpose, card.id, expiresAt);
  };

  /** The token before anything of the card: without one nothing is shown. */
  const openWith = (id: Id, token: string, purpose: TokenPurpose): Card => {
    const { card } = cards.byId(id);
    tokens.use(token, purpose, card.id);
    requireNotClosed(card);
    return card;
  };

  return {
    showToken: (id, expiresAt) => issue(id, 'show_card', expiresAt),
    pinToken: (id, expiresAt) => issue(id, 'set_pin', expiresAt),
    show: (id, token) => openWith(id, token, 'show_card'),

    reveal(id) {
      const { card } = cards.byId(id);
      requireNotClosed(card);
      return card;
    },

    setPin(id, token, input) {
      const card = openWith(id, token, 'set_pin');
      requireDetails(card, input);
      const next: Card = { ...card, pinSetAt: clock.now() };
      store.cards.replace(next);
      return next;
    },

    provision(id, wallet) {
      const file = cards.byId(id);
      const { card } = file;
      requireNotClosed(card);
      if (card.status !== 'open') {
        throw refuse('illegal_step', {
          message: `the card is ${card.status}; a wallet accepts only an open one`,
        });
      }
      publish(file, 'provisioned', clock.now());
      const secret = (): string => sequence.text(SECRET_LENGTH, ALPHANUMERIC);
      // The networks give one to each card, whichever wallet it is in.
      const paymentAccountReference = card.id.slice(-REFERENCE_LENGTH).toUpperCase();
      return wallet === 'apple_pay'
        ? {
            wallet,
            paymentAccountReference,
            activationData: secret(),
            encryptedPassData: secret(),
            ephemeralPublicKey: secret(),
          }
        : { wallet, paymentAccountReference, opaquePaymentCard: secret() };
    },
  };
}

function requireNotClosed({ status }: Card): void {
  if (status === 'closed') throw refuse('card_closed');
}
