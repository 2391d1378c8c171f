/**
 * The OpenAPI documents with external tools: Spectral reports no error or warning, six generators create TypeScript
 * clients that compile under strict rules, and one creates clients for Python, Go and Java. The tools are installed
 * from a separate lock file, once per version of it.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { installTools } from '../../build/tools.mjs';
import { startBank } from '../server/process/support.ts';

const TIMEOUT_MS = 300_000;
let tools = '';
/** For the documents and the clients, below the tools, so that clients find the packages that they import. */
let folder = '';

const run = (command: string, ...rest: string[]): string =>
  execFileSync(command, rest, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const runTool = (name: string, ...rest: string[]): string =>
  run(process.execPath, join(tools, 'node_modules/.bin', name), ...rest);

beforeAll(async () => {
  tools = installTools('test/generators');
  folder = join(tools, 'out');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'out'), { recursive: true });
  const bank = await startBank();
  for (const name of ['v2', 'v1', 'sandbox', '3.0/v2', '3.0/v1', '3.0/sandbox']) {
    const answer = await fetch(`${bank.url}/openapi/${name}.json`);
    writeFileSync(join(folder, `${name.replace('/', '-')}.json`), await answer.text());
  }
}, TIMEOUT_MS);

/** How each generator creates the client of a version. */
const GENERATORS: Readonly<Record<string, (version: string, out: string) => unknown>> = {
  'openapi-typescript': (version, out) =>
    run(
      process.execPath,
      join(installTools('test/long'), 'node_modules/.bin/openapi-typescript'),
      `${version}.json`,
      '-o',
      `${out}.ts`,
    ),
  'hey-api': (version, out) => runTool('openapi-ts', '-i', `${version}.json`, '-o', out),
  orval: (version, out) => runTool('orval', '--input', `${version}.json`, '--output', `${out}.ts`),
  oazapfts: (version, out) => runTool('oazapfts', `${version}.json`, `${out}.ts`),
  // It reads only 3.0.
  'openapi-zod-client': (version, out) =>
    runTool('openapi-zod-client', `3.0-${version}.json`, '-o', `${out}.ts`),
  'openapi-typescript-codegen': (version, out) =>
    runTool('openapi', '-i', `3.0-${version}.json`, '-o', out, '--useUnionTypes'),
};

/** One parameter of v1 has a name in the path and in the query. This generator declares it twice. */
const ONLY_V2: readonly string[] = ['openapi-typescript-codegen'];

describe('the documents', () => {
  it(
    'pass the rules of Spectral',
    () => {
      const found = JSON.parse(
        run(
          process.execPath,
          join(tools, 'spectral.mjs'),
          'v2.json',
          'v1.json',
          'sandbox.json',
          '3.0-v2.json',
          '3.0-v1.json',
          '3.0-sandbox.json',
        ),
      ) as string[];
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(Object.entries(GENERATORS))(
    'are parsed by %s',
    (name, generate) => {
      for (const version of ONLY_V2.includes(name) ? ['v2'] : ['v2', 'v1']) {
        const out = `out/${name}-${version}`;
        generate(version, out);
        expect(
          [`${out}.ts`, `${out}/index.ts`].some((file) => existsSync(join(folder, file))),
          out,
        ).toBe(true);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'result in clients that compile',
    () => {
      const compilerOptions = {
        ...{
          target: 'ES2022',
          lib: ['ES2022', 'DOM', 'DOM.Iterable'],
          module: 'NodeNext',
          moduleResolution: 'NodeNext',
        },
        ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['out'] }));
      expect(run(process.execPath, join(tools, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('');
    },
    TIMEOUT_MS,
  );
});

/** The last version with the program in its npm package; later ones download it. */
const GENERATOR = '../node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar';
/** The modules that the client for Go imports, with only the parts that it uses. */
const GO_MODULES: Readonly<Record<string, string>> = {
  'golang.org/x/oauth2': `package oauth2

import "net/http"

type Token struct{}

func (*Token) SetAuthHeader(*http.Request) {}

type TokenSource interface{ Token() (*Token, error) }
`,
  'github.com/antihax/optional': `package optional

type String struct{ text string }

func (o String) IsSet() bool { return o.text != "" }
func (o String) Value() string { return o.text }

type Interface struct{ value interface{} }

func (o Interface) IsSet() bool { return o.value != nil }
func (o Interface) Value() interface{} { return o.value }
`,
};

/** Generates the client of v2 in a language; returns its folder. */
function writeClient(language: string, ...options: string[]): string {
  const out = join(folder, 'out', language);
  run('java', '-jar', GENERATOR, 'generate', '-i', '3.0-v2.json', '-g', language, '-o', out, ...options);
  return out;
}

describe('OpenAPI Generator', () => {
  it(
    'generates a client for Python that compiles',
    () => expect(run('/usr/bin/python3', '-m', 'compileall', '-q', writeClient('python'))).toBe(''),
    TIMEOUT_MS,
  );

  it(
    'generates a client for Go that compiles',
    () => {
      const out = writeClient('go', '--additional-properties=packageName=bank,enumClassPrefix=true');
      for (const [name, text] of Object.entries(GO_MODULES)) {
        const module = join(out, '..', name);
        mkdirSync(module, { recursive: true });
        writeFileSync(join(module, 'go.mod'), `module ${name}\n`);
        writeFileSync(join(module, 'module.go'), text);
        appendFileSync(join(out, 'go.mod'), `\nreplace ${name} => ../${name}\n`);
      }
      const env = { ...process.env, GOFLAGS: '-mod=mod' };
      expect(execFileSync('/usr/bin/go', ['build', './...'], { cwd: out, env, encoding: 'utf8' })).toBe('');
    },
    TIMEOUT_MS,
  );

  it(
    'generates a client for Java that can be parsed',
    () => {
      const out = writeClient('java', '--library', 'native');
      expect(run('java', join(tools, 'Parse.java'), out)).toMatch(/^\d{3} files\n$/);
    },
    TIMEOUT_MS,
  );
});
