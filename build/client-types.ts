/**
 * Prints the types of the client for the package: a method per operation with expanded shapes, so that the compiler
 * of a user reads one file instead of the types of the whole server. The descriptions of the shapes become comments.
 * test/long/client-types.test.ts checks that they are equal to src/kit/client/types.ts.
 */
import type { TSchema } from '@sinclair/typebox';
import { V1_OPERATIONS } from '../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../src/bank/api/v2/index.ts';
import { nameOf } from '../src/kit/client/table.ts';
import { CONTROL_OPERATIONS } from '../src/sandboxes/control/index.ts';

/** The properties of an operation that are printed. */
interface Row {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyType?: string;
  readonly files?: object;
  readonly response?: TSchema;
  readonly contentType?: string;
  /** For operations of v2 with the shapes of v1. */
  readonly recordsOf?: 'v1';
}

interface Interface {
  readonly type: string;
  readonly description: string;
  readonly operations: readonly Row[];
  readonly options: string;
  /** The prefix of the names of its printed shapes. */
  readonly prefix: string;
}

const INTERFACES: readonly Interface[] = [
  {
    type: 'V2Methods',
    description: 'A method for each operation of v2.',
    operations: V2_OPERATIONS,
    options: 'CallOptions',
    prefix: 'V2',
  },
  {
    type: 'V1Methods',
    description: 'A method for each operation of v1.',
    operations: V1_OPERATIONS,
    options: 'CallOptions',
    prefix: 'V1',
  },
  {
    type: 'ControlMethods',
    description: 'A method for each operation of the control plane.',
    operations: CONTROL_OPERATIONS,
    options: 'ControlCallOptions',
    prefix: 'Control',
  },
];

