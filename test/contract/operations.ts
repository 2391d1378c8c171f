/**
 * How the tables of operations are read. A row has the method, the path with its parameters in braces, the status of
 * success, what is answered (`list<card>` is a page of cards, `month[days]<day>` a month with a list of days), and after a
 * colon the fields that the platform documents for the query of a GET or for the
 * body of any other. A row that begins with `+` is an operation that is not published; its reason stands after `:` too.
 */
import type { Row, Table } from './rows.ts';

export interface PublishedOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As ours writes it: `/v2/issuing/card/:card_id`. */
  readonly path: string;
  readonly status: number;
  /** What is answered: a record, or the frame of a list; nothing for an answer without a body. */
  readonly answer: Table | undefined;
  /** The records in a list of it, and where that list is. */
  readonly items?: { readonly at: string; readonly table: Table };
  /** Top-level fields of the query or of the body. */
  readonly fields: readonly string[];
  readonly isPublished: boolean;
  readonly reason: Row['reason'];
}

/** Reads a table of operations; a name of an answer that no table has fails. */
export function readOperations(
  text: string,
  tables: Readonly<Record<string, Table>>,
  frame: Table,
): PublishedOperation[] {
  const tableOf = (name: string): Table => {
    const found = tables[name];
    if (found === undefined) throw new Error(`no table is called ${name}`);
    return found;
  };
  const readAnswer = (answer: string): Pick<PublishedOperation, 'answer' | 'items'> => {
    if (answer === '-') return { answer: undefined };
    const [, whole = '', at = 'data', item] = /^(\w+)(?:\[(\w+)\])?(?:<(\w+)>)?$/.exec(answer) ?? [];
    return {
      answer: whole === 'list' ? frame : tableOf(whole),
      ...(item !== undefined && { items: { at, table: tableOf(item) } }),
    };
  };
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, mark, method = '', path = '', status, answer = '', rest = ''] =
        /^(\+?)\s*([A-Z]+)\s+(\S+)\s+(\d+)\s+(\S+)(?:\s+:\s+(.+))?$/.exec(line) ?? [];
      if (path === '') throw new Error(`no row of operations: "${line}"`);
      return {
        method: method as PublishedOperation['method'],
        path: path.replace(/\{(\w+)\}/g, ':$1'),
        status: Number(status),
        ...readAnswer(answer),
        fields: mark === '+' || rest === '' ? [] : rest.split(/\s+/),
        isPublished: mark !== '+',
        reason: mark === '+' ? rest : '',
      };
    });
}
