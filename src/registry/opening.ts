/**
 * Opens a data directory: what was not finished is cleaned up, the default sandbox is made if there is none, and all others
 * get an entry and rest. The index of resting files says what is due in those that were closed; the others are looked at.
 */
import { openRestingIndex } from '../store/resting.ts';
import { type DataFolder, isAsClosed } from './data-folder.ts';
import type { Entry, OpenFiles } from './open-files.ts';
import type { Slots } from './slots.ts';

interface OpeningOptions {
  /** The name of the default sandbox. */
  stays: string;
  slots: Slots;
  openFiles: OpenFiles;
  /** Settles what new sandboxes are made from, and the keys and secrets of those that there are. */
  settle(files: DataFolder): void;
  addDefault(): void;
  /** Adds a sandbox that rests in its file. */
  add(name: string): Entry;
  onNotServed: ((sandboxes: string[]) => void) | undefined;
}

export function openFolder(files: DataFolder, options: OpeningOptions): void {
  const { stays, slots, openFiles } = options;
  files.open();
  // The lock of the index keeps another process from touching anything else.
  const index = openRestingIndex(files.restingIndex, () => files.removeRestingIndex());
  openFiles.attach(index);
  const known = index.all();
  const unknown: string[] = [];
  files.sweep();
  slots.settle();
  const names = files.names();
  const notServed = names.filter((name) => !slots.serves(name));
  if (notServed.length > 0) options.onNotServed?.(notServed);
  options.settle(files);
  options.addDefault();
  for (const name of names) {
    if (name === stays || !slots.serves(name)) continue;
    const found = files.find(name);
    const problem = files.problemOf(name);
    if (found === undefined && problem === undefined) continue;
    const entry = options.add(name);
    const resting = known.get(name);
    known.delete(name);
    if (found !== undefined && isAsClosed(found, resting)) entry.dueAt = resting.dueAt;
    else unknown.push(name);
  }
  for (const name of known.keys()) index.remove(name);
  openFiles.lookAt(unknown);
}
