/** The object that a request is in, for everything that the request calls: several objects share one module and its server. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Here } from './registry.ts';

const storage = new AsyncLocalStorage<Here>();

/** Runs an action, and all that it waits for, in an object. */
export const within = <T>(here: Here, action: () => T): T => storage.run(here, action);

/** The object at hand. */
export function here(): Here {
  const present = storage.getStore();
  if (present === undefined) throw new Error('this is asked outside of any object');
  return present;
}
