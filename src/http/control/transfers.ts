/**
 * Bodies that are no JSON: an image of a bank on its way in. They are read whole into memory, under a limit of their
 * own; an operation that expects JSON refuses them as the server does everywhere else.
 */
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../kernel/refusal.ts';

export const IMAGE_TYPE = 'application/vnd.sqlite3';
/** As a route, below the prefix of the control plane. */
const IMPORT = '/_sandbox/import';
/** Far above what a bank comes to: whatever an export gives is taken. Row 281 of docs/fidelity.md. */
const IMAGE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;

/** Takes images in, whatever type they are sent as. */
export function registerTransfers(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: IMAGE_LIMIT_BYTES }, (_, body, done) =>
    done(null, body),
  );
  app.addHook('preValidation', (request, _, done) => {
    const isForeign = Buffer.isBuffer(request.body) && request.routeOptions.url !== IMPORT;
    done(isForeign ? refuse('media_unsupported') : undefined);
  });
}
