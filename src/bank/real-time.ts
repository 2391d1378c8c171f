/**
 * Real-time authorization: a client may be asked before its card or another bank debits an account. Where it is asked,
 * and what stands in for an answer that does not come, is a setting kept with the bank; the asking itself happens outside,
 * before the command, and comes in with it. What was answered is kept with what it was answered about.
 * Source: section 12 of the platform's v1 events; decision `authorization-checks` in docs/fidelity.md.
 */
import { HEX, type Id } from '../kernel/sequence.ts';
import type { RtaDecision, Transaction } from '../model/records.ts';
import type { Dependencies } from './dependencies.ts';
import type { RtaAnswer } from './inputs.ts';
import { note } from './publish.ts';
import { openSetting } from './settings.ts';

export interface RtaSettings {
  url: string;
  secret: string;
  /** What is answered when the receiver does not. */
  standIn: 'approve' | 'decline';
  timeoutMs: number;
  /** Whether card authorizations are asked about. */
  card: boolean;
  /** Whether incoming ACH debits are asked about. */
  ach: boolean;
}

export interface RealTime {
  /** `undefined` while nobody is to be asked. */
  settings(): RtaSettings | undefined;
  /** A secret for whoever did not bring one. */
  drawSecret(): string;
  /** Sets whom to ask; `null` for nobody. */
  change(settings: RtaSettings | null): void;
  /** Keeps an answer with the transaction that it was asked about. */
  record(transaction: Transaction, kind: RtaDecision['kind'], answer: RtaAnswer): void;
  /** Newest first. */
  decisions(limit: number, offset: number): { total: number; data: RtaDecision[] };
}

const TRACE_DIGITS = 5;
const SECRET_LENGTH = 32;

/** The trace number of a debit that was asked about: the question and the payment name the same one. */
export function traceNumberFor(id: Id, routingNumber: string): string {
  const drawn = Number.parseInt(id.slice(-8), 16) % 10 ** TRACE_DIGITS;
  return routingNumber + String(drawn).padStart(TRACE_DIGITS, '0');
}

/** The real-time authorization of one bank. */
export function createRealTime(dependencies: Dependencies): RealTime {
  const { store } = dependencies;
  const setting = openSetting<RtaSettings | null, { settings: RtaSettings | undefined }>(
    store,
    'rta',
    null,
    (settings) => ({ settings: settings ?? undefined }),
  );

  return {
    settings: () => setting.get().settings,
    drawSecret: () => dependencies.secretFor(dependencies.sequence.text(SECRET_LENGTH, HEX), HEX),
    change: setting.put,
    record(transaction, kind, input) {
      const { id, cardId, amount } = transaction;
      const { answer, decidedBy, error, httpStatus } = input;
      const accountId = transaction.accountId ?? '';
      store.rtaDecisions.insert({ ...input, kind, accountId, cardId, transactionId: id, amount });
      note(dependencies, {
        subjectId: id,
        source: 'real_time_authorization',
        name: `${kind}.auth.request`,
        effect: answer,
        message:
          decidedBy === 'receiver'
            ? `the receiver answered ${answer}`
            : `stand-in ${answer}, because ${error}`,
        numbers: httpStatus === null ? {} : { http_status: String(httpStatus) },
      });
    },
    decisions: (limit, offset) => ({
      total: store.rtaDecisions.total(),
      data: store.rtaDecisions.page(limit, offset),
    }),
  };
}
