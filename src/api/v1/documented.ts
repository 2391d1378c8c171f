/**
 * The operations that the platform documents for v1 and this server does not emulate. Such a call is answered 501 in
 * v1's error body, so that a client can tell "not emulated" from "does not exist". An operation that is served leaves
 * this list; a test checks that none is in both.
 * Source: the navigation and pages of the platform's v1 reference, and the paths that its public clients call; decision
 * `unserved-operations` in docs/fidelity.md.
 */
import type { AnyOperation } from '../operation.ts';

/** An operation that is known by name only. */
export type DocumentedOperation = Pick<AnyOperation, 'method' | 'path' | 'summary'>;

type Row = readonly [method: AnyOperation['method'], path: string, summary: string];

const ROWS: readonly Row[] = [
  ['POST', '/v1/account/:accountId/processor-token', 'Create a processor token of Plaid'],

  // Crypto: the platform documents the kinds of events and the wallet's id; the paths follow its other nouns.
  ['POST', '/v1/wallet', 'Create a crypto wallet'],
  ['GET', '/v1/wallet', 'List crypto wallets'],
  ['GET', '/v1/wallet/:walletId', 'Retrieve a crypto wallet'],
];

export const DOCUMENTED: readonly DocumentedOperation[] = ROWS.map(([method, path, summary]) => ({
  method,
  path,
  summary,
}));
