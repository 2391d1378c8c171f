/**
 * Writes dist/types: the types of the package's entries. Each file's own come from TypeScript, one file at a time and
 * without looking into another; those of the client's methods are printed from the operations. What is written knows
 * nothing but itself and vitest, so whoever installs the package needs no types of anybody else.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { printClientTypes } from './client-types.ts';

const SOURCES = new URL('../src/', import.meta.url);
const OUT = new URL('../dist/types/', import.meta.url);
const PRINTED = 'client/types.ts';
/** What CommonJS can load too. */
const OF_BOTH = ['kit/index.ts', 'client/index.ts', 'client/webhook.ts'];
const ENTRIES = [...OF_BOTH, 'kit/vitest.ts', 'kit/vitest-global-setup.ts'];
/** Whoever imports the entry that needs it has it. */
const PEERS = ['vitest', 'vitest/node'];
const IMPORT = /((?:from|import|import\()\s*)'([^']+)'/g;

/** Writes the declarations of the entries and of all that they lead to; answers their paths. */
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

/** The largest file holds types alone, so it is not written twice. */
const OF_THE_MODULE = `export type * from './types.js' with { 'resolution-mode': 'import' };\n`;

/** The files that some lead to, themselves included. */
function reachedFrom(paths: readonly string[], imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(paths);
  for (const path of reached) for (const inner of imports.get(path) ?? []) reached.add(inner);
  return reached;
}

function declarationsOf(path: string): string {
  const source = readFileSync(new URL(path, SOURCES), 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: path,
    compilerOptions: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      isolatedDeclarations: true,
    },
    reportDiagnostics: true,
  });
  const [problem] = diagnostics;
  if (problem !== undefined) {
    throw new Error(`src/${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
  }
  return outputText;
}
