/**
 * A document as OpenAPI 3.0, for generators that do not read 3.1. A library converts it; constants and nulls within a
 * union, which it does not convert, are rewritten first. OpenAPI 3.0 has no webhooks. The library is loaded when such
 * a document is requested.
 * Source: docs/decisions/0030-openapi-3-0.md.
 */
import type { Json } from './schemas.ts';

/** Converts a document of OpenAPI 3.1. */
export async function writeOlder(document: Json): Promise<Json> {
  const { default: library } = await import('@apiture/openapi-down-convert');
  const { webhooks: _, jsonSchemaDialect: __, ...rest } = document;
  const converter = new library.Converter(withVariants(prepare(rest) as Json), { allOfTransform: true });
  return withoutUnused(converter.convert() as Json);
}

/** The named shapes of a document. */
type Schemas = Readonly<Record<string, Json>>;

const isNull = (shape: unknown): boolean => (shape as Json | null)?.type === 'null';
/** Keywords whose values are not schemas and may have fields of any name. */
const SHOWN = new Set(['example', 'examples', 'default', 'enum']);

/** Rewrites what the library does not convert, in every shape; a union before its parts. */
function prepare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepare);
  if (value === null || typeof value !== 'object') return value;
  const shape = withoutPlainUnion(withoutNull(withoutPatterns(withoutConst(value as Json))));
  return mapValues(shape, (part, name) => {
    if (name === 'properties') return mapValues(part as Json, prepare);
    return SHOWN.has(name) ? part : prepare(part);
  });
}

function mapValues(values: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

function withoutConst(shape: Json): Json {
  const { const: only, ...rest } = shape;
  if (only === undefined || typeof only === 'object') return shape;
  return { type: typeof only, ...rest, enum: [only] };
}

/** Replaces `patternProperties` by properties of any name, which is less specific but correct. */
function withoutPatterns(shape: Json): Json {
  const { patternProperties, ...rest } = shape;
  if (patternProperties === undefined) return shape;
  const [first, ...more] = Object.values(patternProperties as Json);
  return { ...rest, additionalProperties: more.length === 0 ? first : { anyOf: [first, ...more] } };
}

/**
 * Converts a nullable or null shape to 3.0. `nullable` needs a type beside it and has no effect on a reference, so a
 * named shape gets a nullable variant.
 */
function withoutNull(shape: Json): Json {
  if (isNull(shape)) return { ...shape, type: 'object', nullable: true };
  const { anyOf, ...rest } = shape;
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return shape;
  const others = anyOf.filter((one) => !isNull(one)) as Json[];
  const [only] = others;
  if (only === undefined || others.length > 1) {
    return { ...rest, anyOf: others.map((one) => ({ ...one, nullable: true })) };
  }
  if (!('$ref' in only)) return { ...only, ...rest, nullable: true };
  return { ...rest, allOf: [{ $ref: `${String(only.$ref)}OrNull` }] };
}

const PLAIN = new Set(['string', 'number', 'integer', 'boolean']);

/**
 * A union of strings, such as a date or `""`, becomes a string; a union of other plain values becomes any value. For
 * such unions, most generators for 3.0 refer to a type that they do not generate.
 */
function withoutPlainUnion(shape: Json): Json {
  const { anyOf, ...rest } = shape;
  if (!Array.isArray(anyOf)) return shape;
  const types = new Set((anyOf as Json[]).map(({ type }) => String(type)));
  if (![...types].every((type) => PLAIN.has(type))) return shape;
  const nullable = (anyOf as Json[]).some((one) => one.nullable === true);
  return { ...rest, ...(types.size === 1 && { type: [...types][0] }), ...(nullable && { nullable }) };
}

/** Adds to each named shape a variant that may be null. */
function withVariants(document: Json): Json {
  const { schemas, ...components } = document.components as Json & { schemas: Schemas };
  const variants = mapValues(schemas, (shape) => ({ ...(shape as Json), nullable: true }));
  const named = Object.entries(variants).map(([name, shape]) => [`${name}OrNull`, shape]);
  return {
    ...document,
    components: { ...components, schemas: { ...schemas, ...Object.fromEntries(named) } },
  };
}

/** Removes the shapes that only webhooks used, directly or through other shapes. */
function withoutUnused(document: Json): Json {
  const { schemas, ...components } = document.components as Json & { schemas: Schemas };
  const rest = { ...document, components };
  const used: Record<string, Json> = {};
  const take = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const shape = schemas[name];
      if (shape === undefined || used[name] !== undefined) continue;
      used[name] = shape;
      take(shape);
    }
  };
  take(rest);
  const kept = Object.entries(schemas).filter(([name]) => used[name] !== undefined);
  return { ...rest, components: { ...components, schemas: Object.fromEntries(kept) } };
}
