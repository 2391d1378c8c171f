/**
 * The page on which the check of an identity document, a KYC or a KYB is decided. The platform sends people to the
 * page of a provider. This page says that it is an imitation and lets the visitor choose the outcome. Then it
 * redirects the browser to the client, with the query that such pages add. It replaces another site, so it needs
 * neither a key nor the control plane; its links are signed.
 * Source: the samples and apps of the platform, which append `&redirect-uri=`; decision `check-pages` in docs/fidelity.md.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { tryParseId } from '../../bank/api/ids.ts';
import { formatRefusal as formatRefusalV1 } from '../../bank/api/v1/errors.ts';
import { formatRefusal as formatRefusalV2 } from '../../bank/api/v2/errors.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Holder } from '../../bank/model/records.ts';
import type { VerificationStatus } from '../../bank/model/vocabulary.ts';
import type { CheckRef } from '../../bank/verbs/holders/verification.ts';
import { STYLED_PAGE_HEADERS } from '../../reference/page-headers.ts';
import { escapeHtml, formatPage } from '../../reference/pages/layout.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import { signCheck } from '../../sandboxes/sandbox/check-pages.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { refusalFrom } from './errors.ts';
import { Query, typedRoutes } from './typed-routes.ts';

const DECISIONS = ['pass', 'fail', 'review'] as const;
type Decision = (typeof DECISIONS)[number];
const isDecision = (text: string): text is Decision => (DECISIONS as readonly string[]).includes(text);

const LABELS: Readonly<Record<Decision, string>> = { pass: 'Pass', fail: 'Fail', review: 'Needs review' };
/** The statuses in the redirect, in the vocabulary of the platform's provider. */
const STATUSES: Readonly<Record<Decision, string>> = {
  pass: 'completed',
  fail: 'failed',
  review: 'needs_review',
};
const RESULTS: Readonly<Partial<Record<VerificationStatus, string>>> = {
  pass: 'It passed.',
  fail: 'It failed.',
  review: 'It is in review.',
};
const SUBJECTS: Readonly<Record<CheckRef['kind'], string>> = {
  idv: 'Identity document check (IDV)',
  kyc: 'Identity check (KYC)',
  kyb: 'Business check (KYB)',
};

/** URL schemes that run code, contain data or read a file. */
const NEVER = /^(javascript|data|vbscript|blob|filesystem|file|about|view-source):$/;

const Params = Type.Object({ sandbox: Type.String(), holder: Type.String(), check: Type.String() });
type Params = Static<typeof Params>;

/** A parsed request for the page of a check. */
interface Visit {
  readonly sandbox: Sandbox;
  readonly check: CheckRef;
  readonly signature: string;
  readonly decision: Decision | undefined;
  readonly redirectUri: URL | undefined;
}

/** Serves the pages of the checks of all sandboxes. */
export function registerChecks(app: FastifyInstance, registry: Registry): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalFrom(error);
    if (refusal === undefined) throw error;
    const { method } = request;
    const params = request.params as Params;
    const sandbox = registry.look(params.sandbox);
    const requestId = sandbox?.nextId() ?? registry.strayId();
    const now = sandbox?.clock.now() ?? registry.now();
    const { programId = '', clientId = '' } = sandbox?.program ?? {};
    const resource = params.holder.startsWith('bus-') ? 'business' : 'person';
    const { status, body } =
      versionOf(params.check) === 'v2'
        ? formatRefusalV2(refusal, { requestId, method, now, clientId })
        : formatRefusalV1(refusal, { requestId, method, now, programId, resource });
    return reply.code(status).send(body);
  });

  // A HEAD request must not decide.
  const options = {
    exposeHeadRoute: false,
    schema: { params: Params, querystring: Query },
  };
  typedRoutes(app).get('/checks/:sandbox/:holder/:check', options, async ({ params, query }, reply) => {
    const visit = parseVisit(registry, params, query);
    const { sandbox, decision, redirectUri } = visit;
    reply.headers(STYLED_PAGE_HEADERS).header('cache-control', 'no-store');
    const { holder, status } =
      decision === undefined ? stateOf(visit) : await sandbox.commit(() => decide(visit, decision));
    const back = redirectUri && isDecision(status) ? addressBack(redirectUri, params, status) : '';
    if (decision !== undefined && back) return reply.redirect(back, 302);
    const page = pageOf(visit, holder, status, back ?? '');
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

/** Refuses: `link_unknown` for a link that was not made here, `field_invalid`. */
function parseVisit(registry: Registry, params: Params, query: Query): Visit {
  const sandbox = registry.byName(params.sandbox);
  const check = parseCheck(params);
  const { signature } = query;
  if (sandbox === undefined || check === undefined || typeof signature !== 'string') {
    throw refuse('link_unknown');
  }
  const { linkSecret } = sandbox.seeded;
  const expected = Buffer.from(signCheck({ name: sandbox.name, linkSecret }, check));
  const input = Buffer.from(signature);
  if (expected.length !== input.length || !timingSafeEqual(expected, input)) throw refuse('link_unknown');
  return {
    sandbox,
    check,
    signature,
    decision: parseDecision(query.decision),
    redirectUri: parseRedirect(query['redirect-uri']),
  };
}

function parseCheck(params: Params): CheckRef | undefined {
  const id = tryParseId('holder', params.holder);
  if (id === undefined) return undefined;
  for (const kind of ['idv', 'kyc', 'kyb'] as const) {
    const checkId = tryParseId(kind, params.check);
    const type = kind === 'kyb' ? 'business' : 'person';
    if (checkId !== undefined)
      return { version: versionOf(params.check), holder: { id, type }, kind, id: checkId };
  }
  return undefined;
}

const versionOf = (check: string): 'v1' | 'v2' => (/^[a-z]+_/.test(check) ? 'v2' : 'v1');

function parseDecision(text: string | string[] | undefined): Decision | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text === 'string' && isDecision(text)) return text;
  throw refuse('field_invalid', {
    field: 'decision',
    message: `decision must be one of ${DECISIONS.join(', ')}`,
  });
}

