/**
 * The journal: the last requests of a sandbox with their responses, kept as references to texts that exist anyway, so
 * that an entry costs a few fields. Masking and other slow work happen when the journal is read. It outlives the
 * bank: requests to a bank that a reset or a restore replaced are still here, without their effects.
 * `surroundings.ts` stores it masked.
 */
import { maskRecord } from '../../bank/kernel/masks.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { Tape, type TapeOptions } from '../../bank/kernel/tape.ts';
import type { Instant } from '../../bank/kernel/time.ts';

/** The platform's response to the same call, as a proxy between a program and the platform received it. */
export interface PlatformAnswer {
  /** The address of the platform. */
  readonly address: string;
  readonly status: number;
  /** JSON; `''` for none. */
  readonly body: string;
  /** The differences from the response of the bank. */
  readonly differences: readonly PlatformDifference[];
}

interface PlatformDifference {
  readonly cause: string;
  readonly field: string;
  /** In printed form: a value, a form or a type. */
  readonly here: string;
  readonly there: string;
  /** The slug of the decision that explains it; `''` for none. */
  readonly decision: string;
}

export interface JournalEntry {
  /** When it was received, on the sandbox's clock. */
  readonly at: Instant;
  /** When it was answered, in real time: with a frozen clock all requests have the same instant. */
  readonly wallAt: Instant;
  readonly id: Id;
  readonly apiVersion: 'v1' | 'v2' | 'control';
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** `''` if no operation was reached. */
  readonly operation: string;
  /** The status of the response; 0 if the connection was closed before a response. */
  readonly status: number;
  /** Real milliseconds until the response. */
  readonly ms: number;
  readonly hint: string;
  readonly idempotencyKey: string;
  /** The response is the one that was stored under the idempotency key. */
  readonly replayed: boolean;
  /** The fault that applied; `''` for none. */
  readonly fault: string;
  readonly requestBody: string;
  readonly answerBody: string;
  /** The range of facts that it wrote; equal bounds if it wrote none. */
  readonly factsBefore: number;
  readonly factsAfter: number;
  /** How many banks the sandbox had had before this one. */
  readonly bank: number;
  /** Absent unless a proxy sent the call to the platform too. */
  readonly platform?: PlatformAnswer;
  /** It was stored: it is masked, and each body is JSON. */
  readonly isMasked?: boolean;
}

export const JOURNAL_LENGTH = 1000;
const CONTROL_CALLS = 500;
/** For bodies: a thousand ordinary requests use a fifth of it, and four of the largest fit. */
const JOURNAL_CHARACTERS = 8 * 1024 * 1024;

const sizeOf = ({ requestBody, answerBody, platform }: JournalEntry): number =>
  requestBody.length + answerBody.length + (platform?.body.length ?? 0);

/** An empty journal, of at most `length` entries with at most `characters` of bodies. */
export function createJournal(
  length = JOURNAL_LENGTH,
  characters = JOURNAL_CHARACTERS,
  onChange?: () => void,
): Journal {
  return new Journal({ length, characters, sizeOf, ...(onChange && { onChange }) });
}

export class Journal {
  readonly #options: TapeOptions<JournalEntry>;
  /** The stored parts of it. */
  readonly requests: Tape<JournalEntry>;
  #calls: Tape<JournalEntry> | undefined;

  constructor(options: TapeOptions<JournalEntry>) {
    this.#options = options;
    this.requests = new Tape(options);
  }

  /** Most sandboxes get no call of the control plane. */
  get calls(): Tape<JournalEntry> {
    this.#calls ??= new Tape({ ...this.#options, length: CONTROL_CALLS });
    return this.#calls;
  }

  record(entry: JournalEntry): void {
    this.requests.push(entry);
  }
  /** A call of the control plane: it removes no other entry. */
  recordControl(entry: JournalEntry): void {
    this.calls.push(entry);
  }
  /** Those of both API versions, newest first. */
  entries(): readonly JournalEntry[] {
    return this.requests.newest();
  }
  /** Those of the control plane that may have changed something, newest first. */
  controlCalls(): readonly JournalEntry[] {
    return this.#calls?.newest() ?? [];
  }
  byId(id: Id): JournalEntry | undefined {
    const isIt = (entry: JournalEntry): boolean => entry.id === id;
    return this.entries().find(isIt) ?? this.controlCalls().find(isIt);
  }
  /** Stores the platform's response to a request of an API version; returns whether the journal has the request. */
  keepPlatformAnswer(id: Id, platform: PlatformAnswer): boolean {
    return this.requests.replace(
      (entry) => entry.id === id,
      (entry) => ({ ...entry, platform: entry.isMasked === true ? maskPlatform(platform) : platform }),
    );
  }
  /** The number of stored entries, and of older ones that were discarded. */
  counts(): { kept: number; dropped: number } {
    return this.requests.counts();
  }
}

/** An entry as it is stored and shown: without numbers of people, accounts and cards, and without secrets. */
export function maskEntry(entry: JournalEntry): JournalEntry {
  if (entry.isMasked === true) return entry;
  const { url, requestBody, answerBody, platform } = entry;
  const [path = '', query] = url.split('?', 2);
  return {
    ...entry,
    url: query === undefined ? path : `${path}?${maskedQuery(query)}`,
    requestBody: maskBody(requestBody),
    answerBody: maskBody(answerBody),
    ...(platform !== undefined && { platform: maskPlatform(platform) }),
    isMasked: true,
  };
}

/** A masked body as JSON; `''` for none. */
function maskBody(text: string): string {
  if (text === '') return '';
  try {
    const value: unknown = JSON.parse(text);
    // A single text or number has no field name that determines whether it may be shown.
    if (typeof value !== 'object') return JSON.stringify(`[${typeof value}]`);
    const shown = maskRecord(value);
    return shown === value ? text : JSON.stringify(shown);
  } catch {
    return JSON.stringify(`[${text.length} characters that are not JSON]`);
  }
}

const maskedQuery = (query: string): URLSearchParams =>
  new URLSearchParams(maskRecord(Object.fromEntries(new URLSearchParams(query))) as Record<string, string>);

function maskPlatform({ body, differences, ...rest }: PlatformAnswer): PlatformAnswer {
  const masked = differences.map((one) => {
    const name = one.field.split('.').at(-1) ?? '';
    return { ...one, here: maskPrinted(name, one.here), there: maskPrinted(name, one.there) };
  });
  return { ...rest, body: maskBody(body), differences: masked };
}

/** A value as a difference prints it, masked as its field is. */
function maskPrinted(name: string, printed: string): string {
  if (!printed.startsWith('"')) return printed;
  const { [name]: shown } = maskRecord({ [name]: printed.replaceAll('"', '') }) as Record<string, unknown>;
  return JSON.stringify(shown);
}
