/**
 * Opens a data directory: removes unfinished files, creates the default sandbox if there is none, and adds an entry
 * for every other sandbox, which rests. The index of resting files contains when each closed file is due; the other
 * files are opened and examined.
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
  /** Loads the seed of new sandboxes, and the keys and secrets of the existing ones. */
  settle(files: DataFolder): void;
  addDefault(): void;
  /** Adds a sandbox that rests in its file. */
  add(name: string): Entry;
  onNotServed: ((sandboxes: string[]) => void) | undefined;
}

export function openFolder(files: DataFolder, options: OpeningOptions): void {
  const { stays, slots, openFiles } = options;
  files.open();
  // The lock of the index prevents other processes from using the directory.
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
