/** The request of an operation's example, and its changes. */
import { type ExampleCall, type ExampleFiles, formatExample } from '../../src/bank/api/operation.ts';
import type { OperationRow } from '../../src/reference/openapi/schemas.ts';
import type { Setup, Wire } from './bank.ts';

/** A request before serialization. */
export interface Draft {
  readonly row: OperationRow;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: Record<string, unknown> | undefined;
  readonly headers: Record<string, string>;
  /** Sent instead of the body. */
  readonly payload?: string | Buffer | undefined;
  readonly setup?: Setup;
}

export const KEY_HEADER = { v2: 'api-key', v1: 'sd-api-key', sandbox: 'api-key' } as const;

/** Drafts the example of an operation; seeded ids are looked up by their names in `GET /_sandbox`. */
export function draftExample(row: OperationRow, seeded: Readonly<Record<string, string>>): Draft {
  const seed = (name: string): string => {
    const id = seeded[name];
    if (id === undefined) throw new Error(`the example of ${row.id} names ${name}, which is not seeded`);
    return id;
  };
  const none: ExampleCall = { params: {}, query: {}, body: undefined, headers: {}, files: undefined };
  const example = row.example === undefined ? none : formatExample({ example: row.example }, { seed });
  return { row, ...example, ...(example.files !== undefined && formOf(example.files)) };
}

const BOUNDARY = 'recorded-form';

function formOf(files: ExampleFiles): Pick<Draft, 'payload' | 'headers'> {
  const parts = Object.entries(files).flatMap(([name, { contentType, base64 }]) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\n`,
    `content-type: ${contentType}\r\n\r\n`,
    Buffer.from(base64, 'base64'),
    '\r\n',
  ]);
  return {
    payload: Buffer.concat([...parts, `--${BOUNDARY}--\r\n`].map((part) => Buffer.from(part as string))),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** Serializes a draft. */
export function wireOf({ row, params, query, body, headers, payload }: Draft): Wire {
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => {
    const part = params[name];
    if (part === undefined) throw new Error(`the request of ${row.id} has no ${name}`);
    return encodeURIComponent(part);
  });
  const search = new URLSearchParams(query).toString();
  const sent = payload ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method: row.method,
    url: search === '' ? path : `${path}?${search}`,
    headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(sent !== undefined && { payload: sent }),
  };
}
