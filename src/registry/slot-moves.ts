/**
 * Moves a slot with its sandboxes from one bank to another while both run. The caller controls the move: it makes the
 * new bank expect the slot, makes the old one close it, transfers each sandbox as an image with its snapshots, makes
 * the new bank serve the slot, and makes the old one remove its copy. Each step can be repeated, and until the last
 * one the old bank has a complete copy.
 * Source: decision `slot-moves` in docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import { type Slot, slotOf } from '../kernel/slots.ts';
import type { Disk } from '../sandbox/disk.ts';
import { bytesOf, type Image, putImage, sideFilesOf } from '../sandbox/exchange.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';
import type { Snapshots } from '../sandbox/snapshots.ts';
import { openConnection } from '../store/open.ts';
import { type DataFolder, SANDBOX_NAME } from './data-folder.ts';
import { copyOf, takeImage, type Upload } from './intake.ts';
import type { Keys } from './keys.ts';
import type { Entry, OpenFiles } from './open-files.ts';
import { gone, type SlotState, type Slots } from './slots.ts';

export interface SlotMovesOptions {
  entries: Map<string, Entry>;
  slots: Slots;
  folder: DataFolder | null;
  disk: Disk;
  keys(): Keys;
  snapshots: Snapshots;
  seedImages: SeedImages;
  openFiles: OpenFiles;
  /** Adds a sandbox with an existing file, or one in memory with this image. */
  add(name: string, image: Image | undefined): void;
  /** Refuses if there is no room for a sandbox of this name. */
  requireRoom(name: string): void;
  /** Called before a sandbox leaves. */
  onLeave(sandbox: Sandbox): Promise<void>;
}

/** The description of a sandbox of a slot for another bank. */
export interface SlotSandbox {
  name: string;
  /** The digest of its random key; `null` if it has none. */
  keyDigest: string | null;
  snapshots: string[];
}

export interface SlotMoves {
  /** The sandboxes of a slot that is served or moving. */
  contents(slot: Slot): SlotSandbox[];
  /**
   * Changes the state of a slot and executes the actions of the new state. Refuses: `illegal_step` for an invalid
   * transition or epoch, for a bank outside of a fleet, and for a sandbox that cannot be moved.
   */
  change(slot: Slot, state: SlotState, epochs?: SlotEpochs): Promise<void>;
  /**
   * The image of a leaving sandbox, or of one of its snapshots. Refuses: `illegal_step`, `sandbox_not_found`,
   * `snapshot_not_found`.
   */
  imageOf(slot: Slot, name: string, snapshot?: string): Promise<Image>;
  /**
   * Accepts an arriving sandbox, or one of its snapshots. Refuses: `illegal_step`, `field_invalid`, `image_invalid`,
   * `sandboxes_full`.
   */
  take(
    slot: Slot,
    name: string,
    upload: Upload,
    of: { snapshot?: string | undefined; keyDigest?: string | undefined; epoch?: number | undefined },
  ): Promise<void>;
}

/** The compare-and-set of a change; without it the change is unconditional. */
export interface SlotEpochs {
  /** The epoch that the slot must have. */
  after?: number | undefined;
  /** The new epoch, which must be newer. Default: the next one. */
  epoch?: number | undefined;
}

/** The allowed transitions. A cancelled move returns from `arriving` and `leaving`. */
const NEXT: Readonly<Record<SlotState, readonly SlotState[]>> = {
  elsewhere: ['arriving'],
  arriving: ['served', 'elsewhere'],
  served: ['leaving'],
  leaving: ['elsewhere', 'served'],
};

