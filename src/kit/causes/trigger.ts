/**
 * Causes an event of a type and waits until it is in the log. It uses the real transition, so all other effects of
 * the transition happen too.
 */
import { similarTo } from '../../bank/kernel/similar.ts';
import type { Sandbank } from '../bank.ts';
import { SandbankError } from '../client/error.ts';
import type { BankEvent } from '../events.ts';
import { type Cause, NotSeeded, type World } from './cause.ts';
import { V1_CAUSES } from './v1.ts';
import { V2_CAUSES } from './v2.ts';

/** The event cannot be caused: the type is unknown, no operation causes it, or none on that record. */
export class NoCause extends Error {}

/** The types that can be caused, those of v2 first. */
export function causedTypes(): string[] {
  const rows = [...Object.entries(V2_CAUSES), ...Object.entries(V1_CAUSES)];
  return [...new Set(rows.filter(([, cause]) => typeof cause !== 'string').map(([type]) => type))];
}

/** The event types of one version, or of both. */
export function eventTypesOf(version?: 'v1' | 'v2'): string[] {
  const types = { v2: Object.keys(V2_CAUSES), v1: Object.keys(V1_CAUSES) };
  return version === undefined ? [...new Set([...types.v2, ...types.v1])] : types[version];
}

/** Whether either version publishes the type. */
export function isEventType(type: string): boolean {
  return Object.hasOwn(V2_CAUSES, type) || Object.hasOwn(V1_CAUSES, type);
}

/** The message for an unknown type, with the most similar known one. */
export function unknownEventType(type: string, version?: 'v1' | 'v2'): string {
  const of = version ?? 'v2 or v1';
  const types = eventTypesOf(version);
  const meant = types.some((known) => known.startsWith(`${type}.`)) ? `${type}.*` : similarTo(type, types);
  return `${type} is not an event type of ${of}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** The cause of a type; v2 and v1 share `card.updated` and its cause. Throws `NoCause` with the reason. */
export function causeOf(type: string): Cause {
  const cause = V2_CAUSES[type] ?? V1_CAUSES[type];
  if (cause === undefined) throw new NoCause(unknownEventType(type));
  if (typeof cause === 'string') throw new NoCause(`no operation causes ${type}: ${cause}`);
  return cause;
}

const ARRIVES_WITHIN_SECONDS = 5;

/**
 * Causes an event of a type, and returns the resulting events of that type. If a record is named, only the last step
 * is executed.
 */
export async function trigger(bank: Sandbank, type: string, on?: string): Promise<BankEvent[]> {
  const { on: noun, prepare, act } = causeOf(type);
  if (on !== undefined && noun === null) {
    throw new NoCause(`${type} occurs only when a record is created: it cannot happen to an existing one`);
  }
  const world = await worldOf(bank);
  const target = on ?? (await prepare(world));
  const { cursor: since } = await bank.sandbox.listEvents({ query: { limit: '1' } });
  let refusal: unknown;
  try {
    await act(world, target);
  } catch (error) {
    // The bank may have executed the same step itself a moment ago.
    if (on !== undefined || !(error instanceof SandbankError)) throw error;
    refusal = error;
  }
  const wait = refusal === undefined ? ARRIVES_WITHIN_SECONDS : 0;
  const { events } = await bank.sandbox.listEvents({ query: { type: type, since, wait: String(wait) } });
  if (events.length > 0) return events;
  throw (
    refusal ?? new NoCause(`${type} was not published, although its cause was executed: see "sandbank logs"`)
  );
}

async function worldOf(bank: Sandbank): Promise<World> {
  const seeded = await bank.seeded();
  return {
    v2: bank.v2,
    v1: bank.v1,
    sandbox: bank.sandbox,
    seed(name) {
      const id = seeded[name];
      if (id === undefined)
        throw new NotSeeded(`this bank was seeded without a ${name}, which that event requires`);
      return id;
    },
  };
}
