/**
 * Migrates a database to the current schema: the files of `migrations/` in order, each in a transaction, counted in
 * `user_version`. A database of a newer version is refused, because writing to it could lose data.
 * Source: decision `older-rows-repaired` in docs/fidelity.md.
 */
import { projectFilesIn, readProjectFile } from '../kernel/project.ts';
import type { Driver } from './driver.ts';

const FOLDER = 'migrations/';

let known: string[] | undefined;

function migrations(): string[] {
  known ??= projectFilesIn(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => String(readProjectFile(FOLDER + name)));
  return known;
}

/** A data file that this version cannot use. */
export class DataVersionError extends Error {}

/** The schema version that this program writes. */
export function schemaVersion(): number {
  return migrations().length;
}

/** The migrations up to the schema of a version. */
export function stepsTo(version: number): readonly string[] {
  return migrations().slice(0, version);
}

/** Applies the missing migrations. Throws `DataVersionError` for a database of a newer program. */
export function migrate(sqlite: Driver, steps: readonly string[] = migrations()): void {
  const { version } = sqlite;
  if (version > steps.length) {
    throw new DataVersionError(
      `${sqlite.name} was written by a newer Sandbank (schema ${version}, this version supports ${steps.length}): ` +
        'start that version again, or choose another data directory',
    );
  }
  if (version === steps.length) return;
  // Recreating a table to which others refer drops it first, which foreign keys would prevent.
  sqlite.rebuild(() => {
    for (const step of steps.slice(version)) sqlite.exec(step);
    requireWhole(sqlite);
    sqlite.version = steps.length;
  });
}

function requireWhole(sqlite: Driver): void {
  const orphan = sqlite.prepare('PRAGMA foreign_key_check').get() as { table: string } | undefined;
  if (orphan !== undefined) throw new Error(`a row of ${orphan.table} refers to a missing row`);
}
