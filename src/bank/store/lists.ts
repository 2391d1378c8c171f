/**
 * Lists: a page of the rows of a table that match some conditions, newest first, and their total number. Clients
 * combine filters in many ways, so the SQL of each combination is generated at its first use and cached. Ids are in
 * the order of creation, so "newest first" is by id, and a cursor is a position among the ids.
 */
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Id } from '../kernel/sequence.ts';
import type { Column, Condition, Value } from '../model/conditions.ts';
import { and, asc, desc, getTableColumns, or, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { PAGE, paged, unpeeked } from './rows.ts';
import { prepareRead, type Read } from './statement.ts';

/**
 * At most `limit` records older than `after`, or newer than `before`, or the newest; at most one of the two is not
 * `''`.
 */
export interface CursorWindow {
  readonly kind: 'cursor';
  readonly limit: number;
  readonly after: Id | '';
  readonly before: Id | '';
}

/** The fields by which a list can be ordered. */
type OrderField = 'id' | 'createdAt' | 'movedAt' | 'accountSeq';

/** At most `limit` records after the first `offset`, newest first unless ordered otherwise. */
export interface OffsetWindow {
  readonly kind: 'offset';
  readonly limit: number;
  readonly offset: number;
  readonly order?: { readonly field: OrderField; readonly direction: 'asc' | 'desc' };
}

export type Window = CursorWindow | OffsetWindow;

/** A page of a list in its order, and whether there are records before and after it. */
export interface Page<R> {
  readonly items: readonly R[];
  /** The number of matching records on all pages. */
  readonly total: number;
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** The lists of one table. */
export interface Listing<R, F extends string = Column<R>> {
  /** `total` is set if the caller has it, so that it is not counted. */
  page(where: readonly Condition<F>[], window: Window, total?: number): Page<R>;
  total(where: readonly Condition<F>[]): number;
  /** All matching records, newest first; only for small results. */
  all(where: readonly Condition<F>[]): R[];
}

/** Options for a table whose rows are not its records, or whose order is not by id. */
export interface ListingOptions {
  /** The columns of the record, if the table has further columns. */
  readonly columns?: Record<string, SQLiteColumn>;
  /** The column by which the rows are ordered and a cursor is found; `id` unless given. */
  readonly key?: string;
  /** Columns whose index contains only rows with a text; no list filters by the empty text. */
  readonly sparse?: readonly string[];
  /** Whether an index has the fields of most conditions, so that pages are found in it before their rows are read. */
  readonly isIndexed?: boolean;
  /** Filter fields besides the columns, by name. */
  readonly derived?: Readonly<Record<string, SQL>>;
}

/** Converts the records of a page. */
export function mapPage<A, B>(page: Page<A>, make: (item: A) => B): Page<B> {
  return { ...page, items: page.items.map(make) };
}

const OPERATORS = {
  is: (left: SQL, name: string) => sql`${left} = ${unpeeked(name)}`,
  not: (left: SQL, name: string) => sql`${left} <> ${unpeeked(name)}`,
  oneOf: (left: SQL, name: string) => sql`${left} in (select value from json_each(${sql.placeholder(name)}))`,
  from: (left: SQL, name: string) => sql`${left} >= ${unpeeked(name)}`,
  to: (left: SQL, name: string) => sql`${left} <= ${unpeeked(name)}`,
  contains: (left: SQL, name: string) => sql`instr(lower(${left}), ${unpeeked(name)}) > 0`,
  // Written out, so that a partial index is used.
  isSet: (left: SQL) => sql`${left} <> ''`,
  isNull: (left: SQL) => sql`${left} is null`,
  hasPair: (left: SQL, name: string) =>
    sql`exists (select 1 from json_each(${left}) as pair where json_array(pair.key, pair.value) = ${sql.placeholder(name)})`,
} as const;
type Operator = keyof typeof OPERATORS;

interface FieldTerm {
  readonly field: string;
  readonly operator: Operator;
  readonly value: Value;
}
type Term = FieldTerm | { readonly anyOf: readonly (readonly Term[])[] };

const READ = Object.keys(OPERATORS) as Operator[];

/** Lower case as in SQLite, which converts only ASCII letters. */
const lowered = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

function termOf(condition: Condition<string>): Term {
  if ('anyOf' in condition) return { anyOf: condition.anyOf.map((list) => list.map(termOf)) };
  const operator = READ.find((name) => name in condition);
  if (operator === undefined) throw new Error(`a condition on ${condition.field} is empty`);
  const value = (condition as unknown as Record<string, Value | readonly Value[] | true>)[operator];
  return {
    field: condition.field,
    operator,
    value: Array.isArray(value) ? JSON.stringify(value) : value === true ? '' : (value as Value),
    ...('contains' in condition && { value: lowered(condition.contains) }),
  };
}

/** The terms with values, in the order in which they are written. */
function leavesOf(terms: readonly Term[]): FieldTerm[] {
  return terms.flatMap((term) => ('anyOf' in term ? term.anyOf.flatMap(leavesOf) : [term]));
}

/** The key of the statement for a list of terms. */
function nameOf(terms: readonly Term[]): string {
  return terms
    .map((term) =>
      'anyOf' in term ? `(${term.anyOf.map(nameOf).join(' or ')})` : `${term.field} ${term.operator}`,
    )
    .join(', ');
}

/** The cached statement of this form, generated at its first use. */
function written<S>(forms: Map<string, S>, form: string, write: () => S): S {
  const known = forms.get(form);
  if (known !== undefined) return known;
  const made = write();
  forms.set(form, made);
  return made;
}

/** The lists of a table. */
export function createListing<R, F extends string = Column<R>>(
  db: Db,
  table: SQLiteTable,
  options: ListingOptions = {},
): Listing<R, F> {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const key = options.key ?? 'id';
  const rowForms = new Map<string, Read<unknown>>();
  const totalForms = new Map<string, Read<{ n: number }>>();

  const expression = (field: string): SQL => {
    const [name = '', ...path] = field.split('.');
    const column = options.derived?.[field] ?? columns[name];
    if (column === undefined) throw new Error(`no list supports the condition ${field}`);
    // Paths come from this program, never from a client.
    return path.length === 0
      ? sql`${column}`
      : sql`json_extract(${column}, ${sql.raw(`'$.${path.join('.')}'`)})`;
  };

  const whereOf = (terms: readonly Term[]): SQL | undefined => {
    let at = 0;
    const write = (list: readonly Term[]): SQL | undefined =>
      and(
        ...list.map((term) =>
          'anyOf' in term
            ? // A condition without alternatives matches nothing.
              (or(...term.anyOf.map(write)) ?? sql`0`)
            : and(
                OPERATORS[term.operator](expression(term.field), `v${at++}`),
                // SQLite uses such an index only if its condition is in the statement.
                term.operator === 'is' && options.sparse?.includes(term.field)
                  ? OPERATORS.isSet(expression(term.field))
                  : undefined,
              ),
        ),
      );
    return write(terms);
  };
  const valuesOf = (terms: readonly Term[]): Record<string, Value> =>
    Object.fromEntries(leavesOf(terms).map(({ value }, at) => [`v${at}`, value]));

  const rows = (
    terms: readonly Term[],
    direction: 'asc' | 'desc',
    limit: number,
    { offset = 0, by = key }: { offset?: number; by?: string } = {},
  ): R[] => {
    const towards = direction === 'asc' ? asc : desc;
    const order =
      by === key ? [towards(expression(key))] : [towards(expression(by)), towards(expression(key))];
    const found = written(rowForms, `${by} ${direction}: ${nameOf(terms)}`, () =>
      prepareRead(db, options.columns ?? columns, (select) => {
        const where = whereOf(terms);
        if (options.isIndexed !== true)
          return paged(
            select
              .from(table)
              .where(where)
              .orderBy(...order),
          );
        const found = db
          .select({ place: sql`rowid` })
          .from(table)
          .where(where)
          .orderBy(...order);
        return select
          .from(table)
          .where(sql`rowid in (${found.getSQL()}${PAGE})`)
          .orderBy(...order);
      }),
    );
    return found.all({ ...valuesOf(terms), limit, offset }) as R[];
  };

  const count = (terms: readonly Term[]): number =>
    written(totalForms, nameOf(terms), () =>
      prepareRead(db, { n: sql<number>`count(*)` }, (select) => select.from(table).where(whereOf(terms))),
    ).get(valuesOf(terms))?.n ?? 0;

  const byCursor = (terms: readonly Term[], { limit, after, before }: CursorWindow) => {
    const backwards = before !== '';
    const cursor = backwards ? before : after;
    const place: Term[] =
      cursor === '' ? [] : [{ field: key, operator: backwards ? 'from' : 'to', value: cursor }];
    // The record of the cursor is on the other page, and may have been deleted since.
    const beyond: Term[] = place.length === 0 ? [] : [{ field: key, operator: 'not', value: cursor }];
    const found = rows([...terms, ...place, ...beyond], backwards ? 'asc' : 'desc', limit + 1);
    const hasMore = found.length > limit;
    const items = found.slice(0, limit);
    const opposite: Term[] =
      cursor === '' ? [] : [{ field: key, operator: backwards ? 'to' : 'from', value: cursor }];
    const hasOther = cursor !== '' && rows([...terms, ...opposite], 'desc', 1).length > 0;
    return backwards
      ? { items: items.reverse(), hasNewer: hasMore, hasOlder: hasOther }
      : { items, hasNewer: hasOther, hasOlder: hasMore };
  };

  return {
    page(where, window, known) {
      const terms = where.map(termOf);
      const { limit } = window;
      if (window.kind === 'cursor') {
        const page = byCursor(terms, window);
        const isAll = !page.hasNewer && !page.hasOlder;
        return { ...page, total: known ?? (isAll ? page.items.length : count(terms)) };
      }
      const { offset, order } = window;
      const items = rows(terms, order?.direction ?? 'desc', limit, { offset, by: order?.field ?? key });
      // The last page determines the total, so a search without many matches reads the index once.
      const isLast = items.length < limit && (items.length > 0 || offset === 0);
      const total = known ?? (isLast ? offset + items.length : count(terms));
      return { items, total, hasNewer: offset > 0, hasOlder: offset + items.length < total };
    },
    total: (where) => count(where.map(termOf)),
    all: (where) => rows(where.map(termOf), 'desc', -1),
  };
}
