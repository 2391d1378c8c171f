/**
 * Card holders: the persons who use cards, each for one sub account. They are screened but not verified, so they are
 * activated at once. v1 has no operation to create them: it issues a card for a person, who becomes a card holder.
 * Source: decisions `holder-status-changes`, `card-holder-status` and `v1-card-person` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import { CARD_HOLDER_FILTERS, type CardHolderCondition } from '../../model/filters.ts';
import { CARD_HOLDER } from '../../model/machines.ts';
import { requireBorn, requireFullSsn } from '../../model/people.ts';
import type { Account, CardHolder, Person } from '../../model/records.ts';
import type { HolderStatus } from '../../model/vocabulary.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CardHolderChange, NewCardHolder } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { changed, changesOf, createNoun } from '../noun.ts';
import { openAccountOf, statusAfter } from '../status.ts';

export interface CardHolders {
  /** Refuses: `account_not_found`, `account_not_active`. */
  create(input: NewCardHolder): CardHolder;
  /** Refuses: `card_holder_not_found`. */
  byId(id: Id): CardHolder;
  /** A page of the records that match the conditions. */
  list(where: readonly CardHolderCondition[], window: Window): Page<CardHolder>;
  /** Refuses: `card_holder_not_found`, `illegal_step`, `metadata_too_large`, `field_invalid` for an id number. */
  change(id: Id, change: CardHolderChange): CardHolder;
  /**
   * The card holder of a person for an account, created if there is none; `''` means the account's own person.
   * Refuses: `account_not_found`, `account_not_active`, `person_header_missing`, `holder_not_found`,
   * `holder_not_active`.
   */
  ofPerson(accountId: Id, personId: Id | ''): CardHolder;
}

const UNUSABLE: readonly HolderStatus[] = ['suspended', 'deactivated', 'locked'];

/** The verbs of card holders. */
export function createCardHolders(dependencies: Dependencies): CardHolders {
  const { store, sequence, clock } = dependencies;

  const noun = createNoun(dependencies, {
    resource: 'card_holder',
    rows: store.cardHolders,
    filters: CARD_HOLDER_FILTERS,
    show: (cardHolder) => cardHolder,
  });

  const create = (input: NewCardHolder): CardHolder => {
    const account = openAccountOf(store, input.accountId);
    const now = clock.now();
    requireBorn(input.person, now);
    return noun.add({
      id: sequence.id(now),
      accountId: account.id,
      holderId: account.holderId,
      personId: input.personId ?? '',
      person: input.person,
      ofacStatus: 'pass',
      ofacAt: now,
      externalReferenceId: input.externalReferenceId ?? '',
      purpose: input.purpose ?? '',
      metadata: mergeMetadata(null, input.metadata),
      status: 'activated',
      lockedFrom: null,
      createdAt: now,
      updatedAt: now,
      deactivatedAt: null,
    });
  };

  /** The person who will use a card of this account. */
  const userOf = (account: Account, personId: Id | ''): { id: Id; person: Person } => {
    const id = personId || (account.holderType === 'person' ? account.holderId : account.createdBy);
    if (id === '') throw refuse('person_header_missing');
    const holder = store.holders.byId(id);
    if (holder === undefined || holder.person === null) {
      throw refuse('holder_not_found', { field: 'createdBy' });
    }
    if (UNUSABLE.includes(holder.status)) {
      throw refuse('holder_not_active', {
        field: 'createdBy',
        message: `the person is ${holder.status}; cards are issued only to activated persons`,
      });
    }
    return { id, person: holder.person };
  };

  /** A card holder of v2 with the same id number and name that is not linked to a person yet. */
  const unlinkedMatch = (accountId: Id, { idNumber, firstName, lastName }: Person): CardHolder | undefined =>
    idNumber === ''
      ? undefined
      : store.cardHolders.list
          .all([
            on('accountId', { is: accountId }),
            on('person.idNumber', { is: idNumber }),
            on('personId', { is: '' }),
            on('status', { not: 'deactivated' }),
          ])
          .find(({ person }) => person.firstName === firstName && person.lastName === lastName);

  return {
    create,
    byId: noun.byId,
    list: noun.list,

    change(id, change) {
      const present = noun.row(id);
      const { status, person, ...plain } = change;
      const now = clock.now();
      const nextPerson = { ...present.person, ...person };
      requireFullSsn(present.person, nextPerson, 'person.idNumber');
      requireBorn(person, now);
      const next: CardHolder = {
        ...changed(present, { ...plain, person: nextPerson }, now),
        ...statusAfter(CARD_HOLDER, present, status, now),
      };
      return noun.put(next, ...changesOf(change, next.status !== present.status));
    },

    ofPerson(accountId, personId) {
      const account = openAccountOf(store, accountId);
      const user = userOf(account, personId);
      const [known] = store.cardHolders.list.all([
        on('accountId', { is: accountId }),
        on('personId', { is: user.id }),
        on('status', { not: 'deactivated' }),
      ]);
      if (known !== undefined) return known;
      const unlinked = unlinkedMatch(accountId, user.person);
      if (unlinked === undefined) return create({ accountId, person: user.person, personId: user.id });
      // No field that v2 shows changes, so nothing is published.
      const named = { ...unlinked, personId: user.id };
      store.cardHolders.replace(named);
      return named;
    },
  };
}
