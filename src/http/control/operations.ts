/**
 * The operations of the control plane, in the order in which its document lists them.
 */
import type { AnyControlOperation } from './operation.ts';
import { advanceClock } from './routes/advance-clock.ts';
import { changeSettings } from './routes/change-settings.ts';
import { clearCoverage } from './routes/clear-coverage.ts';
import { configureRta } from './routes/configure-rta.ts';
import { createFault } from './routes/create-fault.ts';
import { createSandbox } from './routes/create-sandbox.ts';
import { createWebhook } from './routes/create-webhook.ts';
import { deleteChaos } from './routes/delete-chaos.ts';
import { deleteFault } from './routes/delete-fault.ts';
import { deleteFaults } from './routes/delete-faults.ts';
import { deleteSandbox } from './routes/delete-sandbox.ts';
import { deleteSnapshot } from './routes/delete-snapshot.ts';
import { deleteWebhook } from './routes/delete-webhook.ts';
import { drain } from './routes/drain.ts';
import { explain } from './routes/explain.ts';
import { exportSandbox } from './routes/export-sandbox.ts';
import { importSandbox } from './routes/import-sandbox.ts';
import { listAssumptions } from './routes/list-assumptions.ts';
import { listEventAttempts } from './routes/list-event-attempts.ts';
import { listEvents } from './routes/list-events.ts';
import { listFaults } from './routes/list-faults.ts';
import { listLedgerEntries } from './routes/list-ledger-entries.ts';
import { listRequests } from './routes/list-requests.ts';
import { listReturnCodes } from './routes/list-return-codes.ts';
import { listRtaDecisions } from './routes/list-rta-decisions.ts';
import { listSandboxes } from './routes/list-sandboxes.ts';
import { listSnapshots } from './routes/list-snapshots.ts';
import { listTimers } from './routes/list-timers.ts';
import { listWebhooks } from './routes/list-webhooks.ts';
import { removeRta } from './routes/remove-rta.ts';
import { renderEvent } from './routes/render-event.ts';
import { replaceRules } from './routes/replace-rules.ts';
import { replayEvents } from './routes/replay-events.ts';
import { resendEvent } from './routes/resend-event.ts';
import { resetSandbox } from './routes/reset-sandbox.ts';
import { restoreSnapshot } from './routes/restore-snapshot.ts';
import { retrieveCalendar } from './routes/retrieve-calendar.ts';
import { retrieveChaos } from './routes/retrieve-chaos.ts';
import { retrieveClock } from './routes/retrieve-clock.ts';
import { retrieveCoverage } from './routes/retrieve-coverage.ts';
import { retrieveEvent } from './routes/retrieve-event.ts';
import { retrieveRequest } from './routes/retrieve-request.ts';
import { retrieveRta } from './routes/retrieve-rta.ts';
import { retrieveRules } from './routes/retrieve-rules.ts';
import { retrieveSettings } from './routes/retrieve-settings.ts';
import { retrieveSnapshot } from './routes/retrieve-snapshot.ts';
import { retrieveSummary } from './routes/retrieve-summary.ts';
import { rotateSecret } from './routes/rotate-secret.ts';
import { seedSandbox } from './routes/seed-sandbox.ts';
import { sendExample } from './routes/send-example.ts';
import { setChaos } from './routes/set-chaos.ts';
import { setClock } from './routes/set-clock.ts';
import { settleClock } from './routes/settle-clock.ts';
import { simulateAccount } from './routes/simulate-account.ts';
import { simulateAuthorization } from './routes/simulate-authorization.ts';
import { simulateCard } from './routes/simulate-card.ts';
import { simulateCardAuthorization } from './routes/simulate-card-authorization.ts';
import { simulateCardRefund } from './routes/simulate-card-refund.ts';
import { simulateHolder } from './routes/simulate-holder.ts';
import { simulateIncoming } from './routes/simulate-incoming.ts';
import { simulateTransaction } from './routes/simulate-transaction.ts';
import { stream } from './routes/stream.ts';
import { takeSnapshot } from './routes/take-snapshot.ts';
import { verifyLedger } from './routes/verify-ledger.ts';

const LIST = [
  retrieveSummary,

  listSandboxes,
  createSandbox,
  deleteSandbox,

  resetSandbox,
  seedSandbox,
  listSnapshots,
  retrieveSnapshot,
  takeSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  exportSandbox,
  importSandbox,

  retrieveClock,
  setClock,
  advanceClock,
  settleClock,
  listTimers,
  retrieveCalendar,

  listEvents,
  retrieveEvent,
  renderEvent,
  listEventAttempts,
  resendEvent,
  drain,

  listWebhooks,
  createWebhook,
  deleteWebhook,
  sendExample,
  replayEvents,
  rotateSecret,
  retrieveChaos,
  setChaos,
  deleteChaos,

  listFaults,
  createFault,
  deleteFaults,
  deleteFault,

  listRequests,
  retrieveRequest,
  listAssumptions,
  retrieveCoverage,
  clearCoverage,
  stream,

  simulateTransaction,
  simulateIncoming,
  simulateCardAuthorization,
  simulateCardRefund,
  simulateAuthorization,
  simulateHolder,
  simulateCard,
  simulateAccount,
  listReturnCodes,

  retrieveRules,
  replaceRules,
  retrieveSettings,
  changeSettings,

  retrieveRta,
  configureRta,
  removeRta,
  listRtaDecisions,

  explain,
  verifyLedger,
  listLedgerEntries,
] as const;

export const CONTROL_OPERATIONS: readonly AnyControlOperation[] = LIST;
/** The operations with their own shapes, for the types of the client. */
export type ControlOperations = typeof LIST;
