/**
 * Links to this server that need no key: anybody who has a link may use it until it expires on the sandbox's clock. A
 * link contains its expiry and a signature of its subject, so nothing is stored.
 * Source: decision `document-links` in docs/fidelity.md.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../bank/kernel/refusal.ts';
import { type Instant, SECOND_MS } from '../../bank/kernel/time.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { type Query, textOf } from './typed-routes.ts';

/** The query of a link to a subject (`document/<id>`) that expires at an instant, in whole seconds. */
export function signLink(sandbox: Sandbox, subject: string, end: Instant): string {
  const expires = Math.floor(end / SECOND_MS);
  return `expires=${expires}&signature=${sign(sandbox, subject, expires)}`;
}

/** Verifies the link to a subject. Refuses: `link_unknown`, `link_expired`. */
export function verifyLink(sandbox: Sandbox, subject: string, query: Query): void {
  const end = Number(textOf(query.expires));
  if (!Number.isSafeInteger(end)) throw refuse('link_unknown');
  const expected = Buffer.from(sign(sandbox, subject, end));
  const input = Buffer.from(textOf(query.signature));
  if (expected.length !== input.length || !timingSafeEqual(expected, input)) throw refuse('link_unknown');
  if (sandbox.clock.now() >= end * SECOND_MS) throw refuse('link_expired');
}

function sign(sandbox: Sandbox, subject: string, expires: number): string {
  return createHmac('sha256', sandbox.seeded.linkSecret)
    .update(`${sandbox.name}/${subject}/${expires}`)
    .digest('hex');
}
