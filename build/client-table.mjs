// The client needs of each operation its method and its path, and not the server that the list of them is made of. So the
// bundles contain the list as its value. esbuild reads the sources for it: that takes a fraction of the time in which Node
// loads them one by one, and the Node of `npm ci` may be too old to load them.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

async function makeTables() {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/client/table.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    external: ['better-sqlite3', 'pdfkit'],
    // Where the program would be.
    define: { 'import.meta.url': JSON.stringify(new URL('../dist/main.js', import.meta.url).href) },
    logLevel: 'warning',
  });
  const module = { exports: {} };
  const run = compileFunction(outputFiles[0].text, ['module', 'exports', 'require']);
  run(module, module.exports, createRequire(import.meta.url));
  return module.exports.TABLES;
}

let tables;

/** The plugin of esbuild that puts it there. */
export const clientTable = {
  name: 'client-table',
  setup({ onLoad }) {
    onLoad({ filter: /client[\\/]table\.ts$/ }, async () => {
      // Several bundles are made at the same time.
      tables ??= makeTables();
      return { loader: 'js', contents: `export const TABLES = ${JSON.stringify(await tables)};` };
    });
  },
};
