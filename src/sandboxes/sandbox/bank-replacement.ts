/**
 * Replaces the bank of a sandbox with the bank of an image, in one step. If the image cannot be opened or read, the old
 * bank does not change.
 */
import { existsSync, readFileSync } from 'node:fs';
import { turnOffSync, withLog } from '../../bank/store/images.ts';
import { type Place, useLog } from '../../bank/store/open.ts';
import { loadRows } from '../../bank/store/row-image.ts';
import { type Disk, unfinishedName } from './disk.ts';
import type { Instance } from './instance.ts';

/**
 * An image of a bank: its bytes, or an unused file that becomes the sandbox's own. It is a SQLite database, or in a
 * Durable Object the rows of one.
 */
export type Image = Buffer | { readonly file: string };

/** An image as its bytes. */
export function bytesOf(image: Image): Buffer {
  return Buffer.isBuffer(image) ? image : readFileSync(image.file);
}

/** Stores an image as the file of a sandbox that is not open. */
export function putImage(disk: Disk, image: Image, path: string): void {
  if (Buffer.isBuffer(image)) {
    disk.writeWhole(path, ...withLog(image));
    return;
  }
  useLog(image.file);
  disk.putInPlace(image.file, path);
}

/** The files that SQLite creates next to a database while it is open, and that remain after a kill. */
export function sideFilesOf(path: string): string[] {
  return ['-wal', '-shm', '-journal'].map((end) => path + end);
}

/** The sandbox whose bank is exchanged. */
export interface Seat {
  readonly place: Place;
  readonly disk: Disk;
  /** The current bank, if it is open. */
  bank(): Instance | undefined;
  /** Opens a bank without starting its background work; with `send: null` it has none. */
  prepare(from: Place, changes?: { send?: null }): Instance;
  /** Stops the publications of the current bank. */
  leave(bank: Instance): void;
  /** Reports that the current bank has ended. */
  ended(): void;
  /** Uses this bank from now on, or the one in the file. */
  use(fresh?: Instance): void;
  onError(error: unknown): void;
}

/**
 * Replaces the bank with the bank of an image, and returns what `look` read of the new one before the step. `preview` opens a bank of
 * the same image: a file is not opened twice then.
 */
export function exchangeBank<T>(
  seat: Seat,
  image: Image,
  look: (bank: Instance) => T,
  preview?: () => Instance,
): T {
  const { place } = seat;
  if (place.kind === 'object') return exchangeInObject(seat, place, image, look);
  if (place.kind === 'file') return exchangeOnDisk(seat, place, image, look, preview);
  return exchangeInMemory(seat, image, look);
}

function exchangeOnDisk<T>(
  seat: Seat,
  { path, synchronous }: Extract<Place, { kind: 'file' }>,
  image: Image,
  look: (bank: Instance) => T,
  preview: (() => Instance) | undefined,
): T {
  const { disk } = seat;
  let seen: T;
  const fresh = Buffer.isBuffer(image) ? unfinishedName(path) : image.file;
  try {
    if (Buffer.isBuffer(image)) {
      // Takes a third of the time that opening the file would take.
      seen = preview === undefined ? readImage(seat, { kind: 'image', image }, look) : look(preview());
      disk.writeUnfinished(fresh, ...withLog(image));
    } else {
      useLog(fresh);
      seen = readImage(seat, { kind: 'file', path: fresh, synchronous: 'off' }, look);
    }
    exchangeFile(seat, path, fresh, synchronous === 'full');
  } catch (error) {
    disk.remove([fresh, ...sideFilesOf(fresh)]);
    throw error;
  }
  seat.use();
  return seen;
}

/** In memory the new bank is opened before the old one ends, because an end cannot be undone. */
function exchangeInMemory<T>(seat: Seat, image: Image, look: (bank: Instance) => T): T {
  seat.bank()?.finish();
  const fresh = seat.prepare({ kind: 'image', image: bytesOf(image) });
  let seen: T;
  try {
    seen = look(fresh);
    abandon(seat);
  } catch (error) {
    fresh.abandon();
    throw error;
  }
  seat.use(fresh);
  return seen;
}

/**
 * Replaces the bank in a Durable Object. It has one database, so the rows are replaced before the new bank is opened, and
 * restored if it cannot be opened.
 */
function exchangeInObject<T>(
  seat: Seat,
  { open }: Extract<Place, { kind: 'object' }>,
  image: Image,
  look: (bank: Instance) => T,
): T {
  const old = seat.bank();
  old?.finish();
  const driver = open();
  const { fresh, seen } = driver.atomically(() => {
    if (old !== undefined) seat.leave(old);
    loadRows(driver, bytesOf(image));
    const opened = seat.prepare({ kind: 'object', open: () => driver });
    try {
      return { fresh: opened, seen: look(opened) };
    } catch (error) {
      opened.abandon();
      throw error;
    }
  });
  // The rows belong to the new bank, so the old bank must not write to them.
  old?.connection.close();
  old?.abandon();
  seat.use(fresh);
  return seen;
}

/** Opens the bank of an image only to read it: it runs no background work, and its changes are discarded. */
function readImage<T>(seat: Seat, from: Place, look: (bank: Instance) => T): T {
  const temporary = seat.prepare(from, { send: null });
  try {
    return look(temporary);
  } finally {
    temporary.abandon();
  }
}

function abandon(seat: Seat): void {
  const bank = seat.bank();
  if (bank === undefined) return;
  // Before anything ends, because it may fail.
  bank.finish();
  seat.leave(bank);
  bank.abandon();
  seat.ended();
}

/** Replaces the file of the sandbox. */
function exchangeFile(seat: Seat, path: string, fresh: string, isDurable: boolean): void {
  const { disk } = seat;
  const bank = seat.bank();
  const restoreSync = bank === undefined || isDurable ? undefined : turnOffSync(bank.connection);
  try {
    abandon(seat);
  } catch (error) {
    restoreSync?.();
    throw error;
  }
  // The log of the old bank must not be used with the new file. It is still needed if the file cannot be put in
  // place.
  const aside = sideFilesOf(path)
    .filter(existsSync)
    .map((file) => ({ file, to: unfinishedName(file) }));
  for (const { file, to } of aside) disk.putInPlace(file, to);
  try {
    disk.putInPlace(fresh, path);
  } catch (error) {
    for (const { file, to } of aside) disk.putInPlace(to, file);
    throw error;
  }
  try {
    disk.remove(aside.map(({ to }) => to));
  } catch (error) {
    // The next start removes them.
    seat.onError(error);
  }
}
