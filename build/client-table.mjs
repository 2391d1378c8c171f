// The client needs only the method and the path of each operation, not the server. So the bundles contain the
// computed list. It is computed from an esbuild bundle of the sources, which is much faster than loading them in
// Node, and the Node of `npm ci` may be too old for the sources.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function makeTables() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/kit/client/table.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    external: ['better-sqlite3', 'pdfkit'],
    // The location of the program.
    define: { 'import.meta.url': JSON.stringify(new URL('../dist/main.js', import.meta.url).href) },
    logLevel: 'warning',
  });
  const module = { exports: {} };
  const run = compileFunction(outputFiles[0].text, ['module', 'exports', 'require']);
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports.TABLES;
}

let tables;

/** The esbuild plugin that inserts the list. */
export const clientTable = {
  name: 'client-table',
  setup({ onLoad }) {
    onLoad({ filter: /client[\\/]table\.ts$/ }, async () => {
      // Several bundles are built in parallel.
      tables ??= makeTables();
      return { loader: 'js', contents: `export const TABLES = ${JSON.stringify(await tables)};` };
    });
  },
};
