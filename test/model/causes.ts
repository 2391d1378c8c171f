/**
 * What the two tables of event kinds share: a kind is either caused by something that a client or the control plane does,
 * or by nothing, for a reason that is said. What is done is an operation's own example, with another field here and there.
 */
import type { TSchema } from '@sinclair/typebox';
import { expect } from 'vitest';
import type { AnyOperation } from '../../src/http/operation.ts';
import { prepareExample, send } from '../http/cases.ts';
import { problemsWith } from '../http/expectations.ts';
import type { Answer, Caller, Heard, Http, Method } from '../http/support.ts';

/** What differs from an operation's example. */
interface Otherwise {
  /** Takes the place of the example's path. */
  path?: string;
  /** Fields of the body, beside or in place of the example's. */
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** Somebody who does things that succeed, in a sandbox of their own. */
export interface Doer {
  seed(name: string): string;
  /** Carries out an operation. */
  run(operation: AnyOperation, otherwise?: Otherwise): Promise<Answer>;
  call(dialect: 'v1' | 'v2', method: Method, path: string, body?: unknown): Promise<Answer>;
  /** Has the platform, another bank or a merchant do something: `cards/<id>/lock`. */
  simulate(path: string, body?: object): Promise<Answer>;
  /** Asks the control plane for anything else. */
  control(method: Method, path: string, body?: object): Promise<Answer>;
}

/** Something that causes a kind of event, and the shape of the record that the event carries. */
interface Cause {
  readonly by: (doer: Doer) => Promise<unknown>;
  readonly shape: TSchema;
}

/** Or why nothing does. */
type Never = string;

export type Causes = Readonly<Record<string, Cause | Never>>;

/** The kinds that something causes. */
export function causedIn(causes: Causes): [kind: string, cause: Cause][] {
  return Object.entries(causes).filter((row): row is [string, Cause] => typeof row[1] !== 'string');
}

/** Causes a kind in a fresh sandbox, and answers the records of the events of that kind that were heard. */
export async function hear(
  http: Http,
  generation: 'v1' | 'v2',
  kind: string,
  cause: Cause,
): Promise<Heard[]> {
  const caller = http.caller();
  await caller.listen();
  await cause.by(doerOf(http, caller));
  const heard = (await caller.heard())[generation];
  const told = heard.filter((event) => event.kind === kind);
  expect(told, `${kind} among ${heard.map((event) => event.kind).join(', ')}`).not.toEqual([]);
  for (const { record } of told) expect(problemsWith(cause.shape, record), kind).toEqual([]);
  return told;
}

function doerOf(http: Http, caller: Caller): Doer {
  const succeed = (answer: Answer, about: string): Answer => {
    if (answer.status >= 300) throw new Error(`${about}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const control: Doer['control'] = async (method, path, body = {}) =>
    succeed(
      await http.call(method, `/_sandbox/${path}`, { body, headers: { 'api-key': caller.key } }),
      `${method} /_sandbox/${path}`,
    );
  const carryOut = async (operation: AnyOperation, { path, body, headers }: Otherwise): Promise<Answer> => {
    const prepared = await prepareExample(operation, caller.seed, async (before) => {
      const answer = await carryOut(before, {});
      return answer.id;
    });
    const sent = { path: path ?? prepared.path, headers: { ...prepared.headers, ...headers } };
    const whole =
      prepared.body === undefined && body === undefined ? undefined : { ...prepared.body, ...body };
    return succeed(await send(caller, operation, { ...sent, body: whole }), operation.id);
  };
  return {
    seed: caller.seed,
    run: (operation, otherwise = {}) => carryOut(operation, otherwise),
    call: async (dialect, method, path, body) =>
      succeed(await caller[dialect](method, path, body), `${method} ${path}`),
    control,
    simulate: (path, body) => control('POST', `simulate/${path}`, body),
  };
}
