/**
 * Slots distribute sandboxes over the banks of a fleet. The slot of a sandbox is the first byte of the SHA-256 of its
 * name, so a proxy can compute it.
 * Source: decision `fleet-slots` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';

/** The number of slots: the number of values of a byte. */
export const SLOT_COUNT = 256;

/** A number from 0 to 255. */
export type Slot = number;

/** Every slot, the lowest first. */
export const ALL_SLOTS: readonly Slot[] = Array.from({ length: SLOT_COUNT }, (_, slot) => slot);

/** The slot of a sandbox, by its name. */
export function slotOf(name: string): Slot {
  return slotOfDigest(hash('sha256', name));
}

/** The slot that the first two hexadecimal digits of a digest name. */
export function slotOfDigest(digest: string): Slot {
  return Number.parseInt(digest.slice(0, 2), 16);
}

/** A slot as a proxy computes it: the first byte of the digest, in capital hexadecimal digits. */
export function slotInHex(slot: Slot): string {
  return slot.toString(16).toUpperCase().padStart(2, '0');
}

/** Parses slots such as `0-63,200`; `none` and `` mean no slots. Returns `undefined` for anything else. */
export function parseSlots(text: string): Slot[] | undefined {
  if (text === '' || text === 'none') return [];
  const slots = new Set<Slot>();
  for (const part of text.split(',')) {
    const [, first = '', last = first] = /^\s*(\d{1,3})(?:-(\d{1,3}))?\s*$/.exec(part) ?? [];
    if (first === '' || Number(last) >= SLOT_COUNT || Number(first) > Number(last)) return undefined;
    for (let slot = Number(first); slot <= Number(last); slot += 1) slots.add(slot);
  }
  return [...slots].toSorted((a, b) => a - b);
}

/** Slots as a text that `parseSlots` reads: `0-63,200`, or `none`. */
export function formatSlots(slots: Iterable<Slot>): string {
  const ranges: { first: Slot; last: Slot }[] = [];
  for (const slot of [...slots].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && slot <= range.last + 1) range.last = slot;
    else ranges.push({ first: slot, last: slot });
  }
  if (ranges.length === 0) return 'none';
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
