/**
 * The step of the release workflow that publishes to npm, with npm itself and a registry on this machine. Only `npm
 * publish` is recorded and not run.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environment, ROOT, run, succeed } from '../package/support.ts';

const TIMEOUT_MS = 120_000;
const FILE = 'out/my-scope-sandbank-1.2.0.tgz';
const CONTENT = 'the packed file';
const OWN = `sha512-${createHash('sha512').update(CONTENT).digest('base64')}`;

const folder = mkdtempSync(join(tmpdir(), 'sandbank-publish-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Step {
  readonly name?: string;
  readonly run?: string;
}
const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
  jobs: { package: { steps: Step[] } };
};
const script = jobs.package.steps.find(({ name }) => name === 'Publish to npm')?.run ?? '';

mkdirSync(join(folder, 'out/package'), { recursive: true });
mkdirSync(join(folder, 'bin'));
cpSync(join(ROOT, 'build/publish.mjs'), join(folder, 'build/publish.mjs'));
writeFileSync(join(folder, FILE), CONTENT);
writeFileSync(
  join(folder, 'out/package/package.json'),
  JSON.stringify({
    name: '@my-scope/sandbank',
    version: '1.2.0',
    repository: { url: 'git+https://github.com/my-account/sandbank.git' },
  }),
);

/** The versions of the package in the registry, with the hashes of their files. */
type Has = Readonly<Record<string, string>> | 'nothing' | 'no answer';

async function publish(has: Has) {
  const registry = createServer((_, response) => {
    if (typeof has === 'string') {
      response.writeHead(has === 'nothing' ? 404 : 403, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const versions = Object.entries(has).map(([version, integrity]) => [
      version,
      { name: '@my-scope/sandbank', version, dist: { integrity, tarball: 'http://127.0.0.1/none.tgz' } },
    ]);
    const latest = Object.keys(has).at(-1);
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        name: '@my-scope/sandbank',
        'dist-tags': { latest },
        versions: Object.fromEntries(versions),
      }),
    );
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const real = (await succeed('bash', ['-c', 'command -v npm'], { cwd: folder })).trim();
  const log = join(folder, 'npm.log');
  writeFileSync(log, '');
  writeFileSync(
    join(folder, 'bin/npm'),
    `#!/bin/sh\ncase "$1" in publish) echo "$*" >> '${log}' ;; *) exec '${real}' "$@" ;; esac\n`,
    { mode: 0o755 },
  );
  try {
    const ran = await run('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder,
      timeoutMs: TIMEOUT_MS,
      env: {
        FILE,
        PATH: [join(folder, 'bin'), dirname(process.execPath), environment().PATH].join(delimiter),
        npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
        npm_config_cache: mkdtempSync(join(folder, 'cache-')),
        npm_config_fetch_retries: '0',
      },
    });
    return { ...ran, published: readFileSync(log, 'utf8').trim() };
  } finally {
    registry.close();
    registry.closeAllConnections();
  }
}

const PUBLISH = `publish ./${FILE} --provenance --access public`;
const BY_HAND =
  'npm publish https://github.com/my-account/sandbank/releases/download/v1.2.0/my-scope-sandbank-1.2.0.tgz --access public';

it.each<{ name: string; has: Has; code: number; published: string; says: string }>([
  { name: 'leaves the first version to a person', has: 'nothing', code: 0, published: '', says: BY_HAND },
  {
    name: 'publishes a version beside one other',
    has: { '1.1.0': 'sha512-AAAA' },
    code: 0,
    published: PUBLISH,
    says: '',
  },
  {
    name: 'publishes a version beside several others',
    has: { '1.0.0': 'sha512-AAAA', '1.1.0': 'sha512-AAAA' },
    code: 0,
    published: PUBLISH,
    says: '',
  },
  {
    name: 'leaves a version alone that npm has with the same content',
    has: { '1.1.0': 'sha512-AAAA', '1.2.0': OWN },
    code: 0,
    published: '',
    says: 'npm already has this file as @my-scope/sandbank 1.2.0.',
  },
  {
    name: 'fails where npm has other content under the version',
    has: { '1.2.0': 'sha512-AAAA' },
    code: 1,
    published: '',
    says: 'release the next version',
  },
  {
    name: 'fails where the registry does not answer',
    has: 'no answer',
    code: 1,
    published: '',
    says: 'npm could not look up @my-scope/sandbank',
  },
])(
  '$name',
  async ({ has, code, published, says }) => {
    const ended = await publish(has);
    expect({ ...ended, said: ended.stdout + ended.stderr }).toMatchObject({
      code,
      published,
      said: expect.stringContaining(says),
    });
  },
  TIMEOUT_MS,
);
