/**
 * The transcript of a run on one side: every request with its response, in order, and the received events. Two
 * transcripts are compared; a recording is a transcript in a file.
 */

/** A request as it was sent, without the key. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ReceivedAnswer {
  readonly status: number;
  /** The compared headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A value for JSON, a text for anything else, `null` for no body. */
  readonly body: unknown;
}

/** One step of a scenario on one side. */
export interface Exchange {
  /** The scenario and the number of the step in it: `v2_card 2`. Both sides have the same names. */
  readonly step: string;
  /** The id of the operation; method and path if the operation is unknown. */
  readonly operation: string;
  readonly request: SentRequest;
  readonly answer?: ReceivedAnswer;
  /** Why there is no response, or why the request was not sent. */
  readonly failure?: string;
  /** For a waiting step: the values of the field in order, and whether the expected one was reached. */
  readonly states?: readonly string[];
  readonly isReached?: boolean;
  /** The field of a waiting step. */
  readonly field?: string;
  readonly ignore?: readonly string[];
  /** Whether the scenario has waited for all pending work. */
  readonly isSteady?: boolean;
}

/** The events about a record until the event for which a step waits. */
export interface EventWait {
  readonly step: string;
  readonly event: string;
  /** The id of the record. */
  readonly about: string;
  /** The operation of the previous step. */
  readonly operation: string;
  readonly received: readonly { readonly type: string; readonly body: unknown }[];
  readonly isReached: boolean;
  /** Real milliseconds from the beginning of the step to the event. */
  readonly afterMs: number;
}

export interface Transcript {
  readonly exchanges: readonly Exchange[];
  /** Absent if no events could be received. */
  readonly events?: readonly EventWait[];
}

/** The response headers that are compared. */
export const COMPARED_HEADERS = [
  'content-type',
  'content-disposition',
  'location',
  'retry-after',
  'x-request-id',
] as const;
