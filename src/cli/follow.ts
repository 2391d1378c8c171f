/**
 * Follows the event log of a sandbox from a position: each event once and in order, including events that were
 * published while the bank could not be reached. It retries while the bank does not respond. After a reset or a
 * restore it continues from the last event that the bank still has. After a new seed, which includes every start of a
 * bank in memory, it continues from the seed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Sandbank } from '../kit/bank.ts';
import { SandbankError } from '../kit/client/error.ts';
import type { BankEvent } from '../kit/events.ts';
import { explainFailure, isConnectionError } from './bank.ts';
import { sentOnly } from './options.ts';
import type { Shell } from './shell.ts';

const LONG_POLL_SECONDS = 30;
/** The maximum number of events that a reset or restore may remove without any event being reported twice. */
const MAX_REMEMBERED = 10_000;
const AFTER_SEED = 'seeded';
const RETRY_MS = [250, 500, 1_000, 2_000, 5_000];

/** The position after the newest event. */
export async function presentPlace(shell: Shell, bank: Sandbank): Promise<string> {
  const { cursor } = await retryWhileAway(shell, () => bank.sandbox.listEvents({ query: { limit: '1' } }));
  return cursor;
}

/** Yields the events of one version or both after a position, with `''` for the beginning, without end. */
export async function* follow(
  shell: Shell,
  bank: Sandbank,
  { apiVersion, since }: { apiVersion?: BankEvent['api_version'] | undefined; since: string },
): AsyncGenerator<BankEvent, void, undefined> {
  let cursor = since;
  let hasAnswered = false;
  /** The previous positions, in order. */
  const places = since === '' || since === AFTER_SEED ? [] : [since];
  for (;;) {
    try {
      const query = {
        since: cursor,
        wait: String(LONG_POLL_SECONDS),
        ...sentOnly({ api_version: apiVersion }),
      };
      const page = await retryWhileAway(shell, () => bank.sandbox.listEvents({ query }));
      hasAnswered = true;
      for (const event of page.events) {
        cursor = event.id;
        places.push(cursor);
        yield event;
      }
      if (page.events.length === 0 && page.cursor !== cursor) {
        cursor = page.cursor;
        places.push(cursor);
      }
      places.splice(0, places.length - MAX_REMEMBERED);
    } catch (error) {
      // A position that was never valid is an error of the caller.
      if (!isForgotten(error) || !hasAnswered) throw error;
      places.length = await countKnown(shell, bank, places);
      cursor = places.at(-1) ?? AFTER_SEED;
      shell.notify(
        cursor === AFTER_SEED
          ? 'sandbank: the bank was seeded again; continuing after its initial records\n'
          : `sandbank: the bank was restored to an earlier state; continuing after ${cursor}\n`,
      );
    }
  }
}

/**
 * The number of these events that the log still has. The events are in order, so the log has all events before one
 * that it has.
 */
async function countKnown(shell: Shell, bank: Sandbank, events: readonly string[]): Promise<number> {
  let known = 0;
  let unknown = events.length;
  while (known < unknown) {
    const middle = Math.floor((known + unknown) / 2);
    if (await isThere(shell, bank, events[middle] ?? '')) known = middle + 1;
    else unknown = middle;
  }
  return known;
}

async function isThere(shell: Shell, bank: Sandbank, id: string): Promise<boolean> {
  try {
    await retryWhileAway(shell, () => bank.sandbox.retrieveEvent({ params: { id } }));
    return true;
  } catch (error) {
    if (isForgotten(error)) return false;
    throw error;
  }
}

/** True if the log of this bank has no such event. */
export function isForgotten(error: unknown): boolean {
  return error instanceof SandbankError && error.code === 'event_not_found';
}

/** Retries while the bank does not respond, because it may be restarting. A refusal of the bank fails immediately. */
export async function retryWhileAway<T>(shell: Shell, call: () => Promise<T>): Promise<T> {
  let attempt = 0;
  const isBack = (): void => {
    if (attempt > 0) shell.notify('sandbank: the bank responds again\n');
  };
  for (; ; attempt += 1) {
    try {
      const answer = await call();
      isBack();
      return answer;
    } catch (error) {
      if (!isConnectionError(error)) {
        isBack();
        throw error;
      }
      if (attempt === 0) shell.notify(`sandbank: ${explainFailure(error)}; waiting for it\n`);
      await pause(attempt);
    }
  }
}

/** The delay grows with each retry. */
export async function pause(attempt: number): Promise<void> {
  await wait(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
}
