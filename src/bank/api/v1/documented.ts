/**
 * The operations that the platform documents for v1 and this server does not emulate. Such a call is answered with
 * 501 in v1's error body, so that a client can distinguish "not emulated" from "does not exist". A test checks that
 * no served operation is in this list.
 * Source: the navigation and pages of the platform's v1 reference, and the paths that its public clients call; decision
 * `unserved-operations` in docs/fidelity.md.
 */
import type { AnyOperation } from '../operation.ts';

/** An operation without an implementation. */
export type DocumentedOperation = Pick<AnyOperation, 'method' | 'path' | 'summary'>;

type Row = readonly [method: AnyOperation['method'], path: string, summary: string];

const ROWS: readonly Row[] = [
  // Crypto: the platform documents the kinds of events and the wallet's id; the paths follow those of other nouns.
  ['POST', '/v1/wallet', 'Create a crypto wallet'],
  ['GET', '/v1/wallet', 'List crypto wallets'],
  ['GET', '/v1/wallet/:walletId', 'Retrieve a crypto wallet'],
];

export const DOCUMENTED: readonly DocumentedOperation[] = ROWS.map(([method, path, summary]) => ({
  method,
  path,
  summary,
}));
