/**
 * Keeps an instance running by starting it again after each end. An instance of a cluster ends if it cannot renew its
 * lease, because the other instances then own its sandboxes. Each change of its state is logged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { endInstance, type Instance, type InstanceEnd } from './instance.ts';

/** The pause before a start doubles with each failed start. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** An instance that ran for so long counts as started. */
const STEADY_MS = 30_000;
const LOOK_EVERY_MS = 250;

export interface Supervised {
  readonly log: Logger;
  start(): Instance;
  /** Whether it is ready now. */
  isReady(instance: Instance): Promise<boolean>;
  /** Called when it is ready, after a start or again. */
  onReady(instance: Instance): void;
  /** Called when it is no longer ready or has ended. */
  onUnready(): void;
  /** Why it ended and what to do, if its output allows to say it. */
  explain(end: InstanceEnd): Promise<string | undefined>;
  readonly stopDeadlineMs: number;
  /** How long an instance that was never ready is restarted. */
  readonly giveUpMs: number;
}

export interface Supervisor {
  /** Stops the instance cleanly, and then the supervision. */
  stop(signal: string): void;
  /** Resolves when the instance was stopped; with its end if it was never ready and is no longer restarted. */
  readonly ended: Promise<InstanceEnd | undefined>;
}

/** Starts an instance and keeps it running. */
export function supervise(supervised: Supervised): Supervisor {
  const { log, stopDeadlineMs, giveUpMs } = supervised;
  const stopping = new AbortController();
  const { signal } = stopping;
  let instance: Instance | undefined;

  const run = async (): Promise<InstanceEnd | undefined> => {
    const begun = Date.now();
    let wasEverReady = false;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = Date.now();
      log.info({ state: 'starting' }, 'the instance is starting');
      instance = supervised.start();
      const isReady = await watch(supervised, instance, signal);
      const end = await instance.ended;
      supervised.onUnready();
      if (signal.aborted) break;
      wasEverReady ||= isReady;
      if (!wasEverReady && Date.now() - begun > giveUpMs) {
        log.error({ state: 'failed' }, 'the instance was never ready and is not started again');
        return end;
      }
      const ms = Date.now() - startedAt;
      if (isReady && ms > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      const { code, signal: by, output } = end;
      const problem = await supervised.explain(end);
      log.warn(
        { state: 'ended', code, signal: by, ms, restart_in_ms: pauseMs, output: output.trim(), problem },
        'the instance ended and is started again',
      );
      await pause(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    log.info({ state: 'stopped' }, 'the instance is stopped');
    return undefined;
  };

  return {
    ended: run(),
    stop(by) {
      if (signal.aborted) return;
      log.info({ state: 'stopping', signal: by }, 'the instance stops and hands over its sandboxes');
      stopping.abort();
      if (instance !== undefined) void endInstance(instance, stopDeadlineMs);
    },
  };
}

/** Watches an instance until it ends; returns whether it was ever ready. */
async function watch(supervised: Supervised, instance: Instance, signal: AbortSignal): Promise<boolean> {
  const { log } = supervised;
  const over = new AbortController();
  void instance.ended.then(() => over.abort());
  let wasReady = false;
  let isReady = false;
  while (!over.signal.aborted && !signal.aborted) {
    const now = await supervised.isReady(instance);
    if (over.signal.aborted || signal.aborted) break;
    if (now && !isReady) {
      wasReady = true;
      log.info({ state: 'ready', pid: instance.child.pid }, 'the instance is ready');
      supervised.onReady(instance);
    }
    if (!now && isReady) {
      log.warn({ state: 'not ready' }, 'the instance runs but is not ready');
      supervised.onUnready();
    }
    isReady = now;
    await pause(LOOK_EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
  }
  return wasReady;
}