/** The subset of JSON Schema that the shapes use. */
interface Schema {
  /** The name of the shape in the OpenAPI document. */
  readonly title?: string;
  readonly type?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** The allowed values of a string that the bank, and not the shape, checks. */
  readonly words?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The file `client/types.d.ts`. */
export function printClientTypes(): string {
  const printer = createPrinter();
  const parts: string[] = [];
  for (const { type, description, operations, options, prefix } of INTERFACES) {
    const methods = operations.map((row) => {
      printer.begin(row.recordsOf === 'v1' ? 'V1' : prefix);
      return printMethod(row, options, printer.print);
    });
    parts.push(`/** ${description} */\nexport interface ${type} {\n${methods.join('')}}\n`);
  }
  return [
    "import type { CallOptions, ControlCallOptions } from './call.js';\n",
    ...parts,
    ...printer.named(),
    'export {};\n',
  ].join('\n');
}

type Print = (schema: TSchema, indent: string) => string;

function printMethod(row: Row, options: string, print: Print): string {
  const { id, method, path, summary } = row;
  const { type, optional } = requestOf(row, options, print);
  const answer = answerOf(row, print);
  const call = `(request${optional ? '?' : ''}: ${type}) => Promise<${answer}>`;
  const words = fileWords(row);
  const both =
    words.length === 0
      ? call
      : `((request: ${type} & { query: { export: ${words.join(' | ')} } }) => Promise<Uint8Array>) & (${call})`;
  return `  /** ${summary}: \`${method} ${path}\`. */\n  readonly ${nameOf(id)}: ${both};\n`;
}

function requestOf(row: Row, options: string, print: Print): { type: string; optional: boolean } {
  const { params, query, body, bodyType, files } = row;
  const parts = Object.entries({ params, query, body }).flatMap(([name, schema]) =>
    schema === undefined ? [] : [`${name}${isOptional(schema) ? '?' : ''}: ${print(schema, '    ')}`],
  );
  if (bodyType !== undefined) parts.push('body: Uint8Array');
  if (files !== undefined) {
    parts.push(
      `files: { ${Object.keys(files)
        .map((name) => `${name}: Blob`)
        .join('; ')} }`,
    );
  }
  const optional = parts.every((part) => /^\w+\?/.test(part));
  if (parts.length === 0) return { type: options, optional };
  return { type: `{\n${parts.map((part) => `    ${part};\n`).join('')}  } & ${options}`, optional };
}

/** Whether an object has no required fields. */
function isOptional({ type, required = [] }: Schema): boolean {
  return type === 'object' && required.length === 0;
}

function answerOf({ response, contentType }: Row, print: Print): string {
  if (contentType?.startsWith('text/event-stream')) return 'ReadableStream<Uint8Array>';
  if (contentType !== undefined) return 'Uint8Array';
  return response === undefined ? 'undefined' : print(response, '  ');
}

/** The values of `export` that request a file. */
function fileWords({ query }: Row): string[] {
  const words: readonly unknown[] = (query as Schema | undefined)?.properties?.export?.enum ?? [];
  return words.filter((word) => word !== 'json').map((word) => JSON.stringify(word));
}

interface Printer {
  /** Sets the prefix for the names of titled shapes; each shape is printed once. */
  begin(prefix: string): void;
  print: Print;
  /** The declarations of the named objects that were used. */
  named(): string[];
}

function createPrinter(): Printer {
  const names = new Map<Schema, string>();
  const declared = new Map<string, string>();
  let prefix = '';

  const named = (schema: Schema): string | undefined => {
    const { words } = schema;
    if (schema.title === undefined || (schema.properties === undefined && words === undefined))
      return undefined;
    const name = names.get(schema) ?? `${prefix}${schema.title}`;
    names.set(schema, name);
    if (declared.has(name)) return name;
    // Set before printing, so that a shape can be recursive.
    declared.set(name, '');
    const comment = schema.description === undefined ? '' : `/** ${commentOf(schema.description)} */\n`;
    declared.set(
      name,
      words === undefined
        ? `${comment}interface ${name} ${object(schema, '')}\n`
        : `${comment}type ${name} =${words.map((word) => `\n  | ${JSON.stringify(word)}`).join('')};\n`,
    );
    return name;
  };

  const type = (schema: Schema, indent: string): string => {
    const { nullable = false } = schema;
    const plain = named(schema) ?? bare(schema, indent);
    return nullable ? `${plain} | null` : plain;
  };

  const bare = (schema: Schema, indent: string): string => {
    const { anyOf, allOf, items } = schema;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(' | ');
    if (anyOf !== undefined) return anyOf.map((one) => type(one, indent)).join(' | ');
    if (allOf !== undefined) return allOf.map((one) => `(${type(one, indent)})`).join(' & ');
    if (schema.type === 'array' && items !== undefined) return `Array<${type(items, indent)}>`;
    if (schema.type === 'object') return object(schema, indent);
    const word = PLAIN[schema.type ?? ''];
    if (word !== undefined) return word;
    const keywords = Object.keys(schema).filter((key) => key !== 'description');
    if (keywords.length === 0) return 'unknown';
    throw new Error(`a shape that cannot be printed as a type: ${JSON.stringify(schema)}`);
  };

  const object = (schema: Schema, indent: string): string => {
    const { properties, required = [], additionalProperties, patternProperties } = schema;
    if (properties === undefined) {
      const [values] = Object.values(patternProperties ?? {});
      const value = values ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
      return `{ [name: string]: ${type(value, indent)} }`;
    }
    const inner = `${indent}  `;
    const lines = Object.entries(properties).map(([name, field]) => {
      const comment =
        field.description === undefined ? '' : `${inner}/** ${commentOf(field.description)} */\n`;
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return `${comment}${inner}${key}${required.includes(name) ? '' : '?'}: ${type(field, inner)};\n`;
    });
    return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
  };

  return {
    begin(next) {
      prefix = next;
    },
    print: type,
    named: () => [...declared.values()],
  };
}

function commentOf(text: string): string {
  return text.replaceAll('*/', '*\\/').replaceAll('\n', ' ');
}
