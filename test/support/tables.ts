/**
 * Reads all tables of a bank from a copy of its database, to check that two banks are equal or that a refused command
 * changed nothing. The position of the random sequence can be excluded, because a refused command may have generated
 * an id.
 */
import { hash } from 'node:crypto';
import { Database } from '../../src/bank/store/drizzle.ts';
import type { Sandbox } from '../../src/sandboxes/sandbox/sandbox.ts';

type Row = Record<string, unknown>;
export type HasImage = Pick<Sandbox, 'image'>;

/** All rows of all tables in key order. */
export function readTables(sandbox: HasImage): Record<string, Row[]> {
  const copy = new Database(sandbox.image());
  try {
    const names = copy
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names.map((name) => [name, copy.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all() as Row[]]),
    );
  } finally {
    copy.close();
  }
}

/**
 * The tables of the bank only. The file also contains the journal and other surroundings, which include refused
 * requests, are written some seconds later, and are not in images.
 */
export function readBank(sandbox: HasImage): ReturnType<typeof readTables> {
  const { surroundings: _, journal_parts: __, ...tables } = readTables(sandbox);
  return tables;
}

/** A digest of the bank without the position of the random sequence, and other keys of its table `meta`. */
export function digestOf(sandbox: HasImage, ...without: string[]): string {
  const { meta = [], ...tables } = readBank(sandbox);
  const stored = meta.filter(({ key }) => key !== 'sequence' && !without.includes(String(key)));
  return hash('sha1', JSON.stringify([stored, tables]));
}

/** The position of the last fact of a bank. */
export function latestSeqOf(sandbox: HasImage): number {
  return Number(readTables(sandbox).facts?.at(-1)?.seq);
}
