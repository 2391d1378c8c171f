/**
 * The HTTP status of each kind of refusal, the same in every dialect.
 * [[http/client-errors.ts]]
 * Requests that do not arrive: too slow, or no HTTP. A whole request has a time to arrive in, so nobody can hold a
 * connection open, or a half of a body in memory, by sending a byte now and then. One whose head was read is answered
 * by its own dialect, any other in the words of what is ours.
 * Source: decision `late-request` in docs/fidelity.md. [[http/framework-errors.ts]] What the HTTP framework says no to
 * before an operation is reached, as the bank's own refusals, so that a dialect has one way to spell them all.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions, onRequestHookHandler } from 'fastify';
import { formatRefusal } from '../api/control/errors.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { REFUSALS, type RefusalKind } from '../kernel/refusals.ts';

export const STATUS_OF_KIND: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media: 415,
  rate_limited: 429,
  headers_too_large: 431,
  failure: 500,
  unavailable: 503,
  not_emulated: 501,
};

/** An image of a hundred megabytes takes a second on this machine, and half a minute from elsewhere. */
export const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 1000;

interface Arriving {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface ClientErrors {
  readonly options: Required<
    Pick<FastifyServerOptions, 'requestTimeout' | 'clientErrorHandler'> & { http: object }
  >;
  /** Remembers a request whose body is still to come. */
  readonly onRequest: onRequestHookHandler;
}

/** What answers requests that have not arrived after so many milliseconds, or are none. */
export function createClientErrors(timeoutMs: number): ClientErrors {
  const arriving = new WeakMap<Socket, Arriving>();

  const answer = (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const refusal = refusalOf(error.code);
    const found = arriving.get(socket);
    arriving.delete(socket);
    if (found !== undefined && !found.request.raw.complete) {
      // An answer was given before, and the rest of the request never came.
      if (found.reply.sent) socket.destroy();
      else found.reply.header('connection', 'close').send(refusal);
      return;
    }
    if (socket.writable) socket.write(write(refusal));
    socket.destroySoon();
  };

  return {
    options: {
      requestTimeout: timeoutMs,
      http: {
        headersTimeout: Math.min(HEADERS_TIMEOUT_MS, timeoutMs),
        connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, Math.ceil(timeoutMs / 4)),
      },
      clientErrorHandler: answer,
    },
    onRequest(request, reply, done) {
      if (hasBody(request.raw)) arriving.set(request.raw.socket, { request, reply });
      done();
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('headers_too_large');
  return refuse('body_unreadable');
}

/** An answer where there is no request to answer. */
function write(refusal: Refusal): string {
  const status = STATUS_OF_KIND[REFUSALS[refusal.code].kind];
  const body = JSON.stringify(formatRefusal(refusal));
  return [
    `HTTP/1.1 ${status} ${refusal.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

interface FrameworkError {
  code?: unknown;
  statusCode?: unknown;
}

/** The refusal that an error amounts to; `undefined` for a failure of ours. */
export function refusalFrom(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error === null || typeof error !== 'object') return undefined;
  const { code, statusCode } = error as FrameworkError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('body_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse('media_unsupported');
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError)
    return refuse('body_malformed');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return refuse('body_unreadable');
  return undefined;
}

/** The refusal that a failure of ours is told as: nothing was changed. */
export function refusalOfFailure(error: unknown): Refusal {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string') return refuse('failure');
  if (DAMAGED.test(code)) {
    return refuse('sandbox_damaged', { message: `the file of this sandbox cannot be used: ${message}` });
  }
  if (!NOT_WRITTEN.test(code)) return refuse('failure');
  return refuse('data_not_written', {
    message: `the data directory cannot be written (${message}): make room on its disk and try again; nothing was changed`,
  });
}

/** What SQLite says of a file that is not as it was written. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** What SQLite and Node say of a disk that is full or gone. */
const NOT_WRITTEN = /^(SQLITE_(FULL|IOERR|READONLY)|ENOSPC$|EDQUOT$|EFBIG$|EROFS$|EIO$)/;

/**
 * Lets the rest of a body that is still on its way be read and thrown away, and the connection go on: if it were closed,
 * as the framework has it, a client that is still sending would meet a reset and not the answer.
 */
export function letBodyPass(refusal: Refusal | undefined, reply: FastifyReply): void {
  if (refusal?.code !== 'request_timeout') reply.removeHeader('connection');
}
