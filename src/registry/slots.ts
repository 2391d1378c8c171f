/**
 * The slots that this bank serves, as one of a fleet. A bank without the setting serves all of them and can give none away.
 * A slot moves in steps: the bank that gets it lets its requests wait (`arriving`), the bank that has it closes its
 * sandboxes and hands them over (`leaving`), the new one serves it, and the old one removes what it had. After its first move a
 * data directory remembers its slots itself, because the setting that a process is started with is older. Each change has an epoch
 * that is newer than the one before, so a call that arrives late is recognized.
 * Source: decisions `fleet-slots` and `slot-moves` in docs/fidelity.md.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { ALL_SLOTS, formatSlots, parseSlots, type Slot, slotOf } from '../kernel/slots.ts';
import { type Disk, readJson } from '../sandbox/disk.ts';

export const SLOT_STATES = ['served', 'elsewhere', 'arriving', 'leaving'] as const;
export type SlotState = (typeof SLOT_STATES)[number];

/** The states that a data directory keeps; every other slot is elsewhere. */
const KEPT = ['served', 'arriving', 'leaving'] as const;

export interface Slots {
  /** False for a bank that serves all slots because nobody said otherwise. */
  readonly isShared: boolean;
  stateOf(slot: Slot): SlotState;
  in(state: SlotState): Slot[];
  /** Of the last change of the slot; 0 before the first one. Comparable between banks. */
  epochOf(slot: Slot): number;
  /** Throws what keeps the data directory from being written, and then nothing is changed. */
  change(slot: Slot, state: SlotState, epoch: number): void;
  serves(name: string): boolean;
  /** Refuses what is called so in words, of a slot that is not served here: `slot_elsewhere`, or `slot_moving` until it is. */
  require(slot: Slot, what: string): void;
  /** Settles when the slot is no longer about to arrive; `undefined` where it is not. */
  arrived(slot: Slot): Promise<void> | undefined;
  /** Reads what the data directory remembers. Throws `DataFileError`. */
  settle(): void;
}

/** The slots of one process: those of the setting, `null` for all, or what the file at `path` remembers of moves. */
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
      // Requests that wait for the slot go on waiting if it only gets another epoch.
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

/** The refusal of a sandbox that has just left with its slot. */
export function gone(name: string): Refusal {
  return refuse('slot_elsewhere', {
    message: `the sandbox ${name} has just moved to another bank with its slot ${slotOf(name)}: send the request again`,
  });
}
