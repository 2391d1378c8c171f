/**
 * Files behind signed links: taken with GET, given with PUT, without a key. They are the platform's own object store in
 * small, so they are served whether or not the control plane is.
 * Source: row 45 of docs/fidelity.md.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { spellRefusal } from '../../dialects/v1/errors.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import { readFileLink } from '../file-links.ts';
import { refusalFrom } from '../framework-errors.ts';

const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

interface FileRoute {
  Params: { sandbox: string; document: string };
  Querystring: { expires?: string; signature?: string };
}

/** Serves the files of all sandboxes. */
export function registerFiles(app: FastifyInstance, registry: Registry): void {
  // A link is v1's, so a link that does not open says so in v1's words.
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    if (refusal === undefined) throw error;
    const { sandbox: name } = request.params as FileRoute['Params'];
    const sandbox = registry.byName(name);
    const { status, body } = spellRefusal(refusal, {
      requestId: sandbox?.nextId() ?? registry.strayId(),
      programId: sandbox?.program.programId ?? '',
      method: request.method,
      now: (sandbox ?? registry.default()).clock.now(),
      resource: 'document',
    });
    return reply.code(status).send(body);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FILE_LIMIT_BYTES }, (_, body, done) =>
    done(null, body),
  );
  const linked = ({ params, query }: FastifyRequest<FileRoute>) =>
    readFileLink(
      registry.byName(params.sandbox),
      params.document,
      query.expires ?? '',
      query.signature ?? '',
    );

  app.get<FileRoute>('/files/:sandbox/:document', async (request, reply) => {
    const { sandbox, id } = linked(request);
    const { contentType, content } = sandbox.bank.documents.download(id);
    return reply
      .header('content-type', contentType)
      .header('content-disposition', 'attachment')
      .header('x-content-type-options', 'nosniff')
      .send(content);
  });
  app.put<FileRoute>('/files/:sandbox/:document', async (request, reply) => {
    const { sandbox, id } = linked(request);
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const contentType = request.headers['content-type'] ?? 'application/octet-stream';
    await sandbox.commit(() => sandbox.bank.documents.upload(id, { contentType, content }));
    return reply.code(200).send();
  });
}
