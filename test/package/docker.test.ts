/**
 * The image and the Docker examples without an engine: the files parse, and their port, health check, folders and settings
 * match the image and the program. With an engine, test/docker runs them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settingsTable } from '../../src/server/process/config.ts';
import { makeFolder } from '../server/process/support.ts';
import { runVitest } from '../support/inner-vitest.ts';
import { EXAMPLE_TIMEOUT_MS, examplesOf, runScript } from '../support/page-examples.ts';
import { dockerStandIn } from './docker.ts';
import { NEEDED_BY_THE_BUILD, ROOT } from './support.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DOCKERFILE = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
/** Only the last stage is kept. */
const LAST_STAGE = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '));
const instruction = (word: string): string =>
  new RegExp(`^\\s*${word} (.*)$`, 'm').exec(LAST_STAGE)?.[1] ?? '';

const PORT = Number(instruction('EXPOSE'));
const HEALTH = JSON.parse(/^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(LAST_STAGE)?.[1] ?? '[]') as string[];
const IMAGE_SETTINGS = Object.fromEntries(
  [...instruction('ENV').matchAll(/(SANDBANK_\w+)=(\S*)/g)].map(([, name, value]) => [name, value]),
);
/** Not settings of the bank, but of its callers. */
const CALLERS = ['SANDBANK_URL', 'SANDBANK_API_KEY'];
const SETTINGS = [...settingsTable().map(({ environment }) => environment), ...CALLERS];

interface Service {
  build?: string;
  image?: string;
  ports?: string[];
  environment?: Record<string, string>;
  env?: Record<string, string>;
  healthcheck?: { test: string[] };
  options?: string;
  volumes?: string[];
  command?: string[];
  extra_hosts?: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  tmpfs?: string[];
}

interface Compose {
  services: Record<string, Service>;
  volumes?: Record<string, unknown>;
}

/** The bank takes these settings. */
function expectSettings(environment: Record<string, string> = {}): void {
  expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(environment)));
  expect(readConfig({ ...IMAGE_SETTINGS, ...environment })).toHaveProperty('config');
}

describe('the image', () => {
  it('has only settings of the bank, and exposes its port', () => {
    const read = readConfig(IMAGE_SETTINGS);
    expect(read).toMatchObject({ config: { host: '0.0.0.0', port: PORT, data: '/data' } });
    expect(instruction('VOLUME')).toBe('/data');
    expect(instruction('USER')).toBe('node');
    // The other folder that it may write to if its root is read-only.
    expect(IMAGE_SETTINGS.SANDBANK_READY_FILE).toMatch(/^\/tmp\//);
  });

  it('runs existing commands of the launcher', () => {
    expect(JSON.parse(instruction('ENTRYPOINT'))).toEqual(['sandbank']);
    expect(JSON.parse(instruction('CMD'))).toEqual(['start']);
    expect(HEALTH).toEqual(['sandbank', 'healthcheck']);
    expect(LAST_STAGE).toMatch(/ln -s \/app\/bin\/sandbank\.mjs \/usr\/local\/bin\/sandbank$/m);
  });

  it('has one base image, whose name can be replaced', () => {
    const bases = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set([`\${NODE_IMAGE}`]));
    expect(DOCKERFILE).toMatch(/^ARG NODE_IMAGE=node:24-bookworm-slim(@sha256:[0-9a-f]{64})?$/m);
  });

  it('is built from what the package is made of', () => {
    const [nothing, ...rest] = read('.dockerignore').trim().split('\n');
    expect(nothing).toBe('*');
    const seen = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(seen.sort()).toEqual([...NEEDED_BY_THE_BUILD].sort());
  });
});

