/**
 * Signed links to the pages on which checks of people and businesses are decided. A link is valid while its check is
 * the current one of its holder, so it has no expiry, and records and events that contain it do not change. It starts
 * with the address at which the sandbox was last called.
 * Source: decision `check-pages` in docs/fidelity.md.
 */
import { createHmac } from 'node:crypto';
import { formatV1, formatV2 } from '../../bank/api/ids.ts';
import type { CheckPage, CheckRef } from '../../bank/verbs/holders/verification.ts';

/** The name and the secret that sign a link. */
export interface Signer {
  /** The secret of the sandbox. */
  readonly name: string;
  readonly linkSecret: string;
}

/** Signs a check; the signature is the same in both versions. */
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
