/** `sandbank exec` as a process: the environment of its command, the output streams, and the exit code. */
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type End, launch, makeFolder, type Settings, until, within } from '../server/process/support.ts';

const NODE = process.execPath;

/** Runs a Node script beside a bank; `options` are those of exec. */
function exec(script: string, options: string[] = [], settings: Settings = {}): Promise<End> {
  const words = ['exec', ...options, '--', NODE, '--input-type=module', '-e', script];
  return within(30_000, 'exec', launch(settings, words).ended);
}

const SAY_ENVIRONMENT = `
  const { SANDBANK_URL, SANDBANK_API_KEY, SANDBANK_CONTROL_TOKEN } = process.env;
  console.log(JSON.stringify({ SANDBANK_URL, SANDBANK_API_KEY, SANDBANK_CONTROL_TOKEN }));
`;

describe('a command in "sandbank exec"', () => {
  it('reaches a running bank, and uses stdout alone', async () => {
    const { code, stdout, stderr } = await exec(`
      const { SANDBANK_URL, SANDBANK_API_KEY } = process.env;
      const answer = await fetch(SANDBANK_URL + '/v2/webhook', { headers: { 'api-key': SANDBANK_API_KEY } });
      console.log(answer.status);
    `);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '200\n', stderr: '' });
  });

  it('reaches its own bank, regardless of SANDBANK_URL in the environment', async () => {
    const { stdout } = await exec(SAY_ENVIRONMENT, [], {
      SANDBANK_HOST: '0.0.0.0',
      SANDBANK_PORT: '1',
      SANDBANK_DATA: '/nowhere',
      SANDBANK_URL: 'http://bank.example',
    });
    expect(JSON.parse(stdout)).toEqual({
      SANDBANK_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{4,5}$/),
      SANDBANK_API_KEY: 'test_default',
    });
  });

  it('calls its bank directly, if the environment has a proxy', async () => {
    const { stdout } = await exec('console.log(process.env.no_proxy, process.env.NO_PROXY)', [], {
      http_proxy: 'http://127.0.0.1:9',
      no_proxy: 'intern.example',
    });
    expect(stdout).toBe('intern.example,127.0.0.1 intern.example,127.0.0.1\n');
    const without = await exec('console.log(process.env.no_proxy ?? "none")');
    expect(without.stdout).toBe('none\n');
  });

  it('receives the control token, if one is set', async () => {
    const { stdout } = await exec(SAY_ENVIRONMENT, [], { SANDBANK_CONTROL_TOKEN: 'tiger-lily-and-rose' });
    expect(JSON.parse(stdout)).toMatchObject({ SANDBANK_CONTROL_TOKEN: 'tiger-lily-and-rose' });
  });

  it('receives all following arguments, including options', async () => {
    const { stdout } = await within(
      30_000,
      'exec',
      launch({}, ['exec', NODE, '-p', 'process.argv.slice(1).join()', '--', '--rails', 'x', '--help']).ended,
    );
    expect(stdout).toBe('--rails,x,--help\n');
  });

  it('runs with the settings of the command line and of a file', async () => {
    const file = join(makeFolder(), 'settings.json');
    writeFileSync(file, JSON.stringify({ rails: 'calendar', strictFields: true }));
    const script = `
      const answer = await fetch(process.env.SANDBANK_URL + '/_sandbox');
      console.log((await answer.json()).rails);
    `;
    expect((await exec(script, ['--config', file])).stdout).toBe('calendar\n');
    expect((await exec(script, ['--config', file, '--rails', 'manual'])).stdout).toBe('manual\n');
  });
});

