/**
 * Validates requests against their shapes, without coercion or removal of fields, and reports every problem. A shape
 * is compiled at its first use, which keeps the start fast. Before validation, zero values are removed from the
 * requests of both API versions: clients in typed languages (Go, Java, Swift) send unset fields as `""`, `null` or an
 * empty object, and the shape determines where such a value can only mean "not sent". In an object shape marked
 * `emptyClears`, an empty list or string clears the value.
 * Source: decision `zero-values` in docs/fidelity.md.
 */

import type { TSchema } from '@sinclair/typebox';
import type { Ajv, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { counted } from '../../bank/kernel/count.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import { isCountry, isStateOf } from '../../bank/model/places.ts';
import loadAjv from './ajv.cjs';

let ajv: Ajv | undefined;
let isAtOnce = false;

/** Makes each shape compile when its check is created, for runtimes that allow compilation only at the start. */
export function compileAtOnce(): void {
  isAtOnce = true;
}

/** The refusal of a value; `null` for a valid one. */
type Check = (value: unknown) => Refusal | null;

/** A check of one shape, compiled at its first use. */
function checkOf(shape: TSchema): Check {
  let validate: ValidateFunction | undefined;
  const compiled = (): ValidateFunction => {
    ajv ??= createAjv();
    validate ??= ajv.compile(shape);
    return validate;
  };
  if (isAtOnce) compiled();
  return (value) => {
    const valid = validate ?? compiled();
    return valid(value) ? null : refusalOf(valid.errors ?? []);
  };
}

function createAjv(): Ajv {
  const library = loadAjv();
  const created = new library.Ajv({
    coerceTypes: false,
    removeAdditional: false,
    allErrors: true,
    strict: false,
    useDefaults: false,
    // Needed because a shape may have its own message for a missing field.
    verbose: true,
    // The tests validate the shapes as parts of the documents. Here it would cost a third of a bank's first response.
    validateSchema: false,
    meta: false,
  });
  // A country in a list, or an address with its country and state.
  created.addKeyword({ keyword: 'isCountry', type: 'string', validate: validateCountry, errors: true });
  created.addKeyword({ keyword: 'isAddress', type: 'object', validate: validateAddress, errors: 'full' });
  return created;
}

const NO_COUNTRY = 'must be the two-letter code of a country (ISO 3166-1), like US';

const validateCountry: SchemaValidateFunction = (_: boolean, code: string) => {
  if (isCountry(code)) return true;
  validateCountry.errors = [{ keyword: 'isCountry', message: NO_COUNTRY, params: {} }];
  return false;
};

/** The field's own shape reports a malformed string. */
const validateAddress: SchemaValidateFunction = (_: boolean, address: Values, __, place) => {
  const { country, state } = address;
  const wrong = (field: string, message: string): false => {
    const instancePath = `${place?.instancePath ?? ''}/${field}`;
    validateAddress.errors = [{ keyword: 'isAddress', instancePath, message, params: {} }];
    return false;
  };
  const code = typeof country === 'string' ? country : '';
  if (/^[A-Za-z]{2}$/.test(code) && !isCountry(code)) return wrong('country', NO_COUNTRY);
  if (typeof state !== 'string' || isStateOf(code, state)) return true;
  return wrong(
    'state',
    'must be the two-letter code of a state of the US, like OR, or of a province of CA, like ON',
  );
};

/** The problem of a value that does not come from a request; unknown fields are problems too. */
export function shapeProblem(shape: TSchema, value: unknown): Refusal | null {
  const problem = checkOf(shape)(value);
  if (problem !== null) return problem;
  const [field] = unknownFields(shape, value);
  return field === undefined ? null : refuse('field_unknown', { field, message: `${field} is unknown` });
}

/** Fastify's validator compiler; a missing body is validated as an empty object. */
export const compileLazily: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = checkOf(schema);
  const isQuery = httpPart === 'querystring';
  return (value: unknown) => {
    const error = (isQuery ? repeatedIn(schema, value) : null) ?? check(value ?? {});
    return error === null ? true : { error };
  };
};

/** The refusal of a parameter that a query has more than once: Node reads it as a list, and no operation takes one. */
function repeatedIn(shape: TSchema, query: unknown): Refusal | null {
  if (!isObject(query)) return null;
  const { properties = {} } = shape;
  const field = Object.keys(query).find(
    (name) =>
      Array.isArray(query[name]) && (name in properties || takesByPattern(shape as ObjectShape, name)),
  );
  return field === undefined
    ? null
    : refuse('field_invalid', { field, message: `${field} was sent more than once; send it once` });
}

