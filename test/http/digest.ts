/**
 * Whether anything changed: a digest of every row of a bank, except for its bookkeeping (the position of the random
 * sequence, of which every request draws, and the answers that are kept for repetitions).
 */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Sandbox } from '../../src/sandboxes/sandbox.ts';

const BOOKKEEPING = new Set(['meta', 'idempotency_keys']);
/** Written once and never changed: their number tells enough, and there may be many. */
const APPENDED = new Set(['facts', 'transfers', 'deliveries', 'delivery_attempts']);

/** A text that is the same as long as no row is another. */
export function digestOf(sandbox: Sandbox): string {
  const db = new Database(sandbox.image());
  try {
    const tables = db
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
      .pluck()
      .all();
    const hash = createHash('sha1');
    for (const table of tables as string[]) {
      if (BOOKKEEPING.has(table)) continue;
      const columns = APPENDED.has(table) ? 'count(*)' : '*';
      hash.update(`${table} ${JSON.stringify(db.prepare(`SELECT ${columns} FROM "${table}"`).raw().all())}`);
    }
    return hash.digest('hex');
  } finally {
    db.close();
  }
}
