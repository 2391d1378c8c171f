/**
 * `sandbank cluster bucket`: a bucket in memory, to try several instances on one machine. It has the part of the S3 interface that
 * workerd uses: objects with conditional writes. It checks no signatures.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CommandError } from '../../cli/bank.ts';
import type { Shell } from '../../cli/shell.ts';
import { addressProblem } from '../../server/process/start-failures.ts';

export interface BucketOptions {
  readonly port: number;
  /** Prints only the address, as JSON. */
  readonly json?: boolean;
}

const HOST = '127.0.0.1';

/** Serves a bucket until the process ends. Throws a `CommandError` if the port cannot be used. */
export async function runBucket(shell: Shell, { port, json = false }: BucketOptions): Promise<void> {
  const problem = await addressProblem({ host: HOST, port });
  if (problem !== null) throw new CommandError(problem);
  const objects = createObjects();
  const server = createServer((request, response) => {
    void (async () => {
      try {
        send(response, request.method, objects.answer(request, await bodyOf(request)));
      } catch {
        response.destroy();
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  shell.answer(
    json
      ? `${JSON.stringify({ url })}\n`
      : `The bucket is at ${url}. It accepts any credentials and any bucket name, and its content is lost when it ends.\n`,
  );
}

interface Stored {
  readonly body: Buffer;
  readonly etag: string;
  readonly at: Date;
}

/** A response of the bucket. */
export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string | number>;
  readonly body?: string | Buffer;
}

/** The objects of a bucket. */
export interface Objects {
  /** Executes a request. The first part of its path is the name of the bucket, and any name is served. */
  answer(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, body: Buffer): Answer;
  readonly all: ReadonlyMap<string, Stored>;
}

/** The promises of a bucket, which a test can break. */
export interface Promises {
  /** Whether a write without its condition is refused. */
  obeysConditions(): boolean;
  /** Whether an acknowledged write is kept. */
  keeps(): boolean;
}

const KEPT: Promises = { obeysConditions: () => true, keeps: () => true };
const MAX_KEYS = 1_000;
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

/** Creates an empty bucket. */
export function createObjects({ obeysConditions, keeps }: Promises = KEPT): Objects {
  const objects = new Map<string, Stored>();

  const put = (key: string, body: Buffer, headers: IncomingMessage['headers']): Answer => {
    const there = objects.get(key);
    const [ifNone, ifMatch] = [headers['if-none-match'], headers['if-match']];
    const isRefused =
      (ifNone === '*' && there !== undefined) ||
      (ifMatch !== undefined && bare(ifMatch) !== bare(there?.etag ?? ''));
    if (isRefused && obeysConditions()) {
      return there === undefined ? refusal(404, 'NoSuchKey') : refusal(412, 'PreconditionFailed');
    }
    const etag = `"${createHash('md5').update(body).update(randomBytes(8)).digest('hex')}"`;
    if (keeps()) objects.set(key, { body, etag, at: new Date() });
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
    const max = Math.min(Number(query.get('max-keys') ?? MAX_KEYS), MAX_KEYS);
    const contents: string[] = [];
    const folders = new Set<string>();
    let next = '';
    for (const key of [...objects.keys()].sort()) {
      if (!key.startsWith(prefix) || key <= after) continue;
      if (contents.length + folders.size >= max) break;
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
      body: `<?xml version="1.0"?><ListBucketResult><Prefix>${escaped(prefix)}</Prefix><KeyCount>${contents.length + folders.size}</KeyCount><MaxKeys>${max}</MaxKeys><IsTruncated>${more !== ''}</IsTruncated>${more}${rows.join('')}${prefixes.join('')}</ListBucketResult>`,
    };
  };

  const removeAll = (body: Buffer): Answer => {
    for (const [, key = ''] of body.toString('utf8').matchAll(/<Key>([^<]+)<\/Key>/g)) {
      objects.delete(unescaped(key));
    }
    return { status: 200, headers: XML, body: '<?xml version="1.0"?><DeleteResult></DeleteResult>' };
  };

  return {
    all: objects,
    answer({ method, url = '/', headers }, body) {
      const { pathname, searchParams } = new URL(url, 'http://bucket');
      const key = keyOf(pathname);
      switch (method) {
        case 'PUT':
          return put(key, body, headers);
        case 'DELETE':
          objects.delete(key);
          return { status: 204 };
        case 'POST':
          return removeAll(body);
        default:
          return key === '' ? list(searchParams) : get(key, headers.range);
      }
    },
  };
}

export function send(
  response: ServerResponse,
  method: string | undefined,
  { status, headers = {}, body = '' }: Answer,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}

/** An ETag without its quotes. */
const bare = (etag: string): string => etag.replaceAll('"', '');

/** What follows the name of the bucket in a path. */
export function keyOf(pathname: string): string {
  const [, , ...rest] = pathname.split('/');
  return rest.map(decodeURIComponent).join('/');
}

/** The body of a request, without the chunks of a signed one. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const { headers } = request;
  const body = await buffer(request);
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
