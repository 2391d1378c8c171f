/**
 * Compares two runs of the same scenarios: the responses step by step, the states of each record, and the received
 * events.
 */
import { type AnswerContext, compareAnswers, compareRecords } from './compare-answers.ts';
import { type Cause, type Found, ONCE } from './differences.ts';
import { createRelation, type Relation } from './relation.ts';
import type { EventWait, Exchange, Transcript } from './transcript.ts';

export interface RunComparison {
  readonly found: readonly Found[];
  /** The compared steps of each operation, and those that could not be compared, with the reason. */
  readonly compared: ReadonlyMap<string, ComparedOperation>;
  /** The fields of each operation and event that had the same value on both sides. */
  readonly agreed: ReadonlyMap<string, ReadonlySet<string>>;
}

interface ComparedOperation {
  readonly steps: readonly string[];
  readonly problems: readonly string[];
}

export interface ComparisonOptions {
  readonly sameRecords: boolean;
  /** Real milliseconds by which an event of the other side may arrive later. */
  readonly lateMs: number;
  readonly relation?: Relation;
  /** Whether the responses of the other side are redacted. */
  readonly isRedacted?: boolean;
}

/** Compares the transcripts of both sides. */
export function compareRuns(here: Transcript, there: Transcript, options: ComparisonOptions): RunComparison {
  const comparison = startComparison(options);
  const others = new Map(there.exchanges.map((exchange) => [exchange.step, exchange]));
  for (const exchange of here.exchanges) comparison.take(exchange, others.get(exchange.step));
  const waits = new Map((there.events ?? []).map((wait) => [wait.step, wait]));
  for (const wait of here.events ?? []) {
    const other = waits.get(wait.step);
    if (other !== undefined) comparison.takeEvents(wait, other);
  }
  return comparison.result();
}

/** A comparison that receives one step after the other, for a replay. */
export interface RunningComparison {
  /** Adds a step and returns its differences. */
  take(here: Exchange, there: Exchange | undefined): readonly Found[];
  takeEvents(here: EventWait, there: EventWait): void;
  result(): RunComparison;
}

export function startComparison(options: ComparisonOptions): RunningComparison {
  const { sameRecords, lateMs, relation = createRelation(), isRedacted = false } = options;
  const sent = new Set<string>();
  const agreed = new Map<string, Set<string>>();
  const onAgreement = (operation: string, field: string): void => {
    agreed.set(operation, (agreed.get(operation) ?? new Set()).add(field));
  };
  const context: AnswerContext = { relation, sameRecords, sent, isRedacted, onAgreement };
  const origins = createOrigins();
  const found: Found[] = [];
  const compared = new Map<string, { steps: string[]; problems: string[] }>();
  const entryOf = (operation: string) => {
    const entry = compared.get(operation) ?? { steps: [], problems: [] };
    compared.set(operation, entry);
    return entry;
  };

  return {
    take(here, there) {
      for (const text of textsOfBoth(here.request, there?.request)) sent.add(text);
      const problem = problemOf(here, there);
      const entry = entryOf(here.operation);
      if (there === undefined || problem !== '') {
        entry.problems.push(`${here.step}: ${problem}`);
        return [];
      }
      entry.steps.push(here.step);
      const origin = origins.of(here.request.path.split('/').at(-1) ?? '');
      // If only one side reached the end of a wait, the responses belong to different states.
      const answers = here.isReached === there.isReached ? compareAnswers(here, there, context) : [];
      const own = origin([...compareStates(here, there), ...answers]);
      found.push(...own);
      origins.learn(here);
      return own;
    },
    takeEvents(here, there) {
      relation.relate(here.about, there.about);
      if (!here.isReached && !there.isReached) {
        entryOf(here.operation).problems.push(`${here.step}: no side sent ${here.event} in time`);
      }
      found.push(...origins.of(here.about)(compareEvents(here, there, lateMs, context)));
    },
    result: () => ({ found, compared, agreed }),
  };
}

