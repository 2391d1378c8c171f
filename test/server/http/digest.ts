/**
 * Whether anything changed: a digest of every row of a bank, except its bookkeeping (the position of the random
 * sequence, which every request moves, and the stored responses for repetitions). Reading every row takes
 * milliseconds, and most digests are computed to check that nothing changed. So two images that differ only in the
 * pages of the bookkeeping count as the same bank, and no row is read.
 */
import { createHash } from 'node:crypto';
import Database, { type Database as Sqlite } from 'better-sqlite3';
import { lazily } from '../../../src/bank/store/lazily.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';

const BOOKKEEPING: readonly string[] = ['meta', 'idempotency_keys'];
/** Written once and never changed: their number is sufficient, and there may be many. */
const APPENDED = new Set(['facts', 'transfers', 'deliveries', 'delivery_attempts']);
/**
 * What every commit writes into the header of a database: its change counter, and the counter and version at the end
 * of the header.
 */
const COMMIT_FIELDS = [
  [24, 28],
  [92, 100],
] as const;

/** The rows of a bank at one moment; they are read on use. */
export interface State {
  readonly image: Buffer;
  /** A text that depends only on the rows. */
  readonly digest: () => string;
  /** The parts of the image without bookkeeping. */
  readonly parts: () => readonly (readonly [start: number, end: number])[];
}

const latest = new WeakMap<Sandbox, State>();

/** The input of `isSameState`. */
export function stateOf(sandbox: Sandbox): State {
  const image = sandbox.image();
  return {
    image,
    digest: lazily(() => reading(image, readAll)),
    parts: lazily(() => reading(image, (db) => partsOf(db, image.length))),
  };
}

/** Whether no row changed between them. */
export function isSameState(before: State, after: State): boolean {
  return hasSameParts(before, after) || before.digest() === after.digest();
}

/** A text that depends only on the rows. */
export function digestOf(sandbox: Sandbox): string {
  const state = stateOf(sandbox);
  const before = latest.get(sandbox);
  if (before !== undefined && hasSameParts(before, state)) return before.digest();
  latest.set(sandbox, state);
  return state.digest();
}

function hasSameParts(before: State, { image }: State): boolean {
  return (
    image.length === before.image.length &&
    before.parts().every(([start, end]) => image.compare(before.image, start, end, start, end) === 0)
  );
}

function reading<T>(image: Buffer, read: (db: Sqlite) => T): T {
  // A database in memory takes ownership of the buffer.
  const db = new Database(Buffer.from(image));
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function readAll(db: Sqlite): string {
  const tables = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .pluck()
    .all();
  const hash = createHash('sha1');
  for (const table of tables as string[]) {
    if (BOOKKEEPING.includes(table)) continue;
    const columns = APPENDED.has(table) ? 'count(*)' : '*';
    hash.update(`${table} ${JSON.stringify(db.prepare(`SELECT ${columns} FROM "${table}"`).raw().all())}`);
  }
  return hash.digest('hex');
}

/**
 * The rest of an image without the pages of the bookkeeping's tables and indexes and without the commit fields.
 */
function partsOf(db: Sqlite, length: number): [start: number, end: number][] {
  const size = Number(db.pragma('page_size', { simple: true }));
  const pages = db
    .prepare(
      `SELECT pageno FROM dbstat JOIN sqlite_schema USING (name)
       WHERE tbl_name IN (${BOOKKEEPING.map(() => '?').join()}) ORDER BY pageno`,
    )
    .pluck()
    .all(...BOOKKEEPING) as number[];
  const parts: [number, number][] = [];
  let start = 0;
  for (const [from, to] of [
    ...COMMIT_FIELDS,
    ...pages.map((page) => [(page - 1) * size, page * size] as const),
  ]) {
    if (start < from) parts.push([start, from]);
    start = to;
  }
  if (start < length) parts.push([start, length]);
  return parts;
}
