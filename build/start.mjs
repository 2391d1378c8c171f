// `npm start`: the bank, and beside it, after `npm ci`, the pages at /docs, which a start does not need. They are made by a
// process of the lowest priority, once the bank has had the time to start.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AFTER_MS = 1000;

function makePages() {
  const child = spawn(process.execPath, [`${ROOT}site/build.mjs`], { cwd: ROOT, stdio: 'ignore' });
  // Without its pages a bank is as good: `npm run pages` says what is wrong.
  child.on('error', () => {});
  child.unref();
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
}

if (!existsSync(`${ROOT}dist/site/index.html`)) setTimeout(makePages, AFTER_MS).unref();
process.argv.splice(2, 0, 'start');
await import('../bin/sandbank.mjs');