function parseRedirect(text: string | string[] | undefined): URL | undefined {
  if (text === undefined || text === '') return undefined;
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url !== null && !NEVER.test(url.protocol)) return url;
  throw refuse('field_invalid', {
    field: 'redirect-uri',
    message:
      'redirect-uri must be the address of a web page (https://...) or an app (myapp://...), percent-encoded',
  });
}

/** The holder and its current check. Refuses: `holder_not_found`, `link_expired` if a later check has begun. */
function stateOf({ sandbox, check }: Visit): { holder: Holder; status: VerificationStatus } {
  const { holder } = sandbox.bank.holders.byId(check.holder.id);
  const present = check.kind === 'idv' ? holder.idv : holder.verification;
  if (present?.id !== check.id) throw refuse('link_expired');
  return { holder, status: present.status };
}

/**
 * Decides a check, unless it has already passed or failed. Refuses: `link_expired`, `illegal_step` for a deactivated
 * holder.
 */
function decide(visit: Visit, decision: Decision): ReturnType<typeof stateOf> {
  const before = stateOf(visit);
  if (isOver(before.status)) return before;
  const { sandbox, check } = visit;
  sandbox.bank.simulation.holder(check.holder.id, check.kind === 'idv' ? `idv_${decision}` : decision);
  return stateOf(visit);
}

const isOver = (status: VerificationStatus): boolean => status === 'pass' || status === 'fail';

/** The client's address with the query that such a page adds. */
function addressBack(redirectUri: URL, { holder, check }: Params, status: Decision): string {
  const back = new URL(redirectUri);
  back.searchParams.append('inquiry-id', check);
  back.searchParams.append('status', STATUSES[status]);
  back.searchParams.append('reference-id', holder);
  return back.href;
}

function nameOf({ person, business }: Holder): string {
  if (person === null) return business?.legalName ?? '';
  return `${person.firstName} ${person.lastName}`;
}

/** `back` is the link to the client, `''` if there is none. */
function pageOf(visit: Visit, holder: Holder, status: VerificationStatus, back: string): string {
  const { check, signature, decision, redirectUri } = visit;
  const hrefOf = (choice: Decision): string => {
    const query = new URLSearchParams({ signature, decision: choice });
    if (redirectUri !== undefined) query.set('redirect-uri', redirectUri.href);
    return escapeHtml(`?${query}`);
  };
  const choices = DECISIONS.map((choice) => `<a href="${hrefOf(choice)}">${LABELS[choice]}</a>`).join('\n');
  const isDone = isOver(status) || decision !== undefined;
  const parts = [
    `<h1>${SUBJECTS[check.kind]}</h1>`,
    `<p>For <strong><bdi>${escapeHtml(nameOf(holder))}</bdi></strong></p>`,
    '<p class="soft">This page belongs to Sandbank, a local imitation of a bank. The check is simulated.</p>',
    RESULTS[status] === undefined ? '' : `<p>${RESULTS[status]}</p>`,
    isDone ? '' : `<p>Choose how the check ends:</p>\n<div class="choices">\n${choices}\n</div>`,
    isDone && back !== '' ? `<p><a href="${escapeHtml(back)}">Continue</a></p>` : '',
    isDone && back === '' ? '<p>You can close this page.</p>' : '',
  ];
  return formatPage(SUBJECTS[check.kind], parts.filter((part) => part !== '').join('\n'));
}
