/**
 * The collections in their programs, each against a new bank: every request gets 2xx, or 501 if the operation is not
 * emulated. The programs are installed once into a separate folder, because they are large: newman 66 MB, Bruno's 360
 * MB, which runs weekly. Each day has one of newman's collections.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { run, succeed } from '../package/support.ts';
import { makeFolder, startBank } from '../server/process/support.ts';
import { IS_WHOLE, partOfToday } from '../support/runs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/collection-runners');
const INSTALL_MS = 900_000;
const FEWEST_REQUESTS = 270;
/** They send the same requests, so they take turns. */
const TODAY = partOfToday(['ours', 'v2', 'v1'], 3);

/** Installs a program if it is missing; returns the folder of its package. */
async function installed(name: string, version: string): Promise<string> {
  const folder = join(CACHE, name.replace('/', '-'), version);
  const program = join(folder, 'node_modules', name);
  if (!existsSync(join(program, 'package.json'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await succeed('npm', ['install', `${name}@${version}`, ...options], { cwd: folder });
  }
  return program;
}

if (TODAY.includes('ours'))
  it(
    'newman runs the collection for Postman without a failure',
    async () => {
      const newman = await installed('newman', '6.2.2');
      const bank = await startBank();
      const report = join(makeFolder(), 'report.json');
      const collection = `${bank.url}/docs/collections/postman.json`;
      const variables = ['--env-var', `baseUrl=${bank.url}`, '--env-var', 'startOver=yes'];
      const reporter = ['--reporters', 'json', '--reporter-json-export', report];
      await run(
        process.execPath,
        [join(newman, 'bin/newman.js'), 'run', collection, ...variables, ...reporter],
        { cwd: ROOT },
      );
      const { stats, failures } = JSON.parse(readFileSync(report, 'utf8')).run;
      expect(
        failures.map(
          ({ source, error }: { source: { name: string }; error: Error }) =>
            `${source.name}: ${error.message}`,
        ),
      ).toEqual([]);
      expect(stats.assertions.total).toBeGreaterThan(FEWEST_REQUESTS);
    },
    INSTALL_MS,
  );

/** The requests that an earlier one prevents: it suspended a counterparty, closed a card or used a token. */
const PREVENTED: Readonly<Record<string, readonly string[]>> = {
  v2: [
    'Originate an ACH push',
    'Originate an ACH pull',
    'Create a token that sets a PIN',
    'Create a token that shows a card',
    'Show the number and code of a card',
    'Show the card data',
    'Set the debit card of a contact',
  ],
  v1: [
    'Create a member, at the older path',
    'Set the debit card of a contact',
    'Replace a card',
    'Add a card to a wallet',
    'Create a token that shows the card data',
    'Create a token that shows the card data',
    'Show the card data',
    'Show the card data with the API key',
    'Send a card',
    'Upload the images of a check',
  ],
};

it.each(TODAY.filter((name) => name !== 'ours'))(
  'newman runs the collection that a converter makes from the document of %s',
  async (version) => {
    const newman = await installed('newman', '6.2.2');
    const converter = await installed('openapi-to-postmanv2', '5.8.0');
    const bank = await startBank({ SANDBANK_RAILS: 'manual' });
    const folder = makeFolder();
    const [document, collection, report] = [1, 2, 3].map((n) => join(folder, `${n}.json`)) as [
      string,
      string,
      string,
    ];
    writeFileSync(document, await (await fetch(`${bank.url}/openapi/${version}.json`)).text());
    await succeed(
      process.execPath,
      [
        join(converter, 'bin/openapi2postmanv2.js'),
        ...['-s', document, '-o', collection, '-O', 'parametersResolution=Example'],
      ],
      { cwd: folder },
    );
    const reporter = ['--reporters', 'json', '--reporter-json-export', report];
    await run(
      process.execPath,
      [join(newman, 'bin/newman.js'), 'run', collection, '--env-var', 'apiKey=test_default', ...reporter],
      { cwd: folder },
    );
    const executions = JSON.parse(readFileSync(report, 'utf8')).run.executions as Execution[];
    const failed = executions.filter(({ response }) => Math.trunc((response?.code ?? 0) / 100) !== 2);
    expect(failed.map(({ item }) => item.name)).toEqual(PREVENTED[version]);
    expect(executions.length).toBeGreaterThan(60);
  },
  INSTALL_MS,
);

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number };
}

if (IS_WHOLE) {
  it(
    "Bruno's command line runs its collection without a failure",
    async () => {
      const bruno = await installed('@usebruno/cli', '4.1.0');
      const bank = await startBank();
      const folder = makeFolder();
      const zip = await (await fetch(`${bank.url}/docs/collections/bruno.zip`)).arrayBuffer();
      for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(zip)))) {
        mkdirSync(join(folder, name, '..'), { recursive: true });
        writeFileSync(join(folder, name), bytes);
      }
      const report = join(folder, 'report.json');
      const variables = ['--env-var', `baseUrl=${bank.url}`, '--env-var', 'startOver=yes'];
      const words = ['run', '-r', '--env', 'local', ...variables, '--reporter-json', report];
      await run(process.execPath, [join(bruno, 'bin/bru.js'), ...words], {
        cwd: join(folder, 'sandbank'),
        timeoutMs: INSTALL_MS,
      });
      const [{ results }] = JSON.parse(readFileSync(report, 'utf8'));
      const failed = results.filter(
        ({ error, testResults }: { error: unknown; testResults: { status: string }[] }) =>
          error || testResults.length === 0 || testResults.some(({ status }) => status !== 'pass'),
      );
      expect(
        failed.map(({ name, error, response }: { name: string; error: unknown; response: object }) => ({
          name,
          error,
          response,
        })),
      ).toEqual([]);
      expect(results.length).toBeGreaterThan(FEWEST_REQUESTS);
    },
    2 * INSTALL_MS,
  );
}
