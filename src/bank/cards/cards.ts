/**
 * Cards. A virtual card is open at once; a physical one waits for its activation. A card that another takes the place of
 * is closed and names the other.
 * Source: decisions `card-status-changes`, `card-replacement`, `card-creation-needs` and `replacement-carries-over` in
 * docs/fidelity.md.
 */

import { step } from '../../kernel/machine.ts';
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import { CARD_FILTERS, type CardCondition, onColumns } from '../../model/filters.ts';
import { CARD, CARD_EVENT_FOR, CARD_UNLOCK_FOR, type CardEvent } from '../../model/machines.ts';
import type { Account, Address, Card, CardHolder, Shipment, Transaction } from '../../model/records.ts';
import { mapPage, type OffsetWindow, type Page, type Window } from '../../store/lists.ts';
import type { Store } from '../../store/store.ts';
import { requireCardAllowed } from '../accounts/limits.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CardChange, CardDetailsInput, CardWithHolder, LeftRange, NewCard } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { publishChanged, publisherOf } from '../publish.ts';
import { afterEvent, openAccountOf } from '../status.ts';
import { cardWithHolder } from './controls.ts';
import { changeControls, newCard, replacementOf, requireDetails } from './making.ts';
import type { Recall } from './recalls.ts';

export interface Cards {
  /**
   * Refuses: `card_holder_not_found`, `holder_not_active`, `account_not_active`, `limit_exceeded`, `switched_off`,
   * `card_controls_both`, `field_invalid` for a name that cannot be embossed.
   */
  issue(input: NewCard): CardWithHolder;
  /** Refuses: `card_not_found`. */
  byId(id: Id): CardWithHolder;
  /** A page of those that meet the conditions. */
  list(where: readonly CardCondition[], window: Window): Page<CardWithHolder>;
  /** The same of the cards with a limit for all time of which at least, or at most, so much is left, in cents. */
  listByLeft(where: readonly CardCondition[], window: OffsetWindow, range: LeftRange): Page<CardWithHolder>;
  /** The refused authorizations of a card. Refuses: `card_not_found`. */
  declined(id: Id, window: Window): Page<Transaction>;
  /** Refuses: `card_not_found`, `illegal_step`, `card_closed`, `card_controls_both`, `metadata_too_large`. */
  change(id: Id, change: CardChange): CardWithHolder;
  /** Opens a physical card. Refuses: `card_not_found`, `illegal_step`, `card_details_mismatch`. */
  activate(id: Id, input: CardDetailsInput): CardWithHolder;
  /** Makes a card like it with a new number, and closes it. Refuses: as `issue` does, `card_not_found`, `illegal_step`. */
  replace(id: Id, change: { shippingAddress?: Address }): CardWithHolder;
  /** What only the platform does. Refuses: `card_not_found`, `illegal_step`. */
  lock(id: Id): CardWithHolder;
  /** Back to the state before. Refuses as `lock` does. */
  unlock(id: Id): CardWithHolder;
  /** Follows the card on its way to its holder. Refuses: `card_not_found`, `illegal_step` for a virtual one. */
  track(id: Id, tracking: Tracking): CardWithHolder;
}

/** The progress of a card's shipment; what is left out stays. */
export type Tracking = Partial<Pick<Shipment, 'trackingStatus' | 'eta' | 'number' | 'url' | 'provider'>>;

