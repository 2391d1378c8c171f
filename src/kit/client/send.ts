/** The HTTP that the client needs. The global `fetch` fits, and so does the kit's own (`http.ts`). */

/** The parts of a response that the client reads. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The parts of a request that the client sets. */
export interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData;
  readonly signal?: AbortSignal;
}

/** Sends a request. Throws a `TypeError` with the system's error as its cause if there is no response. */
export type Send = (url: string, sent: Sent) => Promise<Answer>;
