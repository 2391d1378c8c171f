/**
 * The object that knows which sandboxes there are: what a list shows and what a token's mark stands for. An object cannot be
 * listed, so each sandbox says here when it is made and when it ends.
 */
import { DurableObject } from 'cloudflare:workers';
import { tokenMarkOf } from '../registry/token-marks.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS sandboxes (name TEXT PRIMARY KEY, mark TEXT NOT NULL) STRICT';

export class Directory extends DurableObject {
  #isReady = false;

  /** The names of all sandboxes, in their order. */
  names(): string[] {
    return this.#texts('SELECT name FROM sandboxes ORDER BY name');
  }

  /** The names of those whose tokens end so; more than one only by chance. */
  namesOfMark(mark: string): string[] {
    return this.#texts('SELECT name FROM sandboxes WHERE mark = ?', mark);
  }

  add(name: string): void {
    this.#texts('INSERT OR IGNORE INTO sandboxes VALUES (?, ?)', name, tokenMarkOf(name));
  }

  remove(name: string): void {
    this.#texts('DELETE FROM sandboxes WHERE name = ?', name);
  }

  #texts(sql: string, ...values: string[]): string[] {
    const { sql: database } = this.ctx.storage;
    if (!this.#isReady) database.exec(SCHEMA);
    this.#isReady = true;
    return Array.from(database.exec(sql, ...values).raw(), ([text]) => String(text));
  }
}
