/**
 * The state machines of records with a status, as tables. The state machines of payments are the rails. Only the
 * platform locks and unlocks; here the control plane does. An unlock restores the previous state, so the table has
 * one unlock event for each such state.
 * Source: decisions `holder-status-changes`, `card-status-changes`, `deleted-things` and `delivery-retries` in
 * docs/fidelity.md.
 */
import type { Machine } from '../kernel/machine.ts';
import type {
  AccountStatus,
  CardStatus,
  CounterpartyStatus,
  HolderStatus,
  WebhookStatus,
} from './vocabulary.ts';

export type HolderEvent =
  | 'activate'
  | 'suspend'
  | 'deactivate'
  | 'lock'
  | 'unlock_pending'
  | 'unlock_activated'
  | 'unlock_suspended';

const PARTY_STATES: Machine<HolderStatus, HolderEvent>['states'] = {
  pending_activation: { activate: 'activated', deactivate: 'deactivated', lock: 'locked' },
  activated: { suspend: 'suspended', deactivate: 'deactivated', lock: 'locked' },
  suspended: { activate: 'activated', deactivate: 'deactivated', lock: 'locked' },
  locked: {
    unlock_pending: 'pending_activation',
    unlock_activated: 'activated',
    unlock_suspended: 'suspended',
    deactivate: 'deactivated',
  },
  deactivated: {},
};

export const HOLDER: Machine<HolderStatus, HolderEvent> = {
  name: 'holder',
  first: ['pending_activation', 'activated'],
  states: PARTY_STATES,
};

export const CARD_HOLDER: Machine<HolderStatus, HolderEvent> = {
  name: 'card holder',
  first: ['pending_activation', 'activated'],
  states: PARTY_STATES,
};

export const COUNTERPARTY: Machine<CounterpartyStatus, HolderEvent> = {
  name: 'counterparty',
  first: ['pending_activation', 'activated'],
  states: PARTY_STATES,
};

export type AccountEvent =
  | 'open'
  | 'block'
  | 'block_credits'
  | 'block_debits'
  | 'close'
  | 'lock'
  | 'unlock_open'
  | 'unlock_blocked'
  | 'unlock_credit_blocked'
  | 'unlock_debit_blocked';

export const ACCOUNT: Machine<AccountStatus, AccountEvent> = {
  name: 'sub account',
  first: ['open'],
  states: {
    open: {
      block: 'blocked',
      block_credits: 'credit_blocked',
      block_debits: 'debit_blocked',
      close: 'closed',
      lock: 'locked',
    },
    credit_blocked: {
      open: 'open',
      block: 'blocked',
      block_debits: 'debit_blocked',
      close: 'closed',
      lock: 'locked',
    },
    debit_blocked: {
      open: 'open',
      block: 'blocked',
      block_credits: 'credit_blocked',
      close: 'closed',
      lock: 'locked',
    },
    blocked: {
      open: 'open',
      block_credits: 'credit_blocked',
      block_debits: 'debit_blocked',
      close: 'closed',
      lock: 'locked',
    },
    locked: {
      unlock_open: 'open',
      unlock_blocked: 'blocked',
      unlock_credit_blocked: 'credit_blocked',
      unlock_debit_blocked: 'debit_blocked',
    },
    closed: {},
  },
};

export type CardEvent =
  | 'activate'
  | 'open'
  | 'block'
  | 'close'
  | 'lock'
  | 'unlock_pending'
  | 'unlock_open'
  | 'unlock_blocked';

export const CARD: Machine<CardStatus, CardEvent> = {
  name: 'card',
  first: ['pending_activation', 'open'],
  states: {
    pending_activation: { activate: 'open', close: 'closed', lock: 'locked' },
    open: { block: 'blocked', close: 'closed', lock: 'locked' },
    blocked: { open: 'open', close: 'closed', lock: 'locked' },
    locked: { unlock_pending: 'pending_activation', unlock_open: 'open', unlock_blocked: 'blocked' },
    closed: {},
  },
};

export type WebhookEvent = 'resume' | 'pause' | 'deactivate' | 'delete';

export const WEBHOOK: Machine<WebhookStatus, WebhookEvent> = {
  name: 'webhook',
  first: ['active', 'paused'],
  states: {
    active: { pause: 'paused', deactivate: 'deactivated', delete: 'deleted' },
    paused: { resume: 'active', deactivate: 'deactivated', delete: 'deleted' },
    deactivated: { resume: 'active', pause: 'paused', delete: 'deleted' },
    deleted: {},
  },
};

/** All state machines, for the tests and for docs/rails.md. */
export const MACHINES: readonly Machine[] = [HOLDER, CARD_HOLDER, COUNTERPARTY, ACCOUNT, CARD, WEBHOOK];

/** The event that leads to the status that a client requests. */
export const HOLDER_EVENT_FOR = {
  activated: 'activate',
  suspended: 'suspend',
  deactivated: 'deactivate',
} as const satisfies Partial<Record<HolderStatus, HolderEvent>>;

export const ACCOUNT_EVENT_FOR = {
  open: 'open',
  blocked: 'block',
  credit_blocked: 'block_credits',
  debit_blocked: 'block_debits',
  closed: 'close',
} as const satisfies Partial<Record<AccountStatus, AccountEvent>>;

export const CARD_EVENT_FOR = {
  open: 'open',
  blocked: 'block',
  closed: 'close',
} as const satisfies Partial<Record<CardStatus, CardEvent>>;

export const WEBHOOK_EVENT_FOR = {
  active: 'resume',
  paused: 'pause',
  deactivated: 'deactivate',
} as const satisfies Partial<Record<WebhookStatus, WebhookEvent>>;

/** The event that leads from `locked` to the previous state. A record in a final state is never locked. */
export const HOLDER_UNLOCK_FOR = {
  pending_activation: 'unlock_pending',
  activated: 'unlock_activated',
  suspended: 'unlock_suspended',
  locked: 'unlock_activated',
  deactivated: 'unlock_activated',
} as const satisfies Record<HolderStatus, HolderEvent>;

export const ACCOUNT_UNLOCK_FOR = {
  open: 'unlock_open',
  blocked: 'unlock_blocked',
  credit_blocked: 'unlock_credit_blocked',
  debit_blocked: 'unlock_debit_blocked',
  locked: 'unlock_open',
  closed: 'unlock_open',
} as const satisfies Record<AccountStatus, AccountEvent>;

export const CARD_UNLOCK_FOR = {
  pending_activation: 'unlock_pending',
  open: 'unlock_open',
  blocked: 'unlock_blocked',
  locked: 'unlock_open',
  closed: 'unlock_open',
} as const satisfies Record<CardStatus, CardEvent>;
