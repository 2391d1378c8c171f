/** The guide "Docker" as printed, and each row of its settings. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../package/support.ts';
import { examplesOf, runScript } from '../support/page-examples.ts';
import { clientOf } from './client.ts';
import {
  DEADLINE_MS,
  docker,
  freshName,
  IMAGE,
  LABEL,
  runBank,
  runContainer,
  tryDocker,
  until,
} from './engine.ts';

const guide = readFileSync(join(ROOT, 'docs/guides/docker.md'), 'utf8');

/** A port of this machine that nobody uses now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('the commands of the guide work one after the other, from the start of a container to its end', async () => {
  const name = freshName();
  const port = await freePort();
  const script = examplesOf(guide)
    .map((example) => example.script)
    .join('')
    // Built before the tests.
    .replace(/^docker build .*\n/m, '')
    // Names and a port that nobody else uses.
    .replaceAll('sandbank env)', `sandbank env --as http://127.0.0.1:${port})`)
    .replaceAll(/^(.*docker (?:exec|logs|stop|rm --volumes)) bank/gm, `$1 ${name}`)
    .replace('until docker exec bank', `until docker exec ${name}`)
    .replace(
      '--name bank --publish 127.0.0.1:4800:4800',
      `--name ${name} --label ${LABEL()} --publish 127.0.0.1:${port}:4800`,
    )
    .replaceAll(/ sandbank$| sandbank(?= --version)/gm, ` ${IMAGE}`)
    .replaceAll('curl -s ', 'curl -sS --fail ');
  const { PATH = '', DOCKER_HOST } = process.env;
  const { code, stdout, stderr } = await runScript(
    script,
    { PATH, ...(DOCKER_HOST && { DOCKER_HOST }) },
    DEADLINE_MS,
  );
  const unexpected = stderr.split('\n').filter((line) => !/^(sandbank: not ready |\{"level":|$)/.test(line));
  expect({ code, unexpected }).toEqual({ code: 0, unexpected: [] });
  expect(stdout).toContain('"status":"originated"');
  expect(stdout).toMatch(/v2 {2}transaction\.status\.returned/);
  expect(stdout).toMatch(/"msg":"listening"/);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(stdout.endsWith(`${version}\n`)).toBe(true);
  expect((await tryDocker('inspect', name)).code).not.toBe(0);
});

describe('a setting of the guide', () => {
  it('"keep nothing at all" starts a bank in memory with a read-only root', async () => {
    const bank = await runBank(
      '--env',
      'SANDBANK_DATA=',
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'ALL',
    );
    expect(await bank.exec('node', '-p', 'fs.readdirSync("/data").length')).toBe('0\n');
    expect((await (await clientOf(bank)).pull('1.00')).status).toBe(201);
  });

  it('"move payments only on request" is an option after the name of the image', async () => {
    const bank = await runContainer([], [IMAGE, 'start', '--rails', 'manual']);
    await bank.ready();
    expect(await bank.logs()).toContain('"rails":"manual"');
  });

  it('"have no control plane" answers 404 below /_sandbox', async () => {
    const bank = await runBank('--env', 'SANDBANK_CONTROL=off', '--env', 'SANDBANK_CONTROL_TOKEN=');
    expect((await fetch(`${await bank.url()}/_sandbox`)).status).toBe(404);
    expect((await fetch(`${await bank.url()}/readyz`)).status).toBe(200);
  });

  it('"use another port" and "choose the control token" agree with `sandbank env`', async () => {
    const bank = await runBank();
    const url = await bank.url();
    const variables = await bank.exec('sandbank', 'env', '--as', url);
    expect(variables).toContain(`SANDBANK_URL='${url}'`);
    const token = /SANDBANK_CONTROL_TOKEN='?([^'\n]+)/.exec(variables)?.[1] ?? '';
    const headers = { 'api-key': 'test_default', 'x-control-token': token };
    expect((await fetch(`${url}/_sandbox`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/_sandbox`, { headers: { 'api-key': 'test_default' } })).status).toBe(401);
  });

  it('"look around inside" opens a shell', async () => {
    const bank = await runContainer([]);
    const shell = /docker exec --interactive --tty bank (\w+)/.exec(guide)?.[1] ?? '';
    expect(await bank.exec(shell, '-c', 'echo $SANDBANK_DATA')).toBe('/data\n');
  });

  it('"see what the bank would start with" names the source of each value', async () => {
    const printed = await docker('run', '--rm', '--label', LABEL(), IMAGE, 'start', '--print-config');
    expect(printed).toMatch(/^data += \/data +# SANDBANK_DATA$/m);
    expect(printed).toMatch(/^rails += fast +# default$/m);
  });
});

describe('a data folder with another owner', () => {
  /** The option that mounts a folder with this owner and mode. */
  async function mount(owner: number, mode: string): Promise<string[]> {
    const name = freshName();
    await docker('volume', 'create', '--label', LABEL(), name);
    const script = `fs.chownSync('/v', ${owner}, ${owner}); fs.chmodSync('/v', 0o${mode})`;
    const asRoot = ['run', '--rm', '--user', '0', '--volume', `${name}:/v`, '--entrypoint', 'node'];
    await docker(...asRoot, IMAGE, '-e', script);
    // Otherwise Docker changes an empty volume to what the image has at its place.
    return ['--volume', `${name}:/data:nocopy`];
  }

  it('is used by a bank that runs as that user, with a read-only root', async () => {
    const bank = await runBank(
      ...(await mount(4321, '700')),
      '--user',
      '4321:4321',
      '--read-only',
      '--tmpfs',
      '/tmp',
    );
    expect((await (await clientOf(bank)).pull('1.00')).status).toBe(201);
    expect(await bank.exec('node', '-p', 'fs.statSync("/data/default.sqlite").uid')).toBe('4321\n');
  });

  it.each([
    ['of another user', 0, '755', []],
    ['that its owner cannot write', 1000, '555', []],
    ['for another user than that of the image', 1000, '755', ['--user', '4321:4321']],
  ] as const)(
    'a folder %s ends the start with advice, and is never healthy',
    async (_, owner, mode, options) => {
      const bank = await runContainer([...(await mount(owner, mode)), ...options]);
      expect(await bank.ended()).toBe(1);
      const user = options.length > 0 ? 4321 : 1000;
      expect(await bank.logs()).toMatch(
        new RegExp(`^sandbank: the data directory /data cannot be written by user ${user} .*SANDBANK_DATA`),
      );
      expect(await bank.inspect('.State.Health.Status')).not.toBe('healthy');
    },
  );
});

describe('the health check', () => {
  it('turns from healthy to unhealthy when the bank does not answer any more', async () => {
    const bank = await runBank('--health-interval', '1s', '--health-timeout', '2s', '--health-retries', '1');
    const health = (): Promise<string> => bank.inspect('.State.Health.Status');
    await until('healthy', async () => (await health()) === 'healthy');
    // The engine signals the bank itself, so that the check still runs.
    await docker('kill', '--signal', 'STOP', bank.name);
    await until('unhealthy', async () => (await health()) === 'unhealthy');
    expect(Number(await bank.inspect('.State.Health.FailingStreak'))).toBeGreaterThan(0);
    await docker('kill', '--signal', 'CONT', bank.name);
    await until('healthy again', async () => (await health()) === 'healthy');
  });

  it('a start with invalid settings ends with 1 and lists all problems', async () => {
    const bank = await runContainer(['--env', 'SANDBANK_PORT=nope', '--env', 'SANDBANK_RIALS=fast']);
    expect(await bank.ended()).toBe(1);
    const logs = await bank.logs();
    expect(logs).toContain('SANDBANK_PORT');
    expect(logs).toContain('SANDBANK_RAILS');
    expect(await bank.inspect('.State.Health.Status')).not.toBe('healthy');
  });
});
