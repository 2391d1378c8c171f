/**
 * The 78 kinds of event of v2, each with the record that it carries: `<noun>.created`, `<noun>.updated` and
 * `<noun>.status.<new status>`.
 * Source: "list all webhook events" of the platform's v2 reference.
 */
import type { Table } from '../rows.ts';
import { MASTER_ACCOUNT, SUB_ACCOUNT } from './accounts.ts';
import { CARD } from './card.ts';
import { COUNTERPARTY } from './counterparty.ts';
import { CARD_HOLDER, SUB_ACCOUNT_HOLDER } from './holders.ts';
import { TRANSACTION } from './transaction.ts';

const MADE = ['created', 'updated'];
const HOLDER = ['pending_activation', 'activated', 'suspended', 'deactivated', 'locked'];
const ACCOUNT = ['open', 'closed', 'credit_blocked', 'debit_blocked', 'blocked', 'locked'];
const PAYMENT = [
  'pending',
  'clearing',
  'cleared',
  'settled',
  'canceled',
  'in_review',
  'returned',
  'reversed',
  'received',
  'declined',
  'refunded',
];

/** `null` for kinds without an event: the record of that noun is published nowhere. */
const NOUNS: readonly (readonly [noun: string, record: Table | null, made: string[], statuses: string[]])[] =
  [
    ['client', null, ['updated'], HOLDER],
    ['client_member', null, MADE, HOLDER],
    ['master_account_holder', null, MADE, HOLDER],
    ['sub_account_holder', SUB_ACCOUNT_HOLDER, MADE, HOLDER],
    ['card_holder', CARD_HOLDER, MADE, HOLDER],
    ['counterparty', COUNTERPARTY, MADE, HOLDER],
    ['master_account', MASTER_ACCOUNT, MADE, ACCOUNT],
    ['sub_account', SUB_ACCOUNT, MADE, ACCOUNT],
    ['card', CARD, MADE, ACCOUNT],
    ['transaction', TRANSACTION, MADE, PAYMENT],
  ];

export const KINDS_V2: ReadonlyMap<string, Table | null> = new Map(
  NOUNS.flatMap(([noun, record, made, statuses]) =>
    [...made, ...statuses.map((status) => `status.${status}`)].map(
      (name) => [`${noun}.${name}`, record] as const,
    ),
  ),
);
