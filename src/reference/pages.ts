/**
 * The pages for people at `/docs`: the guides, and the reference of the three OpenAPI documents. `build/bundle.mjs`
 * makes their files, so they need no network; each file is read at its first use. This file also defines the headers
 * of all pages: a page loads scripts, styles and data only from this server, has no inline scripts, and cannot be
 * framed. Its icon is a `data:` URL.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { projectFilesIn, readServedFile } from '../bank/kernel/project.ts';

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The headers of the pages at `/docs`. */
const PAGE_HEADERS: Readonly<Record<string, string>> = headersWith(POLICY);

/** The policy of a page with text only: it may load nothing. */
export const TEXT_POLICY = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const;

/** The headers of a page with text only. */
export const TEXT_PAGE_HEADERS: Readonly<Record<string, string>> = headersWith(TEXT_POLICY);

/** The headers of a page with this content security policy. */
export function headersWith(policy: Readonly<Record<string, string>>): Record<string, string> {
  return {
    'content-security-policy': Object.entries(policy)
      .map(([what, from]) => `${what} ${from}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

const FOLDER = 'dist/site/';
const HOME = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  zip: 'application/zip',
  webp: 'image/webp',
};
/** Files whose names contain a hash of their contents. */
const NAMED_BY_CONTENT = /^assets\/.*\.[\w-]{8}(?:\.lean)?\.(?:css|js|webp)$/;
/** In a checkout, `npm ci` leaves the pages to `npm start`. */
const NOT_MADE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>The pages are not ready yet · Sandbank</title>
</head>
<body>
<h1>The pages are not ready yet</h1>
<p>The first <code>npm start</code> builds them while the bank runs, which takes some seconds. Then this page reloads automatically.</p>
<p>If it does not, run <code>npm run pages</code> in the folder of the program.</p>
<p>The OpenAPI documents are at <a href="/openapi/v2.json">/openapi/v2.json</a>, <a href="/openapi/v1.json">/openapi/v1.json</a>
and <a href="/openapi/sandbox.json">/openapi/sandbox.json</a>.</p>
</body>
</html>
`;
const LOOK_AGAIN_SECONDS = 2;

/** The response for a missing page: a page with the search. */
const NOT_FOUND = '404.html';
/** Programs also look for these files at the root. */
const OVERVIEW = 'llms.txt';
/** The overview followed by the text of every page. */
const WHOLE = 'llms-full.txt';
const AT_ROOT = [OVERVIEW, WHOLE];

const pages = new Map<string, Buffer>();

/** Serves the overview for agents at the root. */
export function registerOverviews(app: FastifyInstance): void {
  for (const name of AT_ROOT) {
    app.get(`/${name}`, async (_, reply) => {
      const page = await readPage(name);
      return page === undefined ? reply.callNotFound() : sendPage(reply.headers(PAGE_HEADERS), name, page);
    });
  }
}

/** Generates a page that is not a file; `undefined` for an unknown name. */
export type PageWriter = (name: string, request: FastifyRequest) => Promise<string | undefined>;

/** Serves the pages below its prefix: files, and generated pages. */
export function registerDocs(app: FastifyInstance, write: PageWriter): void {
  app.addHook('onRequest', (_, reply, done) => {
    reply.headers(PAGE_HEADERS);
    done();
  });
  // Relative links of the pages need the slash.
  app.get('/', async (request, reply) => {
    if (!request.url.split('?', 1)[0]?.endsWith('/')) return reply.redirect('/docs/', 308);
    const page = await readPage(HOME);
    return page === undefined ? sendNotMade(reply) : sendPage(reply, HOME, page);
  });
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const name = request.params['*'];
    const page = await readPage(name);
    if (page !== undefined) return sendPage(reply, name, page);
    const written = await write(name, request);
    if (written !== undefined) return reply.type(TYPES.html ?? '').send(written);
    // Redirects the addresses of earlier versions, which had no folders.
    const moved = name.includes('/') ? undefined : names().find((one) => one.endsWith(`/${name}`));
    if (moved !== undefined && name.endsWith('.html')) return reply.redirect(`/docs/${moved}`, 308);
    if (names().includes(`${name}.html`)) return reply.redirect(`/docs/${name}.html`, 308);
    // A missing script or picture gets no page.
    const isPage = !/\.(?!html$)[a-z]+$/.test(name);
    if (isPage && names().length === 0) return sendNotMade(reply);
    const missing = isPage ? await readPage(NOT_FOUND) : undefined;
    return missing === undefined ? reply.callNotFound() : sendPage(reply.code(404), NOT_FOUND, missing);
  });
}

function sendNotMade(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .header('refresh', LOOK_AGAIN_SECONDS)
    .header('retry-after', LOOK_AGAIN_SECONDS)
    .type('text/html; charset=utf-8')
    .send(NOT_MADE);
}

async function readPage(name: string): Promise<Buffer | undefined> {
  const known = pages.get(name);
  if (known !== undefined) return known;
  // Only existing pages are served: a name from a request never becomes a path.
  if (!names().includes(name === WHOLE ? OVERVIEW : name)) return undefined;
  const page = name === WHOLE ? await wholeText() : await readServedFile(FOLDER + name);
  if (page !== undefined) pages.set(name, page);
  return page;
}

function sendPage(reply: FastifyReply, name: string, page: Buffer): FastifyReply {
  if (NAMED_BY_CONTENT.test(name)) reply.header('cache-control', 'public, max-age=31536000, immutable');
  return reply.type(TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream').send(page);
}

async function wholeText(): Promise<Buffer> {
  const textOf = async (name: string): Promise<string> =>
    (await readServedFile(FOLDER + name))?.toString('utf8').trim() ?? '';
  const overview = await textOf(OVERVIEW);
  const linked = [...overview.matchAll(/^- \[[^\]]+\]\(\/docs\/([^)]+\.md)\)/gm)].map(
    ([, name = '']) => name,
  );
  const texts = await Promise.all(
    linked.map(async (name) => `<!-- /docs/${name} -->\n\n${await textOf(name)}`),
  );
  return Buffer.from(`${[overview.split('\n## ', 1)[0]?.trim(), ...texts].join('\n\n')}\n`);
}

const names = (): string[] => projectFilesIn(FOLDER);
