// `npm run check`: types, lint, module rules and dead code, in parallel, because the types take longer than the
// others together. The output of a check is printed when it ends, so that outputs are not mixed. The types of the long
// tests need their packages, so they are checked where these are installed; `npm run test:long` always checks them.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { installTools } from './tools.mjs';

const CHECKS = ['types', 'lint', 'modules', 'unused'];
// `build/tools.mjs` writes this file when all of them are there.
if (existsSync(new URL('../test/long/node_modules/.sandbank-lock', import.meta.url)))
  CHECKS.push('types:long');

function run(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', name], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
    }
    child.once('error', (error) => {
      printed += `${error.message}\n`;
    });
    child.once('close', (code) => {
      process.stdout.write(printed);
      resolve({ name, hasFailed: code !== 0 });
    });
  });
}

// Once, before the checks that run in parallel.
installTools('build/checks');
const ended = await Promise.all(CHECKS.map(run));
const failed = ended.filter(({ hasFailed }) => hasFailed).map(({ name }) => name);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
