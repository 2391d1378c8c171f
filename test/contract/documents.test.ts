/**
 * The OpenAPI documents and the tables of the contract: a field with published values is an enum with all of them, in
 * responses, events, bodies and queries, and the description of a field with an amount, a time, an id or another
 * format names that format.
 */
import { describe, expect, it } from 'vitest';
import { useHttp } from '../server/http/support.ts';
import { wholeDocument } from '../support/whole-document.ts';
import type { Row, Table } from './rows.ts';
import { KINDS_V1 } from './v1/kinds.ts';
import { OPERATIONS_V1 } from './v1/operations.ts';
import { ERROR_V1 } from './v1/others.ts';
import { SENT_V1 } from './v1/words.ts';
import { KINDS_V2 } from './v2/kinds.ts';
import { OPERATIONS_V2 } from './v2/operations.ts';
import { ERROR_V2 } from './v2/others.ts';
import { SENT_V2 } from './v2/words.ts';

const http = useHttp();

type Json = Record<string, unknown>;
interface Content {
  content?: Record<string, { schema?: Json }>;
}
interface Described {
  parameters?: { name: string; in: string; schema: Json }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Json> };
}

/** Values of a table that are not in an enum of the documents, each with a reason. */
const NO_ENUM: Readonly<Record<string, string>> = {
  'v1 declineReason': 'a rule of the control plane may decline for any reason',
  'v1 reason': 'a rule of the control plane may decline for any reason',
  'v1 destinationAmount': 'it is an amount, although it is always the same one here',
  'v1 method': 'the method of a refused request may be any',
  'v2 method': 'the method of a refused request may be any',
};

/** Forms that the name of a field describes sufficiently. */
const PLAIN = new Set(['text', 'object', 'list', 'boolean', 'flag', 'empty', 'null', 'none']);

/** The number of rows when the tables were last reviewed; more is better. */
const LEAST = { v1: { words: 116, forms: 286 }, v2: { words: 84, forms: 188 } };

const VERSIONS = [
  {
    name: 'v1',
    operations: OPERATIONS_V1,
    kinds: KINDS_V1,
    error: ERROR_V1,
    sent: SENT_V1,
  },
  {
    name: 'v2',
    operations: OPERATIONS_V2,
    kinds: KINDS_V2,
    error: ERROR_V2,
    sent: SENT_V2,
  },
] as const;

/** Finds the shapes of a document, through references and alternatives. */
class Shapes {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  operation(method: string, path: string): Described {
    const found = this.#document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`${method} ${path} is not described`);
    return found;
  }

  error(): Json {
    return this.#document.components.schemas.Error ?? {};
  }

  event(kind: string): Json | undefined {
    const content = this.#document.webhooks[kind]?.post.requestBody;
    return content && this.at(jsonOf(content), 'data')[0];
  }

  /** The shapes at a path; several if there are alternatives. */
  at(shape: Json, path: string): Json[] {
    const steps = path.replaceAll('[]', '.[]').split('.');
    return steps.reduce((shapes, step) => shapes.flatMap((one) => this.#step(one, step)), [shape]);
  }

  /** The values of a field, if it is an enum. */
  words(shapes: readonly Json[]): unknown[] | undefined {
    const enums = this.#all(shapes).flatMap(({ enum: words }) =>
      words === undefined ? [] : [words as unknown[]],
    );
    return enums.length === 0 ? undefined : enums.flat();
  }

  isDescribed(shapes: readonly Json[]): boolean {
    return this.#all(shapes).some(({ description }) => typeof description === 'string' && description !== '');
  }

  #step(shape: Json, step: string): Json[] {
    return this.#all([shape]).flatMap(({ items, properties }) => {
      const inner = /^(\[\]|\d+)$/.test(step) ? items : (properties as Json | undefined)?.[step];
      return inner === undefined ? [] : [inner as Json];
    });
  }

  /** The shapes themselves and those that they refer to. */
  #all(shapes: readonly Json[]): Json[] {
    return shapes.flatMap((shape) => {
      const { $ref, anyOf = [], allOf = [] } = shape as { $ref?: string; anyOf?: Json[]; allOf?: Json[] };
      const name = $ref?.split('/').at(-1);
      const referred = name === undefined ? [] : [this.#document.components.schemas[name] ?? {}];
      return [shape, ...this.#all([...referred, ...anyOf, ...allOf])];
    });
  }
}

