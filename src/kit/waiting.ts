/**
 * How long a test waits: less than the five seconds that vitest and Jest give it, so that the message of the wait is
 * seen, and half a second in a bank where nothing will happen. A wait with a timeout of its own lasts that long.
 */
import type { ControlMethods } from './client/types.ts';
import { own } from './own.ts';

const DEFAULT_TIMEOUT_MS = 4_000;
/** A bank is still if nothing happened between two looks. */
const LOOK_MS = 200;
const LONGEST_WAIT_MS = 60_000;

/** What a wait found, or why it ended without it and what the caller can do. */
export type Waited<Found> =
  | { readonly found: Found }
  | { readonly found?: never; readonly ended: string; readonly advice: string };

/**
 * Waits until `next` finds something; `next` waits for at most `ms` real milliseconds. Default timeout: 4000 ms, or
 * until two looks found that the clock is frozen, that nothing is due or in flight, and that no request has arrived.
 */
export async function waitUntilFound<Found>(
  sandbox: ControlMethods,
  timeout: number | undefined,
  next: (ms: number) => Promise<Found | undefined>,
): Promise<Waited<Found>> {
  const limit = timeout ?? DEFAULT_TIMEOUT_MS;
  const end = own.now() + limit;
  for (let before: Still | undefined; ; ) {
    const left = Math.max(0, end - own.now());
    const found = await next(Math.min(left, timeout === undefined ? LOOK_MS : LONGEST_WAIT_MS));
    if (found !== undefined) return { found };
    if (own.now() >= end) {
      return {
        ended: ` within ${limit} ms`,
        advice: await adviceOf(sandbox),
      };
    }
    if (timeout !== undefined) continue;
    const still = await stillness(sandbox);
    if (still !== undefined && still.seen === before?.seen) return still;
    before = still;
  }
}

interface Still {
  /** Differs if the bank did something. */
  readonly seen: string;
  readonly ended: string;
  readonly advice: string;
}

/** Why nothing will happen in this bank unless somebody sends a request; `undefined` if something may. */
async function stillness(sandbox: ControlMethods): Promise<Still | undefined> {
  const { clock, timers, in_flight } = await sandbox.listTimers({ query: { limit: '1' } });
  const [timer] = timers;
  if (clock.mode !== 'frozen' || in_flight > 0) return undefined;
  if (timer !== undefined && timer.due_at <= clock.now) return undefined;
  const { requests } = await sandbox.listRequests({ query: { limit: '1', bodies: 'false' } });
  return {
    seen: `${clock.now} ${requests[0]?.id}`,
    ended: `: the clock is frozen at ${clock.now}, and nothing is due now`,
    advice: `${scheduledIn(timer)} If your program calls the bank later, pass a timeout.`,
  };
}

/** What a caller can do to make something happen. */
async function adviceOf(sandbox: ControlMethods): Promise<string> {
  const { timers } = await sandbox.listTimers({ query: { limit: '1' } });
  return scheduledIn(timers[0]);
}

type Timer = Awaited<ReturnType<ControlMethods['listTimers']>>['timers'][number];

/** The next thing that the clock brings; a retry does not come by settling payments. */
function scheduledIn(timer: Timer | undefined): string {
  return timer === undefined
    ? 'Nothing is scheduled: simulate the next step of a payment, or settle the clock, before waiting.'
    : `Next is at ${timer.due_at} (${timer.does}): advance the clock to it before waiting.`;
}
