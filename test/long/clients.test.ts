/**
 * The OpenAPI documents with external tools: openapi-typescript generates types from them, programs with these types
 * compile strictly and work with a running bank, and wrong programs do not compile.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, type Running, startBank } from '../server/process/support.ts';

const DOCUMENTS = ['v2', 'v1', 'sandbox'] as const;
type Name = (typeof DOCUMENTS)[number];
const STORIES = ['v2', 'v1'] as const;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts'],
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** A story with an error, and the expected message of the compiler. */
const MISTAKES: readonly { what: string; story: Name; right: string; wrong: string; output: RegExp }[] = [
  {
    what: 'a misspelt field that is required',
    story: 'v2',
    right: 'counterparty_id: counterparty.id',
    wrong: 'counterparty: counterparty.id',
    output: /'counterparty' does not exist in type/,
  },
  {
    what: 'a misspelt field that may be left out',
    story: 'v2',
    right: "label: 'Household'",
    wrong: "lable: 'Household'",
    output: /'lable' does not exist in type/,
  },
  {
    what: 'a misspelt field further in',
    story: 'v2',
    right: "max_spend_amount: '100.00'",
    wrong: "max_spent_amount: '100.00'",
    output: /'max_spent_amount' does not exist in type/,
  },
  {
    what: 'a wrong word of an enum',
    story: 'v2',
    right: "period: 'weekly'",
    wrong: "period: 'fortnightly'",
    output: /Type '"fortnightly"' is not assignable to type '"" \| "daily"/,
  },
  {
    what: 'a misspelt field of an answer',
    story: 'v2',
    right: 'received.ach?.trace_number',
    wrong: 'received.ach?.trace',
    output: /Property 'trace' does not exist on type/,
  },
  {
    what: 'a field that may be null',
    story: 'v2',
    right: 'received.ach?.trace_number',
    wrong: 'received.ach.trace_number',
    output: /'received.ach' is possibly 'null'/,
  },
  {
    what: 'a switch that forgets a word',
    story: 'v2',
    right: "    case 'locked':\n",
    wrong: '',
    output: /Function lacks ending return statement/,
  },
  {
    what: 'a path that is not there',
    story: 'v2',
    right: "GET('/v2/issuing/card/{card_id}'",
    wrong: "GET('/v2/issuing/cards/{card_id}'",
    output: /"\/v2\/issuing\/cards\/\{card_id\}"/,
  },
  {
    what: 'a misspelt parameter of a query',
    story: 'v2',
    right: 'query: { sub_account_id: account.id }',
    wrong: 'query: { account_id: account.id }',
    output: /'account_id' does not exist in type/,
  },
  {
    what: 'a field of a refusal that only the other version has',
    story: 'v2',
    right: 'error.method, error.error.code',
    wrong: 'error.method, error.code',
    output: /Property 'code' does not exist on type/,
  },
  {
    what: 'a field of the record of another event',
    story: 'v2',
    right: 'event.data.last4',
    wrong: 'event.data.amount',
    output: /Property 'amount' does not exist on type/,
  },
  {
    what: 'a misspelt field that is required',
    story: 'v1',
    right: 'contactId: contact.id',
    wrong: 'contact: contact.id',
    output: /'contact' does not exist in type/,
  },
  {
    what: 'a misspelt field that may be left out',
    story: 'v1',
    right: "label: 'Household'",
    wrong: "lable: 'Household'",
    output: /'lable' does not exist in type/,
  },
  {
    what: 'a wrong word of an enum',
    story: 'v1',
    right: "limitInterval: 'weekly'",
    wrong: "limitInterval: 'fortnightly'",
    output: /Type '"fortnightly"' is not assignable to type/,
  },
  {
    what: 'a kind of event that is not there',
    story: 'v1',
    right: "'person.kyc.approved'] satisfies",
    wrong: "'person.kyc.passed'] satisfies",
    output: /'"person.kyc.passed"' does not satisfy|"person.kyc.passed"/,
  },
  {
    what: 'a switch that forgets a word',
    story: 'v1',
    right: "    case 'inactive':\n",
    wrong: '',
    output: /Function lacks ending return statement/,
  },
];

