/**
 * Sends the requests of a seed to a separate server, several at once, and compares each response with the documents.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startServer } from '../torture/server.ts';
import { learn, mismatch, readOperations } from './documents.ts';
import { FAULTY, makeRequests, SANDBOXES, type Sent } from './requests.ts';

export interface Options {
  readonly seed: number;
  readonly requests: number;
  readonly concurrency: number;
  /** Prints and sends only this one. */
  readonly only?: number;
  readonly line: (text: string) => void;
}

export interface Result {
  readonly findings: readonly string[];
  readonly sent: number;
  readonly statuses: Record<string, number>;
  /** How many operations responded with 2xx at least once, and how many there are. */
  readonly succeeded: number;
  readonly operations: number;
}

/** Far more than any call takes on a busy machine; the bench measures speed. */
const SLOW_MS = 15_000;
/** A host name of a receiver that is still resolved keeps the process alive: this cannot be cancelled. */
const STOP_LIMIT_MS = 30_000;
/** A simulation may request an authorization from a client, for a minute at most. */
const SIMULATIONS = /simulate|test/i;
const SLOW_SIMULATION_MS = 65_000;
/**
 * Clock calls wait up to 5 s for their effects (`quiescent`), an example 10 s for its receiver (`delivered`).
 */
const WAITS = /"(?:quiescent|delivered)":/;
const SLOW_WHEN_WAITING_MS = 25_000;
const GIVE_UP_MS = 70_000;
const GROWTH_MB = 400;
/**
 * Garbage that Node collects late looks like growth on a machine with much memory; used memory must fit into this
 * limit. With 192 MB Node collected garbage continuously, because half-empty pages count.
 */
const NODE_OPTIONS = '--max-old-space-size=256';
const REPORT_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const RESET_EVERY = 1_500;
/**
 * Responses that any operation may have: keys, methods, sizes, types and rates do not belong to one operation.
 */
const GENERAL = new Set([401, 403, 404, 405, 408, 413, 414, 415, 429, 431]);
/** The only 503 responses of a healthy machine, while a sandbox is replaced. */
const BUSY = new Set(['sandboxes_busy', 'SANDBOXES_BUSY', 'sandbox_damaged']);
const CURL_BODY = 1_500;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly ms: number;
  readonly isFault: boolean;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command that repeats the request; a body that is long or not text comes from `--only`. */
function curl(url: string, { method, path, headers, body }: Sent): string {
  const parts = [`curl -i --path-as-is -X ${method} ${quote(url + path)}`];
  for (const [name, value] of Object.entries(headers))
    parts.push(`-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`);
  if (body === undefined) return parts.join(' ');
  const bytes = Buffer.from(body);
  if (bytes.length > CURL_BODY) return `${parts.join(' ')} --data-binary '(${bytes.length} bytes)'`;
  if (typeof body === 'string' && !body.includes('\0'))
    return `${parts.join(' ')} --data-binary ${quote(body)}`;
  return `echo ${bytes.toString('base64')} | base64 -d | ${parts.join(' ')} --data-binary @-`;
}

async function send(pool: Pool, { method, path, headers, body }: Sent): Promise<Answer> {
  const began = performance.now();
  const answer = await pool.request({
    method: method as 'GET',
    path,
    headers,
    ...(body !== undefined && { body }),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type'] ?? ''),
    text,
    ms: performance.now() - began,
    isFault: String(answer.headers['x-sandbox-hint'] ?? '').startsWith('fault '),
  };
}

function codeOf(body: unknown): string {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: { code?: unknown } };
  return String(code ?? error?.code);
}

/**
 * Accepted gaps of the documents, by name. A webhook of the other version has its own events, whose names are not in
 * this version's document.
 */
function isGap(operationId: string, difference: string): boolean {
  return (
    /webhook/i.test(operationId) && /\/events\/\* must be equal to one of the allowed values/.test(difference)
  );
}

