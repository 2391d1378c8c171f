// The settings of the process: the defaults, profiles and environment variables, and the error of readConfig, which
// lists all invalid settings with their valid values.
import { Ajv } from 'ajv';
import { describe, expect, it, test } from 'vitest';
import { readConfig, settingsSchema, settingsTable } from '../../src/server/process/config.ts';
import type { Config } from '../../src/server/process/settings.ts';

function configOf(environment: Record<string, string | undefined>): Config {
  const read = readConfig(environment);
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.config;
}

function problemsOf(environment: Record<string, string | undefined>): string[] {
  const read = readConfig(environment);
  return 'problems' in read ? read.problems : [];
}

describe('defaults', () => {
  it('describe a bank on loopback that stores its data', () => {
    expect(configOf({})).toEqual({
      profile: 'dev',
      host: '127.0.0.1',
      port: 4800,
      tlsCert: null,
      tlsKey: null,
      data: '.sandbank',
      synchronous: 'normal',
      readyFile: null,
      rails: 'fast',
      randomSeed: 'sandbank',
      seedFile: null,
      seedHistory: false,
      secrets: 'random',
      webhookUrl: null,
      webhookConcurrency: 16,
      webhookHosts: null,
      sandboxes: 'open',
      maxSandboxes: 1000,
      restAfter: 60,
      maxObservers: 200,
      secretRoot: null,
      control: true,
      controlToken: null,
      allowedHosts: [],
      bodyLimit: 1_048_576,
      shortfall: 'refused',
      strictFields: false,
      strictPersonHeader: false,
      rateLimits: 'off',
      logLevel: 'info',
      logFormat: 'auto',
    });
  });

  it('keep the bank in memory in the ci profile', () => {
    expect(configOf({ SANDBANK_PROFILE: 'ci' }).data).toBeNull();
  });

  it('listen on all addresses and seed a month of history in the qa profile', () => {
    expect(configOf({ SANDBANK_PROFILE: 'qa' })).toMatchObject({ host: '0.0.0.0', seedHistory: true });
  });

  it('are overridden by the environment in every profile', () => {
    const config = configOf({ SANDBANK_PROFILE: 'ci', SANDBANK_DATA: '/data', SANDBANK_HOST: '::1' });
    expect(config).toMatchObject({ data: '/data', host: '::1' });
  });

  it('apply to empty variables, as compose files pass them', () => {
    expect(configOf({ SANDBANK_PORT: '', SANDBANK_CONTROL_TOKEN: '', SANDBANK_RANDOM_SEED: '' })).toEqual(
      configOf({}),
    );
  });

  it('produce a frozen config', () => {
    expect(Object.isFrozen(configOf({}))).toBe(true);
  });
});

test('an empty SANDBANK_DATA selects a bank in memory', () => {
  expect(configOf({ SANDBANK_DATA: '' }).data).toBeNull();
});

