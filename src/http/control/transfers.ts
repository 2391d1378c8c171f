/**
 * Bodies that are no JSON: an image of a bank on its way in. It is read whole into memory, under a limit of its own, and
 * only for the operations that take one: any other refuses such a body before it is read.
 */
import type { FastifyInstance } from 'fastify';

export const IMAGE_TYPE = 'application/vnd.sqlite3';
/** Far above what a bank comes to: whatever an export gives is taken. Row 281 of docs/fidelity.md. */
const IMAGE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;

/** From now on the routes of this scope take images, whatever type they are sent as. */
export function takeImages(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: IMAGE_LIMIT_BYTES }, (_, body, done) =>
    done(null, body),
  );
}
