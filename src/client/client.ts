/**
 * A typed client of the three interfaces: `client.v2.createSubAccount({ body })`. It speaks HTTP through `fetch` and
 * nothing else, so it also calls a bank on another machine; a refusal is thrown with all that the bank said.
 */
import { SandbankError } from './error.ts';
import { type Route, TABLES, type Table } from './table.ts';
import type { CallOptions, ControlMethods, V1Methods, V2Methods } from './types.ts';

/** Where a bank is and how it is opened. */
export interface ClientOptions {
  /** Like `http://127.0.0.1:4800`. */
  readonly url: string;
  /** Opens a sandbox: `test_<name>` opens the sandbox `<name>`. */
  readonly apiKey: string;
  /** v1: the person on whose behalf calls are made, unless a call names another in `headers`. */
  readonly personId?: string;
  /** The control plane's token, where it wants one. */
  readonly controlToken?: string;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}

/** The three interfaces of one sandbox. */
export interface Client {
  readonly v2: V2Methods;
  readonly v1: V1Methods;
  readonly sandbox: ControlMethods;
}

/** A call as it was made, whatever its operation. */
interface Request extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** Headers of each interface. */
interface Manner {
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyHeader: string;
}

/** A client of the bank at a URL. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, personId, controlToken } = options;
  const send = options.fetch ?? fetch;
  const base = options.url.replace(/\/+$/, '');
  const methods = (table: Table, manner: Manner) =>
    Object.fromEntries(
      Object.entries(table).map(([name, route]) => [
        name,
        (request: Request = {}) => call(send, base, route, manner, request),
      ]),
    );
  return {
    v2: methods(TABLES.v2, { headers: { 'api-key': apiKey }, idempotencyHeader: 'idempotency-key' }),
    v1: methods(TABLES.v1, {
      headers: { 'sd-api-key': apiKey, ...(personId !== undefined && { 'sd-person-id': personId }) },
      idempotencyHeader: 'sd-idempotency-key',
    }),
    sandbox: methods(TABLES.sandbox, {
      headers: { 'api-key': apiKey, ...(controlToken !== undefined && { 'x-control-token': controlToken }) },
      idempotencyHeader: '',
    }),
    // The methods are made from the same list as their types.
  } as unknown as Client;
}

async function call(
  send: typeof fetch,
  base: string,
  route: Route,
  manner: Manner,
  request: Request,
): Promise<unknown> {
  const { body, idempotencyKey, headers, signal } = request;
  const answer = await send(base + pathOf(route, request), {
    method: route.method,
    headers: {
      ...manner.headers,
      ...(body !== undefined && { 'content-type': route.bodyType ?? 'application/json' }),
      ...(idempotencyKey !== undefined && { [manner.idempotencyHeader]: idempotencyKey }),
      ...headers,
    },
    ...(body !== undefined && { body: encode(body, route) }),
    ...(signal !== undefined && { signal }),
  });
  const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
  if (!answer.ok) {
    const text = await answer.text();
    throw new SandbankError(route, answer.status, text);
  }
  if (answer.status === 204) return undefined;
  return isJson ? answer.json() : new Uint8Array(await answer.arrayBuffer());
}

type Body = NonNullable<RequestInit['body']>;

function encode(body: unknown, { bodyType }: Route): Body {
  return bodyType === undefined ? JSON.stringify(body) : (body as Body);
}

function pathOf({ path }: Route, { params = {}, query = {} }: Request): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  if (asked.length === 0) return filled;
  const texts = asked.map(([name, value]): [string, string] => [name, String(value)]);
  return `${filled}?${new URLSearchParams(texts)}`;
}
