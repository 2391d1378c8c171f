/**
 * Who may use the control plane. A server that listens on loopback is open to whoever is on the machine, but not to the
 * pages of other origins that a browser on it shows. A server that listens anywhere else, or was given a token, wants
 * the token with every call. By which names a server may be called at all is said in `hosts.ts`.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/refusal.ts';

export interface GuardOptions {
  /** What `x-control-token` has to be; `null` where none is needed. */
  token: string | null;
}

const TOKEN_HEADER = 'x-control-token';

/** Throws for a call that may not be: `control_token_wrong`, `origin_foreign`. */
export function createGuard({ token }: GuardOptions): (request: FastifyRequest) => void {
  const expected = token === null ? null : digest(token);

  return ({ headers, protocol }) => {
    const { host = '', origin } = headers;
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
