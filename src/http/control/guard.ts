/**
 * Who may use the control plane. A server that listens on loopback is open to whoever is on the machine, but not to the
 * pages that a browser on it shows: neither by their own origin, nor by a name of theirs that they let point here. A
 * server that listens anywhere else, or was given a token, wants the token with every call.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../kernel/refusal.ts';

export interface GuardOptions {
  /** The address on which the server listens can be reached from this machine only. */
  isLocal: boolean;
  /** What `x-control-token` has to be; `null` where none is needed. */
  token: string | null;
}

const TOKEN_HEADER = 'x-control-token';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True for 127.0.0.0/8, ::1, `localhost` and the names below it. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version !== 0) return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
  return /^(.+\.)?localhost$/i.test(host);
}

/** Throws for a call that may not be: `control_token_wrong`, `host_foreign`, `origin_foreign`. */
export function createGuard({ isLocal, token }: GuardOptions): (request: FastifyRequest) => void {
  const expected = token === null ? null : digest(token);

  return ({ headers, protocol }) => {
    const { host = '', origin } = headers;
    if (isLocal && !isLoopback(hostName(host))) throw refuse('host_foreign');
    if (origin !== undefined && origin.toLowerCase() !== `${protocol}://${host}`.toLowerCase()) {
      throw refuse('origin_foreign');
    }
    if (expected === null) return;
    const given = headers[TOKEN_HEADER];
    // Digests are of one length, so the comparison tells nothing of the token's.
    if (typeof given !== 'string' || !timingSafeEqual(digest(given), expected)) {
      throw refuse('control_token_wrong');
    }
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Without the port; an IPv6 address without its brackets. */
function hostName(host: string): string {
  return /^\[([^\]]*)\](:\d+)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '');
}
