/**
 * Which sandbox a request is about, read before any sandbox is open: from its key, its token or its path. The application reads
 * the same again and refuses what is wrong, so whatever names nothing goes to the default sandbox.
 */
import { V1_OPERATIONS } from '../api/v1/index.ts';
import { V2_OPERATIONS } from '../api/v2/index.ts';
import { bearerOf } from '../http/keys.ts';
import { nameInKey } from '../registry/keys.ts';
import { DEFAULT_SANDBOX, SANDBOX_NAME } from '../registry/registry.ts';

/** The name of a sandbox, or a token whose mark the directory knows. */
export type Addressed = { readonly name: string } | { readonly token: string };

const TOKEN_HEADERS: ReadonlySet<string> = new Set(
  [...V1_OPERATIONS, ...V2_OPERATIONS].flatMap(({ tokenHeader }) => tokenHeader ?? []),
);
/** Paths with the name of a sandbox in them. */
const NAMED_PATHS = [
  /^\/_sandbox\/(?:files|disclosures|checks)\/([^/]+)\//,
  /^\/_sandbox\/sandboxes\/([^/]+)$/,
];
/** A new sandbox is named in the body. */
const CREATES = '/_sandbox/sandboxes';

/** What a request addresses. */
export async function addressedBy(request: Request): Promise<Addressed> {
  const { pathname } = new URL(request.url);
  const { method, headers } = request;
  const named = NAMED_PATHS.map((path) => path.exec(pathname)?.[1]).find((name) => name !== undefined);
  if (named !== undefined) return nameOr(decoded(named));
  if (method === 'POST' && pathname === CREATES) return nameOr(await nameInBody(request.clone()));
  const isV1 = /^\/v1(\/|$)/.test(pathname);
  const key = isV1
    ? (headers.get('sd-api-key') ?? bearerOf(headers.get('authorization') ?? '').key)
    : headers.get('api-key');
  if (key !== null && key !== undefined) return nameOr(nameInKey(key));
  for (const header of TOKEN_HEADERS) {
    const token = headers.get(header);
    if (token !== null) return { token };
  }
  return { name: DEFAULT_SANDBOX };
}

const nameOr = (name: unknown): Addressed => ({
  name: typeof name === 'string' && SANDBOX_NAME.test(name) ? name : DEFAULT_SANDBOX,
});

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

async function nameInBody(request: Request): Promise<unknown> {
  try {
    return ((await request.json()) as { name?: unknown } | null)?.name;
  } catch {
    return undefined;
  }
}
