/**
 * Cards. A virtual card is open at once; a physical one waits for its activation. A replaced card is closed and names
 * its replacement.
 * Source: decisions `card-status-changes`, `card-replacement`, `card-creation-needs` and `replacement-carries-over` in
 * docs/fidelity.md.
 */

import { isDeepStrictEqual } from 'node:util';
import { step } from '../../kernel/machine.ts';
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { DAY_MS, formatInstant, type Instant } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import { CARD_FILTERS, type CardCondition, onColumns } from '../../model/filters.ts';
import { CARD, CARD_EVENT_FOR, CARD_UNLOCK_FOR } from '../../model/machines.ts';
import type { Account, Card, CardHolder, Shipment, Transaction } from '../../model/records.ts';
import type { OffsetWindow, Page, Window } from '../../store/lists.ts';
import type { Store } from '../../store/store.ts';
import { requireCardAllowed } from '../accounts/limits.ts';
import type { Dependencies } from '../dependencies.ts';
import type {
  CardChange,
  CardDetailsInput,
  CardReplacement,
  CardWithHolder,
  LeftRange,
  NewCard,
} from '../inputs.ts';
import { changed, changesOf, createLocks, createNoun, statusFor } from '../noun.ts';
import { openAccountOf } from '../status.ts';
import { cardWithHolder } from './controls.ts';
import { changeControls, newCard, replacementOf, requireDetails } from './making.ts';
import type { Recall } from './recalls.ts';

export interface Cards {
  /**
   * Refuses: `card_holder_not_found`, `card_holder_not_active`, `account_not_active`, `cards_full`, `card_type_off`,
   * `card_controls_both`, `field_invalid` for a name that cannot be printed on a card.
   */
  issue(input: NewCard): CardWithHolder;
  /** Refuses: `card_not_found`. */
  byId(id: Id): CardWithHolder;
  /** A page of the records that match the conditions. */
  list(where: readonly CardCondition[], window: Window): Page<CardWithHolder>;
  /** The same, but only cards with an all-time limit whose rest is in a range, in cents. */
  listByLeft(where: readonly CardCondition[], window: OffsetWindow, range: LeftRange): Page<CardWithHolder>;
  /** The declined authorizations of a card. Refuses: `card_not_found`. */
  declined(id: Id, window: Window): Page<Transaction>;
  /**
   * Refuses: `card_not_found`, `card_status_fixed`, `card_closed`, `card_controls_both`, `metadata_too_large`, and in
   * a strict change `card_unchanged`.
   */
  change(id: Id, change: CardChange): CardWithHolder;
  /**
   * Activates a physical card. Refuses: `card_not_found`, `card_not_physical`, `card_not_inactive`,
   * `card_details_mismatch`.
   */
  activate(id: Id, input: CardDetailsInput): CardWithHolder;
  /**
   * Creates the same card with a new number, and closes the old one. Refuses: as `issue` does, `card_not_found`,
   * `card_reason_wrong`, `card_replaced_recently`, `card_not_replaceable`.
   */
  replace(id: Id, replacement: CardReplacement): CardWithHolder;
  /** An action of the platform. Refuses: `card_not_found`, `illegal_step`. */
  lock(id: Id): CardWithHolder;
  /** Restores the previous status. Refuses as `lock` does. */
  unlock(id: Id): CardWithHolder;
  /** Updates the shipment of a card. Refuses: `card_not_found`, `illegal_step` for a virtual one. */
  track(id: Id, tracking: Tracking): CardWithHolder;
}

/** The changes of a card's shipment; absent fields stay. */
export type Tracking = Partial<Pick<Shipment, 'trackingStatus' | 'eta' | 'number' | 'url' | 'provider'>>;

