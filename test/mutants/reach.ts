/**
 * Which test files execute which lines: one run of the fast tests in a copy of the project whose sources contain a
 * probe before each statement of interest. A mutant then needs only the tests that reach its line. Programs that a
 * test starts are not recorded.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import type { RandomMutant } from './random.ts';

/** One test file: the milliseconds that it took, and the places (`file:line`) that it reached. */
export interface Reached {
  readonly test: string;
  readonly ms: number;
  /** Whether a test of it failed, although there was no mistake. */
  readonly hasFailed: boolean;
  readonly places: ReadonlySet<string>;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Where a probe stands: before a statement, or around the expression that an arrow function returns. */
interface Place {
  readonly start: number;
  /** Only of an expression. */
  readonly end?: number;
}

export const placeOf = ({ file, line }: Pick<RandomMutant, 'file' | 'line'>): string => `${file}:${line}`;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** The innermost place within a function that is executed before the text at `offset`; undefined outside of functions. */
function placeBefore(node: Node, offset: number, isWithin = false, found?: Place): Place | undefined {
  const { type } = node;
  const isFunction = type.includes('Function');
  for (const [name, value] of Object.entries(node)) {
    const isBody = isFunction && name === 'body';
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child) || offset < child.start || offset >= child.end) continue;
      const within = isWithin || isBody;
      const isStatement =
        within && (name === 'consequent' || name === 'body') && Array.isArray(value) && type !== 'ClassBody';
      const isReturned = isBody && child.type !== 'BlockStatement' && child.type !== 'FunctionBody';
      const place = isReturned
        ? { start: child.start, end: child.end }
        : isStatement
          ? { start: child.start }
          : found;
      return placeBefore(child, offset, within, place);
    }
  }
  return found;
}

/** A source with a probe for each of its lines of interest that is within a function, on the same lines as before. */
function withProbes(source: string, mutants: readonly RandomMutant[]): string {
  const program = parseAst(source, { lang: 'ts' }) as unknown as Node;
  const lines = source.split('\n');
  const inserted = mutants.flatMap((mutant) => {
    const { line, text, replacement } = mutant;
    const changed = [...text].findIndex((letter, at) => letter !== replacement[at]);
    const before = lines.slice(0, line - 1).join('\n').length + Math.min(1, line - 1);
    const offset = before + Math.max(changed, text.search(/\S/));
    const place = placeBefore(program, offset);
    if (place === undefined) return [];
    const probe = `globalThis.reached?.add('${placeOf(mutant)}')`;
    return place.end === undefined
      ? [{ at: place.start, text: `${probe}; ` }]
      : [
          { at: place.start, text: `(${probe}, ` },
          { at: place.end, text: ')' },
        ];
  });
  return inserted
    .toSorted((one, other) => other.at - one.at)
    .reduce((result, { at, text }) => result.slice(0, at) + text + result.slice(at), source);
}

const RECORDER = `
import { afterEach as after, expect as current } from 'vitest';
import { appendFileSync as append } from 'node:fs';
const startedAt = performance.now();
globalThis.reached = new Set();
let hasFailed = false;
after(({ task }) => {
  hasFailed ||= task.result?.state === 'fail';
});
afterAll(() => {
  const ms = Math.round(performance.now() - startedAt);
  const test = current.getState().testPath.slice(process.cwd().length + 1);
  append(process.env.SANDBANK_REACHED, JSON.stringify({ test, ms, hasFailed, places: [...globalThis.reached] }) + '\\n');
});
`;

/**
 * Puts probes into the copy, runs `run`, which runs its tests, and takes the probes out again. The record is written to
 * `output`; if that exists, it is the record.
 */
export async function recordReached(
  folder: string,
  mutants: readonly RandomMutant[],
  output: string,
  run: () => Promise<unknown>,
): Promise<Reached[]> {
  if (!existsSync(output)) {
    const sources = new Map<string, string>();
    const change = (file: string, to: (source: string) => string): void => {
      const path = join(folder, file);
      const source = readFileSync(path, 'utf8');
      sources.set(path, source);
      writeFileSync(path, to(source));
    };
    for (const [file, ofFile] of Map.groupBy(mutants, ({ file }) => file))
      change(file, (source) => withProbes(source, ofFile));
    change('test/support/each-file.ts', (source) => source + RECORDER);
    process.env.SANDBANK_REACHED = output;
    await run();
    for (const [path, source] of sources) writeFileSync(path, source);
  }
  return readFileSync(output, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => {
      const record = JSON.parse(text) as Reached & { places: string[] };
      return { ...record, places: new Set(record.places) };
    });
}
