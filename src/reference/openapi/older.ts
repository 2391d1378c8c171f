/**
 * A document as OpenAPI 3.0, for generators that do not read 3.1. OpenAPI 3.0 has no webhooks; its schemas have no `const`,
 * no type `null`, no list of types, no `examples`, no `patternProperties`, and nothing beside a reference. Such a document is
 * written when it is requested.
 * Source: https://spec.openapis.org/oas/v3.0.3.html#schema-object; docs/decisions/0030-openapi-3-0.md.
 */
import { type Json, mapValues } from './schemas.ts';

/** Converts a document of OpenAPI 3.1. */
export function writeOlder(document: Json): Json {
  const { webhooks: _, jsonSchemaDialect: __, ...rest } = document;
  const { license, ...info } = rest.info as Json & { license?: Json };
  const converted = prepare({ ...rest, openapi: '3.0.3', info: { ...info, ...licenceOf(license) } }) as Json;
  return withoutUnused(prepareReferences(withVariants(converted)) as Json);
}

/** A licence without its SPDX identifier, which 3.0 does not have. */
function licenceOf(license: Json | undefined): Json {
  if (license === undefined) return {};
  const { identifier: _, ...rest } = license;
  return { license: rest };
}

/** The named shapes of a document. */
type Schemas = Readonly<Record<string, Json>>;

const isNull = (shape: unknown): boolean => (shape as Json | null)?.type === 'null';
/** Keywords whose values are not schemas and may have fields of any name. */
const SHOWN = new Set(['example', 'examples', 'default', 'enum']);

/** Rewrites every shape, a union before its parts. */
function prepare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepare);
  if (value === null || typeof value !== 'object') return value;
  const shape = withoutNewKeywords(
    withoutPlainUnion(withoutPatterns(withoutNull(withoutConst(value as Json)))),
  );
  return mapValues(shape, (part, name) => {
    if (name === 'properties') return mapValues(part as Json, prepare);
    return SHOWN.has(name) ? part : prepare(part);
  });
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

/** Shows the first example of a shape, and describes bytes by a format. The examples of a response are no list. */
function withoutNewKeywords(shape: Json): Json {
  const { type, examples, contentEncoding, contentMediaType, propertyNames: _, ...rest } = shape;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : [];
  return {
    ...(types.length > 0 ? { type: types[0], nullable: true } : type !== undefined && { type }),
    ...rest,
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
    ...(contentEncoding === 'base64' && { format: 'byte' }),
    ...(contentMediaType === 'application/octet-stream' && { format: 'binary' }),
  };
}

const SCHEMA = '#/components/schemas/';

/** Wraps a reference to a shape that has fields beside it in `allOf`, and removes what is beside another reference. */
function prepareReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepareReferences);
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...rest } = value as Json;
  if (typeof $ref === 'string') {
    if (Object.keys(rest).length === 0 || !$ref.startsWith(SCHEMA)) return { $ref };
    return { ...rest, allOf: [{ $ref }] };
  }
  return mapValues(value as Json, (part, name) => (SHOWN.has(name) ? part : prepareReferences(part)));
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

/** Removes the components that only webhooks used, directly or through others. Security schemes are named otherwise. */
function withoutUnused(document: Json): Json {
  const { components, ...rest } = document as Json & { components: Record<string, Schemas> };
  const { securitySchemes } = components;
  const used = new Set<string>();
  const take = (part: unknown): void => {
    for (const [, section = '', name = ''] of JSON.stringify(part).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      const component = components[section]?.[name];
      if (component === undefined || used.has(`${section}/${name}`)) continue;
      used.add(`${section}/${name}`);
      take(component);
    }
  };
  take(rest);
  const kept = mapValues(components, (parts, section) =>
    Object.fromEntries(Object.entries(parts as Json).filter(([name]) => used.has(`${section}/${name}`))),
  );
  return { ...rest, components: { ...kept, securitySchemes } };
}
