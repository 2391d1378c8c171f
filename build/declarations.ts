/**
 * Writes dist/types: the types of the package's entries. Rolldown generates the types of each file separately; the
 * types of the client's methods are printed from the operations. The result refers only to itself and vitest, so
 * users of the package need no other types.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { printClientTypes } from './client-types.ts';

const SOURCES = new URL('../src/', import.meta.url);
const OUT = new URL('../dist/types/', import.meta.url);
const PRINTED = 'kit/client/types.ts';
/** The entries for CommonJS. */
const OF_BOTH = ['kit/index.ts', 'kit/client/index.ts', 'kit/client/webhook.ts'];
const ENTRIES = [...OF_BOTH, 'kit/vitest.ts', 'kit/vitest-global-setup.ts'];
/** Peer dependencies, which users of these entries have installed. */
const PEERS = ['vitest', 'vitest/node'];
const IMPORT = /((?:from|import|import\()\s*)['"]([^'"]+)['"]/g;

/** Writes the declarations of the entries and their imports; returns the paths. */
export async function writeDeclarations(): Promise<string[]> {
  const printed = printClientTypes();
  const written = new Map<string, string>();
  const imports = new Map<string, string[]>();
  const write = (path: string): void => {
    if (written.has(path)) return;
    written.set(path, '');
    const text = path === PRINTED ? printed : declarationsOf(path);
    const inner: string[] = [];
    const declared = text.replace(IMPORT, (_, words: string, from: string) => {
      if (!from.startsWith('.')) {
        if (!PEERS.includes(from)) throw new Error(`the types of src/${path} need those of ${from}`);
        return `${words}'${from}'`;
      }
      const source = from.replace(/\.js$/, '.ts');
      inner.push(posix.join(posix.dirname(path), source));
      return `${words}'${source.replace(/\.ts$/, '.js')}'`;
    });
    written.set(path, declared);
    imports.set(path, inner);
    inner.forEach(write);
  };
  ENTRIES.forEach(write);
  for (const path of reachedFrom(OF_BOTH, imports)) {
    const text = path === PRINTED ? OF_THE_MODULE : (written.get(path) ?? '');
    const declared = text.replace(
      IMPORT,
      (_, words: string, from: string) => `${words}'${from.replace(/\.js$/, '.cjs')}'`,
    );
    written.set(path.replace(/\.ts$/, '.cts'), path === PRINTED ? text : declared);
  }

  rmSync(OUT, { recursive: true, force: true });
  for (const [path, text] of written) {
    const file = new URL(path.replace(/\.(c?ts)$/, '.d.$1'), OUT);
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...written.keys()];
}

/** The largest file contains only types, so its CommonJS copy refers to it. */
const OF_THE_MODULE = `export type * from './types.js' with { 'resolution-mode': 'import' };\n`;

/** The files that are reachable from these, including themselves. */
function reachedFrom(paths: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(paths);
  for (const path of reached) for (const inner of imports.get(path) ?? []) reached.add(inner);
  return reached;
}

function declarationsOf(path: string): string {
  const source = readFileSync(new URL(path, SOURCES), 'utf8');
  const { code, errors } = isolatedDeclarationSync(path, source);
  const [problem] = errors;
  if (problem !== undefined) throw new Error(`src/${path}: ${problem.message}`);
  return code;
}
