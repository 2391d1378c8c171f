/**
 * The file system of the image, built from the Dockerfile without an engine: its entry point starts a bank that
 * serves pages, accepts a payment, is healthy and stops, and the image contains no unneeded files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../server/process/support.ts';
import { copyProject } from '../support/project-copy.ts';
import { buildImage, type Image } from './image.ts';
import { environment, ROOT, run } from './support.ts';

const TIMEOUT_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'sandbank-image-'));
let image: Image;

beforeAll(() => {
  const checkout = join(folder, 'checkout');
  copyProject(checkout);
  image = buildImage(checkout, join(folder, 'stages'), (command, place) => {
    // The build tools are already installed; the contents of the image are installed again.
    if (!/^npm ci --ignore-scripts/.test(command)) return false;
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    return true;
  });
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The settings of the image. Its paths are below the folder, and it listens on a free port of this machine only.
 */
const settings = (): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(image.env).map(([name, value]) => [
      name,
      value.startsWith('/') ? image.root + value : value,
    ]),
  ),
  SANDBANK_HOST: '127.0.0.1',
  SANDBANK_PORT: '0',
  SANDBANK_CONTROL_TOKEN: 'a-token-for-this-test',
});
const inImage = (): Record<string, string> => {
  const env = environment(process.execPath, settings());
  return {
    ...env,
    PATH: [join(image.root, 'usr/local/bin'), dirname(process.execPath), env.PATH].join(delimiter),
  };
};

describe('the image', () => {
  it('contains the program, its one dependency and no sources', () => {
    expect(readdirSync(join(image.root, 'app')).sort()).toEqual([
      'LICENSE',
      'bin',
      'deploy',
      'dist',
      'fixtures',
      'migrations',
      'node_modules',
      'package.json',
      'skills',
    ]);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const modules = readdirSync(join(image.root, 'app/node_modules')).filter((name) => !name.startsWith('.'));
    expect(modules).toEqual(Object.keys(dependencies));
    expect(readdirSync(join(image.root, 'app/node_modules/better-sqlite3/prebuilds'))).toHaveLength(1);
    expect(existsSync(join(image.root, 'app/dist/types'))).toBe(false);
    // The compile cache is filled during the build.
    expect(readdirSync(join(image.root, 'app/node_modules/.cache/sandbank'))).not.toEqual([]);
    expect(readFileSync(join(image.root, 'app/dist/THIRD-PARTY-NOTICES.md'), 'utf8')).toContain('- fastify ');
  });

  it(
    'starts a bank by its entry point, which is healthy, accepts a payment and stops',
    async () => {
      const readyFile = settings().SANDBANK_READY_FILE ?? '';
      const [program = ''] = image.entrypoint;
      const child = spawn(join(image.root, 'usr/local/bin', program), [...image.cmd], {
        cwd: join(image.root, 'app'),
        env: inImage(),
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      }
      try {
        const text = await until(
          'the start',
          () => existsSync(readyFile) && readFileSync(readyFile, 'utf8'),
          60_000,
        );
        const { url } = JSON.parse(text) as { url: string };
        const port = new URL(url).port;
        const [health = '', ...words] = image.healthcheck;
        const healthy = await run(join(image.root, 'usr/local/bin', health), words, {
          cwd: folder,
          env: { ...inImage(), SANDBANK_PORT: port },
        });
        expect(healthy).toEqual({ code: 0, stdout: '', stderr: '' });
        expect(await (await fetch(`${url}/docs/`)).text()).toContain('imitates Solid');
        const headers = { 'api-key': 'test_default', 'content-type': 'application/json' };
        const control = { ...headers, 'x-control-token': 'a-token-for-this-test' };
        const { seeded } = (await (await fetch(`${url}/_sandbox`, { headers: control })).json()) as {
          seeded: Record<string, string>;
        };
        const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded;
        const body = JSON.stringify({ sub_account_id, counterparty_id, amount: '40.00' });
        const answer = await fetch(`${url}/v2/payments/ach/pull`, { method: 'POST', headers, body });
        expect(answer.status).toBe(201);
        expect(readdirSync(join(image.root, 'data'))).toContain('default.sqlite');
      } finally {
        child.kill('SIGTERM');
      }
      const [code] = await once(child, 'exit');
      expect(code, output).toBe(0);
    },
    TIMEOUT_MS,
  );
});