/** For each type the names of the fields, at any depth, without a precise type, and of the optional ones. */
const LOOK = `
type Code = 200 | 201 | 202;
type Content<T> = T extends { content: infer C } ? C[keyof C] : never;
export type Answer<O> = O extends { responses: infer R } ? Content<R[keyof R & Code]> : never;
export type Sent<O> = O extends { requestBody?: infer B } ? Content<NonNullable<B>> : never;
type Leaf = string | number | boolean | null | undefined;
/** Unknown, any, never, an object without fields. */
export type Hidden<T, Name extends string = 'itself'> =
  unknown extends T ? Name
  : [T] extends [never] ? Name
  : T extends Leaf ? never
  : T extends readonly (infer One)[] ? Hidden<One, Name>
  : string extends keyof T ? Hidden<T[keyof T], Name>
  : [keyof T] extends [never] ? Name
  : { [K in keyof T & string]-?: Hidden<Exclude<T[K], undefined>, K> }[keyof T & string];
export type Lacking<T> =
  unknown extends T ? never
  : T extends Leaf ? never
  : T extends readonly (infer One)[] ? Lacking<One>
  : string extends keyof T ? Lacking<T[keyof T]>
  : { [K in keyof T & string]-?: ({} extends Pick<T, K> ? K : never) | Lacking<T[K]> }[keyof T & string];
export type Are<Found, Names> = [Found] extends [Names] ? ([Names] extends [Found] ? true : Found) : Found;
`;

/** Fields that a document correctly leaves open. */
const OPEN: Record<Name, { sent: string[]; answered: string[] }> = {
  // Accepted and ignored: the bank determines them.
  v2: { sent: ['kyc', 'kyb', 'idv', 'members', 'pull_enabled', 'push_enabled'], answered: [] },
  // null represents no account, and there is no other value.
  v1: { sent: ['received'], answered: [] },
  // Requests and responses of clients and webhooks, the records of both versions, and their fields before and after.
  sandbox: {
    // The platform's response, whatever it is.
    sent: ['body'],
    answered: ['data', 'query', 'request_body', 'answer_body', 'body', 'record', 'before', 'after'],
  },
};

/** Operations whose answer has a part of its fields: the object of the requested wallet alone. */
const PARTIAL = ['provisionCard'];
/** Operations that correctly return an object without fields. */
const EMPTY = ['logout'];

interface Operation {
  operationId: string;
  requestBody?: object;
  responses: Record<string, { content?: object }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
}

/** The file that checks the types of all operations and events of a document, one per line. */
function lookAt(name: Name, { paths, webhooks = {} }: Document): string {
  const { sent, answered } = OPEN[name];
  const but = (names: string[]) => ['never', ...names.map((one) => `'${one}'`)].join(' | ');
  const line = (what: string, type: string) => `export const ${what}: Are<${type}, never> = true;`;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return [
    `import type { operations, webhooks } from './types/${name}.ts';`,
    "import type { Answer, Are, Hidden, Lacking, Sent } from './look.ts';",
    ...operations.flatMap(({ operationId: id, requestBody, responses }) => {
      const answers = Object.entries(responses).some(
        ([status, { content }]) => status.startsWith('2') && content,
      );
      const answer = `Answer<operations['${id}']>`;
      return [
        ...((requestBody && [
          line(`sent_${id}`, `Exclude<Hidden<Sent<operations['${id}']>>, ${but(sent)}>`),
        ]) ??
          []),
        ...(answers && !EMPTY.includes(id)
          ? [line(`answer_${id}`, `Exclude<Hidden<${answer}>, ${but(answered)}>`)]
          : []),
        // The control plane omits fields of a fault, a rule or a chaos that were not set.
        ...(answers && name !== 'sandbox' && !PARTIAL.includes(id)
          ? [line(`whole_${id}`, `Lacking<${answer}>`)]
          : []),
      ];
    }),
    ...Object.entries(webhooks).flatMap(
      ([
        kind,
        {
          post: { operationId: id },
        },
      ]) => {
        const event = `Sent<webhooks['${kind}']['post']>`;
        return [line(`event_${id}`, `Hidden<${event}>`), line(`whole_${id}`, `Lacking<${event}>`)];
      },
    ),
    '',
  ].join('\n');
}

