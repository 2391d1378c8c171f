/**
 * Real-time authorization: a client can decide before a card or another bank debits an account. The URL and the
 * default decision are settings of the bank. The request is sent outside of the bank, before the command, which gets
 * the answer as input. The answer is stored with its transaction.
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
  /** The default decision if the receiver does not answer. */
  standIn: 'approve' | 'decline';
  timeoutMs: number;
  /** Whether requests are sent for card authorizations. */
  card: boolean;
  /** Whether requests are sent for incoming ACH debits. */
  ach: boolean;
}

export interface RealTime {
  /** `undefined` if it is not configured. */
  settings(): RtaSettings | undefined;
  /** A random secret, for a configuration without one. */
  drawSecret(): string;
  /** Sets the configuration; `null` switches it off. */
  change(settings: RtaSettings | null): void;
  /** Stores an answer with its transaction. */
  record(transaction: Transaction, kind: RtaDecision['kind'], answer: RtaAnswer): void;
  /** Newest first. */
  decisions(limit: number, offset: number): { total: number; data: RtaDecision[] };
}

const TRACE_DIGITS = 5;
const SECRET_LENGTH = 32;

/** The trace number of a debit with a real-time request: request and payment have the same one. */
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
