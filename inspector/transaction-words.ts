/** The states and methods of transactions in the client's types. */
import type { Client } from '../src/kit/client/client.ts';

type Query = NonNullable<Parameters<Client['sandbox']['listTransactions']>[0]>['query'];
export type State = NonNullable<NonNullable<Query>['status']>;
export type Method = NonNullable<NonNullable<Query>['method']>;

/** Every state and method; the compiler reports a missing one. */
export const STATUSES: Readonly<Record<State, true>> = {
  originated: true,
  pending: true,
  in_review: true,
  clearing: true,
  cleared: true,
  received: true,
  settled: true,
  returned: true,
  declined: true,
  canceled: true,
  reversed: true,
  refunded: true,
};
export const METHODS: Readonly<Record<Method, true>> = {
  ach: true,
  domestic_wire: true,
  international_wire: true,
  rtp: true,
  fednow: true,
  check: true,
  card_issuing: true,
  debit_card: true,
  intra_account: true,
};
