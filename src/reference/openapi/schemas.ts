/**
 * Shapes as OpenAPI 3.1 schemas. A shape already is JSON Schema; only the type null is rewritten, and keywords that
 * only this server reads are removed. A shape with a title becomes a component of that name, so that a generated
 * client has one type for each record.
 */
import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../bank/api/operation.ts';
import type { Refusal } from '../../bank/kernel/refusal.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import { describeField } from './field-descriptions.ts';

export type Json = Record<string, unknown>;

/** The same names with changed values. */
export function mapValues(values: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

export interface Schemas {
  /** Writes the shape at this path; a shape with a title becomes a reference. */
  write(shape: object, path?: readonly string[]): Json;
  /** The same writer, with a prefix for the title of each shape. */
  named(prefix: string): Pick<Schemas, 'write'>;
  /** Every shape with a title that was written so far, by its title. */
  readonly components: Readonly<Record<string, Json>>;
}

/** The common properties of the three kinds of operations. */
export interface OperationRow {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: string;
  readonly decisions?: readonly string[];
  readonly status: number;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyType?: string;
  readonly files?: AnyOperation['files'];
  readonly response?: TSchema;
  readonly contentType?: string;
  readonly fileTypes?: readonly string[];
  readonly group?: string;
  readonly example?: AnyOperation['example'];
  readonly tokenHeader?: string;
  readonly refuses?: readonly RefusalCode[];
  readonly recordsOf?: 'v1';
}

/** The document of one interface. */
export interface ApiDocument {
  readonly name: 'v1' | 'v2' | 'sandbox';
  readonly title: string;
  readonly description: string;
  readonly operations: readonly OperationRow[];
  readonly error: TSchema;
  formatRefusal: FormatExample;
  /** The alternative sets of security schemes for a call. */
  readonly security: readonly Json[];
  readonly schemes: Json;
  /** Header parameters by name; `false` for operations that do not use the header. */
  readonly headers: readonly { name: string; description: string; isFor(row: OperationRow): boolean }[];
  tagOf(row: OperationRow): string;
}

/** The body of a refusal of an operation. */
export type FormatExample = (refusal: Refusal, row: Pick<OperationRow, 'method' | 'path'>) => object;

/** Keywords of Ajv or this server that OpenAPI 3.1 does not define. */
const OWN_WORDS = new Set(['nullable', 'missing', 'emptyClears', 'title', 'isCountry', 'isAddress']);
/**
 * The keyword of a list of words that the parser of a body checks, because the platform has a separate message for
 * other values.
 */
const READ_WORDS = 'words';
/** Keywords whose value is a map of names that are not keywords. */
const MAPS = new Set(['properties', 'patternProperties']);

/** The schemas of one document. Throws when two different shapes have the same title. */
export function createSchemas(): Schemas {
  const components: Record<string, Json> = {};
  return { ...createWriter(components, ''), named: (prefix) => createWriter(components, prefix), components };
}

/** Keywords for the format of a string; `orEmpty` means that `""` is allowed too. */
const FORM_WORDS = new Set(['form', 'orEmpty']);

function createWriter(components: Record<string, Json>, prefix: string): Pick<Schemas, 'write'> {
  const inner = (value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((one) => inner(one, path));
    return typeof value === 'object' && value !== null ? write(value, path) : value;
  };

  const writeFields = (shapes: Record<string, object>, path: Path): Json =>
    Object.fromEntries(
      Object.entries(shapes).map(([name, shape]) => {
        const at = [...path, name];
        return [name, withDescription(write(shape, at), at)];
      }),
    );

  const writeOut = (shape: object, path: Path): Json => {
    const written: Json = {};
    for (const [word, value] of Object.entries(shape)) {
      // This is the default of JSON Schema; with the explicit keyword, generated clients accept misspelt fields.
      if (OWN_WORDS.has(word) || FORM_WORDS.has(word)) continue;
      if (word === 'additionalProperties' && value === true) continue;
      written[word === READ_WORDS ? 'enum' : word] = MAPS.has(word)
        ? writeFields(value as Record<string, object>, path)
        : inner(value, path);
    }
    return written;
  };

  const refer = (title: string, shape: { title?: string }): Json => {
    const written = writeOut(shape, [shape.title ?? '']);
    const known = components[title];
    if (known === undefined) components[title] = written;
    else if (JSON.stringify(known) !== JSON.stringify(written)) {
      throw new Error(`two different shapes have the title ${title}`);
    }
    return { $ref: `#/components/schemas/${title}` };
  };

  const write = (shape: object, path: Path = []): Json => {
    const { title, nullable } = shape as { title?: string; nullable?: boolean };
    const plain = title === undefined ? writeOut(shape, path) : refer(prefix + title, shape);
    const written = withForm(splitWords(plain), shape);
    return nullable === true ? orNull(written) : written;
  };

  return { write };
}

type Path = readonly string[];

/**
 * Writes an enum of strings and booleans as a union, because client generators give `"true"` and `true` the same
 * name.
 */
function splitWords(written: Json): Json {
  const { enum: words, description, ...rest } = written;
  if (!Array.isArray(words) || !words.some((word) => typeof word === 'boolean')) return written;
  const texts = words.filter((word) => typeof word === 'string');
  return {
    anyOf: [{ ...rest, type: 'string', enum: texts }, { type: 'boolean' }],
    ...(description !== undefined && { description }),
  };
}

/**
 * Writes the form of a string as `format`, which request validation does not use. An unset string (`""`) does not
 * have this format.
 */
function withForm(written: Json, shape: { form?: string; orEmpty?: boolean }): Json {
  if (shape.form === undefined) return written;
  if (shape.orEmpty !== true) return { ...written, format: shape.form };
  const { description, ...rest } = written;
  return {
    anyOf: [
      { ...rest, format: shape.form },
      { type: 'string', const: '' },
    ],
    ...(description !== undefined && { description }),
  };
}

function orNull(written: Json): Json {
  const { description, anyOf, ...rest } = written;
  const about = description === undefined ? {} : { description };
  if (Array.isArray(anyOf)) return { anyOf: [...anyOf, { type: 'null' }], ...about };
  // Generators do not support null in an enum.
  if ('$ref' in rest || 'enum' in rest) return { anyOf: [rest, { type: 'null' }], ...about };
  return typeof rest.type === 'string' ? { ...written, type: [rest.type, 'null'] } : written;
}

/** A field with its description, which comes from its shape, from a branch of its shape, or from the table. */
function withDescription(written: Json, path: Path): Json {
  if (written.description !== undefined) return written;
  const branches = Array.isArray(written.anyOf) ? (written.anyOf as Json[]) : [];
  const described = branches.find(({ description }) => description !== undefined);
  if (described === undefined) {
    const description = describeField(path);
    return description === undefined ? written : { ...written, description };
  }
  const { description, ...rest } = described;
  return { ...written, anyOf: branches.map((one) => (one === described ? rest : one)), description };
}
