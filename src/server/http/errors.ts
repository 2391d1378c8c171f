/**
 * Converts errors of the server to refusals. Each kind of refusal has one HTTP status in all interfaces. Errors of
 * Fastify before an operation is reached become refusals of the bank, so that each API version formats all of them. A
 * request has a time limit to arrive completely, so that a slow client cannot hold a connection open. The path of a
 * request selects the API version that formats the refusal; for all other paths the control plane's error body is
 * used.
 * Source: decision `late-request` in docs/fidelity.md.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions, onRequestHookHandler } from 'fastify';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { statusOf } from '../../bank/kernel/refusals.ts';
import { MemoryFullError } from '../../bank/store/driver.ts';

/** An image of a hundred megabytes takes a second on one machine, and half a minute over a network. */
export const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1000;

interface Arriving {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The error of Node's parser for a malformed request, with the bytes that it read last. */
type ParserError = Error & { code?: string; rawPacket?: unknown };

const FIRST_LINE = /^([A-Z]+) (?:https?:\/\/[^/ ]*)?(\/[^ ?#]*)/;

export interface ClientErrors {
  readonly options: Required<
    Pick<FastifyServerOptions, 'requestTimeout' | 'clientErrorHandler'> & { http: object }
  >;
  /** Records a request whose body has not arrived yet. */
  readonly onRequest: onRequestHookHandler;
}

/** Formats the refusal of a request that was not read completely. */
export type FormatUnread = (refusal: Refusal, method: string, path: string) => object;

/**
 * Answers requests that have not arrived after `timeoutMs` real milliseconds, or that are not HTTP. If the parser
 * refuses the headers, the first line of the request selects the API version.
 */
export function createClientErrors(timeoutMs: number, format: FormatUnread): ClientErrors {
  const arriving = new WeakMap<Socket, Arriving>();

  const answer = (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const refusal = refusalOf(error.code);
    const found = arriving.get(socket);
    arriving.delete(socket);
    if (found !== undefined && !found.request.raw.complete) {
      // The request was answered before, and its remainder never arrived.
      if (found.reply.sent) socket.destroy();
      else found.reply.header('connection', 'close').send(refusal);
      return;
    }
    const [, method = '', path = ''] = FIRST_LINE.exec(readPacket(error)) ?? [];
    if (socket.writable) socket.write(write(refusal, format(refusal, method, path)));
    socket.destroySoon();
  };

  return {
    options: {
      requestTimeout: timeoutMs,
      http: {
        // A request without a Host is refused later, by the version that it calls.
        requireHostHeader: false,
        headersTimeout: Math.min(HEADERS_TIMEOUT_MS, timeoutMs),
        connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, Math.ceil(timeoutMs / 4)),
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

const readPacket = ({ rawPacket }: ParserError): string =>
  Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse('request_timeout');
  if (code === 'HPE_HEADER_OVERFLOW') return refuse('headers_too_large');
  return refuse('body_unreadable');
}

/** A response as bytes, for cases in which Fastify has no request. */
function write(refusal: Refusal, answer: object): string {
  const status = statusOf(refusal.code);
  const body = JSON.stringify(answer);
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

/** The refusal for an error; `undefined` if the error is a failure of the server. */
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

/** The refusal that reports a failure of the server; nothing was changed. */
export function refusalOfFailure(error: unknown): Refusal {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code !== 'string') return refuse('failure');
  if (DAMAGED.test(code)) {
    return refuse('sandbox_damaged', {
      message: `the file of this sandbox cannot be used: ${message}. Import an image into it, repair its file, or delete the sandbox`,
    });
  }
  if (error instanceof MemoryFullError) {
    return refuse('data_not_written', {
      message: `the sandbox is full, because ${message}: reset it, or keep it on a file with SANDBANK_DATA; nothing was changed`,
    });
  }
  if (!NOT_WRITTEN.test(code)) return refuse('failure');
  return refuse('data_not_written', {
    message: `the data directory cannot be written (${message}): free space on its disk and try again; nothing was changed`,
  });
}

/** SQLite's codes for a damaged file. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
/** The codes of SQLite and Node for a disk that is full or missing. */
const NOT_WRITTEN = /^(SQLITE_(FULL|IOERR|READONLY)|ENOSPC$|EDQUOT$|EFBIG$|EROFS$|EIO$)/;

/**
 * Keeps the connection, and reads and drops the rest of a body that is still arriving. Fastify would close the
 * connection, and a client that is still sending would see a reset and not the answer.
 */
export function keepConnection(refusal: Refusal | undefined, reply: FastifyReply): void {
  if (refusal?.code !== 'request_timeout') reply.removeHeader('connection');
}
