/**
 * Checks values against a shape, which is compiled at its first use. A Durable Object can compile code only while its
 * module starts, so there the shape is interpreted, which takes ten times as long.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { Value } from '@sinclair/typebox/value';

/** Checks whether a value has a shape, and reports the places that differ. */
export type ShapeCheck = Pick<TypeCheck<TSchema>, 'Check' | 'Errors'>;

let isCompiling: boolean | undefined;

function mayCompile(): boolean {
  try {
    TypeCompiler.Compile(Type.Null());
    return true;
  } catch {
    return false;
  }
}

/** Creates the check of a shape. */
export function checkOf(shape: TSchema): ShapeCheck {
  isCompiling ??= mayCompile();
  if (isCompiling) return TypeCompiler.Compile(shape);
  return {
    Check: (value): value is never => Value.Check(shape, value),
    Errors: (value) => Value.Errors(shape, value),
  };
}
