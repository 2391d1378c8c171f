/**
 * The common part of the two tables of event kinds: runs the causes of `sandbank trigger`, each in its own sandbox.
 * It records only the events of the last step, not those of its preparation.
 */
import type { TSchema } from '@sinclair/typebox';
import { expect } from 'vitest';
import type { Cause, World } from '../../../src/kit/causes/cause.ts';
import { createClient } from '../../../src/kit/client/client.ts';
import { problemsWith } from '../../server/http/expectations.ts';
import type { Caller, Http, Method, ReceivedEvent } from '../../server/http/support.ts';

/** The causes of the kinds of a version, or why a kind has none. */
type Causes = Readonly<Record<string, Cause | string>>;

/** The kinds that something causes. */
export function causedIn(causes: Causes): [kind: string, cause: Cause][] {
  return Object.entries(causes).filter((row): row is [string, Cause] => typeof row[1] !== 'string');
}

/** Causes a kind in a new sandbox, and returns the records of the received events of that kind. */
export async function receive(
  http: Http,
  apiVersion: 'v1' | 'v2',
  kind: string,
  { cause, shape }: { cause: Cause; shape: TSchema },
): Promise<ReceivedEvent[]> {
  const caller = http.caller();
  const world = worldOf(http, caller);
  await caller.listen();
  const target = await cause.prepare(world);
  await caller.receivedEvents();
  await cause.act(world, target);
  const events = (await caller.receivedEvents())[apiVersion];
  const received = events.filter((event) => event.kind === kind);
  expect(received, `${kind} among ${events.map((event) => event.kind).join(', ')}`).not.toEqual([]);
  for (const { record } of received) expect(problemsWith(shape, record), kind).toEqual([]);
  return received;
}

function worldOf(http: Http, caller: Caller): World {
  const url = 'http://bank.example';
  const send: typeof fetch = async (input, init = {}) => {
    const { method = 'GET', headers, body } = init;
    const answer = await http.call(method as Method, String(input).slice(url.length), {
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { body }),
    });
    return new Response(answer.status === 204 ? null : answer.text, answer);
  };
  return { ...createClient({ url, apiKey: caller.key, fetch: send }), seed: caller.seed };
}
