/**
 * The inspector at `/_sandbox/ui`: a page that shows the bank. `build/inspector.mjs` makes its files, and each is
 * read at its first use. They contain no data, so they need no token; the guard of the control plane checks every
 * call of the page. Every address below the path returns the page, so that links to a view work.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { projectFilesIn, readServedFile } from '../../bank/kernel/project.ts';
import { headersWith } from '../../reference/page-headers.ts';

/** The path of the page. */
export const INSPECTOR_PATH = '/_sandbox/ui';

const FOLDER = 'dist/inspector/';
const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};
const NOT_MADE =
  'The inspector was not built: run "node build/bundle.mjs" in the folder of the program. The control plane is at /_sandbox.\n';

/** The page may run only its own scripts and styles, call only this server, and not be framed. */
const HEADERS = headersWith({
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'img-src': 'data:',
  'connect-src': "'self'",
});

/** Serves the page, below its path. */
export function registerInspector(app: FastifyInstance): void {
  const files = new Map<string, Buffer>();

  const read = async (name: string): Promise<Buffer | undefined> => {
    const known = files.get(name);
    if (known !== undefined) return known;
    // Only files that exist are served: a name from a request never becomes a path.
    if (!projectFilesIn(FOLDER).includes(name)) return undefined;
    const file = await readServedFile(FOLDER + name);
    if (file !== undefined) files.set(name, file);
    return file;
  };
  const send = (reply: FastifyReply, name: string, file: Buffer): FastifyReply => {
    // All other names change with the contents of their files.
    const lasts = name === PAGE ? 'no-cache' : 'public, max-age=31536000, immutable';
    return reply
      .header('cache-control', lasts)
      .type(TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
      .send(file);
  };
  const sendPage = async (reply: FastifyReply): Promise<FastifyReply> => {
    const page = await read(PAGE);
    if (page !== undefined) return send(reply, PAGE, page);
    return reply.code(404).type('text/plain; charset=utf-8').send(NOT_MADE);
  };

  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(HEADERS);
    done();
  });
  app.get('/', (_, reply) => sendPage(reply));
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const name = request.params['*'];
    const file = await read(name);
    if (file !== undefined) return send(reply, name, file);
    return /\.(js|css|map)$/.test(name) ? reply.callNotFound() : sendPage(reply);
  });
}
