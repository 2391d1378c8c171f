/**
 * Compresses long answers of the control plane, long lists of both versions and the files of the inspector for clients
 * that accept gzip. Short ones are sent uncompressed, because compressing them costs more than it saves.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Shorter answers are not compressed. */
const SHORTEST_BYTES = 8 * 1024;
const COMPRESSIBLE = /^(application\/json|text\/(html|css|javascript))\b/;
/** Level 1 takes a third of the time of the default level, and compresses JSON nearly as well. */
const LEVEL = 1;

/** The level for files, which are compressed once. */
const FILE_LEVEL = 9;

const compress = promisify(gzip);
let isByRuntime = false;

/** Leaves the compression to a runtime that compresses what the header `content-encoding` says. */
export function compressByRuntime(): void {
  isByRuntime = true;
}

/** The compressed files. A file is the same buffer each time it is sent, so it is compressed once. */
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

function compressOnce(payload: Buffer): Promise<Buffer> {
  const known = compressed.get(payload) ?? compress(payload, { level: FILE_LEVEL });
  compressed.set(payload, known);
  return known;
}

/** Compresses the response to a client that accepts it. A callback, not a promise: most responses are short. */
export function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload: unknown) => void,
): void {
  const isLong =
    (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= SHORTEST_BYTES;
  if (!isLong || !COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) {
    done(null, payload);
    return;
  }
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    done(null, payload);
    return;
  }
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  if (isByRuntime) {
    done(null, payload);
    return;
  }
  const packed = typeof payload === 'string' ? compress(payload, { level: LEVEL }) : compressOnce(payload);
  packed.then(
    (bytes) => done(null, bytes),
    (error: Error) => done(error, undefined),
  );
}
