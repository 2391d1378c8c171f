/**
 * Opens a data directory: removes unfinished files, creates the default sandbox if there is none, and adds an entry
 * for every other sandbox, which rests. The index of resting files contains when each closed file is due; the other
 * files are opened and examined.
 */
import { openRestingIndex } from '../../bank/store/resting.ts';
import { type DataFolder, isAsClosed } from './data-folder.ts';
import { DEFAULT_SANDBOX } from './names.ts';
import type { OpenFiles } from './open-files.ts';

interface OpeningOptions {
  openFiles: OpenFiles;
  /** Loads the seed of new sandboxes, and the keys and secrets of the existing ones. */
  loadShared(): void;
  addDefault(): void;
  /** Adds a sandbox that rests in its file. */
  add(name: string): void;
}

export function openFolder(
  files: DataFolder,
  { openFiles, loadShared, addDefault, add }: OpeningOptions,
): void {
  files.open();
  // The lock of the index prevents other processes from using the directory.
  const index = openRestingIndex(files.restingIndex, () => files.removeRestingIndex());
  openFiles.attach(index);
  const known = index.all();
  const unknown: string[] = [];
  files.sweep();
  const names = files.names();
  loadShared();
  addDefault();
  for (const name of names) {
    if (name === DEFAULT_SANDBOX) continue;
    const found = files.find(name);
    if (found === undefined && files.problemOf(name) === undefined) continue;
    add(name);
    const resting = known.get(name);
    known.delete(name);
    if (found !== undefined && isAsClosed(found, resting)) openFiles.setDue(name, resting.dueAt);
    else unknown.push(name);
  }
  for (const name of known.keys()) index.remove(name);
  openFiles.lookAt(unknown);
}
