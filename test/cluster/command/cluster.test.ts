/**
 * `sandbank cluster` without workerd: the folder that `init` writes, and what `dev` refuses. The instance itself is
 * started in `test/long/cluster.test.ts`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readProjectFile } from '../../../src/bank/kernel/project.ts';
import {
  clusterProblems,
  REFUSED_VARIABLES,
  WORKER_VARIABLES,
  workerBindings,
} from '../../../src/cluster/cluster-settings.ts';
import { WORKERD_VERSION } from '../../../src/cluster/command/workerd.ts';
import { readConfig } from '../../../src/server/process/config.ts';
import { sandbank } from '../../cli/support.ts';
import { makeFolder } from '../../server/process/support.ts';

const WRITTEN = [
  'Dockerfile',
  'assets',
  'compose.yml',
  'haproxy.cfg',
  'instance.capnp',
  'kubernetes.yml',
  'pod-monitor.yml',
  'worker.js',
  'wrangler.jsonc',
];

const SHOP = fileURLToPath(new URL('../../../examples/seed/shop.json', import.meta.url));
const DOCUMENT = JSON.parse(readFileSync(SHOP, 'utf8'));
/** As the worker reads it. */
const READS_SEED = 'export const seed = globalThis.sandbankSeed;';

function splitOnce(text: string): string[] {
  const at = text.indexOf('\n') + 1;
  return [text.slice(0, at), text.slice(at)];
}