/** The requirements of a move. Each refuses with `illegal_step`. */
function createSlotGuards(slots: Slots) {
  const refuseEpoch = (slot: Slot, what: string): never => {
    const present = `${slots.stateOf(slot)} with epoch ${slots.epochOf(slot)}`;
    throw refuse('illegal_step', {
      message: `slot ${slot} is ${present} in this bank, and ${what}, so another move has changed it: nothing was changed. Read the slot with GET /_sandbox/slots/${slot} and decide again`,
    });
  };

  const requireEpochs = (slot: Slot, { after, epoch }: SlotEpochs): void => {
    const known = slots.epochOf(slot);
    if (after !== undefined && after !== known) refuseEpoch(slot, `this change follows epoch ${after}`);
    if (epoch !== undefined && epoch <= known) refuseEpoch(slot, `this change has epoch ${epoch}`);
  };

  const requireState = (slot: Slot, state: SlotState, epoch?: number): void => {
    const present = slots.stateOf(slot);
    if (epoch !== undefined && epoch !== slots.epochOf(slot)) {
      refuseEpoch(slot, `this image belongs to epoch ${epoch}`);
    }
    if (present === state) return;
    throw refuse('illegal_step', {
      message: `slot ${slot} is ${present} in this bank, and the operation requires ${state}`,
      legal: NEXT[present],
    });
  };

  const requireShared = (): void => {
    if (slots.isShared) return;
    throw refuse('illegal_step', {
      message:
        'this bank is in no fleet and serves every slot: start it with SANDBANK_SLOTS=0-255 to make it part of a fleet',
    });
  };

  return { requireShared, requireEpochs, requireState };
}

/** Reads the image of a closed sandbox's file. Refuses: `sandbox_not_found`. */
async function fileImageOf(folder: DataFolder | null, name: string): Promise<Image> {
  const file = folder?.find(name);
  if (folder === null || file === undefined) throw refuse('sandbox_not_found');
  // A killed process did not close it.
  if (file.hasLog)
    openConnection({ kind: 'file', path: folder.sandboxPath(name), synchronous: 'full' }).close();
  return copyOf(folder, folder.sandboxPath(name));
}

function requireNone(slot: Slot, names: readonly string[]): void {
  if (names.length === 0) return;
  throw refuse('illegal_step', {
    message: `slot ${slot} cannot arrive: the data directory already has sandboxes of this slot (${names.join(', ')}). Move their files away first`,
  });
}

/** Refuses: `field_invalid`. */
function requireSlot(slot: Slot, name: string): void {
  if (SANDBOX_NAME.test(name) && slotOf(name) === slot) return;
  throw refuse('field_invalid', {
    field: 'name',
    message: `${JSON.stringify(name)} is not a sandbox of slot ${slot}`,
  });
}

/** The other bank would refuse a bank with wrong books only after the slot has left. */
function requireMovable(name: string, { sandbox, damage }: Entry): void {
  if (damage === undefined && sandbox.audit().problems.length === 0) return;
  const reason = damage?.reason ?? 'its books are wrong; GET /_sandbox/ledger/verify lists the problems';
  throw refuse('illegal_step', {
    message: `the sandbox ${name} cannot be moved: ${reason}. Import an image into it, or delete it`,
  });
}

