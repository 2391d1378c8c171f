/**
 * A client whose every answer is held against the contract: each call that succeeds has the published status of its
 * operation, and what it answers is walked. Events are walked as they are heard, by the record that their kind is
 * published to carry.
 */
import type { Answer, Caller, Heard } from '../http/support.ts';
import type { PublishedOperation } from './operations.ts';
import type { Table } from './rows.ts';
import { OPERATIONS_V1 } from './v1/operations.ts';
import { OPERATIONS_V2 } from './v2/operations.ts';
import type { Walk } from './walk.ts';

/** What has been called, and what was wrong with how it was answered. */
export interface Witness {
  /** The operations that succeeded, as `GET /v2/...`. */
  readonly called: Set<string>;
  readonly problems: string[];
  /** The same caller, watched. */
  watch(caller: Caller): Caller;
}

const nameOf = ({ method, path }: PublishedOperation): string => `${method} ${path}`;

/** The operation that a call is of; a path without a parameter goes before one with. */
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
    if (answer.status !== operation.status) problems.push(`${name}: ${answer.status}, not ${operation.status}`);
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

/** Walks the records of events; a kind that carries no table's record is told of. */
export function meetEvents(
  walk: Walk,
  heard: readonly Heard[],
  tableOf: (kind: string) => Table | undefined,
): string[] {
  return heard.flatMap(({ kind, record }) => {
    const table = tableOf(kind);
    if (table === undefined) return [`${kind}: no record is published for it`];
    walk.meet(table, record, `the event ${kind}`);
    return [];
  });
}
