/**
 * `sandbank doctor`: looks for what usually goes wrong, and says what to do about it: an old Node, a native part that does
 * not load, a port or a data directory that cannot be used, a receiver that cannot be reached.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly said: string;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const ANSWER_TIMEOUT_MS = 3_000;
const OLDEST_NODE = [22, 18] as const;

/** Adds the command. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look for what usually goes wrong, and say what to do')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine();
      if (json === true) process.stdout.write(`${JSON.stringify(findings)}\n`);
      else {
        for (const { check, ok, said } of findings) {
          process.stdout.write(`${ok ? 'ok   ' : 'WRONG'}  ${check.padEnd(9)}  ${said}\n`);
        }
      }
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

async function examine(): Promise<Finding[]> {
  const read = readConfig(process.env);
  if ('problems' in read) {
    return [node(), ...read.problems.map((said) => ({ check: 'settings', ok: false, said }))];
  }
  const { config } = read;
  const settings = { check: 'settings', ok: true, said: `profile ${config.profile}` };
  return [node(), await database(), settings, await port(config), data(config), ...(await receiver(config))];
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = OLDEST_NODE;
  const ok = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  const said = ok
    ? `Node ${process.versions.node}`
    : `Node ${process.versions.node} is too old; install ${OLDEST_NODE.join('.')} or newer`;
  return { check: 'node', ok, said };
}

async function database(): Promise<Finding> {
  try {
    const { default: Database } = await import('better-sqlite3');
    const open = new Database(':memory:');
    const row = open.prepare('select sqlite_version() as version').get() as { version: string };
    open.close();
    return { check: 'sqlite', ok: true, said: `SQLite ${row.version}` };
  } catch (error) {
    const said = `better-sqlite3 does not load (${(error as Error).message.split('\n')[0]}): run "npm ci" with this Node`;
    return { check: 'sqlite', ok: false, said };
  }
}

async function port({ host, port: number }: Config): Promise<Finding> {
  if (number === 0) return { check: 'port', ok: true, said: 'a free one is taken' };
  const problem = await new Promise<NodeJS.ErrnoException | null>((done) => {
    const probe = createServer();
    probe.once('error', done);
    probe.listen({ host, port: number }, () => probe.close(() => done(null)));
  });
  if (problem === null) return { check: 'port', ok: true, said: `${number} on ${host} is free` };
  if (problem.code !== 'EADDRINUSE') return { check: 'port', ok: false, said: problem.message };
  const said = `${number} on ${host} is taken by ${await whoHas(host, number)}`;
  return (await isSandbank(host, number))
    ? { check: 'port', ok: true, said: `${said}: that is a Sandbank, already open` }
    : { check: 'port', ok: false, said: `${said}; end it, or choose another with SANDBANK_PORT (0 takes a free one)` };
}

async function isSandbank(host: string, number: number): Promise<boolean> {
  try {
    const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const answer = await fetch(`http://${address}:${number}/openapi/v2.json`, {
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return answer.ok && (await answer.text()).includes('Sandbank');
  } catch {
    return false;
  }
}

/** The program that listens, where the system has a tool that tells. */
async function whoHas(_host: string, number: number): Promise<string> {
  const ways: [string, string[], RegExp][] = [
    ['lsof', ['-nP', `-iTCP:${number}`, '-sTCP:LISTEN', '-Fpc'], /p(\d+)\nc(.+)/],
    ['ss', ['-Hltnp', `sport = :${number}`], /"([^"]+)",pid=(\d+)/],
  ];
  for (const [command, args, form] of ways) {
    try {
      const found = form.exec(execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' }));
      if (found !== null) {
        const [, first = '', second = ''] = found;
        return command === 'lsof' ? `${second} (process ${first})` : `${first} (process ${second})`;
      }
    } catch {
      // Not installed, or it may not look.
    }
  }
  return 'another program';
}

function data({ data: folder }: Config): Finding {
  if (folder === null) return { check: 'data', ok: true, said: 'in memory' };
  const path = resolve(folder);
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    rmSync(mkdtempSync(resolve(nearest, '.sandbank-doctor-')), { recursive: true });
    return { check: 'data', ok: true, said: `${path} can be written` };
  } catch (error) {
    const said = `${path} cannot be written (${(error as Error).message}): choose another with SANDBANK_DATA, or set it empty to keep everything in memory`;
    return { check: 'data', ok: false, said };
  }
}

async function receiver({ webhookUrl }: Config): Promise<Finding[]> {
  if (webhookUrl === null) return [];
  const { hostname } = new URL(webhookUrl);
  const inContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  try {
    await fetch(webhookUrl, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return [{ check: 'receiver', ok: true, said: `${webhookUrl} answers` }];
  } catch (error) {
    const cause = (error as { cause?: { message?: string } }).cause?.message ?? (error as Error).message;
    const advice =
      inContainer && LOOPBACK.test(hostname)
        ? `in a container ${hostname} is the container itself: use host.docker.internal (on Linux with --add-host host.docker.internal:host-gateway)`
        : 'start it, or correct SANDBANK_WEBHOOK_URL; events are kept and tried again meanwhile';
    return [
      { check: 'receiver', ok: false, said: `${webhookUrl} cannot be reached (${cause}): ${advice}` },
    ];
  }
}
