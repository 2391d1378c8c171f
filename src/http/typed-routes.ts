/**
 * Routes that are in no table of operations: signed links and the pages of checks. Fastify's type provider gives their
 * handlers the types of their shapes. The tables have their own (docs/decisions/0038-type-provider.md).
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';

/** A query as the router reads it: a name that is sent twice has a list. */
export const Query = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));
export type Query = Static<typeof Query>;

/** The text of a name in a query; `''` if it was not sent, or more than once. */
export function textOf(value: Query[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The router makes these values, so there is nothing to validate. */
const trustRouter: FastifySchemaCompiler<unknown> = () => () => true;

/** The scope, with handlers that have the types of the shapes of their routes. */
export function typedRoutes(scope: FastifyInstance) {
  return scope.setValidatorCompiler(trustRouter).withTypeProvider<TypeBoxTypeProvider>();
}