/** The verbs of cards. */
export function createCards(dependencies: Dependencies, recall: Recall): Cards {
  const { store, sequence, clock, outbox } = dependencies;

  const fileOf = (card: Card, cardHolder?: CardHolder): CardWithHolder =>
    cardWithHolder(store, card, cardHolder);

  const byId = (id: Id): CardWithHolder => {
    const card = found(store.cards.byId(id), 'card_not_found');
    return fileOf(card);
  };

  const publish = publisherOf(outbox, 'card', ({ card }) => card);

  /** Writes a card that has changed. */
  const put = (card: Card, cardHolder: CardHolder): CardWithHolder => {
    store.cards.replace(card);
    return fileOf(card, cardHolder);
  };

  const take = (
    { card, cardHolder }: CardWithHolder,
    event: CardEvent,
    also: Partial<Card> = {},
  ): CardWithHolder => {
    const file = put({ ...afterEvent(CARD, card, event, clock.now()), ...also }, cardHolder);
    publish(file, 'status');
    return file;
  };

  const add = (card: Card, cardHolder: CardHolder): CardWithHolder => {
    store.cards.insert(card);
    const file = fileOf(card, cardHolder);
    publish(file, 'created');
    return file;
  };

  return {
    byId,
    list: (where, window) =>
      mapPage(store.cards.list.page(onColumns(CARD_FILTERS, where), window), (card) => fileOf(card)),

    listByLeft(where, window, { min = 0, max = Number.POSITIVE_INFINITY }) {
      const limited = [...onColumns(CARD_FILTERS, where), on('controls.limit.period', { is: 'all_time' })];
      const found = store.cards.list
        .all(limited)
        .map((card) => fileOf(card))
        .filter(({ left }) => left !== undefined && left >= min && left <= max);
      return pageOf(found, window);
    },

    declined(id, window) {
      const { card } = byId(id);
      return store.transactions.list.page(
        [
          on('cardId', { is: card.id }),
          on('rail', { is: 'card_authorization' }),
          on('status', { is: 'declined' }),
        ],
        window,
      );
    },

    lock: (id) => take(byId(id), 'lock'),
    unlock(id) {
      const file = byId(id);
      return take(file, CARD_UNLOCK_FOR[file.card.lockedFrom ?? 'open']);
    },

    activate(id, input) {
      const file = byId(id);
      const { card } = file;
      if (card.type === 'virtual') {
        throw refuse('illegal_step', {
          message: `a virtual card is open from the start, this one is ${card.status}; only a physical one is activated`,
        });
      }
      step(CARD, card.status, 'activate');
      requireDetails(card, input);
      return take(file, 'activate', { activatedAt: clock.now() });
    },

    track(id, tracking) {
      const { card, cardHolder } = byId(id);
      if (card.shipment === null) throw refuse('illegal_step', { message: 'a virtual card is not shipped' });
      const shipment = { ...card.shipment, ...tracking };
      const file = put({ ...card, shipment, updatedAt: clock.now() }, cardHolder);
      publish(file, 'updated');
      return file;
    },

    issue(input) {
      const cardHolder = found(store.cardHolders.byId(input.cardHolderId), 'card_holder_not_found');
      const account = requireUsable(store, cardHolder);
      requireCardAllowed(dependencies, account, input.type);
      const card = newCard(sequence, account, cardHolder, input, clock.now());
      return add(card, cardHolder);
    },

    change(id, change) {
      const { card: present, cardHolder } = byId(id);
      const { status, controls, metadata, ...plain } = change;
      const moves = status !== undefined && status !== present.status;
      if (present.status === 'closed' && controls !== undefined) {
        throw refuse('card_closed', {
          field: 'controls',
          message: 'the card is closed; its controls can no longer change',
        });
      }
      const now = clock.now();
      const next: Card = {
        ...present,
        ...plain,
        controls: changeControls(present.controls, controls),
        metadata: mergeMetadata(present.metadata, metadata),
        status: moves ? step(CARD, present.status, CARD_EVENT_FOR[status]) : present.status,
        closedAt: moves && status === 'closed' ? now : present.closedAt,
        updatedAt: now,
      };
      const file = put(next, cardHolder);
      publishChanged(publish, file, change, moves);
      if (moves && status === 'closed') recall(file);
      return file;
    },

    replace(id, { shippingAddress }) {
      const { card: old, cardHolder } = byId(id);
      const closed = step(CARD, old.status, 'close');
      requireUsable(store, cardHolder);
      const now = clock.now();
      const card = replacementOf(sequence, old, shippingAddress, now);
      const closedCard: Card = { ...old, status: closed, replacedBy: card.id, closedAt: now, updatedAt: now };
      publish(put(closedCard, cardHolder), 'replaced');
      return add(card, cardHolder);
    },
  };
}

/** A page of what was found, newest first. */
function pageOf<T>(found: T[], { offset, limit, order }: OffsetWindow): Page<T> {
  if (order?.direction === 'asc') found.reverse();
  const items = found.slice(offset, offset + limit);
  const hasOlder = offset + items.length < found.length;
  return { items, total: found.length, hasNewer: offset > 0, hasOlder };
}

/** Whoever is to get a card may use one now, under an account that is not closed. */
function requireUsable(store: Store, cardHolder: CardHolder): Account {
  if (cardHolder.status !== 'activated' || cardHolder.ofacStatus !== 'pass') {
    throw refuse('holder_not_active', {
      field: 'cardHolderId',
      message: `the card holder is ${cardHolder.status}; a card needs an activated one`,
    });
  }
  return openAccountOf(store, cardHolder.accountId);
}
