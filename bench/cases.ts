/**
 * The measured cases: three payments and a read, each one request to a seeded sandbox that always succeeds. The
 * amount is one cent, so that the seeded balances suffice for every run. Each case also defines the effects of one
 * answer, so that a run can be checked.
 */
import type { AnyOperation } from '../src/bank/api/operation.ts';
import { V1_OPERATIONS } from '../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../src/bank/api/v2/index.ts';
import type { Job } from './client.ts';

type Seeded = Readonly<Record<string, string>>;

export interface Case {
  readonly name: string;
  readonly title: string;
  readonly operation: AnyOperation;
  readonly headers: Readonly<Record<string, string>>;
  /** The header with a new key for each request; `""` for none. */
  readonly freshHeader: string;
  /** The path of the request; bare Fastify serves `operation.path`. */
  path(seeded: Seeded): string;
  /** The body; `""` for a request without one. */
  body(seeded: Seeded): string;
  /** The number of transactions that one answer adds. */
  readonly transactions: number;
  /** The cents that one answer adds to the sum of available balance and pending credits. */
  readonly cents: number;
  /** The number of planned steps that one answer adds. */
  readonly steps: number;
}

const ONE_CENT = '0.01';
const ALL: readonly AnyOperation[] = [...V2_OPERATIONS, ...V1_OPERATIONS];

function operationOf(id: string): AnyOperation {
  const found = ALL.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

const pull = (seeded: Seeded, counterparty: string): string =>
  JSON.stringify({
    sub_account_id: seeded.sub_account_id,
    counterparty_id: seeded[counterparty],
    amount: ONE_CENT,
    description: 'bench',
  });

const V2_HEADERS = { 'api-key': 'test_default' };

export const CASES: readonly Case[] = [
  {
    name: 'intra',
    title: 'intra-account pull',
    operation: operationOf('v2_originate_intra_account_pull'),
    headers: V2_HEADERS,
    freshHeader: '',
    path: () => '/v2/payments/intra_account/pull',
    body: (seeded) => pull(seeded, 'intra_counterparty_id'),
    // The payer's account also gets a row.
    transactions: 2,
    cents: 1,
    steps: 0,
  },
  {
    name: 'ach',
    title: 'ACH pull, fresh idempotency key',
    operation: operationOf('v2_originate_ach_pull'),
    headers: V2_HEADERS,
    freshHeader: 'idempotency-key',
    path: () => '/v2/payments/ach/pull',
    body: (seeded) => pull(seeded, 'ach_counterparty_id'),
    transactions: 1,
    cents: 1,
    steps: 1,
  },
  {
    name: 'card',
    title: 'card test (v1)',
    operation: operationOf('testCard'),
    headers: { 'sd-api-key': 'test_default' },
    freshHeader: '',
    path: (seeded) => `/v1/card/${seeded.card_id}/test`,
    body: () => JSON.stringify({ amount: ONE_CENT }),
    transactions: 1,
    cents: -1,
    steps: 1,
  },
  {
    name: 'read',
    title: 'read of a sub account',
    operation: operationOf('v2_retrieve_sub_account'),
    headers: V2_HEADERS,
    freshHeader: '',
    path: (seeded) => `/v2/accounts/sub_account/${seeded.sub_account_id}`,
    body: () => '',
    transactions: 0,
    cents: 0,
    steps: 0,
  },
];

/** Whether a case moves money. */
export function isPayment(measured: Case): boolean {
  return measured.transactions > 0;
}

/** The case of this name. */
export function caseOf(name: string): Case {
  const found = CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no case "${name}"`);
  return found;
}

/** The constant parts of every job of a case. */
export function requestOf(
  measured: Case,
  seeded: Seeded,
): Pick<Job, 'method' | 'path' | 'headers' | 'freshHeader' | 'body' | 'status'> {
  const { operation, headers, freshHeader } = measured;
  const { method, status } = operation;
  return {
    method,
    path: measured.path(seeded),
    headers,
    freshHeader,
    body: measured.body(seeded),
    status,
  };
}

/** A real response, which bare Fastify (`floor.ts`) sends to every request. */
export async function sampleOf(measured: Case, url: string, seeded: Seeded): Promise<unknown> {
  const { method, status } = measured.operation;
  const body = measured.body(seeded);
  const response = await fetch(url + measured.path(seeded), {
    method,
    headers: { ...measured.headers, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(body !== '' && { body }),
  });
  if (response.status !== status) throw new Error(`${measured.title}: ${await response.text()}`);
  return response.json();
}
