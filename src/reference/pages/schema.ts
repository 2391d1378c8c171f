/**
 * The fields of a schema of an OpenAPI document as rows: each with its depth, type and description. References are
 * resolved; a recursive schema ends at its name.
 */

/** The parts of a schema that are used. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** One field. */
export interface Field {
  readonly name: string;
  readonly depth: number;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The allowed values, if they are listed. */
  readonly values: readonly string[];
}

const DEEPEST = 4;

/** The fields of a schema in order, with nested fields. */
export function fieldsOf(schemas: Schemas, schema: Schema): Field[] {
  return rows(schemas, schema, 0, []);
}

function rows(schemas: Schemas, schema: Schema, depth: number, within: readonly string[]): Field[] {
  const { shape, names } = objectIn(schemas, schema, within);
  if (shape?.properties === undefined || depth >= DEEPEST) return [];
  const required = shape.required ?? [];
  return Object.entries(shape.properties).flatMap(([name, field]) => [
    {
      name,
      depth,
      type: typeOf(schemas, field),
      isRequired: required.includes(name),
      description: field.description ?? resolve(schemas, field).description ?? '',
      values: valuesOf(schemas, field),
    },
    ...rows(schemas, field, depth + 1, names),
  ]);
}

/** The object schema within a schema: itself, its items or a branch of its union. */
function objectIn(
  schemas: Schemas,
  schema: Schema,
  within: readonly string[],
): { shape: Schema | undefined; names: readonly string[] } {
  const name = nameOf(schema);
  if (name !== '' && within.includes(name)) return { shape: undefined, names: within };
  const names = name === '' ? within : [...within, name];
  const shape = resolve(schemas, schema);
  if (shape.properties !== undefined) return { shape, names };
  const inner = shape.items ?? partsOf(shape).find((part) => resolve(schemas, part).type === 'object');
  return inner === undefined ? { shape: undefined, names } : objectIn(schemas, inner, names);
}

const partsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];
const nameOf = ({ $ref }: Schema): string => $ref?.split('/').at(-1) ?? '';

/** A schema, or the one that it refers to. */
function resolve(schemas: Schemas, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === '' ? schema : (schemas[name] ?? {});
}

function typeOf(schemas: Schemas, schema: Schema): string {
  const shape = resolve(schemas, schema);
  const parts = partsOf(shape);
  if (parts.length > 0) return [...new Set(parts.map((part) => typeOf(schemas, part)))].join(' or ');
  if (shape.items !== undefined) return `array of ${typeOf(schemas, shape.items)}`;
  const type = [shape.type ?? (shape.properties === undefined ? 'any' : 'object')].flat().join(' or ');
  return shape.format === undefined ? type : `${type} (${shape.format})`;
}

function valuesOf(schemas: Schemas, schema: Schema): string[] {
  const shape = resolve(schemas, schema);
  const own = shape.enum ?? (shape.const === undefined ? [] : [shape.const]);
  const inner = [...partsOf(shape), ...(shape.items === undefined ? [] : [shape.items])];
  return [...own.map((value) => JSON.stringify(value)), ...inner.flatMap((part) => valuesOf(schemas, part))];
}
