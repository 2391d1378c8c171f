// `npm run check`: the types, the lint, the modules and the dead code, at the same time, because the types take longer than
// everything else together. What a check prints is shown when it ends, so that nothing is mixed.
import { spawn } from 'node:child_process';

const CHECKS = ['types', 'lint', 'modules', 'unused'];

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

const ended = await Promise.all(CHECKS.map(run));
const failed = ended.filter(({ hasFailed }) => hasFailed).map(({ name }) => name);
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
