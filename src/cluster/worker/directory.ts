/**
 * The object with the list of all sandboxes: their state, the marks of their tokens, and their maximum number. The
 * runtime does not list objects, so each sandbox reserves its place here before it is created, and reports its state
 * during use.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Instant } from '../../bank/kernel/time.ts';
import { tokenMarkOf } from '../../sandboxes/registry/token-marks.ts';
import type { Totals } from '../../sandboxes/registry/totals.ts';
import type { ClockSetting } from '../../sandboxes/sandbox/sandbox-clock.ts';

/** The last report of a sandbox about its state. */
export interface Report extends Totals {
  readonly bytes: number;
  readonly clock: ClockSetting;
  /** The time of the report, on the real clock. */
  readonly at: Instant;
}

/** A sandbox in a list. */
export interface Listed extends Report {
  readonly name: string;
  /** The last use on the real clock; `null` if only its alarms have used it. */
  readonly usedAt: Instant | null;
}

/** `is_made` is 0 for a sandbox that has only reserved its place; `report` is a `Report` as JSON. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS sandboxes (
  name TEXT PRIMARY KEY, mark TEXT NOT NULL, is_made INTEGER NOT NULL, used_at INTEGER, report TEXT
) STRICT`;

export class Directory extends DurableObject {
  #isReady = false;

  /** All sandboxes, sorted by name. */
  list(): Listed[] {
    const rows = this.#rows('SELECT name, used_at, report FROM sandboxes WHERE is_made = 1 ORDER BY name');
    return rows.map(([name, usedAt, report]) => ({
      name: String(name),
      usedAt: usedAt as Instant | null,
      ...(JSON.parse(String(report)) as Report),
    }));
  }

  /** The names of the sandboxes with this mark of tokens; more than one only by coincidence. */
  namesOfMark(mark: string): string[] {
    return this.#rows('SELECT name FROM sandboxes WHERE mark = ?', mark).map(([name]) => String(name));
  }

  /** Reserves a place for a new sandbox; returns false if there are already `most` others. */
  reserve(name: string, most: number): boolean {
    const [[others] = []] = this.#rows('SELECT count(*) FROM sandboxes WHERE name <> ?', name);
    if (Number(others) >= most) return false;
    this.#rows('INSERT OR IGNORE INTO sandboxes VALUES (?, ?, 0, NULL, NULL)', name, tokenMarkOf(name));
    return true;
  }

  /** Releases the place of a sandbox that was not created. */
  release(name: string): void {
    this.#rows('DELETE FROM sandboxes WHERE name = ? AND is_made = 0', name);
  }

  report(name: string, usedAt: Instant | null, report: Report): void {
    this.#rows(
      `INSERT INTO sandboxes VALUES (?1, ?2, 1, ?3, ?4)
       ON CONFLICT (name) DO UPDATE SET is_made = 1, used_at = coalesce(?3, used_at), report = ?4`,
      name,
      tokenMarkOf(name),
      usedAt,
      JSON.stringify(report),
    );
  }

  /** Writes a value; rejects if the object cannot write. */
  probe(): void {
    this.ctx.storage.kv.put('probe', Date.now());
  }

  remove(name: string): void {
    this.#rows('DELETE FROM sandboxes WHERE name = ?', name);
  }

  #rows(sql: string, ...values: (string | number | null)[]): unknown[][] {
    const { sql: database } = this.ctx.storage;
    if (!this.#isReady) database.exec(SCHEMA);
    this.#isReady = true;
    return [...database.exec(sql, ...values).raw()];
  }
}
