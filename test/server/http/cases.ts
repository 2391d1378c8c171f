/** Every operation of both versions with its example from the OpenAPI documents, for tests of all operations. */

import { type AnyOperation, type ExampleWorld, formatExample } from '../../../src/bank/api/operation.ts';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { writeExampleForm } from './forms.ts';
import type { Answer, Caller } from './support.ts';

export interface Case {
  /** Its method and path. */
  readonly name: string;
  /** The same with its id, for the title of a test. */
  readonly title: string;
  readonly apiVersion: 'v1' | 'v2';
  readonly operation: AnyOperation;
}

/** The request of a case. */
export interface Prepared {
  /** The path of an existing record, with its query. */
  readonly path: string;
  /** A body with every field; absent for an operation without a body. */
  readonly body: Record<string, unknown> | undefined;
  /** Its files, for an operation with files instead of a body. */
  readonly form?: Buffer;
  readonly headers: Record<string, string>;
}

/** A caller with arbitrary ids: for reading bodies before there is a server. */
const UNKNOWN_WORLD: ExampleWorld = { seed: () => 'x' };

const dialectOf = ({ path }: AnyOperation): Case['apiVersion'] => (path.startsWith('/v1/') ? 'v1' : 'v2');

export const CASES: readonly Case[] = [...V2_OPERATIONS, ...V1_OPERATIONS].map((operation) => ({
  name: `${operation.method} ${operation.path}`,
  title: `${operation.id}: ${operation.method} ${operation.path}`,
  apiVersion: dialectOf(operation),
  operation,
}));

/** The ten most common operations. */
export const TEN: readonly string[] = [
  'POST /v2/accounts/sub_account_holder',
  'POST /v2/accounts/sub_account_holder/:sub_account_holder_id/kyb',
  'POST /v2/payments/ach/pull',
  'POST /v2/payments/intra_account/pull',
  'PATCH /v2/issuing/card/:card_id',
  'POST /v1/receive/ach',
  'POST /v1/card/:cardId/test',
  'PATCH /v1/contact/:contactId',
  'PATCH /v1/webhook/:webhookId',
  'POST /v1/person/:personId/document',
];

/** Those with a body. */
export const WITH_BODY = CASES.filter(({ operation }) => operation.example?.body !== undefined);

/** The fields of a case's body; empty for an operation without a body. */
export function fieldsOf({ operation }: Case): string[] {
  return Object.keys(formatExample(operation, UNKNOWN_WORLD).body ?? {});
}

/** The request of an operation's example, for seeded records with these ids. */
export function prepareExample(operation: AnyOperation, seed: ExampleWorld['seed']): Prepared {
  const { params, query, body, headers, files } = formatExample(operation, { seed });
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const part = params[name];
    if (part === undefined) throw new Error(`the example of ${operation.id} has no ${name}`);
    return encodeURIComponent(part);
  });
  const search = new URLSearchParams(query).toString();
  const prepared = { path: search === '' ? path : `${path}?${search}`, body, headers };
  if (files === undefined) return prepared;
  const form = writeExampleForm(files);
  return { ...prepared, form: form.body, headers: { ...headers, ...form.headers } };
}

/** The request of a case for this caller. */
export function prepareCase(caller: Caller, { operation }: Case): Prepared {
  return prepareExample(operation, caller.seed);
}

/** Calls an operation as prepared, or with another body; a string is sent unchanged. */
export function send(
  caller: Caller,
  operation: AnyOperation,
  { path, body, form, headers }: Omit<Prepared, 'body'> & { body: unknown },
): Promise<Answer> {
  return caller[dialectOf(operation)](operation.method, path, form ?? body, headers);
}

/** Calls the operation of a case with its own body. */
export function callCase(caller: Caller, entry: Case, headers: Record<string, string> = {}): Promise<Answer> {
  const prepared = prepareCase(caller, entry);
  return send(caller, entry.operation, { ...prepared, headers: { ...prepared.headers, ...headers } });
}
