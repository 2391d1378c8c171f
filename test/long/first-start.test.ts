/**
 * `npm ci && npm start` in a fresh checkout: the bank answers before there are pages, says so to a browser, and shows the
 * pages once they are made.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { environment, ROOT, succeed } from '../package/support.ts';
import { until } from '../process/support.ts';
import { copyProject } from '../support/project-copy.ts';

const TIMEOUT_MS = 300_000;

test(
  'a fresh checkout starts with the program alone, and makes its pages beside it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-first-'));
    const project = join(folder, 'project');
    copyProject(project);
    const { prepare, start } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
    expect({ prepare, start }).toEqual({
      prepare: 'node build/bundle.mjs --program',
      start: 'node build/start.mjs',
    });
    await succeed(process.execPath, ['build/bundle.mjs', '--program'], { cwd: project });
    expect(existsSync(join(project, 'dist/main.js'))).toBe(true);
    expect(existsSync(join(project, 'dist/site'))).toBe(false);

    const readyFile = join(folder, 'ready.json');
    const child = spawn(process.execPath, ['build/start.mjs', '--port', '0', '--data', ''], {
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
    for (const path of ['/docs/', '/docs/guides/test']) {
      const early = await fetch(url + path, { headers: { accept: 'text/html' } });
      expect([early.status, early.headers.get('refresh')]).toEqual([503, '2']);
      expect(await early.text()).toContain('npm run pages');
    }
    expect((await fetch(`${url}/_sandbox/ui/`)).status).toBe(200);
    await until('the pages', async () => (await fetch(`${url}/docs/`)).status === 200, 200_000);
    expect(await (await fetch(`${url}/docs/`)).text()).toContain('imitates Solid');
  },
  TIMEOUT_MS,
);
