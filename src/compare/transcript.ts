/**
 * What a run comes to on one side: every call with its answer, in order, and the events that were received. Two of these
 * are compared, and a recording is one of them in a file.
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
  /** Names in lower case; only those that are compared. */
  readonly headers: Readonly<Record<string, string>>;
  /** A value for JSON, a text for anything else, `null` for nothing. */
  readonly body: unknown;
}

/** One step of a scenario on one side. */
export interface Exchange {
  /** The scenario and the number of the step in it: `v2_card 2`. Both sides have the same names. */
  readonly step: string;
  /** The operation, by its id; method and path where no operation is known. */
  readonly operation: string;
  readonly request: SentRequest;
  readonly answer?: ReceivedAnswer;
  /** Why there is no answer, or why the request was not sent. */
  readonly failure?: string;
  /** Of a step that waits: the values that the field had, in order, and whether it came to the last one. */
  readonly states?: readonly string[];
  readonly isReached?: boolean;
  /** The field that was waited for. */
  readonly field?: string;
  readonly ignore?: readonly string[];
  /** Nothing is under way that the scenario has not waited for. */
  readonly isSteady?: boolean;
}

/** What was received about a record until the event that a step waits for. */
export interface EventWait {
  readonly step: string;
  readonly event: string;
  /** The id of the record. */
  readonly about: string;
  /** The operation of the step before. */
  readonly operation: string;
  readonly received: readonly { readonly type: string; readonly body: unknown }[];
  readonly isReached: boolean;
  /** Real milliseconds from the beginning of the step to the event. */
  readonly afterMs: number;
}

export interface Transcript {
  readonly exchanges: readonly Exchange[];
  /** Absent where no events could be received. */
  readonly events?: readonly EventWait[];
}

/** What of an answer's headers is compared. */
export const COMPARED_HEADERS = [
  'content-type',
  'content-disposition',
  'location',
  'retry-after',
  'x-request-id',
] as const;
