/**
 * Follows the log of a sandbox's events from a place on: each event once and in order, also those that happened while
 * nobody could ask. A bank that does not answer is waited for. One that has begun another log, because it was reset or
 * started anew in memory, is followed from the beginning of that.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { SandbankError } from '../client/error.ts';
import type { Sandbank } from '../kit/bank.ts';
import type { BankEvent } from '../kit/events.ts';
import { explainFailure, isConnectionError } from './bank.ts';
import type { Shell } from './shell.ts';

const LONG_POLL_SECONDS = 30;
const RETRY_MS = [250, 500, 1_000, 2_000, 5_000];

/** The place after everything that happened until now. */
export async function presentPlace(shell: Shell, bank: Sandbank): Promise<string> {
  const { cursor } = await patiently(shell, () => bank.sandbox.listEvents({ query: { limit: '1' } }));
  return cursor;
}

/** The events of a generation after a place, `''` for the beginning; it goes on for as long as it is asked. */
export async function* follow(
  shell: Shell,
  bank: Sandbank,
  { dialect, since }: { dialect: string; since: string },
): AsyncGenerator<BankEvent, void, undefined> {
  let cursor = since;
  let hasAnswered = false;
  for (;;) {
    try {
      const query = { since: cursor, dialect, wait: String(LONG_POLL_SECONDS) };
      const news = await patiently(shell, () => bank.sandbox.listEvents({ query }));
      hasAnswered = true;
      for (const event of news.events) {
        cursor = event.id;
        yield event;
      }
      if (news.events.length === 0) cursor = news.cursor;
    } catch (error) {
      // A place that was never right is the caller's mistake.
      if (!isForgotten(error) || !hasAnswered) throw error;
      shell.tell('sandbank: the bank has begun another log; going on from its beginning\n');
      cursor = '';
    }
  }
}

/** True when the log of this bank has no such event. */
export function isForgotten(error: unknown): boolean {
  return error instanceof SandbankError && error.code === 'event_not_found';
}

/** Asks again while nobody answers: the bank may be starting anew. What the bank refuses is a failure at once. */
export async function patiently<T>(shell: Shell, ask: () => Promise<T>): Promise<T> {
  let attempt = 0;
  const isBack = (): void => {
    if (attempt > 0) shell.tell('sandbank: the bank answers again\n');
  };
  for (; ; attempt += 1) {
    try {
      const answer = await ask();
      isBack();
      return answer;
    } catch (error) {
      if (!isConnectionError(error)) {
        isBack();
        throw error;
      }
      if (attempt === 0) shell.tell(`sandbank: ${explainFailure(error)}; waiting for it\n`);
      await pause(attempt);
    }
  }
}

/** Longer from time to time. */
export async function pause(attempt: number): Promise<void> {
  await wait(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
}
