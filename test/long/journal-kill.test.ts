/**
 * A killed bank with its journal in the file of the sandbox: after the kill, the link to a request and the settings
 * are still valid.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Database } from '../../src/bank/store/drizzle.ts';
import { makeFolder, pull, type Running, startBank, stop, until } from '../server/process/support.ts';

const FILE = 'default.sqlite';
const DEADLINE_MS = 60_000;
const TIMEOUT_MS = 180_000;

/** The number of entries in the file, read from a copy: the bank has locked the file. */
function entriesIn(data: string): number {
  const copy = makeFolder();
  for (const file of [FILE, `${FILE}-wal`]) copyFileSync(join(data, file), join(copy, file));
  const database = new Database(join(copy, FILE));
  try {
    const sql = "SELECT coalesce(sum(up_to - first), 0) FROM journal_parts WHERE tape = 'requests'";
    return database.prepare(sql).pluck().get() as number;
  } catch {
    // It was copied during a write.
    return 0;
  } finally {
    database.close();
  }
}

it(
  'requests and faults survive kill -9',
  async () => {
    const data = makeFolder();
    const start = (): Promise<Running> => startBank({ SANDBANK_DATA: data, SANDBANK_RAILS: 'manual' });
    const before = await start();
    await pull(before, '62.40');
    const fault = await before.v2('POST', '/_sandbox/faults', { error: { status: 503 }, times: 1 });
    expect((await before.v2('GET', '/v2/webhook')).status).toBe(503);
    const { requests } = (await before.v2('GET', '/_sandbox/requests')).body as {
      requests: { id: string }[];
    };
    await until('the requests in the file', () => entriesIn(data) === requests.length, DEADLINE_MS);
    await stop(before, 'SIGKILL');
    expect(existsSync(join(data, `${FILE}-wal`))).toBe(true);

    const after = await start();
    expect((await after.v2('GET', '/_sandbox/requests')).body).toMatchObject({ requests });
    for (const { id } of requests)
      expect((await after.v2('GET', `/_sandbox/requests/${id}`)).status).toBe(200);
    const { faults } = (await after.v2('GET', '/_sandbox/faults')).body as { faults: object[] };
    expect(faults).toMatchObject([{ id: fault.body.id, hits: 1, over: true }]);
    // The fault has ended, so the next request is processed.
    expect((await after.v2('GET', '/v2/webhook')).status).toBe(200);
    await stop(after);
  },
  TIMEOUT_MS,
);
