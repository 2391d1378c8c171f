/**
 * Intercepts every statement by replacing better-sqlite3's methods during a test; the bank contains no code for this.
 * Failures behave as in SQLite: `SQLITE_FULL` and `SQLITE_IOERR` may end the whole transaction, and a rollback never
 * fails.
 */
import { createRequire } from 'node:module';
import type * as Sqlite from 'better-sqlite3';
import type { NodeDriver } from '../../src/bank/store/node-driver.ts';

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite.default;

/** A statement that is about to run. */
export interface Step {
  readonly sql: string;
  readonly database: NodeDriver;
  /** Whether it is a commit, or a write outside of a transaction, which commits too. */
  readonly isCommit: boolean;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Methods = Record<string, Method>;

const READS = /^\s*(SELECT|PRAGMA|WITH|EXPLAIN|BEGIN|SAVEPOINT|RELEASE|ROLLBACK|ATTACH|DETACH|CREATE TEMP)/i;
const COMMITS = /^\s*COMMIT/i;
const ROLLBACKS = /^\s*ROLLBACK/i;

function stepOf(sql: string, database: NodeDriver): Step {
  const isCommit = COMMITS.test(sql) || (!database.inTransaction && !READS.test(sql));
  return { sql, database, isCommit };
}

/** Calls `before`, which may throw, for every statement except rollbacks; returns the function that ends this. */
export function watchSqlite(before: (step: Step) => void): () => void {
  const probe = new Database(':memory:');
  const statements = Object.getPrototypeOf(probe.prepare('SELECT 1')) as Methods;
  const databases = Object.getPrototypeOf(probe) as Methods;
  probe.close();
  const undo: (() => void)[] = [];
  const replace = (methods: Methods, name: string, sqlOf: (self: unknown, args: unknown[]) => Step): void => {
    const original = methods[name] as Method;
    methods[name] = function (this: unknown, ...args: unknown[]) {
      const step = sqlOf(this, args);
      if (!ROLLBACKS.test(step.sql)) before(step);
      return original.apply(this, args);
    };
    undo.push(() => {
      methods[name] = original;
    });
  };
  for (const name of ['run', 'get', 'all', 'iterate']) {
    replace(statements, name, (self) => {
      const { source, database } = self as Sqlite.Statement;
      return stepOf(source, database as NodeDriver);
    });
  }
  replace(databases, 'exec', (self, [sql]) => stepOf(String(sql), self as NodeDriver));
  replace(databases, 'backup', (self) => ({
    sql: 'backup',
    database: self as NodeDriver,
    isCommit: true,
  }));
  return () => {
    for (const end of undo) end();
  };
}

/** SQLite's error with this code. */
export function sqliteError(code: string): Error {
  const messages: Record<string, string> = {
    SQLITE_FULL: 'database or disk is full',
    SQLITE_IOERR: 'disk I/O error',
    SQLITE_BUSY: 'database is locked',
  };
  return new Database.SqliteError(messages[code] ?? code, code);
}
