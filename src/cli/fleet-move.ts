/**
 * How one slot moves to another bank while both run. Each change is a compare-and-set of the slot's epoch, so only
 * one of several concurrent moves continues. If two banks claim a slot, the overtaken bank gives it up first.
 * Source: decision `slot-moves` in docs/fidelity.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SandbankError } from '../client/error.ts';
import { type Slot, slotInHex } from '../kernel/slots.ts';
import { CommandError, explainFailure } from './bank.ts';
import type { FleetBank } from './banks.ts';
import type { RunningProxy } from './proxy.ts';

export interface Move {
  readonly slot: Slot;
  readonly banks: readonly FleetBank[];
  readonly from: FleetBank;
  readonly to: FleetBank;
  readonly proxies: readonly RunningProxy[];
  readonly settleMs: number;
  /** A folder for the images of an overtaken bank. */
  readonly keep: string;
  /** Which bank continues if two serve the slot with the same epoch. */
  readonly prefer: FleetBank | undefined;
}

/** A slot as a bank has it. */
export interface Held {
  readonly bank: FleetBank;
  readonly state: 'served' | 'elsewhere' | 'arriving' | 'leaving';
  readonly epoch: number;
}

/** The result of a move. */
export interface Moved {
  /** The number of sandboxes that were moved. */
  readonly sandboxes: number;
  /** The files with the images of an overtaken bank. */
  readonly kept: readonly string[];
}

/**
 * Moves one slot, starting at the step where an earlier move stopped. If both banks claim it, the overtaken bank
 * closes it first, and its sandboxes are kept in files.
 */
export async function moveSlot(move: Move): Promise<Moved> {
  const [source, target] = await Promise.all([heldBy(move.from, move.slot), heldBy(move.to, move.slot)]);
  const [older, newer] = overtakenOf(move, source, target) ?? [];
  if (older === undefined || newer === undefined) {
    return { sandboxes: await moveHeld(move, source, target), kept: [] };
  }
  const kept = await closeOvertaken(move, older, newer);
  const { sandboxes } = await moveSlot(move);
  return { sandboxes, kept };
}

/** Whether a bank has sandboxes of the slot that another one could not have changed. */
const claims = ({ state }: Held): boolean => state === 'served' || state === 'leaving';

/** True if the other bank has taken over the slot by a move, so it has everything that this bank has. */
const isHandedOver = (old: Held, now: Held): boolean =>
  old.state === 'leaving' && now.state === 'served' && now.epoch === old.epoch + 1;

/** True if both banks have sandboxes of the slot and no move explains it. */
function isConflict(one: Held, other: Held): boolean {
  return claims(one) && claims(other) && !isHandedOver(one, other) && !isHandedOver(other, one);
}

/**
 * Of two banks with conflicting claims, the overtaken one and the one that continues; `undefined` without a conflict.
 */
function overtakenOf({ slot, prefer }: Move, source: Held, target: Held): [Held, Held] | undefined {
  if (!isConflict(source, target)) return undefined;
  if (source.epoch !== target.epoch) {
    return source.epoch < target.epoch ? [source, target] : [target, source];
  }
  // An earlier command has closed the slot in the overtaken bank, and was interrupted.
  if (source.state !== target.state) return source.state === 'leaving' ? [source, target] : [target, source];
  if (prefer === source.bank) return [target, source];
  if (prefer === target.bank) return [source, target];
  const names = `${source.bank.name} and ${target.bank.name}`;
  throw new CommandError(
    `${names} both have slot ${slot} with epoch ${source.epoch}: decide which one has the right sandboxes. Run this again with --prefer ${source.bank.name} or --prefer ${target.bank.name}; the sandboxes of the other bank are written to files`,
  );
}

/**
 * Takes the slot from an overtaken bank: closes it, writes its sandboxes into files, and removes it. The caller
 * decides about the other bank.
 */
async function closeOvertaken(move: Move, older: Held, newer: Held): Promise<string[]> {
  const { slot } = move;
  // With equal epochs the bank that continues first gets a newer one, so that the choice is final.
  const isFirst = newer.epoch === older.epoch && newer.state === older.state;
  const ahead = isFirst ? await change(newer, slot, newer.state, newer.epoch + 1) : newer;
  if (ahead.state === 'served') await reroute(move, ahead.bank);
  const closed = older.state === 'leaving' ? older : await change(older, slot, 'leaving', ahead.epoch);
  const kept = await keepImages(move, closed);
  await change(closed, slot, 'elsewhere', ahead.epoch + 1);
  return kept;
}

/** Writes the images of a slot that is leaving, and of its snapshots; returns the files. */
async function keepImages({ slot, keep }: Move, { bank, epoch }: Held): Promise<string[]> {
  const { sandboxes } = await bank.client.sandbox.retrieveSlot({ params: { slot: String(slot) } });
  const images = sandboxes.flatMap(({ name, snapshots }) => [
    { name, query: {}, title: name },
    ...snapshots.map((snapshot) => ({ name, query: { snapshot }, title: `${name}.${snapshot}` })),
  ]);
  const files: string[] = [];
  for (const { name, query, title } of images) {
    const params = { slot: String(slot), name };
    const image = await bank.client.sandbox.retrieveSlotImage({ params, query });
    const file = join(keep, `${title}.${bank.name}.epoch-${epoch}.sqlite`);
    try {
      mkdirSync(keep, { recursive: true });
      writeFileSync(file, image);
    } catch (error) {
      throw new CommandError(
        `${bank.name} has closed slot ${slot}, but its sandbox ${name} cannot be written to ${file} (${(error as Error).message}), so nothing was removed: name another folder with --keep and run this again`,
      );
    }
    files.push(file);
  }
  return files;
}

