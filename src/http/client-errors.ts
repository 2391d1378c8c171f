/**
 * Requests that do not arrive: too slow, or no HTTP. A whole request has a time to arrive in, so nobody can hold a
 * connection open, or a half of a body in memory, by sending a byte now and then. One whose head was read is answered
 * by its own dialect, any other in the words of what is ours.
 * Source: row 278 of docs/fidelity.md.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions, onRequestHookHandler } from 'fastify';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { REFUSALS } from '../kernel/refusals.ts';
import { spellRefusal } from './control/error.ts';
import { STATUS_OF_KIND } from './status.ts';

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
  const body = JSON.stringify(spellRefusal(refusal));
  return [
    `HTTP/1.1 ${status} ${refusal.code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