describe.each(['docker-compose.yml', 'examples/docker/compose.yml'])('%s', (path) => {
  const { services, volumes = {} } = parse(read(path)) as Compose;
  const [bank] = Object.values(services);

  it('builds this project and publishes its port only on this machine', () => {
    expect(existsSync(join(ROOT, dirname(path), bank?.build ?? '', 'Dockerfile'))).toBe(true);
    expect(bank?.ports).toHaveLength(1);
    expect(bank?.ports?.[0]).toMatch(new RegExp(`^127\\.0\\.0\\.1:.*:${PORT}$`));
  });

  it('has only settings that the bank accepts', () => {
    const written = Object.entries(bank?.environment ?? {});
    // Compose substitutes variables that are not set.
    expectSettings(
      Object.fromEntries(written.map(([name, value]) => [name, value.replace(/^\$\{\w+:-\}$/, '')])),
    );
  });

  it('gives the bank a writable directory', () => {
    expect(bank?.read_only).toBe(true);
    expect(bank?.tmpfs).toContain('/tmp');
    const [volume] = bank?.volumes ?? [];
    if (bank?.environment?.SANDBANK_DATA === '') expect(volume).toBeUndefined();
    else {
      expect(volume).toMatch(/^\w+:\/data$/);
      expect(Object.keys(volumes)).toContain(volume?.split(':')[0]);
    }
  });
});

describe('the compose file of the examples', () => {
  const { bank, backend } = (parse(read('examples/docker/compose.yml')) as Compose).services;

  it('checks the bank like the image does, and starts the backend afterwards', () => {
    expect(bank?.healthcheck?.test).toEqual(['CMD', ...HEALTH]);
    expect(backend?.depends_on).toEqual({ bank: { condition: 'service_healthy' } });
  });

  it('passes the URL of the bank and its token to the backend', () => {
    expect(backend?.environment).toMatchObject({
      SANDBANK_URL: `http://bank:${PORT}`,
      SANDBANK_CONTROL_TOKEN: bank?.environment?.SANDBANK_CONTROL_TOKEN,
      SELF: 'http://backend:3000',
    });
    const script = /\/example\/(.*)/.exec(backend?.command?.join(' ') ?? '')?.[1] ?? '';
    const program = read(`examples/local-backend/${script}`);
    for (const name of Object.keys(backend?.environment ?? {})) expect(program).toContain(name);
  });
});

describe('the guide', () => {
  const guide = read('docs/guides/docker.md');
  const examples = examplesOf(guide);

  it(
    'has lines that work one after the other, from the start of a container to its end',
    async () => {
      const folder = makeFolder();
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      mkdirSync(join(folder, 'seed'));
      writeFileSync(join(bin, 'docker'), dockerStandIn(folder, IMAGE_SETTINGS), { mode: 0o755 });
      const script = examples.map((example) => example.script).join('');
      const PATH = `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
      const { code, stdout, stderr } = await runScript(script.replaceAll('curl -s ', 'curl -sS --fail '), {
        PATH,
      });
      expect({ code, stderr: stderr.replaceAll(/^sandbank: not ready .*\n/gm, '') }).toEqual({
        code: 0,
        stderr: '',
      });
      expect(stdout).toContain('"status":"originated"');
      expect(stdout).toMatch(/v2 {2}transaction\.status\.returned/);
      expect(stdout).toMatch(/"msg":"listening"/);
      const { version } = JSON.parse(read('package.json'));
      expect(stdout.endsWith(`${version}\n`)).toBe(true);
    },
    EXAMPLE_TIMEOUT_MS,
  );

  it('shows the files of the examples unchanged', () => {
    const pages = [guide, read('docs/guides/github-actions.md')].join('\n');
    const shown = [...pages.matchAll(/^```(?:yaml|ts)\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    const whole = ['compose.yml', 'github-workflow.yml', 'testcontainers.test.ts']
      .map((name) => read(`examples/docker/${name}`))
      .join('\n');
    const linesOf = (text: string): string[] =>
      text
        .split('\n')
        .map((line) => line.trim().replace(/^(const )?(container|bank) = /, ''))
        .filter((line) => line !== '');
    const known = new Set(linesOf(whole));
    const ofExamples = shown.filter((text) => /GenericContainer|^services:/.test(text));
    expect(ofExamples).toHaveLength(3);
    for (const text of ofExamples) expect(linesOf(text).filter((line) => !known.has(line))).toEqual([]);
  });

  it('names only existing settings and options', () => {
    const named = [...guide.matchAll(/--env (SANDBANK_\w+)=(\S*)/g)];
    expect(named.length).toBeGreaterThan(3);
    for (const [, name = '', value = ''] of named) expectSettings({ [name]: value });
  });
});

