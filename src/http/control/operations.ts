/**
 * The operations of the control plane, in the order in which its document lists them.
 */
import type { AnyControlOperation } from './operation.ts';
import { retrieveSummary } from './routes/retrieve-summary.ts';

export const CONTROL_OPERATIONS: readonly AnyControlOperation[] = [retrieveSummary];
