/**
 * The faults that are set up in a sandbox: which requests they apply to, and their effect. The first fault of the list
 * that applies to a request takes effect; only counts and a seeded draw decide whether it applies, so the same calls
 * fail at the same places every time. src/server/http applies the fault.
 */
import { applies, type Frequency } from '../../bank/kernel/frequency.ts';
import { routePattern } from '../../bank/kernel/route-pattern.ts';
import { createSequence, type Sequence, type SequencePosition } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';

/** Which requests match; an absent part matches all of them. */
export interface FaultMatch {
  method?: string;
  /** A path with `:name` or `{name}` for one step and `*` for any rest. */
  route?: string;
  operation?: string;
}

/** Real milliseconds: fixed, uniform in a range, or log-normal like measured latencies. */
export type Latency =
  | { kind: 'fixed'; ms: number }
  | { kind: 'even'; minMs: number; maxMs: number }
  | { kind: 'log_normal'; medianMs: number; sigma: number };

export interface FaultError {
  status: number;
  /** A code of the platform or of the bank; by default the usual code of the status. */
  code?: string;
}

export const CONNECTION_FAULTS = ['reset', 'empty', 'hang', 'truncate'] as const;
export type ConnectionFault = (typeof CONNECTION_FAULTS)[number];

/**
 * `before`: the operation is not executed. `after_commit`: the operation is executed, and the fault applies only to its
 * response.
 */
export const FAULT_TIMES = ['before', 'after_commit'] as const;
type FaultTime = (typeof FAULT_TIMES)[number];

/** The settings of a fault. */
export interface FaultSetting extends Frequency {
  match: FaultMatch;
  latency?: Latency;
  error?: FaultError;
  connection?: ConnectionFault;
  when: FaultTime;
  seed?: string;
  ttlMs?: number;
}

export interface Fault extends FaultSetting {
  readonly id: string;
  readonly createdAt: Instant;
  /** `null` without a time to live. */
  readonly expiresAt: Instant | null;
  /** How many requests matched while it was active and no earlier fault applied to them. */
  seen: number;
  /** How many of them it affected. */
  hits: number;
  /** It has expired or has applied as often as its settings allow. */
  over: boolean;
}

/** The properties of a request that faults use. */
export interface FaultRequest {
  method: string;
  /** Without the query. */
  path: string;
  operation: string;
}

/** The effect of a fault on a request. */
export interface FaultHit {
  readonly fault: Fault;
  readonly latencyMs: number;
}

/** All faults with their effect so far, to be stored. */
export interface FaultsState {
  readonly made: number;
  readonly faults: readonly (Fault & { readonly position: SequencePosition })[];
}

export const LONGEST_LATENCY_MS = 600_000;

const ID_PREFIX = 'flt_';

interface FaultEntry {
  readonly fault: Fault;
  readonly sequence: Sequence;
  readonly route: ((path: string) => boolean) | null;
}

const NO_FAULTS: readonly FaultEntry[] = [];

export class Faults {
  readonly #seed: string;
  readonly #now: () => Instant;
  #entries = NO_FAULTS;
  #made = 0;
  #active = false;

  /** `seed` is the sandbox's, for faults without one of their own. */
  constructor(seed: string, now: () => Instant) {
    this.#seed = seed;
    this.#now = now;
  }

  /** Whether any fault could apply: the only check of a request where there is none. */
  get active(): boolean {
    return this.#active;
  }

  list(): readonly Fault[] {
    this.#look();
    return this.#entries.map(({ fault }) => fault);
  }

  add(setting: FaultSetting): Fault {
    this.#made += 1;
    const createdAt = this.#now();
    const fault: Fault = {
      ...setting,
      id: ID_PREFIX + this.#made,
      createdAt,
      expiresAt: setting.ttlMs === undefined ? null : createdAt + setting.ttlMs,
      seen: 0,
      hits: 0,
      over: false,
    };
    this.#entries = [...this.#entries, this.#entryOf(fault)];
    this.#active = true;
    return fault;
  }

  /** False when there is no such fault. */
  remove(id: string): boolean {
    const left = this.#entries.filter(({ fault }) => fault.id !== id);
    const found = left.length < this.#entries.length;
    this.#entries = left;
    this.#look();
    return found;
  }

  /** Removes all faults; ids continue. */
  clear(): void {
    this.#entries = NO_FAULTS;
    this.#active = false;
  }

  /** Removes all faults for a new bank; their ids start from the first again. */
  restart(): void {
    this.clear();
    this.#made = 0;
  }

  state(): FaultsState {
    const faults = this.#entries.map(({ fault, sequence }) => ({ ...fault, position: sequence.position() }));
    return { made: this.#made, faults };
  }

  /** Continues from a stored state. */
  restore(state: FaultsState): void {
    this.#made = state.made;
    this.#entries = state.faults.map(({ position, ...fault }) => {
      const entry = this.#entryOf(fault);
      entry.sequence.moveTo(position);
      return entry;
    });
    // Does not read the clock, which would open the bank.
    this.#active = this.#entries.some(({ fault }) => !fault.over);
  }

  /** The fault that applies to this request; counts the request. */
  hit(request: FaultRequest): FaultHit | null {
    for (const one of this.#entries) {
      const { fault, sequence } = one;
      if (this.#isOver(fault) || !fits(one, request)) continue;
      const taken = applies(fault, fault, sequence.fraction);
      fault.seen += 1;
      if (!taken) continue;
      fault.hits += 1;
      const latencyMs = fault.latency === undefined ? 0 : randomLatency(fault.latency, sequence.fraction);
      this.#look();
      return { fault, latencyMs };
    }
    this.#look();
    return null;
  }

  #isOver(fault: Fault): boolean {
    const { over, expiresAt, times, hits } = fault;
    if (
      !over &&
      ((expiresAt !== null && this.#now() >= expiresAt) || (times !== undefined && hits >= times))
    ) {
      // Final: a clock that is set back does not reactivate a fault.
      fault.over = true;
    }
    return fault.over;
  }

  #look(): void {
    this.#active = this.#entries.some(({ fault }) => !this.#isOver(fault));
  }

  /** A sequence of its own, so that faults change no id of the bank and do not disturb one another. */
  #entryOf(fault: Fault): FaultEntry {
    const { route } = fault.match;
    const sequence = createSequence(fault.seed ?? `${this.#seed}/fault/${fault.id.slice(ID_PREFIX.length)}`);
    return { fault, sequence, route: route === undefined ? null : routePattern(route) };
  }
}

function fits({ fault: { match }, route }: FaultEntry, { method, path, operation }: FaultRequest): boolean {
  return (
    (match.method === undefined || match.method === method) &&
    (match.operation === undefined || match.operation === operation) &&
    (route === null || route(path))
  );
}

/** A random latency in whole milliseconds. */
export function randomLatency(latency: Latency, random: () => number): number {
  switch (latency.kind) {
    case 'fixed':
      return latency.ms;
    case 'even':
      return Math.round(latency.minMs + random() * (latency.maxMs - latency.minMs));
    case 'log_normal': {
      // Box-Muller; a draw is never 1, so the logarithm is finite.
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      return Math.min(Math.round(latency.medianMs * Math.exp(latency.sigma * normal)), LONGEST_LATENCY_MS);
    }
  }
}
