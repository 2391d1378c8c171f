/**
 * The audit for `sandbank doctor`, the same as for imports: of a running bank over HTTP, otherwise of the files of a
 * data directory. The audit reads a copy of a file, with its log, because opening a file that was not closed, or is
 * of an older version, would change it.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../server/process/settings.ts';
import { bankOf, explainFailure, isFailure } from './bank.ts';
import type { Shell } from './shell.ts';

interface BooksFinding {
  readonly ok: boolean;
  readonly message: string;
}

const FILE = /^(.+)\.sqlite$/;
const SHOWN_PROBLEMS = 3;

/** The books of each sandbox of the bank at a URL whose key is known. */
export async function booksOfBank(
  shell: Shell,
  { controlToken }: Config,
  url: string,
): Promise<BooksFinding[]> {
  const options = { url, ...(controlToken !== null && { controlToken }) };
  try {
    const { sandboxes } = await bankOf(shell, options).sandbox.listSandboxes();
    const wrong: BooksFinding[] = [];
    let audited = 0;
    for (const { name, key, problem } of sandboxes) {
      if (problem !== '') wrong.push({ ok: false, message: `${name} cannot be used: ${problem}` });
      else if (key !== null) {
        const { problems } = await bankOf(shell, { ...options, key }).sandbox.verifyLedger();
        audited += 1;
        if (problems.length > 0) wrong.push(wrongBooks(name, problems));
      }
    }
    return wrong.length > 0 ? wrong : [balanced(audited)];
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [{ ok: false, message: explainFailure(error) }];
  }
}

/** The books of each file in a data directory. */
export async function booksOfFiles(folder: string | null): Promise<BooksFinding[]> {
  if (folder === null || !existsSync(folder)) return [];
  const names = readdirSync(folder).flatMap((file) => FILE.exec(file)?.[1] ?? []);
  if (names.length === 0) return [];
  if (await isInUse(join(folder, 'resting.index'))) {
    return [
      {
        ok: true,
        message: `not audited: a Sandbank uses ${folder}; pass its port with --port, so that it audits its books`,
      },
    ];
  }
  const wrong: BooksFinding[] = [];
  for (const name of names) {
    const problems = await problemsOf(folder, name);
    if (problems.length > 0) wrong.push(wrongBooks(name, problems));
  }
  return wrong.length > 0 ? wrong : [balanced(names.length)];
}

async function problemsOf(folder: string, name: string): Promise<string[]> {
  const { openConnection } = await import('../bank/store/open.ts');
  const { auditBank } = await import('../bank/verbs/audit.ts');
  const aside = mkdtempSync(join(tmpdir(), 'sandbank-doctor-'));
  try {
    const path = join(aside, 'bank.sqlite');
    for (const end of ['', '-wal']) {
      const own = join(folder, `${name}.sqlite${end}`);
      if (existsSync(own)) copyFileSync(own, path + end);
    }
    const { db, close } = openConnection({ kind: 'file', path, synchronous: 'off' });
    try {
      return auditBank(db).problems;
    } finally {
      close();
    }
  } catch (error) {
    return [`its file cannot be read: ${error instanceof Error ? error.message : error}`];
  } finally {
    rmSync(aside, { recursive: true });
  }
}

/**
 * Whether a bank has the data directory of this index open: then the index has a log and a lock. After a kill there
 * is no lock.
 */
async function isInUse(index: string): Promise<boolean> {
  if (!existsSync(`${index}-wal`)) return false;
  const { Database } = await import('../bank/store/drizzle.ts');
  const shared = `${index}-shm`;
  const wasShared = existsSync(shared);
  try {
    const sqlite = new Database(index, { readonly: true, timeout: 0 });
    try {
      sqlite.prepare('SELECT count(*) FROM sqlite_schema').get();
    } finally {
      sqlite.close();
    }
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY';
  } finally {
    // A reader creates this file and does not remove it; the bank keeps its own in memory.
    if (!wasShared) rmSync(shared, { force: true });
  }
}

function wrongBooks(name: string, problems: readonly string[]): BooksFinding {
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = problems.slice(0, SHOWN_PROBLEMS).join('; ');
  const rest = more > 0 ? `; and ${more} more` : '';
  return {
    ok: false,
    message: `the books of ${name} are wrong: ${shown}${rest}. Restore an export or a snapshot of it, or reset it`,
  };
}

function balanced(count: number): BooksFinding {
  return { ok: true, message: `of ${count} ${count === 1 ? 'sandbox' : 'sandboxes'} balance` };
}
