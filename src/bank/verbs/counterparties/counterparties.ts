/**
 * Counterparties (v2) and contacts (v1): the other party of payments, with its details for each rail. A counterparty
 * that v1 deleted stays readable but cannot be updated; v2 shows it as deactivated.
 * Source: the counterparties of the platform's v2 reference, the contacts of its v1 reference; decisions
 * `deleted-things`, `contact-update`, `counterparty-in-bank`, `bank-numbers`, `counterparty-needs`,
 * `counterparty-name`, `counterparty-kept-fields`, `own-account-counterparty`, `debit-card-kept`, `v1-debit-card-token`
 * and `contact-deletion` in docs/fidelity.md.
 */
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { BankNumberType, PartnerBank } from '../../model/banks.ts';
import { COUNTERPARTY_FILTERS, type CounterpartyCondition } from '../../model/filters.ts';
import { COUNTERPARTY } from '../../model/machines.ts';
import { requireBorn, requireFormed } from '../../model/people.ts';
import type { Account, Counterparty, Token } from '../../model/records.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CounterpartyChange, NewCounterparty, NewDebitCard } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { changed, changesOf, createNoun } from '../noun.ts';
import { statusAfter } from '../status.ts';
import { createTokens } from '../tokens.ts';
import {
  detailsAfter,
  detailsOfNew,
  lookUpBank,
  NO_RAILS,
  railsAfter,
  requireCardNumber,
} from './details.ts';

export interface Counterparties {
  /**
   * Refuses: `account_not_found`, `intra_account_unknown`, `intra_account_own`, `metadata_too_large`, and
   * `field_invalid` for an invalid number of a bank or a card.
   */
  create(input: NewCounterparty): Counterparty;
  /** Refuses: `counterparty_not_found`. */
  byId(id: Id): Counterparty;
  /** A page of the records that match the conditions, including deleted ones. */
  list(where: readonly CounterpartyCondition[], window: Window): Page<Counterparty>;
  /**
   * Rails that are not sent stay. Refuses as `create` does, `counterparty_not_found` for a deleted one,
   * `illegal_step`, and `field_invalid` for another type without the object of that type, and for an id number.
   */
  change(id: Id, change: CounterpartyChange): Counterparty;
  /** Deletes it permanently. Refuses: `counterparty_not_found`, also if it was deleted before. */
  remove(id: Id): Counterparty;
  /**
   * A token that sets a debit card once, valid until a time or for five minutes. Refuses: `counterparty_not_found` as
   * `change` does.
   */
  issueDebitCardToken(id: Id, expiresAt?: Instant): Token;
  /** Sets the debit card with such a token. Refuses: `counterparty_not_found`, `field_invalid`, `token_invalid`. */
  setDebitCard(id: Id, token: string, card: NewDebitCard): Counterparty;
  /** The bank of a number. Refuses: `field_invalid` for an invalid number. */
  bankOf(type: BankNumberType, number: string): PartnerBank;
}

/** The verbs of counterparties. */
export function createCounterparties(dependencies: Dependencies): Counterparties {
  const { store, sequence, clock } = dependencies;
  const tokens = createTokens(dependencies);

  const noun = createNoun(dependencies, {
    resource: 'counterparty',
    rows: store.counterparties,
    filters: COUNTERPARTY_FILTERS,
    show: (counterparty) => counterparty,
  });

  const undeleted = (id: Id): Counterparty => {
    const counterparty = noun.row(id);
    if (counterparty.deletedAt !== null) throw refuse('counterparty_not_found');
    return counterparty;
  };

  const accountOf = (id: Id): Account => {
    return found(store.accounts.byId(id), 'account_not_found');
  };

  const change = (id: Id, requestedChange: CounterpartyChange): Counterparty => {
    const present = undeleted(id);
    const now = clock.now();
    requireBorn(requestedChange.person, now);
    requireFormed(requestedChange.business, now);
    const {
      rails,
      status,
      type: _type,
      name: _name,
      person: _person,
      business: _business,
      ...plain
    } = requestedChange;
    const next: Counterparty = {
      ...changed(
        present,
        {
          ...plain,
          ...detailsAfter(present, requestedChange),
          ...railsAfter(dependencies, accountOf(present.accountId), present, rails),
        },
        now,
      ),
      ...statusAfter(COUNTERPARTY, present, status, now),
    };
    return noun.put(next, 'updated', ...changesOf({}, next.status !== present.status));
  };

  return {
    byId: noun.byId,
    change,
    list: noun.list,
    bankOf(type, number) {
      const bank = lookUpBank(type, number, 'routingNumber');
      const { routingNumber, sponsorBank } = dependencies.program;
      return number === routingNumber ? { ...bank, name: sponsorBank } : bank;
    },

    create(input) {
      const account = accountOf(input.accountId);
      const details = detailsOfNew(input);
      const now = clock.now();
      requireBorn(input.person, now);
      requireFormed(input.business, now);
      return noun.add({
        id: sequence.id(now),
        accountId: account.id,
        holderId: account.holderId,
        ...details,
        label: input.label ?? details.name,
        ...railsAfter(
          dependencies,
          account,
          { rails: NO_RAILS, relation: input.relation ?? 'others' },
          input.rails,
        ),
        email: input.email ?? '',
        phone: input.phone ?? '',
        externalReferenceId: input.externalReferenceId ?? '',
        purpose: input.purpose ?? '',
        ofacStatus: 'pass',
        ofacAt: now,
        metadata: mergeMetadata(null, input.metadata),
        status: 'activated',
        lockedFrom: null,
        createdAt: now,
        updatedAt: now,
        deactivatedAt: null,
        deletedAt: null,
      });
    },

    remove(id) {
      const present = undeleted(id);
      const now = clock.now();
      const deleted: Counterparty = {
        ...present,
        ...statusAfter(COUNTERPARTY, present, 'deactivated', now),
        deletedAt: now,
        updatedAt: now,
      };
      return noun.put(deleted, deleted.status === present.status ? 'updated' : 'status');
    },

    issueDebitCardToken: (id, expiresAt) => tokens.issue('set_debit_card', undeleted(id).id, expiresAt),

    setDebitCard(id, token, debitCard) {
      undeleted(id);
      requireCardNumber(debitCard);
      tokens.use(token, 'set_debit_card', id);
      return change(id, { rails: { debitCard } });
    },
  };
}
