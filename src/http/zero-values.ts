/**
 * Takes out of a request what its client did not set. Clients of typed languages (Go, Java, Swift) send every field of
 * their structs, and a field that was not set arrives as its zero value: `""`, `null`, or an object that holds nothing
 * else. The shape of an operation says where such a value can only mean "not sent": one rule for every operation of both
 * API versions, which runs before the request is checked. An object shape marked `emptyClears` is different: an empty
 * list or text in it is a wish to clear something.
 * Source: decision `zero-values` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';

/** What a zero value at one field means. */
interface Field {
  /** `null` means "not sent". */
  readonly nullIsUnset: boolean;
  /** `""` means "not sent". */
  readonly emptyTextIsUnset: boolean;
  /** The fields of an object, or of the objects in a list. */
  readonly object?: Fields;
  readonly items?: Fields;
  /** What is empty in this object says something. */
  readonly emptyClears: boolean;
  /** `null` takes an object away. */
  readonly nullRemoves: boolean;
  /** The bank takes notice of what is in it. */
  readonly isRead: boolean;
}

/** The fields that a shape names, and what any other name stands for where the shape takes them. */
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

/** What takes the empty parameters out of a query of this shape, whose optional ones ask nothing when they are empty. */
export function emptyTextsOf({ properties = {}, required = [] }: TSchema): (query: unknown) => void {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return (query) => {
    if (!isObject(query)) return;
    for (const name of optional) if (query[name] === '') delete query[name];
  };
}

/**
 * What takes the zero values out of a body of this shape; it changes the body that it is given. In an update, `null`
 * takes away what a record has, where the shape allows it.
 */
export function zeroValuesOf(shape: TSchema, isUpdate: boolean): (body: unknown) => void {
  let fields: Fields | undefined;
  return (body) => {
    if (!isObject(body)) return;
    fields ??= fieldsOf(shape as Shape, { isUpdate, emptyClears: false });
    unset(fields, body);
  };
}

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
      if (isUnset && !takesAway(field.object, value)) delete values[name];
      else unset(field.object, value);
    }
  }
}

/** Whether an object holds nothing but zero values; one that is nested deeper than any struct is not looked into. */
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
      // Where the operation takes no notice, `0` and `false` are zero values of the client's struct like any other.
      return false;
    }
  }
  return true;
}

const MAX_DEPTH = 20;

/** Whether an object is there to take others away: of an update, with nothing in it but `null` for what it may take. */
function takesAway(fields: Fields, values: Values): boolean {
  const names = Object.keys(values);
  return (
    names.length > 0 && names.every((name) => values[name] === null && fields.named.get(name)?.nullRemoves)
  );
}
const NO_FIELDS: Fields = { named: new Map() };

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** Where a field stands. */
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
  const nullSays = takesNull && (place.isUpdate || emptyClears || object === undefined);
  return {
    nullIsUnset: !isRequired && !nullSays,
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

/** Whether `""` would be a wrong value, and not a text that is empty. */
function refusesEmptyText({ type, enum: words, pattern, minLength = 0 }: Shape): boolean {
  if (words !== undefined) return !words.includes('');
  if (type !== 'string') return true;
  return minLength > 0 || (pattern !== undefined && !new RegExp(pattern).test(''));
}
