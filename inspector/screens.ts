/** The screens in the order of the side, each a file of `screens/`. */
import type { ComponentType } from 'preact';
import Accounts from './screens/accounts.tsx';
import Activity from './screens/activity.tsx';
import Books from './screens/books.tsx';
import Cards from './screens/cards.tsx';
import Counterparties from './screens/counterparties.tsx';
import Coverage from './screens/coverage.tsx';
import Events from './screens/events.tsx';
import People from './screens/people.tsx';
import Requests from './screens/requests.tsx';
import Sandboxes from './screens/sandboxes.tsx';
import Send from './screens/send.tsx';
import Transactions from './screens/transactions.tsx';
import Webhooks from './screens/webhooks.tsx';
import WhatIf from './screens/what-if.tsx';
import { trace } from './trace.ts';

export interface Screen {
  readonly path: string;
  readonly title: string;
  /** The description of its contents, for the palette. */
  readonly says: string;
  readonly show: ComponentType<{ id?: string }>;
  /** Whether it needs a server, so that a trace does not have it. */
  readonly isLive?: true;
}

const ALL: readonly Screen[] = [
  {
    path: '/',
    title: 'Activity',
    says: 'Requests, payments and deliveries as they happen',
    show: Activity,
  },
  {
    path: '/accounts',
    title: 'Accounts',
    says: 'Balances, entries, incoming money',
    show: Accounts,
  },
  {
    path: '/transactions',
    title: 'Transactions',
    says: 'Payments, their states and postings',
    show: Transactions,
  },
  {
    path: '/cards',
    title: 'Cards',
    says: 'Controls, limits, purchases',
    show: Cards,
  },
  {
    path: '/people',
    title: 'People',
    says: 'Holders and their verification',
    show: People,
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    says: 'Deliveries and the responses of receivers',
    show: Webhooks,
  },
  {
    path: '/requests',
    title: 'Requests',
    says: 'Requests of programs and their responses',
    show: Requests,
  },
  {
    path: '/what-if',
    title: 'Simulate',
    says: 'Faults, payment outcomes, settings, real-time authorization',
    show: WhatIf,
  },
  {
    path: '/send',
    isLive: true,
    title: 'Send',
    says: 'Send any request: create holders, accounts, cards, payments, webhooks',
    show: Send,
  },
  {
    path: '/books',
    title: 'Books',
    says: 'The audit and the trial balance',
    show: Books,
  },
  {
    path: '/sandboxes',
    isLive: true,
    title: 'Sandboxes',
    says: 'All sandboxes, and snapshots',
    show: Sandboxes,
  },
  {
    path: '/coverage',
    title: 'Coverage',
    says: 'Exercised operations, states and events; assumptions of the bank',
    show: Coverage,
  },
];

export const SCREENS = ALL.filter(({ isLive }) => trace === null || isLive !== true);

/** The screens that are not in the sidebar; links and the palette open them. */
export const OTHER_SCREENS: readonly Screen[] = [
  {
    path: '/events',
    title: 'Events',
    says: 'Events that webhooks receive',
    show: Events,
  },
  {
    path: '/counterparties',
    title: 'Counterparties',
    says: 'Senders and receivers of payments',
    show: Counterparties,
  },
];
