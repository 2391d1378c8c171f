/**
 * Files behind signed links: taken with GET, given with PUT, without a key. They are the platform's own object store in
 * small, so they are served whether or not the control plane is.
 * Source: rows 45 and 202 of docs/fidelity.md.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Files } from '../../bank/files.ts';
import { spellRefusal as spellV1 } from '../../dialects/v1/errors.ts';
import { spellRefusal as spellV2 } from '../../dialects/v2/errors.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { dialectOfLink, type FileKind, readFileLink } from '../file-links.ts';
import { letBodyPass, refusalFrom } from '../framework-errors.ts';
import { TEXT_PAGE_HEADERS } from '../page-headers.ts';

const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

interface FileRoute {
  Params: { sandbox: string; name: string };
  Querystring: { expires?: string; signature?: string };
}

const FILES_OF: Readonly<Record<FileKind, (sandbox: Sandbox) => Files>> = {
  document: ({ bank }) => bank.documents,
  attachment: ({ bank }) => bank.attachments,
};

/** Serves the files of all sandboxes. */
export function registerFiles(app: FastifyInstance, registry: Registry): void {
  // A link is of the generation that made it, so one that does not open says so in that generation's words.
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    letBodyPass(refusal, reply);
    if (refusal === undefined) throw error;
    const { params, method } = request as FastifyRequest<FileRoute>;
    const sandbox = registry.problemOf(params.sandbox) === '' ? registry.byName(params.sandbox) : undefined;
    const requestId = sandbox?.nextId() ?? registry.strayId();
    const now = sandbox?.clock.now() ?? registry.now();
    const { status, body } =
      dialectOfLink(params.name) === 'v2'
        ? spellV2(refusal, { requestId, method, now, clientId: sandbox?.program.clientId ?? '' })
        : spellV1(refusal, {
            requestId,
            method,
            now,
            programId: sandbox?.program.programId ?? '',
            resource: 'document',
          });
    return reply.code(status).send(body);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FILE_LIMIT_BYTES }, (_, body, done) =>
    done(null, body),
  );
  const linked = ({ params, query }: FastifyRequest<FileRoute>) =>
    readFileLink(registry.byName(params.sandbox), params.name, query);

  // Before the body is read; the link is looked at again after it, because it may have ended meanwhile.
  app.addHook('onRequest', (request, _, done) => {
    linked(request as FastifyRequest<FileRoute>);
    done();
  });

  app.get<FileRoute>('/files/:sandbox/:name', async (request, reply) => {
    const { sandbox, kind, id } = linked(request);
    const { contentType, content } = FILES_OF[kind](sandbox).download(id);
    return reply
      .header('content-type', contentType)
      .header('content-disposition', 'attachment')
      .headers(TEXT_PAGE_HEADERS)
      .send(content);
  });
  app.put<FileRoute>('/files/:sandbox/:name', async (request, reply) => {
    const { sandbox, kind, id } = linked(request);
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const contentType = request.headers['content-type'] ?? 'application/octet-stream';
    await sandbox.commit(() => FILES_OF[kind](sandbox).upload(id, { contentType, content }));
    return reply.code(200).send();
  });
}
