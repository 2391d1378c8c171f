/**
 * Who may call the control plane: on loopback everybody on the machine, but no page of another origin; elsewhere, or where a
 * token is set, whoever has the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../kernel/refusal.ts';

export interface GuardOptions {
  /** The expected `x-control-token`; `null` where none is needed. */
  token: string | null;
}

export const TOKEN_HEADER = 'x-control-token';

/**
 * Checks token and origin of a call. A browser sends no origin with some GETs of a page, like those of an image or a frame,
 * but it says that they are cross-site. A link that a person follows is let through: no page can read what it shows.
 * Refuses: `control_token_wrong`, `origin_foreign`.
 */
export function createGuard({ token }: GuardOptions): (request: FastifyRequest) => void {
  const expected = token === null ? null : digest(token);

  return ({ headers, protocol }) => {
    const { host = '', origin } = headers;
    if (origin !== undefined && origin.toLowerCase() !== `${protocol}://${host}`.toLowerCase()) {
      throw refuse('origin_foreign');
    }
    if (headers['sec-fetch-site'] === 'cross-site' && !isFollowedLink(headers))
      throw refuse('origin_foreign');
    if (expected === null) return;
    const input = headers[TOKEN_HEADER];
    // Digests have one length, so the comparison reveals nothing of the token's.
    if (typeof input !== 'string' || !timingSafeEqual(digest(input), expected)) {
      throw refuse('control_token_wrong');
    }
  };
}

/** A page that replaces the present one, in a tab; not in a frame, and not a form that is sent. */
function isFollowedLink(headers: FastifyRequest['headers']): boolean {
  return (
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers.origin === undefined
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
