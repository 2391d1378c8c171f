/**
 * Everything that a bank keeps, table by table, read from a copy of its database: what must be equal when two banks did
 * the same, or when one refused. The place in the random sequence is left out on request: a refused command may have
 * drawn an id that nobody ever saw.
 */
import { hash } from 'node:crypto';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Database } from '../../src/store/drizzle.ts';

type Row = Record<string, unknown>;

/** All rows of all tables, in the order of their keys. */
export function readTables(sandbox: Sandbox): Record<string, Row[]> {
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
 * The tables of the bank alone. The journal and what else surrounds a bank are in its file too; they have refused requests, are
 * written some seconds later, and are in no image.
 */
export function readBank(sandbox: Sandbox): ReturnType<typeof readTables> {
  const { surroundings: _, journal_parts: __, ...tables } = readTables(sandbox);
  return tables;
}

/** A short text that differs when anything in the bank differs but the place in the random sequence. */
export function digestOf(sandbox: Sandbox): string {
  const { meta = [], ...tables } = readBank(sandbox);
  const stored = meta.filter(({ key }) => key !== 'sequence');
  return hash('sha1', JSON.stringify([stored, tables]));
}
