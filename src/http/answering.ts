/**
 * Answers of one turn of the event loop leave together. An answer that is written at once wakes its reader, and in a
 * virtual machine waking somebody costs the writer more than the whole read did; written one after another, the first
 * wakes the reader and the rest find it awake. Measured at 64 connections: half the time for a read.
 * [[http/answering.ts]]
 * How an answer leaves: it is written down in the sandbox's journal, and meets the fault that the sandbox was told to
 * have for it, either before the operation is carried out or after its commit. A sandbox without faults is asked one
 * boolean. What an idempotency key keeps is what the bank did, unless the fault plays an answer that a key keeps, like
 * the 409 that the platform warns of: then it is that.
 * Source: decisions `idempotency-kept-answers` and `fault-effects` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RenderedFile } from '../api/operation.ts';
import type { Fault, FaultError, Strike } from '../sandboxes/faults.ts';
import type { JournalEntry } from '../sandboxes/journal.ts';
import type { Call, Dialect, RefusedCall } from './api-versions.ts';
import { createFaultEffects, isKept, spellFault } from './faults.ts';

let ending: Promise<void> | undefined;

/** Settles when this turn's requests have all been heard. */
export function endOfTurn(): Promise<void> {
  ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  });
  return ending;
}

export interface Answer {
  status: number;
  /** `""` for an answer without a body. */
  body: string;
  hint: string;
  /** Kept under an idempotency key since an earlier call. */
  replayed: boolean;
  /** Played by the fault that the request meets, in place of the operation's own. */
  played?: true;
  /** An answer that is no JSON; then `body` is what the journal shows of it. */
  file?: RenderedFile;
}

export interface AnsweringOptions {
  dialect: Dialect;
  refusedCall(request: FastifyRequest): RefusedCall;
  /** Keeps an answer under the request's idempotency key, if it has one; answers what that key keeps. */
  keep(request: FastifyRequest, answer: Answer): Promise<Answer>;
  /** A fault broke the connection, so nothing else will tell of this request. */
  onBroken(request: FastifyRequest, reply: FastifyReply): void;
}

export interface Answering {
  /** Sends the answer of a request, or what a fault makes of it. */
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply | Promise<FastifyReply>;
  /** What is kept in place of the operation's answer: that of a fault after the commit, if a key keeps it. */
  playedAfter(request: FastifyRequest): Answer | undefined;
}

const HINT_HEADER = 'x-sandbox-hint';
const JSON_TYPE = 'application/json; charset=utf-8';
const NOTHING: Answer = { status: 0, body: '', hint: '', replayed: false };

/** What sends the answers of a dialect; from now on its requests meet their faults. */
export function createAnswering(app: FastifyInstance, options: AnsweringOptions): Answering {
  const { dialect, refusedCall, keep, onBroken } = options;
  const effects = createFaultEffects(app);

  const write = (reply: FastifyReply, { status, body, hint, file }: Answer): FastifyReply => {
    reply.code(status);
    if (hint !== '') reply.header(HINT_HEADER, hint);
    if (file !== undefined) {
      reply.header('content-type', file.contentType);
      if (file.name !== '') reply.header('content-disposition', `attachment; filename="${file.name}"`);
      return reply.send(file.content);
    }
    if (body === '') return reply.send();
    return reply.header('content-type', JSON_TYPE).send(body);
  };

  /** Writes the request down, with what was sent of its answer. */
  const record = (call: Call, request: FastifyRequest, reply: FastifyReply, answer: Answer): void => {
    const { sandbox, strike } = call;
    const key = request.headers[dialect.idempotencyHeader];
    const entry: JournalEntry = {
      at: call.at,
      id: call.requestId,
      dialect: dialect.name,
      method: request.method,
      url: request.url,
      operation: request.operationId,
      status: answer.status,
      ms: reply.elapsedTime,
      hint: answer.hint,
      idempotencyKey: typeof key === 'string' ? key : '',
      replayed: answer.replayed,
      fault: strike === null ? '' : strike.fault.id,
      requestBody: request.rawBody,
      answerBody: answer.body,
      factsBefore: call.factsBefore,
      factsAfter: call.factsAfter,
      bank: call.bank,
    };
    sandbox.journal.record(entry);
    if (sandbox.notices.hasListeners()) sandbox.notices.tell({ type: 'request', request: entry });
  };

  const play = ({ id }: Fault, error: FaultError, request: FastifyRequest): Answer => {
    const { status, body } = spellFault(dialect, error, refusedCall(request));
    return { status, body: JSON.stringify(body), hint: `fault ${id}`, replayed: false, played: true };
  };

  /** An error that a key keeps is the bank's own word, so it does not come between a key and what it has kept already. */
  const playOnce = async (
    fault: Fault,
    error: FaultError,
    request: FastifyRequest,
    answer: Answer,
  ): Promise<Answer> => {
    if (!isKept(error)) return play(fault, error, request);
    return answer.replayed || answer.played ? answer : keep(request, play(fault, error, request));
  };

  /** Does what the fault does in place of the answer; false when it was only to wait. */
  const meet = async (
    { fault, latencyMs }: Strike,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Answer,
  ): Promise<boolean> => {
    await effects.wait(latencyMs);
    const { connection, error } = fault;
    if (connection !== undefined) {
      const isSent = connection === 'truncate';
      record(call, request, reply, isSent ? answer : { ...answer, status: 0, body: '' });
      effects.breakConnection(connection, request, reply, answer);
      onBroken(request, reply);
      return true;
    }
    if (error === undefined) return false;
    const failed = await playOnce(fault, error, request, answer);
    record(call, request, reply, failed);
    write(reply, failed);
    return true;
  };

  const sendFaulty = async (
    strike: Strike,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Answer,
  ): Promise<FastifyReply> => {
    if (await meet(strike, call, request, reply, answer)) return reply;
    record(call, request, reply, answer);
    return write(reply, answer);
  };

  // Once the body was read, so that the journal shows what it was that failed.
  app.addHook('preValidation', (request, reply, done) => {
    const { call } = request;
    if (call?.sandbox.faults.active !== true) {
      done();
      return;
    }
    request.operationId = operationIdOf(request);
    const strike = call.sandbox.faults.strike({
      method: request.method,
      path: pathOf(request),
      operation: request.operationId,
    });
    call.strike = strike;
    if (strike === null || strike.fault.when === 'after_commit') {
      done();
      return;
    }
    meet(strike, call, request, reply, NOTHING).then((isAnswered) => {
      if (!isAnswered) done();
    }, done);
  });

  return {
    send(request, reply, answer) {
      const { call } = request;
      if (call === null) return write(reply, answer);
      const { strike } = call;
      if (strike?.fault.when === 'after_commit') return sendFaulty(strike, call, request, reply, answer);
      record(call, request, reply, answer);
      return write(reply, answer);
    },
    playedAfter(request) {
      const fault = request.call?.strike?.fault;
      if (fault?.when !== 'after_commit' || fault.error === undefined) return undefined;
      return isKept(fault.error) ? play(fault, fault.error, request) : undefined;
    },
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
