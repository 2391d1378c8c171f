/** Finds the program workerd, without loading anything of this project: vitest.config.ts asks for it in every run. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The program for this machine; `''` if npm installed none. */
export const WORKERD = pathOfBinary();

/** The path in the package for this platform; the command of `workerd` itself needs an install script. */
function pathOfBinary(): string {
  const platform = `${process.platform}-${process.arch === 'x64' ? '64' : process.arch}`;
  try {
    const own = createRequire(require.resolve('workerd'));
    const path = own.resolve(`@cloudflare/workerd-${platform}/bin/workerd`);
    return existsSync(path) ? path : '';
  } catch {
    return '';
  }
}
