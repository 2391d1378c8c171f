/**
 * What a tester makes happen: any event of a payment's rail, the life of an authorization, and what only the platform
 * does to holders, accounts and cards. It goes through the same verbs as everything else, takes precedence over whatever
 * was planned because it happens now, and is noted.
 */
import { illegalStep } from '../kernel/machine.ts';
import type { Cents } from '../kernel/money.ts';
import { formatMoney } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { DAY_MS, utcDate } from '../kernel/time.ts';
import type { Decision } from '../model/decisions.ts';
import { type RailEvent, type RailName, railEvents, railOf } from '../model/rails.ts';
import type { Account, Card, Holder, Reason, Transaction } from '../model/records.ts';
import { reasonOfReturn } from '../model/return-codes.ts';
import type { TransactionStatus } from '../model/vocabulary.ts';
import type { Accounts } from './accounts.ts';
import type { Captured, CardPayments } from './card-payments.ts';
import type { AuthorizationEvent } from './card-purchases.ts';
import type { Cards, Tracking } from './cards.ts';
import type { Holders } from './holders.ts';
import type { AccountFile, CardFile, HolderFile } from './inputs.ts';
import type { Movements } from './movements.ts';
import { note } from './notes.ts';
import type { Parts } from './parts.ts';

/** Every event of every rail. */
export const TRANSACTION_EVENTS = [
  'submit',
  'send',
  'clear',
  'settle',
  'return',
  'reverse',
  'cancel',
  'review',
  'approve',
  'decline',
  'expire',
  'refund',
] as const satisfies readonly RailEvent[];
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
type SimulatedHolderEvent = (typeof HOLDER_EVENTS)[number];
export const CARD_EVENTS = ['lock', 'unlock', 'ship', 'deliver'] as const;
type SimulatedCardEvent = (typeof CARD_EVENTS)[number];
export const ACCOUNT_EVENTS = ['lock', 'unlock'] as const;
type SimulatedAccountEvent = (typeof ACCOUNT_EVENTS)[number];

/** What a simulated event of an authorization may say. */
export interface AuthorizationWish {
  /** Of an increment the addition; otherwise all that there is when not given. */
  amount?: Cents;
  /** Of a capture: the last one. */
  final?: boolean;
}

export interface Simulation {
  /**
   * Makes an event happen to a payment. `clear` and `settle` that come early walk through the steps between, all at this
   * instant. Refuses: `transaction_not_found`, `illegal_step` with the legal events.
   */
  transaction(
    id: Id,
    event: RailEvent,
    reason?: Reason,
  ): { transaction: Transaction; steps: readonly RailEvent[] };
  /** Makes an event happen to an authorization. Refuses: `illegal_step` with the legal events, `parent_wrong`. */
  authorization(id: Id, event: AuthorizationEvent, wish: AuthorizationWish): Captured;
  /** Ends a holder's check or that of its identity document, locks or unlocks it. Refuses: `holder_not_found`, `illegal_step`. */
  holder(id: Id, event: SimulatedHolderEvent): HolderFile;
  /** Locks, unlocks, ships or delivers a card. Refuses: `card_not_found`, `illegal_step`. */
  card(id: Id, event: SimulatedCardEvent, tracking: Tracking): CardFile;
  /** Locks or unlocks an account. Refuses: `account_not_found`, `illegal_step`. */
  account(id: Id, event: SimulatedAccountEvent): AccountFile;
  /** What may be asked of each in its present state. */
  readonly legal: {
    holder(holder: Holder): SimulatedHolderEvent[];
    card(card: Card): SimulatedCardEvent[];
    account(account: Account): SimulatedAccountEvent[];
  };
}

/** What a payment goes through on its way to its end. */
const FORWARD: readonly RailEvent[] = ['approve', 'submit', 'send', 'clear', 'settle'];
const DELIVERY_DAYS = 5;
const TRACKING_DIGITS = 20;
const PROVIDER = 'usps';