const jsonOf = ({ content = {} }: Content): Json => content['application/json']?.schema ?? {};

/** Every table of a version with its published shape. */
function tablesOf(
  { operations, kinds, error }: (typeof VERSIONS)[number],
  shapes: Shapes,
): [string, Table, Json][] {
  const found: [string, Table, Json][] = [['a refusal', error, shapes.error()]];
  for (const { method, path, status, answer, items } of operations) {
    if (answer === undefined) continue;
    const about = `${method} ${path}`;
    const shape = jsonOf(shapes.operation(method, path).responses[status] ?? {});
    found.push([about, answer, shape]);
    if (items !== undefined)
      for (const item of shapes.at(shape, `${items.at}[]`)) found.push([about, items.table, item]);
  }
  for (const [kind, table] of kinds) {
    const shape = shapes.event(kind);
    if (table !== null && shape !== undefined) found.push([`the event ${kind}`, table, shape]);
  }
  return found;
}

describe.each(VERSIONS)('the document of $name', (version) => {
  const { name } = version;
  const read = async (): Promise<Shapes> =>
    new Shapes(wholeDocument((await http.call('GET', `/openapi/${name}.json`)).body as Document));
  /** Each row of the responses and events, with its published shapes. */
  const rowsOf = async (isMeant: (row: Row) => boolean) => {
    const shapes = await read();
    return tablesOf(version, shapes).flatMap(([about, table, shape]) =>
      table.rows
        .filter((row) => row.standing !== 'left_out' && isMeant(row))
        .map((row) => ({ shapes, row, about: `${about}: ${row.path}`, at: shapes.at(shape, row.path) })),
    );
  };

  it('has an enum with every published value of a response, and "" for fields that may be unset', async () => {
    const rows = await rowsOf(({ words }) => words !== undefined);
    const problems = new Set<string>();
    const looked = new Set<Row>();
    for (const { shapes, row, about, at } of rows) {
      if (NO_ENUM[`${name} ${row.path}`] !== undefined) continue;
      looked.add(row);
      const words = shapes.words(at);
      if (words === undefined) problems.add(`${about} has no enum`);
      const wanted = [...(row.words ?? []).map(({ word }) => word), ...(row.isOptional ? [''] : [])];
      const missing = wanted.filter((word) => words?.includes(word) === false);
      if (missing.length > 0) problems.add(`${about} lacks "${missing.join('", "')}"`);
    }
    expect([...problems]).toEqual([]);
    expect(looked.size).toBeGreaterThanOrEqual(LEAST[name].words);
  });

  it('has an enum with every value that a client may send', async () => {
    const shapes = await read();
    const problems: string[] = [];
    for (const { method, path, field, words } of version.sent) {
      const { parameters = [], requestBody = {} } = shapes.operation(method, path);
      const inQuery = parameters
        .filter((one) => one.in === 'query' && one.name === field)
        .map(({ schema }) => schema);
      const at = method === 'GET' ? inQuery : shapes.at(jsonOf(requestBody), field);
      const known = shapes.words(at);
      const about = `${method} ${path} ${field}`;
      if (known === undefined) problems.push(`${about} has no enum`);
      // A value that the bank refuses as unknown is not in the enum of its document.
      const wanted = words.filter(({ status }) => status !== 400).map(({ word }) => word);
      const missing = wanted.filter((word) => known?.includes(word) === false);
      if (missing.length > 0) problems.push(`${about} lacks ${missing.join(', ')}`);
    }
    expect(problems).toEqual([]);
  });

  it('describes every field of a certain form', async () => {
    const rows = await rowsOf(({ words, form }) => words === undefined && !PLAIN.has(form));
    const undescribed = rows.filter(({ shapes, at }) => !shapes.isDescribed(at)).map(({ about }) => about);
    expect([...new Set(undescribed)]).toEqual([]);
    expect(new Set(rows.map(({ row }) => row)).size).toBeGreaterThanOrEqual(LEAST[name].forms);
  });

  it('needs every listed exception', async () => {
    const rows = await rowsOf(({ words }) => words !== undefined);
    const without = new Set(
      rows.filter(({ shapes, at }) => shapes.words(at) === undefined).map(({ row }) => `${name} ${row.path}`),
    );
    const excepted = Object.keys(NO_ENUM).filter((key) => key.startsWith(name));
    expect([...without].filter((key) => excepted.includes(key)).sort()).toEqual(excepted.sort());
  });
});
