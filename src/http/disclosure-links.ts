/**
 * Signed links to the disclosure of who owns a business: whoever opens one signs it. A link says which of the links made
 * for the business it is, so that a new one ends those before.
 * Source: "business ownership disclosure" of the platform's v1 reference; row 145 of docs/fidelity.md.
 */
import type { DisclosureFile } from '../bank/inputs.ts';
import { parseId, spellV1 } from '../dialects/identifiers.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { openLink, type Seal, sealLink } from './signed-links.ts';

/** The query of such a link, as it came in. */
export interface DisclosureSeal extends Seal {
  readonly generation?: string | undefined;
}

const GENERATION = /^[1-9]\d{0,8}$/;

/** The present link of a disclosure that is open; `''` of any other. */
export function disclosureLink(
  sandbox: Sandbox,
  baseUrl: string,
  { businessId, disclosure, openUntil }: DisclosureFile,
): string {
  if (disclosure === null || openUntil === null) return '';
  const { generation } = disclosure;
  const seal = sealLink(sandbox, subjectOf(businessId, generation), openUntil);
  const name = spellV1('business', businessId);
  return `${baseUrl}/_sandbox/disclosures/${sandbox.name}/${name}?generation=${generation}&${seal}`;
}

/** What a link is to sign. Refuses: `link_unknown` for a link that we did not make, `link_expired`. */
export function readDisclosureLink(
  sandbox: Sandbox | undefined,
  name: string,
  seal: DisclosureSeal,
): { sandbox: Sandbox; businessId: Id; generation: number } {
  const businessId = parseId('business', name);
  const { generation = '' } = seal;
  if (sandbox === undefined || businessId === undefined || !GENERATION.test(generation)) {
    throw refuse('link_unknown');
  }
  openLink(sandbox, subjectOf(businessId, Number(generation)), seal);
  return { sandbox, businessId, generation: Number(generation) };
}

function subjectOf(businessId: Id, generation: number): string {
  return `disclosure/${businessId}/${generation}`;
}
