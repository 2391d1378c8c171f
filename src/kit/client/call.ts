/** The options of a call besides the input of the operation. */

/** The options of all interfaces. */
export interface ControlCallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The options of v1 and v2. */
export interface CallOptions extends ControlCallOptions {
  /** The bank repeats the first response to a key for 24 hours. */
  readonly idempotencyKey?: string;
}
