/**
 * The package, installed outside of the project: its commands, its three entries and their types, with this Node and
 * with the oldest supported one.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installTools } from '../../build/tools.mjs';
import ts from '../long/typescript.ts';
import { examplesOf, runScript } from '../support/page-examples.ts';
import { IS_WHOLE, partOfToday } from '../support/runs.ts';
import { dataOf } from '../support/traces.ts';
import {
  environment,
  otherNode,
  otherRuntimes,
  type Packed,
  packAndInstall,
  REPOSITORY,
  ROOT,
  run,
  succeed,
} from './support.ts';

const TIMEOUT_MS = 180_000;
const MOST_BYTES_UNPACKED = 7_500_000;
const CLIENT_MOST_BYTES = 64 * 1024;
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
/** Other programs are installed from npm, which takes longer than their tests: each day one. */
const OTHERS = partOfToday(['vitest 5', 'jest', 'bun and deno', 'the guide'], 4);

let packed: Packed;
let app = '';

beforeAll(async () => {
  packed = await packAndInstall();
  app = packed.app;
}, TIMEOUT_MS);
afterAll(() => {
  if (app !== '') rmSync(dirname(app), { recursive: true, force: true });
});

let vitest5: Promise<string> | undefined;

/** A folder with the package and vitest 5, which is installed once. */
function withVitest5(): Promise<string> {
  const make = async (): Promise<string> => {
    const cwd = join(dirname(app), 'vitest-5');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
    await succeed('npm', ['install', packed.file, 'vitest@5', ...QUIETLY], { cwd });
    return cwd;
  };
  vitest5 ??= make();
  return vitest5;
}

/** A file of the package, or one for each condition. */
type Exported = string | { readonly [condition: string]: Exported };

/** Licences that permit distribution in a package with another licence. */
const LICENCES = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
];

/** A component of the SBOM. */
interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly { license?: { id: string }; expression?: string }[];
}

/** A file's path without the hash of its content, and one for all files of a table of the project. */
const kindOf = (path: string): string =>
  path
    .replace(
      /^(dist\/types\/|docs\/|fixtures\/scenarios\/|migrations\/)(.*\/)?[^/]*?((?:\.d)?\.\w+(?:\.br)?)$/,
      '$1$2*$3',
    )
    .replace(/^dist\/[\w.-]+-[\dA-Z]{8}\.js$/, 'dist/*-*.js')
    .replace(/^(dist\/inspector\/[\w-]+)\.[\dA-Z]{8}\./, '$1.*.');

