/**
 * Sends requests to a bank with node:http. The global `fetch` depends on timers that tests fake, may be mocked, and
 * sends requests to this machine through a proxy (NODE_USE_ENV_PROXY). An address on loopback is always called
 * directly; for others the proxy of the environment applies.
 */
import { Buffer } from 'node:buffer';
import { randomUUID, X509Certificate } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { Readable } from 'node:stream';
import tls from 'node:tls';
import { URL } from 'node:url';
import { isLoopback } from '../../bank/kernel/loopback.ts';
import type { Answer, Send, Sent } from './send.ts';

/** The functions of a protocol, kept from before a test could replace them. Agents of our own use no proxy. */
const PROTOCOLS = new Map([
  ['http:', { request: http.request, direct: new http.Agent({ keepAlive: true }), usual: http.globalAgent }],
  [
    'https:',
    { request: https.request, direct: new https.Agent({ keepAlive: true }), usual: https.globalAgent },
  ],
]);

const NO_CONTENT = 204;

/** A response with its headers as they were sent. */
export interface RawAnswer extends Answer {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

/**
 * Creates the function that sends requests. `ca`: a certificate or its authority in PEM format, trusted in addition.
 * Throws a `TypeError` if it is none.
 */
export function createSend(ca?: string): (...sent: Parameters<Send>) => Promise<RawAnswer> {
  const trust = ca === undefined ? {} : trusting(ca);
  return async (address, { method, headers, body, signal }) => {
    signal?.throwIfAborted();
    const url = new URL(address);
    const protocol = PROTOCOLS.get(url.protocol);
    if (protocol === undefined) throw new TypeError(`${url.protocol} is neither http: nor https:`);
    const content = body === undefined ? undefined : await contentOf(body);
    const options: RequestOptions = {
      ...trust,
      agent: isLoopback(url.hostname.replace(/^\[|\]$/g, '')) ? protocol.direct : protocol.usual,
      method,
      headers: {
        ...content?.headers,
        ...(content !== undefined && { 'content-length': String(content.bytes.byteLength) }),
        ...headers,
      },
      ...(signal && { signal }),
    };
    const failure = (cause: unknown, what: string): unknown =>
      signal?.aborted ? signal.reason : new TypeError(what, { cause });
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = protocol.request(url, options, resolve);
      request.once('error', (error) => reject(failure(error, 'fetch failed')));
      request.end(content?.bytes);
    });
    return answerOf(message, failure);
  };
}

function answerOf(message: IncomingMessage, failure: (cause: unknown, what: string) => unknown): RawAnswer {
  const { statusCode: status = 0, headers, rawHeaders } = message;
  // An answer that nobody reads must not keep the process until the bank closes the connection.
  message.socket.unref();
  if (status === NO_CONTENT || headers['content-length'] === '0') message.resume();
  // The connection of an answer that is read to its end may serve another request, or none.
  const hold = (): void => {
    if (!message.readableEnded) message.socket.ref();
  };
  const bytes = async (): Promise<Buffer<ArrayBuffer>> => {
    const chunks: Buffer[] = [];
    hold();
    try {
      for await (const chunk of message) chunks.push(chunk);
    } catch (error) {
      throw failure(error, 'terminated');
    }
    return Buffer.concat(chunks);
  };
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: {
      get(name) {
        const value = headers[name];
        return value === undefined ? null : String(value);
      },
    },
    rawHeaders,
    get body() {
      hold();
      return Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
    text: async () => (await bytes()).toString(),
    json: async () => JSON.parse((await bytes()).toString()),
    arrayBuffer: async () => new Uint8Array(await bytes()).buffer,
  };
}

interface Content {
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

async function contentOf(body: NonNullable<Sent['body']>): Promise<Content> {
  if (typeof body === 'string') return { bytes: Buffer.from(body) };
  if (!('append' in body)) return { bytes: body };
  const boundary = `sandbank-${randomUUID()}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of body.entries()) {
    const file = typeof value === 'string' ? undefined : value;
    const lines = [
      `--${boundary}`,
      `content-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file.name}"`}`,
      ...(file === undefined ? [] : [`content-type: ${file.type || 'application/octet-stream'}`]),
      '\r\n',
    ];
    parts.push(Buffer.from(lines.join('\r\n')));
    parts.push(file === undefined ? Buffer.from(String(value)) : await bytesOf(file));
    parts.push(Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    bytes: Buffer.concat(parts),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

/** jsdom's files can be read only by its `FileReader`. */
interface Reader {
  result: ArrayBuffer;
  onload?: () => void;
  readAsArrayBuffer(file: Blob): void;
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  if (typeof file.arrayBuffer === 'function') return new Uint8Array(await file.arrayBuffer());
  const { FileReader } = globalThis as unknown as { FileReader: new () => Reader };
  const reader = new FileReader();
  await new Promise<void>((resolve) => {
    reader.onload = resolve;
    reader.readAsArrayBuffer(file);
  });
  return new Uint8Array(reader.result);
}

/** The options of a connection that trusts a certificate. The bank's own is accepted for any host name. */
function trusting(ca: string): RequestOptions {
  let input: X509Certificate;
  try {
    input = new X509Certificate(ca);
  } catch (error) {
    throw new TypeError(`ca is not a certificate in PEM format (${(error as Error).message})`);
  }
  return {
    ca,
    // Otherwise only self-signed certificates could be trusted.
    allowPartialTrustChain: true,
    checkServerIdentity: (host, certificate) =>
      input.raw.equals(certificate.raw) ? undefined : tls.checkServerIdentity(host, certificate),
  } as RequestOptions;
}
