/**
 * Whether anything changed: a digest of every row of a bank, except for its bookkeeping (the position of the random
 * sequence, of which every request draws, and the answers that are kept for repetitions). Reading every row takes
 * milliseconds, and most digests are taken to see that nothing changed. So two images that differ in nothing but the
 * pages of the bookkeeping count as the same bank, and no row of it is read.
 */
import { createHash } from 'node:crypto';
import Database, { type Database as Sqlite } from 'better-sqlite3';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { lazily } from '../../src/store/lazily.ts';

const BOOKKEEPING: readonly string[] = ['meta', 'idempotency_keys'];
/** Written once and never changed: their number tells enough, and there may be many. */
const APPENDED = new Set(['facts', 'transfers', 'deliveries', 'delivery_attempts']);
/** What every commit writes into the header of a database: its change counter, and the counter and version at its end. */
const COMMIT_FIELDS = [
  [24, 28],
  [92, 100],
] as const;

/** The rows of a bank at one moment; what is not asked for is not read. */
export interface State {
  readonly image: Buffer;
  /** A text that is the same as long as no row is another. */
  readonly digest: () => string;
  /** The parts of the image that hold no bookkeeping. */
  readonly parts: () => readonly (readonly [start: number, end: number])[];
}

const latest = new WeakMap<Sandbox, State>();

/** What `isSameState` compares. */
export function stateOf(sandbox: Sandbox): State {
  const image = sandbox.image();
  return {
    image,
    digest: lazily(() => reading(image, readAll)),
    parts: lazily(() => reading(image, (db) => partsOf(db, image.length))),
  };
}

/** Whether no row changed from the one to the other. */
export function isSameState(before: State, after: State): boolean {
  return hasSameParts(before, after) || before.digest() === after.digest();
}

/** A text that is the same as long as no row is another. */
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
  // A database in memory takes the buffer for its own.
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

/** What remains of an image without the pages of the bookkeeping's tables and indexes and without the commit fields. */
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
