/**
 * Stores the state around the bank of a sandbox in the bank's file, so that a restart restores it: the faults, the
 * delivery chaos and the responses of the built-in receiver as rows, and the journal as compressed parts. A setting
 * is written in the commit of its call. Counters and the journal are written a few seconds later, in a separate
 * commit, and when the file is closed; a kill loses only these seconds. A request only appends to a list in memory.
 * Parts are masked in slices and compressed in another thread.
 * Source: docs/decisions/0033-surroundings.md.
 */
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type ChaosState, createChaos } from '../../bank/delivery/chaos.ts';
import type { Receiver, ReceiverState } from '../../bank/delivery/receiver.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { ChangedPart, StoredPart, Tape } from '../../bank/kernel/tape.ts';
import { SECOND_MS } from '../../bank/kernel/time.ts';
import { inTransaction } from '../../bank/store/group-commit.ts';
import { isDatabaseFailure } from '../../bank/store/open.ts';
import type { JournalPart, TapeName } from '../../bank/store/surroundings.ts';
import type { SandboxJobs } from './background-jobs.ts';
import type { Faults, FaultsState } from './faults.ts';
import type { Instance } from './instance.ts';
import { type Journal, maskEntry } from './journal.ts';

/** The parts that a call sets. */
type Setting = 'faults' | 'receiver' | 'chaos';

export interface Surroundings {
  /** Changes a setting within a command: the change is part of its commit, and undone if the command is rolled back. */
  change<T>(setting: Setting, action: () => T): T;
  /** Reports that an entry was added to the journal or a counter changed. */
  touch(): void;
  /** Reports that a bank was opened, from the file of this sandbox or from a file that replaced it. */
  opened(instance: Instance, isNewBank: boolean): void;
  /** Whether the stored state was read; before that the journal and the faults are empty. */
  isRead(): boolean;
  /** Reads the parts that only the file has, because another file is about to replace it. */
  leave(): void;
  /** Writes all unwritten state at once, because the file is about to be closed. Throws if it cannot be written. */
  finish(instance: Instance): void;
}

interface SurroundingsOptions {
  /** Whether the bank is in a file: a bank in memory ends with the process. */
  isStored: boolean;
  faults: Faults;
  receiver: Receiver;
  journal: Journal;
  banks: { before(): number; restore(count: number): void };
  jobs: SandboxJobs;
  /** The bank, if it is open. */
  instance(): Instance | undefined;
  /** Opens the bank if it rests, and returns it. */
  open(): Instance;
}

/** How long additions are collected before they are written together. */
const WAIT_MS = 2 * SECOND_MS;
/**
 * The additional wait per entry of the last write, so that a busy bank spends less than one percent of its time on
 * writing.
 */
const WAIT_PER_ENTRY_MS = 4;
/** The wait after a failed write. */
const RETRY_MS = 5 * SECOND_MS;
/** The compression level with the best ratio of size to time. */
const LEVEL = { level: 1 };

/** A part that is stored as JSON: returns its current value, and restores a stored one. */
interface Value {
  now(opened: Instance | undefined): unknown;
  restore(opened: Instance, value: unknown): void;
}

/** The settings, and the number of previous banks of the sandbox. */
type ValueName = Setting | 'banks';
const NAMES: readonly ValueName[] = ['faults', 'receiver', 'chaos', 'banks'];
type Texts = Readonly<Record<ValueName, string>>;

interface StoredTape {
  readonly name: TapeName;
  readonly tape: Tape<unknown>;
  masked(entry: unknown): unknown;
}

interface Written {
  readonly tape: StoredTape;
  readonly part: ChangedPart<unknown>;
}

const tapeOf = <T>(name: TapeName, tape: Tape<T>, masked: (entry: T) => T): StoredTape => ({
  name,
  tape: tape as Tape<unknown>,
  masked: masked as (entry: unknown) => unknown,
});

const textOf = ({ tape, part }: Written): string => JSON.stringify(part.entries.map(tape.masked));
const rowOf = ({ tape, part }: Written, entries: Buffer): JournalPart => ({
  tape: tape.name,
  first: part.first,
  upTo: part.upTo,
  characters: part.characters,
  entries,
});

/** Compressing such a text takes less time than waking another thread for it. */
const SHORT = { characters: 16_384, options: { ...LEVEL, windowBits: 12, memLevel: 5 } };

const compress = (text: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (text.length < SHORT.characters) return resolve(exact(deflateRawSync(text, SHORT.options)));
    deflateRaw(text, LEVEL, (error, result) => (error === null ? resolve(exact(result)) : reject(error)));
  });
/** A copy without the unused rest of zlib's buffer. */
const exact = (buffer: Buffer): Buffer => {
  const copy = Buffer.allocUnsafeSlow(buffer.length);
  buffer.copy(copy);
  return copy;
};
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The row of a part. Requests are answered between two parts that have to be masked and compressed. */
async function packed(written: Written): Promise<JournalPart> {
  const { packed: known } = written.part;
  if (known !== undefined) return rowOf(written, known);
  const row = rowOf(written, await compress(textOf(written)));
  await nextTurn();
  return row;
}