const installed = (path: string): string => join(app, 'node_modules/sandbank', path);
const write = (name: string, text: string): string => {
  const path = join(app, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const manifest = (): Record<string, unknown> & {
  exports: Record<string, Exported>;
  dependencies: object;
} => JSON.parse(readFileSync(installed('package.json'), 'utf8'));

describe('the package', () => {
  it('contains the program, its types, the pages, the changes and the page for npm', () => {
    const files = readdirSync(installed('.'), { recursive: true, encoding: 'utf8' });
    const tops = readdirSync(installed('.')).filter((name) => name !== 'node_modules');
    expect(tops.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-NOTICES.md',
      'bin',
      'deploy',
      'dist',
      'docs',
      'fixtures',
      'migrations',
      'package.json',
      'sbom.cdx.json',
      'skills',
    ]);
    expect(files.filter((path) => /\.(m?ts|[jt]s\.map)$/.test(path) && !/\.d\.m?ts$/.test(path))).toEqual([]);
    const sizes = files.map((name) => statSync(installed(name))).filter((entry) => entry.isFile());
    const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES_UNPACKED);
  });

  it('contains what npm announces', async () => {
    const folder = join(dirname(packed.file), 'package');
    const [{ files, unpackedSize }] = JSON.parse(
      await succeed('npm', ['pack', '--dry-run', '--json'], { cwd: folder }),
    ) as [{ files: { path: string }[]; unpackedSize: number }];
    expect(unpackedSize).toBeLessThanOrEqual(MOST_BYTES_UNPACKED);
    const kinds = new Set(files.map(({ path }) => kindOf(path)));
    await expect(`${[...kinds].sort().join('\n')}\n`).toMatchFileSnapshot('contents.txt');
  });

  it(
    'passes publint and attw',
    async () => {
      const tools = installTools('test/checkers');
      const check = (name: string, ...words: string[]) =>
        run(process.execPath, [join(tools, 'node_modules/.bin', name), ...words], { cwd: app });
      const found = await check('publint', packed.file, '--strict');
      expect(found, found.stdout + found.stderr).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('All good!'),
      });
      // The entry for vitest has only ES modules, like vitest.
      const ofVitest = ['vitest', 'vitest/global-setup'];
      for (const words of [
        ['--profile', 'node16', '--exclude-entrypoints', ...ofVitest],
        ['--profile', 'esm-only', '--entrypoints', ...ofVitest],
      ]) {
        const said = await check('attw', packed.file, '--no-color', '--no-emoji', ...words);
        expect(said.code, said.stdout + said.stderr).toBe(0);
      }
    },
    TIMEOUT_MS,
  );

  it('has a package.json without fields for the checkout, and may be published', () => {
    const packedManifest = manifest();
    for (const field of ['private', 'scripts', 'devDependencies', 'overrides', 'allowScripts']) {
      expect(packedManifest).not.toHaveProperty(field);
    }
    expect(packedManifest).toMatchObject({
      name: 'sandbank',
      license: 'MIT',
      engines: { node: expect.any(String) },
      keywords: expect.arrayContaining(['solid']),
      repository: { type: 'git', url: `git+${REPOSITORY}.git` },
      homepage: `${REPOSITORY}#readme`,
      bugs: `${REPOSITORY}/issues`,
    });
  });

  it('has a page for npm with valid links', () => {
    const page = readFileSync(installed('README.md'), 'utf8');
    expect(page).toBe(readFileSync(join(ROOT, 'docs/npm/README.md'), 'utf8'));
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([]);
  });

  it(
    'has a page for npm whose commands work unchanged',
    async () => {
      const scripts = examplesOf(readFileSync(installed('README.md'), 'utf8')).map(({ script }) => script);
      // The first starts the bank, and installed packages are not requested from npm.
      const [first, ...later] = scripts.filter((script) => !/npm (install|test)/.test(script));
      expect(first).toBe('PATH="$PWD/node_modules/.bin:$PATH"\nsandbank\n');
      const bank = `SANDBANK_PORT=0 SANDBANK_DATA= SANDBANK_READY_FILE=ready.json exec ${process.execPath} \
        node_modules/sandbank/bin/sandbank.mjs > bank.log &
until [ -s ready.json ]; do sleep 0.1; done
export SANDBANK_URL=$(node -p 'JSON.parse(fs.readFileSync("ready.json")).url')
`;
      const script = `cd '${app}'\n${bank}${later.join('')}kill %1\n`;
      const { code, stdout, stderr } = await runScript(script.replaceAll('curl -s ', 'curl -sS --fail '), {
        PATH: environment().PATH ?? '',
      });
      expect({ code, stderr: stderr.replaceAll(/^npm warn .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('"status":"originated"');
      expect(stdout).toContain('transaction.status.returned');
    },
    TIMEOUT_MS,
  );

  it('is not what npm would publish from the checkout, which is refused', async () => {
    const { code, stderr } = await run('npm', ['pack'], { cwd: ROOT });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('npm run package') });
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(scripts.prepack).toBe('node build/package.mjs --refuse');
  });

  it('contains every file that the exports name', () => {
    const pathsIn = (entry: Exported): string[] =>
      typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(pathsIn);
    const named = Object.values(manifest().exports).flatMap(pathsIn);
    expect(named).toHaveLength(18);
    for (const path of named) expect(existsSync(installed(path)), path).toBe(true);
  });

  it('has one dependency, which is native', () => {
    expect(Object.keys(manifest().dependencies)).toEqual(['better-sqlite3']);
  });

  it('lists everything in the bundles with its version and licence, for people and for programs', async () => {
    const notices = readFileSync(installed('THIRD-PARTY-NOTICES.md'), 'utf8');
    const sbom = readFileSync(installed('sbom.cdx.json'), 'utf8');
    const { components } = JSON.parse(sbom) as { components: Component[] };
    const named = components.map(({ group, name, version, licenses: [licence] }) => ({
      name: group === undefined ? name : `${group}/${name}`,
      version,
      licence: licence?.license?.id ?? licence?.expression ?? '',
    }));
    for (const name of [
      'fastify',
      'pino',
      '@sinclair/typebox',
      'undici',
      'markdown-it',
      'minisearch',
      'preact',
    ]) {
      expect(named.map((one) => one.name)).toContain(name);
    }
    for (const { name, version, licence } of named) {
      // npm nests a version that another one hides.
      const places = globSync(`node_modules/{,*/node_modules/}${name}/package.json`, { cwd: ROOT });
      const found = places.map((place) => JSON.parse(readFileSync(join(ROOT, place), 'utf8')).version);
      expect(found, name).toContain(version);
      expect(notices).toContain(`- ${name} ${version} (${licence})`);
      expect(LICENCES, name).toContain(licence);
    }
    const tools = installTools('test/checkers');
    const { Validation, Spec } = createRequire(join(tools, 'package.json'))('@cyclonedx/cyclonedx-library');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(sbom)).toBeNull();
  });

  it('has a client that loads no server', () => {
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const imports = readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g);
      for (const [, from = ''] of imports) load(join(dirname(path), from));
    };
    load(installed('dist/client.js'));
    const text = [...loaded].map((path) => readFileSync(path, 'utf8')).join('\n');
    expect(Buffer.byteLength(text)).toBeLessThan(CLIENT_MOST_BYTES);
    expect(text).toContain('/v2/payments/ach/pull');
    for (const name of ['fastify', 'sqlite', 'drizzle', 'pino']) expect(text).not.toContain(`${name}"`);
  });
});

