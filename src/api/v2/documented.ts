/**
 * The operations that the platform documents for v2 and this bank does not have, in the order of its reference. They are
 * answered with 501, so that a caller can tell them from a path that nobody knows. An operation that is built moves from
 * here to `operations.ts`.
 * Source: the index of the platform's v2 reference; row 19 of docs/fidelity.md.
 */
import type { AnyOperation } from '../operation.ts';

export const V2_DOCUMENTED: readonly Pick<AnyOperation, 'method' | 'path' | 'summary'>[] = [];
