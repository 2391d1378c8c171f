/**
 * Access to the control plane: on loopback every program on the machine, but no page of another origin; on other
 * addresses, or if a token is set, every caller with the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../../bank/kernel/refusal.ts';

export interface GuardOptions {
  /** The expected `x-control-token`; `null` if none is required. */
  token: string | null;
  /** Whether the token may also be sent as `Authorization: Bearer`, which most programs that collect metrics can. */
  takesBearer?: boolean;
}

export const TOKEN_HEADER = 'x-control-token';
const BEARER = /^Bearer +(\S+)$/i;

/**
 * Checks the token and the origin of a call. A browser sends no origin with some GETs of a page, such as those for an
 * image or a frame, but it marks them as cross-site. A link that a person opens is accepted, because no other page
 * can read the response. Refuses: `control_token_wrong`, `origin_foreign`.
 */
export function createGuard({ token, takesBearer = false }: GuardOptions): (request: FastifyRequest) => void {
  const expected = token === null ? null : digest(token);

  return ({ headers, protocol }) => {
    const { host = '', origin } = headers;
    if (origin !== undefined && origin.toLowerCase() !== `${protocol}://${host}`.toLowerCase()) {
      throw refuse('origin_foreign');
    }
    if (headers['sec-fetch-site'] === 'cross-site' && !isFollowedLink(headers))
      throw refuse('origin_foreign');
    if (expected === null) return;
    const bearer = takesBearer ? BEARER.exec(headers.authorization ?? '')?.[1] : undefined;
    const input = headers[TOKEN_HEADER] ?? bearer;
    // Digests have the same length, so the comparison does not reveal the length of the token.
    if (typeof input !== 'string' || !timingSafeEqual(digest(input), expected)) {
      throw refuse('control_token_wrong');
    }
  };
}

/** A navigation that replaces the current page of a tab, not in a frame and not a form submission. */
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