test.each<[string, string, Partial<Config>]>([
  ['SANDBANK_HOST', 'bank.example', { host: 'bank.example' }],
  ['SANDBANK_HOST', '::', { host: '::' }],
  ['SANDBANK_PORT', '0', { port: 0 }],
  ['SANDBANK_PORT', '65535', { port: 65_535 }],
  ['SANDBANK_SYNCHRONOUS', 'off', { synchronous: 'off' }],
  ['SANDBANK_READY_FILE', '/tmp/ready.json', { readyFile: '/tmp/ready.json' }],
  ['SANDBANK_RAILS', 'manual', { rails: 'manual' }],
  ['SANDBANK_RANDOM_SEED', '7', { randomSeed: '7' }],
  ['SANDBANK_SECRETS', 'seeded', { secrets: 'seeded' }],
  ['SANDBANK_WEBHOOK_URL', 'http://localhost:3000/hook', { webhookUrl: 'http://localhost:3000/hook' }],
  [
    'SANDBANK_WEBHOOK_HOSTS',
    'public, 10.2.0.0/16, .hooks.example',
    { webhookHosts: ['public', '10.2.0.0/16', '.hooks.example'] },
  ],
  ['SANDBANK_SANDBOXES', 'closed', { sandboxes: 'closed' }],
  ['SANDBANK_MAX_SANDBOXES', '1', { maxSandboxes: 1 }],
  ['SANDBANK_REST_AFTER', '1', { restAfter: 1 }],
  ['SANDBANK_MAX_OBSERVERS', '50', { maxObservers: 50 }],
  ['SANDBANK_SECRET_ROOT', 'r'.repeat(44), { secretRoot: 'r'.repeat(44) }],
  ['SANDBANK_CONTROL', 'off', { control: false }],
  ['SANDBANK_CONTROL_TOKEN', 's3cret!s3cret!s3', { controlToken: 's3cret!s3cret!s3' }],
  [
    'SANDBANK_ALLOWED_HOSTS',
    'bank.example, .test.example',
    { allowedHosts: ['bank.example', '.test.example'] },
  ],
  ['SANDBANK_ALLOWED_HOSTS', '*', { allowedHosts: ['*'] }],
  ['SANDBANK_BODY_LIMIT', '100', { bodyLimit: 100 }],
  ['SANDBANK_STRICT_FIELDS', 'on', { strictFields: true }],
  ['SANDBANK_STRICT_PERSON_HEADER', 'on', { strictPersonHeader: true }],
  ['SANDBANK_RATE_LIMITS', 'production', { rateLimits: 'production' }],
  ['SANDBANK_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['SANDBANK_LOG_FORMAT', 'json', { logFormat: 'json' }],
])('%s=%s is read', (name, text, expected) => {
  expect(configOf({ [name]: text })).toEqual({ ...configOf({}), ...expected });
});

test.each([
  ['SANDBANK_PROFILE', 'prod'],
  ['SANDBANK_HOST', 'http://localhost'],
  ['SANDBANK_HOST', 'localhost:4800'],
  ['SANDBANK_HOST', '127.0.0.256'],
  ['SANDBANK_HOST', ' localhost'],
  ['SANDBANK_PORT', '65536'],
  ['SANDBANK_PORT', '-1'],
  ['SANDBANK_PORT', '0x50'],
  ['SANDBANK_PORT', '4800 '],
  ['SANDBANK_SYNCHRONOUS', 'NORMAL'],
  ['SANDBANK_RAILS', 'slow'],
  ['SANDBANK_WEBHOOK_URL', 'localhost:3000'],
  ['SANDBANK_WEBHOOK_URL', 'ftp://localhost/'],
  ['SANDBANK_WEBHOOK_URL', 'http://'],
  ['SANDBANK_WEBHOOK_HOSTS', '10.2.0.0/33'],
  ['SANDBANK_WEBHOOK_HOSTS', 'http://hooks.example'],
  ['SANDBANK_SECRETS', 'off'],
  ['SANDBANK_SANDBOXES', 'half'],
  ['SANDBANK_MAX_SANDBOXES', '0'],
  ['SANDBANK_CONTROL', 'true'],
  ['SANDBANK_CONTROL', 'toString'],
  ['SANDBANK_BODY_LIMIT', '1mb'],
  ['SANDBANK_BODY_LIMIT', '0'],
  ['SANDBANK_STRICT_FIELDS', '1'],
  ['SANDBANK_STRICT_PERSON_HEADER', 'yes'],
  ['SANDBANK_RATE_LIMITS', 'on'],
  ['SANDBANK_LOG_LEVEL', 'verbose'],
  ['SANDBANK_LOG_FORMAT', 'text'],
])('%s=%s is refused with an error that contains the name and the value', (name, text) => {
  const problems = problemsOf({ [name]: text });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`${name} is ${JSON.stringify(text)}; expected `);
});

