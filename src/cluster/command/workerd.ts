/**
 * Finds the program workerd, which runs Durable Objects. It has 160 MB, so it is not a dependency of this package:
 * users of a cluster install it themselves (docs/decisions/0041-the-cluster-command.md).
 */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../../bank/kernel/project.ts';
import { CommandError } from '../../cli/bank.ts';

/** The version whose configuration `deploy/cluster` is written for; test/cluster/workerd has the same. */
export const WORKERD_VERSION = '1.20261117.1';

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: '64', arm64: 'arm64' };
const IS_WINDOWS = process.platform === 'win32';
const PROGRAM = IS_WINDOWS ? 'workerd.exe' : 'workerd';

interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the user's project. */
  readonly folder: string;
  /** The folder of this program; npm may have installed workerd next to it. */
  readonly beside?: string;
}

/** The path of the program. Throws a `CommandError` with the command that installs it. */
export function findWorkerd({
  environment,
  folder,
  beside = fileURLToPath(projectFile('.')),
}: Place): string {
  const { SANDBANK_WORKERD: named, PATH = '' } = environment;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return resolve(named);
    throw new CommandError(
      `SANDBANK_WORKERD is ${JSON.stringify(named)}, and there is no such file. Name the program workerd, or unset it.`,
    );
  }
  const found =
    programOf(join(folder, 'package.json')) ??
    programOf(join(beside, 'package.json')) ??
    PATH.split(delimiter)
      .filter((part) => part !== '')
      .map((part) => join(part, PROGRAM))
      .find((file) => existsSync(file));
  if (found !== undefined) return withoutScript(found);
  throw new CommandError(
    `the program workerd was not found; it has 160 MB and is not part of this package. "npm install --save-dev workerd@${WORKERD_VERSION}" ` +
      'installs it in this folder, and the Dockerfile of "sandbank cluster init" installs it in an image. If you have it elsewhere, name ' +
      'it with SANDBANK_WORKERD.',
  );
}

/** The program of the package `workerd` that a file would import. */
function programOf(file: string): string | undefined {
  const system = `${SYSTEMS[process.platform]}-${ARCHITECTURES[process.arch]}`;
  try {
    const own = createRequire(createRequire(file).resolve('workerd'));
    return own.resolve(`@cloudflare/workerd-${system}/bin/${PROGRAM}`);
  } catch {
    return undefined;
  }
}

/** Resolves npm's script to the program that it starts, because signals must reach the program itself. */
function withoutScript(file: string): string {
  return programOf(realpathSync(file)) ?? file;
}