/** The moves of one registry. */
export function createSlotMoves(options: SlotMovesOptions): SlotMoves {
  const { entries, slots, folder, disk, keys, snapshots, openFiles } = options;
  /** The images of leaving and arriving sandboxes in memory. */
  const departed = new Map<string, Buffer>();
  const arrived = new Map<string, Buffer>();
  let underWay: Promise<unknown> = Promise.resolve();
  const { requireShared, requireEpochs, requireState } = createSlotGuards(slots);

  const namesOf = (slot: Slot): string[] => {
    const known = [...entries.keys(), ...departed.keys(), ...arrived.keys(), ...(folder?.names() ?? [])];
    return [...new Set(known)].filter((name) => slotOf(name) === slot).toSorted();
  };

  const leave = async (slot: Slot, epoch: number): Promise<void> => {
    const own = [...entries].filter(([name]) => slotOf(name) === slot);
    for (const [name, entry] of own) requireMovable(name, entry);
    slots.change(slot, 'leaving', epoch);
    for (const [name, { sandbox }] of own) {
      await options.onLeave(sandbox);
      const image = await sandbox.retire(gone(name));
      if (image !== null) departed.set(name, image);
      entries.delete(name);
      openFiles.removeFromIndex(name);
    }
  };

  const expect = (slot: Slot, epoch: number): void => {
    requireNone(slot, namesOf(slot));
    slots.change(slot, 'arriving', epoch);
  };

  /** Removes an entry of a slot that was not served in the end; keeps its image or its file. */
  const removeAdded = (name: string): void => {
    const added = entries.get(name)?.requested();
    entries.delete(name);
    added?.close().catch(() => {});
  };

  const serve = (slot: Slot, epoch: number): void => {
    const images = slots.stateOf(slot) === 'leaving' ? departed : arrived;
    // Sandboxes that an interrupted move has not closed.
    const own = namesOf(slot).filter((name) => !entries.has(name));
    // Before the slot is served, because otherwise keys of missing sandboxes would create new ones.
    try {
      for (const name of own) options.add(name, images.get(name));
      slots.change(slot, 'served', epoch);
    } catch (error) {
      for (const name of own) removeAdded(name);
      throw error;
    }
    for (const name of own) images.delete(name);
    if (folder !== null) openFiles.lookAt(own);
  };

  /** The state changes last, so a slot with the state `elsewhere` has no files in this bank. */
  const removeAll = (slot: Slot, epoch: number): void => {
    for (const name of namesOf(slot)) {
      folder?.removeSandbox(name);
      snapshots.removeAll(name);
      if (keys().digestOf(name) !== null) keys().remove(name);
      departed.delete(name);
      arrived.delete(name);
    }
    slots.change(slot, 'elsewhere', epoch);
  };

  const step = async (slot: Slot, to: SlotState, epochs: SlotEpochs): Promise<void> => {
    const from = slots.stateOf(slot);
    requireShared();
    requireEpochs(slot, epochs);
    if (from !== to && !NEXT[from].includes(to)) {
      throw refuse('illegal_step', {
        message: `slot ${slot} is ${from} in this bank and cannot be ${to} next`,
        legal: NEXT[from],
      });
    }
    const epoch = epochs.epoch ?? slots.epochOf(slot) + 1;
    // Repeated, because an interrupted step may have left some sandboxes open.
    if (to === 'leaving') await leave(slot, epoch);
    else if (from === to) slots.change(slot, to, epoch);
    else if (to === 'arriving') expect(slot, epoch);
    else if (to === 'served') serve(slot, epoch);
    else removeAll(slot, epoch);
  };

  const keep = (
    name: string,
    snapshot: string | undefined,
    keyDigest: string | undefined,
    image: Image,
  ): void => {
    if (snapshot !== undefined) {
      snapshots.put(name, snapshot, image);
      return;
    }
    if (keyDigest !== undefined) keys().setDigest(name, keyDigest);
    if (folder === null) {
      arrived.set(name, bytesOf(image));
      return;
    }
    disk.remove(sideFilesOf(folder.sandboxPath(name)));
    putImage(disk, image, folder.sandboxPath(name));
  };

  return {
    contents: (slot) =>
      namesOf(slot).map((name) => ({
        name,
        keyDigest: keys().digestOf(name),
        snapshots: snapshots.list(name).map((row) => row.name),
      })),

    async change(slot, state, epochs = {}) {
      const before = underWay.catch(() => {});
      const made = before.then(() => step(slot, state, epochs));
      underWay = made;
      await made;
    },

    async imageOf(slot, name, snapshot) {
      requireState(slot, 'leaving');
      requireSlot(slot, name);
      if (snapshot === undefined) return departed.get(name) ?? fileImageOf(folder, name);
      const found = snapshots.find(name, snapshot)?.image;
      if (found === undefined) throw refuse('snapshot_not_found');
      return folder === null || Buffer.isBuffer(found) ? found : copyOf(folder, found.file);
    },

    async take(slot, name, upload, { snapshot, keyDigest, epoch }) {
      requireState(slot, 'arriving', epoch);
      requireSlot(slot, name);
      if (snapshot === undefined) options.requireRoom(name);
      const image = await takeImage(options.seedImages, folder, upload);
      try {
        requireState(slot, 'arriving', epoch);
        keep(name, snapshot, keyDigest, image);
      } catch (error) {
        if (!Buffer.isBuffer(image)) folder?.discard(image.file);
        throw error;
      }
    },
  };
}
