/**
 * The slots that this bank of a fleet serves. A bank without the setting serves all of them and cannot move any. A
 * slot moves in steps: the new bank makes its requests wait (`arriving`), the old bank closes its sandboxes and
 * transfers them (`leaving`), the new bank serves it, and the old one removes its copy. After the first move the data
 * directory stores the slots, because the setting of the process is older. Each change has a newer epoch than the
 * previous one, so a late request is recognized.
 * Source: decisions `fleet-slots` and `slot-moves` in docs/fidelity.md.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { ALL_SLOTS, formatSlots, parseSlots, type Slot, slotOf } from '../kernel/slots.ts';
import { type Disk, readJson } from '../sandbox/disk.ts';

export const SLOT_STATES = ['served', 'elsewhere', 'arriving', 'leaving'] as const;
export type SlotState = (typeof SLOT_STATES)[number];

/** The states that a data directory stores; every other slot is elsewhere. */
const KEPT = ['served', 'arriving', 'leaving'] as const;

export interface Slots {
  /** False for a bank without the setting, which serves all slots. */
  readonly isShared: boolean;
  stateOf(slot: Slot): SlotState;
  in(state: SlotState): Slot[];
  /** The epoch of the last change of the slot; 0 before the first one. Comparable between banks. */
  epochOf(slot: Slot): number;
  /** Throws if the data directory cannot be written, and then changes nothing. */
  change(slot: Slot, state: SlotState, epoch: number): void;
  serves(name: string): boolean;
  /**
   * Refuses a slot that this bank does not serve: `slot_elsewhere`, or `slot_moving` while it arrives. `what` is used
   * in the message.
   */
  require(slot: Slot, what: string): void;
  /** Settles when the slot is no longer arriving; `undefined` if it is not arriving. */
  arrived(slot: Slot): Promise<void> | undefined;
  /** Reads the stored slots of the data directory. Throws `DataFileError`. */
  settle(): void;
}

/**
 * The slots of one process: those of the setting (`null` means all), or those stored in the file at `path` after a
 * move.
 */
export function createSlots(input: readonly Slot[] | null, path: string | null, disk: Disk): Slots {
  const isShared = input !== null;
  const states = new Map<Slot, SlotState>();
  const epochs = new Map<Slot, number>();
  const waiting = new Map<Slot, { promise: Promise<void>; end(): void }>();
  const stateOf = (slot: Slot): SlotState => (isShared ? (states.get(slot) ?? 'elsewhere') : 'served');
  const inState = (state: SlotState): Slot[] => ALL_SLOTS.filter((slot) => stateOf(slot) === state);
  for (const slot of input ?? []) states.set(slot, 'served');

  const set = (slot: Slot, state: SlotState): void => {
    if (state === 'elsewhere') states.delete(slot);
    else states.set(slot, state);
    if (state === 'arriving') {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(slot, { promise, end: resolve });
      return;
    }
    waiting.get(slot)?.end();
    waiting.delete(slot);
  };

  return {
    isShared,
    stateOf,
    in: inState,
    epochOf: (slot) => epochs.get(slot) ?? 0,
    change(slot, state, epoch) {
      const before = { state: stateOf(slot), epoch: epochs.get(slot) ?? 0 };
      // Requests keep waiting for the slot if only its epoch changes.
      if (state !== before.state) set(slot, state);
      epochs.set(slot, epoch);
      if (path === null) return;
      const kept = KEPT.map((name) => [name, formatSlots(inState(name))]);
      const stored = { ...Object.fromEntries(kept), epochs: Object.fromEntries(epochs) };
      try {
        disk.writeWhole(path, `${JSON.stringify(stored)}\n`);
      } catch (error) {
        if (state !== before.state) set(slot, before.state);
        epochs.set(slot, before.epoch);
        throw error;
      }
    },
    serves: (name) => !isShared || stateOf(slotOf(name)) === 'served',
    require(slot, what) {
      const state = stateOf(slot);
      if (state === 'served') return;
      if (state === 'arriving') throw refuse('slot_moving');
      throw refuse('slot_elsewhere', {
        message: `${what} belongs to slot ${slot}, which another bank serves; this one serves ${formatSlots(inState('served'))}. Send the request to the proxy of the fleet`,
      });
    },
    arrived: (slot) => waiting.get(slot)?.promise,
    settle() {
      if (!isShared || path === null) return;
      const stored = readJson(path, 'the slots of this bank', asStored);
      if (stored === undefined) return;
      for (const slot of ALL_SLOTS) set(slot, 'elsewhere');
      for (const name of KEPT) for (const slot of stored.slots[name]) set(slot, name);
      for (const [slot, epoch] of stored.epochs) epochs.set(slot, epoch);
    },
  };
}

interface Stored {
  slots: Record<(typeof KEPT)[number], Slot[]>;
  epochs: [Slot, number][];
}

function asStored(value: unknown): Stored | undefined {
  const input = (value ?? {}) as Record<string, unknown>;
  const read = KEPT.map((name) => [name, parseSlots(String(input[name]))] as const);
  if (read.some(([, slots]) => slots === undefined)) return undefined;
  // Earlier versions wrote no epochs.
  const epochs = Object.entries(input.epochs ?? {}).map(([slot, epoch]): [Slot, number] => [
    Number(slot),
    Number(epoch),
  ]);
  if (epochs.flat().some((number) => !Number.isSafeInteger(number) || number < 0)) return undefined;
  return { slots: Object.fromEntries(read) as Stored['slots'], epochs };
}

/** The refusal for a sandbox that has just left with its slot. */
export function gone(name: string): Refusal {
  return refuse('slot_elsewhere', {
    message: `the sandbox ${name} has just moved to another bank with its slot ${slotOf(name)}: send the request again`,
  });
}
