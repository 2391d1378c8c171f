/**
 * Releases memory while the process is idle. V8 collects garbage only when it needs memory, so the garbage of resting
 * banks would stay until the next load. A collection takes some tens of milliseconds in which no request is answered,
 * so it waits until the process is idle.
 * Source: docs/decisions/0032-rest-in-memory.md.
 */
import { setFlagsFromString } from 'node:v8';

export interface IdleMemory {
  /** Counts a sandbox that begins to rest. After many of them, garbage is collected as soon as the process is idle. */
  rested(): void;
}

/** This number of banks leaves about ten megabytes of garbage. */
const RESTS = 64;
const LOOK_EVERY_MS = 500;
/** A process is idle if it is busy for at most this part of the time. */
const IDLE = 0.05;

/**
 * Starts a measurement; the returned function returns the part of the time since then in which the event loop was busy.
 */
type Watch = () => () => number;

/** Manages the memory of the process. */
export function createIdleMemory(
  collect: () => void = collectGarbage,
  watch: Watch = watchEventLoop,
): IdleMemory {
  let rests = 0;
  let timer: NodeJS.Timeout | undefined;

  const wait = (): void => {
    const used = watch();
    timer = setTimeout(() => {
      if (used() > IDLE) return wait();
      timer = undefined;
      rests = 0;
      collect();
    }, LOOK_EVERY_MS).unref();
  };
  return {
    rested() {
      rests += 1;
      if (rests >= RESTS && timer === undefined) wait();
    },
  };
}

function watchEventLoop(): () => number {
  const since = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(since).utilization;
}

/** Node provides `gc` only in contexts that are created after this flag is set. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  process.getBuiltinModule('node:vm').runInNewContext('gc')();
}
