/**
 * The environment of the scenarios: a separate sandbox with a checked client, in which every call has to succeed.
 * After an action the record is read in both versions.
 */
import type { Answer, Caller, Method } from '../server/http/support.ts';

export interface World {
  readonly caller: Caller;
  seed(name: string): string;
  v1(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  v2(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Calls the control plane: `simulate/cards/<id>/lock`. */
  control(method: Method, path: string, body?: object): Promise<Answer>;
  /** Reads these in v2 and then in v1; `*` is replaced by an id of either spelling. */
  look(id: string, ...paths: string[]): Promise<void>;
}

/** The world of this caller. */
export function worldOf(caller: Caller): World {
  const call =
    (apiVersion: 'v1' | 'v2'): World['v1'] =>
    async (method, path, body, headers) => {
      const answer = await caller[apiVersion](method, path, body, headers);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    };
  const v1 = call('v1');
  const v2 = call('v2');
  return {
    caller,
    seed: caller.seed,
    v1,
    v2,
    control: (method, path, body) => v2(method, `/_sandbox/${path}`, body),
    async look(id, ...paths) {
      for (const path of paths) await (path.startsWith('/v1/') ? v1 : v2)('GET', path.replace('*', id));
    },
  };
}

export const ADDRESS = {
  line1: '9 Pier Road',
  line2: 'Floor 2',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postal_code: '97301',
};

export const ADDRESS_V1 = {
  line1: '9 Pier Road',
  line2: 'Floor 2',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};

/** An image of one pixel. */
export const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
