/**
 * Runs scenarios on both sides. The sides run independently, because the behaviour of a bank does not depend on the
 * timing of the other side. However the run ends, the created records are removed.
 */
import { type Created, cleanUp, isShortLived, type LeftBehind } from './clean-up.ts';
import { type Captured, callOf, isEventStep, type Scenario, type Step, valueAt } from './scenario.ts';
import { type Side, SideGone, type Version, versionOf } from './side.ts';
import { type Durations, type StepOptions, type Track, takeStep } from './steps.ts';
import type { Exchange, Transcript } from './transcript.ts';

type SideName = 'here' | 'there';
const SIDES = ['here', 'there'] as const;

export interface RunOptions extends StepOptions {
  readonly sides: Readonly<Record<SideName, Side>>;
  readonly scenarios: readonly Scenario[];
  /** All scenarios by name, to find those in `given`. */
  readonly catalogue: ReadonlyMap<string, Scenario>;
  readonly today: string;
  readonly isReadOnly?: boolean;
  /** Called when the other side begins a scenario. */
  readonly onScenario?: (name: string) => void;
}

export interface RunResult {
  readonly transcripts: Readonly<Record<SideName, Transcript>>;
  /** Scenarios that were not run, with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
  /** Why the run ended early; `''` if it was completed. */
  readonly stopped: string;
  readonly left: Readonly<Record<SideName, readonly LeftBehind[]>>;
}

const UNAUTHORIZED = 401;
const MAX_AT_ONCE = 6;

/** A side refuses its key. */
class KeyRefused extends Error {}

/** Runs the scenarios and cleans up. If a side does not answer, it does not throw, but sets `stopped`. */
export async function runScenarios(options: RunOptions): Promise<RunResult> {
  const tracks = { here: trackOf(options.sides.here), there: trackOf(options.sides.there) };
  const skipped = new Map<string, string>();
  const scenarios = options.scenarios.filter((scenario) => {
    const reason = reasonToSkip(scenario, options);
    if (reason !== '') skipped.set(scenario.name, reason);
    return reason === '';
  });
  const ended = new AbortController();
  const signal =
    options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal]);
  const durations = createDurations();
  let stopped = '';
  try {
    for (const name of ['there', 'here'] as const) await checkKeys(options.sides[name], options.sides.there);
    if (options.isReadOnly !== true) await subscribe(options, tracks);
    await allOrFirst(
      SIDES.map((name) => runSide({ ...options, signal, scenarios, durations }, name, tracks[name])),
      () => ended.abort(),
    );
    if (options.signal?.aborted === true) stopped = 'interrupted';
  } catch (error) {
    if (!(error instanceof SideGone || error instanceof KeyRefused)) throw error;
    stopped = error.message;
  }
  const [ofHere, ofThere] = await Promise.all(SIDES.map((name) => cleanUp(cleanUpOf(options, tracks[name]))));
  return {
    transcripts: { here: transcriptOf(tracks.here), there: transcriptOf(tracks.there) },
    skipped,
    stopped,
    left: { here: ofHere ?? [], there: ofThere ?? [] },
  };
}

function createDurations(): Durations {
  const taken = new Map<string, number>();
  return { of: (step) => taken.get(step), note: (step, ms) => void taken.set(step, ms) };
}

