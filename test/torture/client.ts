/** The shared state of the clients of a round, and their requests. A response that no fault explains is a finding. */
import type { Effect, History, Outcome } from './history.ts';
import type { Model } from './model.ts';
import { PROOFS } from './plan.ts';
import type { Reply, Server } from './server.ts';

/** An error, described for a reader of the output. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
}

/** The shared state of the clients of a round. */
export interface Client {
  server: Server;
  readonly model: Model;
  /** The seeded ids, which are the same in all sandboxes; empty until they are read. */
  seeded: Readonly<Record<string, string>>;
  /** The roles of the sandboxes by name. The default is steady. */
  readonly roles: ReadonlyMap<string, string>;
  readonly findings: Finding[];
  readonly counts: {
    requests: number;
    payments: number;
    unavailable: number;
    lost: number;
    doubled: number;
    dropped: number;
    /** Operations whose balances were checked, and accounts whose search ended without a result. */
    explained: number;
    cut: number;
  };
  readonly history: History;
  /** Sandboxes whose balances are checked after each phase. */
  readonly explained: ReadonlySet<string>;
  readonly excuses: Excuses;
  /** Called after each response. */
  answered(): void;
}

/** While a disk is full, refusals because of it are expected. */
export interface Excuses {
  /** The disk is full from now until the result is called. */
  begin(): () => void;
  /** The result returns whether the disk was full at any time since this call. */
  watch(): () => boolean;
}

/** No disk is full yet. */
export function createExcuses(): Excuses {
  let active = 0;
  let begun = 0;
  return {
    begin() {
      active += 1;
      begun += 1;
      let isOver = false;
      return () => {
        if (!isOver) active -= 1;
        isOver = true;
      };
    },
    watch() {
      const before = { active, begun };
      return () => before.active > 0 || begun > before.begun;
    },
  };
}

type Api = 'v1' | 'v2' | 'control';
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly sandbox: string;
  readonly body?: unknown;
  readonly key?: string;
  /** The changes of the balances of the two seeded accounts. */
  readonly effects?: readonly Effect[];
}

const apiOf = (path: string): Api =>
  path.startsWith('/v1') ? 'v1' : path.startsWith('/v2') ? 'v2' : 'control';
const FULL_WORDS = /disk|space|room|full/i;

/** True for a 5xx: the bank could not execute the request, and changed nothing. */
export const isUnavailable = ({ status }: Reply): boolean => status >= 500;

/** Sends a request and reports an unexpected response; `null` if the connection broke. */
export async function request(client: Client, call: Call): Promise<Reply | null> {
  const { method, path, sandbox, body, key, effects = [] } = call;
  const api = apiOf(path);
  const { server, counts, history } = client;
  const headers: Record<string, string> = { [api === 'v1' ? 'sd-api-key' : 'api-key']: `test_${sandbox}` };
  if (api === 'v1') headers['sd-person-id'] = client.seeded.person_id ?? '';
  if (key !== undefined) headers[api === 'v1' ? 'sd-idempotency-key' : 'idempotency-key'] = key;
  const isBytes = body instanceof Uint8Array;
  if (isBytes) headers['content-type'] = 'application/vnd.sqlite3';
  const wasFull = client.excuses.watch();
  const noted = client.explained.has(sandbox) ? history.call(sandbox, effects, key) : undefined;
  const send = () =>
    server.fetchReply({
      method,
      path,
      headers,
      ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
    });
  let reply = await send();
  // A request whose key is in use is sent again, as its answer says.
  while (reply?.status === 409 && /IDEMPOTENCY_KEY_CONFLICT/.test(reply.text)) reply = await send();
  noted?.(outcomeOf(reply));
  if (reply === null) {
    if (!server.ending) await explainBreak(client, `${method} ${path} in ${sandbox}`);
    return null;
  }
  counts.requests += 1;
  client.answered();
  if (isUnavailable(reply)) explainRefusal(client, call, reply, wasFull());
  return reply;
}

/** The effect on the balances, according to the response. */
function outcomeOf(reply: Reply | null): Outcome {
  if (reply === null) return 'lost';
  if (isUnavailable(reply) || reply.status === 401 || reply.status === 404) return 'without effect';
  if (reply.status >= 400) return 'refused';
  const body = reply.text.startsWith('{') ? (JSON.parse(reply.text) as Record<string, unknown>) : {};
  return body.status === 'declined' ? 'refused' : { body };
}

/** Counts a refusal that a fault explains, and reports any other. */
function explainRefusal(
  client: Client,
  { method, path, sandbox }: Call,
  { status, text }: Reply,
  wasFull: boolean,
): void {
  const { server, counts } = client;
  const output = `${method} ${path} in ${sandbox} answered ${status}: ${text.slice(0, 400)}`;
  if (server.ending && status === 503) counts.unavailable += 1;
  else if (wasFull) {
    counts.unavailable += 1;
    if (PROOFS.fullIsReported && !FULL_WORDS.test(text)) {
      find(client, 'an answer on a full disk does not say that it is full', output);
    }
  } else find(client, `a ${status} without a fault, ${method} ${nameless(path)}`, output);
}

/** A path without its ids, so that equal failures have equal names. */
function nameless(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/\/(?:[a-z]{3}[-_][0-9a-f-]{30,}|m-[^/]+|\d+)/g, '/*');
}

/** Adds a finding, unless there is one with the same name. */
export function find(client: Client, what: string, detail: string): void {
  if (!client.findings.some((found) => found.what === what)) client.findings.push({ what, detail });
}

async function explainBreak(client: Client, what: string): Promise<void> {
  const { server } = client;
  // The connection ends a moment before this process receives the exit.
  await Promise.race([server.gone, new Promise((resolve) => setTimeout(resolve, 500))]);
  if (server.ending) return;
  const ended = server.ended();
  if (ended === null) find(client, 'a connection broke while the server ran', what);
  else find(client, 'the server ended by itself', `${what}: ${JSON.stringify(ended)}`);
}
