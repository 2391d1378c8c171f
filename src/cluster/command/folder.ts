/** The files of an instance: the worker, the pages, and the other files that `sandbank cluster init` writes. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolders } from '../../bank/kernel/folders.ts';
import { projectFile, projectFilesIn, readProjectFile } from '../../bank/kernel/project.ts';
import { CommandError } from '../../cli/bank.ts';
import type { SeedDocument } from '../../sandboxes/sandbox/seed-document.ts';
import { withSeed } from '../worker-seed.ts';
import { WORKERD_VERSION } from './workerd.ts';

export const WORKER = 'worker.js';
/** The configuration of an instance for workerd. */
export const CONFIGURATION = 'instance.capnp';
export const ASSETS = 'assets';
/** The files that `init` writes besides the worker and the pages, from the folder of the project. */
export const TEMPLATES = [
  CONFIGURATION,
  'wrangler.jsonc',
  'Dockerfile',
  'compose.yml',
  'haproxy.cfg',
  'kubernetes.yml',
  'pod-monitor.yml',
] as const;
const TEMPLATES_FOLDER = 'deploy/cluster/';
/** The folders and the file that the worker serves from its assets, under the same paths (build/worker.mjs). */
const SERVED = ['docs/', 'dist/inspector/', 'fixtures/answers/', 'dist/trace.html'] as const;

/** A file of the project; a clone builds what is missing. Throws a `CommandError` for one that could not be built. */
function contentOf(path: string): Buffer {
  const content = readProjectFile(path) ?? buildFile(path);
  if (content !== undefined) return content;
  throw new CommandError(`${path} was not built: run "node build/bundle.mjs" in the folder of the program`);
}

/** `npm ci` in a clone builds only what `start` needs. The package has every file, and no builder. */
function buildFile(path: string): Buffer | undefined {
  const builder = fileURLToPath(projectFile('build/bundle.mjs'));
  if (!path.startsWith('dist/') || !existsSync(builder)) return undefined;
  // What it prints is no output of this command.
  spawnSync(process.execPath, [builder], { stdio: ['ignore', 2, 2] });
  return readProjectFile(path);
}

const templateOf = (name: string): string =>
  contentOf(TEMPLATES_FOLDER + name)
    .toString('utf8')
    .replaceAll('WORKERD_HERE', `workerd@${WORKERD_VERSION}`);

/** Writes the program of an instance into a folder; new sandboxes have the records of the seed document, or the default ones. */
export function writeProgram(folder: string, seed: SeedDocument | null): void {
  const worker = contentOf(`dist/${WORKER}`);
  write(folder, WORKER, seed === null ? worker : withSeed(worker, JSON.stringify(seed)));
  write(folder, CONFIGURATION, templateOf(CONFIGURATION));
  makeFolders(join(folder, ASSETS));
  const served = SERVED.flatMap((from) =>
    from.endsWith('/') ? projectFilesIn(from).map((name) => from + name) : [from],
  );
  for (const path of served) write(folder, `${ASSETS}/${path}`, contentOf(path));
}

/** The files of `init` that already exist. */
export const filesThere = (folder: string): string[] =>
  [WORKER, ASSETS, ...TEMPLATES].filter((name) => existsSync(join(folder, name)));

/** Writes all files of `init`, and removes the pages of another version. */
export function writeFolder(folder: string, seed: SeedDocument | null): void {
  rmSync(join(folder, ASSETS), { recursive: true, force: true });
  writeProgram(folder, seed);
  for (const name of TEMPLATES) write(folder, name, templateOf(name));
}

function write(folder: string, name: string, content: string | Buffer): void {
  const path = join(folder, name);
  makeFolders(dirname(path));
  writeFileSync(path, content);
}
