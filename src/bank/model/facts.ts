/**
 * The catalogue of facts: the possible changes, and the event kinds of each version that publish them. A fact is
 * written once, with the record at that time. Its kinds are derived from tables, so webhooks of both versions use the
 * same fact, also later.
 * Source: the platform's 78 kinds of v2 and its catalogue of v1; decisions `event-kinds-told`, `creation-status-event`,
 * `waiting-card-event` and `taken-back-account-event` in docs/fidelity.md.
 */

import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { FactRecords } from './fact-records.ts';
import { railOf } from './rails/index.ts';
import type { CardHolder, Counterparty, Transaction } from './records.ts';
import {
  ACCOUNT_STATUSES,
  HOLDER_STATUSES,
  TRANSACTION_STATUSES,
  type TransactionMethod,
  type TransactionStatus,
  type VerificationStatus,
} from './vocabulary.ts';

export type { FactRecords };

export type Resource = keyof FactRecords;

export const RESOURCES = [
  'holder',
  'family',
  'member',
  'account',
  'wallet',
  'card_holder',
  'counterparty',
  'card',
  'transaction',
] as const satisfies readonly Resource[];

/**
 * `status` and `opened`/`moved` are a new state. `verified` is the outcome of a KYC or KYB. `replaced` is a card that
 * was replaced, `provisioned` a card that was added to a wallet, `delivered` and `recalled` a card that was sent as
 * money. `progressed` is a change without a new state: of a payment, or of the check of an identity document.
 */
export type Change =
  | 'created'
  | 'updated'
  | 'status'
  | 'verified'
  | 'replaced'
  | 'provisioned'
  | 'delivered'
  | 'recalled'
  | 'progressed';

/** One change, in the stored form. */
export interface Fact<R extends Resource = Resource> {
  seq: number;
  at: Instant;
  resource: R;
  resourceId: Id;
  change: Change;
  kindsV1: readonly string[];
  kindsV2: readonly string[];
  /** The change of the available balance, in cents; `null` if it is not a payment, or was not recorded. */
  moved: Cents | null;
  record: FactRecords[R];
}

/** The kinds of both versions for one fact. */
export interface Kinds {
  readonly v1: readonly string[];
  readonly v2: readonly string[];
}

/** v2 has no families, no wallets and no separate members: a member of a business is a part of its holder. */
const V2_NAMES = {
  holder: 'sub_account_holder',
  family: null,
  member: null,
  account: 'sub_account',
  wallet: null,
  card_holder: 'card_holder',
  counterparty: 'counterparty',
  card: 'card',
  transaction: 'transaction',
} as const satisfies Record<Resource, string | null>;

const PARTY_STATES = HOLDER_STATUSES;
/** v2 also uses the states of accounts for cards. */
const ACCOUNT_STATES = ACCOUNT_STATUSES;
/** The platform publishes no kind for `originated`: the fact of the creation is published as `created`. */
const TRANSACTION_STATES = TRANSACTION_STATUSES.filter((status) => status !== 'originated');

const kindsFor = (resource: string, states: readonly string[], created = true): string[] => [
  ...(created ? [`${resource}.created`] : []),
  `${resource}.updated`,
  ...states.map((state) => `${resource}.status.${state}`),
];

/** The 78 kinds that a v2 webhook can subscribe to, in the platform's order. */
export const V2_KINDS: readonly string[] = [
  ...kindsFor('client', PARTY_STATES, false),
  ...kindsFor('client_member', PARTY_STATES),
  ...kindsFor('master_account_holder', PARTY_STATES),
  ...kindsFor('sub_account_holder', PARTY_STATES),
  ...kindsFor('card_holder', PARTY_STATES),
  ...kindsFor('counterparty', PARTY_STATES),
  ...kindsFor('master_account', ACCOUNT_STATES),
  ...kindsFor('sub_account', ACCOUNT_STATES),
  ...kindsFor('card', ACCOUNT_STATES),
  ...kindsFor('transaction', TRANSACTION_STATES),
];

