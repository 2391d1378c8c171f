/**
 * Makes the n-th SQLite statement of any database fail and checks the result, for tests that do this for every n. A
 * full disk leaves the transaction open, a disk error can end it, and a locked file only causes a delay.
 */
import { expect } from 'vitest';
import { cachesOf } from '../../../src/bank/store/cache.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { FUZZ_RUNS } from '../../support/runs.ts';

/** `npm run test:long` tries everything, `npm test` a sample. */
export const IS_LONG = FUZZ_RUNS !== undefined;

export const FAILURES = [
  { code: 'SQLITE_FULL', endsTransaction: false },
  { code: 'SQLITE_IOERR', endsTransaction: true },
  { code: 'SQLITE_BUSY', endsTransaction: false },
] as const;
export type Failure = (typeof FAILURES)[number];

/** Runs the work with its n-th statement failing (none for 0), and returns how many statements it ran. */
export async function failNth<T>(
  nth: number,
  { code, endsTransaction }: Failure,
  work: () => Promise<T>,
): Promise<{ value: T; statements: number }> {
  let statements = 0;
  const end = watchSqlite(({ database }) => {
    statements += 1;
    if (statements !== nth) return;
    if (endsTransaction && database.inTransaction) database.exec('ROLLBACK');
    throw sqliteError(code);
  });
  try {
    return { value: await work(), statements };
  } finally {
    end();
  }
}

/**
 * Each statement with each failure, each statement with one of them in turn, or one case, another for each number.
 */
export type Choice = 'all' | 'in turn' | number;

/** A prime, so that the samples of different work have other statements and failures. */
const STEP = 23;

/** The cases of some work with this many statements. */
export function casesOf(statements: number, choice: Choice): [nth: number, failure: Failure][] {
  const all = Array.from({ length: statements }, (_, index) =>
    FAILURES.map((failure): [number, Failure] => [index + 1, failure]),
  );
  if (choice === 'all') return all.flat();
  if (choice === 'in turn')
    return all.flatMap((cases, index) => cases.slice(index % cases.length).slice(0, 1));
  return statements === 0
    ? []
    : all
        .flat()
        .slice((choice * STEP) % (statements * FAILURES.length))
        .slice(0, 1);
}

/** Collects errors that would have ended the process; `end` returns them. */
export function watchProcess(): { end(): Promise<unknown[]> } {
  const errors: unknown[] = [];
  const note = (error: unknown): void => void errors.push(error);
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
  return {
    async end() {
      // A rejection counts as unhandled at the end of the turn.
      await new Promise((resolve) => setImmediate(resolve));
      process.off('uncaughtException', note);
      process.off('unhandledRejection', note);
      return errors;
    },
  };
}

/**
 * No transaction is open, so this connection reads the state of the file; the caches are equal to it, and the books
 * balance.
 */
export function requireWhole(sandbox: Sandbox, see: (sandbox: Sandbox) => unknown, at: string): void {
  const { sqlite } = sandbox.connection;
  expect(sqlite.inTransaction, at).toBe(false);
  const seen = see(sandbox);
  cachesOf(sqlite).settle(0);
  expect(see(sandbox), at).toEqual(seen);
  expect(sandbox.audit().problems, at).toEqual([]);
}
