/**
 * Moves a slot with its sandboxes from one bank to another while both run. The caller leads: it lets the new bank expect the
 * slot, lets the old one close it, carries each sandbox over as an image with its snapshots, lets the new bank serve it, and
 * lets the old one remove what it had. Each step can be made again, and until the last one the old bank has everything.
 * Source: decision `slot-moves` in docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import { type Slot, slotOf } from '../kernel/slots.ts';
import type { Disk } from '../sandbox/disk.ts';
import { bytesOf, type Image, putImage, type Sandbox, sideFilesOf } from '../sandbox/sandbox.ts';
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
  /** Adds a sandbox whose file is there, or one in memory with this image. */
  add(name: string, image: Image | undefined): void;
  /** Refuses a name that there is no room for. */
  requireRoom(name: string): void;
  /** Looks at a sandbox for the last time. */
  onLeave(sandbox: Sandbox): Promise<void>;
}

/** A sandbox of a slot, as another bank has to know it. */
export interface SlotSandbox {
  name: string;
  /** Of its random key; `null` where it has none. */
  keyDigest: string | null;
  snapshots: string[];
}

export interface SlotMoves {
  /** The sandboxes of a slot, whether they are served or moving. */
  contents(slot: Slot): SlotSandbox[];
  /**
   * Brings a slot into a state, and does what belongs to it. Refuses: `illegal_step` for one that does not follow from the present
   * state or epoch, for a bank that is in no fleet, and for a sandbox that cannot be moved.
   */
  change(slot: Slot, state: SlotState, epochs?: SlotEpochs): Promise<void>;
  /** The image of a sandbox that leaves, or of one of its snapshots. Refuses: `illegal_step`, `sandbox_not_found`, `snapshot_not_found`. */
  imageOf(slot: Slot, name: string, snapshot?: string): Promise<Image>;
  /** Takes in a sandbox that arrives, or one of its snapshots. Refuses: `illegal_step`, `field_invalid`, `image_invalid`, `sandboxes_full`. */
  take(
    slot: Slot,
    name: string,
    upload: Upload,
    of: { snapshot?: string | undefined; keyDigest?: string | undefined; epoch?: number | undefined },
  ): Promise<void>;
}

/** The compare-and-set of a change; without it the change is made from whatever is there. */
export interface SlotEpochs {
  /** The epoch that the slot has to have. */
  after?: number | undefined;
  /** The epoch that it gets, newer than the one it has; the next one unless given. */
  epoch?: number | undefined;
}

/** What may follow a state. From `arriving` and `leaving` there is a way back, for a move that is given up. */
const NEXT: Readonly<Record<SlotState, readonly SlotState[]>> = {
  elsewhere: ['arriving'],
  arriving: ['served', 'elsewhere'],
  served: ['leaving'],
  leaving: ['elsewhere', 'served'],
};

/** What a move requires of a slot. Each refuses with `illegal_step`. */
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

/** A copy of the file of a sandbox that is closed. Refuses: `sandbox_not_found`. */
async function fileImageOf(folder: DataFolder | null, name: string): Promise<Image> {
  const file = folder?.find(name);
  if (folder === null || file === undefined) throw refuse('sandbox_not_found');
  // A process that was killed had not closed it.
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

/** A bank whose books are wrong would be refused by the other, after its slot had left. */
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
  /** The images of sandboxes in memory on their way out, and in. */
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

  /** Takes back an entry that was added for a slot that is not served after all; its image or its file stays. */
  const removeAdded = (name: string): void => {
    const added = entries.get(name)?.requested();
    entries.delete(name);
    added?.close().catch(() => {});
  };

  const serve = (slot: Slot, epoch: number): void => {
    const images = slots.stateOf(slot) === 'leaving' ? departed : arrived;
    // What a move that broke off has not closed yet is still there.
    const own = namesOf(slot).filter((name) => !entries.has(name));
    // Before the slot is served: its keys would open new sandboxes under the names of those that are missing.
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

  /** The state changes last: a slot that is elsewhere has left nothing here. */
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
    // Again, because a step that broke off may have left some sandboxes open.
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
