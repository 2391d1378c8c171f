/**
 * Shapes as OpenAPI 3.1 schemas. A shape is JSON Schema already; only null as a type is rewritten, and keywords that
 * only this server reads are left out. A shape with a title becomes a component of that name, so that a generated
 * client has one type for one record.
 */
import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import { describeField } from './field-descriptions.ts';

export type Json = Record<string, unknown>;

export interface Schemas {
  /** Writes a shape, which is at this path; one with a title as a reference. */
  write(shape: object, path?: readonly string[]): Json;
  /** The same, with this before the title of each shape. */
  named(prefix: string): Pick<Schemas, 'write'>;
  /** Every shape with a title that was written so far, by its title. */
  readonly components: Readonly<Record<string, Json>>;
}

/** What the three kinds of operations have in common. */
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

/** How one of the interfaces is called. */
export interface ApiDocument {
  readonly name: 'v1' | 'v2' | 'sandbox';
  readonly title: string;
  readonly description: string;
  readonly operations: readonly OperationRow[];
  readonly error: TSchema;
  formatRefusal: FormatExample;
  /** The names of the security schemes that a call needs, one of the lists. */
  readonly security: readonly Json[];
  readonly schemes: Json;
  /** Header parameters by name; an operation that answers false has no use for it. */
  readonly headers: readonly { name: string; description: string; isFor(row: OperationRow): boolean }[];
  tagOf(row: OperationRow): string;
}

/** The body of a refusal of an operation. */
export type FormatExample = (refusal: Refusal, row: Pick<OperationRow, 'method' | 'path'>) => object;

/** Words that Ajv or this server read, and OpenAPI 3.1 does not know. */
const OWN_WORDS = new Set(['nullable', 'missing', 'emptyClears', 'title', 'isCountry', 'isAddress']);
/** A list of words that a body's reader checks, because the platform refuses others in a sentence of its own. */
const READ_WORDS = 'words';
/** Words whose value maps names that are not words. */
const MAPS = new Set(['properties', 'patternProperties']);

/** The schemas of one document. Throws when two different shapes have the same title. */
export function createSchemas(): Schemas {
  const components: Record<string, Json> = {};
  return { ...createWriter(components, ''), named: (prefix) => createWriter(components, prefix), components };
}

/** Words of a shape that say which form its texts have; `orEmpty` where the text may also be `""`. */
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
      // What JSON Schema says without the word too; a client that is generated with it lets a misspelt field pass.
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

/** A list of words and booleans as a union, because generators of clients make one name of `"true"` and `true`. */
function splitWords(written: Json): Json {
  const { enum: words, description, ...rest } = written;
  if (!Array.isArray(words) || !words.some((word) => typeof word === 'boolean')) return written;
  const texts = words.filter((word) => typeof word === 'string');
  return {
    anyOf: [{ ...rest, type: 'string', enum: texts }, { type: 'boolean' }],
    ...(description !== undefined && { description }),
  };
}

/** The form of a text as `format`, which the checks of requests know nothing of; the unset text is not of this form. */
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
  // Generators do not expect null among words.
  if ('$ref' in rest || 'enum' in rest) return { anyOf: [rest, { type: 'null' }], ...about };
  return typeof rest.type === 'string' ? { ...written, type: [rest.type, 'null'] } : written;
}

/** A field with its description: that of its shape, of a branch of its shape, or of the table. */
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
