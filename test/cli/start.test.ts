/**
 * `sandbank start` with options, as a process: the sources of settings, their precedence, and the messages of a
 * failed start.
 */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, settingsFlags } from '../../src/server/process/config.ts';
import type { Config } from '../../src/server/process/settings.ts';
import { launch, makeFolder, startBank, stop, until, within } from '../server/process/support.ts';

/** An accepted value of each setting that is not its default. */
const VALUES: Readonly<Record<keyof Config, string>> = {
  profile: 'ci',
  host: 'localhost',
  port: '0',
  tlsCert: 'certificate.pem',
  tlsKey: 'key.pem',
  data: '',
  synchronous: 'full',
  readyFile: 'ready.json',
  rails: 'manual',
  randomSeed: 'other',
  seedFile: 'shop.json',
  seedHistory: 'on',
  secrets: 'seeded',
  webhookUrl: 'http://127.0.0.1:3000/hooks',
  webhookConcurrency: '3',
  webhookHosts: 'public,10.2.0.0/16',
  sandboxes: 'closed',
  maxSandboxes: '7',
  restAfter: '30',
  maxObservers: '50',
  secretRoot: 'r'.repeat(44),
  control: 'off',
  controlToken: 'tiger-lily-and-rose',
  allowedHosts: 'bank.example,.test.example',
  bodyLimit: '9',
  strictFields: 'on',
  strictPersonHeader: 'on',
  rateLimits: 'sandbox',
  shortfall: 'declined',
  logLevel: 'warn',
  logFormat: 'json',
};

async function printed(words: string[], settings: Record<string, string> = {}) {
  const { code, stdout, stderr } = await within(
    30_000,
    'the settings',
    launch(settings, ['start', ...words, '--print-config', '--json']).ended,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<keyof Config, { value: unknown; origin: string }>;
}

describe.concurrent('a setting', () => {
  it('has a flag of its own', async () => {
    const words = settingsFlags().flatMap(({ name, flag }) => [flag, VALUES[name]]);
    const output = await printed(words);
    const read = readConfig({}, { flags: VALUES });
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    for (const { name, flag } of settingsFlags()) {
      const isSecret = name === 'controlToken' || name === 'secretRoot';
      const value = isSecret ? '(not shown)' : read.config[name];
      expect(output[name], name).toEqual({ value, origin: flag });
    }
  });

  it('of a flag overrides a variable, that of a file, and that of a profile', async () => {
    const file = join(makeFolder(), 'bank.json');
    writeFileSync(
      file,
      JSON.stringify({ rails: 'manual', randomSeed: 'file', host: '127.0.0.2', logLevel: 'debug' }),
    );
    const output = await printed(['--config', file, '--rails', 'fast'], {
      SANDBANK_PROFILE: 'qa',
      SANDBANK_RAILS: 'calendar',
      SANDBANK_RANDOM_SEED: 'variable',
    });
    expect(output).toMatchObject({
      rails: { value: 'fast', origin: '--rails' },
      randomSeed: { value: 'variable', origin: 'SANDBANK_RANDOM_SEED' },
      host: { value: '127.0.0.2', origin: `host in ${file}` },
      logLevel: { value: 'debug', origin: `logLevel in ${file}` },
      profile: { value: 'qa', origin: 'SANDBANK_PROFILE' },
      synchronous: { value: 'normal', origin: 'default' },
    });
  });

  it('that is boolean is on if its flag has no value', async () => {
    expect(await printed(['--strict-fields'])).toMatchObject({ strictFields: { value: true } });
    expect(await printed(['--strict-fields', 'off'])).toMatchObject({ strictFields: { value: false } });
  });

  it.each([
    [['--port', 'http'], '--port is "http"; expected a whole number from 0 to 65535.'],
    [['--config', '/nowhere.json'], 'the settings file /nowhere.json cannot be read'],
  ])('%j is refused with the name of the setting', async (words, output) => {
    const { code, stdout, stderr } = await within(
      30_000,
      'the refusal',
      launch({}, ['start', ...words]).ended,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sandbank: .+\n$/);
    expect(stderr).toContain(output);
  });
});

describe('a bank that is started with options', () => {
  it('runs like one without, and prints only JSON with --json', async () => {
    const started = launch({}, ['start', '--rails', 'calendar', '--json']);
    await until('the ready file', () => existsSync(started.readyFile));
    const { code, stdout } = await stop(started);
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual(['listening', 'stopping']);
    expect(lines[0]).toMatchObject({ rails: 'calendar', data: null });
  });

  it('does not need the command name "start"', async () => {
    const started = launch({}, ['--rails', 'calendar']);
    await until('the ready file', () => existsSync(started.readyFile));
    expect((await stop(started)).stdout).toContain('"rails":"calendar"');
  });
});

/** Another program that listens; returns its port. */
const others: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const other of others) other.kill('SIGKILL');
});
async function otherProgram(): Promise<{ port: number; pid: number }> {
  const script =
    "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  others.push(child);
  const port = await new Promise<number>((resolve) =>
    child.stdout?.once('data', (text) => resolve(Number(text))),
  );
  return { port, pid: child.pid ?? 0 };
}

describe('a bank that cannot start', () => {
  it('names the program that uses its port, and how to choose another port', async () => {
    const { port, pid } = await otherProgram();
    const { code, stderr } = await within(
      30_000,
      'the refusal',
      launch({ SANDBANK_PORT: String(port) }).ended,
    );
    expect(code).toBe(1);
    expect(stderr).toBe(
      `sandbank: port ${port} on 127.0.0.1 is taken by node (process ${pid}): stop it, or choose another with --port or SANDBANK_PORT (0 takes a free one)\n`,
    );
  });

  it('reports that another bank uses its port', async () => {
    const bank = await startBank();
    const { port } = new URL(bank.url);
    const { stderr } = await within(30_000, 'the refusal', launch({ SANDBANK_PORT: port }).ended);
    expect(stderr).toContain(`(process ${bank.child.pid}), a Sandbank that is already open at ${bank.url}`);
  });

  it('names an address that this machine does not have', async () => {
    const { code, stderr } = await within(
      30_000,
      'the refusal',
      launch({ SANDBANK_HOST: '192.0.2.1' }).ended,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^sandbank: 192\.0\.2\.1 is not an address of this machine .*--host or SANDBANK_HOST\n$/,
    );
  });

  it('names a data directory that is not writable', async () => {
    const file = join(makeFolder(), 'a-file');
    writeFileSync(file, 'x');
    const data = join(file, 'data');
    const { code, stderr } = await within(30_000, 'the refusal', launch({ SANDBANK_DATA: data }).ended);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^sandbank: the data directory \S+ cannot be written .*--data or SANDBANK_DATA.*\n$/,
    );
  });

  it('names data that another bank uses', async () => {
    const data = makeFolder();
    await startBank({ SANDBANK_DATA: data });
    const { code, stderr } = await within(30_000, 'the refusal', launch({ SANDBANK_DATA: data }).ended);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `sandbank: the data directory ${data} is in use by another Sandbank: stop it, or choose another with --data or SANDBANK_DATA\n`,
    );
  });

  it('names a ready file that is not writable, and stops', async () => {
    const readyFile = join(makeFolder(), 'nowhere', 'ready.json');
    const { code, stderr } = await within(
      30_000,
      'the end',
      launch({ SANDBANK_READY_FILE: readyFile }).ended,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^sandbank: the ready file cannot be written .*--ready-file or SANDBANK_READY_FILE\n$/,
    );
  });
});
