/**
 * The journal of the control plane. Calls that may have changed something are part of the history of a test, so they
 * are recorded besides the requests of the API versions.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../bank/kernel/refusal.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { AnyControlOperation } from '../../sandboxes/control/operation.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';

/** Longer responses are not recorded. */
const LONGEST_ANSWER = 16 * 1024;

/** The state of a call when it begins. */
interface ControlCall {
  readonly sandbox: Sandbox;
  readonly at: Instant;
  readonly bank: number;
  readonly factsBefore: number;
  readonly operation: string;
  readonly requestBody: string;
  answerBody: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    controlCall: ControlCall | null;
  }
}

/** Returns the function that records the beginning of a call. Its end is recorded when it was answered. */
export function journalControlCalls(
  app: FastifyInstance,
  registry: Registry,
  onFailure: (error: unknown, request: FastifyRequest) => void,
): (request: FastifyRequest, sandbox: Sandbox, operation: AnyControlOperation) => void {
  const record = (request: FastifyRequest, reply: FastifyReply): void => {
    const { controlCall: call, method, url } = request;
    if (call === null) return;
    const { sandbox, at, bank, factsBefore, operation, requestBody, answerBody } = call;
    const isSameBank = bank === sandbox.bankNumber;
    const latest = sandbox.outbox.latestSeq();
    const entry = {
      at,
      wallAt: sandbox.wallClock.now(),
      id: registry.strayId(),
      apiVersion: 'control' as const,
      method,
      url,
      operation,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      hint: '',
      idempotencyKey: '',
      replayed: false,
      fault: '',
      requestBody,
      answerBody,
      factsBefore: isSameBank ? factsBefore : latest,
      factsAfter: latest,
      bank: sandbox.bankNumber,
    };
    sandbox.journal.recordControl(entry);
    if (sandbox.listeners.hasListeners()) sandbox.listeners.emit({ type: 'request', request: entry });
  };

  app.decorateRequest('controlCall', null);
  app.addHook('onSend', (request, _, payload, done) => {
    const call = request.controlCall;
    if (call !== null && typeof payload === 'string' && payload.length <= LONGEST_ANSWER)
      call.answerBody = payload;
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    try {
      record(request, reply);
    } catch (error) {
      // The call is answered. If the sandbox was deleted or damaged in the meantime, it has no journal.
      if (!(error instanceof Refusal)) onFailure(error, request);
    }
    done();
  });

  /** The call may repair a damaged bank, which has neither a clock nor facts. */
  const startOf = (sandbox: Sandbox): Pick<ControlCall, 'at' | 'factsBefore'> => {
    try {
      return { at: sandbox.clock.now(), factsBefore: sandbox.outbox.latestSeq() };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { at: sandbox.wallClock.now(), factsBefore: 0 };
    }
  };

  return (request, sandbox, operation) => {
    request.controlCall = {
      sandbox,
      ...startOf(sandbox),
      bank: sandbox.bankNumber,
      operation: operation.id,
      // Its text, because a body that no operation reads can be nested deeper than the stack.
      requestBody: operation.bodyType === undefined ? request.rawBody : '',
      answerBody: '',
    };
  };
}
