/**
 * Sends the requests of a recording to this bank and compares the responses with the recorded ones. Ids and other
 * values of the platform are replaced by those that this bank returned for the same field. A request that names a
 * record from before the recording cannot be sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunComparison } from './compare-runs.ts';
import { startComparison } from './compare-runs.ts';
import type { Found } from './differences.ts';
import { formOf, isIdForm } from './forms.ts';
import type { Recording } from './recording.ts';
import { createRelation } from './relation.ts';
import { valueAt } from './scenario.ts';
import { isCallable, type Side } from './side.ts';
import { firstStates, noteCreation } from './steps.ts';
import type { Exchange, SentRequest } from './transcript.ts';

export interface ReplayOptions {
  readonly side: Side;
  readonly recording: Recording;
  readonly patienceMs: number;
}

const POLL_MS = 200;

/** Replays a recording. Throws `SideGone` if this bank does not answer. */
export async function replay({ recording, ...options }: ReplayOptions): Promise<RunComparison> {
  const replayer = createReplayer({ ...options, isRedacted: true });
  for (const there of recording.exchanges) await replayer.play(there);
  return replayer.result();
}

export interface ReplayerOptions extends Pick<ReplayOptions, 'side' | 'patienceMs'> {
  /** Whether the other side's texts are pseudonyms. */
  readonly isRedacted: boolean;
}

/** Sends the requests of the other side to this bank, one after the other. */
export interface Replayer {
  /** Returns the response of this bank and its differences. A request that cannot be sent has a `failure`. */
  play(there: Exchange): Promise<{ readonly here: Exchange; readonly found: readonly Found[] }>;
  result(): RunComparison;
}

export function createReplayer(options: ReplayerOptions): Replayer {
  const relation = createRelation();
  const { isRedacted } = options;
  const comparison = startComparison({ sameRecords: true, lateMs: 0, relation, isRedacted });
  const known = createKnown();
  const created = new Map<string, unknown>();
  return {
    async play(there) {
      const { request, unknown } = translate(there.request, (id) => relation.ownOf(id), known);
      const begun = { ...there, request, answer: undefined, failure: undefined, states: undefined };
      const sent =
        unknown === '' ? await send(options, there, begun, created) : { ...begun, failure: unknown };
      const here = clean(sent);
      if (here.answer !== undefined) noteCreation(created, here.answer);
      const found = comparison.take(here, there);
      learnIds(here, there, relation.relate);
      known.addSent(there.request);
      known.learn(there.answer?.body, here.answer?.body);
      return { here, found };
    },
    result: () => comparison.result(),
  };
}

type Loose = { [Name in keyof Exchange]: Exchange[Name] | undefined };

/** Removes unset fields. */
function clean(exchange: Loose): Exchange {
  return Object.fromEntries(
    Object.entries(exchange).filter(([, value]) => value !== undefined),
  ) as unknown as Exchange;
}

async function send(
  { side, patienceMs }: ReplayerOptions,
  there: Exchange,
  begun: Loose,
  created: ReadonlyMap<string, unknown>,
): Promise<Loose> {
  const request = begun.request as SentRequest;
  if (!isCallable(request.path)) return { ...begun, failure: 'the path is not below /v1 or /v2' };
  const last = there.states?.at(-1);
  const end = performance.now() + patienceMs;
  const field = there.field ?? 'status';
  const states = firstStates(created, request.path, field);
  for (;;) {
    const outcome = await side.send(request);
    if ('failure' in outcome) return { ...begun, failure: outcome.failure };
    if (last === undefined) return { ...begun, answer: outcome.answer };
    const state = String(valueAt(outcome.answer.body, field) ?? '');
    if (states.at(-1) !== state) states.push(state);
    const isReached = state === last;
    if (isReached || performance.now() >= end) {
      return { ...begun, answer: outcome.answer, states, isReached: isReached && there.isReached === true };
    }
    const moved = side.pass === undefined ? false : await side.pass();
    if (!moved) await sleep(POLL_MS);
  }
}

/** Corresponding values of the two sides, by field name. */
interface Known {
  learn(there: unknown, here: unknown): void;
  /** Notes values of the client, which are not replaced when a response repeats them. */
  addSent(request: unknown): void;
  ownOf(name: string, there: string): string | undefined;
}

const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[_-]|^sd|^set/g, '')
    .replace(/^set/, '');

function createKnown(): Known {
  const values = new Map<string, string>();
  const sent = new Set<string>();
  const addSent = (value: unknown): void => {
    if (typeof value === 'string') sent.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(addSent);
  };
  const learn = (there: unknown, here: unknown, name = ''): void => {
    if (typeof there === 'string' && typeof here === 'string' && there !== '' && name !== '') {
      if (!sent.has(there)) values.set(`${plain(name)} ${there}`, here);
      return;
    }
    if (typeof there !== 'object' || there === null || typeof here !== 'object' || here === null) return;
    for (const [key, inner] of Object.entries(there)) {
      learn(inner, (here as Record<string, unknown>)[key], Array.isArray(there) ? name : key);
    }
  };
  return { addSent, learn, ownOf: (name, there) => values.get(`${plain(name)} ${there}`) };
}

/** Learns the ids at the same place of both responses, unless the comparison already has. */
function learnIds(here: Loose, there: Exchange, relate: (here: string, there: string) => boolean): void {
  const walk = (one: unknown, other: unknown): void => {
    if (typeof one === 'string' && typeof other === 'string') {
      if (isIdForm(formOf(one)) && formOf(one) === formOf(other)) relate(one, other);
      return;
    }
    if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return;
    for (const [key, inner] of Object.entries(one)) walk(inner, (other as Record<string, unknown>)[key]);
  };
  const [own, foreign] = [here, there].map(({ answer }) => valueAt(answer?.body, 'data'));
  if (!Array.isArray(own) || !Array.isArray(foreign)) walk(here.answer?.body, there.answer?.body);
  // In an unfiltered list the records of the two sides do not correspond; in a list of one record or one account they
  // do, in order.
  else if (isNarrow(there.request)) walk(own, foreign);
}

function isNarrow({ path, query = {} }: SentRequest): boolean {
  const values = [...path.split('/'), ...Object.values(query)];
  return (
    query.limit === '1' || /master_account$/.test(path) || values.some((value) => isIdForm(formOf(value)))
  );
}

const ID_INSIDE = /[a-z]{2,6}[-_](?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;
/** An id that deliberately identifies no record. */
const NOBODY = /^[a-z]{2,6}[-_]0[0-]*$/;

/** Translates a recorded request to the ids and values of this bank; `unknown` is an id without a counterpart. */
function translate(
  request: SentRequest,
  ownId: (id: string) => string | undefined,
  known: Known,
): { request: SentRequest; unknown: string } {
  let unknown = '';
  const write = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      const own = known.ownOf(name, value);
      if (own !== undefined && !isIdForm(formOf(value))) return own;
      return value.replaceAll(ID_INSIDE, (id) => {
        const ownOne = ownId(id);
        if (ownOne === undefined && !NOBODY.test(id)) unknown = `${id} is a record from before the recording`;
        return ownOne ?? id;
      });
    }
    if (Array.isArray(value)) return value.map((item) => write(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, write(inner, key)]));
  };
  return { request: write(request, '') as SentRequest, unknown };
}
