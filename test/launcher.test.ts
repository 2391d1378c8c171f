// The launcher: its exit codes and its output, also with a Node that is too old, and the health check with various
// responses of a server.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { nodeProblem } from '../bin/node-version.mjs';
import { healthcheck } from '../src/server/process/healthcheck.ts';
import { makeFolder } from './server/process/support.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));

/** The launcher of a clone in a temporary folder, with this program as the Node that `npm ci` installed. */
function cloned({ node }: { node?: string } = {}): string {
  const folder = makeFolder();
  cpSync(dirname(LAUNCHER), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  if (node !== undefined) writeFileSync(join(folder, 'node_modules/.bin/node'), node, { mode: 0o755 });
  return join(folder, 'bin/sandbank.mjs');
}

/** A module that pretends that this is another version of Node. */
function pretended(version: string): string {
  return `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
}

function launch(
  args: string[],
  options: { nodeVersion?: string; environment?: Record<string, string>; launcher?: string } = {},
) {
  const version = options.nodeVersion ?? process.versions.node;
  const result = spawnSync(
    process.execPath,
    ['--import', pretended(version), options.launcher ?? LAUNCHER, ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, ...options.environment },
    },
  );
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

it('every module of the program can be parsed, also those that are loaded on demand', () => {
  const script = `
    const { readdirSync, readFileSync } = require('node:fs');
    const names = readdirSync('.').filter((name) => name.endsWith('.js'));
    for (const identifier of names) new (require('node:vm').SourceTextModule)(readFileSync(identifier, 'utf8'), { identifier });
    console.log(names.length);
  `;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--experimental-vm-modules', '--eval', script],
    { encoding: 'utf8', cwd: fileURLToPath(new URL('../dist', import.meta.url)) },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(Number(stdout)).toBeGreaterThan(50);
});

describe('the Node version', () => {
  test.each(['14.21.3', '18.19.0', '20.20.2', '22.17.1', '23.0.0', '23.5.0'])('%s is refused', (version) => {
    expect(nodeProblem(version, '/project')).toContain(`this is Node ${version}`);
  });

  test.each(['22.18.0', '22.20.0', '23.6.0', '24.0.0', '26.1.0'])('%s is accepted', (version) => {
    expect(nodeProblem(version, '/project')).toBeNull();
  });

  it('that is too old for an installed package gets an error that does not mention the project', () => {
    expect(nodeProblem('20.20.2', null)).toMatch(/Node 22\.18 or newer.* Install Node 24\.$/);
  });

  it('that is too old gets a one-line error with a solution, and exit code 1', () => {
    const { status, stdout, stderr } = launch(['--version'], { nodeVersion: '20.20.2', launcher: cloned() });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^sandbank: this is Node 20\.20\.2.+Node 22\.18 or newer.+npm start.+\n$/);
  });

  it('that is too old for the bank of a test gets the same error, and no syntax error', async () => {
    const thread = new Worker(LAUNCHER, { execArgv: ['--import', pretended('20.20.2')] });
    await expect(once(thread, 'exit')).rejects.toThrow(
      /^sandbank: this is Node 20\.20\.2.+Node 22\.18 or newer/,
    );
  });

  it('that is too old runs the command with the Node in the clone, and exits as it does', () => {
    const answer = `#!/bin/sh\nshift\necho "$@"\nexit 7\n`;
    const { status, stdout, stderr } = launch(['clock', 'show'], {
      nodeVersion: '20.20.2',
      launcher: cloned({ node: answer }),
    });
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: 'clock show\n', stderr: '' });
  });
});

describe('the launcher', () => {
  it('prints the version', () => {
    expect(launch(['--version'])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it('passes all other arguments to the command line', () => {
    const { status, stdout, stderr } = launch(['--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const command of ['start', 'exec', 'healthcheck', '--version']) expect(stdout).toContain(command);
  });

  test.each([[['strat']], [['toString']], [['']], [['start', '--port']], [['healthcheck', 'now']]])(
    'refuses %j with one line and exit code 2',
    (args) => {
      const { status, stdout, stderr } = launch(args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^sandbank: .+\n$/);
    },
  );

  it('exits with 1 and the reason if the bank is not ready', async () => {
    const port = await freePort();
    const { status, stderr } = launch(['healthcheck'], {
      environment: { SANDBANK_PORT: String(port), SANDBANK_HOST: '' },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^sandbank: not ready at 127\.0\.0\.1 port \d+: .*ECONNREFUSED.*\n$/);
  });
});

describe('the health check', () => {
  const servers: { close(): unknown }[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const server of servers.splice(0)) server.close();
  });

  async function serve(listener: RequestListener): Promise<Record<string, string>> {
    const server = createServer(listener);
    servers.push(server);
    return { SANDBANK_PORT: String(await listen(server)) };
  }

  it('succeeds if /readyz responds with 200', async () => {
    const environment = await serve((request, reply) => {
      reply.statusCode = request.url === '/readyz' ? 200 : 404;
      reply.end('{"status":"ready"}');
    });
    expect(await healthcheck(environment)).toBeNull();
  });

  it('calls loopback if the server listens on all addresses', async () => {
    const environment = await serve((_request, reply) => reply.end());
    expect(await healthcheck({ ...environment, SANDBANK_HOST: '0.0.0.0' })).toBeNull();
  });

  it('reports the status of any other response', async () => {
    const environment = await serve((_request, reply) => reply.writeHead(503).end());
    expect(await healthcheck(environment)).toContain('/readyz answered 503');
  });

  it('fails if a connection ends without a response', async () => {
    const server = createSocketServer((socket) => socket.end());
    servers.push(server);
    expect(await healthcheck({ SANDBANK_PORT: String(await listen(server)) })).toContain(
      'ended without a response',
    );
  });

  it('times out after two seconds without a response', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const environment = await serve(() => vi.advanceTimersByTime(2_000));
    expect(await healthcheck(environment)).toContain('no response in 2000 ms');
  });

  test.each(['0', '65536'])('reports that SANDBANK_PORT=%s is not a port', async (port) => {
    expect(await healthcheck({ SANDBANK_PORT: port })).toContain('SANDBANK_PORT is not a port number');
  });
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