/** Waits for all. If one fails, the others are aborted and awaited, and its error is thrown. */
async function allOrFirst(work: readonly Promise<void>[], onFailure: () => void): Promise<void> {
  const results = await Promise.allSettled(
    work.map(async (one) => {
      try {
        await one;
      } catch (error) {
        onFailure();
        throw error;
      }
    }),
  );
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Sends a request that every bank supports, so that a refused key ends the run before anything is created. */
async function checkKeys(side: Side, { versions }: Side): Promise<void> {
  for (const version of versions) {
    const outcome = await side.send({ method: 'GET', path: `/${version}/webhook/events` });
    if ('failure' in outcome) throw new SideGone(`${side.url} does not answer: ${outcome.failure}`);
    if (outcome.answer.status === UNAUTHORIZED) {
      throw new KeyRefused(`${side.url} refuses the key of ${version} (401)`);
    }
  }
}

/** Creates the webhooks for the receiver, for every kind that both sides have. */
async function subscribe({ sides, run }: RunOptions, tracks: Record<SideName, Track>): Promise<void> {
  if (sides.there.events === undefined) return;
  for (const version of sides.there.versions) {
    const kinds = await Promise.all(SIDES.map((name) => kindsOf(sides[name], version)));
    const common = (kinds[0] ?? []).filter((kind) => kinds[1]?.includes(kind) === true);
    for (const name of SIDES) {
      const { side } = tracks[name];
      const url = side.events?.addressOf(version);
      if (url === undefined || common.length === 0) continue;
      const path = `/${version}/webhook`;
      const body = { url, events: common, description: `Compare ${run}` };
      const outcome = await side.send({ method: 'POST', path, body });
      const id = 'answer' in outcome ? valueAt(outcome.answer.body, 'id') : undefined;
      const operation = version === 'v1' ? 'createWebhook' : 'v2_create_webhook';
      if (typeof id === 'string') tracks[name].created.push({ operation, id, step: '' });
      else tracks[name].unanswered.push(operation);
    }
  }
}

async function kindsOf(side: Side, version: Version): Promise<string[]> {
  const outcome = await side.send({ method: 'GET', path: `/${version}/webhook/events` });
  const kinds = 'answer' in outcome ? valueAt(outcome.answer.body, 'data') : undefined;
  return Array.isArray(kinds) ? kinds.filter((kind) => typeof kind === 'string') : [];
}

function cleanUpOf({ run, pause }: RunOptions, { side, created, unanswered }: Track) {
  return { side, created, unanswered, run, ...(pause !== undefined && { pause }) };
}

function trackOf(side: Side): Track {
  return { side, exchanges: [], events: [], created: [], unanswered: [], begun: new Map() };
}

function transcriptOf({ side, exchanges, events }: Track): Transcript {
  const ordered = byScenario(exchanges);
  return side.events === undefined ? { exchanges: ordered } : { exchanges: ordered, events };
}

/** Groups the steps by scenario, because several may run at once. */
function byScenario(exchanges: readonly Exchange[]): Exchange[] {
  const groups = Map.groupBy(exchanges, ({ step }) => step.slice(0, step.lastIndexOf(' ')));
  return [...groups.values()].flat();
}

/** The steps of a scenario in this run: with --read-only its `find` steps, or all steps if none creates a record. */
export function stepsOf(scenario: Scenario, isReadOnly: boolean): readonly Step[] | undefined {
  if (!isReadOnly) return scenario.steps;
  if (scenario.find !== undefined) return scenario.find;
  const isReading = scenario.steps.every((step) => isEventStep(step) || callOf(step).method === 'GET');
  return isReading ? scenario.steps.filter((step) => !isEventStep(step)) : undefined;
}

function reasonToSkip(scenario: Scenario, { sides, isReadOnly = false }: RunOptions): string {
  const steps = stepsOf(scenario, isReadOnly);
  if (steps === undefined) return 'it writes, which --read-only does not allow';
  const versions = steps.flatMap((step) => (isEventStep(step) ? [] : [versionOf(callOf(step).path)]));
  const missing = versions.find((version) => !sides.there.versions.includes(version));
  if (missing !== undefined) return `SANDBANK_COMPARE_KEY_${missing.toUpperCase()} is not set`;
  const withoutReceiver = steps.some(isEventStep) && sides.there.events === undefined;
  return withoutReceiver && steps.every(isEventStep) ? 'no events can be received: see --receiver' : '';
}

/** Eight digits that are unique to the run, for numbers that can be used only once. */
function digitsOf(run: string): string {
  const value = [...run].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_000_000, 7);
  return String(value).padStart(8, '0');
}

/** The values of the preparing scenarios. */
interface Prepared {
  readonly captured: Captured;
  /** The failed step, after which dependent steps are not sent; `''` for none. */
  readonly stuckAt: string;
}

/** The preparing scenarios that run separately for one scenario. */
interface Own {
  readonly of: string;
  readonly names: ReadonlySet<string>;
  readonly results: Map<string, Promise<Prepared>>;
}

