/**
 * The format of the tables of operations. A row has the method, the path with its parameters in braces, the success
 * status, the response (`list<card>` is a page of cards, `month[days]<day>` a month with a list of days), and after a
 * colon the documented fields of the query of a GET or of the body of any other method. A row that begins with `+` is
 * an operation that is not published; its reason follows `:` too.
 */
import type { Row, Table } from './rows.ts';

export interface PublishedOperation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** As in our tables: `/v2/issuing/card/:card_id`. */
  readonly path: string;
  readonly status: number;
  /** The response: a record, or the frame of a list; absent for a response without a body. */
  readonly answer: Table | undefined;
  /** The records in its list, and the path of that list. */
  readonly items?: { readonly at: string; readonly table: Table };
  /** Top-level fields of the query or of the body. */
  readonly fields: readonly string[];
  readonly isPublished: boolean;
  readonly reason: Row['reason'];
}

/** Parses a table of operations; an unknown name of a response is an error. */
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