/** The same for requests of v2, in which zero values count as not sent. */
export const compileForClients: FastifySchemaCompiler<TSchema> = (route) => {
  const check = compileLazily(route) as (value: unknown) => true | { error: Error };
  const takeOut =
    route.httpPart === 'querystring'
      ? emptyTextsOf(route.schema)
      : zeroValuesOf(route.schema, route.method === 'PATCH');
  return (value: unknown) => {
    takeOut(value);
    return check(value);
  };
};

/** The same for requests of v1, whose queries accept enum values in any letter case. */
export const compileForV1: FastifySchemaCompiler<TSchema> = (route) => {
  const check = compileForClients(route);
  if (route.httpPart !== 'querystring') return check;
  const respell = respellWords(route.schema);
  return (value: unknown) => {
    respell(value);
    return check(value);
  };
};

/** Creates the function that changes the letter case of enum values in a query to that of this shape. */
function respellWords({ properties = {} }: TSchema): (query: unknown) => void {
  const words = Object.entries(properties as Record<string, Shape>).map(
    ([name, { enum: listed = [] }]) =>
      [name, new Map(listed.map((word) => [String(word).toLowerCase(), String(word)]))] as const,
  );
  return (query) => {
    if (!isObject(query)) return;
    for (const [name, spellings] of words) {
      const sent = query[name];
      const word = typeof sent === 'string' ? spellings.get(sent.toLowerCase()) : undefined;
      if (word !== undefined) query[name] = word;
    }
  };
}

/** Keywords whose error is more specific than "no branch of the union matches". */
const TELLING = new Set(['enum', 'pattern', 'isAddress', 'isCountry']);

/** The refusal for the first problem that names a field. */
function refusalOf(errors: ErrorObject[]): Refusal {
  // A union reports the errors of all branches. A missing field is the most specific, then an enum or a pattern.
  const found =
    errors.find(({ keyword }) => keyword === 'required') ??
    errors.find(({ keyword }) => TELLING.has(keyword)) ??
    errors[0];
  if (found === undefined) return refuse('field_invalid');
  const missing = found.keyword === 'required' ? String(found.params.missingProperty) : '';
  const path = [...found.instancePath.split('/').slice(1), missing].filter((step) => step !== '');
  if (path.length === 0) return refuse('body_missing');
  const field = path.join('.');
  const ownMessage =
    missing === '' ? undefined : (found.parentSchema as WithMissing | undefined)?.missing?.[missing];
  const code = ownMessage === undefined ? codeOf(found) : 'field_invalid';
  return refuse(code, { field, message: ownMessage ?? `${field} ${problem(found)}` });
}

/** The refusal of a rule of a shape; a field for which the platform publishes a message is only invalid. */
function codeOf({ keyword, parentSchema }: ErrorObject): RefusalCode {
  const isAmount =
    (keyword === 'pattern' || keyword === 'type') && AMOUNT.test(String(parentSchema?.pattern));
  return isAmount ? 'amount_malformed' : (CODES[keyword] ?? 'field_invalid');
}

const CODES: Readonly<Record<string, RefusalCode>> = {
  required: 'field_missing',
  maxLength: 'field_too_long',
  minLength: 'field_too_short',
};

/** The platform's own message for a missing field, next to `required` in the shape. */
interface WithMissing {
  missing?: Record<string, string>;
}

/** The pattern of an amount, whose cents may be optional. */
const AMOUNT = /\\\.\\d\{2\}\)?\??\$$/;

/** The distinct allowed values, without the empty string, which counts as not sent. */
function wordsOf(allowed: readonly unknown[]): string[] {
  return [...new Set(allowed.map(String))].filter((word) => word !== '');
}

