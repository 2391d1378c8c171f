/**
 * A client whose responses are compared with the contract: each successful call has the published status of its
 * operation, and a response that matches its table. Events are compared when they are received, with the record that
 * is published for their kind.
 */
import type { Answer, Caller } from '../server/http/support.ts';
import type { PublishedOperation } from './operations.ts';
import { KINDS_V1 } from './v1/kinds.ts';
import { OPERATIONS_V1 } from './v1/operations.ts';
import { EVENT_V1 } from './v1/others.ts';
import { KINDS_V2 } from './v2/kinds.ts';
import { OPERATIONS_V2 } from './v2/operations.ts';
import { EVENT_V2 } from './v2/others.ts';
import type { Walk } from './walk.ts';
import type { World } from './world.ts';

/** The calls, and the errors in their responses. */
export interface Witness {
  /** The operations that succeeded, as `GET /v2/...`. */
  readonly called: Set<string>;
  readonly problems: string[];
  /** The same caller, with checks. */
  watch(caller: Caller): Caller;
}

const nameOf = ({ method, path }: PublishedOperation): string => `${method} ${path}`;

/** The operation of a call; a path without a parameter has precedence. */
function find(operations: readonly PublishedOperation[], method: string, url: string) {
  const parts = (url.split('?')[0] ?? '').split('/');
  const fits = operations.filter((operation) => {
    const steps = operation.path.split('/');
    return (
      operation.method === method &&
      steps.length === parts.length &&
      steps.every((step, at) => step.startsWith(':') || step === parts[at])
    );
  });
  const parameters = ({ path }: PublishedOperation) => path.split(':').length;
  return fits.sort((one, other) => parameters(one) - parameters(other))[0];
}

export function createWitness(walk: Walk): Witness {
  const called = new Set<string>();
  const problems: string[] = [];
  const look = (operations: readonly PublishedOperation[], method: string, url: string, answer: Answer) => {
    if (answer.status >= 400 || !/^\/v[12]\//.test(url)) return;
    const operation = find(operations, method, url);
    if (operation === undefined) {
      problems.push(`${method} ${url}: is in no table of operations`);
      return;
    }
    const name = nameOf(operation);
    called.add(name);
    if (answer.status !== operation.status)
      problems.push(`${name}: ${answer.status}, not ${operation.status}`);
    const isFile = answer.headers['content-type']?.startsWith('application/json') !== true;
    if (operation.answer !== undefined && !isFile) walk.meet(operation.answer, answer.body, name);
    const { items } = operation;
    if (items !== undefined && !isFile) {
      for (const item of answer.at(items.at) as unknown[]) walk.meet(items.table, item, name);
    }
    if (operation.answer === undefined && answer.text !== '') problems.push(`${name}: answers something`);
  };
  return {
    called,
    problems,
    watch: (caller) => ({
      ...caller,
      async v1(method, path, body, headers) {
        const answer = await caller.v1(method, path, body, headers);
        look(OPERATIONS_V1, method, path, answer);
        return answer;
      },
      async v2(method, path, body, headers) {
        const answer = await caller.v2(method, path, body, headers);
        look(OPERATIONS_V2, method, path, answer);
        return answer;
      },
    }),
  };
}

interface Event {
  id: string;
  type: string;
  api_version: 'v1' | 'v2';
  data: unknown;
}

const KINDS = { v1: KINDS_V1, v2: KINDS_V2 };
const ENVELOPES = { v1: EVENT_V1, v2: EVENT_V2 };
const MOST = 1000;

/** Compares the record of every event of a world, and the first delivery of each kind; returns the errors. */
export async function meetEvents(walk: Walk, world: World, published: Set<string>): Promise<string[]> {
  const problems: string[] = [];
  for (let since = ''; ; ) {
    const page = await world.control('GET', `events?limit=${MOST}&since=${since}`);
    for (const { id, type, api_version: apiVersion, data } of page.at('events') as Event[]) {
      const table = KINDS[apiVersion].get(type) ?? undefined;
      if (table === undefined) problems.push(`${type}: is told, and no record is published for it`);
      else walk.meet(table, data, `the event ${type}`);
      const name = `${apiVersion} ${type}`;
      if (published.has(name)) continue;
      published.add(name);
      const sent = JSON.parse((await world.control('GET', `events/${id}/delivery`)).id('body')) as object;
      walk.meet(ENVELOPES[apiVersion], sent, `the event ${type}`);
    }
    const next = page.id('cursor');
    if (next === since || (page.at('events') as Event[]).length < MOST) return problems;
    since = next;
  }
}
