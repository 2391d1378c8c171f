/**
 * What the HTTP framework says no to before an operation is reached, as the bank's own refusals, so that a dialect has
 * one way to spell them all.
 * Source: row 70 of docs/fidelity.md.
 */
import type { FastifyReply } from 'fastify';
import { Refusal, refuse } from '../kernel/refusal.ts';

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
