/**
 * Links to files on this server: whoever holds one may take the file (GET) and give it (PUT) for 900 seconds of the
 * sandbox's clock, without a key, as with the platform's object store. The link carries its end and a signature.
 * Source: row 45 of docs/fidelity.md.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseId, spellV1 } from '../dialects/identifiers.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { SECOND_MS } from '../kernel/time.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';

export const LINK_SECONDS = 900;

/** A fresh link to the file of a document. */
export function fileLink(sandbox: Sandbox, baseUrl: string, id: Id): string {
  const expires = Math.floor(sandbox.clock.now() / SECOND_MS) + LINK_SECONDS;
  const signature = sign(sandbox, id, expires);
  return `${baseUrl}/_sandbox/files/${sandbox.name}/${spellV1('document', id)}?expires=${expires}&signature=${signature}`;
}

/** The document that a link names. Refuses: `link_unknown` for a link that we did not make, `link_expired`. */
export function readFileLink(
  sandbox: Sandbox | undefined,
  name: string,
  expires: string,
  signature: string,
): { sandbox: Sandbox; id: Id } {
  const id = parseId('document', name);
  const end = Number(expires);
  if (sandbox === undefined || id === undefined || !Number.isSafeInteger(end)) throw refuse('link_unknown');
  const expected = Buffer.from(sign(sandbox, id, end));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw refuse('link_unknown');
  if (sandbox.clock.now() >= end * SECOND_MS) throw refuse('link_expired');
  return { sandbox, id };
}

function sign(sandbox: Sandbox, id: Id, expires: number): string {
  return createHmac('sha256', sandbox.seeded.linkSecret)
    .update(`${sandbox.name}/${id}/${expires}`)
    .digest('hex');
}
