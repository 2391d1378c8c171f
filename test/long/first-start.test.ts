/**
 * `npm ci && npm start` in a fresh checkout: the bank responds before the pages are built, tells a browser so, and
 * serves the pages once they are built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environment, nodeOf, ROOT, succeed } from '../package/support.ts';
import { until } from '../server/process/support.ts';
import { copyProject } from '../support/project-copy.ts';
import { partOfToday } from '../support/runs.ts';

const TIMEOUT_MS = 300_000;
/** Each builds the whole program, so they take turns. */
const NODES = partOfToday(['this', 'older'], 2);

if (NODES.includes('this'))
  test(
    'a new checkout starts only with the program, and serves its pages at once',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sandbank-first-'));
      const project = join(folder, 'project');
      copyProject(project);
      const { prepare, start } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
      expect({ prepare, start }).toEqual({
        prepare: 'node build/prepare.mjs',
        start: 'node bin/sandbank.mjs start',
      });
      await succeed(process.execPath, ['build/prepare.mjs'], { cwd: project });
      expect(existsSync(join(project, 'dist/main.js'))).toBe(true);

      const readyFile = join(folder, 'ready.json');
      const child = spawn(process.execPath, ['bin/sandbank.mjs', 'start', '--port', '0', '--data', ''], {
        cwd: project,
        env: environment(process.execPath, { SANDBANK_READY_FILE: readyFile }),
        stdio: 'ignore',
      });
      onTestFinished(async () => {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'exit');
        rmSync(folder, { recursive: true, force: true });
      });
      const text = await until(
        'the start',
        () => existsSync(readyFile) && readFileSync(readyFile, 'utf8'),
        60_000,
      );
      const { url } = JSON.parse(text) as { url: string };
      expect(await (await fetch(`${url}/docs/`)).text()).toContain('imitates Solid');
      for (const path of ['/docs/guides/test', '/docs/collections/postman.json', '/_sandbox/ui/']) {
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
      }
      // The worker is built when a command needs it.
      expect(existsSync(join(project, 'dist/worker.js'))).toBe(false);
      const cluster = join(folder, 'cluster');
      await succeed(process.execPath, ['bin/sandbank.mjs', 'cluster', 'init', cluster], { cwd: project });
      expect(existsSync(join(cluster, 'worker.js'))).toBe(true);
    },
    TIMEOUT_MS,
  );

/** Too old for the project, and new enough for esbuild. */
const OLD_NODE = '20.19.0';

if (NODES.includes('older'))
  test(
    'with an older Node the program is built while a newer one is downloaded, which then starts the bank',
    async ({ skip }) => {
      const old = await nodeOf(OLD_NODE);
      if (old === undefined) return skip('this Node cannot be had');
      const folder = mkdtempSync(join(tmpdir(), 'sandbank-old-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const project = join(folder, 'project');
      copyProject(project);
      // A separate installation, because it includes a Node.
      const modules = join(project, 'node_modules');
      rmSync(modules);
      mkdirSync(modules);
      for (const name of readdirSync(join(ROOT, 'node_modules'))) {
        if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
      }
      // It can also build the program alone: otherwise that would wait for the newer one.
      await succeed(old, ['build/bundle.mjs', '--program'], { cwd: project, node: old });
      rmSync(join(project, 'dist'), { recursive: true });
      expect(await succeed(old, ['build/prepare.mjs'], { cwd: project, node: old })).toBe('');

      const { packages } = JSON.parse(readFileSync(join(ROOT, 'build/node/package-lock.json'), 'utf8')) as {
        packages: Record<string, { version: string; os?: string; cpu?: string }>;
      };
      const { version } =
        Object.values(packages).find(({ os, cpu }) => os === process.platform && cpu === process.arch) ?? {};
      const brought = join(modules, '.bin/node');
      expect(await succeed(brought, ['--version'], { cwd: project })).toBe(`v${version}\n`);
      expect(existsSync(join(project, 'dist/main.js'))).toBe(true);
      const printed = await succeed(brought, ['bin/sandbank.mjs', 'start', '--print-config'], {
        cwd: project,
      });
      expect(printed).toContain('randomSeed');
    },
    TIMEOUT_MS,
  );
