/**
 * `GET /`: an overview of all addresses. A browser is redirected to the inspector, or, if the control plane is off,
 * gets a page with the addresses. Any other program gets JSON. It contains no secrets, because the key of the default
 * sandbox is the same in every Sandbank, so no token is needed.
 * Source: decision `served-paths` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../bank/kernel/refusal.ts';
import { baseUrlOf } from '../../reference/base-url.ts';
import { STYLED_PAGE_HEADERS } from '../../reference/page-headers.ts';
import { escapeHtml, formatPage } from '../../reference/pages/layout.ts';
import { INSPECTOR_PATH } from './inspector.ts';

export interface HomeOptions {
  version: string;
  /** Whether the control plane is on. */
  control: boolean;
  /** The key of the default sandbox. */
  apiKey: string;
}

interface Link {
  readonly path: string;
  readonly label: string;
  readonly says: string;
}

/** Serves `/`. */
export function registerHome(app: FastifyInstance, options: HomeOptions): void {
  app.get('/', (request, reply) => {
    // Both forms have the same address.
    reply.header('vary', 'accept').header('cache-control', 'no-cache');
    if (!wantsPage(request)) return reply.send(summary(options));
    if (options.control) return reply.redirect(`${INSPECTOR_PATH}/`, 303);
    return reply
      .headers(STYLED_PAGE_HEADERS)
      .type('text/html; charset=utf-8')
      .send(page(baseUrlOf(request), options));
  });
}

/** Only browsers name HTML; curl and most clients take anything. */
export function wantsPage({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(accept);
}

/** Sends the 404 page for people, with the addresses of everything else. */
export function sendMissingPage(reply: FastifyReply, { message }: Refusal): FastifyReply {
  const main = `<h1>Page not found</h1>
<p>${escapeHtml(message)}.</p>
<ul>
<li><a href="/">Home</a><span>The activity of this bank.</span></li>
<li><a href="/docs/">Documentation</a><span>Guides, and the reference, where you can try each call.</span></li>
</ul>`;
  return reply
    .code(404)
    .headers(STYLED_PAGE_HEADERS)
    .header('vary', 'accept')
    .type('text/html; charset=utf-8')
    .send(formatPage('Page not found · Sandbank', main));
}

/** The response for programs. Paths are relative to this server. */
function summary({ version, control }: HomeOptions) {
  return {
    name: 'sandbank',
    version,
    links: {
      docs: '/docs/',
      inspector: control ? `${INSPECTOR_PATH}/` : null,
      openapi: { v2: '/openapi/v2.json', v1: '/openapi/v1.json', sandbox: '/openapi/sandbox.json' },
      control_plane: control ? '/_sandbox' : null,
      live: '/livez',
      ready: '/readyz',
    },
  };
}

function page(url: string, { version, apiKey }: HomeOptions): string {
  const next: Link[] = [
    {
      path: '/docs/',
      label: 'Documentation',
      says: 'Guides, and the reference, where you can try each call.',
    },
  ];
  next.push(
    { path: '/openapi/v2.json', label: 'OpenAPI of v2', says: 'For tools that read an OpenAPI document.' },
    { path: '/openapi/v1.json', label: 'OpenAPI of v1', says: 'The same for v1, the older version.' },
    { path: '/readyz', label: 'Readiness', says: 'Whether the server accepts requests.' },
  );
  const items = next.map(
    ({ path, label, says }) => `<li><a href="${path}">${label}</a><span>${says}</span></li>`,
  );
  const call = `curl -s ${url}/v2/accounts/sub_account -H 'api-key: ${apiKey}'`;
  return formatPage(
    `Sandbank ${version}`,
    `<h1>Sandbank ${version} is running</h1>
<p>A local bank for development and tests. It imitates Solid’s public v2 and v1 API (solidfi.com). No real money moves.</p>
<p class="soft">Sandbank is independent. It is not affiliated with Solid.</p>
<h2>Send a first request</h2>
<p>Copy this line into a terminal. It lists the accounts of the default sandbox.</p>
<pre><code>${escapeHtml(call)}</code></pre>
<p>Your program needs this address and the key <code>${escapeHtml(apiKey)}</code>.</p>
<h2>Where to go next</h2>
<ul>
${items.join('\n')}
</ul>`,
  );
}
