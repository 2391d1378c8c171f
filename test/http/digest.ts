/**
 * Whether anything changed: a digest of every row of a bank, except for its bookkeeping (the position of the random
 * sequence, of which every request draws, and the answers that are kept for repetitions).
 */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Sandbox } from '../../src/sandboxes/sandbox.ts';

const BOOKKEEPING = new Set(['meta', 'idempotency_keys']);

/** A text that is the same as long as no row is another. */
export function digestOf(sandbox: Sandbox): string {
  const db = new Database(sandbox.image());
  try {
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).pluck().all();
    const hash = createHash('sha1');
    for (const table of tables as string[]) {
      if (BOOKKEEPING.has(table)) continue;
      hash.update(table);
      for (const row of db.prepare(`SELECT * FROM "${table}"`).raw().iterate()) {
        hash.update(JSON.stringify(row));
      }
    }
    return hash.digest('hex');
  } finally {
    db.close();
  }
}
