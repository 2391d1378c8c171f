/**
 * The frame of every list of v2, and the query that asks for one. Query values are texts: nothing is coerced, so a limit
 * is a text of digits here and a number after its reader.
 * Source: the pagination page of the platform's v2 reference; rows 15 and 16 of docs/fidelity.md.
 */
import { type TArray, type TObject, type TSchema, type TString, type TUnsafe, Type } from '@sinclair/typebox';
import { Flag, record, text } from './fields.ts';

const cursor = text('The cursor of a record; "" when there is no such page.');

/** A page of these items. */
export function listOf<S extends TSchema>(
  title: string,
  item: S,
): TObject<{
  total: ReturnType<typeof Type.Integer>;
  data: TArray<S>;
  has_more: TUnsafe<'true' | 'false'>;
  starting_after: TString;
  ending_before: TString;
}> {
  return record(title, 'One page of a list.', {
    total: Type.Integer({ description: 'How many match, on all pages.' }),
    data: Type.Array(item, { description: 'What is on the page.' }),
    has_more: Flag,
    starting_after: cursor,
    ending_before: cursor,
  });
}

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.String({ maxLength: 10, description: '1 to 100; 25 when not sent.' })),
  starting_after: Type.Optional(Type.String({ maxLength: 200, description: 'The page after this cursor.' })),
  ending_before: Type.Optional(Type.String({ maxLength: 200, description: 'The page before this cursor.' })),
});
