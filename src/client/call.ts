/**
 * What a call of any operation may add to what the operation takes.
 */

/** Of every interface. */
export interface ControlCallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Of v1 and v2. */
export interface CallOptions extends ControlCallOptions {
  /** The first answer under a key is replayed for 24 hours. */
  readonly idempotencyKey?: string;
}
