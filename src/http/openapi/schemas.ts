/**
 * Shapes as OpenAPI 3.1 schemas. A shape is JSON Schema already; only null as a type is rewritten, and keywords that
 * only this server reads are left out. A shape with a title becomes a component of that name, so that a generated
 * client has one type for one record.
 */
import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';

export type Json = Record<string, unknown>;

export interface Schemas {
  /** Writes a shape; one with a title as a reference. */
  write(shape: object): Json;
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
  readonly description?: string;
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

function createWriter(components: Record<string, Json>, prefix: string): Pick<Schemas, 'write'> {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return typeof value === 'object' && value !== null ? write(value) : value;
  };

  const mapValues = (shapes: Record<string, object>): Json =>
    Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, write(shape)]));

  const writeOut = (shape: object): Json => {
    const written: Json = {};
    for (const [word, value] of Object.entries(shape)) {
      // What JSON Schema says without the word too; a client that is generated with it lets a misspelt field pass.
      if (OWN_WORDS.has(word) || (word === 'additionalProperties' && value === true)) continue;
      written[word === READ_WORDS ? 'enum' : word] = MAPS.has(word)
        ? mapValues(value as Record<string, object>)
        : inner(value);
    }
    return written;
  };

  const refer = (title: string, shape: object): Json => {
    const written = writeOut(shape);
    const known = components[title];
    if (known === undefined) components[title] = written;
    else if (JSON.stringify(known) !== JSON.stringify(written)) {
      throw new Error(`two different shapes are called ${title}`);
    }
    return { $ref: `#/components/schemas/${title}` };
  };

  const orNull = (written: Json): Json => {
    if ('$ref' in written) return { anyOf: [written, { type: 'null' }] };
    if (Array.isArray(written.enum)) written.enum = [...written.enum, null];
    if (typeof written.type === 'string') written.type = [written.type, 'null'];
    return written;
  };

  const write = (shape: object): Json => {
    const { title, nullable } = shape as { title?: string; nullable?: boolean };
    const written = title === undefined ? writeOut(shape) : refer(prefix + title, shape);
    return nullable === true ? orNull(written) : written;
  };

  return { write };
}
