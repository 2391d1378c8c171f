/**
 * Adds entries to the registry: a sandbox of an existing file, or a new one with a file or in memory. If the file of
 * a new sandbox cannot be opened, the file is removed, so that the sandbox does not exist after a restart.
 */
import { existsSync } from 'node:fs';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { bytesOf, type Image, putImage } from '../sandbox/bank-replacement.ts';
import type { Disk } from '../sandbox/disk.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';
import type { Damage } from './damage.ts';
import type { DataFolder } from './data-folder.ts';
import { DEFAULT_SANDBOX, full } from './names.ts';
import type { Entry, OpenFiles } from './open-files.ts';
import type { Removal } from './removal.ts';
import { tokenMarkOf } from './token-marks.ts';

interface AdditionOptions {
  /** All sandboxes, by their names. */
  entries: Map<string, Entry>;
  maxSandboxes: number;
  /** `null` if everything is in memory. */
  folder: DataFolder | null;
  disk: Disk;
  synchronous: 'off' | 'normal' | 'full';
  seedImages: SeedImages;
  openFiles: OpenFiles;
  /** The options of every sandbox. */
  sandboxOptions(
    name: string,
  ): Omit<SandboxOptions, 'place' | 'isResting' | 'restingBase' | 'around' | 'onOpen'>;
  around: Damage['around'];
  clean: Removal['clean'];
  isClosed(): boolean;
}

export interface Additions {
  /** Adds a sandbox that rests in its file. */
  add(name: string): Entry;
  /** Adds a new sandbox, with this image or a seeded one. Refuses: `sandboxes_full`, `sandbox_exists`. */
  make(name: string, image?: Image): Sandbox;
}

/** A class, because objects with a getter of their own take much memory. */
class SandboxEntry implements Entry {
  readonly tokenMark: string;
  damage: Entry['damage'];
  readonly #name: string;
  readonly #open: (name: string) => Sandbox;
  #sandbox: Sandbox | undefined;

  constructor(name: string, open: (name: string) => Sandbox, sandbox: Sandbox | undefined) {
    this.tokenMark = tokenMarkOf(name);
    this.#name = name;
    this.#open = open;
    this.#sandbox = sandbox;
  }

  get sandbox(): Sandbox {
    this.#sandbox ??= this.#open(this.#name);
    return this.#sandbox;
  }
  requested(): Sandbox | undefined {
    return this.#sandbox;
  }
  isOpen(): boolean {
    return this.#sandbox?.isOpen() === true;
  }
}

/** Adds sandboxes to one registry. */
export function createAdditions(options: AdditionOptions): Additions {
  const { entries, folder, disk, synchronous, seedImages, openFiles } = options;

  /** Opens a sandbox in memory; one with a file rests until its first use. */
  const open = (name: string, image?: Image): Sandbox =>
    openSandbox(
      folder === null
        ? {
            ...options.sandboxOptions(name),
            place: { kind: 'image', image: bytesOf(image ?? seedImages.image()) },
            restingBase: () => seedImages.image(),
            onOpen: () => openFiles.opened(name),
          }
        : {
            ...options.sandboxOptions(name),
            place: { kind: 'file', path: folder.sandboxPath(name), synchronous },
            isResting: true,
            around(openBank) {
              if (options.isClosed()) throw new Error('the bank is closed');
              return options.around(name, openBank);
            },
            onOpen: () => openFiles.opened(name),
          },
    );

  /** Writes the file of a new sandbox and opens it. */
  const openNew = (name: string, { sandbox }: Entry, files: DataFolder, image: Image | undefined): void => {
    const isWritten = files.find(name) === undefined && files.problemOf(name) === undefined;
    try {
      if (isWritten) putImage(disk, image ?? seedImages.image(), files.sandboxPath(name));
      sandbox.open();
    } catch (error) {
      if (isWritten || !(error instanceof Refusal) || error.code !== 'sandbox_damaged') {
        entries.delete(name);
        // Otherwise the refused sandbox would exist after a restart.
        if (isWritten) options.clean(name, () => files.removeSandbox(name));
      }
      throw files.explain(error);
    }
  };

  const add = (name: string, image?: Image): Entry => {
    const entry = new SandboxEntry(name, open, folder === null ? open(name, image) : undefined);
    entries.set(name, entry);
    openFiles.added();
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
    add: (name) => add(name),
    make(name, image) {
      if (entries.size >= options.maxSandboxes && name !== DEFAULT_SANDBOX) throw full(entries.size);
      requireOwnFile(name);
      const entry = add(name, image);
      if (folder !== null) openNew(name, entry, folder, image);
      return entry.sandbox;
    },
  };
}
