// Builds dist/: the program and the entries of the package as JavaScript with a single dependency, their types, and the
// licences of the bundled packages. The launcher runs the sources instead if one of them is
// newer. Without esbuild (an install without development dependencies) it does nothing. Reasons:
// docs/decisions/0007-bundle.md and 0009-the-package.md.
//
//   node build/bundle.mjs              everything in the package
//   node build/bundle.mjs --if-stale   the same if it is out of date; for the tests
//   node build/bundle.mjs --program    the files for a start; `npm ci` runs this
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../bin/node-version.mjs';
import { writeNotices } from './notices.mjs';
import { rewrites } from './rewrites.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Build only the files for a start. */
const FOR_START = process.argv.includes('--program');

// Garbage collection takes a third of esbuild's time and saves only a tenth of the memory.
process.env.GOGC ??= 'off';
process.env.GOMEMLIMIT ??= '512MiB';
const esbuild = await import('esbuild').catch(() => null);
if (esbuild === null) process.exit(0);
// These need esbuild.
const { buildInspector } = await import('./inspector.mjs');
const { bundleWorker } = await import('./worker.mjs');
const { clientTable } = await import('./client-table.mjs');

// esbuild itself also runs with an older Node.
const problem = FOR_START ? null : nodeProblem(process.versions.node, ROOT);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

/** The inputs of dist/. */
const MADE_OF = ['bin', 'build', 'data', 'fixtures', 'inspector', 'migrations', 'src', 'package-lock.json'];
/** Converted CommonJS code uses it. */
const FOR_COMMON_JS = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url);',
].join('\n');

/** The program of `sandbank cluster`, one module. */
const WORKER = 'worker.js';

/** The file that is written last. */
const LAST = `${ROOT}dist/THIRD-PARTY-NOTICES.md`;

const newestIn = (path) =>
  statSync(path).isDirectory()
    ? Math.max(
        0,
        ...readdirSync(path).map((name) => (name === 'node_modules' ? 0 : newestIn(`${path}/${name}`))),
      )
    : statSync(path).mtimeMs;

const isFresh = () =>
  existsSync(LAST) && statSync(LAST).mtimeMs > Math.max(...MADE_OF.map((name) => newestIn(`${ROOT}${name}`)));
if (process.argv.includes('--if-stale') && isFresh()) process.exit(0);

// Skipped by `npm ci` to save time; the tests check it too.
if (!FOR_START) {
  const { checkData } = await import('./data.ts');
  checkData();
}
const [{ metafile }, ofInspector] = await Promise.all([buildProgram(), buildInspector()]);
requireDeclared(metafile);
dropUnused(metafile.outputs);
for (const name of readdirSync(`${ROOT}/dist`)) {
  if (name.endsWith('.js') && name !== WORKER && !(`dist/${name}` in metafile.outputs))
    rmSync(`${ROOT}/dist/${name}`);
}
if (!FOR_START) await buildTheRest();
// The worker of an older build would be served.
else if (!isFresh()) {
  rmSync(`${ROOT}dist/${WORKER}`, { force: true });
}

/** Removes the CommonJS helper from files without CommonJS code. */
function dropUnused(outputs) {
  for (const name of Object.keys(outputs)) {
    const text = readFileSync(`${ROOT}${name}`, 'utf8');
    const rest = text.replace(FOR_COMMON_JS, '').trimStart();
    if (!/\brequire\b/.test(rest)) writeFileSync(`${ROOT}${name}`, rest);
  }
}

/** The program and the entries of the package, as ES modules. */
function buildProgram() {
  return esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: {
      main: 'src/server/main.ts',
      cli: 'src/command.ts',
      healthcheck: 'src/server/process/healthcheck.ts',
      index: 'src/kit/index.ts',
      vitest: 'src/kit/vitest.ts',
      'vitest-global-setup': 'src/kit/vitest-global-setup.ts',
      client: 'src/kit/client/index.ts',
      webhooks: 'src/kit/client/webhook.ts',
      'kit-thread': 'src/kit/thread.ts',
      'sender-worker': 'src/bank/delivery/sender-worker.ts',
      'image-worker': 'src/sandboxes/sandbox/image-worker.ts',
    },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    // Short names would need a call for each function, so that stack traces show its own: 30 ms of every start.
    minifyIdentifiers: false,
    metafile: true,
    // Native code, and packages of tests only.
    external: ['better-sqlite3', 'vitest'],
    plugins: [rewrites, clientTable],
    banner: { js: FOR_COMMON_JS },
    // Not in the banner: the package `open` declares __dirname, and two declarations of one name are a syntax error.
    define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' },
    logLevel: 'warning',
  });
}

/**
 * Builds the parts that only the package needs: the CommonJS build, the worker, the types and the licences.
 */
async function buildTheRest() {
  // For CommonJS programs. Their bank is the same worker, which is an ES module.
  const commonJs = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: {
      index: 'src/kit/index.ts',
      client: 'src/kit/client/index.ts',
      webhooks: 'src/kit/client/webhook.ts',
    },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    minifySyntax: true,
    minifyWhitespace: true,
    minifyIdentifiers: false,
    metafile: true,
    plugins: [rewrites, clientTable],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
  });

  requireDeclared(commonJs.metafile);
  const { settingsSchema } = await import('../src/server/process/config.ts');
  writeFileSync(`${ROOT}/dist/config.schema.json`, `${JSON.stringify(settingsSchema(), null, 2)}\n`);
  const { writeDeclarations } = await import('./declarations.ts');
  await writeDeclarations();
  // The worker contains the names of the pages.
  const ofWorker = await bundleWorker(`${ROOT}dist/${WORKER}`);
  writeNotices(`${ROOT}/dist`, ROOT, [
    ...Object.keys({ ...metafile.inputs, ...commonJs.metafile.inputs, ...ofWorker }),
    ...ofInspector,
  ]);
}

/** Fails if a bundle imports a package that is not a dependency. */
function requireDeclared({ outputs }) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
  const known = new Set([...builtinModules, ...Object.keys({ ...dependencies, ...peerDependencies })]);
  for (const [file, { imports }] of Object.entries(outputs)) {
    for (const { path, external } of imports) {
      if (external && !/^(node:|\.\/)/.test(path) && !known.has(path)) {
        throw new Error(`${file} needs ${path}, which is not a dependency of the package`);
      }
    }
  }
}
