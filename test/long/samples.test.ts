/**
 * The samples on the pages of operations, in four languages: every curl request to a new bank gets the response on
 * its page, the Node programs match the types of the client, and the Python and Go programs are valid. Programs that
 * build a form are run.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CallJson, PREPARATIONS } from '../../build/answers/preparations.ts';
import { formatExample } from '../../src/bank/api/operation.ts';
import { API_DOCUMENTS } from '../../src/reference/openapi/document.ts';
import type { OperationRow } from '../../src/reference/openapi/schemas.ts';
import { run } from '../package/support.ts';
import { makeFolder, type Running, startBank } from '../server/process/support.ts';

vi.setConfig({ testTimeout: 600_000 });

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PYTHON = '/usr/bin/python3';
/** Prints the errors in the programs of a JSON file. */
const PARSE = `import ast, json, sys
for name, code in json.load(open(sys.argv[1])).items():
    try:
        ast.parse(code)
    except SyntaxError as error:
        print(name, error)
`;
/** The response of a stream does not end. */
const STREAM = 'sandbox_stream';
const FORM = 'uploadCheckImages';
/** Operations that change the records of a bank's seed permanently. */
const NEED_OWN_BANKS = ['sandbox_seed', 'sandbox_import'];
/** The sandboxes that examples create. */
const MADE = ['alice', 'spare'];

type Language = 'curl' | 'Node' | 'Python' | 'Go';
interface Sample {
  name: string;
  row: OperationRow;
  code: Record<Language, string>;
}

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

async function sampleOf(bank: Running, name: string, id: string): Promise<Record<Language, string>> {
  const html = await (await fetch(`${bank.url}/docs/reference/${name}/${id}.html`)).text();
  const panels = [...html.matchAll(/<pre tabindex="0" aria-label="(\w+)"><code>(.*?)<\/code><\/pre>/gs)];
  return Object.fromEntries(panels.map(([, language, text = '']) => [language, textOf(text)])) as Record<
    Language,
    string
  >;
}

let bank: Running;
let folder = '';
const samples: Sample[] = [];

beforeAll(async () => {
  bank = await startBank();
  for (const { name, operations } of API_DOCUMENTS) {
    for (const row of operations) {
      samples.push({ name, row, code: await sampleOf(bank, name, row.id) });
    }
  }
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/samples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('code samples are on the page of every operation, in four languages', () => {
  for (const { row, code } of samples)
    expect([row.id, Object.keys(code)]).toEqual([row.id, ['curl', 'Node', 'Python', 'Go']]);
});

/** Calls a bank like the recorder of the responses, for what has to precede an example. */
const callOf =
  (to: Running): CallJson =>
  async (method, path, body) => {
    const answer = await fetch(to.url + path, {
      method,
      headers: { 'api-key': to.key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${bytes}`);
    const contentType = answer.headers.get('content-type') ?? '';
    const isJson = contentType.startsWith('application/json');
    return { status: answer.status, contentType, body: isJson ? JSON.parse(`${bytes}`) : undefined, bytes };
  };

/** A folder with the files that a sample reads. */
function folderFor(row: OperationRow, payload: string | Buffer | undefined): string {
  const cwd = makeFolder();
  const { files = {} } = formatExample({ example: row.example ?? {} }, { seed: (name) => name });
  for (const [part, { base64 }] of Object.entries(files)) {
    writeFileSync(join(cwd, `${part}.png`), Buffer.from(base64, 'base64'));
  }
  if (payload !== undefined) writeFileSync(join(cwd, 'file'), payload);
  return cwd;
}

it('samples for curl get the documented responses', { timeout: 600_000 }, async () => {
  const wrong: string[] = [];
  for (const { name, row } of samples) {
    const to = NEED_OWN_BANKS.includes(row.id) ? await startBank() : bank;
    await to.v2('POST', '/_sandbox/reset', {});
    for (const made of MADE) await to.v2('DELETE', `/_sandbox/sandboxes/${made}`);
    const { curl } = await sampleOf(to, name, row.id);
    const { body } = await to.v2('GET', '/_sandbox');
    const prepared = await PREPARATIONS[row.id]?.(callOf(to), body.seeded as Record<string, string>);
    const filled = Object.entries(prepared?.params ?? {}).reduce(
      (text, [part, value]) => text.replaceAll(`{${part}}`, value),
      curl,
    );
    const limit = row.id === STREAM ? ' --max-time 2' : '';
    const words = filled.replace(/^curl -s/, `curl -s${limit} -o answer -w '%{http_code}'`);
    const { stdout } = await run('/bin/sh', ['-c', words], { cwd: folderFor(row, prepared?.payload) });
    if (stdout !== String(row.status)) wrong.push(`${row.id}: ${stdout}, not ${row.status}\n${filled}`);
  }
  expect(wrong).toEqual([]);
});

it('samples for Node match the types of the client', () => {
  const files = samples.map(({ row, code }) => {
    const file = join(folder, `${row.id}.mts`);
    writeFileSync(file, code.Node);
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { 'sandbank/client': [join(ROOT, 'dist/types/kit/client/index.d.ts')] },
  });
  const wrong = ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName.split('/').at(-1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  expect(wrong).toEqual([]);
});

it('samples for Python can be parsed', async () => {
  const file = join(folder, 'samples.json');
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(samples.map(({ row, code }) => [row.id, code.Python]))),
  );
  expect(await run(PYTHON, ['-c', PARSE, file], { cwd: folder })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

it("samples for Go have Go's format", async () => {
  const programs = join(folder, 'go');
  mkdirSync(programs);
  for (const { row, code } of samples) writeFileSync(join(programs, `${row.id}.go`), `${code.Go}\n`);
  // -l prints the names of programs that gofmt would change, and -e all errors.
  const printed = await run('/usr/bin/gofmt', ['-l', '-e', programs], { cwd: folder });
  expect(printed).toEqual({ code: 0, stdout: '', stderr: '' });
});

it.each([
  ['Python', 'main.py', [PYTHON]],
  ['Go', 'main.go', ['/usr/bin/go', 'run']],
] as const)('samples for %s send the files of a form', async (language, name, [command, ...words]) => {
  const sample = samples.find(({ row }) => row.id === FORM);
  if (sample === undefined) throw new Error(`there is no operation ${FORM}`);
  const cwd = folderFor(sample.row, undefined);
  writeFileSync(join(cwd, name), sample.code[language]);
  await bank.v2('POST', '/_sandbox/reset', {});
  const printed = await run(command, [...words, join(cwd, name)], { cwd });
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toContain('"id":');
});