/** The description of a pattern from its shape: "Nine digits." becomes "nine digits". */
function meaningOf(parent: unknown): string | undefined {
  const text = (parent as { description?: string } | undefined)?.description;
  return text?.replace(/\.$/, '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}

function problem({ keyword, message, params, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues: unknown[] }).allowedValues;
    return `must be one of ${wordsOf(allowed).join(', ')}`;
  }
  if (keyword === 'type' && !AMOUNT.test(String(parentSchema?.pattern))) {
    const types = String(params.type).split(',');
    return `must be ${types.map((type) => TYPE_WORDS.get(type) ?? type).join(' or ')}`;
  }
  if (keyword === 'pattern' || keyword === 'type') {
    if (AMOUNT.test(String(parentSchema?.pattern))) {
      return 'must be an amount of dollars and cents in a string, like "12.50"';
    }
    return `must be ${meaningOf(parentSchema) ?? 'written as its description in the OpenAPI document requires'}`;
  }
  const bound = BOUND_WORDS[keyword];
  return bound === undefined ? (message ?? 'is not valid') : bound(Number(params.limit));
}

/** The names of the JSON types in messages. */
const TYPE_WORDS = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

const entries = (count: number): string => counted(count, 'entry', 'entries');
const characters = (count: number): string => counted(count, 'character');

/** The requirement on a length or size in words, by keyword. */
const BOUND_WORDS: Readonly<Record<string, (limit: number) => string>> = {
  maxLength: (limit) => `must have at most ${characters(limit)}`,
  minLength: (limit) => `must have at least ${characters(limit)}`,
  maxItems: (limit) => `must have at most ${entries(limit)}`,
  minItems: (limit) => `must have at least ${entries(limit)}`,
  maximum: (limit) => `must be ${limit} or less`,
  minimum: (limit) => `must be ${limit} or more`,
};

interface ObjectShape {
  properties?: Record<string, ObjectShape>;
  items?: ObjectShape;
  anyOf?: ObjectShape[];
  /** Patterns for further names that the shape accepts. */
  patternProperties?: Record<string, ObjectShape>;
}

/** The paths of the fields of a body or query that are not in its shape. */
export function unknownFields(shape: TSchema, value: unknown): string[] {
  const found: string[] = [];
  collect(shape as ObjectShape, value, '', found);
  return found;
}

function collect(shape: ObjectShape, value: unknown, path: string, found: string[]): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    if (shape.items !== undefined) {
      for (const item of value) collect(shape.items, item, `${path}[]`, found);
    }
    return;
  }
  // A free-form object has no properties, so it has no unknown fields.
  const known = shape.properties === undefined ? branchWithProperties(shape) : shape;
  if (known?.properties === undefined) return;
  for (const key in value) {
    const at = path === '' ? key : `${path}.${key}`;
    const inner = Object.hasOwn(known.properties, key) ? known.properties[key] : undefined;
    if (inner !== undefined) collect(inner, (value as Record<string, unknown>)[key], at, found);
    else if (!takesByPattern(known, key)) found.push(at);
  }
}

function branchWithProperties({ anyOf }: ObjectShape): ObjectShape | undefined {
  return anyOf?.find(({ properties }) => properties !== undefined);
}

function takesByPattern({ patternProperties = {} }: ObjectShape, key: string): boolean {
  return Object.keys(patternProperties).some((pattern) => new RegExp(pattern).test(key));
}

/** The meaning of a zero value in a field. */
interface Field {
  /** `null` means "not sent". */
  readonly nullIsUnset: boolean;
  /** `""` means "not sent". */
  readonly emptyTextIsUnset: boolean;
  /** The fields of an object, or of the objects in a list. */
  readonly object?: Fields;
  readonly items?: Fields;
  /** An empty value in this object clears something. */
  readonly emptyClears: boolean;
  /** `null` removes the object. */
  readonly nullRemoves: boolean;
  /** The operation reads this field. */
  readonly isRead: boolean;
}

/** The fields of a shape, and the shape of other names if the shape accepts them. */
interface Fields {
  readonly named: ReadonlyMap<string, Field>;
  readonly others?: Field;
}

interface Shape {
  type?: string;
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  nullable?: boolean;
  emptyClears?: boolean;
  anyOf?: readonly Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  required?: readonly string[];
}

type Values = Record<string, unknown>;

/** Creates the function that removes empty optional parameters from a query of this shape. */
function emptyTextsOf({ properties = {}, required = [] }: TSchema): (query: unknown) => void {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return (query) => {
    if (!isObject(query)) return;
    for (const name of optional) if (query[name] === '') delete query[name];
  };
}

/**
 * Creates the function that removes the zero values from a body of this shape, in place. In an update, `null` removes
 * a value of the record if the shape allows it.
 */
