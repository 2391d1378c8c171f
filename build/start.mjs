// `npm start`: starts the bank. If the pages at /docs are missing, as after `npm ci`, a process of the lowest
// priority builds them once the bank has had time to start.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AFTER_MS = 1000;

function makePages() {
  const child = spawn(process.execPath, [`${ROOT}site/build.mjs`], { cwd: ROOT, stdio: 'ignore' });
  // The bank works without its pages; `npm run pages` shows the error.
  child.on('error', () => {});
  child.unref();
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
}

if (!existsSync(`${ROOT}dist/site/index.html`)) setTimeout(makePages, AFTER_MS).unref();
process.argv.splice(2, 0, 'start');
await import('../bin/sandbank.mjs');
