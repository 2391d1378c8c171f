/**
 * Whether anything changed: a digest of every row of a bank, except for its bookkeeping (the position of the random
 * sequence, of which every request draws, and the answers that are kept for repetitions). Reading every row takes
 * milliseconds, and most digests are taken to see that nothing changed. So a bank whose image differs from the one before
 * in nothing but the pages of its bookkeeping has the same digest, without being read again.
 */
import { createHash } from 'node:crypto';
import Database, { type Database as Sqlite } from 'better-sqlite3';
import type { Sandbox } from '../../src/sandboxes/sandbox.ts';

const BOOKKEEPING: readonly string[] = ['meta', 'idempotency_keys'];
/** Written once and never changed: their number tells enough, and there may be many. */
const APPENDED = new Set(['facts', 'transfers', 'deliveries', 'delivery_attempts']);
/** What every commit writes into the header of a database: its change counter, and the counter and version at its end. */
const COMMIT_FIELDS = [
  [24, 28],
  [92, 100],
] as const;

interface Digested {
  image: Buffer;
  digest: string;
  /** The parts of the image that hold no bookkeeping. */
  parts: readonly (readonly [start: number, end: number])[];
}

const latest = new WeakMap<Sandbox, Digested>();

/** A text that is the same as long as no row is another. */
export function digestOf(sandbox: Sandbox): string {
  const image = sandbox.image();
  const before = latest.get(sandbox);
  if (before !== undefined && isSame(image, before)) return before.digest;
  // A database in memory takes the buffer for its own.
  const db = new Database(Buffer.from(image));
  try {
    const digested = { image, digest: readAll(db), parts: partsOf(db, image.length) };
    latest.set(sandbox, digested);
    return digested.digest;
  } finally {
    db.close();
  }
}

function isSame(image: Buffer, { image: other, parts }: Digested): boolean {
  return (
    image.length === other.length &&
    parts.every(([start, end]) => image.compare(other, start, end, start, end) === 0)
  );
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
