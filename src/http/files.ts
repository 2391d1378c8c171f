/**
 * Signed links to the files behind records: whoever holds one may take the file (GET) and give it (PUT), as with the
 * platform's object store.
 * Source: decisions `document-links` and `attachment-links` in docs/fidelity.md. [[http/control/files.ts]] Files behind
 * signed links: taken with GET, given with PUT, without a key. They are the platform's own object store in small, so
 * they are served whether or not the control plane is.
 * Source: decisions `document-links` and `attachment-links` in docs/fidelity.md.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatV1, formatV2, tryParseId } from '../api/ids.ts';
import type { FileKind } from '../api/operation.ts';
import { formatRefusal as spellRefusalV1 } from '../api/v1/errors.ts';
import { formatRefusal as spellRefusalV2 } from '../api/v2/errors.ts';
import type { Files } from '../bank/files/files.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { SECOND_MS } from '../kernel/time.ts';
import type { Registry } from '../sandboxes/registry.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { letBodyPass, refusalFrom } from './errors.ts';
import { TEXT_PAGE_HEADERS } from './page-headers.ts';
import { openLink, type Seal, sealLink } from './signed-links.ts';

/** The records that have files behind them: the generation that has such records, and how long a link lives. */
const FILE_KINDS: Readonly<Record<FileKind, { dialect: 'v1' | 'v2'; seconds: number }>> = {
  document: { dialect: 'v1', seconds: 900 },
  attachment: { dialect: 'v2', seconds: 300 },
};

/** What a link names. */
export interface FilePlace {
  readonly kind: FileKind;
  readonly id: Id;
}

/** A fresh link to the file of a record. */
export function fileLink(sandbox: Sandbox, baseUrl: string, place: FilePlace): string {
  const { kind, id } = place;
  const { dialect, seconds } = FILE_KINDS[kind];
  const name = dialect === 'v1' ? formatV1(kind, id) : formatV2(kind, id);
  const seal = sealLink(sandbox, subjectOf(place), sandbox.clock.now() + seconds * SECOND_MS);
  return `${baseUrl}/_sandbox/files/${sandbox.name}/${name}?${seal}`;
}

/** What a link names. Refuses: `link_unknown` for a link that we did not make, `link_expired`. */
function readFileLink(
  sandbox: Sandbox | undefined,
  name: string,
  seal: Seal,
): FilePlace & { readonly sandbox: Sandbox } {
  const place = placeOf(name);
  if (sandbox === undefined || place === undefined) throw refuse('link_unknown');
  openLink(sandbox, subjectOf(place), seal);
  return { ...place, sandbox };
}

/** The generation in whose words a link that does not open says so; v1 where it names nothing. */
function dialectOfLink(name: string): 'v1' | 'v2' {
  return FILE_KINDS[placeOf(name)?.kind ?? 'document'].dialect;
}

function placeOf(name: string): FilePlace | undefined {
  for (const kind of Object.keys(FILE_KINDS) as FileKind[]) {
    const id = tryParseId(kind, name);
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

function subjectOf({ kind, id }: FilePlace): string {
  return `${kind}/${id}`;
}

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
        ? spellRefusalV2(refusal, { requestId, method, now, clientId: sandbox?.program.clientId ?? '' })
        : spellRefusalV1(refusal, {
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
