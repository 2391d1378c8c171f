/**
 * The kinds of event that no operation causes, with the reasons.
 * Source: decisions `v1-uncaused-kinds` and `v2-uncaused-kinds` in docs/fidelity.md.
 */
import type { ApiVersion } from './events.ts';

/** Reasons, each with the kinds of a noun. */
type Rows = readonly (readonly [reason: string, noun: string, changes: string])[];

const STATUSES =
  'status.pending_activation status.activated status.suspended status.deactivated status.locked';
const NO_CLIENT =
  'the client and its members are managed on the dashboard of the platform, and no operation changes them';
const NO_MASTER = 'the one master account exists from the start and can only be read';
const MADE_ACTIVE = 'it is activated when it is created, and cannot return to this status';
const NEVER_LOCKED =
  'neither a client nor the control plane locks one: locks are for holders, accounts and cards';
const A_QUESTION =
  'it is a request for a decision: it is sent to the URL of PUT /_sandbox/rta, as on the platform to the URL of the dashboard, and not to webhooks';

const V2: Rows = [
  [NO_CLIENT, 'client', `updated ${STATUSES}`],
  [NO_CLIENT, 'client_member', `created updated ${STATUSES}`],
  [
    'the platform has no operation on master account holders',
    'master_account_holder',
    `created updated ${STATUSES}`,
  ],
  [
    NO_MASTER,
    'master_account',
    'created updated status.open status.closed status.credit_blocked status.debit_blocked status.blocked status.locked',
  ],
  [MADE_ACTIVE, 'card_holder', 'status.pending_activation'],
  [NEVER_LOCKED, 'card_holder', 'status.locked'],
  [MADE_ACTIVE, 'counterparty', 'status.pending_activation'],
  [NEVER_LOCKED, 'counterparty', 'status.locked'],
  [
    'a card has no such status, because it is blocked as a whole',
    'card',
    'status.credit_blocked status.debit_blocked',
  ],
];

const V1: Rows = [
  [A_QUESTION, 'ach', 'auth.request'],
  [A_QUESTION, 'card', 'auth.request'],
  ['cash deposits at ATMs are not imitated', 'card', 'deposit'],
  ['merchants are not looked up after a purchase', 'card', 'enriched'],
  ['rewards are not imitated', 'card', 'reward.canceled reward.credit reward.pending'],
  ['no operation changes a card in a wallet', 'card', 'wallet.updated'],
  ['a card that was sent cannot be topped up', 'solidcard', 'topup'],
  [
    'a wallet is only a record: no chain is behind it, and no operation changes it',
    'wallet',
    'credit debit transfer.created transfer.updated updated',
  ],
];

const reasonsIn = (rows: Rows): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rows.flatMap(([reason, noun, changes]) =>
      changes.split(' ').map((change) => [`${noun}.${change}`, reason]),
    ),
  );

/** The reasons by kind. */
export const UNCAUSED: Readonly<Record<ApiVersion, Readonly<Record<string, string>>>> = {
  v2: reasonsIn(V2),
  v1: reasonsIn(V1),
};
