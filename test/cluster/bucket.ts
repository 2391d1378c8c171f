/**
 * A bucket on this machine, as far as workerd uses one: objects with conditional writes, kept in memory. It can do what buckets do on
 * bad days, and two things that no bucket may do, so that a checker can be tested: ignore the conditions, and acknowledge
 * what it does not keep. Signatures are not checked.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Probabilities from 0 to 1, each for every request, and what else is wrong. */
export interface BucketFaults {
  /** How long a request waits at most, in milliseconds. */
  slowMs: number;
  /** Answers 503 without doing anything. */
  refuses: number;
  /** Carries a write out, and breaks the connection in place of an answer. */
  losesAnswer: number;
  /** Breaks the connection, and carries the write out some seconds later. */
  delivers: number;
  /** Writes whatever the conditions say: a broken bucket. */
  ignoresConditions: boolean;
  /** Acknowledges a write and does not keep it: a broken bucket. */
  forgets: number;
}

export const HEALTHY: BucketFaults = {
  slowMs: 0,
  refuses: 0,
  losesAnswer: 0,
  delivers: 0,
  ignoresConditions: false,
  forgets: 0,
};

export interface Bucket {
  readonly port: number;
  readonly url: string;
  readonly faults: BucketFaults;
  /** How many requests there were, by their method, and how many met a fault. */
  readonly counts: Record<string, number>;
  keys(): string[];
  /** The content of an object as text. */
  text(key: string): string | undefined;
  close(): Promise<void>;
}

interface Stored {
  readonly body: Buffer;
  readonly etag: string;
  readonly at: Date;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string | number>;
  readonly body?: string | Buffer;
}

/** A write that is delivered late comes after the writer has given up and tried again. */
const LATE_MS = 3_000;
const MOST_KEYS = 1_000;
const XML = { 'content-type': 'application/xml' };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const refusal = (status: number, code: string): Answer => ({
  status,
  headers: XML,
  body: `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`,
});

/** Opens an empty bucket. `random` decides which requests meet a fault; any bucket name is served. */
export async function openBucket(random: () => number = Math.random, port = 0): Promise<Bucket> {
  const objects = new Map<string, Stored>();
  const faults: BucketFaults = { ...HEALTHY };
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  const put = (key: string, body: Buffer, { headers }: IncomingMessage): Answer => {
    const there = objects.get(key);
    const [ifNone, ifMatch] = [headers['if-none-match'], headers['if-match']];
    const isRefused =
      (ifNone === '*' && there !== undefined) ||
      (ifMatch !== undefined && bare(ifMatch) !== bare(there?.etag ?? ''));
    if (isRefused) count('conflicts');
    if (isRefused && !faults.ignoresConditions) {
      return there === undefined ? refusal(404, 'NoSuchKey') : refusal(412, 'PreconditionFailed');
    }
    const etag = `"${createHash('md5').update(body).update(randomBytes(8)).digest('hex')}"`;
    if (faults.forgets > 0 && random() < faults.forgets) count('forgotten');
    else objects.set(key, { body, etag, at: new Date() });
    return { status: 200, headers: { etag } };
  };

  const get = (key: string, range: string | undefined): Answer => {
    const found = objects.get(key);
    if (found === undefined) return refusal(404, 'NoSuchKey');
    const { body, etag, at } = found;
    const headers = {
      etag,
      'last-modified': at.toUTCString(),
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
    };
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    if (first === undefined) return { status: 200, headers, body };
    const from = Number(first);
    const to = last ? Math.min(Number(last), body.length - 1) : body.length - 1;
    if (from > to) return refusal(416, 'InvalidRange');
    return {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${from}-${to}/${body.length}` },
      body: body.subarray(from, to + 1),
    };
  };

  const list = (query: URLSearchParams): Answer => {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const most = Math.min(Number(query.get('max-keys') ?? MOST_KEYS), MOST_KEYS);
    const contents: string[] = [];
    const folders = new Set<string>();
    let next = '';
    for (const key of [...objects.keys()].sort()) {
      if (!key.startsWith(prefix) || key <= after) continue;
      if (contents.length + folders.size >= most) break;
      next = key;
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      if (end >= 0) folders.add(key.slice(0, end + delimiter.length));
      else contents.push(key);
    }
    const isCut = [...objects.keys()].some((key) => key.startsWith(prefix) && key > next && key > after);
    const rows = contents.map((key) => {
      const { body, etag, at } = objects.get(key) as Stored;
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${at.toISOString()}</LastModified><ETag>${escaped(etag)}</ETag><Size>${body.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    const prefixes = [...folders].map(
      (folder) => `<CommonPrefixes><Prefix>${escaped(folder)}</Prefix></CommonPrefixes>`,
    );
    const more =
      isCut && next !== '' ? `<NextContinuationToken>${escaped(next)}</NextContinuationToken>` : '';
    return {
      status: 200,
      headers: XML,
      body: `<?xml version="1.0"?><ListBucketResult><Prefix>${escaped(prefix)}</Prefix><KeyCount>${contents.length + folders.size}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${more !== ''}</IsTruncated>${more}${rows.join('')}${prefixes.join('')}</ListBucketResult>`,
    };
  };

  const removeAll = (body: Buffer): Answer => {
    for (const [, key = ''] of body.toString('utf8').matchAll(/<Key>([^<]+)<\/Key>/g)) {
      objects.delete(unescaped(key));
    }
    return { status: 200, headers: XML, body: '<?xml version="1.0"?><DeleteResult></DeleteResult>' };
  };

  const carryOut = (request: IncomingMessage, url: URL, body: Buffer): Answer => {
    const key = keyOf(url);
    switch (request.method) {
      case 'PUT':
        return put(key, body, request);
      case 'DELETE':
        objects.delete(key);
        return { status: 204 };
      case 'POST':
        return removeAll(body);
      default:
        return key === '' ? list(url.searchParams) : get(key, request.headers.range);
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '' } = request;
    const body = contentOf(request, await buffer(request));
    const url = new URL(request.url ?? '/', 'http://bucket');
    const isWrite = method !== 'GET' && method !== 'HEAD';
    count(isWrite || keyOf(url) !== '' ? method : 'LIST');
    if (faults.slowMs > 0) await pause(random() * faults.slowMs);
    if (random() < faults.refuses) {
      count('refused');
      send(response, method, refusal(503, 'SlowDown'));
      return;
    }
    if (isWrite && random() < faults.delivers) {
      count('late');
      response.destroy();
      await pause(LATE_MS);
      carryOut(request, url, body);
      return;
    }
    const losesAnswer = isWrite && random() < faults.losesAnswer;
    const found = carryOut(request, url, body);
    if (losesAnswer) {
      count('answers lost');
      response.destroy();
    } else send(response, method, found);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    faults,
    counts,
    keys: () => [...objects.keys()],
    text: (key) => objects.get(key)?.body.toString('utf8'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, method: string, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}

/** An ETag without its quotes. */
const bare = (etag: string): string => etag.replaceAll('"', '');

/** What follows the name of the bucket in the path. */
function keyOf({ pathname }: URL): string {
  const [, , ...rest] = pathname.split('/');
  return rest.map(decodeURIComponent).join('/');
}

/** Without the chunks in which a signed body may come. */
function contentOf({ headers }: IncomingMessage, body: Buffer): Buffer {
  const isChunked =
    headers['content-encoding']?.includes('aws-chunked') === true ||
    String(headers['x-amz-content-sha256']).startsWith('STREAMING');
  if (!isChunked) return body;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const length = end < 0 ? 0 : Number.parseInt(body.subarray(at, end).toString('latin1'), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}
