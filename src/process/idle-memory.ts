/**
 * Gives memory back while the process has nothing to do. V8 collects garbage when it needs room, so what banks that rest leave
 * behind would stay until the next load. A collection takes some tens of milliseconds in which no request is answered, so it
 * waits until there are none.
 * Source: docs/decisions/0032-rest-in-memory.md.
 */
import { setFlagsFromString } from 'node:v8';

export interface IdleMemory {
  /** Notes that a sandbox rests. After many of them garbage is collected as soon as the process is idle. */
  rested(): void;
}

/** The garbage of so many banks is some ten megabytes. */
const RESTS = 64;
const LOOK_EVERY_MS = 500;
/** The part of that time in which an idle process does something. */
const IDLE = 0.05;

/** Begins a stretch of time; answers which part of it the event loop did something. */
type Watch = () => () => number;

/** Looks after the memory of the process. */
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

/** Node offers the collection only to a context that was made after this flag. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  process.getBuiltinModule('node:vm').runInNewContext('gc')();
}
