/**
 * Cards and the persons who use them. A virtual card is open at once; a physical one waits for its activation.
 * Numbers are test numbers that pass the Luhn check, drawn from the sandbox's sequence.
 * Source: rows 26, 39 and 45a of docs/fidelity.md.
 */
import { step } from '../kernel/machine.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { DAY_MS, utcDate } from '../kernel/time.ts';
import type { Change } from '../model/facts.ts';
import { CARD, CARD_EVENT_FOR, type CardEvent } from '../model/machines.ts';
import type { Card, CardControls, CardHolder, ControlList, Shipment } from '../model/records.ts';
import { announce } from './announce.ts';
import type { CardChange, CardFile, ControlsChange, NewCard, NewCardHolder } from './inputs.ts';
import { mergeMetadata } from './metadata.ts';
import type { Parts } from './parts.ts';

export interface Cards {
  /** Refuses: `account_not_found`, `account_not_active`. */
  createHolder(input: NewCardHolder): CardHolder;
  /** Refuses: `card_holder_not_found`, `holder_not_active`, `card_controls_both`. */
  issue(input: NewCard): CardFile;
  /** Refuses: `card_not_found`. */
  byId(id: Id): CardFile;
  /** Refuses: `card_not_found`, `illegal_step`, `card_closed`, `card_controls_both`, `metadata_too_large`. */
  change(id: Id, change: CardChange): CardFile;
  /** What only the platform does. Refuses: `card_not_found`, `illegal_step`. */
  lock(id: Id): CardFile;
  /** Back to the state before. Refuses as `lock` does. */
  unlock(id: Id): CardFile;
  /** Follows the card on its way to its holder. Refuses: `card_not_found`, `illegal_step` for a virtual one. */
  track(id: Id, tracking: Tracking): CardFile;
}

/** News of a card's shipment; what is left out stays. */
export type Tracking = Partial<Pick<Shipment, 'trackingStatus' | 'eta' | 'number' | 'url' | 'provider'>>;

/** A range that networks set aside for tests. */
const NUMBER_PREFIX = '40000200';
const NUMBER_LENGTH = 16;
const VALID_YEARS = 4;
const DELIVERY_DAYS = 10;

const UNLOCK_TO: Readonly<Partial<Record<Card['status'], CardEvent>>> = {
  pending_activation: 'unlock_pending',
  open: 'unlock_open',
  blocked: 'unlock_blocked',
};

const NO_CONTROLS: CardControls = {
  allowed: { merchants: [], categories: [], countries: [] },
  blocked: { merchants: [], categories: [], countries: [] },
  limit: { period: '', maxSpendAmount: null, maxSpendPerTransaction: null, maxSpendCount: null },
  atmEnabled: true,
};

