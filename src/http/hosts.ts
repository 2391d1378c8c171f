/**
 * By which names the server may be called. A page that a browser shows can let a name of its own point at this machine
 * and then reads every answer as its own (DNS rebinding), so a server that listens on loopback answers only those who
 * call it by a name of this machine, or by one that was allowed, on every path. Two kinds of requests are let through
 * whatever they say: health checks, which are made under many names and learn nothing, and those that name no host, as
 * programs of HTTP/1.0 do and no browser does.
 * Source: decision `server-names` in docs/fidelity.md.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/refusal.ts';

export interface HostOptions {
  /** The address on which the server listens can be reached from this machine only. */
  readonly isLocal: boolean;
  /** Names besides those of this machine; `.example.com` stands for the domain and all below it, `*` for every name. */
  readonly allowedHosts: readonly string[];
}

const HEALTH_CHECKS: readonly (string | undefined)[] = ['/livez', '/readyz'];
const ANY = '*';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True for 127.0.0.0/8, ::1, `localhost` and the names below it. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version !== 0) return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** What throws for a request that names a foreign host: `host_foreign`. */
export function createHostCheck({ isLocal, allowedHosts }: HostOptions): (request: FastifyRequest) => void {
  if (allowedHosts.includes(ANY) || (!isLocal && allowedHosts.length === 0)) return () => {};
  const isAllowed = (host: string): boolean =>
    isLoopback(host) || allowedHosts.some((name) => covers(name, host));
  // The few names by which a server is called, so that one more look at a header costs nothing.
  const known = new Set(['']);

  return ({ headers: { host = '' }, routeOptions }) => {
    if (known.has(host)) return;
    if (isAllowed(hostName(host))) {
      if (known.size < 100) known.add(host);
    } else if (!HEALTH_CHECKS.includes(routeOptions.url)) {
      throw refuse('host_foreign');
    }
  };
}

/**
 * Takes a target in absolute form (`GET http://bank.example/v2/card`) as HTTP wants it: what stands there goes before
 * the Host header. Answers the target without it.
 */
export function readTarget({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.startsWith('/')) return url;
  const [whole, host = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (whole === undefined) return url;
  headers.host = host;
  const rest = url.slice(whole.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Where a caller reached the server; for one that named no host, the address that it came to. */
export function baseUrlOf({ protocol, host, raw: { socket } }: FastifyRequest): string {
  if (host !== '') return `${protocol}://${host}`;
  const { localAddress = '127.0.0.1', localPort } = socket;
  return `${protocol}://${isIP(localAddress) === 6 ? `[${localAddress}]` : localAddress}:${localPort}`;
}

function covers(name: string, host: string): boolean {
  const asked = host.toLowerCase();
  const allowed = name.toLowerCase();
  return allowed.startsWith('.') ? asked === allowed.slice(1) || asked.endsWith(allowed) : asked === allowed;
}

/** Without the port; an IPv6 address without its brackets. */
function hostName(host: string): string {
  return /^\[([^\]]*)\](:\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '');
}
