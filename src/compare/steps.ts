/**
 * Executes the steps of scenarios on one side: sends a request, repeats a request until a field has a value, or waits
 * for an event. A step that cannot be executed because an earlier one failed is recorded with the reason.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Created, isCreation } from './clean-up.ts';
import { formatFailure } from './failures.ts';
import { operationOf } from './operations.ts';
import type { IncomingEvent } from './receive.ts';
import {
  type CallStep,
  type Captured,
  callOf,
  type EventStep,
  fill,
  isEventStep,
  isWaitStep,
  namesIn,
  type Step,
  valueAt,
  type WaitStep,
} from './scenario.ts';
import type { Side } from './side.ts';
import type { EventWait, Exchange, ReceivedAnswer, SentRequest } from './transcript.ts';

/** The state of a run on one side. */
export interface Track {
  readonly side: Side;
  readonly exchanges: Exchange[];
  readonly events: EventWait[];
  created: Created[];
  /** Creations without a response. */
  readonly unanswered: string[];
  /** The bodies that created records, by id: the first state of a record may be over before the first poll. */
  readonly begun: Map<string, unknown>;
}

/** The durations of this bank's waiting steps on its own clock, by name. */
export interface Durations {
  of(step: string): number | undefined;
  note(step: string, ms: number): void;
}