/** The 73 kinds of v1. */
export const V1_KINDS: readonly string[] = [
  'account.created',
  'account.credit',
  'account.debit',
  'account.updated',
  'ach.auth.request',
  'ach.originated.credit',
  'ach.originated.debit',
  'ach.originated.updated',
  'ach.received.credit',
  'ach.received.debit',
  'ach.received.declined',
  'ach.reversal.credit',
  'ach.reversal.debit',
  'business.created',
  'business.kyb.approved',
  'business.kyb.declined',
  'business.kyb.review',
  'business.updated',
  'card.auth.request',
  'card.canceled',
  'card.declined',
  'card.deposit',
  'card.enriched',
  'card.refund',
  'card.replaced',
  'card.reversal',
  'card.reward.canceled',
  'card.reward.credit',
  'card.reward.pending',
  'card.spend',
  'card.spend.update',
  'card.updated',
  'card.wallet.created',
  'card.wallet.updated',
  'check.originated.credit',
  'check.originated.debit',
  'check.reversal.credit',
  'check.reversal.debit',
  'contact.created',
  'contact.updated',
  'debitcard.chargeback',
  'family.created',
  'family.updated',
  'intrabank.originated.credit',
  'intrabank.originated.debit',
  'intrabank.received.credit',
  'intrabank.received.debit',
  'member.created',
  'member.updated',
  'person.created',
  'person.kyc.approved',
  'person.kyc.declined',
  'person.kyc.review',
  'person.kyc.updated',
  'person.updated',
  'solidcard.canceled',
  'solidcard.delivered',
  'solidcard.originated.debit',
  'solidcard.reversal.credit',
  'solidcard.topup',
  'transfer.created',
  'transfer.updated',
  'wallet.created',
  'wallet.credit',
  'wallet.debit',
  'wallet.transfer.created',
  'wallet.transfer.updated',
  'wallet.updated',
  'wire.originated.debit',
  'wire.originated.updated',
  'wire.received.credit',
  'wire.reversal.credit',
  'wire.reversal.debit',
];

const KNOWN_V2 = new Set(V2_KINDS);

function v2Kinds(resource: Resource, change: Change, status: string): string[] {
  const name = V2_NAMES[resource];
  if (name === null) return [];
  const state = `${name}.status.${status}`;
  const statusKinds = KNOWN_V2.has(state) ? [state] : [];
  if (change === 'created') return [`${name}.created`, ...statusKinds];
  // A replaced card is closed.
  if (change === 'status' || change === 'replaced') return statusKinds;
  // v2 has no kind for wallets, and the record of the card does not change.
  if (change === 'provisioned' || change === 'delivered' || change === 'recalled') return [];
  return [`${name}.updated`];
}

/** The method in v1's kinds of reversals and parts; v1 publishes no kinds for other methods. */
const V1_METHODS = {
  intra_account: null,
  ach: 'ach',
  domestic_wire: 'wire',
  international_wire: 'wire',
  check: 'check',
  fednow: null,
  rtp: null,
  debit_card: null,
  card_issuing: null,
} as const satisfies Record<TransactionMethod, string | null>;

/** The v1 kinds when a payment reaches a state: those of its rail, a decline, or none. */
const V1_ARRIVALS = {
  originated: 'nothing',
  pending: 'nothing',
  clearing: 'nothing',
  cleared: 'cleared',
  received: 'nothing',
  settled: 'settled',
  returned: 'refused',
  reversed: 'refused',
  refunded: 'nothing',
  declined: 'refused',
  canceled: 'refused',
  in_review: 'nothing',
} as const satisfies Record<TransactionStatus, 'cleared' | 'settled' | 'refused' | 'nothing'>;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case after the other, as in a table
function v1TransactionKinds(transaction: Transaction, change: Change, moved: Cents): string[] {
  const kinds: string[] = [];
  // v1 has no master account: money is published when it reaches an account.
  if (transaction.accountId === null) return kinds;
  const { kinds: railKinds, isTransfer = false, kindOfMethod } = railOf(transaction.rail).v1;
  const { status, type } = transaction;
  const arrival = V1_ARRIVALS[status];
  if (kindOfMethod !== undefined) {
    const method = V1_METHODS[transaction.method];
    if (change === 'created') {
      if (method !== null) kinds.push(`${method}.${kindOfMethod}.${transaction.direction}`);
      kinds.push(...(railKinds.created ?? []));
    }
  } else if (change === 'created') {
    // A declined card authorization is not a transaction of v1: only the decline is published. If a payment of v1 is
    // refused at once, the caller gets an error and nothing is created, so nothing is published.
    if (status === 'declined') kinds.push(...(railKinds.declined ?? []));
    else {
      if (isTransfer) kinds.push('transfer.created');
      kinds.push(...(railKinds.created ?? []));
      if (moved !== 0) kinds.push(...(railKinds.accepted ?? []));
      if (status === 'settled') kinds.push(...(railKinds.settled ?? []));
    }
  } else if (change === 'progressed') {
    if (type === 'auth') kinds.push('card.spend.update');
  } else if (change === 'updated') {
    if (isTransfer) kinds.push('transfer.updated');
  } else if (arrival === 'cleared') kinds.push(...(railKinds.cleared ?? []));
  else if (arrival === 'settled') {
    kinds.push(...(railKinds.settled ?? []));
    // A payment without a hold that is settled nevertheless was received.
    if (moved !== 0) kinds.push(...(railKinds.accepted ?? []));
  } else if (arrival === 'refused' && transaction.method !== 'card_issuing') {
    if (isTransfer) kinds.push('transfer.updated');
    // A payment that was on hold or settled was received; the transaction that returns it publishes the return.
    if (transaction.movedNothing) kinds.push(...(railKinds.declined ?? []));
  }
  if (moved > 0) kinds.push('account.credit');
  if (moved < 0) kinds.push('account.debit');
  return kinds;
}