const NOTHING_OWN: Own = { of: '', names: new Set(), results: new Map() };

/** Runs all scenarios on one side. */
async function runSide(options: RunOptions, sideName: SideName, track: Track): Promise<void> {
  const run = runnerOf(options, track);
  const perform = async (scenario: Scenario): Promise<void> => {
    if (options.signal?.aborted === true) return;
    if (sideName === 'there') options.onScenario?.(scenario.name);
    await run(scenario);
  };
  const isAlone = ({ steady }: Scenario): boolean => steady === true;
  for (const scenario of options.scenarios.filter((one) => !isAlone(one))) await perform(scenario);
  // These scenarios wait and are independent, so several run at once if the clock of the side cannot be moved.
  const max = track.side.pass === undefined ? MAX_AT_ONCE : 1;
  const left = options.scenarios.filter(isAlone);
  const work = async (): Promise<void> => {
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift())
      await perform(scenario);
  };
  await allOrFirst(Array.from({ length: max }, work), () => {
    left.length = 0;
  });
}

function runnerOf(options: RunOptions, track: Track): (scenario: Scenario) => Promise<void> {
  const { isReadOnly = false, catalogue, run, today } = options;
  const shared = new Map<string, Promise<Prepared>>();
  const [year = '', month = ''] = today.split('-');
  const common: Captured = { run, today, this_year: year, this_month: month, digits: digitsOf(run) };

  /** Runs the preparing scenarios of a scenario, shared or separately, and returns the captured values. */
  const prepare = async (scenario: Scenario, own: Own): Promise<Prepared> => {
    let [captured, stuckAt]: [Captured, string] = [{}, ''];
    for (const name of [...(scenario.given ?? []), ...(scenario.own ?? [])]) {
      const one = await given(name, own);
      captured = { ...captured, ...one.captured };
      stuckAt ||= one.stuckAt;
    }
    return { captured, stuckAt };
  };

  const given = (name: string, own: Own): Promise<Prepared> => {
    const isOwn = own.names.has(name);
    const results = isOwn ? own.results : shared;
    const result = results.get(name) ?? make(name, isOwn ? own : NOTHING_OWN);
    results.set(name, result);
    return result;
  };

  const make = async (name: string, own: Own): Promise<Prepared> => {
    const scenario = catalogue.get(name);
    if (scenario === undefined) throw new TypeError(`there is no scenario ${name}`);
    const before = await prepare(scenario, own);
    return perform(scenario, own === NOTHING_OWN ? name : `${own.of}/${name}`, before);
  };

  const perform = async (scenario: Scenario, label: string, before: Prepared): Promise<Prepared> => {
    let captured = { ...common, ...before.captured };
    let { stuckAt } = before;
    const seen = track.side.events?.events.length ?? 0;
    const isSteady = scenario.steady === true;
    for (const [index, step] of (stepsOf(scenario, isReadOnly) ?? []).entries()) {
      const name = `${label} ${index + 1}`;
      const taken = await takeStep(options, track, step, { name, captured, seen, isSteady, stuckAt });
      captured = { ...captured, ...taken.captured };
      if (taken.isStuck) stuckAt ||= name;
    }
    return { captured, stuckAt };
  };

  return async (scenario) => {
    const own = { of: scenario.name, names: new Set(scenario.own), results: new Map() };
    await perform(scenario, scenario.name, await prepare(scenario, own));
    await removeCreatedSoon(track, scenario.name, options);
  };
}

/** Removes records of this scenario that would disturb others. */
async function removeCreatedSoon(track: Track, scenario: string, options: RunOptions): Promise<void> {
  const isDone = (record: Created): boolean =>
    isShortLived(record) &&
    (record.step.startsWith(`${scenario} `) || record.step.startsWith(`${scenario}/`));
  const done = track.created.filter(isDone);
  if (done.length === 0) return;
  track.created = track.created.filter((record) => !isDone(record));
  const left = await cleanUp({ side: track.side, created: done, unanswered: [], run: options.run });
  track.created.push(...left);
}
