/**
 * Simulations of holders, accounts and cards, for actions of the platform or a carrier: the end of a check, locks,
 * and the shipment of a card. They use the same verbs as everything else and are recorded as decisions.
 */
import { illegalStep } from '../../kernel/machine.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { DAY_MS, utcDate } from '../../kernel/time.ts';
import type { Account, Card, Holder } from '../../model/records.ts';
import type { ReasonsInput } from '../../model/verification-reasons.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Cards, Tracking } from '../cards/cards.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Holders } from '../holders/holders.ts';
import type { AccountWithBalance, CardWithHolder, HolderWithMembers } from '../inputs.ts';
import { noteSimulated } from '../publish.ts';

const OUTCOMES = { pass: 'pass', review: 'review', fail: 'fail' } as const;
const IDV_OUTCOMES = { idv_pass: 'pass', idv_review: 'review', idv_fail: 'fail' } as const;
export const HOLDER_EVENTS = [
  'pass',
  'review',
  'fail',
  'idv_pass',
  'idv_review',
  'idv_fail',
  'lock',
  'unlock',
] as const;
export type SimulatedHolderEvent = (typeof HOLDER_EVENTS)[number];
export const CARD_EVENTS = ['lock', 'unlock', 'ship', 'deliver'] as const;
type SimulatedCardEvent = (typeof CARD_EVENTS)[number];
export const ACCOUNT_EVENTS = ['lock', 'unlock'] as const;
type SimulatedAccountEvent = (typeof ACCOUNT_EVENTS)[number];

/** The verbs that simulations use. */
export interface SimulatedNouns {
  holders: Holders;
  accounts: Accounts;
  cards: Cards;
}

export interface PartySimulation {
  /**
   * Ends a holder's verification or the check of its identity document, with reasons; locks or unlocks it. Refuses:
   * `holder_not_found`, `illegal_step`.
   */
  holder(id: Id, event: SimulatedHolderEvent, input?: ReasonsInput): HolderWithMembers;
  /** Locks, unlocks, ships or delivers a card. Refuses: `card_not_found`, `illegal_step`. */
  card(id: Id, event: SimulatedCardEvent, tracking: Tracking): CardWithHolder;
  /** Locks or unlocks an account. Refuses: `account_not_found`, `illegal_step`. */
  account(id: Id, event: SimulatedAccountEvent): AccountWithBalance;
  /** The events that are legal in the current state. */
  readonly legal: {
    holder(holder: Holder): SimulatedHolderEvent[];
    card(card: Card): SimulatedCardEvent[];
    account(account: Account): SimulatedAccountEvent[];
  };
  /** Refuse an event that is not legal in the current state, without changes. Refuse: `illegal_step`. */
  readonly require: {
    holder(holder: Holder, event: SimulatedHolderEvent): void;
    card(card: Card, event: SimulatedCardEvent): void;
    account(account: Account, event: SimulatedAccountEvent): void;
  };
}

const DELIVERY_DAYS = 5;
const TRACKING_DIGITS = 20;
const PROVIDER = 'usps';

