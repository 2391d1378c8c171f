/**
 * Links to this server that need no key: whoever holds one may do what it is for until it ends on the sandbox's clock.
 * A link carries its end and a signature over what it names, so nothing is kept of it.
 * Source: decision `document-links` in docs/fidelity.md.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '../kernel/refusal.ts';
import { type Instant, SECOND_MS } from '../kernel/time.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

/** The query that a signed link ends with, as it came in. */
export interface Seal {
  readonly expires?: string | undefined;
  readonly signature?: string | undefined;
}

/** The query of a link to `what` (`document/<id>`) that ends at an instant, cut to its second. */
export function sealLink(sandbox: Sandbox, what: string, end: Instant): string {
  const expires = Math.floor(end / SECOND_MS);
  return `expires=${expires}&signature=${sign(sandbox, what, expires)}`;
}

/** Makes sure that a link to `what` is ours and not over. Refuses: `link_unknown`, `link_expired`. */
export function openLink(sandbox: Sandbox, what: string, { expires = '', signature = '' }: Seal): void {
  const end = Number(expires);
  if (!Number.isSafeInteger(end)) throw refuse('link_unknown');
  const expected = Buffer.from(sign(sandbox, what, end));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw refuse('link_unknown');
  if (sandbox.clock.now() >= end * SECOND_MS) throw refuse('link_expired');
}

function sign(sandbox: Sandbox, what: string, expires: number): string {
  return createHmac('sha256', sandbox.seeded.linkSecret)
    .update(`${sandbox.name}/${what}/${expires}`)
    .digest('hex');
}
