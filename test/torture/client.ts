/** The common part of the clients of a round, and their requests: a response without an explanation is a finding. */
import type { Effect, History, Outcome } from './history.ts';
import type { Model } from './model.ts';
import { PROOFS } from './plan.ts';
import type { Reply, Server } from './server.ts';

/** What went wrong, for a person. */
export interface Finding {
  readonly what: string;
  readonly detail: string;
}

/** What the clients of a round share. */
export interface Client {
  server: Server;
  readonly model: Model;
  /** The ids of the seeding, which are the same in all sandboxes; empty until they were read. */
  seeded: Readonly<Record<string, string>>;
  /** Sandboxes by role; one that is not named is steady. */
  readonly roles: ReadonlyMap<string, string>;
  readonly findings: Finding[];
  readonly counts: {
    requests: number;
    payments: number;
    unavailable: number;
    lost: number;
    doubled: number;
    dropped: number;
    /** Operations whose balances were checked, and accounts whose search was cut. */
    explained: number;
    cut: number;
  };
  readonly history: History;
  /** Sandboxes whose balances are checked after each phase. */
  readonly explained: ReadonlySet<string>;
  readonly excuses: Excuses;
  /** Called with each answer. */
  answered(): void;
}

/** A full disk excuses refusals for lack of room. */
export interface Excuses {
  /** From now on until the result is called. */
  begin(): () => void;
  /** Answers whether the disk was full at any time since now. */
  watch(): () => boolean;
}

/** Nothing is excused. */
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
  /** What it does to the balances of the two seeded accounts. */
  readonly effects?: readonly Effect[];
}

const apiOf = (path: string): Api =>
  path.startsWith('/v1') ? 'v1' : path.startsWith('/v2') ? 'v2' : 'control';
const FULL_WORDS = /disk|space|room|full/i;

/** True for an answer that says that nothing was carried out, because the bank could not. */
export const isUnavailable = ({ status }: Reply): boolean => status >= 500;

/** Asks, and reports what no server should answer; `null` when the connection broke. */
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
  const reply = await server.fetchReply({
    method,
    path,
    headers,
    ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
  });
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

/** What an answer says about the balances. */
function outcomeOf(reply: Reply | null): Outcome {
  if (reply === null) return 'lost';
  if (isUnavailable(reply) || reply.status === 401 || reply.status === 404) return 'without effect';
  if (reply.status >= 400) return 'refused';
  const body = reply.text.startsWith('{') ? (JSON.parse(reply.text) as Record<string, unknown>) : {};
  return body.status === 'declined' ? 'refused' : { body };
}

/** Counts what a fault excuses, and reports anything else. */
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

/** A path without its ids, so that what fails alike is called alike. */
function nameless(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/\/(?:[a-z]{3}[-_][0-9a-f-]{30,}|m-[^/]+|\d+)/g, '/*');
}

/** Notes a finding, each sort once. */
export function find(client: Client, what: string, detail: string): void {
  if (!client.findings.some((found) => found.what === what)) client.findings.push({ what, detail });
}

async function explainBreak(client: Client, what: string): Promise<void> {
  const { server } = client;
  // The connection goes a moment before the process is known to have gone.
  await Promise.race([server.gone, new Promise((resolve) => setTimeout(resolve, 500))]);
  if (server.ending) return;
  const ended = server.ended();
  if (ended === null) find(client, 'a connection broke while the server ran', what);
  else find(client, 'the server ended by itself', `${what}: ${JSON.stringify(ended)}`);
}
