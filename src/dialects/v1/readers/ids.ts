/**
 * Reads ids out of paths and bodies. A text that is no id of its kind names nothing, so it is refused like an id that
 * nobody has: with the resource's own "not found".
 * Source: rows 9 and 17 of docs/fidelity.md.
 */
import { refuse } from '../../../kernel/refusal.ts';
import type { RefusalCode } from '../../../kernel/refusals.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { Program } from '../../../model/records.ts';
import { parseId } from '../../identifiers.ts';

const NOT_FOUND = {
  person: 'holder_not_found',
  business: 'holder_not_found',
  family: 'family_not_found',
  member: 'member_not_found',
  account: 'account_not_found',
  card: 'card_not_found',
  counterparty: 'counterparty_not_found',
  transaction: 'transaction_not_found',
  transfer: 'transfer_not_found',
  document: 'document_not_found',
  webhook: 'webhook_not_found',
  program: 'program_not_found',
} as const satisfies Record<string, RefusalCode>;

/** Makes sure that a path names the sandbox's own program. Refuses: `program_not_found`. */
export function requireProgram({ programId }: Program, text: string): void {
  if (readId('program', text) !== programId) throw refuse('program_not_found');
}

/**
 * Reads an id of this kind in either generation's spelling; `field` where the body names it and not the path. Refuses:
 * the kind's `..._not_found`.
 */
export function readId(kind: keyof typeof NOT_FOUND, text: string, field = ''): Id {
  const id = parseId(kind, text);
  if (id === undefined) throw refuse(NOT_FOUND[kind], { field });
  return id;
}