const packedNow = (written: Written): JournalPart =>
  rowOf(written, written.part.packed ?? exact(deflateRawSync(textOf(written), LEVEL)));

/** The parts that are stored as JSON, by name. */
function createValues({ faults, receiver, banks }: SurroundingsOptions) {
  const values: Readonly<Record<ValueName, Value>> = {
    faults: { now: () => faults.state(), restore: (_, state) => faults.restore(state as FaultsState) },
    receiver: {
      now: () => receiver.state(),
      restore: (_, state) => receiver.setAnswering((state as ReceiverState).answering),
    },
    chaos: { now: chaosStates, restore: (opened, states) => restoreChaos(opened, states as ChaosStates) },
    banks: { now: banks.before, restore: (_, count) => banks.restore(count as number) },
  };
  const textOfValue = (name: ValueName, opened?: Instance): string =>
    JSON.stringify(values[name].now(opened));
  return {
    textOf: textOfValue,
    texts: (opened?: Instance): Texts =>
      Object.fromEntries(NAMES.map((name) => [name, textOfValue(name, opened)])) as Texts,
    restore: (name: ValueName, opened: Instance, text: string): void =>
      values[name].restore(opened, JSON.parse(text)),
  };
}

/** The tapes that are stored in parts: the journal and the deliveries to the built-in receiver. */
function createTapes({ journal, receiver, jobs, open }: SurroundingsOptions) {
  const tapes: readonly StoredTape[] = [
    tapeOf('requests', journal.requests, maskEntry),
    tapeOf('calls', journal.calls, maskEntry),
    tapeOf('deliveries', receiver.deliveries, (kept) => kept),
  ];

  let isLeaving = false;

  const readPart = (name: TapeName, first: number): readonly unknown[] => {
    try {
      const part = open().store.surroundings.entries(name, first);
      return part === undefined ? [] : (JSON.parse(inflateRawSync(part).toString()) as unknown[]);
    } catch (error) {
      // The next request for the journal may succeed.
      if (isDatabaseFailure(error) && !isLeaving) throw error;
      // Any other part that cannot be read is treated as missing.
      jobs.failed('journal', error);
      return [];
    }
  };

  return {
    takeChanged: (): Written[] =>
      tapes.flatMap((tape) => tape.tape.takeChanged().map((part) => ({ tape, part }))),
    /** Keeps what was written, because another file may need it, too. */
    keep(written: readonly Written[], rows: readonly JournalPart[]): void {
      for (const [place, { tape, part }] of written.entries()) {
        const row = rows[place];
        if (row !== undefined) tape.tape.keepPacked(part, row.entries);
      }
    },
    putBack(written: readonly Written[]): void {
      for (const { tape, part } of written) tape.tape.markChanged([part.first]);
    },
    markAllChanged(): void {
      for (const { tape } of tapes) tape.markChanged();
    },
    /** Reads the parts of a file that is about to be replaced, even if it is damaged. */
    leave(): void {
      isLeaving = true;
      for (const { tape } of tapes) tape.load();
      isLeaving = false;
    },
    write({ store: { surroundings } }: Instance, rows: readonly JournalPart[]): void {
      for (const row of rows) surroundings.putPart(row);
      for (const { name, tape } of tapes) surroundings.removePartsBefore(name, tape.oldest());
    },
    /** The lists of stored parts. */
    stored: ({ store: { surroundings } }: Instance) => tapes.map(({ name }) => surroundings.parts(name)),
    /** Continues from the stored parts and from the counters of the receiver. */
    continueStored(parts: readonly (readonly StoredPart[])[], deliveries: ReceiverState): void {
      for (const [place, { name, tape }] of tapes.entries()) {
        const numbers = name === 'deliveries' ? deliveries : { next: 0, from: 0 };
        tape.continue(parts[place] ?? [], numbers, (first) => readPart(name, first));
      }
    },
  };
}