/** Records which operation created which record, because the creation of a payment determines its later states. */
function createOrigins() {
  const makers = new Map<string, string>();
  return {
    learn({ request, operation, answer }: Exchange): void {
      const { id } = Object(answer?.body) as { id?: unknown };
      if (request.method === 'POST' && typeof id === 'string' && !makers.has(id)) makers.set(id, operation);
    },
    /** Adds the creating operation to the differences of a record. */
    of(id: string): (found: readonly Found[]) => Found[] {
      const origin = makers.get(id);
      return (found) => found.map((one) => (origin === undefined ? one : { ...one, origin }));
    },
  };
}

/** Why a step cannot be compared; `''` if it can. */
function problemOf(here: Exchange, there: Exchange | undefined): string {
  if (there === undefined) return 'the run ended before it';
  if (there.failure !== undefined) return `on the other side: ${there.failure}`;
  if (here.failure !== undefined) return `on this bank: ${here.failure}`;
  const isWait = here.isReached !== undefined;
  return isWait && here.isReached === false && there.isReached === false
    ? 'no side reached the state in time'
    : '';
}

/** The texts that were sent to both sides, which are compared exactly in responses. Captured values differ. */
function textsOfBoth(here: unknown, there: unknown): string[] {
  const other = new Set(textsOf(there));
  return textsOf(here).filter((text) => other.has(text));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function compareStates(here: Exchange, there: Exchange): Found[] {
  const [one, other] = [here.states ?? [], there.states ?? []];
  const differ = (cause: Cause, own: string, foreign: string): Found[] => [
    { cause, operation: here.operation, step: here.step, field: 'status', here: own, there: foreign },
  ];
  if (here.isReached !== there.isReached) {
    return differ('not-reached', one.join(' → '), other.join(' → '));
  }
  // A poll may miss a short state, so only the states that were seen on both sides are compared in order.
  const unknown = other.filter((state) => !one.includes(state));
  const common = other.filter((state) => one.includes(state));
  const positions = common.map((state) => one.indexOf(state));
  const isInOrder = positions.every(
    (position, index) => index === 0 || position > (positions[index - 1] ?? 0),
  );
  return unknown.length > 0 || !isInOrder ? differ('state-order', one.join(' → '), other.join(' → ')) : [];
}

function compareEvents(here: EventWait, there: EventWait, lateMs: number, context: AnswerContext): Found[] {
  const at = (cause: Cause, kind: string, own: string, foreign: string): Found => ({
    cause,
    operation: `event ${kind}`,
    step: here.step,
    field: kind,
    here: own,
    there: foreign,
  });
  const [one, other] = [kindsOf(here), kindsOf(there)];
  const missing = without(one, other);
  const extra = without(other, one);
  const found = [
    ...missing.map((kind) => at('event-missing', kind, 'sent', 'not sent')),
    ...extra.map((kind) =>
      one.includes(kind)
        ? at('event-extra', kind, ONCE, 'again')
        : at('event-extra', kind, 'not sent', 'sent'),
    ),
  ];
  if (missing.length === 0 && extra.length === 0 && one.join() !== other.join()) {
    found.push(at('event-order', here.event, one.join(', '), other.join(', ')));
  }
  if (there.isReached && here.isReached && there.afterMs - here.afterMs > lateMs) {
    found.push(at('event-late', here.event, 'at once', `after ${Math.round(there.afterMs / 1_000)} s`));
  }
  return [...found, ...compareBodies(here, there, context)];
}

const kindsOf = ({ received }: EventWait): string[] => received.map(({ type }) => type);

/** The items of a list that another list lacks, with their multiplicity. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((item) => {
    const position = left.indexOf(item);
    if (position >= 0) left.splice(position, 1);
    return position < 0;
  });
}

/** Compares the bodies of the events of both sides, pairing the events of each kind in order. */
function compareBodies(here: EventWait, there: EventWait, context: AnswerContext): Found[] {
  const left = [...there.received];
  return here.received.flatMap(({ type, body }) => {
    const position = left.findIndex((event) => event.type === type);
    const [event] = position < 0 ? [] : left.splice(position, 1);
    if (event === undefined) return [];
    return compareRecords({ operation: `event ${type}`, step: here.step }, body, event.body, context);
  });
}