/** The error of a response; its first word is the kind of the finding. */
function faultsOf(sent: Sent, { status, type, text, ms, isFault }: Answer): string[] {
  const { operation, isItsOwn, method } = sent;
  if (isFault || sent.sandbox === FAULTY) return [];
  const faults: string[] = [];
  const limitMs = SIMULATIONS.test(operation.operationId)
    ? SLOW_SIMULATION_MS
    : WAITS.test(text)
      ? SLOW_WHEN_WAITING_MS
      : SLOW_MS;
  if (ms > limitMs) faults.push(`slow: ${Math.round(ms / 1000)} s`);
  let body: unknown;
  if (type.includes('json') && method !== 'HEAD') {
    try {
      body = JSON.parse(text);
    } catch {
      faults.push(`answer ${status} is no JSON`);
    }
  }
  const listed = Object.keys(operation.responses).includes(String(status));
  if (status >= 500) {
    if (status === 503 && BUSY.has(codeOf(body))) return faults;
    if (status === 501 && listed) return faults;
    return [...faults, `failure ${status} ${codeOf(body)}`];
  }
  if (!isItsOwn) return faults;
  // Harmless: headers are refused before the path is known, so the error belongs to no version.
  if (status === 431) return faults;
  if (!listed && !GENERAL.has(status)) faults.push(`status ${status} ${codeOf(body)} is not in the document`);
  else if (body !== undefined) {
    const difference = mismatch(operation, status, body);
    if (difference !== undefined && !isGap(operation.operationId, difference))
      faults.push(`shape of ${status}: ${difference}`);
  } else if (status !== 204 && method !== 'HEAD') {
    const content = operation.responses[status]?.content ?? {};
    if (listed && 'application/json' in content && text !== '') faults.push(`type of ${status}: ${type}`);
  }
  return faults;
}

