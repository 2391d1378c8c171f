/**
 * Finds the sandbox that a request addresses, by its key, its token or its path, before any sandbox is open. A
 * request without a valid name goes to the default sandbox, because the application checks it again and refuses it.
 */
import { V1_OPERATIONS } from '../../bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../bank/api/v2/index.ts';
import { nameInKey } from '../../sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX, SANDBOX_NAME } from '../../sandboxes/registry/names.ts';
import { bearerOf } from '../../server/http/keys.ts';
import { pathOf } from './target.ts';

/** The name of a sandbox, or a token whose mark the directory resolves. */
export type Addressed = { readonly name: string } | { readonly token: string };

const TOKEN_HEADERS: ReadonlySet<string> = new Set(
  [...V1_OPERATIONS, ...V2_OPERATIONS].flatMap(({ tokenHeader }) => tokenHeader ?? []),
);
/** Paths that contain the name of a sandbox. */
const NAMED_PATHS = [
  /^\/_sandbox\/(?:files|disclosures|checks)\/([^/]+)\//,
  /^\/_sandbox\/sandboxes\/([^/]+)$/,
];
/** The path of the operation whose body names a new sandbox. */
const CREATES = '/_sandbox/sandboxes';

/** Finds the sandbox or the token that a request addresses. */
export async function addressedBy(request: Request): Promise<Addressed> {
  const pathname = pathOf(request.url);
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
