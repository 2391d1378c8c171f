/**
 * Removes a sandbox. It is removed when its file is. If the removal fails before that, the sandbox does not change;
 * what cannot be removed afterwards is reported and left behind.
 */
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Snapshots } from '../sandbox/snapshots.ts';
import type { DataFolder } from './data-folder.ts';
import type { Keys } from './keys.ts';
import { notThere, requireRemovable } from './names.ts';
import type { Entry, OpenFiles } from './open-files.ts';

interface RemovalOptions {
  /** All sandboxes, by their names. */
  entries: Map<string, Entry>;
  /** The names of those that are being removed. */
  leaving: Set<string>;
  folder: DataFolder | null;
  snapshots: Snapshots;
  openFiles: OpenFiles;
  keys: Keys;
  /** Adds a sandbox again whose file still exists. */
  add(name: string): void;
  onRemove?(sandbox: Sandbox): Promise<void>;
  onError(sandbox: string, error: unknown): void;
}

export interface Removal {
  /**
   * Deletes a sandbox and everything that it stored. Refuses: `sandbox_not_found`, `illegal_step` for the default
   * one.
   */
  remove(name: string): Promise<void>;
  /** Removes files that no sandbox needs. An error is reported and does not fail the caller. */
  clean(name: string, action: () => void): void;
}

/** The removals of one registry. */
export function createRemoval(options: RemovalOptions): Removal {
  const { entries, leaving, folder, snapshots, openFiles, keys, onError } = options;

  const clean: Removal['clean'] = (name, action) => {
    try {
      action();
    } catch (error) {
      onError(name, error);
    }
  };

  return {
    clean,
    async remove(name) {
      requireRemovable(name);
      const entry = entries.get(name);
      if (entry === undefined) throw notThere(name);
      entries.delete(name);
      leaving.add(name);
      let isClosed = false;
      try {
        if (entry.damage === undefined) await options.onRemove?.(entry.sandbox);
        isClosed = true;
        try {
          await entry.sandbox.close();
        } catch (error) {
          // The disk is full, and the removal makes room.
          onError(name, error);
        }
        folder?.removeSandbox(name);
      } catch (error) {
        if (!isClosed) {
          entries.set(name, entry);
          if (entry.isOpen()) openFiles.opened(name);
        } else if (folder?.find(name) !== undefined) options.add(name);
        throw error;
      } finally {
        leaving.delete(name);
      }
      clean(name, () => snapshots.removeAll(name));
      clean(name, () => keys.remove(name));
      clean(name, () => openFiles.removeFromIndex(name));
    },
  };
}
