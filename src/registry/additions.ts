/**
 * Adds entries to the registry: a sandbox of an existing file, or a new one with a file or in memory. If the file of
 * a new sandbox cannot be opened, the file is removed, so that the sandbox does not exist after a restart.
 */
import { existsSync } from 'node:fs';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Disk } from '../sandbox/disk.ts';
import { bytesOf, type Image, putImage } from '../sandbox/exchange.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';
import type { Damage } from './damage.ts';
import type { DataFolder } from './data-folder.ts';
import { type Entry, full, type OpenFiles } from './open-files.ts';
import type { Removal } from './removal.ts';
import { tokenMarkOf } from './token-marks.ts';

interface AdditionOptions {
  /** All sandboxes, by their names. */
  entries: Map<string, Entry>;
  /** The sandbox that may be added beyond the limit. */
  stays: string;
  maxSandboxes: number;
  /** `null` if everything is in memory. */
  folder: DataFolder | null;
  disk: Disk;
  synchronous: 'off' | 'normal' | 'full';
  seedImages: SeedImages;
  openFiles: OpenFiles;
  /** The options of every sandbox. */
  sandboxOptions(name: string): Omit<SandboxOptions, 'place' | 'isResting' | 'restingBase' | 'around'>;
  around: Damage['around'];
  clean: Removal['clean'];
  isClosed(): boolean;
}

export interface Additions {
  /** Adds a sandbox that rests in its file, or opens one with this image or a seeded one. */
  add(name: string, image: Image | undefined, isResting: boolean): Entry;
  /** Adds a new sandbox, with this image or a seeded one. Refuses: `sandboxes_full`, `sandbox_exists`. */
  make(name: string, image?: Image): Sandbox;
  /** Refuses: `sandboxes_full`, and `sandbox_exists` if another sandbox would have the same file. */
  requireRoom(name: string): void;
}

/** Adds sandboxes to one registry. */
export function createAdditions(options: AdditionOptions): Additions {
  const { entries, folder, disk, synchronous, seedImages, openFiles } = options;

  const open = (name: string, path: string | undefined, image: Image | undefined): Sandbox =>
    openSandbox(
      path === undefined
        ? {
            ...options.sandboxOptions(name),
            place: { kind: 'image', image: bytesOf(image ?? seedImages.image()) },
            restingBase: () => seedImages.image(),
            around(openBank) {
              const instance = openBank();
              openFiles.opened(name);
              return instance;
            },
          }
        : {
            ...options.sandboxOptions(name),
            place: { kind: 'file', path, synchronous },
            isResting: true,
            around(openFile) {
              if (options.isClosed()) throw new Error('the bank is closed');
              const instance = options.around(name, openFile);
              openFiles.opened(name);
              return instance;
            },
          },
    );

  /** Writes the file of a new sandbox and opens it. */
  const openNew = (name: string, { sandbox }: Entry, path: string, image: Image | undefined): void => {
    const isWritten = folder?.find(name) === undefined && folder?.problemOf(name) === undefined;
    try {
      if (isWritten) putImage(disk, image ?? seedImages.image(), path);
      sandbox.open();
    } catch (error) {
      if (isWritten || !(error instanceof Refusal) || error.code !== 'sandbox_damaged') {
        entries.delete(name);
        // Otherwise the refused sandbox would exist after a restart.
        if (isWritten) options.clean(name, () => folder?.removeSandbox(name));
      }
      throw folder?.explain(error) ?? error;
    }
  };

  const add: Additions['add'] = (name, image, isResting) => {
    const path = folder?.sandboxPath(name);
    let sandbox = path === undefined ? open(name, path, image) : undefined;
    const entry: Entry = {
      get sandbox() {
        sandbox ??= open(name, path, image);
        return sandbox;
      },
      requested: () => sandbox,
      isOpen: () => sandbox?.isOpen() === true,
      tokenMark: tokenMarkOf(name),
      damage: undefined,
      dueAt: null,
    };
    entries.set(name, entry);
    openFiles.added();
    if (path !== undefined && !isResting) openNew(name, entry, path, image);
    return entry;
  };

  /** In a case-insensitive file system, two sandboxes could have the same file. */
  const requireOwnFile = (name: string): void => {
    if (folder === null || !existsSync(folder.sandboxPath(name))) return;
    const other = [...entries.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
    if (other === undefined) return;
    throw refuse('sandbox_exists', {
      field: 'name',
      message: `the sandboxes ${name} and ${other} would have the same file: choose a name that differs by more than upper and lower case`,
    });
  };

  return {
    add,
    make(name, image) {
      if (entries.size >= options.maxSandboxes && name !== options.stays) throw full(entries.size);
      requireOwnFile(name);
      return add(name, image, false).sandbox;
    },
    requireRoom(name) {
      if (entries.size >= options.maxSandboxes) throw full(entries.size);
      requireOwnFile(name);
    },
  };
}
