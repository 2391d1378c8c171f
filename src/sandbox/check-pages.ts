/**
 * Signed links to the pages on which checks of people and businesses are decided. A link is good for as long as its check is
 * the present one of its holder, so it has no expiry, and records and events that show it stay as they are. It begins with the
 * address at which the sandbox was called last.
 * Source: decision `check-pages` in docs/fidelity.md.
 */
import { createHmac } from 'node:crypto';
import { formatV1, formatV2 } from '../api/ids.ts';
import type { CheckPage, CheckRef } from '../bank/holders/verification.ts';

/** What a link is signed with. */
export interface Signer {
  /** Of the sandbox. */
  readonly name: string;
  readonly linkSecret: string;
}

/** Signs a check, whichever version shows it. */
export function signCheck({ name, linkSecret }: Signer, { holder, kind, id }: CheckRef): string {
  return createHmac('sha256', linkSecret).update(`${name}/check/${holder.id}/${kind}/${id}`).digest('hex');
}

/** Makes the links of a sandbox. */
export function createCheckPages(signer: Signer, baseUrl: () => string): CheckPage {
  return (check) => {
    const { version, holder, kind, id } = check;
    const format = version === 'v1' ? formatV1 : formatV2;
    const path = `${signer.name}/${format(holder.type, holder.id)}/${format(kind, id)}`;
    return `${baseUrl()}/_sandbox/checks/${path}?signature=${signCheck(signer, check)}`;
  };
}
