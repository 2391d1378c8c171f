/**
 * The index of the control plane: its resources in the order of its OpenAPI document, each with its operations.
 */
import { ACTIVITY_OPERATIONS } from './activity.ts';
import { CHAOS_OPERATIONS } from './chaos.ts';
import { CLOCK_OPERATIONS } from './clock.ts';
import { COMPARE_OPERATIONS } from './compare.ts';
import { COVERAGE_OPERATIONS } from './coverage.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { EXPLAIN_OPERATIONS } from './explain.ts';
import { FAULT_OPERATIONS } from './faults.ts';
import { LEDGER_OPERATIONS } from './ledger.ts';
import type { AnyControlOperation } from './operation.ts';
import { PERSON_OPERATIONS } from './persons.ts';
import { RAIL_OPERATIONS } from './rails.ts';
import { REAL_TIME_OPERATIONS } from './real-time.ts';
import { RECEIVER_OPERATIONS } from './receiver.ts';
import { REQUEST_OPERATIONS } from './requests.ts';
import { RULE_OPERATIONS } from './rules.ts';
import { SANDBOX_OPERATIONS } from './sandboxes.ts';
import { SEARCH_OPERATIONS } from './search.ts';
import { SETTING_OPERATIONS } from './settings.ts';
import { SIMULATION_PURCHASE_OPERATIONS } from './simulations/purchases.ts';
import { SIMULATION_STATUS_OPERATIONS } from './simulations/status-changes.ts';
import { SIMULATION_TRANSACTION_OPERATIONS } from './simulations/transactions.ts';
import { SNAPSHOT_OPERATIONS } from './snapshots.ts';
import { STATE_OPERATIONS } from './state.ts';
import { STREAM_OPERATIONS } from './stream.ts';
import { SUMMARY_OPERATIONS } from './summary.ts';
import { TIMER_OPERATIONS } from './timers.ts';
import { TRACE_OPERATIONS } from './trace.ts';
import { TRANSACTION_OPERATIONS } from './transactions.ts';
import { WEBHOOK_ATTEMPT_OPERATIONS } from './webhook-attempts.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

const LIST = [
  ...SUMMARY_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...STATE_OPERATIONS,
  ...SNAPSHOT_OPERATIONS,
  ...COMPARE_OPERATIONS,
  ...CLOCK_OPERATIONS,
  ...TIMER_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_ATTEMPT_OPERATIONS,
  ...CHAOS_OPERATIONS,
  ...RECEIVER_OPERATIONS,
  ...FAULT_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...ACTIVITY_OPERATIONS,
  ...SEARCH_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...COVERAGE_OPERATIONS,
  ...STREAM_OPERATIONS,
  ...SIMULATION_TRANSACTION_OPERATIONS,
  ...SIMULATION_PURCHASE_OPERATIONS,
  ...SIMULATION_STATUS_OPERATIONS,
  ...RULE_OPERATIONS,
  ...SETTING_OPERATIONS,
  ...REAL_TIME_OPERATIONS,
  ...EXPLAIN_OPERATIONS,
  ...PERSON_OPERATIONS,
  ...RAIL_OPERATIONS,
  ...LEDGER_OPERATIONS,
  ...TRACE_OPERATIONS,
] as const;

export const CONTROL_OPERATIONS: readonly AnyControlOperation[] = LIST;
/** The operations with their own shapes, for the types of the client. */
export type ControlOperations = typeof LIST;
