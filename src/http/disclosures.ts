/**
 * Signed links to the disclosure of who owns a business: whoever opens one signs it. A link says which of the links made
 * for the business it is, so that a new one ends those before.
 * Source: "business ownership disclosure" of the platform's v1 reference; decision `ownership-disclosure` in
 * docs/fidelity.md. [[http/control/disclosures.ts]] The page at which a disclosure is signed, without a key: opening
 * the link signs it, and the signer goes on to the address that the client gave, or reads that it is done. It stands in
 * for somebody else's site, so it is served whether or not the control plane is.
 * Source: "business ownership disclosure" of the platform's v1 reference; decision `ownership-disclosure` in
 * docs/fidelity.md.
 */

import type { FastifyInstance } from 'fastify';
import { formatV1, tryParseId } from '../api/ids.ts';
import { formatRefusal } from '../api/v1/errors.ts';
import type { DisclosureFile } from '../bank/inputs.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Registry } from '../sandboxes/registry.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { refusalFrom } from './errors.ts';
import { TEXT_PAGE_HEADERS } from './page-headers.ts';
import { openLink, type Seal, sealLink } from './signed-links.ts';

/** The query of such a link, as it came in. */
interface DisclosureSeal extends Seal {
  readonly generation?: string | undefined;
}

const GENERATION = /^[1-9]\d{0,8}$/;

/** The present link of a disclosure that is open; `''` of any other. */
export function disclosureLink(
  sandbox: Sandbox,
  baseUrl: string,
  { businessId, disclosure, openUntil }: DisclosureFile,
): string {
  if (disclosure === null || openUntil === null) return '';
  const { generation } = disclosure;
  const seal = sealLink(sandbox, subjectOf(businessId, generation), openUntil);
  const name = formatV1('business', businessId);
  return `${baseUrl}/_sandbox/disclosures/${sandbox.name}/${name}?generation=${generation}&${seal}`;
}

/** What a link is to sign. Refuses: `link_unknown` for a link that we did not make, `link_expired`. */
function readDisclosureLink(
  sandbox: Sandbox | undefined,
  name: string,
  seal: DisclosureSeal,
): { sandbox: Sandbox; businessId: Id; generation: number } {
  const businessId = tryParseId('business', name);
  const { generation = '' } = seal;
  if (sandbox === undefined || businessId === undefined || !GENERATION.test(generation)) {
    throw refuse('link_unknown');
  }
  openLink(sandbox, subjectOf(businessId, Number(generation)), seal);
  return { sandbox, businessId, generation: Number(generation) };
}

function subjectOf(businessId: Id, generation: number): string {
  return `disclosure/${businessId}/${generation}`;
}

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
    const { status, body } = formatRefusal(refusal, {
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