/** A timer that does not keep the process alive; it is set once until it has fired or was ended. */
function createTimer(action: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(ms: number): void {
      if (timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        action();
      }, ms);
      timer.unref();
    },
    end(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** The surroundings of one sandbox. */
export function createSurroundings(options: SurroundingsOptions): Surroundings {
  const { isStored, jobs, instance } = options;
  const values = createValues(options);
  const tapes = createTapes(options);
  /** The values of a sandbox without stored state. */
  const initial = values.texts();
  /** The values in the file. */
  let stored = initial;
  let isRead = !isStored;
  /**
   * Whether reading the state in the bank's file failed. Nothing is written before it is read, so that it is not
   * lost.
   */
  let isUnread = false;
  let writing: readonly Written[] = [];
  let entriesWritten = 0;

  const timer = createTimer(() => void flush());

  const writeRows = (opened: Instance, rows: readonly JournalPart[]): void => {
    const { surroundings, onUndo } = opened.store;
    tapes.write(opened, rows);
    const before = stored;
    stored = values.texts(opened);
    for (const name of NAMES) if (stored[name] !== before[name]) surroundings.write(name, stored[name]);
    onUndo(() => {
      stored = before;
    });
  };

  const flush = async (): Promise<void> => {
    const opened = instance();
    // A closed bank has written everything.
    if (opened === undefined) return;
    if (writing.length > 0) return timer.set(WAIT_MS);
    if (isUnread && !jobs.run('journal', () => read(opened))) return timer.set(RETRY_MS);
    const written = tapes.takeChanged();
    writing = written;
    entriesWritten = written.reduce((sum, { part }) => sum + part.entries.length, 0);
    try {
      const rows: JournalPart[] = [];
      for (const one of written) rows.push(await packed(one));
      if (writing !== written) return;
      if (instance() !== opened) return tapes.putBack(written);
      await opened.commit(() => writeRows(opened, rows));
      tapes.keep(written, rows);
      jobs.succeeded('journal');
    } catch (error) {
      tapes.putBack(written);
      // The bank was replaced or closed meanwhile: this is not a failure.
      if (instance() !== opened) return;
      jobs.failed('journal', error);
      timer.set(RETRY_MS);
    } finally {
      if (writing === written) writing = [];
    }
  };

  const readStored = (opened: Instance): void => {
    // Everything is read before anything is used, because a statement may fail.
    const found = NAMES.map((name) => [name, opened.store.surroundings.find(name)] as const);
    const parts = isRead ? [] : tapes.stored(opened);
    for (const [name, value] of found) {
      if (value === undefined) continue;
      stored = { ...stored, [name]: value };
      // Chaos belongs to the courier of a bank and is read with each bank; the rest is read once.
      if (!isRead || name === 'chaos') values.restore(name, opened, value);
    }
    if (isRead) return;
    isRead = true;
    tapes.continueStored(parts, JSON.parse(stored.receiver) as ReceiverState);
  };

  /**
   * Reads the stored state. If this throws, it is read again before anything is written, unless the state is not
   * JSON.
   */
  const read = (opened: Instance): void => {
    isUnread = true;
    try {
      readStored(opened);
      isUnread = false;
    } catch (error) {
      isUnread = isDatabaseFailure(error);
      throw error;
    }
  };

  return {
    change(setting, action) {
      const opened = options.open();
      if (isUnread) read(opened);
      const before = values.textOf(setting, opened);
      opened.store.onUndo(() => values.restore(setting, opened, before));
      const value = action();
      if (isStored) writeRows(opened, []);
      return value;
    },
    touch() {
      if (isStored) timer.set(WAIT_MS + entriesWritten * WAIT_PER_ENTRY_MS);
    },
    opened(opened, isNewBank) {
      if (!isStored) return;
      if (!isNewBank) {
        if (!jobs.run('journal', () => read(opened))) timer.set(RETRY_MS);
        return;
      }
      // The new file contains none of this state.
      isRead = true;
      isUnread = false;
      stored = initial;
      tapes.markAllChanged();
      timer.end();
      timer.set(0);
    },
    isRead: () => isRead,
    leave() {
      const opened = instance();
      if (isUnread && opened !== undefined) jobs.run('journal', () => read(opened));
      tapes.leave();
    },
    finish(opened) {
      if (!isStored) return;
      timer.end();
      tapes.putBack(writing);
      writing = [];
      let written: Written[] = [];
      try {
        if (isUnread) read(opened);
        written = tapes.takeChanged();
        const texts = values.texts(opened);
        if (written.length === 0 && NAMES.every((name) => texts[name] === stored[name])) return;
        const rows = written.map(packedNow);
        inTransaction(opened.connection.sqlite, () => writeRows(opened, rows));
        tapes.keep(written, rows);
        jobs.succeeded('journal');
      } catch (error) {
        tapes.putBack(written);
        jobs.failed('journal', error);
        timer.set(RETRY_MS);
        throw error;
      }
    },
  };
}

type ChaosStates = Readonly<Record<Id, ChaosState>>;

function chaosStates(opened: Instance | undefined): ChaosStates {
  const chaoses = opened?.courier?.chaoses() ?? [];
  return Object.fromEntries([...chaoses].map(([id, chaos]) => [id, chaos.state()]));
}

function restoreChaos({ courier }: Instance, states: ChaosStates): void {
  if (courier === null) return;
  for (const id of [...courier.chaoses().keys()]) if (!Object.hasOwn(states, id)) courier.setChaos(id, null);
  for (const [id, state] of Object.entries(states)) courier.setChaos(id, createChaos(state.setting, state));
}
