/**
 * The disk space of an ACH pull with a fresh idempotency key: the bytes by which the file of its bank grows, by table,
 * and the bytes that a lone payment writes into the write-ahead log, where each page that it changes is written whole.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { caseOf, requestOf } from './cases.ts';
import { startBank, startClient } from './children.ts';
import { median } from './numbers.ts';
import { readBank } from './state.ts';

export interface BytesFigures {
  readonly payments: number;
  /** The bytes that a payment adds to the file. */
  readonly kept: number;
  /** The same by table with its indexes, the largest first. */
  readonly tables: readonly { readonly table: string; readonly bytes: number }[];
  /** Bytes of the log for a payment that is alone in its commit, median. */
  readonly log: number;
}

const CONNECTIONS = 64;
/** A checkpoint restarts the log after 1,000 pages, which this number of payments does not fill. */
const LONE_PAYMENTS = 25;
const FILE = 'default.sqlite';
/** The stored size of the last requests does not depend on their number. */
const NOT_OF_PAYMENTS = new Set(['journal_parts']);

/** Measures this build, or that in another folder. */
export async function measureBytes(seconds: number, build?: string): Promise<BytesFigures> {
  const measured = caseOf('ach');
  const empty = await startBank('file', { build });
  await empty.stop();
  const before = sizesOf(join(empty.data, FILE));

  const bank = await startBank('file', { build });
  const { seeded } = await readBank(bank.url);
  const client = startClient();
  const request = { ...requestOf(measured, seeded), port: bank.port };
  const logs: number[] = [];
  let payments = 0;
  for (let number = 0; number < LONE_PAYMENTS; number += 1) {
    const response = await fetch(bank.url + request.path, {
      method: request.method,
      headers: {
        ...request.headers,
        'content-type': 'application/json',
        [request.freshHeader]: `lone-${number}`,
      },
      body: request.body,
    });
    if (response.status !== request.status) throw new Error(`a payment was answered with ${response.status}`);
    await response.text();
    payments += 1;
    logs.push(logOf(join(bank.data, `${FILE}-wal`)));
  }
  const { answers, problem } = await client.run({
    ...request,
    name: 'bytes',
    connections: CONNECTIONS,
    seconds,
  });
  if (problem !== '') throw new Error(problem);
  payments += answers;
  await client.stop();
  await bank.stop();

  const tables = [...sizesOf(join(bank.data, FILE))]
    .map(([table, bytes]) => ({ table, bytes: (bytes - (before.get(table) ?? 0)) / payments }))
    .filter(({ table, bytes }) => !NOT_OF_PAYMENTS.has(table) && bytes >= 1)
    .toSorted((a, b) => b.bytes - a.bytes);
  const steps = logs.slice(1).map((log, at) => log - (logs[at] ?? 0));
  return {
    payments,
    kept: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    tables,
    // A restarted log is shorter than before.
    log: median(steps.filter((step) => step > 0)),
  };
}

/** The bytes of the pages of each table and its indexes. */
function sizesOf(path: string): Map<string, number> {
  const sqlite = new Database(path, { readonly: true });
  try {
    const rows = sqlite
      .prepare(
        'SELECT coalesce(tbl_name, name) AS name, sum(pgsize) AS bytes FROM dbstat LEFT JOIN sqlite_schema USING (name) GROUP BY 1',
      )
      .all() as { name: string; bytes: number }[];
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  } finally {
    sqlite.close();
  }
}

const LOG_HEAD = 32;
const FRAME_HEAD = 24;

/** The bytes of a log up to its last frame; the file itself may be longer, because it is written again from its beginning. */
function logOf(path: string): number {
  const log = readFileSync(path);
  const frame = FRAME_HEAD + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let end = LOG_HEAD;
  while (end + frame <= log.length && salts.equals(log.subarray(end + 8, end + 16))) end += frame;
  return end;
}
