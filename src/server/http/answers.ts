/**
 * Sends the response to a request and records it in the sandbox's journal. A fault may apply, before the operation
 * runs or after its commit; without faults this costs the check of one boolean. Under an idempotency key the bank's
 * response is stored, or the fault's response if the platform would store it, such as a 409.
 * Source: decisions `idempotency-kept-answers` and `fault-effects` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RenderedFile } from '../../bank/api/operation.ts';
import type { Shown } from '../../bank/api/view.ts';
import type { Fault, FaultError, FaultHit } from '../../sandboxes/sandbox/faults.ts';
import type { JournalEntry } from '../../sandboxes/sandbox/journal.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import type { Api, Call, RefusedCall } from './api-versions.ts';
import { createFaultEffects, formatFault, isStored } from './faults.ts';

/** The actions at the ends of turns, by sandbox: if each sandbox is a separate object, one must not wait for another. */
const endings = new WeakMap<Sandbox, (() => void)[]>();

/**
 * Runs an action at the end of this turn of the event loop, so that a sandbox's responses of one turn are written
 * together. Writing a response wakes its reader, which in a virtual machine costs more than a read; for several
 * responses this cost occurs once. At 64 connections this halves the time of a read. The action must not throw.
 */
export function atEndOfTurn(sandbox: Sandbox, action: () => void): void {
  const known = endings.get(sandbox);
  if (known !== undefined) {
    known.push(action);
    return;
  }
  const actions = [action];
  endings.set(sandbox, actions);
  setImmediate(() => {
    endings.delete(sandbox);
    for (const run of actions) run();
  });
}

export interface Answer {
  status: number;
  /** `""` for an answer without a body. */
  body: string;
  hint: string;
  /** Stored under an idempotency key by an earlier call. */
  replayed: boolean;
  /** The view that the body consists of. */
  shown?: Shown | undefined;
  /** The response of a fault, which replaces the operation's own. */
  fromFault?: true;
  /** An answer that is not JSON; then `body` is what the journal shows of it. */
  file?: RenderedFile;
}

export interface AnsweringOptions {
  version: Api;
  errorAnswer: FaultAnswers['errorAnswer'];
  /** Stores an answer under the request's idempotency key, if it has one; returns the answer that is stored there. */
  store(request: FastifyRequest, answer: Answer): Promise<Answer>;
  /** Logs a request whose connection a fault broke, as no response follows. */
  onBroken(request: FastifyRequest, reply: FastifyReply): void;
}

/** Sends the answer of a request, or what its fault sends instead. Returns a promise if the fault is not over yet. */
type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => Promise<void> | undefined;

/** The answers of faults. */
export interface FaultAnswers {
  errorAnswer(fault: Fault, error: FaultError, request: FastifyRequest): Answer;
  /** The answer of a fault after the commit, if an idempotency key stores it instead of the operation's. */
  inPlace(request: FastifyRequest): Answer | undefined;
}

const HINT_HEADER = 'x-sandbox-hint';
const JSON_TYPE = 'application/json; charset=utf-8';
const NO_ANSWER: Answer = { status: 0, body: '', hint: '', replayed: false };

export function createFaultAnswers(
  version: Api,
  refusedCall: (request: FastifyRequest) => RefusedCall,
): FaultAnswers {
  const errorAnswer: FaultAnswers['errorAnswer'] = ({ id }, error, request) => {
    const { status, body } = formatFault(version, error, refusedCall(request));
    return { status, body: JSON.stringify(body), hint: `fault ${id}`, replayed: false, fromFault: true };
  };
  return {
    errorAnswer,
    inPlace(request) {
      const fault = request.call?.faultHit?.fault;
      if (fault?.when !== 'after_commit' || fault.error === undefined) return undefined;
      return isStored(fault.error) ? errorAnswer(fault, fault.error, request) : undefined;
    },
  };
}

