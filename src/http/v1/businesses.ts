/**
 * Which business a path is about: a person and a business are holders of one kind of id, and only one of them is meant.
 * Source: row 20 of docs/fidelity.md.
 */
import type { Bank } from '../../bank/bank.ts';
import type { HolderFile } from '../../bank/inputs.ts';
import { readId } from '../../dialects/v1/readers/ids.ts';
import { refuse } from '../../kernel/refusal.ts';

/** Refuses: `holder_not_found`, also for a person. */
export function readBusiness({ holders }: Bank, text: string): HolderFile {
  const file = holders.byId(readId('business', text));
  if (file.holder.type !== 'business') throw refuse('holder_not_found');
  return file;
}