/** The messages of the compiler for each file of a folder. */
function compile(folder: string, files: readonly string[]): Map<string, string[]> {
  const places = files.map((file) => join(folder, file));
  const program = ts.createProgram(places, OPTIONS);
  const output = new Map(files.map((file) => [file, [] as string[]]));
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    const at = file === undefined ? '' : `${file.text.slice(0, start).split('\n').length}: `;
    const name = files[places.indexOf(file?.fileName ?? '')];
    if (name === undefined) throw new Error(`${file?.fileName}: ${text}`);
    output.get(name)?.push(at + text);
  }
  return output;
}

/** The places where a program overrides the compiler. */
function shortcutsOf(text: string): string[] {
  const shortcuts = [ts.SyntaxKind.AsExpression, ts.SyntaxKind.TypeAssertionExpression];
  shortcuts.push(ts.SyntaxKind.NonNullExpression, ts.SyntaxKind.AnyKeyword, ts.SyntaxKind.UnknownKeyword);
  const found = [...text.matchAll(/@ts-.*/g)].map(([comment]) => comment);
  const file = ts.createSourceFile('story.ts', text, ts.ScriptTarget.ES2024);
  const look = (node: ts.Node): void => {
    if (shortcuts.includes(node.kind)) found.push(node.getText(file));
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

/** Gives a folder a package, or a scope of packages, that stands below this file's folder. */
function symlinkPackage(folder: string, place: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const target = fileURLToPath(new URL(place, import.meta.url));
  symlinkSync(target, join(folder, 'node_modules', basename(target)));
}

/** Runs a program of the folder until it ends. */
function run(folder: string, file: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(folder, file), ...args], { timeout: 120_000 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

const storyFile = (name: string): string => fileURLToPath(new URL(`stories/${name}.ts`, import.meta.url));
const story = (name: string): string => readFileSync(storyFile(name), 'utf8');

describe('clients that are generated from the documents', () => {
  let bank: Running;
  let folder: string;
  let output: Map<string, string[]>;
  const sources = new Map<string, string>();

  beforeAll(async () => {
    bank = await startBank();
    folder = makeFolder();
    mkdirSync(join(folder, 'types'));
    // A program outside of the project resolves packages in its own folder.
    for (const place of ['../../node_modules/@types', 'node_modules/openapi-fetch'])
      symlinkPackage(folder, place);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    sources.set('look.ts', LOOK);
    for (const name of DOCUMENTS) {
      const answer = await fetch(`${bank.url}/openapi/${name}.json`);
      const text = await answer.text();
      const types = astToString(await openapiTypescript(text));
      writeFileSync(join(folder, 'types', `${name}.ts`), types);
      const document: Document = JSON.parse(text);
      sources.set(`look-${name}.ts`, lookAt(name, document));
    }
    for (const name of STORIES) sources.set(`${name}.ts`, story(name));
    MISTAKES.forEach(({ story: name, right, wrong }, place) => {
      sources.set(
        `mistake-${place}.ts`,
        story(name).replace(right, () => wrong),
      );
    });
    for (const [file, text] of sources) writeFileSync(join(folder, file), text);
    output = compile(folder, [...sources.keys()]);
  });

  it.each(DOCUMENTS)('have precise types of %s, and complete records', (name) => {
    expect(sources.get(`look-${name}.ts`)?.split('\n').length).toBeGreaterThan(50);
    expect(output.get('look.ts')).toEqual([]);
    const lines = sources.get(`look-${name}.ts`)?.split('\n') ?? [];
    expect(output.get(`look-${name}.ts`)?.map((text) => lines[Number.parseInt(text, 10) - 1] + text)).toEqual(
      [],
    );
  });

  it.each(STORIES)('compile strictly, without a cast: the story of %s', (name) => {
    expect(shortcutsOf(story(name))).toEqual([]);
    expect(output.get(`${name}.ts`)).toEqual([]);
  });

  it.each(STORIES)('work with a bank: the story of %s', async (name) => {
    expect(await run(folder, `${name}.ts`, [bank.url, `test_story_${name}`])).toEqual({
      code: 0,
      output: '',
    });
  });

  it.each(MISTAKES.map((mistake, place) => [mistake.story, mistake.what, mistake, place] as const))(
    'of %s do not compile with %s',
    (name, _, { right, output: expected }, place) => {
      // It occurs once, so the error is the only difference.
      expect(story(name).split(right)).toHaveLength(2);
      const errors = output.get(`mistake-${place}.ts`) ?? [];
      expect(errors.join('\n')).toMatch(expected);
    },
  );
});