/** The verbs of cards. */
export function createCards(dependencies: Dependencies, recall: Recall): Cards {
  const { store, sequence, clock } = dependencies;

  const noun = createNoun(dependencies, {
    resource: 'card',
    rows: store.cards,
    filters: CARD_FILTERS,
    show: (card): CardWithHolder => cardWithHolder(store, card),
  });
  const { take, lock, unlock } = createLocks(clock, noun, CARD, CARD_UNLOCK_FOR);

  return {
    byId: noun.byId,
    list: noun.list,
    lock,
    unlock,

    listByLeft(where, window, { min = 0, max = Number.POSITIVE_INFINITY }) {
      const limited = [...onColumns(CARD_FILTERS, where), on('controls.limit.period', { is: 'all_time' })];
      const found = store.cards.list
        .all(limited)
        .map(noun.show)
        .filter(({ left }) => left !== undefined && left >= min && left <= max);
      return pageOf(found, window);
    },

    declined(id, window) {
      const card = noun.row(id);
      return store.transactions.list.page(
        [
          on('cardId', { is: card.id }),
          on('rail', { is: 'card_authorization' }),
          on('status', { is: 'declined' }),
        ],
        window,
      );
    },

    activate(id, input) {
      const card = noun.row(id);
      if (card.type === 'virtual') {
        throw refuse('card_not_physical', {
          message: `only a physical card can be activated; this card is virtual and ${card.status}`,
        });
      }
      step(CARD, card.status, 'activate', 'card_not_inactive');
      requireDetails(card, input);
      return take({ ...card, activatedAt: clock.now() }, 'activate');
    },

    track(id, tracking) {
      const card = noun.row(id);
      if (card.shipment === null)
        throw refuse('illegal_step', { message: 'a virtual card cannot be shipped' });
      const shipment = { ...card.shipment, ...tracking };
      return noun.put({ ...card, shipment, updatedAt: clock.now() }, 'updated');
    },

    issue(input) {
      const cardHolder = found(store.cardHolders.byId(input.cardHolderId), 'card_holder_not_found');
      const account = requireUsable(store, cardHolder);
      requireCardAllowed(dependencies, account, input.type);
      return noun.add(newCard(sequence, account, cardHolder, input, clock.now()));
    },

    change(id, change) {
      const present = noun.row(id);
      const { status, controls, strict, ...plain } = change;
      if (present.status === 'closed' && controls !== undefined) {
        throw refuse('card_closed', {
          field: 'controls',
          message: 'the card is closed; its controls can no longer change',
        });
      }
      if (strict === true && present.status === 'pending_activation' && status !== undefined) {
        throw refuse('card_status_fixed', {
          field: 'status',
          message: 'the card waits for its activation: use the operation that activates it',
        });
      }
      const now = clock.now();
      const next: Card = {
        ...changed(present, { ...plain, controls: changeControls(present.controls, controls) }, now),
        status: statusFor(CARD, present.status, CARD_EVENT_FOR, status, 'card_status_fixed'),
      };
      if (strict === true && isDeepStrictEqual({ ...next, updatedAt: present.updatedAt }, present)) {
        throw refuse('card_unchanged');
      }
      const moves = next.status !== present.status;
      const closes = moves && next.status === 'closed';
      if (closes) next.closedAt = now;
      const file = noun.put(
        next,
        ...changesOf({ ...plain, ...(controls !== undefined && { controls }) }, moves),
      );
      if (closes) recall(file);
      return file;
    },

    replace(id, { reason, shippingAddress, strict }) {
      const { card: old, cardHolder } = noun.byId(id);
      const now = clock.now();
      if (old.type === 'virtual' && reason === 'damaged')
        throw refuse('card_reason_wrong', { field: 'reason' });
      if (old.status !== 'closed') requireInterval(store, old, now);
      if (strict === true && old.status !== 'open') {
        throw refuse('card_not_replaceable', {
          message: `the card is ${old.status}; only an open card can be replaced`,
        });
      }
      const closed = step(CARD, old.status, 'close', 'card_not_replaceable');
      requireUsable(store, cardHolder);
      const card = replacementOf(sequence, old, shippingAddress, now);
      const closedCard: Card = { ...old, status: closed, replacedBy: card.id, closedAt: now, updatedAt: now };
      noun.put(closedCard, 'replaced');
      return noun.add(card);
    },
  };
}

/** A page of found records, newest first. */
function pageOf<T>(found: T[], { offset, limit, order }: OffsetWindow): Page<T> {
  if (order?.direction === 'asc') found.reverse();
  const items = found.slice(offset, offset + limit);
  const hasOlder = offset + items.length < found.length;
  return { items, total: found.length, hasNewer: offset > 0, hasOlder };
}

const REPLACEMENT_INTERVAL_MS = 7 * DAY_MS;

/** Refuses: `card_replaced_recently` for a card that replaced another one less than seven days ago. */
function requireInterval(store: Store, { id, cardHolderId }: Card, now: Instant): void {
  const [previous] = store.cards.list.all([
    on('cardHolderId', { is: cardHolderId }),
    on('replacedBy', { is: id }),
  ]);
  const last = previous?.closedAt ?? null;
  if (last === null || now - last >= REPLACEMENT_INTERVAL_MS) return;
  throw refuse('card_replaced_recently', {
    message: `a card can be replaced seven days after its previous replacement, which was at ${formatInstant(last)}`,
  });
}

/** Checks that the card holder can use cards, and that the account is not closed. */
function requireUsable(store: Store, cardHolder: CardHolder): Account {
  if (cardHolder.status !== 'activated' || cardHolder.ofacStatus !== 'pass') {
    throw refuse('card_holder_not_active', {
      field: 'cardHolderId',
      message: `the card holder is ${cardHolder.status}; a card needs an activated card holder`,
    });
  }
  return openAccountOf(store, cardHolder.accountId);
}
