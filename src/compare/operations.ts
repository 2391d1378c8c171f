/**
 * The operations of both versions for the comparison: the operation of a request, and the enum values of a response
 * field.
 */
import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../bank/api/operation.ts';
import { V1_OPERATIONS } from '../bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../bank/api/v2/index.ts';

export const OPERATIONS: readonly AnyOperation[] = [...V2_OPERATIONS, ...V1_OPERATIONS];

const PATTERNS = OPERATIONS.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`),
  parameters: operation.path.split(':').length - 1,
})).sort((one, other) => one.parameters - other.parameters);

/** The operation of a request. Literal paths precede those with parameters. */
export function operationOf(method: string, path: string): AnyOperation | undefined {
  return PATTERNS.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
    ?.operation;
}

export function operationById(id: string): AnyOperation | undefined {
  return BY_ID.get(id);
}

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** The shape of a field of an operation's answer, at a path like `data[].status`. */
function shapeAt(id: string, path: string): TSchema | undefined {
  const steps = path.split(/\.|(?=\[\])/).filter((step) => step !== '');
  return steps.reduce<TSchema | undefined>(
    (shape, step) => (shape === undefined ? undefined : inside(shape, step)),
    BY_ID.get(id)?.response,
  );
}

function inside(shape: TSchema, step: string): TSchema | undefined {
  const branches = branchesOf(shape);
  for (const branch of branches) {
    const found = step === '[]' ? branch.items : branch.properties?.[step];
    if (found !== undefined) return found as TSchema;
  }
  return undefined;
}

function branchesOf(shape: TSchema): TSchema[] {
  const inner = [...(shape.anyOf ?? []), ...(shape.allOf ?? []), ...(shape.oneOf ?? [])] as TSchema[];
  return inner.length === 0 ? [shape] : [shape, ...inner.flatMap(branchesOf)];
}

/** The enum values of a field; `undefined` if any text is allowed. */
export function wordsAt(id: string, path: string): readonly string[] | undefined {
  const shape = shapeAt(id, path);
  if (shape === undefined) return undefined;
  const words = branchesOf(shape).flatMap((branch) => [
    ...((branch.enum as unknown[] | undefined) ?? []),
    ...(typeof branch.const === 'string' ? [branch.const] : []),
  ]);
  return words.length === 0 ? undefined : words.filter((word) => typeof word === 'string');
}
