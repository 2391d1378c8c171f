/**
 * The types in the package are generated from the shapes, and the types of the client are computed from them: the
 * parameters and results of every method must be equal. Enums are not compared, because a shape can list values that
 * its type does not contain.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { printClientTypes } from '../../build/client-types.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCE = join(ROOT, 'src/kit/client');
const TIMEOUT_MS = 120_000;

/** Each exported type is a union of the names of methods that differ. */
const COMPARISON = `
import type * as Source from '${SOURCE}/types.ts';
import type * as Printed from './types.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Different<A, B> = {
  [Name in keyof A | keyof B]: Name extends keyof A & keyof B ? (Same<Plain<A[Name]>, Plain<B[Name]>> extends true ? never : Name) : Name;
}[keyof A | keyof B];

type Whole = Blob | Uint8Array | ReadableStream | AbortSignal;
/** A call in which every string has the type string, even enums. */
type Plain<T> = T extends (request: infer Request) => Promise<infer Answer>
  ? (request: Texts<Request>) => Promise<Texts<Answer>>
  : T;
type Texts<T> = T extends string ? string : T extends Whole ? T : T extends object ? { [Name in keyof T]: Texts<T[Name]> } : T;

export type V2 = Different<Source.V2Methods, Printed.V2Methods>;
export type V1 = Different<Source.V1Methods, Printed.V1Methods>;
export type Control = Different<Source.ControlMethods, Printed.ControlMethods>;
/** Shows that a difference is found. */
export type Other = Different<Pick<Source.V2Methods, 'submitKyc'>, { submitKyc: () => Promise<{ id: number }> }>;
`;

let folder = '';
beforeAll(() => {
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/types-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
  'the printed types of every method equal those of its operation',
  async () => {
    const printed = printClientTypes();
    writeFileSync(join(folder, 'types.ts'), printed.replace('./call.js', `${SOURCE}/call.ts`));
    const file = join(folder, 'compare.ts');
    writeFileSync(file, COMPARISON);
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
    const program = ts.createProgram([file], {
      ...options,
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
    });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    expect(source && program.getSemanticDiagnostics(source).map(({ messageText }) => messageText)).toEqual(
      [],
    );
    const different = source?.statements
      .filter((statement) => ts.isTypeAliasDeclaration(statement))
      .filter(({ modifiers }) => modifiers !== undefined)
      .map(({ name }) => [name.text, namesIn(checker.getTypeAtLocation(name))]);
    expect(different).toEqual([
      ['V2', []],
      ['V1', []],
      ['Control', []],
      ['Other', ['submitKyc']],
    ]);
  },
  TIMEOUT_MS,
);

/** The literals of a union; none for `never`. */
function namesIn(type: ts.Type): unknown[] {
  if (type.isUnion()) return type.types.flatMap(namesIn);
  return type.isStringLiteral() ? [type.value] : [];
}
