/**
 * A typed client of the three interfaces: `client.v2.createSubAccount({ body })`. It uses only HTTP, so it can also
 * call a bank on another machine. A refusal is thrown as an error with the complete response.
 */
import { targetOf } from '../../bank/kernel/address.ts';
import type { CallOptions } from './call.ts';
import { SandbankError } from './error.ts';
import type { Answer, Send, Sent } from './send.ts';
import { type Route, TABLES, type Table } from './table.ts';
import type { ControlMethods, V1Methods, V2Methods } from './types.ts';

/** The address and the credentials of a bank. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:4800`. A user and password in it are sent as basic authorization. */
  readonly url: string;
  /** Opens a sandbox: `test_<name>` opens the sandbox `<name>`. */
  readonly apiKey: string;
  /** v1: the person of the calls, unless a call sets another in `headers`. */
  readonly personId?: string;
  /** The control plane's token, if it requires one. */
  readonly controlToken?: string;
  /** Sends the requests. Default in Node: the client's own HTTP, which fake timers and mocks of `fetch` do not affect. */
  readonly fetch?: typeof fetch;
}

/** The three interfaces of one sandbox. */
export interface Client {
  readonly v2: V2Methods;
  readonly v1: V1Methods;
  readonly sandbox: ControlMethods;
}

/** A call of any operation. */
interface Request extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly files?: Readonly<Record<string, Blob>>;
}

/** The properties of one interface's calls. */
interface Manner {
  readonly send: Send;
  /** The address of the bank, without a slash at its end. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyHeader?: string;
}

/** A client of the bank at a URL, which sends its requests with `send` unless the options set a `fetch`. */
export function createClient(options: ClientOptions, send: Send = fetch): Client {
  const { apiKey, personId, controlToken } = options;
  const { url, headers: credentials } = targetOf(options.url);
  const transport = { send: options.fetch ?? send, base: url.replace(/\/+$/, '') };
  return {
    v2: methods(TABLES.v2, {
      ...transport,
      headers: { ...credentials, 'api-key': apiKey },
      idempotencyHeader: 'idempotency-key',
    }),
    v1: methods(TABLES.v1, {
      ...transport,
      headers: {
        ...credentials,
        'sd-api-key': apiKey,
        ...(personId !== undefined && { 'sd-person-id': personId }),
      },
      idempotencyHeader: 'sd-idempotency-key',
    }),
    sandbox: methods(TABLES.sandbox, {
      ...transport,
      headers: {
        ...credentials,
        'api-key': apiKey,
        ...(controlToken !== undefined && { 'x-control-token': controlToken }),
      },
    }),
    // The methods are made from the same list as their types.
  } as unknown as Client;
}

function methods(table: Table, manner: Manner) {
  return Object.fromEntries(
    Object.entries(table).map(([name, route]) => [
      name,
      (request: Request = {}) => call(manner, route, request),
    ]),
  );
}

async function call(manner: Manner, route: Route, request: Request): Promise<unknown> {
  const { idempotencyKey, headers, signal } = request;
  const { idempotencyHeader, send, base } = manner;
  const content = contentOf(request, route);
  const path = requestPath(route, request);
  const answer = await send(base + path, {
    method: route.method,
    headers: {
      ...manner.headers,
      ...content.headers,
      ...(idempotencyKey !== undefined && idempotencyHeader && { [idempotencyHeader]: idempotencyKey }),
      ...headers,
    },
    ...(content.body !== undefined && { body: content.body }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    throw explain(error, base);
  });
  if (!answer.ok) {
    const called = { method: route.method, path: path.split('?', 1)[0] ?? path };
    throw new SandbankError(called, answer.status, await answer.text(), answer.headers.get('x-request-id'));
  }
  return read(answer);
}

/**
 * Reads a response: JSON as its value, no content as `undefined`, an endless response as a stream, anything else as
 * bytes.
 */
async function read(answer: Answer): Promise<unknown> {
  if (answer.status === 204) return undefined;
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return answer.json();
  if (type.startsWith('text/event-stream')) return answer.body;
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * The serialized body and its content type. For a form `fetch` sets the type itself, because it chooses the boundary.
 */
function contentOf(
  { body, files }: Request,
  { bodyType }: Route,
): { body?: Sent['body']; headers?: Readonly<Record<string, string>> } {
  if (files !== undefined) {
    const form = new FormData();
    for (const [name, file] of Object.entries(files)) form.append(name, file, name);
    return { body: form };
  }
  if (body === undefined) return {};
  if (bodyType !== undefined)
    return { body: body as Sent['body'] & {}, headers: { 'content-type': bodyType } };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

function requestPath({ path }: Route, { params = {}, query = {} }: Request): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const input = Object.entries(query).filter(([, value]) => value !== undefined);
  if (input.length === 0) return filled;
  const texts = input.map(([name, value]): [string, string] => [name, String(value)]);
  return `${filled}?${new URLSearchParams(texts)}`;
}

/** The codes of a certificate that no known authority has signed. */
const UNTRUSTED = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** A code of the system, like ECONNREFUSED. */
const OF_SYSTEM = /^E[A-Z]+$/;

/** `fetch` of Node only reports that it failed; the reason is its `cause`. In Bun it is the error itself. */
function reasonOf(error: unknown): NodeJS.ErrnoException | undefined {
  if (error instanceof TypeError && error.cause instanceof Error) return error.cause;
  return error instanceof Error && OF_SYSTEM.test(String((error as NodeJS.ErrnoException).code))
    ? error
    : undefined;
}

function explain(error: unknown, base: string): unknown {
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const { message, code } = reason;
  if (UNTRUSTED.test(code ?? '')) {
    return new TypeError(
      `the certificate of ${base} is not trusted (${message}): set the authority that signed it with ` +
        'NODE_EXTRA_CA_CERTS, or pass its text as `ca` to connectSandbank',
      { cause: reason },
    );
  }
  return new TypeError(`no answer from ${base} (${message || code}): is a bank running there?`, {
    cause: reason,
  });
}
