// Compares the documents with the code: the generated pages are up to date, and the calls, settings and links of the
// README exist. test/reference/register checks the citations of the register.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { readPage } from '../build/page.ts';
import { FIDELITY_PAGE, README_COUNTS } from '../build/print-fidelity.ts';
import { RAILS_PAGE } from '../build/print-rails.ts';
import { RECORD_PAGES } from '../build/print-records.ts';
import { SETTINGS_PAGE } from '../build/print-settings.ts';
import { SPEED_PAGES } from '../build/print-speed.ts';
import { TEST_VALUES_PAGE } from '../build/print-test-values.ts';
import { V1_OPERATIONS } from '../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../src/bank/api/v2/index.ts';
import { FIDELITY } from '../src/bank/model/fidelity.ts';
import { GROUPS, listOf } from '../src/reference/pages/lists.ts';
import { CONTROL_OPERATIONS } from '../src/sandboxes/control/index.ts';
import { variableNames } from '../src/server/process/config.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...filesOf('docs', '.md'),
  ...filesOf('test', 'README.md'),
];

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

it('the documents call the command without npx, which is slow and may run another package with its name', () => {
  const pages = [
    ...DOCUMENTS,
    ...filesOf('examples', '.md'),
    ...filesOf('skills', '.md'),
    ...filesOf('src/cli', '.ts'),
  ];
  const isCalled = /\bnpx (--no )?sandbank/;
  expect(pages.filter((path) => path !== 'CHANGELOG.md' && isCalled.test(read(path)))).toEqual([]);
});

