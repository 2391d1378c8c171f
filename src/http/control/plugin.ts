/**
 * The control plane: what a sandbox can do that the real bank cannot, below `/_sandbox`. A call addresses the sandbox of
 * its `api-key`, the default one without. Files are behind signed links and need no key.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { REFUSALS } from '../../kernel/refusals.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { readFileLink } from '../file-links.ts';
import { refusalFrom } from '../framework-errors.ts';
import { STATUS_OF_KIND } from '../status.ts';
import { summarize } from './summary.ts';

export interface ControlOptions {
  registry: Registry;
  version: string;
  onFailure(error: unknown, request: FastifyRequest): void;
}

const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

interface FileRoute {
  Params: { sandbox: string; document: string };
  Querystring: { expires?: string; signature?: string };
}

/** Serves the control plane and the files. */
export function registerControl(
  app: FastifyInstance,
  { registry, version, onFailure }: ControlOptions,
): void {
  const sandboxOf = (request: FastifyRequest): Sandbox => {
    const key = request.headers['api-key'];
    if (key === undefined || key === '') return registry.default();
    const sandbox = typeof key === 'string' ? registry.byKey(key) : undefined;
    if (sandbox === undefined) throw refuse('sandbox_not_found');
    return sandbox;
  };

  const answerRefusal = (refusal: Refusal, reply: FastifyReply): FastifyReply => {
    const { code, message, field, legal } = refusal;
    const hint = legal.length > 0 ? `legal: ${legal.join(', ')}` : field;
    return reply.code(STATUS_OF_KIND[REFUSALS[code].kind]).send({ error: { code, message, hint } });
  };

  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    if (refusal !== undefined) return answerRefusal(refusal, reply);
    onFailure(error, request);
    return answerRefusal(refuse('failure'), reply);
  });
  app.setNotFoundHandler((request) => {
    throw refuse('path_unknown', { message: `no control operation at ${request.method} ${request.url}` });
  });

  app.get('/', async (request) => summarize(sandboxOf(request), version));

  app.register(async (files) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FILE_LIMIT_BYTES }, (_, body, done) =>
      done(null, body),
    );
    const linked = ({ params, query }: FastifyRequest<FileRoute>) =>
      readFileLink(
        registry.byName(params.sandbox),
        params.document,
        query.expires ?? '',
        query.signature ?? '',
      );
    files.get<FileRoute>('/files/:sandbox/:document', async (request, reply) => {
      const { sandbox, id } = linked(request);
      const { contentType, content } = sandbox.bank.documents.download(id);
      return reply
        .header('content-type', contentType)
        .header('content-disposition', 'attachment')
        .header('x-content-type-options', 'nosniff')
        .send(content);
    });
    files.put<FileRoute>('/files/:sandbox/:document', async (request, reply) => {
      const { sandbox, id } = linked(request);
      const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const contentType = request.headers['content-type'] ?? 'application/octet-stream';
      await sandbox.commit(() => sandbox.bank.documents.upload(id, { contentType, content }));
      return reply.code(200).send();
    });
  });
}