describe('the exit code of "sandbank exec" is', () => {
  it.each([
    ['that of its command', 'process.exit(3)', 3],
    ['128 plus the number of the signal that ended its command', "process.kill(process.pid, 'SIGKILL')", 137],
  ])('%s', async (_, script, expected) => {
    expect(await exec(script)).toMatchObject({ code: expected, stdout: '', stderr: '' });
  });

  it('127 for an unknown command', async () => {
    const { code, stdout, stderr } = await within(
      30_000,
      'exec',
      launch({}, ['exec', '--', 'no-such-command']).ended,
    );
    expect({ code, stdout }).toEqual({ code: 127, stdout: '' });
    expect(stderr).toBe('sandbank: "no-such-command" is not an installed command\n');
  });

  it('126 for a command that is not executable', async () => {
    const file = join(makeFolder(), 'plain.txt');
    writeFileSync(file, 'x', { mode: 0o644 });
    const { code, stderr } = await within(30_000, 'exec', launch({}, ['exec', '--', file]).ended);
    expect(code).toBe(126);
    expect(stderr).toContain('is not executable');
  });

  it('1 for an invalid setting, without running the command', async () => {
    const { code, stdout, stderr } = await exec('console.log(1)', ['--rails', 'slow']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sandbank: --rails is "slow"; expected fast, calendar or manual\. .+\n$/);
  });

  it('1 if the bank cannot start, with the program that prevents it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await exec('console.log(1)', ['--port', String(port)]);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(
      `port ${port} on 127.0.0.1 is taken by ${basename(NODE)} (process ${process.pid})`,
    );
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('that of its command after %s', async (signal) => {
    const started = launch({}, [
      'exec',
      '--',
      NODE,
      '-e',
      `process.on('${signal}', () => { console.log('${signal}'); process.exit(7); }); setInterval(() => {}, 1000); console.log('up');`,
    ]);
    await until('the command', () => started.stdout() === 'up\n');
    started.child.kill(signal);
    expect(await within(30_000, 'the end', started.ended)).toMatchObject({
      code: 7,
      stdout: `up\n${signal}\n`,
    });
  });
});

/** Calls the same two operations in two sandboxes, one of which is deleted at the end. */
const TWO_SANDBOXES = `
  const url = process.env.SANDBANK_URL;
  const call = (path, key, init) => fetch(url + path, { ...init, headers: { 'api-key': key, 'content-type': 'application/json' } });
  await call('/_sandbox/sandboxes', 'test_default', { method: 'POST', body: '{"name":"gone"}' });
  await call('/v2/webhook', 'test_gone');
  await call('/_sandbox/sandboxes/gone', 'test_default', { method: 'DELETE' });
  await call('/v2/webhook/events', 'test_default');
  console.log('done');
`;

describe('--min-coverage', () => {
  it('counts what any sandbox covered, including deleted ones', async () => {
    const { code, stdout } = await exec(TWO_SANDBOXES, ['--min-coverage', '0.1', '--json']);
    expect(code).toBe(0);
    const { coverage } = JSON.parse(stdout);
    const { missing } = coverage.shares.operations;
    expect(missing).toContain('v2_create_webhook');
    expect(missing).not.toContain('v2_list_webhooks');
    expect(missing).not.toContain('v2_list_webhook_events');
  });

  it('fails a command that succeeded, and lists what is not covered', async () => {
    const { code, stdout, stderr } = await exec(TWO_SANDBOXES, ['--min-coverage', '90%']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'done\n' });
    expect(stderr).toMatch(
      /^sandbank: \d+ of \d+ features of the bank were exercised \([\d.]+ %\), and --min-coverage requires 90 %: .*operations 2 of \d+.*\n$/,
    );
  });

  it('keeps the exit code of a command that failed', async () => {
    expect((await exec('process.exit(5)', ['--min-coverage', '90'])).code).toBe(5);
  });
});

describe('--json', () => {
  it('prints the result on stdout, and sends the output of the command to stderr', async () => {
    const { code, stdout, stderr } = await exec("console.log('from the tests'); process.exitCode = 2", [
      '--json',
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'from the tests\n' });
    expect(JSON.parse(stdout)).toMatchObject({
      exit_code: 2,
      command_exit_code: 2,
      coverage: { exercised: 0 },
    });
  });
});
