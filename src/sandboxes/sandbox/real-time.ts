/**
 * Requests a decision of a client in real time, before the command and outside any transaction. If the bank can
 * decide without the client, the client is not called; if the client does not respond, its fallback applies. The bank
 * checks everything again when the command runs.
 * Source: section 12 of the platform's v1 events; decision `authorization-checks` in docs/fidelity.md.
 */

import { formatV2 } from '../../bank/api/ids.ts';
import type { RealTimeAuthorizer } from '../../bank/api/operation.ts';
import { formatAchRequest, formatCardRequest } from '../../bank/api/v1/auth-requests.ts';
import type { SendResult } from '../../bank/delivery/sender.ts';
import { signatureHeaders } from '../../bank/delivery/signature.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { type Instant, SECOND_MS } from '../../bank/kernel/time.ts';
import { completeMerchant } from '../../bank/model/merchants.ts';
import type { IncomingRail } from '../../bank/model/rails/index.ts';
import type { CardAuthorization, Incoming, RtaAnswer } from '../../bank/verbs/inputs.ts';
import { type RtaSettings, traceNumberFor } from '../../bank/verbs/real-time.ts';
import type { Sandbox } from './sandbox.ts';

/** The real-time requests of a sandbox, for the operations that send one. */
export function questionsOf(sandbox: Sandbox): RealTimeAuthorizer {
  return {
    card: (input) => requestCardDecision(sandbox, input),
    debit: (rail, input) => requestDebitDecision(sandbox, rail, input),
  };
}

/** The client's decision on a card authorization; `undefined` if the client is not called. Refuses: `card_not_found`. */
export async function requestCardDecision(
  sandbox: Sandbox,
  input: CardAuthorization,
): Promise<RtaAnswer | undefined> {
  const { bank } = sandbox;
  const settings = bank.realTime.settings();
  if (settings?.card !== true) return undefined;
  const question = bank.cardPayments.questionOf(input);
  if (question === undefined) return undefined;
  const merchant = completeMerchant(input.merchant);
  const { amount } = input;
  return decide(sandbox, settings, (id, at) =>
    formatCardRequest({ id, at, amount, own: question, ...question, merchant }, bank.program),
  );
}

/**
 * The client's decision on an incoming ACH debit; `undefined` if the client is not called. Refuses:
 * `account_not_found`.
 */
export async function requestDebitDecision(
  sandbox: Sandbox,
  rail: IncomingRail,
  input: Incoming,
): Promise<RtaAnswer | undefined> {
  const { bank } = sandbox;
  const settings = bank.realTime.settings();
  if (settings?.ach !== true || rail !== 'ach_received_pull') return undefined;
  const own = bank.payments.questionOf(rail, input);
  if (own === undefined) return undefined;
  const { amount, sender, description = '' } = input;
  return decide(sandbox, settings, (id, at) => {
    const traceNumber = traceNumberFor(id, sender.routingNumber || bank.program.routingNumber);
    return formatAchRequest({ id, at, amount, own, sender, description, traceNumber }, bank.program);
  });
}

async function decide(
  sandbox: Sandbox,
  { url, secret, timeoutMs, standIn }: RtaSettings,
  write: (id: Id, at: Instant) => string,
): Promise<RtaAnswer> {
  const id = sandbox.nextId();
  const askedAt = sandbox.clock.now();
  const body = write(id, askedAt);
  const timestampSeconds = Math.floor(sandbox.wallClock.now() / SECOND_MS);
  const reply = await sandbox.send({
    url,
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders({ secret, id: formatV2('authorization', id), timestampSeconds, body }),
    },
    body,
    answerWithinMs: timeoutMs,
  });
  const decision = readDecision(reply);
  const { status: httpStatus, durationMs } = reply;
  return decision.answer === undefined
    ? {
        id,
        askedAt,
        httpStatus,
        durationMs,
        answer: standIn === 'approve' ? 'approved' : 'declined',
        decidedBy: 'stand_in',
        error: decision.error,
      }
    : { id, askedAt, httpStatus, durationMs, answer: decision.answer, decidedBy: 'receiver', error: '' };
}

/** The receiver's decision, or why its response is not a decision. */
function readDecision({ status, body = '', error }: SendResult): {
  answer: RtaAnswer['answer'] | undefined;
  error: string;
} {
  if (status === null) return { answer: undefined, error };
  if (status < 200 || status > 299) return { answer: undefined, error: `the receiver answered ${status}` };
  const word = readStatus(body);
  return word === 'approved' || word === 'declined'
    ? { answer: word, error: '' }
    : { answer: undefined, error: 'the answer has no status "approved" or "declined"' };
}

function readStatus(body: string): unknown {
  try {
    const answer: unknown = JSON.parse(body);
    return typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
  } catch {
    return undefined;
  }
}
