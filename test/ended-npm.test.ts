// What npm and npx start ends with them, also if they are killed, unless it was started to stay.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeFolder } from './server/process/support.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));
const TIMEOUT_MS = 60_000;

interface Started {
  readonly npm: ChildProcess & { readonly stdout: Readable };
  /** The part of the text in parentheses. */
  readonly found: string;
  readonly readyFile: string;
}

/** Starts npm in a project with these scripts; returns it with the text that its processes print until it matches. */
async function startNpm(words: string[], expected: RegExp): Promise<Started> {
  const cwd = makeFolder();
  const readyFile = join(cwd, 'ready.json');
  const scripts = {
    // A shell that waits for its command does not pass a signal to it.
    start: `true && "${process.execPath}" "${LAUNCHER}" start && true`,
    stays: `setsid "${process.execPath}" "${LAUNCHER}" start &`,
  };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts }));
  // The npm that runs the tests must not lend its settings to this one, and the bank refuses the variables of tests.
  const { PATH, HOME } = process.env;
  const npm = spawn('npm', words, {
    cwd,
    env: { PATH, HOME, SANDBANK_PORT: '0', SANDBANK_DATA: '', SANDBANK_READY_FILE: readyFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const found = expected.exec(text)?.[1];
    if (found !== undefined) return { npm, found, readyFile };
  }
  throw new Error(`npm ended with ${npm.exitCode}: ${text}`);
}

const LISTENING = /"url":"([^"]+)"/;
const isThere = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

describe('what npm started', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with npm after %s: a bank',
    async (signal) => {
      const { npm, found: url } = await startNpm(['start', '--silent'], LISTENING);
      expect(await isThere(`${url}/livez`)).toBe(true);
      npm.stdout.resume();
      npm.kill(signal);
      // The pipe is open as long as a process can write to it.
      await once(npm.stdout, 'close');
      expect(await isThere(`${url}/livez`)).toBe(false);
    },
    TIMEOUT_MS,
  );

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'ends with npx after %s: `sandbank exec` and its command',
    async (signal) => {
      const program = `console.log('at ' + process.env.SANDBANK_URL + ' .'); setInterval(() => {}, 60000)`;
      const command = `"${process.execPath}" "${LAUNCHER}" exec -- "${process.execPath}" -e "${program}" && true`;
      const { npm, found: url } = await startNpm(['exec', '-c', command], /at (\S+) \./);
      npm.stdout.resume();
      npm.kill(signal);
      await once(npm.stdout, 'close');
      expect(await isThere(`${url}/livez`)).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    'stays if it leads a session of its own',
    async () => {
      const { npm, found: url, readyFile } = await startNpm(['run', 'stays', '--silent'], LISTENING);
      const { pid } = JSON.parse(readFileSync(readyFile, 'utf8')) as { pid: number };
      try {
        if (npm.exitCode === null) await once(npm, 'exit');
        // The bank answers after more than a second: it would have ended by then.
        expect(await isThere(`${url}/_sandbox/events?since=seeded&wait=1.2`)).toBe(true);
        expect(await isThere(`${url}/livez`)).toBe(true);
      } finally {
        process.kill(pid, 'SIGTERM');
      }
    },
    TIMEOUT_MS,
  );
});
