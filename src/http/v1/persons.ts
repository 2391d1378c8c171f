/**
 * What the operations on persons share: whom a path is about, and a list of persons as one page.
 * Source: rows 9 and 20 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Bank } from '../../bank/bank.ts';
import type { HolderFile } from '../../bank/inputs.ts';
import { readWindow, writeList } from '../../dialects/v1/paging.ts';
import { readId } from '../../dialects/v1/readers/ids.ts';
import { readPersonFilters } from '../../dialects/v1/readers/person.ts';
import type { PersonList, PersonQuery } from '../../dialects/v1/shapes/person.ts';
import { viewPersonHolder } from '../../dialects/v1/views/person.ts';
import { refuse } from '../../kernel/refusal.ts';

/** Reads whom a path is about. Refuses: `holder_not_found`, also for a business, whose id may look the same. */
export function personAt({ holders }: Bank, text: string): HolderFile {
  const file = holders.byId(readId('person', text));
  if (file.holder.type !== 'person') throw refuse('holder_not_found');
  return file;
}

/** A page of the persons that a query asks for. Refuses: `field_invalid`. */
export function listPersonsOf(
  { holders, program }: Bank,
  query: Static<typeof PersonQuery>,
): Static<typeof PersonList> {
  const page = holders.list(readPersonFilters(query), readWindow(query));
  return writeList(page, (file) => viewPersonHolder(file, program));
}
