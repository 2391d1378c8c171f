/**
 * The host names by which the server may be called. A web page can make its own domain name point to this machine and
 * read the responses (DNS rebinding). So a server on loopback accepts only the names of this machine, the platform's
 * names and allowed names. Two kinds of requests always pass: health checks, which use many names and reveal nothing,
 * and HTTP/1.0 requests without a host, which no browser sends.
 * Source: decision `server-names` in docs/fidelity.md.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../bank/kernel/loopback.ts';
import { refuse } from '../../bank/kernel/refusal.ts';

export interface HostOptions {
  /** Whether only this machine can reach the address on which the server listens. */
  readonly isLocal: boolean;
  /**
   * Names in addition to those of this machine; `.example.com` matches the domain and its subdomains, `*` matches
   * every name.
   */
  readonly allowedHosts: readonly string[];
}

/** The platform's own names, for programs with a fixed address. No foreign page can have one of these names. */
const PLATFORM_HOSTS = ['api.solidfi.com', 'test-api.solidfi.com', 'api.sandbox.solidfi.com'] as const;
const HEALTH_CHECKS: readonly (string | undefined)[] = ['/livez', '/readyz'];
const ANY = '*';

/**
 * HTTP/1.1 requires a Host. Node would refuse a missing one itself, without the error body of the API version.
 * Refuses: `field_invalid`.
 */
export function requireHost({ raw: { httpVersion }, headers: { host } }: FastifyRequest): void {
  if (host !== undefined || httpVersion !== '1.1') return;
  throw refuse('field_invalid', { message: 'a request of HTTP/1.1 requires the header Host' });
}

/** Creates the check of a request's host. Refuses: `host_foreign`. */
export function createHostCheck({ isLocal, allowedHosts }: HostOptions): (request: FastifyRequest) => void {
  if (allowedHosts.includes(ANY) || (!isLocal && allowedHosts.length === 0)) return () => {};
  const isAllowed = (host: string): boolean =>
    isLoopback(host) || [...PLATFORM_HOSTS, ...allowedHosts].some((name) => covers(name, host));
  // Clients use few names, so the result for each name is cached.
  const known = new Set(['']);

  return (request) => {
    const { host = '' } = request.headers;
    if (known.has(host)) return;
    if (isAllowed(hostName(host))) {
      if (known.size < 100) known.add(host);
    } else if (!HEALTH_CHECKS.includes(request.routeOptions.url)) {
      throw refuse('host_foreign');
    }
  };
}

/**
 * Parses a target in absolute form (`GET http://bank.example/v2/card`): its host replaces the Host header, as HTTP
 * requires. Returns the target without the host.
 */
export function parseTarget({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.startsWith('/')) return url;
  const [whole, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (whole === undefined) return url;
  headers.host = host;
  const rest = url.slice(whole.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The target of an operation, followed by one slash. */
const ENDS_WITH_SLASH = /^(\/(?:v1|v2|_sandbox)\/[^?#]*[^/?#])\/(?=[?#]|$)/;

/**
 * Removes the slash at the end of an operation's target, which pages of the platform print. This happens before
 * routing, so that faults, idempotency keys and the journal see one path for each operation.
 */
export function trimSlash(target: string): string {
  const mayEnd = target.endsWith('/') || target.includes('/?') || target.includes('/#');
  return mayEnd ? target.replace(ENDS_WITH_SLASH, '$1') : target;
}

function covers(name: string, host: string): boolean {
  const called = host.toLowerCase();
  const allowed = name.toLowerCase();
  return allowed.startsWith('.')
    ? called === allowed.slice(1) || called.endsWith(allowed)
    : called === allowed;
}

/** Without the port; an IPv6 address without its brackets. */
function hostName(host: string): string {
  return /^\[([^\]]*)\](:\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '');
}
