/** The screens in the order of the side, each a file of `screens/` that is loaded when it is first opened. */
import type { ComponentType } from 'preact';

export interface Screen {
  readonly path: string;
  readonly title: string;
  /** What is on it, for the palette. */
  readonly says: string;
  load(): Promise<{ default: ComponentType<{ id?: string }> }>;
}

export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    title: 'Activity',
    says: 'Requests, payments and deliveries as they happen',
    load: () => import('./screens/activity.tsx'),
  },
  {
    path: '/accounts',
    title: 'Accounts',
    says: 'Balances, entries, incoming money',
    load: () => import('./screens/accounts.tsx'),
  },
  {
    path: '/transactions',
    title: 'Transactions',
    says: 'Payments, their states and books',
    load: () => import('./screens/transactions.tsx'),
  },
  {
    path: '/cards',
    title: 'Cards',
    says: 'Controls, limits, purchases',
    load: () => import('./screens/cards.tsx'),
  },
  {
    path: '/people',
    title: 'People',
    says: 'Holders and their verification',
    load: () => import('./screens/people.tsx'),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    says: 'Deliveries and the responses of receivers',
    load: () => import('./screens/webhooks.tsx'),
  },
  {
    path: '/requests',
    title: 'Requests',
    says: 'Requests of programs and their responses',
    load: () => import('./screens/requests.tsx'),
  },
  {
    path: '/what-if',
    title: 'Simulate',
    says: 'Faults, payment outcomes, settings, real-time authorization',
    load: () => import('./screens/what-if.tsx'),
  },
  {
    path: '/send',
    title: 'Send',
    says: 'Send any request: create holders, accounts, cards, payments, webhooks',
    load: () => import('./screens/send.tsx'),
  },
  {
    path: '/books',
    title: 'Books',
    says: 'The audit and the trial balance',
    load: () => import('./screens/books.tsx'),
  },
  {
    path: '/sandboxes',
    title: 'Sandboxes',
    says: 'All sandboxes, and snapshots',
    load: () => import('./screens/sandboxes.tsx'),
  },
  {
    path: '/coverage',
    title: 'Coverage',
    says: 'What was exercised, and what the bank assumes',
    load: () => import('./screens/coverage.tsx'),
  },
];

/** Without a place at the side: links and the palette lead there. */
export const OTHER_SCREENS: readonly Screen[] = [
  {
    path: '/events',
    title: 'Events',
    says: 'What webhooks are sent',
    load: () => import('./screens/events.tsx'),
  },
  {
    path: '/counterparties',
    title: 'Counterparties',
    says: 'Whom payments go to and come from',
    load: () => import('./screens/counterparties.tsx'),
  },
];
