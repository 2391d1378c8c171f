/**
 * Files behind signed links: GET downloads a file and PUT uploads it, without a key, like the platform's object
 * store. They also work if the control plane is off.
 * Source: decisions `document-links` and `attachment-links` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { formatV1, formatV2, tryParseId } from '../../bank/api/ids.ts';
import type { FileKind } from '../../bank/api/operation.ts';
import { formatRefusal as formatRefusalV1 } from '../../bank/api/v1/errors.ts';
import { formatRefusal as formatRefusalV2 } from '../../bank/api/v2/errors.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { SECOND_MS } from '../../bank/kernel/time.ts';
import type { Files } from '../../bank/verbs/files/files.ts';
import { TEXT_PAGE_HEADERS } from '../../reference/page-headers.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { keepConnection, refusalFrom } from './errors.ts';
import { signLink, verifyLink } from './signed-links.ts';
import { Query, typedRoutes } from './typed-routes.ts';

/** The records with files: their API version, and the validity of a link. */
const FILE_KINDS: Readonly<Record<FileKind, { version: 'v1' | 'v2'; seconds: number }>> = {
  document: { version: 'v1', seconds: 900 },
  attachment: { version: 'v2', seconds: 300 },
};

/** The record whose file a link opens. */
export interface FileRef {
  readonly kind: FileKind;
  readonly id: Id;
}

/** Creates a link to the file of a record. */
export function fileLink(sandbox: Sandbox, baseUrl: string, place: FileRef): string {
  const { kind, id } = place;
  const { version, seconds } = FILE_KINDS[kind];
  const name = version === 'v1' ? formatV1(kind, id) : formatV2(kind, id);
  const seal = signLink(sandbox, subjectOf(place), sandbox.clock.now() + seconds * SECOND_MS);
  return `${baseUrl}/_sandbox/files/${sandbox.name}/${name}?${seal}`;
}

/** The record that a link names. Refuses: `link_unknown` for a link that was not made here, `link_expired`. */
function parseFileLink(
  sandbox: Sandbox | undefined,
  name: string,
  query: Query,
): FileRef & { readonly sandbox: Sandbox } {
  const place = placeOf(name);
  if (sandbox === undefined || place === undefined) throw refuse('link_unknown');
  verifyLink(sandbox, subjectOf(place), query);
  return { ...place, sandbox };
}

/** The version that formats the refusal of a link; v1 if the link names no record. */
function versionOfLink(name: string): 'v1' | 'v2' {
  return FILE_KINDS[placeOf(name)?.kind ?? 'document'].version;
}

function placeOf(name: string): FileRef | undefined {
  for (const kind of Object.keys(FILE_KINDS) as FileKind[]) {
    const id = tryParseId(kind, name);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

function subjectOf({ kind, id }: FileRef): string {
  return `${kind}/${id}`;
}

const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

const Params = Type.Object({ sandbox: Type.String(), name: Type.String() });
/** A request for a file, by its link. */
interface FileRequest {
  readonly params: Static<typeof Params>;
  readonly query: Query;
}

const FILES_OF: Readonly<Record<FileKind, (sandbox: Sandbox) => Files>> = {
  document: ({ bank }) => bank.documents,
  attachment: ({ bank }) => bank.attachments,
};

/** Serves the files of all sandboxes. */
export function registerFiles(app: FastifyInstance, registry: Registry): void {
  // A link belongs to the API version that made it, which formats its refusals too.
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    keepConnection(refusal, reply);
    if (refusal === undefined) throw error;
    const { method } = request;
    const params = request.params as Static<typeof Params>;
    const sandbox = registry.look(params.sandbox);
    const requestId = sandbox?.nextId() ?? registry.strayId();
    const now = sandbox?.clock.now() ?? registry.now();
    const { status, body } =
      versionOfLink(params.name) === 'v2'
        ? formatRefusalV2(refusal, { requestId, method, now, clientId: sandbox?.program.clientId ?? '' })
        : formatRefusalV1(refusal, {
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
  const linked = ({ params, query }: FileRequest) =>
    parseFileLink(registry.byName(params.sandbox), params.name, query);

  // Verifies the link before the body is read. It is verified again afterwards, because it may expire in the
  // meantime.
  app.addHook('onRequest', (request, _, done) => {
    linked(request as FileRequest);
    done();
  });

  const options = { schema: { params: Params, querystring: Query } };
  const routes = typedRoutes(app);
  routes.get('/files/:sandbox/:name', options, async (request, reply) => {
    const { sandbox, kind, id } = linked(request);
    const { contentType, content } = FILES_OF[kind](sandbox).download(id);
    return reply
      .header('content-type', contentType)
      .header('content-disposition', 'attachment')
      .headers(TEXT_PAGE_HEADERS)
      .send(content);
  });
  routes.put('/files/:sandbox/:name', options, async (request, reply) => {
    const { sandbox, kind, id } = linked(request);
    const content = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const contentType = request.headers['content-type'] ?? 'application/octet-stream';
    await sandbox.commit(() => FILES_OF[kind](sandbox).upload(id, { contentType, content }));
    return reply.code(200).send();
  });
}