function zeroValuesOf(shape: TSchema, isUpdate: boolean): (body: unknown) => void {
  let fields: Fields | undefined;
  return (body) => {
    if (!isObject(body)) return;
    fields ??= fieldsOf(shape as Shape, { isUpdate, emptyClears: false });
    unset(fields, body);
  };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for every value of every request, without calls
function unset(fields: Fields, values: Values): void {
  for (const name in values) {
    const field = fields.named.get(name) ?? fields.others;
    if (field === undefined) continue;
    const value = values[name];
    if (value === null) {
      if (field.nullIsUnset) delete values[name];
    } else if (value === '') {
      if (field.emptyTextIsUnset) delete values[name];
    } else if (Array.isArray(value)) {
      if (field.items !== undefined) for (const item of value) if (isObject(item)) unset(field.items, item);
    } else if (field.object !== undefined && isObject(value)) {
      const isUnset = field.emptyClears ? Object.keys(value).length === 0 : isEmpty(field.object, value);
      if (isUnset && !removesOthers(field.object, value)) delete values[name];
      else unset(field.object, value);
    }
  }
}

/** Whether an object contains only zero values; objects that are nested deeper than any struct are not inspected. */
function isEmpty(fields: Fields, values: Values, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  for (const name in values) {
    const value = values[name];
    if (value === null || value === '') continue;
    const field = fields.named.get(name) ?? fields.others;
    if (Array.isArray(value)) {
      if (value.length > 0) return false;
    } else if (isObject(value)) {
      if (!isEmpty(field?.object ?? NO_FIELDS, value, depth + 1)) return false;
    } else if (field?.isRead === true || value) {
      // In a field that the operation does not read, `0` and `false` are also zero values.
      return false;
    }
  }
  return true;
}

const MAX_DEPTH = 20;

/** Whether an object of an update contains only `null` for objects that `null` removes. */
function removesOthers(fields: Fields, values: Values): boolean {
  const names = Object.keys(values);
  return (
    names.length > 0 && names.every((name) => values[name] === null && fields.named.get(name)?.nullRemoves)
  );
}
const NO_FIELDS: Fields = { named: new Map() };

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** The path of a field. */
interface Place {
  readonly isUpdate: boolean;
  readonly emptyClears: boolean;
}

function fieldsOf(shape: Shape, place: Place): Fields {
  const { properties = {}, patternProperties = {}, required = [] } = shape;
  const [others] = Object.values(patternProperties);
  return {
    named: new Map(
      Object.entries(properties).map(([name, property]) => [
        name,
        fieldOf(property, required.includes(name), place),
      ]),
    ),
    ...(others !== undefined && { others: fieldOf(others, false, place) }),
  };
}

function fieldOf(shape: Shape, isRequired: boolean, place: Place): Field {
  const branches = shape.anyOf ?? [shape];
  const object = branches.find(({ type }) => type === 'object');
  const items = branches.find(({ items: inner }) => inner !== undefined)?.items;
  const emptyClears = place.emptyClears || object?.emptyClears === true;
  const inside = { ...place, emptyClears };
  const takesNull =
    isAnything(shape) || branches.some(({ type, nullable }) => nullable === true || type === 'null');
  const nullHasMeaning = takesNull && (place.isUpdate || emptyClears || object === undefined);
  return {
    nullIsUnset: !isRequired && !nullHasMeaning,
    emptyTextIsUnset: !isRequired && branches.some(isText) && branches.every(refusesEmptyText),
    ...(object !== undefined && { object: fieldsOf(object, inside) }),
    ...(items?.type === 'object' && { items: fieldsOf(items, inside) }),
    emptyClears,
    nullRemoves: takesNull && place.isUpdate && object !== undefined,
    isRead: !isAnything(shape),
  };
}

function isAnything({ type, enum: words, anyOf }: Shape): boolean {
  return type === undefined && words === undefined && anyOf === undefined;
}

function isText({ type, enum: words }: Shape): boolean {
  return type === 'string' || words !== undefined;
}

/** Whether `""` is an invalid value, and not an empty string. */
function refusesEmptyText({ type, enum: words, pattern, minLength = 0 }: Shape): boolean {
  if (words !== undefined) return !words.includes('');
  if (type !== 'string') return true;
  return minLength > 0 || (pattern !== undefined && !new RegExp(pattern).test(''));
}
