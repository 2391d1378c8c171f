/**
 * Disk faults of a server: a disk that is temporarily full, under load or while all sandboxes are idle, and damaged
 * files.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, find } from './client.ts';
import { runActions } from './clients.ts';
import type { Damage, Full, Idle } from './plan.ts';
import { fileOf, TOOLS } from './server.ts';

/** The data directory of a phase. */
export interface Stage {
  readonly data: string;
  /** Whether the data directory is a separate small file system. */
  readonly isSmall: boolean;
}

/** On a busy machine; a bank that does not recover would take forever. */
const RECOVERY_MS = 30_000;
/** The server retries a failed closing of a file at its next check, after a few seconds; the rest is for a busy machine. */
const READY_AGAIN_MS = 40_000;
const LOOK_EVERY_MS = 250;

/** Fills a small file system except for `roomKb`; the result frees it. */
function fillUp(data: string, roomKb: number): () => void {
  const ballast = join(data, 'ballast');
  const { bavail, bsize } = statfsSync(data);
  const file = openSync(ballast, 'w');
  const piece = Buffer.alloc(64 * 1024);
  try {
    for (let left = bavail * bsize - roomKb * 1024; left > 0; )
      left -= writeSync(file, piece, 0, Math.min(left, piece.length));
  } catch {
    // The bank used the last bytes first.
  }
  closeSync(file);
  return () => rmSync(ballast, { force: true });
}

/** Makes the disk full. The result frees it, and waits until payments are accepted again. */
export function fill(
  client: Client,
  { kind, roomKb }: Full,
  { data, isSmall }: Stage,
): (() => Promise<void>) | undefined {
  const { server } = client;
  let free: () => void;
  if (kind === 'tmpfs' && isSmall) {
    free = fillUp(data, roomKb);
  } else if (TOOLS.prlimit) {
    const logs = readdirSync(data).filter((name) => name.endsWith('-wal'));
    const longest = Math.max(0, ...logs.map((name) => statSync(join(data, name)).size));
    const limit = (text: string): void =>
      void spawnSync('prlimit', ['--pid', String(server.pid), `--fsize=${text}:`]);
    limit(String(longest + roomKb * 1024));
    free = () => limit('unlimited');
  } else return undefined;
  const over = client.excuses.begin();
  return async () => {
    free();
    const since = performance.now();
    const before = client.model.items.size;
    for (let tried = 0; server.ended() === null && !server.ending; tried += 1) {
      const tag = `r${before}-${tried}`;
      const pay = { do: 'pay', lane: 0, sandbox: 'still', tag, rail: 'v2_ach_pull', cents: 7 } as const;
      await runActions(client, [pay]);
      if (client.model.items.get(tag)?.state !== 'refused') break;
      if (performance.now() - since > RECOVERY_MS) {
        find(client, 'the bank does not recover when there is room again', `for ${RECOVERY_MS} ms`);
        break;
      }
      await pause(50);
    }
    // Other clients may still receive responses to requests that failed before.
    await pause(300);
    over();
  };
}

/**
 * Sends no requests until the files of all sandboxes are closed; meanwhile the disk becomes full and empty again. The process must
 * continue, report the failing jobs, and be ready again when there is space.
 */
export async function idleThrough(
  client: Client,
  { forMs, full }: Idle,
  { data, isSmall }: Stage,
): Promise<void> {
  const { server } = client;
  const since = performance.now();
  const elapsed = (): number => performance.now() - since;
  const wait = async (ms: number): Promise<void> => {
    while (elapsed() < ms && server.ended() === null) await pause(Math.min(LOOK_EVERY_MS, ms - elapsed()));
  };
  for (const { fromMs, untilMs } of isSmall ? full : []) {
    await wait(fromMs);
    const over = client.excuses.begin();
    const free = fillUp(data, 0);
    await wait(untilMs);
    free();
    over();
  }
  await wait(forMs);
  if (server.ended() !== null) {
    find(
      client,
      'the server ended by itself',
      `while its sandboxes idled: ${JSON.stringify(server.ended())}`,
    );
    return;
  }
  const emptiedAt = elapsed();
  for (;;) {
    const reply = await server.fetchReply({ method: 'GET', path: '/readyz', headers: {} });
    if (reply?.status === 200 && !reply.text.includes('failing_jobs')) return;
    if (elapsed() - emptiedAt > READY_AGAIN_MS) {
      const output = `after ${READY_AGAIN_MS} ms with room: ${reply?.status} ${reply?.text}`;
      find(client, 'the bank is not ready again after its sandboxes idled on a full disk', output);
      return;
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Damages the file of a sandbox, if it exists. */
export function damage(client: Client, data: string, { sandbox, how, at }: Damage): void {
  const file = fileOf(data, sandbox);
  if (!existsSync(file)) return;
  const { size } = statSync(file);
  client.model.sandbox(sandbox).isDamaged = true;
  if (how === 'delete') rmSync(file);
  else if (how === 'empty') writeFileSync(file, '');
  else {
    const handle = openSync(file, 'r+');
    if (how === 'truncate') ftruncateSync(handle, Math.floor(size * (at[0] ?? 0)));
    else for (const part of at) writeSync(handle, Buffer.from([0xa5]), 0, 1, Math.floor(size * part));
    closeSync(handle);
  }
}
