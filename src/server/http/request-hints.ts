/**
 * Hints about a successful request, for the header `x-sandbox-hint`: unknown fields, and a page that is shorter than
 * requested. With strict fields such a request is refused instead.
 * Source: decisions `unknown-fields` and `value-strictness` in docs/fidelity.md.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { AnyOperation } from '../../bank/api/operation.ts';
import { MAX_LIMIT } from '../../bank/api/v1/paging.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Api } from './api-versions.ts';
import { unknownFields } from './validation.ts';

/** The maximum length of the names: clients accept 16 KB of headers. */
const NAMES_LENGTH = 1000;

const NO_FIELDS: TSchema = Type.Object({});

/**
 * Creates the function that returns the hint about a request; `''` for none. Refuses with strict fields:
 * `field_unknown`, `field_invalid`.
 */
export function createRequestHints(
  { name }: Api,
  { method, body: bodyShape, query: queryShape, response }: AnyOperation,
  strictFields: boolean,
): (request: FastifyRequest) => string {
  const hasPages = name === 'v1' && Object.hasOwn(queryShape?.properties ?? {}, 'limit');

  /** A client may send a whole record back, so an update accepts the fields of the record that it returns. */
  const notInRecord = (names: string[], body: unknown): string[] => {
    if (method !== 'PATCH' || response === undefined) return names;
    const unknown = new Set(unknownFields(response, body));
    return names.filter((name) => unknown.has(name));
  };

  const lengthHint = (query: unknown): string => {
    const limit = Number((query as { limit?: string } | undefined)?.limit ?? 0);
    if (!hasPages || !(limit > MAX_LIMIT)) return '';
    if (!strictFields) return `the maximum of limit is ${MAX_LIMIT}; total is the number of all records`;
    const message = `limit must be a whole number from 1 to ${MAX_LIMIT}`;
    throw refuse('field_invalid', { field: 'limit', message });
  };

  return ({ query, body }) => {
    const unknown = [
      ...unknownFields(queryShape ?? NO_FIELDS, query),
      ...(bodyShape === undefined ? [] : unknownFields(bodyShape, body)),
    ];
    const length = lengthHint(query);
    if (unknown.length === 0) return length;
    const refused = strictFields ? notInRecord(unknown, body) : [];
    if (refused.length > 0) {
      throw refuse('field_unknown', {
        field: refused[0] ?? '',
        message: `this operation does not accept ${shortened(refused.join(', '))}; remove ${refused.length === 1 ? 'it' : 'them'}, or switch strict fields off`,
      });
    }
    const names = shortened(unknown.join(', '));
    const ignored = `ignored, because this operation does not accept ${unknown.length === 1 ? 'it' : 'them'}: ${names}`;
    return [length, printable(ignored)].filter((part) => part !== '').join('; ');
  };
}

/** A header holds printable ASCII only. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

function shortened(names: string): string {
  return names.length <= NAMES_LENGTH ? names : `${names.slice(0, NAMES_LENGTH)}...`;
}
