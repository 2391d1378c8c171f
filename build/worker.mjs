// Bundles the worker that runs a sandbox as a Durable Object: the program as one module, with the project files that
// it reads. An object has no disk and one database, so code that opens files or further databases is not in the
// bundle. The pages come from the assets of the worker, under their paths in the project; the bundle contains their names.
//
//   node build/worker.mjs <file>
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rewrites } from './rewrites.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path) => readFileSync(ROOT + path, 'utf8');

/** Folders of the pages. */
const SERVED = ['docs/', 'dist/inspector/'];

const namesIn = (folder) =>
  existsSync(ROOT + folder)
    ? readdirSync(ROOT + folder, { recursive: true })
        .filter((name) => name.includes('.'))
        .map((name) => folder + name.replaceAll('\\', '/'))
    : [];

/** Replaces `src/bank/kernel/project.ts`. */
const embeddedFiles = (migrations) => {
  const paths = [
    ...readdirSync(`${ROOT}migrations`).map((name) => `migrations/${name}`),
    'fixtures/default.json',
  ];
  const files = Object.fromEntries([
    ...paths.map((path) => [path, textOf(path)]),
    ...Object.entries(migrations).map(([name, text]) => [`migrations/${name}`, text]),
  ]);
  const { version } = JSON.parse(textOf('package.json'));
  return `
import { env } from 'cloudflare:workers';
const FILES = new Map(Object.entries(${JSON.stringify(files)}));
export const projectFile = (path) => new URL(path, 'file:///sandbank/');
export const readProjectFile = (path) => (FILES.has(path) ? Buffer.from(FILES.get(path)) : undefined);
export const readMadeFile = () => undefined;
export const readServedFile = async (path) => {
  if (env.ASSETS === undefined) return undefined;
  const response = await env.ASSETS.fetch('http://assets/' + path);
  return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
};
const NAMES = ${JSON.stringify(SERVED.flatMap(namesIn))};
export const projectFilesIn = (folder) =>
  [...FILES.keys(), ...NAMES].filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
export const packageVersion = () => ${JSON.stringify(version)};
`;
};

const forObjects = (migrations) => ({
  name: 'for-objects',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /src[\\/]bank[\\/]kernel[\\/]project\.ts$/ }, () => ({
      loader: 'js',
      contents: embeddedFiles(migrations),
    }));
    // Excludes a debug log, of which the runtime prints every line.
    onLoad({ filter: /avvio[\\/]lib[\\/]debug\.js$/ }, () => ({
      loader: 'js',
      contents: 'module.exports = { debug() {} };',
    }));
    onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: 'better-sqlite3', namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      loader: 'js',
      contents:
        "module.exports = class { constructor() { throw new Error('an object has one database'); } };",
    }));
  },
});

/** Writes the bundle, with further migrations by their names; resolves with the files that are in it. */
export async function bundleWorker(file, migrations = {}) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cluster/worker/entry.ts'],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd'],
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers: true,
    // Names would take five percent of the bundle, and every function of a sandbox would get its own when it is created:
    // a millisecond and half a megabyte for each that is opened.
    keepNames: false,
    metafile: true,
    external: ['cloudflare:*'],
    define: { 'import.meta.url': '"file:///sandbank/worker.js"' },
    plugins: [forObjects(migrations), rewrites],
    // Converted CommonJS code uses these.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom('/sandbank/');\nconst __filename = '/sandbank/worker.js', __dirname = '/sandbank';",
    },
    logLevel: 'warning',
  });
  return metafile.inputs;
}

const [, program, file] = process.argv;
if (program === fileURLToPath(import.meta.url) && file !== undefined) await bundleWorker(file);
