/**
 * Passes a request of the runtime to the server and returns its response. The server is the same as in a process, with
 * all stages of a request, and uses the request and response objects of `node:http`. The runtime's own imitation of
 * these objects is complete, with streams, sockets and timers, and takes longer than a payment. The objects in this
 * file have only the parts that the server uses.
 */
import { EventEmitter } from 'node:events';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { targetOf } from './target.ts';

/** The function of the server that answers requests. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

type HeaderValue = string | number | readonly string[];

/** Statuses whose answers have no body. */
const WITHOUT_BODY: readonly number[] = [101, 204, 205, 304];
/** The socket of a connection, which the runtime manages. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** A writer waits while more than this amount is unread, and a body up to this size is read at once. */
const WAITING_BYTES = 65_536;

/** The runtime reads so much of a refused body by itself, and breaks the connection of a client that sends more. */
const READ_BY_RUNTIME_BYTES = 65_536;
/** A client that sends nothing for so long waits for the answer. */
const SILENCE_MS = 100;
const NOW = Promise.resolve();

/** A placeholder for the client, whose address only the runtime knows. */
const createSocket = () =>
  Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1', encrypted: false, destroyed: false });

class IncomingRequest extends EventEmitter {
  readonly httpVersion = '1.1';
  readonly socket = createSocket();
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  complete = false;
  readonly aborted = false;
  readonly destroyed = false;
  readonly #request: Request;
  #isRead = false;

  constructor(request: Request) {
    super();
    this.method = request.method;
    this.url = targetOf(request.url);
    this.headers = Object.fromEntries(request.headers);
    this.#request = request;
  }

  override on(event: string, listener: (...values: never[]) => void): this {
    super.on(event, listener as (...values: unknown[]) => void);
    if (event === 'data') this.resume();
    return this;
  }

  /** Starts to read the body. */
  resume(): this {
    if (this.#isRead) return this;
    this.#isRead = true;
    // Not before the reader has added its other listeners: of a request without a body, only the end is left to hear.
    queueMicrotask(() => void this.#read());
    return this;
  }

  /** Reads the rest of a large body that nobody needs, so that a client that still sends it gets the answer. */
  async discard(): Promise<void> {
    if (this.#request.body === null || this.complete) return;
    if (Number(this.headers['content-length'] ?? Number.NaN) <= READ_BY_RUNTIME_BYTES) return;
    await new Promise<void>((resolve) => {
      const wait = () => setTimeout(resolve, SILENCE_MS);
      let timer = wait();
      super.on('data', () => {
        clearTimeout(timer);
        timer = wait();
      });
      for (const event of ['end', 'error']) {
        super.once(event, () => {
          clearTimeout(timer);
          resolve();
        });
      }
      this.resume();
    });
  }

  async #read(): Promise<void> {
    try {
      // Each read takes a turn, so a stream takes at least two.
      if (Number(this.headers['content-length']) <= WAITING_BYTES) {
        this.#take(new Uint8Array(await this.#request.arrayBuffer()));
      } else if (this.#request.body !== null) {
        const reader = this.#request.body.getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          this.#take(value);
        }
      }
      this.complete = true;
      this.emit('end');
    } catch (error) {
      this.emit('error', error);
    }
  }

  #take({ buffer, byteOffset, byteLength }: Uint8Array): void {
    if (byteLength > 0) this.emit('data', Buffer.from(buffer, byteOffset, byteLength));
  }
}

class OutgoingResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  finished = false;
  destroyed = false;
  readonly socket: ReturnType<typeof createSocket>;
  readonly #headers = new Map<string, HeaderValue>();
  readonly #isHead: boolean;
  readonly #request: IncomingRequest;
  readonly #answer: (response: Response) => void;
  readonly #fail: (error: Error) => void;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(request: IncomingRequest, answer: (response: Response) => void, fail: (error: Error) => void) {
    super();
    this.socket = request.socket;
    this.#request = request;
    this.#isHead = request.method === 'HEAD';
    this.#answer = answer;
    this.#fail = fail;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#headers.set(name.toLowerCase(), value);
    return this;
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries(this.#headers);
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  writeHead(status: number, headers: Readonly<Record<string, HeaderValue | undefined>> = {}): this {
    this.statusCode = status;
    for (const name in headers) {
      const value = headers[name];
      if (value !== undefined) this.#headers.set(name.toLowerCase(), value);
    }
    return this;
  }

  /** False if the reader is slow; `drain` is emitted when it has read enough. */
  write(chunk: string | Uint8Array): boolean {
    if (this.destroyed || this.writableEnded) return false;
    if (this.#stream === undefined) this.#send(this.#open());
    this.#stream?.enqueue(bytesOf(chunk));
    return (this.#stream?.desiredSize ?? 0) > 0;
  }

  flushHeaders(): void {
    if (this.#stream === undefined && !this.headersSent) this.#send(this.#open());
  }

  end(chunk?: string | Uint8Array | null): this {
    if (this.destroyed || this.writableEnded) return this;
    this.writableEnded = true;
    const hasChunk = chunk !== undefined && chunk !== null && chunk.length > 0;
    if (this.#stream === undefined) this.#send(hasChunk ? chunk : null);
    else {
      if (hasChunk) this.#stream.enqueue(bytesOf(chunk));
      this.#stream.close();
    }
    this.finished = true;
    // A promise takes less time than a microtask of the runtime.
    void NOW.then(() => {
      this.emit('finish');
      this.emit('close');
    });
    return this;
  }

  /** Breaks the connection, as far as the runtime allows it. */
  destroy(error: Error = new Error('the server closed the connection')): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (this.#stream !== undefined && !this.writableEnded) this.#stream.error(error);
    else if (!this.headersSent) this.#fail(error);
    queueMicrotask(() => this.emit('close'));
    return this;
  }

  #open(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller;
        },
        pull: () => void this.emit('drain'),
        // The client has disconnected.
        cancel: () => {
          this.destroyed = true;
          this.emit('close');
        },
      },
      { highWaterMark: WAITING_BYTES, size: (chunk) => chunk.byteLength },
    );
  }

  #send(body: string | Uint8Array | ReadableStream<Uint8Array> | null): void {
    this.headersSent = true;
    const headers: Record<string, string> = {};
    const repeated: [string, string][] = [];
    for (const [name, value] of this.#headers) {
      if (OF_CONNECTION.has(name)) continue;
      if (typeof value === 'object') for (const one of value) repeated.push([name, one]);
      else headers[name] = String(value);
    }
    const hasBody = !this.#isHead && !WITHOUT_BODY.includes(this.statusCode);
    const sent = hasBody ? (body as string | null) : null;
    const { statusCode: status } = this;
    const response = new Response(sent, { status, statusText: STATUS_CODES[status] ?? '', headers });
    for (const [name, value] of repeated) response.headers.append(name, value);
    void this.#request.discard().then(() => this.#answer(response));
  }
}

function bytesOf(chunk: string | Uint8Array): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

let serve: Serve | undefined;

/** Makes a server answer all later requests. */
export function serveWith(server: Serve): void {
  serve = server;
}

/** The server's response to a request. Rejects if the server breaks the connection instead. */
export function answerOf(request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const incoming = new IncomingRequest(request);
    const outgoing = new OutgoingResponse(incoming, resolve, reject);
    serve?.(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
  });
}
