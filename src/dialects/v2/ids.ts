/**
 * Ids on v2's wire. An answer always writes v2's prefix and 32 digits; a request may name the same thing in either
 * generation's spelling. A text that is no id of the kind names nothing, and is refused like an id nobody has.
 * Source: row 17 of docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import { type IdKind, parseId, spellV2 } from '../identifiers.ts';

const NOT_FOUND = {
  master_account: 'master_account_not_found',
  holder: 'holder_not_found',
  account: 'account_not_found',
  card_holder: 'card_holder_not_found',
  card: 'card_not_found',
  counterparty: 'counterparty_not_found',
  transaction: 'transaction_not_found',
  attachment: 'attachment_not_found',
  webhook: 'webhook_not_found',
} as const satisfies Partial<Record<IdKind, RefusalCode>>;

/** What a v2 request may name by its id. */
export type NamedKind = keyof typeof NOT_FOUND;

/** Writes `sub_` and the 32 digits; an unset id stays `''`. */
export const writeId: (kind: IdKind, id: Id | '') => string = spellV2;

/** Reads an id of this kind in either generation's spelling. Refuses: `<kind>_not_found` when it is none. */
export function readId(kind: NamedKind, text: string): Id {
  const id = parseId(kind, text);
  if (id === undefined) throw refuse(NOT_FOUND[kind]);
  return id;
}
