/**
 * Functions of Node as they were when the kit was loaded, before a test could replace them: with fake timers, a faked
 * `Date` or a mocked `fetch` the kit works as without. Test environments (jsdom, happy-dom, the contexts of Jest)
 * have other globals than Node, so the clock is that of the process.
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { runInThisContext } from 'node:vm';

/** The globals of the process; those of a test file in Jest are another object. */
const ofProcess = runInThisContext('globalThis') as typeof globalThis;

export const own = {
  /** The real time in milliseconds since 1970. */
  now: ofProcess.Date.now,
  setTimeout,
  clearTimeout,
  /** That of the importing file, whose tests compare with it, if it has one. */
  Response: globalThis.Response ?? ofProcess.Response,
} as const;
