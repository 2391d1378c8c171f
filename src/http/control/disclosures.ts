/**
 * The page at which a disclosure is signed, without a key: opening the link signs it, and the signer goes on to the
 * address that the client gave, or reads that it is done. It stands in for somebody else's site, so it is served whether
 * or not the control plane is.
 * Source: "business ownership disclosure" of the platform's v1 reference; row 145 of docs/fidelity.md.
 */
import type { FastifyInstance } from 'fastify';
import { spellRefusal } from '../../dialects/v1/errors.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import { type DisclosureSeal, readDisclosureLink } from '../disclosure-links.ts';
import { refusalFrom } from '../framework-errors.ts';
import { TEXT_PAGE_HEADERS } from '../page-headers.ts';

interface DisclosureRoute {
  Params: { sandbox: string; business: string };
  Querystring: DisclosureSeal;
}

const WEB = /^https?:$/;
/** Nothing of the client's is on it. */
const DONE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Signed</title></head>
  <body><h1>Signed</h1><p>The ownership disclosure is signed. You can close this page.</p></body>
</html>
`;

/** Serves the disclosures of all sandboxes. */
export function registerDisclosures(app: FastifyInstance, registry: Registry): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    if (refusal === undefined) throw error;
    const { sandbox: name } = request.params as DisclosureRoute['Params'];
    const sandbox = registry.problemOf(name) === '' ? registry.byName(name) : undefined;
    const { status, body } = spellRefusal(refusal, {
      requestId: sandbox?.nextId() ?? registry.strayId(),
      programId: sandbox?.program.programId ?? '',
      method: request.method,
      now: sandbox?.clock.now() ?? registry.now(),
      resource: 'business',
    });
    return reply.code(status).send(body);
  });

  // A look at the head of the page is nobody's signature.
  const options = { exposeHeadRoute: false };
  app.get<DisclosureRoute>('/disclosures/:sandbox/:business', options, async ({ params, query }, reply) => {
    const link = readDisclosureLink(registry.byName(params.sandbox), params.business, query);
    const { sandbox, businessId, generation } = link;
    const { redirectUri } = await sandbox.commit(() =>
      sandbox.bank.businessProfiles.sign(businessId, generation),
    );
    reply.headers(TEXT_PAGE_HEADERS).header('cache-control', 'no-store');
    const next = URL.parse(redirectUri);
    if (next !== null && WEB.test(next.protocol)) return reply.redirect(next.href, 302);
    return reply.type('text/html; charset=utf-8').send(DONE);
  });
}
