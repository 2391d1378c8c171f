/**
 * The object that knows which sandboxes there are: what a list shows, what a token's mark stands for, and how many there may be. An
 * object cannot be listed, so each sandbox reserves its place here before it is made, and reports how it is while it is used.
 */
import { DurableObject } from 'cloudflare:workers';
import type { Instant } from '../kernel/time.ts';
import type { Totals } from '../registry/registry.ts';
import { tokenMarkOf } from '../registry/token-marks.ts';
import type { ClockSetting } from '../sandbox/sandbox-clock.ts';

/** How a sandbox is, as it last said itself. */
export interface Report extends Totals {
  readonly bytes: number;
  readonly clock: ClockSetting;
  /** When it said so, on the real clock. */
  readonly at: Instant;
}

/** A sandbox in a list. */
export interface Listed extends Report {
  readonly name: string;
  /** On the real clock; `null` where only its alarms have used it. */
  readonly usedAt: Instant | null;
}

/** `is_made` is 0 for one that has only reserved its place; `report` is a `Report` as JSON. */
const SCHEMA = `CREATE TABLE IF NOT EXISTS sandboxes (
  name TEXT PRIMARY KEY, mark TEXT NOT NULL, is_made INTEGER NOT NULL, used_at INTEGER, report TEXT
) STRICT`;

export class Directory extends DurableObject {
  #isReady = false;

  /** All sandboxes, in the order of their names. */
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

  /** Keeps a place for a sandbox that may be made now; false where there are `most` without it. */
  reserve(name: string, most: number): boolean {
    const [[others] = []] = this.#rows('SELECT count(*) FROM sandboxes WHERE name <> ?', name);
    if (Number(others) >= most) return false;
    this.#rows('INSERT OR IGNORE INTO sandboxes VALUES (?, ?, 0, NULL, NULL)', name, tokenMarkOf(name));
    return true;
  }

  /** Gives back the place of one that was not made. */
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

  /** Throws what keeps an object from writing; resolves once it is kept. */
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