/** Sends everything; every kind of finding is reported once. */
export async function fuzz(options: Options): Promise<Result> {
  const { seed, requests, line } = options;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-fuzz-'));
  const server = await startServer({
    data: '',
    readyFile: join(folder, 'ready.json'),
    synchronous: 'normal',
    more: { NODE_OPTIONS },
  });
  if ('failed' in server) throw new Error(server.log);
  const pool = new Pool(server.url, {
    connections: options.concurrency,
    headersTimeout: GIVE_UP_MS,
    bodyTimeout: GIVE_UP_MS,
  });
  const sorts = new Set<string>();
  /** The end of the server is added to it last. */
  const findings: string[] = [];
  const statuses: Record<string, number> = {};
  const counts = new Map<string, Record<string, number>>();
  const find = (key: string, text: string): void => {
    if (sorts.has(key)) return;
    sorts.add(key);
    findings.push(text);
    line(`FINDING ${text}`);
  };
  let done = 0;
  try {
    const operations = await readOperations(server.url);
    const known = await learn(server.url, operations, `test_${SANDBOXES[0]}`);
    const requestOf = makeRequests(operations, known, seed);
    for (const { operationId } of operations) counts.set(operationId, {});
    const call = async (number: number): Promise<void> => {
      const sent = requestOf(number);
      const { operationId } = sent.operation;
      const report = (fault: string, more = ''): void =>
        find(
          `${operationId} ${fault}`.replace(/\d+ s$/, ''),
          `${operationId} (${sent.sort}): ${fault}${more}\n  seed ${seed} request ${number}\n  ${curl(server.url, sent)}`,
        );
      try {
        const answer = await send(pool, sent);
        const of = counts.get(operationId);
        if (of !== undefined && sent.isItsOwn) of[answer.status] = (of[answer.status] ?? 0) + 1;
        const sort = `${Math.floor(answer.status / 100)}xx`;
        statuses[sort] = (statuses[sort] ?? 0) + 1;
        for (const fault of faultsOf(sent, answer)) report(fault, `\n  ${answer.text.slice(0, 300)}`);
      } catch (error) {
        statuses.broken = (statuses.broken ?? 0) + 1;
        // A fault may break a connection, and a refusal may end one before a large body was sent.
        const isLarge = Buffer.byteLength(sent.body ?? '') > 100_000;
        if (sent.sandbox !== FAULTY && !isLarge) report(`no answer: ${String(error)}`);
      }
      done += 1;
    };
    if (options.only !== undefined) {
      const sent = requestOf(options.only);
      line(curl(server.url, sent));
      const { status, text } = await send(pool, sent);
      line(`${status} ${text.slice(0, 2_000)}`);
      return { findings, sent: 1, statuses, succeeded: 0, operations: operations.length };
    }

    const firstMb = server.now().rssMb;
    const began = performance.now();
    const rate = (): number => Math.round(done / ((performance.now() - began) / 1000));
    const look = setInterval(() => {
      const { rssMb } = server.now();
      if (rssMb > firstMb + GROWTH_MB)
        find('memory', `memory: ${Math.round(rssMb)} MB after ${done} requests, seed ${seed}`);
    }, LOOK_EVERY_MS);
    const reporter = setInterval(
      () =>
        line(
          `${done} requests, ${rate()} a second, ${JSON.stringify(statuses)}, ${Math.round(server.now().rssMb)} MB`,
        ),
      REPORT_EVERY_MS,
    );
    const control = async (method: string, path: string, sandbox: string): Promise<Answer> =>
      await send(pool, {
        method,
        path,
        sandbox,
        headers: { 'api-key': `test_${sandbox}` },
        operation: operations[0] as never,
        sort: 'valid',
        isItsOwn: false,
      });
    const verify = async (sandbox: string): Promise<void> => {
      const { status, text } = await control('GET', '/_sandbox/ledger/verify', sandbox);
      const { balanced } = status === 200 ? (JSON.parse(text) as { balanced: boolean }) : { balanced: false };
      if (!balanced)
        find(
          'books',
          `books of ${sandbox}: ${status} ${text.slice(0, 500)}, before request ${done}, seed ${seed}`,
        );
    };
    /** Audits the books, restores the seeded records and removes what was created outside the sandboxes. */
    const tidy = async (): Promise<void> => {
      for (const sandbox of SANDBOXES) {
        if (sandbox === FAULTY) await control('DELETE', '/_sandbox/faults', sandbox);
        await verify(sandbox);
        const { status, text } = await control('POST', '/_sandbox/reset', sandbox);
        if (status !== 200)
          find(
            'reset',
            `reset of ${sandbox}: ${status} ${text.slice(0, 300)}, before request ${done}, seed ${seed}`,
          );
      }
      const { text } = await control('GET', '/_sandbox/sandboxes', FAULTY);
      for (const { name } of (JSON.parse(text) as { sandboxes: { name: string }[] }).sandboxes) {
        if (name !== 'default' && !SANDBOXES.includes(name))
          await control('DELETE', `/_sandbox/sandboxes/${name}`, FAULTY);
      }
    };
    try {
      // Between resets the order of concurrent requests is undefined; the requests are not.
      for (let from = 1; from <= requests && server.ended() === null; from += RESET_EVERY) {
        await tidy();
        let next = from;
        const end = Math.min(requests + 1, from + RESET_EVERY);
        const worker = async (): Promise<void> => {
          while (next < end && server.ended() === null) {
            next += 1;
            await call(next - 1);
          }
        };
        await Promise.all(Array.from({ length: options.concurrency }, worker));
      }
      if (server.ended() === null) await tidy();
    } catch (error) {
      find(
        'broken',
        `the control plane did not answer: ${String(error)}, after ${done} requests, seed ${seed}`,
      );
    } finally {
      clearInterval(look);
      clearInterval(reporter);
    }
    if (server.ended() !== null)
      find('crash', `the server ended after ${done} requests, seed ${seed}\n${server.log()}`);
    const seconds = (performance.now() - began) / 1000;
    for (const [name, of] of counts) {
      line(
        `${name.padEnd(44)} ${Object.entries(of)
          .map(([status, times]) => `${status}: ${times}`)
          .join(', ')}`,
      );
    }
    const failed = [...counts].filter(([, of]) => !Object.keys(of).some((status) => status.startsWith('2')));
    const { length } = operations;
    line(
      `${done} requests in ${seconds.toFixed(1)} s, ${rate()} a second, ${JSON.stringify(statuses)}; at most ${Math.round(server.most.rssMb)} MB`,
    );
    line(
      `${length - failed.length} of ${length} operations answered 2xx; never: ${failed.map(([name]) => name).join(', ') || 'none'}`,
    );
    line(`${findings.length} findings with seed ${seed}`);
    return {
      findings,
      sent: done,
      statuses,
      succeeded: length - failed.length,
      operations: length,
    };
  } finally {
    await pool.destroy();
    const { ms, code } = await server.stop(STOP_LIMIT_MS);
    if (code !== 0) find('stop', `the server ended with ${code} after ${Math.round(ms)} ms\n${server.log()}`);
    rmSync(folder, { recursive: true, force: true });
  }
}
