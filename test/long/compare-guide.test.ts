// Follows the guide "Compare with the platform": runs every fenced command in order, in a separate folder, against a
// second bank instead of the platform. Only addresses, keys and ports are replaced.

import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { freePort } from '../cli/support.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const GUIDE = readFileSync(join(PROJECT, 'docs/guides/compare.md'), 'utf8');
const TIMEOUT_MS = 600_000;

/** The fenced lines of one language, block by block. */
const blocksOf = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

const COMMANDS = blocksOf('sh').flatMap((text) => text.trim().split('\n'));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let here: Sandbank;
let there: Sandbank;
let folder: string;
let environment: Record<string, string>;
let ports: readonly number[];
const running = new Set<ChildProcess>();

beforeAll(async () => {
  [here, there] = await Promise.all([
    startSandbank({ randomSeed: 'one' }),
    startSandbank({ randomSeed: 'other' }),
  ]);
  ports = await Promise.all([freePort(), freePort(), freePort()]);
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const program = join(folder, 'bin', 'sandbank');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${join(PROJECT, 'bin/sandbank.mjs')}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  environment = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    SANDBANK_URL: here.url,
  };
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([here.close(), there.close()]);
});

/** A command with existing values in place of those in the guide. */
function localized(command: string): string {
  const [receiver, first, second] = ports.map(String) as [string, string, string];
  return (
    command
      .replaceAll('https://test-api.example', there.url)
      .replaceAll('KEY_V2=...', `KEY_V2=${there.apiKey}`)
      .replaceAll('KEY_V1=...', `KEY_V1=${there.apiKey}`)
      .replaceAll('https://tunnel.example', `http://127.0.0.1:${receiver}`)
      .replaceAll('--receiver-port 4820', `--receiver-port ${receiver}`)
      .replaceAll('--port 4810', `--port ${first} --max 1`)
      .replaceAll('--port 4811', `--port ${second} --max 1`)
      .replaceAll('http://127.0.0.1:4800', here.url)
      // The rate limit has a test of its own, which takes no time.
      .replace(/^(sandbank compare --with .*)$/, '$1 --rate 10000')
  );
}

function run(command: string, meanwhile: () => Promise<unknown> = async () => {}): Promise<Ran> {
  const child = spawn('sh', ['-c', command], { cwd: folder, env: environment });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, stdout, stderr });
    });
    meanwhile().catch(reject);
  });
}

/** The program of the guide: it calls the proxy instead of the platform. */
async function callProxy(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/v2/webhook?limit=1`;
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp, { timeout: 60_000 }).toBe(true);
  await fetch(url, { headers: { 'api-key': there.apiKey } });
}

/** The expected result of a command. */
const EXPECTED: readonly (readonly [command: RegExp, check: (ran: Ran) => void])[] = [
  [/--dry-run/, ({ stderr }) => expect(stderr).toContain('nothing was sent')],
  [/--port \d+ --max/, ({ stdout }) => expect(stdout).toMatch(/^200 {2}GET {5}\/v2\/webhook/)],
  [
    /--update-register/,
    ({ stderr }) => expect(stderr).toMatch(/\d+ decisions are confirmed and 0 contradicted/),
  ],
  [/compare/, ({ stdout }) => expect(stdout).toContain('No difference was found.')],
];

describe('the guide "Compare with the platform"', () => {
  it(
    'works as written',
    async () => {
      mkdirSync(join(folder, 'scenarios'));
      const [scenario = ''] = blocksOf('json');
      writeFileSync(join(folder, 'scenarios', `${JSON.parse(scenario).name}.json`), scenario);
      let proxies = 0;
      for (const written of COMMANDS) {
        const command = localized(written);
        const [, name = '', value = ''] = /^export (\w+)=(.*)$/.exec(command) ?? [];
        if (name !== '') {
          environment[name] = value;
          continue;
        }
        const isProxy = command.startsWith('sandbank proxy');
        if (isProxy) proxies += 1;
        const port = ports[proxies] ?? 0;
        const ran = await run(command, isProxy ? () => callProxy(port) : undefined);
        const [, check] = EXPECTED.find(([pattern]) => pattern.test(command)) ?? [];
        expect(check, written).toBeDefined();
        check?.(ran);
        expect({ written, ...ran }).toMatchObject({ written, code: 0 });
      }
      expect(proxies).toBe(2);
      for (const file of ['recording.json', 'program.json', 'register.patch'])
        expect(existsSync(join(folder, file)), file).toBe(true);
    },
    TIMEOUT_MS,
  );

  it('names the scenario of its JSON, and its commands set every variable that they use', () => {
    const used = new Set(COMMANDS.flatMap((line) => line.match(/\$[A-Z_]+/g) ?? []));
    for (const name of used)
      expect(COMMANDS.some((line) => line.startsWith(`export ${name.slice(1)}=`))).toBe(true);
    expect(COMMANDS.length).toBeGreaterThan(12);
  });
});