describe('cluster init', () => {
  const parent = makeFolder();
  const folder = join(parent, 'bank');
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  let printed: string;

  beforeAll(async () => {
    const { code, stdout, stderr } = await sandbank(['cluster', 'init', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    printed = stdout;
  });

  it('writes the worker, its pages and the configuration, and lists the files', () => {
    expect(readdirSync(folder).toSorted()).toEqual(WRITTEN);
    for (const name of WRITTEN) expect(printed).toContain(name);
    expect(statSync(join(folder, 'worker.js')).size).toBeGreaterThan(1_000_000);
    for (const page of ['docs/index.md', 'dist/inspector/index.html', 'fixtures/answers/v2.json']) {
      expect(existsSync(join(folder, 'assets', page)), page).toBe(true);
    }
  });

  it('overwrites nothing without --force, and lists the existing files', async () => {
    writeFileSync(join(folder, 'wrangler.jsonc'), 'mine');
    writeFileSync(join(folder, 'notes.txt'), 'mine too');
    writeFileSync(join(folder, 'assets/old.html'), 'of another version');
    const refused = await sandbank(['cluster', 'init', folder]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('wrangler.jsonc');
    expect(refused.stderr).toContain('--force');
    expect(read('wrangler.jsonc')).toBe('mine');

    expect(await sandbank(['cluster', 'init', folder, '--force'])).toMatchObject({ code: 0, stderr: '' });
    expect(read('wrangler.jsonc')).toContain('"worker.js"');
    expect(read('notes.txt')).toBe('mine too');
    expect(existsSync(join(folder, 'assets/old.html'))).toBe(false);
  });

  it('writes nothing if one of the files exists', async () => {
    const half = join(parent, 'half');
    mkdirSync(half);
    writeFileSync(join(half, 'compose.yml'), '');
    expect(await sandbank(['cluster', 'init', half])).toMatchObject({ code: 1 });
    expect(readdirSync(half)).toEqual(['compose.yml']);
  });

  it('configures both classes with SQLite, the pages and closed sandboxes for Cloudflare', () => {
    const worker = JSON.parse(read('wrangler.jsonc').replaceAll(/^\s*\/\/.*$/gm, ''));
    expect(worker).toMatchObject({
      main: 'worker.js',
      compatibility_flags: ['nodejs_compat'],
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Bank', 'Directory'] }],
      assets: { directory: './assets', binding: 'ASSETS', run_worker_first: true },
    });
    // wrangler uploads each page below it as a module.
    const modules = readdirSync(join(folder, worker.base_dir), { recursive: true, encoding: 'utf8' });
    expect(modules.filter((name) => /\.(?:html|txt|sql|js|mjs|bin|wasm)$/.test(name))).toEqual([]);
    expect(read('instance.capnp')).toContain(`compatibilityDate = "${worker.compatibility_date}"`);
    const bound = worker.durable_objects.bindings.map(({ class_name }: { class_name: string }) => class_name);
    expect(bound).toEqual(worker.migrations[0].new_sqlite_classes);
    const settings = readConfig({ ...worker.vars, SANDBANK_CONTROL_TOKEN: 't'.repeat(16) });
    if ('problems' in settings) throw new Error(settings.problems.join());
    expect(clusterProblems(settings, 'worker')).toEqual([]);
    // It does not start without the secret.
    const unsafe = readConfig(worker.vars);
    if ('problems' in unsafe) throw new Error(unsafe.problems.join());
    expect(clusterProblems(unsafe, 'worker')).toEqual([expect.stringContaining('SANDBANK_CONTROL_TOKEN')]);
  });

  it('binds every setting that the worker reads or refuses', () => {
    const bound = [...read('instance.capnp').matchAll(/name = "(SANDBANK_\w+)", fromEnvironment = "\1"/g)];
    expect(bound.map(([, name]) => name)).toEqual([...WORKER_VARIABLES, ...REFUSED_VARIABLES]);
  });

  it("extends the project's image by the pinned workerd", () => {
    const { dependencies } = JSON.parse(String(readProjectFile('test/cluster/workerd/package.json')));
    expect(WORKERD_VERSION).toBe(dependencies.workerd);
    // Another package may have the name of this one in a registry.
    expect(read('Dockerfile').match(/^RUN npm install .*$/gm)).toEqual([
      `RUN npm install --global --no-audit --no-fund workerd@${WORKERD_VERSION}`,
    ]);
    expect(read('Dockerfile')).toContain(`ARG SANDBANK_IMAGE=sandbank\n\nFROM \${SANDBANK_IMAGE}\n`);
    for (const file of WRITTEN.filter((one) => one !== 'assets' && one !== 'worker.js')) {
      expect(read(file)).not.toContain('_HERE');
    }
  });

  it('has two instances, a bucket and a balancer for compose, with closed sandboxes', () => {
    const { services } = parse(read('compose.yml'), { merge: true });
    const instances = Object.keys(services).filter((name) => name.startsWith('instance-'));
    expect(instances).toHaveLength(2);
    for (const name of instances) {
      expect(services[name].command).toEqual(expect.arrayContaining(['cluster', 'instance', `${name}:4801`]));
      expect(services[name].volumes, 'an instance needs no volume').toBeUndefined();
      const variable = name.replace('-', '_').toUpperCase();
      expect(read('haproxy.cfg')).toContain(`server ${name} "\${${variable}-${name}:4800}" check`);
      expect(services[name].image).toBe('sandbank-cluster');
    }
    // Docker builds the images of all services at the same time, and refuses a name that another build has just used.
    expect(instances.filter((name) => services[name].build !== undefined)).toEqual(['instance-0']);
    expect(services['instance-1'].pull_policy, 'the name may exist in a registry').toBe('never');
    expect(services.bucket.volumes).toBeDefined();
    expect(read('Dockerfile')).toContain('SANDBANK_SANDBOXES=closed');
  });

  it('writes the records of a seed file into the worker', async () => {
    const seeded = join(parent, 'seeded');
    const { code, stdout } = await sandbank(['cluster', 'init', seeded, '--seed-file', SHOP]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`have the records of ${SHOP}`)]);
    const [first = '', rest = ''] = splitOnce(readFileSync(join(seeded, 'worker.js'), 'utf8'));
    expect(rest).toBe(read('worker.js'));
    const { seed } = await import(`data:text/javascript,${encodeURIComponent(`${first}${READS_SEED}`)}`);
    expect(JSON.parse(seed)).toEqual(JSON.parse(readFileSync(SHOP, 'utf8')));
  });

  it.each([
    ['no file', undefined, 'cannot be read'],
    ['no JSON', 'people', 'is not JSON'],
    ['an unknown list', JSON.stringify({ ...DOCUMENT, peoples: [] }), 'peoples'],
    [
      'a record that the bank refuses',
      JSON.stringify({ ...DOCUMENT, transfers: [{ ...DOCUMENT.transfers[0], amount: '999.00' }] }),
      'transfers.0',
    ],
  ])('writes nothing for a seed file with %s', async (_, content, message) => {
    const file = join(makeFolder(), 'seed.json');
    if (content !== undefined) writeFileSync(file, content);
    const { code, stderr } = await sandbank(['cluster', 'init', join(parent, 'unseeded')], {
      SANDBANK_SEED_FILE: file,
    });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(join(parent, 'unseeded'))).toBe(false);
    const dev = await sandbank(['cluster', 'dev', '--seed-file', file, '--port', '0'], {
      SANDBANK_DATA: '',
      SANDBANK_WORKERD: process.execPath,
    });
    expect([dev.code, dev.stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('runs in Kubernetes without volumes, root or unlimited memory, and is probed', () => {
    const documents = parseAllDocuments(read('kubernetes.yml')).map((document) => document.toJS());
    const { volumes, securityContext, containers } = documents.find(({ kind }) => kind === 'Deployment').spec
      .template.spec;
    expect(volumes).toBeUndefined();
    expect(securityContext.runAsNonRoot).toBe(true);
    for (const container of containers) {
      expect(container.securityContext.capabilities).toEqual({ drop: ['ALL'] });
      expect(container.resources.limits.memory).toBeDefined();
      expect(container.readinessProbe).toBeDefined();
      expect(container.livenessProbe).toBeDefined();
    }
  });

  it('has a monitor of the metrics, with the control token of the instances', () => {
    const documents = parseAllDocuments(read('kubernetes.yml')).map((document) => document.toJS());
    const { metadata, spec } = documents.find(({ kind }) => kind === 'Deployment').spec.template;
    const [{ env, ports }] = spec.containers;
    const secretOf = (variable: string) =>
      env.find(({ name }: { name: string }) => name === variable).valueFrom.secretKeyRef;
    const monitor = parse(read('pod-monitor.yml'));
    expect([monitor.apiVersion, monitor.kind]).toEqual(['monitoring.coreos.com/v1', 'PodMonitor']);
    expect(monitor.spec).toEqual({
      selector: { matchLabels: metadata.labels },
      podMetricsEndpoints: [
        {
          port: ports.find(({ containerPort }: { containerPort: number }) => containerPort === 4800).name,
          path: '/metrics',
          // The default type is Bearer.
          authorization: { credentials: secretOf('SANDBANK_CONTROL_TOKEN') },
        },
      ],
    });
    // Prometheus sends no token because of annotations.
    expect(metadata.annotations).toBeUndefined();
  });
});

describe('cluster bucket', () => {
  it('says which program has its port', async () => {
    const taken = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const { code, stdout, stderr } = await sandbank(['cluster', 'bucket', '--port', String(port)]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`port ${port} on 127.0.0.1 is taken`);
  });
});

describe('cluster dev', () => {
  const dev = (settings: Record<string, string>, ...words: string[]) =>
    sandbank(['cluster', 'dev', ...words], { SANDBANK_DATA: '', ...settings });

  it.each([
    ['--synchronous', 'full'],
    ['--rest-after', '30'],
    ['--rate-limits', 'sandbox'],
  ])('refuses %s by name, because it has no effect', async (flag, value) => {
    const { code, stdout, stderr } = await dev({}, flag, value);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`^sandbank: ${flag} has no effect in a cluster: .*\\. Unset it\\.\\n$`),
    );
  });

  it('names each invalid setting, whatever its source', async () => {
    const { stderr } = await dev({ SANDBANK_REST_AFTER: '1', SANDBANK_TLS_CERT: 'a', SANDBANK_TLS_KEY: 'b' });
    expect(stderr.match(/SANDBANK_\w+ has no effect/g)).toHaveLength(3);
    expect((await dev({ SANDBANK_RAILS: 'quick' })).stderr).toContain('expected fast, calendar or manual');
  });

  it('requires closed sandboxes and a control token on other addresses', async () => {
    const { code, stderr } = await dev({}, '--host', '0.0.0.0');
    expect(code).toBe(1);
    expect(stderr).toContain('SANDBANK_SANDBOXES=closed and a SANDBANK_CONTROL_TOKEN');
    const token = 'tiger-lily-and-rose';
    expect((await dev({ SANDBANK_CONTROL_TOKEN: token }, '--host', '0.0.0.0')).stderr).toMatch(
      /needs SANDBANK_SANDBOXES=closed\. Set it/,
    );
    const closed = await dev(
      { SANDBANK_CONTROL_TOKEN: token, SANDBANK_SANDBOXES: 'closed' },
      '--host',
      '0.0.0.0',
      '--print-config',
    );
    expect(closed).toMatchObject({ code: 0, stderr: '' });
    expect(closed.stdout).toContain('0.0.0.0  # --host');
  });

  it('prints its settings without starting anything', async () => {
    const { code, stdout } = await dev({ SANDBANK_RAILS: 'manual' }, '--print-config', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).rails).toEqual({ value: 'manual', origin: 'SANDBANK_RAILS' });
  });

  it('reports that the program in SANDBANK_WORKERD does not exist', async () => {
    const { code, stderr } = await dev({ SANDBANK_WORKERD: '/nowhere/workerd' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^sandbank: SANDBANK_WORKERD is "\/nowhere\/workerd", and there is no such file/,
      ),
    });
  });

  it('passes only the given settings to the worker', () => {
    const read = readConfig({
      SANDBANK_RAILS: 'manual',
      SANDBANK_ALLOWED_HOSTS: 'a.example,b.example',
      SANDBANK_STRICT_FIELDS: 'on',
      SANDBANK_PORT: '5000',
      SANDBANK_DATA: 'data',
    });
    if ('problems' in read) throw new Error(read.problems.join());
    expect(workerBindings(read)).toEqual({
      SANDBANK_RAILS: 'manual',
      SANDBANK_ALLOWED_HOSTS: 'a.example,b.example',
      SANDBANK_STRICT_FIELDS: 'on',
    });
    expect(clusterProblems(read, 'dev')).toEqual([]);
    // On Cloudflare no command reads them.
    expect(clusterProblems(read, 'worker')).toEqual([
      expect.stringContaining('SANDBANK_PORT has no effect'),
      expect.stringContaining('SANDBANK_DATA has no effect'),
    ]);
  });
});
