/**
 * An imitation of Plaid, with which an app links its user's account at another bank. No request is sent: the link
 * token is invented, and linking creates an ACH counterparty with an invented account at a real bank.
 * Source: the calls of the platform's own mobile app, and its page on processor tokens; decision `plaid-links` in
 * docs/fidelity.md.
 */
import { found, refuse } from '../../kernel/refusal.ts';
import { HEX, type Id } from '../../kernel/sequence.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/time.ts';
import type { Account, Counterparty } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Counterparties } from './counterparties.ts';

export interface Plaid {
  /** A token for Plaid's SDK. Refuses: `account_not_found`. */
  linkToken(accountId: Id): { token: string; seconds: number };
  /** The linked account of the holder, as a counterparty. Refuses: `account_not_found`. */
  link(accountId: Id): Counterparty;
  /** The processor token that Plaid would create. It is no secret: every use requires the API key. */
  readonly processorToken: string;
  /** As `link`, for the processor token. Refuses: `account_not_found`, `field_invalid` for any other token. */
  linkByProcessor(accountId: Id, token: string): Counterparty;
}

/** The lifetime of Plaid's own tokens. */
const TOKEN_SECONDS = (4 * HOUR_MS) / SECOND_MS;
const TOKEN_DIGITS = 32;
/** The routing number of a bank in data/banks.json. */
const ROUTING_NUMBER = '123206972';
const NUMBER_DIGITS = 10;

/** The verbs of linked accounts. */
export function createPlaid(
  { store, sequence, program }: Dependencies,
  counterparties: Counterparties,
): Plaid {
  const accountOf = (id: Id): Account => found(store.accounts.byId(id), 'account_not_found');

  const verbs: Plaid = {
    processorToken: `processor-sandbox-${program.programId}`,

    linkToken(accountId) {
      accountOf(accountId);
      return { token: `link-sandbox-${sequence.text(TOKEN_DIGITS, HEX)}`, seconds: TOKEN_SECONDS };
    },

    link(accountId) {
      const { holderId, holderName } = accountOf(accountId);
      const isBusiness = store.holders.byId(holderId)?.type === 'business';
      return counterparties.create({
        accountId,
        name: holderName,
        relation: 'selfAch',
        rails: {
          ach: {
            accountNumber: sequence.digits(NUMBER_DIGITS),
            routingNumber: ROUTING_NUMBER,
            accountType: isBusiness ? 'business_checking' : 'personal_checking',
            bankName: '',
            verified: true,
          },
        },
      });
    },

    linkByProcessor(accountId, token) {
      accountOf(accountId);
      if (token === verbs.processorToken) return verbs.link(accountId);
      throw refuse('field_invalid', {
        field: 'processorToken',
        message: 'processorToken must be the one that GET /_sandbox shows, because Plaid is only imitated',
      });
    },
  };
  return verbs;
}
