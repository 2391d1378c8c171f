/**
 * Reads an image from a request in pieces of about a megabyte. It does not allocate a buffer for the whole image: for
 * some hundred megabytes that takes as long as a thousand payments and blocks all requests.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../bank/kernel/refusal.ts';
import { joined } from '../../bank/store/images.ts';
import { Upload } from '../../sandboxes/registry/image-import.ts';

const PIECE_BYTES = 1024 * 1024;

/** Makes the routes of this scope accept images of any content type, up to `limit` bytes, instead of other bodies. */
export function takeUploads(scope: FastifyInstance, limit: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { bodyLimit: limit }, (request, body, done) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) done(refuse('body_too_large'));
    else readPieces(body, limit, done);
  });
}

/** The data beyond the limit is read and discarded later, so that the client can read the response. */
function readPieces(
  body: Readable,
  limit: number,
  done: (error: Error | null, upload?: Upload) => void,
): void {
  const pieces: Buffer<ArrayBuffer>[] = [];
  let chunks: Buffer[] = [];
  let waiting = 0;
  let length = 0;
  const endPiece = (): void => {
    if (waiting > 0) pieces.push(joined(chunks));
    chunks = [];
    waiting = 0;
  };
  const end = (error: Error | null, upload?: Upload): void => {
    body.off('data', add).off('end', finish).off('error', fail);
    done(error, upload);
  };
  const add = (chunk: Buffer): void => {
    chunks.push(chunk);
    waiting += chunk.length;
    length += chunk.length;
    if (length > limit) {
      end(refuse('body_too_large'));
      body.resume();
    } else if (waiting >= PIECE_BYTES) endPiece();
  };
  const finish = (): void => {
    endPiece();
    end(null, new Upload(pieces, length));
  };
  /** The client disconnected, which is not a failure of the server. */
  const fail = (error: Error): void => end(Object.assign(error, { statusCode: 400 }));
  body.on('data', add).once('end', finish).once('error', fail);
}