it('a document has no duplicate section headings', () => {
  const repeated = DOCUMENTS.filter((path) => path !== 'CHANGELOG.md').flatMap((path) => {
    const headings = [...read(path).matchAll(/^## .+$/gm)].map(([heading]) => heading);
    return headings
      .filter((heading, at) => headings.indexOf(heading) !== at)
      .map((heading) => `${path}: ${heading}`);
  });
  expect(repeated).toEqual([]);
});

it('decisions have unique numbers, and only existing decisions are cited', () => {
  const pages = readdirSync(join(ROOT, 'docs/decisions'));
  for (const page of pages) {
    const number = Number(page.slice(0, 4));
    expect(pages.filter((other) => Number(other.slice(0, 4)) === number)).toEqual([page]);
    expect(read(join('docs/decisions', page))).toMatch(new RegExp(`^# ${number}\\. `));
  }
  const citing = [
    ...DOCUMENTS,
    ...['src', 'build', 'bench', 'test'].flatMap((folder) => filesOf(folder, '.ts')),
  ];
  const cited = citing.flatMap((path) => {
    const found = [...read(path).matchAll(/decisions\/(\d{4}-[\w-]+\.md)/g)];
    return found.map(([, page]) => ({ path, page }));
  });
  expect(cited.length).toBeGreaterThan(10);
  expect(cited.filter(({ page }) => !pages.includes(page ?? ''))).toEqual([]);
});

it('the README, the control plane and every guide link the OpenAPI documents', () => {
  const pages = ['README.md', 'docs/control-plane.md', ...filesOf('docs/guides', '.md')];
  const link = /\]\(http:\/\/127\.0\.0\.1:4800\/openapi\/(v2|sandbox)\.json\)/;
  expect(pages.filter((path) => !link.test(read(path)))).toEqual([]);
  for (const { name } of GROUPS)
    expect(listOf(name)).toContain(`<a href="/openapi/3.0/${name}.json">3.0</a>`);
});

describe('a generated page', () => {
  test.each([
    FIDELITY_PAGE,
    README_COUNTS,
    ...SPEED_PAGES,
    RAILS_PAGE,
    SETTINGS_PAGE,
    TEST_VALUES_PAGE,
    ...RECORD_PAGES,
  ])('$path equals the output of $printedBy', (page) => {
    const present = readPage(page);
    expect(present).toBe(page.text(present));
  });

  it('is generated deterministically', () => {
    for (const page of [FIDELITY_PAGE, RAILS_PAGE, SETTINGS_PAGE]) {
      const once = page.text(readPage(page));
      expect(page.text(once)).toBe(once);
    }
  });
});

describe('the register', () => {
  it('has a question and an answer in every row', () => {
    const odd = FIDELITY.filter(({ question, answer }) => !/.\?$/.test(question) || !/.\.$/.test(answer));
    expect(odd).toEqual([]);
  });

  it('refers to rows by their slugs', () => {
    const byNumber = FIDELITY.filter(({ answer }) => /\brows? \d/.test(answer));
    expect(byNumber.map(({ slug }) => slug)).toEqual([]);
  });

  it('shows one sentence of each answer, and names the operations that a row is about', () => {
    const page = read('docs/fidelity.md');
    expect(page).toContain('<a id="list-paging" data-operations="');
    const rows = page.split('\n').filter((line) => line.startsWith('| <a id='));
    expect(rows).toHaveLength(FIDELITY.length);
    const long = rows.filter(
      (row) => row.replace(/<details>.*<\/details>|data-operations="[^"]*"/g, '').length > 700,
    );
    expect(long).toEqual([]);
  });

  it('names only existing settings', () => {
    expect(settingsNamedIn(JSON.stringify(FIDELITY))).toEqual([]);
  });
});

/** The path of each curl line of the first steps that calls an operation, with the shell's variables in it. */
const CALLS = read('docs/guides/first-steps.md')
  .split('\n')
  .filter((line) => line.includes('curl ') && /\$BANK\/v[12]\//.test(line))
  .map((line) => ({
    method: / -X (\w+)/.exec(line)?.[1] ?? (line.includes('--json') ? 'POST' : 'GET'),
    path: /\$BANK(\/v[12]\/\S+)/.exec(line)?.[1] ?? '',
  }));

describe('the README', () => {
  it('counts the decisions by evidence in a generated sentence', () => {
    expect(read('README.md')).toMatch(/^\d+ documented, .* decided by us\.$/m);
  });

  it('has at most 150 lines and 9 kB', () => {
    const text = read('README.md');
    expect(text.split('\n').length).toBeLessThanOrEqual(151);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9000);
  });
});

describe('the guide to the first steps', () => {
  test.each(CALLS)('calls $method $path, which the server has', ({ method, path }) => {
    const served = [...V2_OPERATIONS, ...V1_OPERATIONS].filter((operation) => {
      const pattern = operation.path.replaceAll(/:\w+/g, '\\$\\w+');
      return operation.method === method && new RegExp(`^${pattern}$`).test(path);
    });
    expect(served).toHaveLength(1);
  });

  it('has a line for each of the ten operations', () => {
    expect(CALLS).toEqual(
      expect.arrayContaining([
        { method: 'POST', path: '/v2/accounts/sub_account_holder' },
        { method: 'POST', path: '/v2/accounts/sub_account_holder/$business_holder_id/kyb' },
        { method: 'PATCH', path: '/v2/issuing/card/$virtual_card_id' },
        { method: 'POST', path: '/v2/payments/intra_account/pull' },
        { method: 'POST', path: '/v2/payments/ach/pull' },
        { method: 'POST', path: '/v1/card/$card_id/test' },
        { method: 'PATCH', path: '/v1/contact/$contact_id' },
        { method: 'POST', path: '/v1/person/$person_id/document' },
        { method: 'POST', path: '/v1/receive/ach' },
        { method: 'PATCH', path: '/v1/webhook/$webhook_id' },
      ]),
    );
  });
});

/** The variables in a text that are not settings. */
/** Variables of the tests and the examples, which the bank never reads. */
const NOT_OF_THE_BANK = [
  'SANDBANK_TEST_DAY',
  'SANDBANK_TEST_NODE',
  'SANDBANK_TEST_REPORT',
  'SANDBANK_TEST_IMAGE',
  'SANDBANK_TEST_SEED',
  'SANDBANK_TEST_WHOLE',
  'SANDBANK_FUZZ_RUNS',
  'SANDBANK_PROPERTY_RUNS',
  'SANDBANK_TORTURE_PROGRAM',
  'SANDBANK_TORTURE_SEED',
  'SANDBANK_IMAGE',
  'SANDBANK_TRACES',
  'SANDBANK_COMPARE_KEY_V',
  'SANDBANK_COMPARE_SEEDS',
];

function settingsNamedIn(text: string): string[] {
  const known = [...variableNames(), ...NOT_OF_THE_BANK];
  return [...text.matchAll(/SANDBANK_[A-Z_]+/g)]
    .map(([name]) => name)
    .filter((name) => name !== 'SANDBANK_' && !known.includes(name));
}

describe('a document', () => {
  test.each(DOCUMENTS)('%s links only to existing files', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([]);
  });

  test.each(DOCUMENTS)('%s names only existing operations', (path) => {
    const calls = [
      ...read(path).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|v2|_sandbox)[^\s`?]*)/g),
    ].map(([, method, called]) => ({ method, path: called ?? '' }));
    const served = [...V1_OPERATIONS, ...V2_OPERATIONS, ...CONTROL_OPERATIONS].map((operation) => ({
      method: operation.method,
      pattern: new RegExp(`^${operation.path.replaceAll(/:\w+/g, '[^/]+')}$`),
    }));
    const isServed = (call: { method: string | undefined; path: string }): boolean =>
      served.some(({ method, pattern }) => method === call.method && pattern.test(call.path));
    expect(calls.filter((call) => !isServed(call))).toEqual([]);
  });

  test.each(DOCUMENTS)('%s names only existing settings and sources', (path) => {
    const text = read(path);
    const sources = [
      ...text.matchAll(/`((?:src|test|docs|build|bin|migrations|fixtures|examples)\/[\w./-]+)`/g),
    ]
      .map(([, source = '']) => source)
      // Variables that the reader of a guide defines.
      .filter((source) => !text.includes(`\n\`${source}\`, `));
    expect(settingsNamedIn(text)).toEqual([]);
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
  });
});
