/**
 * Routes outside of the tables of operations: signed links and the pages of checks. Fastify's type provider infers
 * the types of their handlers from their shapes. The tables infer types themselves
 * (docs/decisions/0038-type-provider.md).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';

/** A query as the router parses it: a repeated name has a list of values. */
export const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));
export type Query = Static<typeof Query>;

/** The value of a query parameter; `''` if it was not sent, or more than once. */
export function textOf(value: Query[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The router creates these values, so they need no validation. */
const trustRouter: FastifySchemaCompiler<unknown> = () => () => true;

/** Returns the scope with typed handlers. */
export function typedRoutes(scope: FastifyInstance) {
  return scope.setValidatorCompiler(trustRouter).withTypeProvider<TypeBoxTypeProvider>();
}