/** The v1 words for the outcome of a verification; `null` if it is not decided. */
const V1_OUTCOMES = {
  not_started: null,
  submitted: null,
  pass: 'approved',
  fail: 'declined',
  review: 'review',
} as const satisfies Record<VerificationStatus, string | null>;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one case after the other, as in a table
function v1Kinds<R extends Resource>(resource: R, change: Change, record: FactRecords[R]): string[] {
  switch (resource) {
    case 'holder': {
      const { holder } = record as FactRecords['holder'];
      if (change === 'progressed') return holder.type === 'person' ? ['person.kyc.updated'] : [];
      if (change === 'verified') {
        const outcome = V1_OUTCOMES[holder.verification.status];
        if (outcome === null) return holder.type === 'person' ? ['person.kyc.updated'] : [];
        return holder.type === 'person'
          ? [`person.kyc.${outcome}`, 'person.kyc.updated']
          : [`business.kyb.${outcome}`];
      }
      return [`${holder.type}.${change === 'created' ? 'created' : 'updated'}`];
    }
    case 'family':
    case 'member':
    case 'wallet':
      return [`${resource}.${change === 'created' ? 'created' : 'updated'}`];
    case 'account':
      return [change === 'created' ? 'account.created' : 'account.updated'];
    case 'counterparty':
      return [change === 'created' ? 'contact.created' : 'contact.updated'];
    case 'card': {
      const { card } = record as FactRecords['card'];
      if (change === 'created') return [];
      if (change === 'replaced') return ['card.replaced'];
      if (change === 'provisioned') return ['card.wallet.created'];
      if (change === 'delivered') return ['solidcard.delivered'];
      if (change === 'recalled') return ['solidcard.canceled'];
      return [card.status === 'closed' && change === 'status' ? 'card.canceled' : 'card.updated'];
    }
    case 'card_holder':
    case 'transaction':
      return [];
  }
}

const memory = new Map<string, Kinds>();

function cached(key: string, make: () => Kinds): Kinds {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}

/** The kinds for a change of a payment; `moved` is the change of the available balance, in cents. */
export function transactionKinds(transaction: Transaction, change: Change, moved: Cents): Kinds {
  const { rail, status, type, method, movedNothing, accountId } = transaction;
  const ever = movedNothing ? 'nothing' : 'something';
  const way = accountId === null ? 'master' : Math.sign(moved);
  const key = `${rail}|${status}|${type}|${method}|${change}|${ever}|${way}`;
  return cached(key, () => ({
    v1: v1TransactionKinds(transaction, change, moved),
    v2: v2Kinds('transaction', change, status),
  }));
}

/** The kinds for a change of any other record. */
export function kindsOf<R extends Exclude<Resource, 'transaction'>>(
  resource: R,
  change: Change,
  record: FactRecords[R],
): Kinds {
  return { v1: v1Kinds(resource, change, record), v2: v2Kinds(resource, change, statusOf(resource, record)) };
}

/** The status of a record in v2's kinds; `''` for a record that v2 does not have. */
function statusOf<R extends Resource>(resource: R, record: FactRecords[R]): string {
  if (V2_NAMES[resource] === null) return '';
  if (resource === 'holder') return (record as FactRecords['holder']).holder.status;
  if (resource === 'account') return (record as FactRecords['account']).account.status;
  if (resource === 'card') {
    const { status } = (record as FactRecords['card']).card;
    // The platform's v2 shows a card that waits for its activation as `locked`.
    return status === 'pending_activation' ? 'locked' : status;
  }
  return (record as CardHolder | Counterparty).status;
}