/** The verbs of cards. */
export function createCards(parts: Parts): Cards {
  const { store, sequence, clock, outbox } = parts;

  const byId = (id: Id): CardFile => {
    const card = store.cards.byId(id);
    const cardHolder = card === undefined ? undefined : store.cardHolders.byId(card.cardHolderId);
    if (card === undefined || cardHolder === undefined) throw refuse('card_not_found');
    return { card, cardHolder };
  };

  const publish = (file: CardFile, change: Change): void => {
    const { id, updatedAt } = file.card;
    announce(outbox, { resource: 'card', id, change, at: updatedAt, record: file });
  };

  const freshNumber = (): string => {
    const body = NUMBER_PREFIX + sequence.digits(NUMBER_LENGTH - NUMBER_PREFIX.length - 1);
    return body + luhnDigit(body);
  };

  const take = ({ card, cardHolder }: CardFile, event: CardEvent): CardFile => {
    const status = step(CARD, card.status, event);
    const next: Card = {
      ...card,
      status,
      lockedFrom: status === 'locked' ? card.status : null,
      updatedAt: clock.now(),
    };
    store.cards.replace(next);
    const file = { card: next, cardHolder };
    publish(file, 'status');
    return file;
  };

  return {
    byId,
    lock: (id) => take(byId(id), 'lock'),
    unlock(id) {
      const file = byId(id);
      return take(file, UNLOCK_TO[file.card.lockedFrom ?? 'open'] ?? 'unlock_open');
    },

    track(id, tracking) {
      const { card, cardHolder } = byId(id);
      if (card.shipment === null) throw refuse('illegal_step', { message: 'a virtual card is not shipped' });
      const next: Card = { ...card, shipment: { ...card.shipment, ...tracking }, updatedAt: clock.now() };
      store.cards.replace(next);
      const file = { card: next, cardHolder };
      publish(file, 'updated');
      return file;
    },

    createHolder(input) {
      const account = store.accounts.byId(input.accountId);
      if (account === undefined) throw refuse('account_not_found');
      if (account.status === 'closed') {
        throw refuse('account_not_active', { field: 'accountId', message: 'the account is closed' });
      }
      const now = clock.now();
      const cardHolder: CardHolder = {
        id: sequence.id(now),
        accountId: account.id,
        holderId: account.holderId,
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
      };
      store.cardHolders.insert(cardHolder);
      const { id } = cardHolder;
      announce(outbox, { resource: 'card_holder', id, change: 'created', at: now, record: cardHolder });
      return cardHolder;
    },

    issue(input) {
      const cardHolder = store.cardHolders.byId(input.cardHolderId);
      if (cardHolder === undefined) throw refuse('card_holder_not_found');
      if (cardHolder.status !== 'activated' || cardHolder.ofacStatus !== 'pass') {
        throw refuse('holder_not_active', {
          field: 'cardHolderId',
          message: `the card holder is ${cardHolder.status}; a card needs an activated one`,
        });
      }
      const account = store.accounts.byId(cardHolder.accountId);
      if (account === undefined) throw refuse('account_not_found');
      const now = clock.now();
      const number = freshNumber();
      const physical = input.type === 'physical';
      const today = utcDate(now);
      const card: Card = {
        id: sequence.id(now),
        accountId: account.id,
        holderId: account.holderId,
        holderType: account.holderType,
        familyId: account.familyId,
        cardHolderId: cardHolder.id,
        label: input.label ?? '',
        product: input.product ?? (account.holderType === 'business' ? 'business_spend' : 'consumer_debit'),
        theme: input.theme ?? '',
        type: input.type,
        number,
        cvv: sequence.digits(3),
        last4: number.slice(-4),
        expiryMonth: today.slice(5, 7),
        expiryYear: String(Number(today.slice(0, 4)) + VALID_YEARS),
        shipment: physical ? newShipment(input, utcDate(now + DELIVERY_DAYS * DAY_MS)) : null,
        billingAddress: input.billingAddress ?? null,
        controls: changeControls(NO_CONTROLS, input.controls),
        externalReferenceId: input.externalReferenceId ?? '',
        metadata: mergeMetadata(null, input.metadata),
        status: physical ? 'pending_activation' : 'open',
        lockedFrom: null,
        replacedBy: '',
        createdAt: now,
        updatedAt: now,
        activatedAt: physical ? null : now,
        pinSetAt: null,
        closedAt: null,
      };
      store.cards.insert(card);
      const file = { card, cardHolder };
      publish(file, 'created');
      return file;
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
      store.cards.replace(next);
      const file = { card: next, cardHolder };
      const { status: _, ...rest } = change;
      if (Object.keys(rest).length > 0) publish(file, 'updated');
      if (moves) publish(file, 'status');
      return file;
    },
  };
}

function newShipment(input: NewCard, eta: string): Shipment {
  return {
    cardHolderName: input.embossing?.cardHolderName ?? '',
    businessName: input.embossing?.businessName ?? '',
    shippingAddress: input.shippingAddress ?? null,
    trackingStatus: 'pending',
    eta,
    number: '',
    url: '',
    provider: '',
  };
}

/** What is named is replaced, a list whole, a limit field by field. Refuses: `card_controls_both`. */
function changeControls(present: CardControls, change: ControlsChange | undefined): CardControls {
  if (change === undefined) return present;
  const next: CardControls = {
    allowed: { ...present.allowed, ...change.allowed },
    blocked: { ...present.blocked, ...change.blocked },
    limit: { ...present.limit, ...change.limit },
    atmEnabled: change.atmEnabled ?? present.atmEnabled,
  };
  for (const list of ['merchants', 'categories', 'countries'] as const satisfies (keyof ControlList)[]) {
    if (next.allowed[list].length > 0 && next.blocked[list].length > 0) {
      throw refuse('card_controls_both', {
        field: `controls.${list}`,
        message: `${list} are both allowed and blocked: set one list and empty the other`,
      });
    }
  }
  return next;
}

/** The digit that makes a card number pass the Luhn check. */
function luhnDigit(body: string): string {
  let sum = 0;
  for (let place = 0; place < body.length; place += 1) {
    const digit = Number(body[body.length - 1 - place]);
    const doubled = place % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}