/** The verbs of simulation for holders, accounts and cards. */
export function createPartySimulation(
  dependencies: Dependencies,
  { holders, accounts, cards }: SimulatedNouns,
): PartySimulation {
  const { sequence, clock } = dependencies;

  return {
    holder(id, event, input) {
      const { holder } = holders.byId(id);
      requireHolderEvent(holder, event);
      const file = applyToHolder(id, event, input);
      const { status, verification, idv } = file.holder;
      const ended = event in IDV_OUTCOMES ? idv : event in OUTCOMES ? verification : null;
      noteSimulated(dependencies, id, event, [holder.status, status], {
        verification: verification.status,
        ...(event in IDV_OUTCOMES && idv !== null && { idv: idv.status }),
        ...(ended?.finding !== undefined && { reason: ended.finding.code }),
      });
      return file;
    },

    card(id, event, tracking) {
      const { card } = cards.byId(id);
      requireCardEvent(card, event);
      const file = event === 'ship' || event === 'deliver' ? move(card, event, tracking) : cards[event](id);
      const moved = event === 'ship' || event === 'deliver';
      noteSimulated(
        dependencies,
        id,
        event,
        moved ? [trackingOf(card), trackingOf(file.card)] : [card.status, file.card.status],
      );
      return file;
    },

    account(id, event) {
      const { account } = accounts.byId(id);
      requireAccountEvent(account, event);
      const file = accounts[event](id);
      noteSimulated(dependencies, id, event, [account.status, file.account.status]);
      return file;
    },

    legal: { holder: holderEvents, card: cardEvents, account: accountEvents },
    require: { holder: requireHolderEvent, card: requireCardEvent, account: requireAccountEvent },
  };

  function applyToHolder(id: Id, event: SimulatedHolderEvent, input?: ReasonsInput): HolderWithMembers {
    switch (event) {
      case 'lock':
      case 'unlock':
        return holders[event](id);
      case 'idv_pass':
      case 'idv_review':
      case 'idv_fail':
        return holders.decideIdv(id, IDV_OUTCOMES[event], input);
      case 'pass':
      case 'review':
      case 'fail':
        return holders.decide(id, event, input);
    }
  }

  /** Ships or delivers a card; an early delivery includes the shipment. */
  function move(card: Card, event: 'ship' | 'deliver', tracking: Tracking): CardWithHolder {
    const now = clock.now();
    if (event === 'ship' || trackingOf(card) === 'pending') {
      const number = tracking.number ?? sequence.digits(TRACKING_DIGITS);
      const shipped = cards.track(card.id, {
        eta: utcDate(now + DELIVERY_DAYS * DAY_MS),
        url: `https://tracking.sandbank.example/${number}`,
        provider: PROVIDER,
        ...tracking,
        number,
        trackingStatus: 'shipped',
      });
      if (event === 'ship') return shipped;
    }
    return cards.track(card.id, { ...tracking, trackingStatus: 'delivered' });
  }
}

const trackingOf = ({ shipment }: Card): string => shipment?.trackingStatus ?? '';

function holderEvents({ status, idv }: Holder): SimulatedHolderEvent[] {
  if (status === 'deactivated') return [];
  return [
    'pass',
    'review',
    'fail',
    ...(idv !== null && idv.status !== 'not_started'
      ? (['idv_pass', 'idv_review', 'idv_fail'] as const)
      : []),
    status === 'locked' ? 'unlock' : 'lock',
  ];
}

function cardEvents(card: Card): SimulatedCardEvent[] {
  if (card.status === 'closed') return [];
  const tracking = trackingOf(card);
  return [
    card.status === 'locked' ? 'unlock' : 'lock',
    ...(tracking === 'pending' ? (['ship', 'deliver'] as const) : []),
    ...(tracking === 'shipped' ? (['deliver'] as const) : []),
  ];
}

function accountEvents({ status }: Account): SimulatedAccountEvent[] {
  return status === 'closed' ? [] : [status === 'locked' ? 'unlock' : 'lock'];
}

function requireHolderEvent(holder: Holder, event: SimulatedHolderEvent): void {
  const legal = holderEvents(holder);
  if (!legal.includes(event)) throw illegalStep('holder', holder.status, event, legal);
}

function requireCardEvent(card: Card, event: SimulatedCardEvent): void {
  const legal = cardEvents(card);
  if (legal.includes(event)) return;
  const isMailed = event === 'ship' || event === 'deliver';
  if (card.shipment === null && isMailed) {
    throw refuse('illegal_step', { message: `a virtual card cannot ${event}`, legal });
  }
  throw illegalStep('card', (isMailed && trackingOf(card)) || card.status, event, legal);
}

function requireAccountEvent(account: Account, event: SimulatedAccountEvent): void {
  const legal = accountEvents(account);
  if (!legal.includes(event)) throw illegalStep('sub account', account.status, event, legal);
}
