// Builds dist/inspector: the page at /_sandbox/ui as files with a content hash in their names, and the HTML document
// that loads them. It loads no external resources. Libraries: docs/decisions/0017-inspector.md.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientTable } from './client-table.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const TARGETS = ['chrome115', 'firefox115', 'safari17'];
const OUT = `${ROOT}dist/inspector`;

/** The common options of all builds of the page. */
const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  minify: true,
  // The image has no tsconfig.json.
  tsconfigRaw: '{}',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // A single copy for all packages.
  alias: { preact: `${ROOT}node_modules/preact` },
  plugins: [clientTable],
  logLevel: 'warning',
};

/** Builds dist/trace.html: the page in one file, without data. A trace inserts its data. */
async function buildTrace() {
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: { main: 'inspector/main.tsx', style: 'inspector/style.css' },
    outdir: OUT,
    // The page needs top-level `await` for its data.
    target: TARGETS,
    write: false,
  });
  const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text;
  const page = readFileSync(`${ROOT}inspector/trace.html`, 'utf8')
    .replace('/* style */', () => textOf('.css').replaceAll('</style', '<\\/style'))
    .replace('/* main */', () => textOf('.js').replaceAll('</script', '<\\/script'));
  writeFileSync(`${ROOT}dist/trace.html`, page);
}

/** Builds the page; returns its input files. */
export async function buildInspector() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const options = {
    ...COMMON,
    outdir: OUT,
    entryNames: '[name].[hash]',
    chunkNames: 'part.[hash]',
    target: TARGETS,
    metafile: true,
  };
  // The page waits for one script. The code that it shares with the worker is in both files, because a shared file
  // would be a third request.
  const [page, worker] = await Promise.all([
    build({
      ...options,
      entryPoints: { main: 'inspector/main.tsx', style: 'inspector/style.css' },
      splitting: true,
    }),
    build({ ...options, entryPoints: { 'stream-worker': 'inspector/stream-worker.ts' } }),
    buildTrace(),
  ]);
  const outputs = { ...page.metafile.outputs, ...worker.metafile.outputs };
  const made = Object.keys(outputs).map((name) => name.replace(/^dist\/inspector\//, ''));
  const named = (pattern) => made.find((name) => pattern.test(name));
  const html = readFileSync(`${ROOT}inspector/index.html`, 'utf8')
    .replace('main.js', named(/^main\..*\.js$/))
    .replace('stream-worker.js', named(/^stream-worker\..*\.js$/))
    .replace('style.css', named(/^style\..*\.css$/));
  writeFileSync(`${OUT}/index.html`, html);
  return Object.keys({ ...page.metafile.inputs, ...worker.metafile.inputs });
}
