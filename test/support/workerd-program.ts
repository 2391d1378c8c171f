/**
 * Finds the program workerd in the tools of `test/cluster/workerd`, and puts it on the PATH, where `sandbank cluster` looks for
 * it. Loads nothing of this project, because vitest.config.ts imports it in every run.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../cluster/workerd', import.meta.url));

/** The program for this machine; `''` if `npm run test:long` has not installed it. */
export const WORKERD = pathOfBinary();

const { PATH = '' } = process.env;
const commands = join(FOLDER, 'node_modules/.bin');
if (WORKERD !== '' && !PATH.startsWith(commands)) process.env.PATH = `${commands}${delimiter}${PATH}`;

/** The path in the package for this platform; the command of `workerd` itself needs an install script. */
function pathOfBinary(): string {
  const platform = `${process.platform}-${process.arch === 'x64' ? '64' : process.arch}`;
  try {
    const own = createRequire(createRequire(join(FOLDER, 'package.json')).resolve('workerd'));
    const path = own.resolve(`@cloudflare/workerd-${platform}/bin/workerd`);
    return existsSync(path) ? path : '';
  } catch {
    return '';
  }
}
