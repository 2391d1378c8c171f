/** Reads the requests below /v1 and /v2 from HAR files of browsers and proxies, in order. */
import { operationOf } from './operations.ts';
import { parseBody } from './side.ts';
import { COMPARED_HEADERS, type Exchange } from './transcript.ts';

interface Pair {
  readonly name: string;
  readonly value: string;
}

interface Entry {
  readonly startedDateTime?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers?: readonly Pair[];
    readonly postData?: { readonly text?: string; readonly mimeType?: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers?: readonly Pair[];
    readonly content?: { readonly text?: string; readonly mimeType?: string; readonly encoding?: string };
  };
}

interface Har {
  readonly log: { readonly entries: readonly Entry[] };
}

/** The request headers that are kept; none contains a key. */
export const SENT_HEADERS = [
  'sd-person-id',
  'sd-show-token',
  'sd-pin-token',
  'sd-debitcard-token',
  'show-token',
];

/** Whether a document is a HAR file. */
export function isHar(document: unknown): document is Har {
  const { log } = Object(document) as { log?: { entries?: unknown } };
  return Array.isArray(log?.entries);
}

/** The calls of a HAR file and the day of the first. Other paths and requests without a response are omitted. */
export function exchangesOfHar({ log }: Har): { recorded: string; exchanges: Exchange[] } {
  const entries = log.entries.filter(({ request, response }) => {
    const path = urlPath(request.url);
    return /^\/v[12]\//.test(path) && response.status > 0 && request.method !== 'OPTIONS';
  });
  const day = (entries[0]?.startedDateTime ?? '').slice(0, 10);
  return {
    recorded: /^\d{4}-\d\d-\d\d$/.test(day) ? day : '1970-01-01',
    exchanges: entries.map((entry, index) => exchangeOf(entry, index)),
  };
}

function urlPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname.replace(/(?<=.)\/$/, '') : '';
}

function exchangeOf({ request, response }: Entry, index: number): Exchange {
  const path = urlPath(request.url);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const sent = headersOf(request.headers, SENT_HEADERS);
  const text = request.postData?.text ?? '';
  const received = headersOf(response.headers, COMPARED_HEADERS);
  return {
    step: `har ${index + 1}`,
    operation: operationOf(request.method, path)?.id ?? `${request.method} ${path}`,
    request: {
      method: request.method,
      path,
      ...(Object.keys(query).length > 0 && { query }),
      ...(Object.keys(sent).length > 0 && { headers: sent }),
      ...(text !== '' && { body: parseBody(text, request.postData?.mimeType ?? 'application/json') }),
    },
    answer: {
      status: response.status,
      headers: received,
      body: parseBody(contentOf(response), received['content-type'] ?? response.content?.mimeType ?? ''),
    },
  };
}

function contentOf({ content = {} }: Entry['response']): string {
  const { text = '', encoding } = content;
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
}

function headersOf(headers: readonly Pair[] = [], names: readonly string[]): Record<string, string> {
  const pairs = headers.map(({ name, value }) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(pairs.filter(([name]) => names.includes(name)));
}
