/**
 * Signed links to the ownership disclosure of a business, and their page. Opening a link signs the disclosure and
 * redirects to the address that the client sent. A link contains its version number, so that a new link invalidates
 * the older ones. The page replaces another site, so it needs neither a key nor the control plane.
 * Source: "business ownership disclosure" of the platform's v1 reference; decision `ownership-disclosure` in
 * docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { formatV1, tryParseId } from '../../bank/api/ids.ts';
import { formatRefusal } from '../../bank/api/v1/errors.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { DisclosureFile } from '../../bank/verbs/inputs.ts';
import { TEXT_PAGE_HEADERS } from '../../reference/page-headers.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { refusalFrom } from './errors.ts';
import { signLink, verifyLink } from './signed-links.ts';
import { Query, textOf, typedRoutes } from './typed-routes.ts';

const GENERATION = /^[1-9]\d{0,8}$/;

/** The current link of an open disclosure; `''` for any other. */
export function disclosureLink(
  sandbox: Sandbox,
  baseUrl: string,
  { businessId, disclosure, openUntil }: DisclosureFile,
): string {
  if (disclosure === null || openUntil === null) return '';
  const { generation } = disclosure;
  const seal = signLink(sandbox, subjectOf(businessId, generation), openUntil);
  const name = formatV1('business', businessId);
  return `${baseUrl}/_sandbox/disclosures/${sandbox.name}/${name}?generation=${generation}&${seal}`;
}

/** The disclosure that a link signs. Refuses: `link_unknown` for a link that was not made here, `link_expired`. */
function parseDisclosureLink(
  sandbox: Sandbox | undefined,
  name: string,
  query: Query,
): { sandbox: Sandbox; businessId: Id; generation: number } {
  const businessId = tryParseId('business', name);
  const generation = textOf(query.generation);
  if (sandbox === undefined || businessId === undefined || !GENERATION.test(generation)) {
    throw refuse('link_unknown');
  }
  verifyLink(sandbox, subjectOf(businessId, Number(generation)), query);
  return { sandbox, businessId, generation: Number(generation) };
}

function subjectOf(businessId: Id, generation: number): string {
  return `disclosure/${businessId}/${generation}`;
}

const Params = Type.Object({ sandbox: Type.String(), business: Type.String() });

const WEB = /^https?:$/;
/** A constant page, without any text from a request. */
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
    const { sandbox: name } = request.params as Static<typeof Params>;
    const sandbox = registry.look(name);
    const { status, body } = formatRefusal(refusal, {
      requestId: sandbox?.nextId() ?? registry.strayId(),
      programId: sandbox?.program.programId ?? '',
      method: request.method,
      now: sandbox?.clock.now() ?? registry.now(),
      resource: 'business',
    });
    return reply.code(status).send(body);
  });

  // A HEAD request must not sign.
  const options = {
    exposeHeadRoute: false,
    schema: { params: Params, querystring: Query },
  };
  typedRoutes(app).get('/disclosures/:sandbox/:business', options, async ({ params, query }, reply) => {
    const link = parseDisclosureLink(registry.byName(params.sandbox), params.business, query);
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