/** Creates the function that sends the responses of an API version, and applies faults to its requests. */
export function createAnswering(app: FastifyInstance, options: AnsweringOptions): Send {
  const { version, errorAnswer, store, onBroken } = options;
  const effects = createFaultEffects(app);

  const write = (reply: FastifyReply, { status, body, hint, file }: Answer): void => {
    reply.code(status);
    if (hint !== '') reply.header(HINT_HEADER, hint);
    if (file !== undefined) {
      reply.header('content-type', file.contentType);
      if (file.name !== '') reply.header('content-disposition', `attachment; filename="${file.name}"`);
      reply.send(file.content);
    } else if (body === '') reply.send();
    else reply.header('content-type', JSON_TYPE).send(body);
  };

  /** Records the request in the journal, with the part of its response that was sent. */
  const record = (call: Call, request: FastifyRequest, reply: FastifyReply, answer: Answer): void => {
    const { sandbox, faultHit, isObserver } = call;
    if (isObserver) return;
    const key = request.headers[version.idempotencyHeader];
    const entry: JournalEntry = {
      at: call.at,
      wallAt: sandbox.wallClock.now(),
      id: call.requestId,
      apiVersion: version.name,
      method: request.method,
      url: request.url,
      operation: request.operationId,
      status: answer.status,
      ms: reply.elapsedTime,
      hint: answer.hint,
      idempotencyKey: typeof key === 'string' ? key : '',
      replayed: answer.replayed,
      fault: faultHit === null ? '' : faultHit.fault.id,
      requestBody: request.rawBody,
      answerBody: answer.body,
      factsBefore: call.factsBefore,
      factsAfter: call.factsAfter,
      bank: call.bank,
    };
    sandbox.journal.record(entry);
    if (sandbox.listeners.hasListeners()) sandbox.listeners.emit({ type: 'request', request: entry });
  };

  /**
   * With an idempotency key an error is stored like a response of the bank. If a response is already stored, it is
   * sent instead.
   */
  const errorAnswerOnce = async (
    fault: Fault,
    error: FaultError,
    request: FastifyRequest,
    answer: Answer,
  ): Promise<Answer> => {
    if (!isStored(error)) return errorAnswer(fault, error, request);
    return answer.replayed || answer.fromFault ? answer : store(request, errorAnswer(fault, error, request));
  };

  /**
   * Applies the fault. Returns true if it answered the request or broke its connection, and false if it only delayed
   * it.
   */
  const applyFault = async (
    { fault, latencyMs }: FaultHit,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Answer,
  ): Promise<boolean> => {
    await effects.delay(latencyMs);
    const { connection, error } = fault;
    if (connection !== undefined) {
      const isSent = connection === 'truncate';
      record(call, request, reply, isSent ? answer : { ...answer, status: 0, body: '' });
      effects.breakConnection(connection, request, reply, answer);
      onBroken(request, reply);
      return true;
    }
    if (error === undefined) return false;
    const failed = await errorAnswerOnce(fault, error, request, answer);
    record(call, request, reply, failed);
    write(reply, failed);
    return true;
  };

  const sendWithFault = async (
    faultHit: FaultHit,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Answer,
  ): Promise<void> => {
    if (await applyFault(faultHit, call, request, reply, answer)) return;
    record(call, request, reply, answer);
    write(reply, answer);
  };

  // After the body was read, so that the journal shows the request that failed.
  app.addHook('preValidation', (request, reply, done) => {
    const { call } = request;
    if (call?.sandbox.faults.active !== true || call.isObserver) {
      done();
      return;
    }
    request.operationId = operationIdOf(request);
    const faultHit = call.sandbox.faults.hit({
      method: request.method,
      path: pathOf(request),
      operation: request.operationId,
    });
    call.faultHit = faultHit;
    if (faultHit === null || faultHit.fault.when === 'after_commit') {
      done();
      return;
    }
    applyFault(faultHit, call, request, reply, NO_ANSWER).then((isAnswered) => {
      if (!isAnswered) done();
    }, done);
  });

  return (request, reply, answer) => {
    const { call } = request;
    if (call !== null) {
      const { faultHit } = call;
      if (faultHit?.fault.when === 'after_commit')
        return sendWithFault(faultHit, call, request, reply, answer);
      record(call, request, reply, answer);
    }
    write(reply, answer);
    return undefined;
  };
}

/** The path of a request, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** The operation that a request reaches; `''` for none. */
export function operationIdOf(request: FastifyRequest): string {
  return request.operationId || (request.routeOptions.config.operationId ?? '');
}
