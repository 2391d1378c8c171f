/**
 * The format of the contract's tables. A table is a text with a row for each field, copied by hand from the platform's
 * description and not from our shapes, so that a missing field of a shape is detected:
 *
 *     path  form  : reason
 *
 * In a path `.` selects a field of an object, and `[]` every item of a list. A form with `?` may be unset: `""`, or `null`
 * for an object or a list. `(a|b)` is an enum of the published values, in which `b*` never occurs here and `+c` is not
 * published. A row that begins with `+` is a field that the platform does not have, one with `-` a field that is omitted
 * here. Each exception has a reason: the slug of a decision of the register, or a few words.
 */

type Unset = '' | null;

/** The accepted values of a form; `unset` is the value of an unset field. */
interface Kind {
  readonly unset: Unset;
  /** Whether a set value has the form. */
  is(value: unknown): boolean;
}

interface Word {
  readonly word: string;
  readonly comes: boolean;
  readonly isPublished: boolean;
}

export interface Row {
  readonly path: string;
  readonly form: string;
  readonly kind: Kind;
  /** Whether it may be unset. */
  readonly isOptional: boolean;
  /** The values of an enum. */
  readonly words?: readonly Word[];
  /** A field of the table, an additional one, or one of the table that is omitted here. */
  readonly standing: 'published' | 'extra' | 'left_out';
  readonly reason: string;
}

const matching = (pattern: RegExp, unset: Unset = ''): Kind => ({
  unset,
  is: (value) => typeof value === 'string' && pattern.test(value),
});
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const HEX = '[0-9a-f]';
const DATE = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';

const KINDS: Readonly<Record<string, Kind>> = {
  text: matching(/[\s\S]/),
  /** Dollars and cents, never negative. */
  money: matching(/^(0|[1-9]\d*)\.\d\d$/),
  /** Dollars and cents, negative for outgoing or owed money. */
  signed: matching(/^-?(0|[1-9]\d*)\.\d\d$/),
  percent: matching(/^(100|\d\d?)\.\d\d$/),
  count: matching(/^\d+$/),
  rate: matching(/^\d+\.\d+$/),
  time: matching(new RegExp(`^${DATE}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$`)),
  date: matching(new RegExp(`^${DATE}$`)),
  month: matching(/^(0[1-9]|1[0-2])$/),
  phone: matching(/^\+\d{1,15}$/),
  url: matching(/^https?:\/\/\S+$/),
  base64: matching(/^[A-Za-z0-9+/]+={0,2}$/),
  /** The booleans of v2. */
  flag: matching(/^(true|false)$/),
  boolean: { unset: null, is: (value) => typeof value === 'boolean' },
  number: { unset: null, is: (value) => typeof value === 'number' },
  integer: { unset: null, is: Number.isInteger },
  object: { unset: null, is: isObject },
  list: { unset: null, is: Array.isArray },
  texts: { unset: null, is: (value) => Array.isArray(value) && value.every(isText) },
  /** Metadata pairs of the client. */
  pairs: { unset: null, is: (value) => isObject(value) && Object.values(value).every(isText) },
  /** Never set. */
  empty: { unset: '', is: () => false },
  null: { unset: null, is: () => false },
  /** An empty list. */
  none: { unset: null, is: (value) => Array.isArray(value) && value.length === 0 },
};
/** Forms of fields that are never set. */
export const NEVER_SET: ReadonlySet<string> = new Set(['empty', 'null', 'none']);

function kindOf(form: string): Kind {
  const known = KINDS[form];
  if (known !== undefined) return known;
  const [, name = '', argument = ''] = /^(digits|hex):(.+)$/.exec(form) ?? [];
  if (name === 'digits') return matching(new RegExp(`^\\d{${argument}}$`));
  if (name === 'hex') return matching(new RegExp(`^${argument}${HEX}{32}$`));
  // In both versions an id is a UUID of version 7.
  if (/^[a-z]+_$/.test(form)) return matching(new RegExp(`^${form}${HEX}{12}7${HEX}{3}[89ab]${HEX}{15}$`));
  if (/^[a-z]+-$/.test(form)) {
    return matching(new RegExp(`^${form}${HEX}{8}-${HEX}{4}-7${HEX}{3}-[89ab]${HEX}{3}-${HEX}{12}$`));
  }
  throw new Error(`there is no form "${form}"`);
}

