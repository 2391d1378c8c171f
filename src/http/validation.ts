/**
 * Checks requests against their shapes: no coercion, nothing removed, every problem found. A shape is compiled when it
 * is first used, because a process that starts in a quarter of a second has no time for a hundred of them.
 */
import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { emptyTextsOf, zeroValuesOf } from './zero-values.ts';

let ajv: Ajv | undefined;

/** What is wrong with a value; `null` when nothing is. */
type Check = (value: unknown) => Refusal | null;

/** A check of one shape, compiled at its first use. */
function checkOf(shape: TSchema): Check {
  let validate: ValidateFunction | undefined;
  return (value) => {
    if (validate === undefined) {
      ajv ??= new Ajv({
        coerceTypes: false,
        removeAdditional: false,
        allErrors: true,
        strict: false,
        useDefaults: false,
        // Gives a problem its shape, where a shape has words of its own for what is missing.
        verbose: true,
      });
      validate = ajv.compile(shape);
    }
    return validate(value) ? null : refusalOf(validate.errors ?? []);
  };
}

/** Fastify's hook for checking requests; a body that was not sent is checked as an empty object. */
export const compileLazily: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  const check = checkOf(schema);
  return (value: unknown) => {
    const error = check(value ?? {});
    return error === null ? true : { error };
  };
};

/** The same for what clients of v1 and v2 send, in which zero values count as not sent. */
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

/** The first problem that names a field, as the bank would have refused it. */
function refusalOf(errors: ErrorObject[]): Refusal {
  // A union reports each of its branches; the most telling is what is missing, then what is nearest to the value.
  const found =
    errors.find(({ keyword }) => keyword === 'required') ??
    errors.find(({ keyword }) => keyword === 'enum' || keyword === 'pattern') ??
    errors[0];
  if (found === undefined) return refuse('field_invalid');
  const missing = found.keyword === 'required' ? String(found.params.missingProperty) : '';
  const path = [...found.instancePath.split('/').slice(1), missing].filter((step) => step !== '');
  if (path.length === 0) return refuse('body_missing');
  const field = path.join('.');
  const said =
    missing === '' ? undefined : (found.parentSchema as WithMissing | undefined)?.missing?.[missing];
  return refuse('field_invalid', { field, message: said ?? `${field} ${problem(found)}` });
}

/** The platform's own words for a field that is not there, written beside `required`. */
interface WithMissing {
  missing?: Record<string, string>;
}

function problem({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') {
    const allowed = (params as { allowedValues: unknown[] }).allowedValues;
    return `must be one of ${allowed.join(', ')}`;
  }
  if (keyword === 'pattern' && String(params.pattern).endsWith('\\.\\d{2}$')) {
    return 'must be an amount of dollars and cents in a string, like "12.50"';
  }
  return message ?? 'is not valid';
}

interface ObjectShape {
  properties?: Record<string, ObjectShape>;
  items?: ObjectShape;
  anyOf?: ObjectShape[];
  /** Names that the shape takes though it does not list them, by a pattern. */
  patternProperties?: Record<string, ObjectShape>;
}

/** The fields of a body, or the parameters of a query, that its shape does not know, as paths. */
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
  // A free-form object has no properties of its own, and then everything in it is known.
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
