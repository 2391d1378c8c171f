/** Before the tests of `npm run test:package`: packs the package and installs it into an empty folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, succeed } from './support.ts';

export async function setup(): Promise<() => void> {
  await succeed(process.execPath, ['build/bundle.mjs', '--if-stale'], { cwd: ROOT });
  const text = await succeed(process.execPath, ['build/package.mjs'], { cwd: ROOT });
  const file = /^.*\.tgz$/m.exec(text)?.[0] ?? '';
  const app = mkdtempSync(join(tmpdir(), 'sandbank-installed-'));
  writeFileSync(join(app, 'package.json'), '{ "private": true }\n');
  await succeed('npm', ['install', file, '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], {
    cwd: app,
  });
  // The workers of the tests inherit it.
  process.env.SANDBANK_TEST_LAUNCHER = join(app, 'node_modules/sandbank/bin/sandbank.mjs');
  return () => rmSync(app, { recursive: true, force: true });
}