export interface StepOptions {
  /** The durations of this bank: if one exceeds `patienceMs`, the wait on the other side is skipped. */
  readonly durations?: Durations;
  /** The mark of the run. */
  readonly run: string;
  /** The default real milliseconds of a wait. */
  readonly patienceMs: number;
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** The position of a step. */
export interface StepPlace {
  readonly name: string;
  readonly captured: Captured;
  /** The number of events before the scenario began. */
  readonly seen: number;
  readonly isSteady: boolean;
  /** An earlier failed step on which this step depends; `''` for none. */
  readonly stuckAt: string;
}

/** The result of a step. */
export interface Taken {
  readonly captured: Captured;
  /** Whether it was skipped because the state takes longer than `patienceMs`. */
  readonly isStuck: boolean;
}

const FIRST_FAILURE = 400;
const SECOND_MS = 1_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Executes one step on one side. */
export async function takeStep(
  options: StepOptions,
  track: Track,
  step: Step,
  { name, captured, seen, isSteady, stuckAt }: StepPlace,
): Promise<Taken> {
  if (isEventStep(step)) {
    if (stuckAt === '') await awaitEvent(options, track, step, name, captured, seen);
    return { captured: {}, isStuck: false };
  }
  const request = requestOf(step, captured);
  const operation =
    operationOf(request.method, request.path.replaceAll(/\{\w+\}/g, 'x'))?.id ??
    `${request.method} ${request.path}`;
  const ignore = {
    ...(step.ignore !== undefined && { ignore: step.ignore }),
    ...(isSteady && { isSteady }),
    ...(isWaitStep(step) && { field: step.field }),
  };
  const missing = namesIn(request).filter((one) => step !== undefined && !(one in captured));
  const failure =
    stuckAt !== ''
      ? `it depends on ${stuckAt}, which was not reached`
      : formatFailure('notCaptured', missing[0] ?? '');
  if (stuckAt !== '' || missing.length > 0) {
    track.exchanges.push({ step: name, operation, request, failure, ...ignore });
    return { captured: {}, isStuck: false };
  }
  const exchange = isWaitStep(step)
    ? await repeat(options, track, step, { step: name, operation, request, ...ignore })
    : await sendOnce(options, track, step, { step: name, operation, request, ...ignore });
  track.exchanges.push(exchange);
  const { failure: problem, isReached } = exchange;
  return {
    captured: keptOf(exchange, step),
    isStuck: problem !== undefined && isReached === undefined && isWaitStep(step),
  };
}

function requestOf(step: CallStep | WaitStep, captured: Captured): SentRequest {
  const { method, path } = callOf(step);
  const filled = <T>(value: T): T => fill(value, captured);
  const { headers } = step;
  const { query, body } = isWaitStep(step) ? { query: undefined, body: undefined } : step;
  return {
    method,
    path: filled(path),
    ...(query !== undefined && { query: filled(query) }),
    ...(headers !== undefined && { headers: filled(headers) }),
    ...(body !== undefined && { body: filled(body) }),
  };
}

type Begun = Pick<Exchange, 'step' | 'operation' | 'request' | 'ignore' | 'isSteady' | 'field'>;

/** Notes the body that created a record. */
export function noteCreation(begun: Map<string, unknown>, { status, body }: ReceivedAnswer): void {
  const id = valueAt(body, 'id');
  if (status < FIRST_FAILURE && typeof id === 'string' && !begun.has(id)) begun.set(id, body);
}

/** The states that the creations of the records of a path answered. */
export function firstStates(begun: ReadonlyMap<string, unknown>, path: string, field: string): string[] {
  return path
    .split('/')
    .map((id) => valueAt(begun.get(id), field))
    .filter((state) => typeof state === 'string');
}

async function sendOnce(options: StepOptions, track: Track, step: CallStep, begun: Begun): Promise<Exchange> {
  const { request, operation } = begun;
  const files = step.files === undefined ? {} : { files: step.files };
  const once =
    request.method === 'POST' ? { once: `${options.run}-${begun.step.replaceAll(/\W+/g, '-')}` } : {};
  const outcome = await track.side.send({ ...request, ...files, ...once });
  if ('failure' in outcome) {
    if (isCreation(operation)) track.unanswered.push(operation);
    return { ...begun, ...outcome };
  }
  const { status, body } = outcome.answer;
  const id = valueAt(body, 'id');
  noteCreation(track.begun, outcome.answer);
  if (status < FIRST_FAILURE && isCreation(operation) && typeof id === 'string') {
    track.created.push({ operation, id, step: begun.step, body: request.body });
  }
  return { ...begun, ...outcome };
}

/** Polls a record until a field has one of the expected values. */
async function repeat(options: StepOptions, track: Track, step: WaitStep, begun: Begun): Promise<Exchange> {
  const states = firstStates(track.begun, begun.request.path, step.field);
  const { durations } = options;
  const { side } = track;
  const patienceMs = step.within === undefined ? options.patienceMs : step.within * SECOND_MS;
  const elapsed = stopwatch(side);
  for (let number = 0; ; number += 1) {
    const outcome = await side.send(begun.request);
    if ('failure' in outcome) return { ...begun, ...outcome, states, isReached: false };
    const state = String(valueAt(outcome.answer.body, step.field) ?? '');
    if (states.at(-1) !== state) states.push(state);
    const isReached = step.is.includes(state);
    const isOver =
      outcome.answer.status >= FIRST_FAILURE ||
      elapsed.real() >= patienceMs ||
      options.signal?.aborted === true;
    if (isReached) durations?.note(begun.step, elapsed.own());
    if (isReached || isOver) return { ...begun, ...outcome, states, isReached };
    const needed = side.pass === undefined ? (durations?.of(begun.step) ?? 0) : 0;
    if (needed > patienceMs) {
      return {
        ...begun,
        states,
        failure: formatFailure('needsLonger', ...[needed, patienceMs].map(formatDuration)),
      };
    }
    await letPass(options, side, number);
  }
}

/** Measures the time from now: in real milliseconds, and including moves of the side's clock. */
function stopwatch({ passedMs = () => 0 }: Side): { real: () => number; own: () => number } {
  const [start, passed] = [performance.now(), passedMs()];
  const real = (): number => performance.now() - start;
  return { real, own: () => real() + passedMs() - passed };
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** Formats a duration in its largest unit: `1.4 d`, `30 s`. */
function formatDuration(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit) ?? [SECOND_MS, 's'];
  return `${Math.round((ms / size) * 10) / 10} ${name}`;
}

async function letPass({ pause = sleep }: StepOptions, side: Side, number: number): Promise<void> {
  const moved = side.pass === undefined ? false : await side.pass();
  if (!moved) await pause(Math.min(FIRST_PAUSE_MS * 1.5 ** number, LONGEST_PAUSE_MS));
}

function keptOf({ answer }: Exchange, { keep = {} }: CallStep | WaitStep): Captured {
  if (answer === undefined || answer.status >= FIRST_FAILURE) return {};
  const pairs = Object.entries(keep).map(([name, path]) => [name, valueAt(answer.body, path)] as const);
  return Object.fromEntries(
    pairs
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** Waits for an event about a record, and records all events about it until then. */
async function awaitEvent(
  options: StepOptions,
  track: Track,
  step: EventStep,
  name: string,
  captured: Captured,
  seen: number,
): Promise<void> {
  const source = track.side.events;
  if (source === undefined) return;
  const about = fill(step.of, captured);
  const start = performance.now();
  const end = start + (step.within === undefined ? options.patienceMs : step.within * SECOND_MS);
  const received = (): IncomingEvent[] =>
    source.events.slice(seen).filter((event) => event.about.includes(about));
  for (let number = 0; ; number += 1) {
    const events = received();
    const at = events.findLastIndex(({ type }) => type === step.event);
    if (at >= 0 || performance.now() >= end || namesIn(about).length > 0) {
      const upTo = at >= 0 ? events.slice(0, at + 1) : events;
      const afterMs = Math.max(0, (upTo.at(-1)?.at ?? start) - start);
      const kept = upTo.map(({ type, body }) => ({ type, body }));
      track.events.push({
        step: name,
        event: step.event,
        about,
        operation: track.exchanges.at(-1)?.operation ?? '',
        received: kept,
        isReached: at >= 0,
        afterMs,
      });
      return;
    }
    await letPass(options, track.side, number);
  }
}