function readWords(form: string): readonly Word[] | undefined {
  if (!form.startsWith('(') || !form.endsWith(')')) return undefined;
  return form
    .slice(1, -1)
    .split('|')
    .map((text) => ({
      word: text.replace(/^\+|\*$/g, ''),
      comes: !text.endsWith('*'),
      isPublished: !text.startsWith('+'),
    }));
}

const STANDINGS = { '+': 'extra', '-': 'left_out', '': 'published' } as const;

function readRow(line: string): Row {
  const [, mark = '', path = '', written = '', reason = ''] =
    /^([+-]?)\s*(\S+)\s+(\S+)(?:\s+:\s+(.+))?$/.exec(line) ?? [];
  if (path === '') throw new Error(`no row of a table: "${line}"`);
  const form = written.replace(/\?$/, '');
  const words = readWords(form);
  const standing = STANDINGS[mark as keyof typeof STANDINGS];
  const isPlain =
    standing === 'published' &&
    !NEVER_SET.has(form) &&
    (words?.every(({ comes, isPublished }) => comes && isPublished) ?? true);
  if (isPlain !== (reason === ''))
    throw new Error(`a row needs a reason if and only if it is not plain: ${line}`);
  return {
    path,
    form,
    kind:
      words === undefined
        ? kindOf(form)
        : { unset: '', is: (value) => words.some(({ word }) => word === value) },
    isOptional: written.endsWith('?') || form === 'empty' || form === 'null',
    ...(words !== undefined && { words }),
    standing,
    reason,
  };
}

/** The rows of a text, one per line. */
export function rows(text: string): readonly Row[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readRow);
}

/** Rows inside an object, or with `path[]` inside the items of a list. */
export function under(path: string, inner: readonly Row[]): readonly Row[] {
  return inner.map((row) => ({ ...row, path: `${path}.${row.path}` }));
}

/** A record with the tree of its rows. */
export interface Table {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly root: Node;
}

interface Node {
  row?: Row;
  /** The fields of an object. */
  readonly fields: Map<string, Node>;
  /** The form of every item of a list. */
  items?: Node;
}

/** A table of these groups of rows; a text is parsed as rows. */
export function table(name: string, ...groups: readonly (string | readonly Row[])[]): Table {
  const all = groups.flatMap((group) => (typeof group === 'string' ? rows(group) : group));
  const root: Node = { fields: new Map() };
  for (const row of all) {
    const node = row.path.replaceAll('[]', '.[]').split('.').reduce(step, root);
    if (node.row !== undefined) throw new Error(`${name} has ${row.path} twice`);
    node.row = row;
  }
  return { name, rows: all, root };
}

function step(node: Node, name: string): Node {
  if (name === '[]') {
    node.items ??= { fields: new Map() };
    return node.items;
  }
  const found = node.fields.get(name) ?? { fields: new Map() };
  node.fields.set(name, found);
  return found;
}

/** Called for every row that a value has: whether it is set, and to what. */
export type Meet = (row: Row, value: unknown, isSet: boolean) => void;

/**
 * Where a record does not match its table: a missing field, a wrong form, or a field that is not in the table.
 */
export function contradictions(value: unknown, { root }: Table, meet: Meet = () => {}): string[] {
  const found: string[] = [];
  const look = (at: unknown, { row, fields, items }: Node, path: string): void => {
    if (row?.standing === 'left_out') {
      if (at !== undefined) found.push(`${path}: is there, and the table of ours says that it is left out`);
      return;
    }
    if (at === undefined) {
      found.push(`${path}: is missing`);
      return;
    }
    if (row !== undefined) {
      const isUnset = row.isOptional && at === row.kind.unset;
      if (!isUnset && !row.kind.is(at)) {
        found.push(
          `${path}: is ${JSON.stringify(at)?.slice(0, 120)}, not ${row.form}${row.isOptional ? '?' : ''}`,
        );
        return;
      }
      meet(row, at, !isUnset);
      if (isUnset) return;
    }
    if (items !== undefined) {
      if (Array.isArray(at)) for (const [place, item] of at.entries()) look(item, items, `${path}[${place}]`);
      else found.push(`${path}: is no list`);
    }
    if (fields.size === 0) return;
    if (!isObject(at)) {
      found.push(`${path}: is no object`);
      return;
    }
    for (const [name, node] of fields) look(at[name], node, path === '' ? name : `${path}.${name}`);
    for (const name of Object.keys(at)) {
      if (!fields.has(name)) found.push(`${path === '' ? '' : `${path}.`}${name}: is not in the table`);
    }
  };
  look(value, root, '');
  return found;
}