test('a settings error says what is wrong, what is accepted and what to do', () => {
  expect(problemsOf({ SANDBANK_PROFILE: 'qa', SANDBANK_HOST: 'a b' })).toEqual([
    'SANDBANK_HOST is "a b"; expected an IP address or a host name, without scheme and port. ' +
      'Correct it, or unset it for the default (0.0.0.0).',
  ]);
});

describe('seeded secrets', () => {
  test.each(['0.0.0.0', '::', '192.168.1.7', 'bank.example'])(
    'are refused on %s with an explanation',
    (host) => {
      expect(problemsOf({ SANDBANK_SECRETS: 'seeded', SANDBANK_HOST: host })).toEqual([
        `SANDBANK_SECRETS is "seeded" while the bank listens on ${host} (SANDBANK_HOST): anybody who reaches it could create its ` +
          'tokens, links and signatures. Listen on 127.0.0.1, or unset it for random secrets.',
      ]);
    },
  );

  it('are refused in a profile that listens on other addresses', () => {
    const [problem] = problemsOf({ SANDBANK_SECRETS: 'seeded', SANDBANK_PROFILE: 'qa' });
    expect(problem).toContain('listens on 0.0.0.0 (profile qa)');
  });

  test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('are accepted on %s', (host) => {
    expect(problemsOf({ SANDBANK_SECRETS: 'seeded', SANDBANK_HOST: host })).toEqual([]);
  });
});

test('all settings errors are reported together', () => {
  const wrong = { SANDBANK_PORT: 'x', SANDBANK_RAILS: 'x', SANDBANK_PROFILE: 'x', SANDBANK_X: 'x' };
  expect(problemsOf(wrong)).toHaveLength(4);
});

test('a control token that is easy to guess is refused', () => {
  for (const token of ['x', 'x'.repeat(15)]) {
    const [problem] = problemsOf({ SANDBANK_CONTROL_TOKEN: token });
    expect(problem).toContain('16');
  }
  expect(configOf({ SANDBANK_CONTROL_TOKEN: 'x'.repeat(16) }).controlToken).toBe('x'.repeat(16));
});

test('the error for a refused control token does not contain the token', () => {
  const [problem] = problemsOf({ SANDBANK_CONTROL_TOKEN: 'two words' });
  expect(problem).toContain('SANDBANK_CONTROL_TOKEN');
  expect(problem).not.toContain('two words');
});

describe('an environment variable that is not a setting', () => {
  test.each([
    ['SANDBANK_PROT', 'SANDBANK_PORT'],
    ['SANDBANK_LOGLEVEL', 'SANDBANK_LOG_LEVEL'],
    ['SANDBANK_STRICT_FIELD', 'SANDBANK_STRICT_FIELDS'],
    ['SANDBANK_TOKEN', 'SANDBANK_CONTROL_TOKEN'],
  ])('%s is refused with the suggestion %s', (name, nearest) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([
      `${name} is not a setting; did you mean ${nearest}? Rename it, or unset it.`,
    ]);
  });

  it.each(['SANDBANK_NOW', 'SANDBANK_X'])(
    '%s is refused without a suggestion, because no setting is similar',
    (name) => {
      expect(problemsOf({ [name]: 'x' })).toEqual([
        `${name} is not a setting. Unset it; "sandbank start --help" lists the settings.`,
      ]);
    },
  );

  it('is accepted if tests or clients read it', () => {
    expect(problemsOf({ SANDBANK_TRACES: 'kept', SANDBANK_URL: 'http://127.0.0.1:4800' })).toEqual([]);
  });

  it('is accepted if "sandbank compare" reads it', () => {
    // The guide exports the keys, and the commands that follow read the settings to find the bank.
    expect(problemsOf({ SANDBANK_COMPARE_KEY_V2: 'x', SANDBANK_COMPARE_KEY_V1: 'x' })).toEqual([]);
  });

  it('is refused with the new name if the setting was renamed', () => {
    expect(problemsOf({ SANDBANK_SEED: 'x' })).toEqual([
      'SANDBANK_SEED was renamed to SANDBANK_RANDOM_SEED. Rename it, or unset it.',
    ]);
  });

  it('is ignored without the prefix SANDBANK_', () => {
    expect(problemsOf({ PORT: 'x', sandbank_port: 'x', SANDBANK: 'x', SANDBANK_X: undefined })).toEqual([]);
  });

  it('is ignored if "sandbank exec" sets it for its child process', () => {
    expect(problemsOf({ SANDBANK_URL: 'http://127.0.0.1:4800', SANDBANK_API_KEY: 'test_a' })).toEqual([]);
  });

  it('is ignored if Kubernetes sets it for a Service named sandbank', () => {
    const links = {
      SANDBANK_SERVICE_HOST: '10.0.0.11',
      SANDBANK_SERVICE_PORT: '4800',
      SANDBANK_SERVICE_PORT_HTTP: '4800',
      SANDBANK_PORT: 'tcp://10.0.0.11:4800',
      SANDBANK_PORT_4800_TCP: 'tcp://10.0.0.11:4800',
      SANDBANK_PORT_4800_TCP_PROTO: 'tcp',
      SANDBANK_PORT_4800_TCP_PORT: '4800',
      SANDBANK_PORT_4800_TCP_ADDR: '10.0.0.11',
    };
    expect(configOf(links)).toEqual(configOf({}));
  });
});