async function reroute({ slot, proxies }: Move, { name }: FleetBank): Promise<void> {
  await Promise.all(proxies.map((proxy) => proxy.route(slotInHex(slot), name)));
}

/**
 * Moves a slot that one of the banks claims; returns the number of moved sandboxes. Each change requires the epoch
 * that was read, so one of several concurrent moves continues and the others are refused.
 */
async function moveHeld(move: Move, source: Held, target: Held): Promise<number> {
  const { slot, from, to, settleMs } = move;
  const next = Math.max(source.epoch, target.epoch) + 1;
  if (target.state === 'served') {
    await reroute(move, to);
    if (source.state !== 'elsewhere') await change(source, slot, 'elsewhere', next);
    return 0;
  }
  if (target.state === 'leaving' && source.state !== 'served') {
    await change(target, slot, 'served', await takeFromOthers(move, target, to));
    await reroute(move, to);
    return 0;
  }
  if (target.state === 'leaving') {
    throw new CommandError(
      `slot ${slot} has moved from ${to.name} to ${from.name}, and ${to.name} still has its sandboxes: run that move again first`,
    );
  }
  if (source.state !== 'served' && source.state !== 'leaving') {
    throw new CommandError(
      `slot ${slot} is ${source.state} in ${from.name} and ${target.state} in ${to.name}: nothing can be moved; "sandbank fleet status" shows its bank`,
    );
  }
  const epoch = source.state === 'leaving' ? await takeFromOthers(move, source, to) : next;
  // Also if it is arriving already: from here on an earlier move cannot finish.
  const arriving = await change(target, slot, 'arriving', epoch);
  let leaving: Held;
  try {
    await reroute(move, to);
    if (source.state === 'served') await delay(settleMs);
    leaving = await change(source, slot, 'leaving', epoch);
  } catch (error) {
    // This move closed nothing, so every change is undone. A proxy that does not listen had not changed either.
    const now = await heldBy(from, slot);
    if (now.state === 'served' || now.epoch !== epoch) {
      if (now.state === 'served') await reroute(move, from).catch(() => {});
      await change(arriving, slot, 'elsewhere', epoch + 1);
      // A delayed request to close it is refused from now on.
      if (now.state === 'served') await change(now, slot, 'served', Math.max(now.epoch, epoch) + 1);
    }
    throw error;
  }
  const count = await carry(move, epoch);
  await change(arriving, slot, 'served', epoch + 1);
  // Once more, because another move may have changed the proxy before it was refused.
  await reroute(move, to);
  await change(leaving, slot, 'elsewhere', epoch + 1);
  return count;
}

/**
 * Takes a leaving slot from each bank that expects it, except from its destination: otherwise two banks could serve
 * it in the end. Returns an epoch that is newer than all of theirs.
 */
async function takeFromOthers({ slot, banks }: Move, leaving: Held, to: FleetBank): Promise<number> {
  // Read after the bank that the slot leaves: a move lets the new bank expect the slot before it closes it there.
  const others = await Promise.all(
    banks.filter((bank) => bank !== leaving.bank).map((bank) => heldBy(bank, slot)),
  );
  for (const { bank, state, epoch } of others) {
    if (state !== 'served' && (state !== 'leaving' || epoch <= leaving.epoch)) continue;
    throw new CommandError(
      `slot ${slot} is ${state === 'served' ? 'served by' : 'leaving'} ${bank.name}: move it from there`,
    );
  }
  const epoch = Math.max(leaving.epoch, ...others.map((one) => one.epoch)) + 1;
  for (const other of others) {
    if (other.state === 'arriving' && other.bank !== to) await change(other, slot, 'elsewhere', epoch);
  }
  return epoch;
}

/** Moves the sandboxes of a slot, each with its snapshots. */
async function carry({ slot, from, to }: Move, epoch: number): Promise<number> {
  const { sandboxes } = await from.client.sandbox.retrieveSlot({ params: { slot: String(slot) } });
  for (const { name, key_digest, snapshots } of sandboxes) {
    const params = { slot: String(slot), name };
    const copy = async (query: { snapshot?: string; key_digest?: string }): Promise<void> => {
      const { snapshot } = query;
      const image = await from.client.sandbox.retrieveSlotImage({
        params,
        query: snapshot === undefined ? {} : { snapshot },
      });
      await to.client.sandbox.putSlotImage({ params, query: { ...query, epoch: `${epoch}` }, body: image });
    };
    await copy(key_digest === null ? {} : { key_digest });
    for (const snapshot of snapshots) await copy({ snapshot });
  }
  return sandboxes.length;
}

export async function heldBy(bank: FleetBank, slot: Slot): Promise<Held> {
  const { state, epoch } = await bank.client.sandbox.retrieveSlot({ params: { slot: String(slot) } });
  return { bank, state, epoch };
}

/** Changes a slot if it has not changed since it was read; returns its new state. */
async function change(
  { bank, epoch: after }: Held,
  slot: Slot,
  state: Held['state'],
  epoch: number,
): Promise<Held> {
  await bank.client.sandbox
    .changeSlot({ params: { slot: String(slot) }, body: { state, after, epoch } })
    .catch((error: unknown) => {
      if (!(error instanceof SandbankError)) throw error;
      throw new CommandError(`${bank.name}: ${explainFailure(error)}`);
    });
  return { bank, state, epoch };
}
