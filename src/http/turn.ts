/**
 * Answers of one turn of the event loop leave together. An answer that is written at once wakes its reader, and in a
 * virtual machine waking somebody costs the writer more than the whole read did; written one after another, the first
 * wakes the reader and the rest find it awake. Measured at 64 connections: half the time for a read.
 */
let ending: Promise<void> | undefined;

/** Settles when this turn's requests have all been heard. */
export function endOfTurn(): Promise<void> {
  ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  });
  return ending;
}