/** The verbs of simulation. */
export function createSimulation(
  parts: Parts,
  nouns: { holders: Holders; accounts: Accounts; cards: Cards },
  movements: Movements,
  cardPayments: CardPayments,
): Simulation {
  const { sequence, clock } = parts;
  const { holders, accounts, cards } = nouns;

  const noteCall = (
    subjectId: Id,
    name: string,
    [before, after]: readonly [string, string],
    numbers: Decision['numbers'] = {},
  ): void =>
    note(parts, {
      subjectId,
      source: 'simulate',
      name,
      effect: before === after ? after : `${before} -> ${after}`,
      message: `${name} was asked for`,
      numbers,
    });

  /** The events of a card's rows are more than steps: its usage and the purchase itself go with them. */
  const happen = (present: Transaction, event: RailEvent, reason: Reason | null): Transaction => {
    const { id, cardId, rail } = present;
    const isCard = rail === 'card_authorization' || rail === 'card_refund';
    if (!isCard || !railEvents(rail, present.status).includes(event)) {
      return movements.happen(present, event, reason);
    }
    if (rail === 'card_refund') {
      return event === 'settle'
        ? cardPayments.settleRefund({ cardId, refundId: id })
        : cardPayments.revokeRefund(id);
    }
    if (event === 'settle') return cardPayments.capture({ authorizationId: id }).authorization;
    if (event === 'expire') return cardPayments.expire(present);
    if (event === 'reverse') cardPayments.reverse({ cardId, parentId: id });
    else refundRest(present);
    return movements.byId(id);
  };

  const refundRest = ({ id, cardId }: Transaction, wanted?: Cents): Transaction => {
    const { refundable } = cardPayments.require(id, 'refund');
    return cardPayments.refund({ cardId, parentId: id, amount: wanted ?? refundable, captured: true });
  };

  const onAuthorization = (
    present: Transaction,
    event: AuthorizationEvent,
    { amount, final }: AuthorizationWish,
  ): Captured => {
    const { id, cardId } = present;
    const beside = (transaction: Transaction): Captured => ({
      authorization: movements.byId(id),
      transaction,
    });
    switch (event) {
      case 'increment':
        if (amount === undefined) throw refuse('amount_invalid', { field: 'amount' });
        return beside(cardPayments.update({ cardId, parentId: id, total: present.amount + amount }));
      case 'capture':
        return cardPayments.capture({
          authorizationId: id,
          ...(amount !== undefined && { amount }),
          ...(final !== undefined && { final }),
        });
      case 'reverse':
        return beside(
          cardPayments.reverse({ cardId, parentId: id, ...(amount !== undefined && { amount }) }),
        );
      case 'expire':
        return beside(cardPayments.expire(present));
      case 'refund':
        return beside(refundRest(present, amount));
    }
  };

  return {
    transaction(id, event, reason) {
      const present = movements.byId(id);
      const { rail, status } = present;
      const steps = walk(rail, status, event);
      const why = reason ?? (event === 'return' ? usualReturn(present) : null);
      let transaction = present;
      for (const step of steps) transaction = happen(transaction, step, step === event ? why : null);
      noteCall(id, event, [status, transaction.status], {
        ...(steps.length > 1 && { steps: steps.join(', ') }),
        ...(why !== null && { reason: why.code }),
      });
      return { transaction, steps };
    },

    authorization(id, event, wish) {
      const { authorization: present } = cardPayments.require(id, event);
      const captured = onAuthorization(present, event, wish);
      const { authorization, transaction } = captured;
      const numbers = {
        held_before: formatMoney(present.amount),
        ...(wish.amount !== undefined && { amount: formatMoney(wish.amount) }),
        ...(wish.final !== undefined && { final: String(wish.final) }),
      };
      noteCall(id, event, [present.status, authorization.status], numbers);
      // A row of its own is explained by the call that made it, unless it says itself why it was declined.
      if (transaction.id !== id && transaction.status !== 'declined') {
        noteCall(transaction.id, event, [transaction.status, transaction.status], numbers);
      }
      return captured;
    },

    holder(id, event) {
      const { holder } = holders.byId(id);
      const legal = holderEvents(holder);
      if (!legal.includes(event)) throw illegalStep('holder', holder.status, event, legal);
      const file = happenToHolder(id, event);
      noteCall(id, event, [holder.status, file.holder.status], {
        verification: file.holder.verification.status,
        ...(event in IDV_OUTCOMES && file.holder.idv !== null && { idv: file.holder.idv.status }),
      });
      return file;
    },

    card(id, event, tracking) {
      const { card } = cards.byId(id);
      const legal = cardEvents(card);
      if (!legal.includes(event)) {
        if (card.shipment === null && (event === 'ship' || event === 'deliver')) {
          throw refuse('illegal_step', { message: `a virtual card cannot ${event}`, legal });
        }
        const state = event === 'ship' || event === 'deliver' ? trackingOf(card) : card.status;
        throw illegalStep('card', state || card.status, event, legal);
      }
      const file = event === 'ship' || event === 'deliver' ? move(card, event, tracking) : cards[event](id);
      const moved = event === 'ship' || event === 'deliver';
      noteCall(
        id,
        event,
        moved ? [trackingOf(card), trackingOf(file.card)] : [card.status, file.card.status],
      );
      return file;
    },

    account(id, event) {
      const { account } = accounts.byId(id);
      const legal = accountEvents(account);
      if (!legal.includes(event)) throw illegalStep('sub account', account.status, event, legal);
      const file = accounts[event](id);
      noteCall(id, event, [account.status, file.account.status]);
      return file;
    },

    legal: { holder: holderEvents, card: cardEvents, account: accountEvents },
  };

  function happenToHolder(id: Id, event: SimulatedHolderEvent): HolderFile {
    switch (event) {
      case 'lock':
      case 'unlock':
        return holders[event](id);
      case 'idv_pass':
      case 'idv_review':
      case 'idv_fail':
        return holders.decideIdv(id, IDV_OUTCOMES[event]);
      default:
        return holders.decide(id, event);
    }
  }

  /** Sends a card on its way; a delivery that comes early was on its way before. */
  function move(card: Card, event: 'ship' | 'deliver', tracking: Tracking): CardFile {
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

/** The steps that end with `event`: for what may come early the shortest way there, otherwise it alone. */
export function walk(rail: RailName, from: TransactionStatus, event: RailEvent): readonly RailEvent[] {
  if (event !== 'settle' && event !== 'clear') return [event];
  const { steps } = railOf(rail);
  const ways: { status: TransactionStatus; taken: RailEvent[] }[] = [{ status: from, taken: [] }];
  const seen = new Set<TransactionStatus>();
  for (const { status, taken } of ways) {
    const row = steps[status];
    if (row?.[event] !== undefined) return [...taken, event];
    seen.add(status);
    for (const forward of FORWARD) {
      const next = row?.[forward]?.to;
      if (next !== undefined && !seen.has(next)) ways.push({ status: next, taken: [...taken, forward] });
    }
  }
  return [event];
}

/** What an ACH is usually sent back for: a debit for lack of money, a credit because nobody has the account. */
function usualReturn({ method, type }: Transaction): Reason | null {
  if (method !== 'ach') return null;
  return reasonOfReturn(type === 'pull' ? 'R01' : 'R03');
}