describe('the settings table', () => {
  it('has a row for every field of the config', () => {
    expect(settingsTable()).toHaveLength(Object.keys(configOf({})).length);
  });

  it('formats defaults as they are written in the environment, with those of the profiles that differ', () => {
    const defaults = Object.fromEntries(settingsTable().map((row) => [row.environment, row.default]));
    expect(defaults).toMatchObject({
      SANDBANK_HOST: '127.0.0.1; qa: 0.0.0.0',
      SANDBANK_DATA: '.sandbank; ci: none',
      SANDBANK_CONTROL: 'on',
      SANDBANK_READY_FILE: 'none',
    });
  });

  it('describes the accepted values of each setting', () => {
    for (const row of settingsTable()) expect(row.meaning).toMatch(/^[A-Z].+\. Value: .+\.$/);
  });
});

describe('the JSON schema of a settings file', () => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(settingsSchema());
  const fileOf = (values: Record<string, unknown>) => readConfig({}, { file: { path: 'a file', values } });

  it.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['its own address', { $schema: './node_modules/sandbank/dist/config.schema.json', port: 4800 }],
    ['booleans as values and as strings', { strictFields: true, control: 'off' }],
    ['hosts as a list and as a string', { allowedHosts: ['a.example', '.b.example'] }],
    ['enums, numbers and strings', { rails: 'manual', bodyLimit: 10, randomSeed: 'mine', data: '' }],
  ])('takes %s, as the bank does', (_, values) => {
    expect(validate(values), JSON.stringify(validate.errors)).toBe(true);
    expect(fileOf(values)).toHaveProperty('config');
  });

  it.each<[string, Record<string, unknown>]>([
    ['a name', { rail: 'fast' }],
    ['a word', { rails: 'slow' }],
    ['a number', { port: 99_999 }],
    ['a switch', { strictFields: 'yes' }],
  ])('refuses %s that the bank refuses', (_, values) => {
    expect(validate(values)).toBe(false);
    expect(fileOf(values)).toHaveProperty('problems');
  });

  it('describes every setting and accepts its default', () => {
    const { properties } = settingsSchema() as {
      properties: Record<string, { description?: string; default?: unknown }>;
    };
    const { $schema: _, ...settings } = properties;
    expect(Object.keys(settings)).toHaveLength(settingsTable().length);
    for (const [name, { description, default: usual }] of Object.entries(settings)) {
      expect(description, name).toMatch(/\. Value: .*\.$/);
      if (usual !== undefined) expect(validate({ [name]: usual }), name).toBe(true);
    }
  });
});
