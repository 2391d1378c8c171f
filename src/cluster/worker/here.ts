/**
 * The object of the current request. Several objects share one module and its server, so the object is in the
 * asynchronous context of the request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Here } from './registry.ts';

const storage = new AsyncLocalStorage<Here>();

/** Runs an action, and everything that it awaits, in the context of an object. */
export const within = <T>(here: Here, action: () => T): T => storage.run(here, action);

/** The object of the current request. */
export function here(): Here {
  const present = storage.getStore();
  if (present === undefined) throw new Error('this value exists only within an object');
  return present;
}
