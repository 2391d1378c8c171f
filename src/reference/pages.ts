/**
 * Serves the documentation at `/docs`. A page is written when it is requested (reference/documentation.ts), and that
 * code is loaded by the first page. The style sheet, the script and the pictures are files of docs/.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectFilesIn, readServedFile } from '../bank/kernel/project.ts';
import { baseUrlOf } from './base-url.ts';
import type { Documents } from './openapi/document.ts';
import { DOCUMENTATION_HEADERS, DRAWING_HEADERS } from './page-headers.ts';
import type { ReadDocument } from './pages/documentation.ts';
import type { Document, Source } from './pages/page.ts';

const FOLDER = 'docs/';
/** The files of the folder that are served as they are. */
const SERVED = /^(page\.(css|js)|pictures\/[\w-]+\.(webp|svg))$/;
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  zip: 'application/zip',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};
/** Programs look for these files at the root too. */
const AT_ROOT = ['llms.txt', 'llms-full.txt'];
const HOME = 'index.html';

/** Serves the overviews for agents at the root. */
export function registerOverviews(app: FastifyInstance): void {
  for (const name of AT_ROOT) {
    app.get(`/${name}`, async (request, reply) =>
      send(reply.headers(DOCUMENTATION_HEADERS), name, await write(name, baseUrlOf(request))),
    );
  }
}

/** Serves the pages below its prefix. The documents are those that the pages of the operations show. */
export function registerDocs(app: FastifyInstance, documents: () => Promise<Documents>): void {
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(DOCUMENTATION_HEADERS);
    done();
  });
  // Relative links of the pages need the slash.
  app.get('/', async (request, reply) =>
    request.url.split('?', 1)[0]?.endsWith('/')
      ? send(reply, HOME, await write(HOME, baseUrlOf(request)))
      : reply.redirect('/docs/', 308),
  );
  app.get<{ Params: { '*': string }; Querystring: { q?: unknown } }>('/*', async (request, reply) => {
    const name = request.params['*'];
    const { q } = request.query;
    const file = SERVED.test(name) ? await readFile(name) : undefined;
    const page =
      file ??
      (await write(name, baseUrlOf(request), typeof q === 'string' ? q : '', readerOf(documents, request)));
    if (page !== undefined) return send(reply, name, page);
    const { isPage, writeMissing } = await import('./pages/documentation.ts');
    if (await isPage(name)) return reply.redirect(`/docs/${name}.html`, 308);
    // A missing script or picture gets no page.
    if (/\.(?!html$)[a-z]+$/.test(name)) return send(reply, name, undefined);
    return send(reply.code(404), HOME, await writeMissing());
  });
}

async function write(name: string, address: string, query = '', read: ReadDocument = async () => undefined) {
  const { writeDocument } = await import('./pages/documentation.ts');
  return writeDocument(name, address, query, read);
}

/** Reads a document with the ids and the address of the bank that the request reached. */
const readerOf =
  (documents: () => Promise<Documents>, request: FastifyRequest): ReadDocument =>
  async (name) => {
    const print = (await documents()).get(name);
    if (print === undefined) return undefined;
    const { document } = await print(request);
    return { name: name as Source['name'], document: document as unknown as Document };
  };

const files = new Map<string, Buffer>();

async function readFile(name: string): Promise<Buffer | undefined> {
  const known = files.get(name);
  // Only existing files are served: a name from a request never becomes a path.
  if (known !== undefined || !projectFilesIn(FOLDER).includes(name)) return known;
  const file = await readServedFile(FOLDER + name);
  if (file !== undefined) files.set(name, file);
  return file;
}

function send(reply: FastifyReply, name: string, page: string | Buffer | undefined): FastifyReply {
  if (page === undefined) {
    reply.callNotFound();
    return reply;
  }
  const kind = name.split('.').at(-1) ?? '';
  if (kind === 'svg') reply.headers(DRAWING_HEADERS);
  return reply.type(TYPES[kind] ?? '').send(page);
}