const nodes = [process.execPath, await otherNode()]
  .filter((node) => node !== undefined)
  .map((node) => ({ node, version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() }));

describe.each(nodes)('with Node $version', ({ node }) => {
  const options = () => ({ cwd: app, node });

  it(
    'the command prints its version and its help',
    async () => {
      const { version } = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
      expect(await succeed('npx', ['sandbank', '--version'], options())).toBe(`${version}\n`);
      expect(await succeed('npx', ['sandbank', '--help'], options())).toContain('healthcheck');
    },
    TIMEOUT_MS,
  );

  it(
    'the command starts a bank that responds, shows its pages, is healthy and stops',
    async () => {
      const readyFile = join(app, `ready-${process.pid}.json`);
      rmSync(readyFile, { force: true });
      const child = spawn(node, [installed('bin/sandbank.mjs'), 'start'], {
        cwd: app,
        env: environment(node, {
          SANDBANK_PORT: '0',
          SANDBANK_DATA: '',
          SANDBANK_READY_FILE: readyFile,
          SANDBANK_LOG_FORMAT: 'pretty',
        }),
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      }
      try {
        for (let looks = 0; !existsSync(readyFile) && child.exitCode === null && looks < 500; looks += 1)
          await pause(20);
        expect(existsSync(readyFile), output).toBe(true);
        const { url } = JSON.parse(readFileSync(readyFile, 'utf8'));
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
        expect(await (await fetch(`${url}/docs/`)).text()).toContain('A local bank');
        expect((await fetch(`${url}/docs/reference/v2/v2_list_sub_accounts.html`)).status).toBe(200);
        const SANDBANK_PORT = new URL(url).port;
        await succeed('npx', ['sandbank', 'healthcheck'], { ...options(), env: { SANDBANK_PORT } });
      } finally {
        child.kill('SIGTERM');
      }
      const [code] = await once(child, 'exit');
      expect(code).toBe(0);
      // The readable log is a part of the program that only this setting loads.
      expect(output).toMatch(/INFO.*listening/);
    },
    TIMEOUT_MS,
  );

  it(
    'a bank runs in a program, which ends by itself',
    async () => {
      const receiver = createServer((request, response) => {
        request.resume();
        response.end();
      }).listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const { port } = receiver.address() as AddressInfo;
      write(
        'in-process.mjs',
        `import { startSandbank } from 'sandbank';
const bank = await startSandbank({ rails: 'manual', rateLimits: 'sandbox', webhookUrl: 'http://127.0.0.1:${port}/' });
const { account_id: accountId, sub_account_id } = await bank.seeded();
await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
const drained = await bank.sandbox.drain();
const params = { accountId };
const pdf = await bank.v1.listTransactions({ params, query: { export: 'pdf' } });
const csv = await bank.v1.listTransactions({ params, query: { export: 'csv' } });
await bank[Symbol.asyncDispose]();
console.log(JSON.stringify({ drained, pdf: Buffer.from(pdf.slice(0, 5)).toString(), csv: csv.length > 0 }));
`,
      );
      const output = JSON.parse(await succeed(node, ['in-process.mjs'], options()));
      receiver.close();
      expect(output).toMatchObject({ pdf: '%PDF-', csv: true, drained: { delivered: 1, failed: 0 } });
    },
    TIMEOUT_MS,
  );

  it(
    'CommonJS loads a build of its own, in which a bank has its own process and ends with its parent',
    async () => {
      write(
        'common.cjs',
        `const { startSandbank, ...others } = require('sandbank');
console.log(Object.keys(others).sort().join(), Object.keys(require('sandbank/webhooks')).sort().join());
startSandbank({ rails: 'slow' }).catch(async ({ message }) => {
  console.log(message.split(';')[0]);
  const bank = await startSandbank({ now: '2026-12-24T12:00:00Z' });
  const { now } = await require('sandbank/client').createClient({ url: bank.url, apiKey: bank.apiKey }).sandbox.retrieveClock();
  const second = await startSandbank();
  await second.close();
  const isOver = await fetch(second.url).then(() => false, () => true);
  console.log(JSON.stringify({ now, isOver, url: bank.url }));
});
`,
      );
      const [names, problem, last = ''] = (await succeed(node, ['common.cjs'], options())).trim().split('\n');
      expect(names).toBe(
        'SandbankError,WebhookSignatureError,connectSandbank,verifyWebhook WebhookSignatureError,verifyWebhook',
      );
      expect(problem).toBe('rails in the options is "slow"');
      const { now, isOver, url } = JSON.parse(last);
      expect({ now, isOver }).toEqual({ now: '2026-12-24T12:00:00.000Z', isOver: true });
      // Its parent exited without closing it.
      await expect
        .poll(() =>
          fetch(url).then(
            () => 'open',
            () => 'gone',
          ),
        )
        .toBe('gone');
    },
    TIMEOUT_MS,
  );

  it(
    'tests get a bank of their own',
    async () => {
      write(
        'own.test.ts',
        `import { test } from 'sandbank/vitest';
import { createClient, SandbankError } from 'sandbank/client';
import { expect } from 'vitest';

test('a pull is published', async ({ bank }) => {
  const { sub_account_id, intra_counterparty_id: counterparty_id } = await bank.seeded();
  await bank.v2.originateIntraAccountPull({ body: { sub_account_id, counterparty_id, amount: '5.00' } });
  await expect(bank).toHavePublished('transaction.created');
  await expect(bank).toHaveBalance(sub_account_id, { available_balance: '5005.00' });
  await expect(bank).toBalance();
});

test('a client refuses', async ({ bank }) => {
  await using other = await bank.inSandbox('another');
  const client = createClient({ url: other.url, apiKey: other.apiKey });
  const refused = client.v2.retrieveSubAccount({ params: { sub_account_id: 'sub_1' } });
  await expect(refused).rejects.toBeInstanceOf(SandbankError);
});
`,
      );
      const output = await run(
        node,
        [join(app, 'node_modules/vitest/vitest.mjs'), 'run', 'own.test.ts'],
        options(),
      );
      expect(output.code, output.stdout + output.stderr).toBe(0);
      expect(output.stdout).toMatch(/2 passed/);
    },
    TIMEOUT_MS,
  );
});

it(
  'a program may use `await using`',
  async () => {
    write(
      'using.mjs',
      `import { startSandbank } from 'sandbank';
import { createClient } from 'sandbank/client';
let url;
{
  await using bank = await startSandbank({ randomSeed: 'mine' });
  ({ url } = bank);
  const client = createClient({ url, apiKey: bank.apiKey });
  console.log((await client.sandbox.retrieveSummary()).sandbox);
}
console.log(await fetch(url).then(() => 'still there', () => 'gone'));
`,
    );
    expect(await succeed(process.execPath, ['using.mjs'], { cwd: app })).toBe('default\ngone\n');
  },
  TIMEOUT_MS,
);

if (OTHERS.includes('bun and deno'))
  describe('in Bun and in Deno', () => {
    const PROGRAM = `import { createHmac } from 'node:crypto';
import process from 'node:process';
import { createClient, SandbankError } from 'sandbank/client';
import { verifyWebhook } from 'sandbank/webhooks';
const { SANDBANK_URL: url, SANDBANK_API_KEY: apiKey } = process.env;
const { v1, v2, sandbox } = createClient({ url, apiKey });
const { seeded } = await sandbox.retrieveSummary();
const { available_balance } = await v2.retrieveSubAccount({ params: { sub_account_id: seeded.sub_account_id } });
const { availableBalance } = await v1.retrieveAccount({ params: { accountId: seeded.account_id } });
const refusal = await v2.retrieveCard({ params: { card_id: 'crd_0' } }).catch((error) => error);
const body = '{"id":"evt_1"}';
const id = 'msg_1';
const timestamp = String(Math.floor(Date.now() / 1000));
const secret = 'quince';
const sign = (key) => createHmac('sha256', key).update([id, timestamp, body].join('.')).digest('base64');
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + sign(secret) };
const checked = verifyWebhook(body, headers, secret);
let forged;
try { verifyWebhook(body, { ...headers, 'webhook-signature': 'v1,' + sign('other') }, secret); } catch (error) { forged = error.name; }
const isRefused = refusal instanceof SandbankError && refusal.status === 404;
console.log(JSON.stringify({ available_balance, availableBalance, isRefused, checked, forged }));
`;
    const KIT_PROGRAM = `import { startSandbank } from 'sandbank';
await using bank = await startSandbank({ rails: 'manual', now: '2027-01-04T15:00:00Z' });
const receiver = await bank.receiver({ types: ['sub_account.updated'] });
receiver.fail(1);
const { sub_account_id } = await bank.seeded();
await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
await bank.sandbox.drain();
await bank.clock.advance('PT10S');
const { data } = await receiver.next('sub_account.updated');
const now = await bank.clock.now();
console.log(JSON.stringify({ now, label: data.label, statuses: receiver.deliveries.map(({ status }) => status) }));
`;

    it(
      'the client calls a bank, and webhooks are verified',
      async () => {
        const { bun, deno } = await otherRuntimes();
        write('runtime.mjs', PROGRAM);
        for (const command of [[bun], [deno, 'run', '--allow-env', '--allow-net', '--allow-read']]) {
          const bank = [installed('bin/sandbank.mjs'), 'exec', '--'];
          const text = await succeed(process.execPath, [...bank, ...command, 'runtime.mjs'], { cwd: app });
          expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toEqual({
            available_balance: '5000.00',
            availableBalance: '5000.00',
            isRefused: true,
            checked: { id: 'evt_1' },
            forged: 'WebhookSignatureError',
          });
        }
      },
      TIMEOUT_MS,
    );

    it(
      'the kit starts a bank, which sends webhooks to its receiver and retries them',
      async () => {
        const { bun, deno } = await otherRuntimes();
        write('kit.mjs', KIT_PROGRAM);
        const permissions = ['env', 'ffi', 'net', 'read', 'sys'].map((name) => `--allow-${name}`);
        for (const [command = '', ...words] of [[bun], [deno, 'run', ...permissions]]) {
          const text = await succeed(command, [...words, 'kit.mjs'], { cwd: app });
          expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toEqual({
            now: '2027-01-04T15:00:10.000Z',
            label: 'Rent',
            statuses: [500, 200],
          });
        }
      },
      TIMEOUT_MS,
    );
  });

describe('the types', () => {
  const PROGRAM = `import { connectSandbank, type Sandbank, startSandbank } from 'sandbank';
import { type Client, createClient, SandbankError, type V1, type V2 } from 'sandbank/client';
import { type V2WebhookEvent, verifyWebhook } from 'sandbank/webhooks';
import { bankOfRun } from 'sandbank/vitest/global-setup';
import { test } from 'sandbank/vitest';
import { expect } from 'vitest';

export async function use(): Promise<string> {
  await using bank: Sandbank = await startSandbank({ rails: 'manual', now: new Date(0) });
  const { sub_account_id, account_id: accountId } = await bank.seeded();
  const holder = await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
  const pdf: Uint8Array = await bank.v1.listTransactions({ params: { accountId }, query: { export: 'pdf' } });
  const { data } = await bank.v1.listTransactions({ params: { accountId } });
  const client: Client = createClient({ url: bank.url, apiKey: bank.apiKey });
  const files = { front: new Blob([pdf as Uint8Array<ArrayBuffer>]), back: new Blob(['']) };
  await client.v1.uploadCheckImages({ params: { transferId: data[0]?.id ?? '' }, files });
  const event = await connectSandbank().events.waitFor('transaction.created');
  const settled = await bank.events.waitFor('transaction.status.settled');
  const amount: V2.Transaction['amount'] = settled.data.amount;
  const spent: V1.Transaction = (await (await bank.receiver()).next('card.spend')).data;
  // @ts-expect-error a record of v2 has no such field
  settled.data.txnType;
  // @ts-expect-error there is no such kind
  await bank.events.waitFor('transaction.status.setled');
  await bank.events.waitFor('transaction.status.*');
  // @ts-expect-error no kind begins so
  await bank.events.waitFor('transaction.state.*');
  const params = { id: settled.data.id, event: 'return' };
  await bank.sandbox.simulateTransaction({ params, body: { return_code: 'R03' } });
  // @ts-expect-error there is no such return code
  await bank.sandbox.simulateTransaction({ params, body: { return_code: 'R3' } });
  const told = verifyWebhook('', new Headers(), amount + spent.amount);
  if ('event_type' in told && told.event_type === 'card.created') told.data.label satisfies string;
  // @ts-expect-error another kind carries another record
  if ('eventType' in told && told.eventType === 'person.created') told.data.label;
  verifyWebhook<V2WebhookEvent>('', new Headers(), '').event_type satisfies string;
  // @ts-expect-error a body is needed
  await client.v2.createSubAccount({});
  // @ts-expect-error there is no such pace
  await startSandbank({ rails: 'slow' });
  // @ts-expect-error an amount is a text
  await client.v2.originateAchPull({ body: { sub_account_id, counterparty_id: '', amount: 12 } });
  return holder.label + event.id + (new SandbankError({ method: '', path: '' }, 400, '', null).code satisfies string);
}

export default bankOfRun({ rails: 'fast' });

test('a bank', async ({ bank }) => {
  await expect(bank).toHavePublished('transaction.created');
  // @ts-expect-error there is no such kind
  await expect(bank).toHavePublished('transaction.creatd');
  await expect(bank).toHavePublished('transaction.*');
  // @ts-expect-error no kind begins so
  await expect(bank).toHavePublished('transactoin.*');
  // @ts-expect-error there is no such figure
  await expect(bank).toHaveBalance('sub_1', { balance: '0.00' });
});
`;

  /**
   * The messages of the compiler for a program; for the package's own types too, but not for those of others.
   */
  const problemsOf = (file: string, options: ts.CompilerOptions): string[] => {
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ES2024,
      lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
      types: ['node'],
      typeRoots: [join(app, 'node_modules/@types')],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    });
    return ts
      .getPreEmitDiagnostics(program)
      .filter((one) => one.file === undefined || !/node_modules\/(?!sandbank\/)/.test(one.file.fileName))
      .map(
        ({ file: of, messageText }) =>
          `${of?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
  };

  const RESOLUTIONS = [
    ['nodenext', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext],
    ['bundler', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ] as const;
  it.each(partOfToday(RESOLUTIONS, 2))(
    'are found and report errors, as %s resolves',
    (_, module, moduleResolution) => {
      expect(problemsOf(write('typed.ts', PROGRAM), { module, moduleResolution })).toEqual([]);
    },
    TIMEOUT_MS,
  );

  if (OTHERS.includes('vitest 5'))
    it(
      'also work with vitest 5',
      async () => {
        const file = join(await withVitest5(), 'typed.ts');
        writeFileSync(file, PROGRAM);
        const module = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
        expect(problemsOf(file, module)).toEqual([]);
      },
      TIMEOUT_MS,
    );

  it(
    'are those of CommonJS in a CommonJS program',
    () => {
      const program = `import { connectSandbank, startSandbank, verifyWebhook } from 'sandbank';
import { createClient, type V2 } from 'sandbank/client';
import type { V1WebhookEvent } from 'sandbank/webhooks';
export const label = async (id: string): Promise<V2.SubAccount['label']> =>
  (await (await startSandbank({ rails: 'fast' })).v2.retrieveSubAccount({ params: { sub_account_id: id } })).label;
export const client = createClient({ url: '', apiKey: '' });
export const told: V1WebhookEvent = verifyWebhook<V1WebhookEvent>('', {}, '');
// @ts-expect-error there is no such pace
startSandbank({ rails: 'slow' });
// @ts-expect-error an id is needed
connectSandbank().v2.retrieveSubAccount({});
`;
      const module = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
      expect(problemsOf(write('typed.cts', program), module)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'need no types of others, and are consistent',
    () => {
      const entries = ['kit/index', 'kit/client/index', 'kit/client/webhook'].map((name) =>
        installed(`dist/types/${name}.d.ts`),
      );
      const program = ts.createProgram(entries, {
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2024,
        lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
        types: [],
        strict: true,
        noEmit: true,
      });
      expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
      const outside = program
        .getSourceFiles()
        .filter((source) => !program.isSourceFileDefaultLibrary(source))
        .filter(({ fileName }) => !fileName.includes('/sandbank/dist/types/'));
      expect(outside.map(({ fileName }) => fileName)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('the examples', () => {
  const copy = (name: string, into = app): string => {
    const folder = join(into, 'examples', name);
    cpSync(join(ROOT, 'examples', name), folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
    return folder;
  };

  /** Installs a test runner into an example. The package beside it finds that runner. */
  const install = async (cwd: string, runner: string): Promise<void> => {
    const file = join(cwd, 'package.json');
    const { devDependencies: _, ...example } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(example));
    await succeed('npm', ['install', packed.file, runner, ...QUIETLY], { cwd });
  };

  /** Makes a test of an example expect a wrong value, runs it, and checks the trace that it leaves. */
  const checkTrace = async (
    { cwd, file, right, wrong }: { cwd: string; file: string; right: string; wrong: string },
    run: (env: Record<string, string>) => Promise<{ code: number | null; stdout: string; stderr: string }>,
  ): Promise<void> => {
    const path = join(cwd, file);
    const text = readFileSync(path, 'utf8');
    expect(text.split(right)).toHaveLength(2);
    writeFileSync(path, text.replace(right, wrong));
    const traces = join(cwd, 'kept');
    rmSync(traces, { recursive: true, force: true });
    const { code, stdout, stderr } = await run({ SANDBANK_TRACES: traces });
    writeFileSync(path, text);
    const [trace = '', ...others] = existsSync(traces) ? readdirSync(traces) : [];
    expect({ code, others, isNamed: /^sandbank-a-pay\w+-.*-return\S*\.html$/.test(trace) }, stderr).toEqual({
      code: 1,
      others: [],
      isNamed: true,
    });
    expect(stdout + stderr).toContain(join(traces, trace));
    expect(stdout + stderr).toMatch(
      / {2}requests and responses:\n[\s\S]* {2}201 POST \/v2\/payments\/ach\/push/,
    );
    const { test, error, answers } = dataOf(readFileSync(join(traces, trace)));
    expect(test).toMatch(/return/);
    expect(error).toContain(file.split('/').at(-1));
    const list = answers['/_sandbox/transactions?limit=100'] as { transactions: { status: string }[] };
    expect(list.transactions.map(({ status }) => status)).toContain('returned');
  };

  it(
    'local-backend pays through a bank of its own',
    async () => {
      const cwd = copy('local-backend');
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      const output = await succeed('npm', ['run', 'try'], {
        cwd,
        // As in a container, where the control plane requires a token.
        env: { PORT: String(port), SANDBANK_CONTROL_TOKEN: 'a-token-of-the-plane' },
      });
      expect(output).toMatch(/^txn_\w+ is originated$/m);
      expect(output).toMatch(/^txn_\w+ is settled$/m);
    },
    TIMEOUT_MS,
  );

  it.each(OTHERS.includes('vitest 5') ? ['4', '5'] : ['4'])(
    'ci-vitest passes with vitest %s, and a failed test leaves a trace',
    async (version) => {
      const home = version === '4' ? app : await withVitest5();
      const cwd = copy('ci-vitest', home);
      const vitest = join(home, 'node_modules/vitest');
      const output = await run(process.execPath, [join(vitest, 'vitest.mjs'), 'run'], { cwd });
      expect(output.code, output.stdout + output.stderr).toBe(0);
      expect(output.stdout).toMatch(/4 passed/);
      await checkTrace(
        { cwd, file: 'test/payouts.test.ts', right: "toBe('failed')", wrong: "toBe('paid')" },
        (env) => run(process.execPath, [join(vitest, 'vitest.mjs'), 'run', '-t', 'returns'], { cwd, env }),
      );
    },
    TIMEOUT_MS,
  );

  it(
    'node-test passes, and a failed test leaves a trace',
    async () => {
      const cwd = copy('node-test');
      const output = await succeed(process.execPath, ['--test'], { cwd });
      expect(output).toMatch(/pass 3$/m);
      await checkTrace(
        { cwd, file: 'test/payments.test.mjs', right: "status, 'returned'", wrong: "status, 'settled'" },
        (env) => run(process.execPath, ['--test', '--test-name-pattern=returned'], { cwd, env }),
      );
    },
    TIMEOUT_MS,
  );

  const JESTS = [['jest', 'mjs'], ...(IS_WHOLE ? [['jest-commonjs', 'js']] : [])] as [string, string][];
  it.each(OTHERS.includes('jest') ? JESTS : [])(
    '%s passes, and a failed test leaves a trace',
    async (name, ending) => {
      const cwd = copy(name);
      await install(cwd, 'jest@30');
      const { code, stderr } = await run('npm', ['test'], { cwd });
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/3 passed/);
      await checkTrace(
        { cwd, file: `test/payments.test.${ending}`, right: "toBe('returned')", wrong: "toBe('settled')" },
        (env) => run('npm', ['test', '--', '-t', 'returned'], { cwd, env }),
      );
    },
    TIMEOUT_MS,
  );
});

if (OTHERS.includes('the guide'))
  describe('the guide to tests', () => {
    it(
      'works from an empty folder to passing tests, line by line',
      async () => {
        const cwd = join(dirname(app), 'guide');
        mkdirSync(cwd);
        const guide = readFileSync(join(ROOT, 'docs/guides/test.md'), 'utf8');
        const outputs: string[] = [];
        for (const [, language, code = ''] of guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
          const name = language === 'json' ? 'sandbank.config.json' : /^\/\/ (\S+)\n/.exec(code)?.[1];
          if (language === 'text') expect(outputs.at(-1)).toBe(code);
          else if (language !== 'sh') writeFileSync(join(cwd, name ?? ''), code);
          else {
            const script = code
              // It is already packed.
              .replace(/^\(cd \.\.\/sandbank.*\n/m, '')
              .replace(/\S+\.tgz$/m, packed.file);
            outputs.push(await succeed('bash', ['-euo', 'pipefail', '-c', script], { cwd }));
          }
        }
        const passed = outputs.flatMap((output) => /Tests .*?(\d+) passed/.exec(output)?.[1] ?? []);
        // The first test, that with other settings, both on one server, and that of webhooks.
        expect(passed).toEqual(['1', '2', '2', '3']);
        const schema = JSON.parse(readFileSync(join(cwd, 'sandbank.config.json'), 'utf8')).$schema;
        expect(existsSync(join(cwd, schema))).toBe(true);
      },
      TIMEOUT_MS,
    );
  });
