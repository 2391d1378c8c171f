/**
 * Card data that is never in the record: number, code, PIN, and the data for wallets. Number, code and PIN need a
 * token; the PIN token can be used once. Only the time at which a PIN was set is stored.
 * Source: decisions `card-number-shown`, `card-tokens` and `card-provision` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import { ALPHANUMERIC, type Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Card, Token } from '../../model/records.ts';
import type { MobileWallet } from '../../model/vocabulary.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CardDetailsInput, WalletPass } from '../inputs.ts';
import { publisherOf } from '../publish.ts';
import type { TokenPurpose, Tokens } from '../tokens.ts';
import type { Cards } from './cards.ts';
import { requireDetails } from './making.ts';

export interface CardVault {
  /** A token for `show`, valid until a time or for five minutes. Refuses: `card_not_found`, `card_closed`. */
  showToken(id: Id, expiresAt?: Instant): Token;
  /** A token for `setPin`, valid until a time or for five minutes. Refuses: `card_not_found`, `card_closed`. */
  pinToken(id: Id, expiresAt?: Instant): Token;
  /**
   * The card with its number and code, while the token is valid; changes nothing. Refuses: `card_not_found`,
   * `token_invalid`, `card_closed`.
   */
  show(id: Id, token: string): Card;
  /** The same for a caller with the API key; changes nothing. Refuses: `card_not_found`, `card_closed`. */
  reveal(id: Id): Card;
  /**
   * Records that a PIN was set by a caller with a token and the printed card data. Refuses: `card_not_found`,
   * `token_invalid`, `card_closed`, `card_details_mismatch`.
   */
  setPin(id: Id, token: string, input: CardDetailsInput): Card;
  /** Adds an open card to a wallet. Refuses: `card_not_found`, `card_closed`, `illegal_step`. */
  provision(id: Id, wallet: MobileWallet): WalletPass;
}

const REFERENCE_LENGTH = 29;
const SECRET_LENGTH = 88;

const CLOSED_FOR = { show_card: 'card_closed', set_pin: 'card_closed_for_pin' } as const;
type CardPurpose = keyof typeof CLOSED_FOR & TokenPurpose;

/** The verbs of card data. */
export function createCardVault(
  { store, sequence, clock, outbox }: Dependencies,
  cards: Cards,
  tokens: Tokens,
): CardVault {
  const publish = publisherOf(outbox, 'card');
  const issue = (id: Id, purpose: CardPurpose, expiresAt: Instant | undefined): Token => {
    const { card } = cards.byId(id);
    requireNotClosed(card, CLOSED_FOR[purpose]);
    return tokens.issue(purpose, card.id, expiresAt);
  };

  /** Checks the token before anything else, so that nothing is shown without one. */
  const openWith = (id: Id, token: string, purpose: CardPurpose): Card => {
    const { card } = cards.byId(id);
    tokens.use(token, purpose, card.id);
    requireNotClosed(card, CLOSED_FOR[purpose]);
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
      requireNotClosed(card, 'card_closed_for_wallet');
      if (card.status !== 'open') {
        throw refuse('card_not_open', {
          message: `the card is ${card.status}; a wallet accepts only an open one`,
        });
      }
      publish(file, 'provisioned', clock.now());
      const secret = (): string => sequence.text(SECRET_LENGTH, ALPHANUMERIC);
      // Card networks assign one to each card, independent of the wallet.
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

function requireNotClosed({ status }: Card, code: RefusalCode = 'card_closed'): void {
  if (status === 'closed') throw refuse(code);
}
