/**
 * One of the two sides: its address, its keys, and the sending of requests. The key is sent only in the header of the
 * version. Requests to other paths than /v1 and /v2 are refused, and redirects are not followed, so that a key is
 * sent only to one address.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatFailure } from './failures.ts';
import { AT_ONCE, type Pace } from './pace.ts';
import type { EventSource } from './receive.ts';
import { COMPARED_HEADERS, type ReceivedAnswer, type SentRequest } from './transcript.ts';

export type Version = 'v1' | 'v2';

/** The header of each version for the key, and the header for the idempotency key. */
const KEY_HEADERS: Readonly<Record<Version, string>> = { v1: 'sd-api-key', v2: 'api-key' };
const IDEMPOTENCY_HEADERS: Readonly<Record<Version, string>> = {
  v1: 'sd-idempotency-key',
  v2: 'idempotency-key',
};

type Files = Readonly<Record<string, { readonly contentType: string; readonly base64: string }>>;

export interface Call extends SentRequest {
  readonly files?: Files;
  /** The idempotency key of a POST, so that it can be repeated. */
  readonly once?: string;
}

/** A response, or the reason why there is none. */
export type Outcome = { readonly answer: ReceivedAnswer } | { readonly failure: string };

export interface Side {
  /** The address, without a key. */
  readonly url: string;
  /** The versions with a key. */
  readonly versions: readonly Version[];
  /** Sends a request. Throws `SideGone` if the side stopped responding. */
  send(call: Call): Promise<Outcome>;
  /** Advances the clock to the next due step; returns whether there was one. Only this bank's clock can be moved. */
  readonly pass?: () => Promise<boolean>;
  /** The total time by which `pass` has moved the clock. */
  readonly passedMs?: () => number;
  readonly events?: EventSource;
}

/** The address does not respond. */
export class SideGone extends Error {}

export interface SideOptions {
  readonly url: string;
  readonly keys: Readonly<Partial<Record<Version, string>>>;
  readonly pace?: Pace;
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  readonly pass?: () => Promise<boolean>;
  readonly passedMs?: () => number;
  readonly events?: EventSource;
  /** Waits between attempts. Default: real time. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const TOO_MANY = 429;
const MAX_ATTEMPTS = 5;
const LONGEST_PAUSE_MS = 60_000;
const SECOND_MS = 1_000;
/** The number of consecutive connection failures after which the side counts as gone. */
const MAX_FAILURES = 3;

export function versionOf(path: string): Version {
  return path.startsWith('/v1/') ? 'v1' : 'v2';
}

/** Whether a path may be called: below /v1 or /v2, without segments that lead outside. */
export function isCallable(path: string): boolean {
  return /^\/v[12]\/[^?#\\]*$/.test(path) && !/(^|\/)\.{1,2}(\/|$)|%2e|%2f|%5c|\/\/|\s/i.test(path);
}

/** A side at an address. */
export function sideAt(options: SideOptions): Side {
  const { url, keys, pace = AT_ONCE, timeoutMs = DEFAULT_TIMEOUT_MS, pass, passedMs, events } = options;
  const request = options.fetch ?? fetch;
  const pause = options.pause ?? ((ms: number) => sleep(ms));
  let failures = 0;

  const attempt = async (call: Call): Promise<Outcome | { waitMs: number }> => {
    await pace();
    try {
      const response = await request(addressOf(url, call), {
        method: call.method,
        headers: headersOf(call, keys),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...bodyOf(call),
      });
      const answer = await readAnswer(response);
      failures = 0;
      return answer.status === TOO_MANY ? { waitMs: pauseOf(answer) } : { answer };
    } catch (error) {
      return failed(error);
    }
  };

  const failed = (error: unknown): Outcome => {
    if (error instanceof Error && error.name === 'TimeoutError') {
      return { failure: formatFailure('timeout', timeoutMs / SECOND_MS) };
    }
    failures += 1;
    const reason = reasonOf(error);
    if (failures >= MAX_FAILURES) throw new SideGone(`${url} does not answer: ${reason}`);
    return { failure: reason };
  };

  return {
    url,
    versions: (['v1', 'v2'] as const).filter((version) => (keys[version] ?? '') !== ''),
    ...(pass !== undefined && { pass }),
    ...(passedMs !== undefined && { passedMs }),
    ...(events !== undefined && { events }),
    async send(call) {
      if (!isCallable(call.path)) throw new TypeError(`${call.path} is not below /v1 or /v2`);
      for (let number = 1; ; number += 1) {
        const outcome = await attempt(call);
        if (!('waitMs' in outcome)) return outcome;
        if (number === MAX_ATTEMPTS) return { failure: formatFailure('rateLimit', MAX_ATTEMPTS) };
        await pause(outcome.waitMs || SECOND_MS * 2 ** (number - 1));
      }
    },
  };
}

/** The reason of a connection failure, which is the cause of a generic error. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
  return cause instanceof Error ? cause.message || String(cause.code) : message;
}

function addressOf(url: string, { path, query = {} }: Call): string {
  const words = new URLSearchParams(query).toString();
  return `${url.replace(/\/+$/, '')}${path}${words === '' ? '' : `?${words}`}`;
}

function headersOf(call: Call, keys: SideOptions['keys']): Record<string, string> {
  const version = versionOf(call.path);
  return {
    accept: 'application/json',
    ...(call.body !== undefined && { 'content-type': 'application/json' }),
    ...(call.once !== undefined && { [IDEMPOTENCY_HEADERS[version]]: call.once }),
    [KEY_HEADERS[version]]: keys[version] ?? '',
    ...call.headers,
  };
}

function bodyOf({ body, files }: Call): { body?: string | FormData } {
  if (files !== undefined) {
    const form = new FormData();
    for (const [name, { contentType, base64 }] of Object.entries(files)) {
      form.append(name, new Blob([Buffer.from(base64, 'base64')], { type: contentType }), name);
    }
    return { body: form };
  }
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

async function readAnswer(response: Response): Promise<ReceivedAnswer> {
  const text = await response.text();
  const headers: Record<string, string> = {};
  for (const name of COMPARED_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return { status: response.status, headers, body: parseBody(text, headers['content-type'] ?? '') };
}

/** Parses a JSON body; returns the text of any other body. */
export function parseBody(text: string, type: string): unknown {
  if (text === '') return null;
  if (!type.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The delay in `retry-after`, which is in seconds or a date; 0 without the header. */
function pauseOf({ headers }: ReceivedAnswer): number {
  const requested = headers['retry-after'] ?? '';
  const ms = /^\d+$/.test(requested) ? Number(requested) * SECOND_MS : Date.parse(requested) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS);
}