it('the guide of the action names its inputs and outputs', () => {
  const { inputs, outputs } = parse(read('action.yml')) as Record<'inputs' | 'outputs', object>;
  const named = [...read('docs/guides/github-actions.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(named).toEqual([...Object.keys(inputs), ...Object.keys(outputs)]);
});

describe('the workflow', () => {
  const { jobs } = parse(read('examples/docker/github-workflow.yml')) as {
    jobs: { test: { services: { bank: Service }; env: Record<string, string>; steps: { run?: string }[] } };
  };
  const { services, env, steps } = jobs.test;
  const { bank } = services;

  it('runs the bank as a service with valid settings, and waits for it', () => {
    expect(bank.ports).toEqual([`${PORT}:${PORT}`]);
    expectSettings(bank.env);
    expect(/--health-cmd "([^"]*)"/.exec(bank.options ?? '')?.[1]).toBe(HEALTH.join(' '));
  });

  it('passes URL and token to the tests', () => {
    expect(env).toEqual({
      SANDBANK_URL: `http://127.0.0.1:${PORT}`,
      SANDBANK_API_KEY: 'test_default',
      SANDBANK_CONTROL_TOKEN: bank.env?.SANDBANK_CONTROL_TOKEN,
    });
    expect(steps.map(({ run }) => run)).toContain('npm test');
  });
});

/**
 * Instead of the library: a bank in this process with the settings of the container, behind the same methods.
 */
const STAND_IN = `
import pino from 'pino';
import { readConfig } from '${ROOT}src/server/process/config.ts';
import { startServer } from '${ROOT}src/server/server.ts';

export const Wait = { forHealthCheck: () => 'healthy' };

export class GenericContainer {
  environment = {};
  withExposedPorts() { return this; }
  withEnvironment(environment) { this.environment = environment; return this; }
  withExtraHosts() { return this; }
  withWaitStrategy() { return this; }
  async start() {
    const { config } = readConfig({ ...this.environment, SANDBANK_PORT: '0' });
    const server = await startServer(config, pino({ level: 'silent' }));
    const { hostname, port } = new URL(server.url);
    return { getHost: () => hostname, getMappedPort: () => Number(port), stop: () => server.stop() };
  }
}
`;

describe('the test with Testcontainers', () => {
  const text = read('examples/docker/testcontainers.test.ts');

  it('starts the image at its port, with valid settings', () => {
    const { image } = (parse(read('docker-compose.yml')) as Compose).services.sandbank ?? {};
    expect(text).toContain(`new GenericContainer('${image}')`);
    expect(
      [...text.matchAll(/(?:withExposedPorts|getMappedPort)\((\d+)\)/g)].map(([, port]) => Number(port)),
    ).toEqual([PORT, PORT]);
    const settings = /withEnvironment\(\{([^}]*)\}\)/.exec(text)?.[1] ?? '';
    const pairs = [...settings.matchAll(/(SANDBANK_\w+): (?:'([^']*)'|\w+)/g)];
    expect(pairs.length).toBeGreaterThan(0);
    expectSettings(
      Object.fromEntries(pairs.map(([, name = '', value = 'a-token-of-the-plane']) => [name, value])),
    );
  });

  it('passes with a bank of this machine instead of the container', async () => {
    const { files } = await runVitest({
      'testcontainers.ts': STAND_IN,
      'example.test.ts': text
        .replace("'testcontainers'", "'./testcontainers.ts'")
        .replaceAll('http://host.docker.internal', 'http://127.0.0.1'),
    });
    const results = files.flatMap(({ assertionResults }) => assertionResults);
    expect(results.map(({ status, failureMessages }) => [status, failureMessages])).toEqual([
      ['passed', []],
      ['passed', []],
    ]);
  }, 120_000);

  it('waits for the health check of the image', () => {
    expect(text).toContain('Wait.forHealthCheck()');
    expect(HEALTH).not.toEqual([]);
  });
});

it.each([
  'docker-compose.yml',
  'examples/docker/testcontainers.test.ts',
  'examples/docker/github-workflow.yml',
])('%s lets webhooks reach this machine', (path) => {
  expect(read(path)).toContain('host.docker.internal');
  expect(read(path)).toContain('host-gateway');
});
