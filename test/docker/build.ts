/**
 * Before the tests of `npm run test:docker`: builds the image of this checkout and that of the commit before. Afterwards it
 * removes the containers, volumes and networks of the run, which have its label.
 */
import { randomUUID } from 'node:crypto';
import { ROOT, run, succeed } from '../package/support.ts';
import { BASE, docker, IMAGE, LABEL, tryDocker } from './engine.ts';

/** npm downloads the packages of the build. */
const BUILD_TIMEOUT_MS = 900_000;

export async function setup(): Promise<() => Promise<void>> {
  const { code, stderr } = await run('docker', ['version'], { cwd: ROOT });
  if (code !== 0) throw new Error(`test:docker was not run, because no Docker engine answers: ${stderr}`);
  // The workers of the tests inherit the variables.
  process.env.SANDBANK_TEST_RUN = randomUUID();
  // A builder may have it where `docker image inspect` does not find it.
  if ((await tryDocker('image', 'inspect', BASE)).code !== 0) await docker('pull', '--quiet', BASE);
  if (IMAGE === 'sandbank') await build('.', 'sandbank');
  await build(`git archive ${await commitBefore()}`, 'sandbank:before');
  return removeAll;
}

/** The last commit without the changes that the image of this checkout contains. */
async function commitBefore(): Promise<string> {
  const changes = await succeed('git', ['status', '--porcelain'], { cwd: ROOT });
  const name = changes === '' ? 'HEAD^' : 'HEAD';
  return (await succeed('git', ['rev-parse', '--verify', name], { cwd: ROOT })).trim();
}

/** Builds an image from a folder, or from the archive that a command prints. */
async function build(context: string, tag: string): Promise<void> {
  const words = [
    // npm in the build reaches its registry like npm on this machine.
    ...['build', '--network', 'host', '--quiet', '--build-arg', `NODE_IMAGE=${BASE}`, '--tag', tag],
  ];
  const isArchive = context.startsWith('git ');
  const command = `docker ${words.join(' ')} ${isArchive ? '-' : context}`;
  const script = isArchive ? `${context} | ${command}` : command;
  await succeed('bash', ['-o', 'pipefail', '-c', script], { cwd: ROOT, timeoutMs: BUILD_TIMEOUT_MS });
}

async function removeAll(): Promise<void> {
  const label = `label=${LABEL()}`;
  const ids = async (...words: string[]): Promise<string[]> =>
    (await docker(...words, '--filter', label, '--quiet')).split('\n').filter((id) => id !== '');
  const containers = await ids('ps', '--all');
  if (containers.length > 0) await docker('rm', '--force', '--volumes', ...containers);
  for (const kind of ['volume', 'network']) {
    const found = await ids(kind, 'ls');
    if (found.length > 0) await docker(kind, 'rm', ...found);
  }
}
