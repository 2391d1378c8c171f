/**
 * The GitHub action: runs its steps like a runner, with the packed file instead of a published version, and uses
 * their outputs.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environment, type Packed, packAndInstall, ROOT, run } from './support.ts';

const TIMEOUT_MS = 180_000;

interface Step {
  name: string;
  id?: string;
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  shell: string;
  env: Record<string, string>;
  run: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
}

const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

/** The state of a job after this action. */
interface Job {
  readonly code: number | null;
  readonly log: string;
  readonly outputs: Record<string, string>;
  /** For the following steps. */
  readonly variables: Record<string, string>;
  readonly path: readonly string[];
}

let packed: Packed;
const folders: string[] = [];

beforeAll(async () => {
  packed = await packAndInstall();
}, TIMEOUT_MS);

afterAll(() => {
  for (const folder of folders) {
    const ready = join(folder, 'sandbank/ready.json');
    if (existsSync(ready)) process.kill(JSON.parse(readFileSync(ready, 'utf8')).pid);
  }
  if (packed !== undefined) rmSync(dirname(packed.app), { recursive: true, force: true });
});

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const pairsOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    linesOf(file)
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Runs the steps one after the other like a runner, until one fails. */
async function runAction(
  name: string,
  given: Record<string, string>,
  variables: Record<string, string> = {},
): Promise<Job> {
  const folder = join(dirname(packed.app), `runner of ${name}`);
  mkdirSync(folder);
  folders.push(folder);
  const [output, env, path] = ['output', 'env', 'path'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  const inputs = Object.fromEntries(
    Object.entries(ACTION.inputs).map(([input, { default: usual }]) => [input, given[input] ?? usual]),
  );
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const evaluate = (text: string, steps: Record<string, string>): string =>
    text.replaceAll(/\$\{\{ (inputs|steps\.start\.outputs)\.([\w-]+) \}\}/g, (_, from, key) => {
      const value = from === 'inputs' ? inputs[key] : steps[key];
      if (value === undefined) throw new Error(`nothing sets ${from}.${key}`);
      return value;
    });
  let code: number | null = 0;
  let log = '';
  for (const step of ACTION.runs.steps) {
    if (code !== 0) break;
    // A step of another action, which runs only if uploads are requested.
    if (step.uses !== undefined) {
      expect(step.if).toBe("inputs.upload-traces == 'true'");
      continue;
    }
    expect(step.if).toBe("inputs.upload-traces != 'true'");
    expect(step.shell).toBe('bash');
    const script = join(folder, 'step.sh');
    writeFileSync(script, step.run);
    const ended = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: dirname(packed.app),
      env: {
        ...variables,
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: output,
        GITHUB_ENV: env,
        GITHUB_PATH: path,
        ...Object.fromEntries(Object.entries(step.env).map(([key, value]) => [key, evaluate(value, {})])),
      },
    });
    code = ended.code;
    log += ended.stdout + ended.stderr;
  }
  const written = pairsOf(output);
  const outputs = Object.fromEntries(
    Object.entries(ACTION.outputs).map(([key, { value }]) => [
      key,
      code === 0 ? evaluate(value, written) : '',
    ]),
  );
  return { code, log, outputs, variables: pairsOf(env), path: linesOf(path) };
}

describe('the action', () => {
  it(
    'starts a bank that the following steps use, also through their PATH',
    async () => {
      const file = `./${packed.file.slice(dirname(packed.app).length + 1)}`;
      const given = {
        version: file,
        port: '0',
        rails: 'manual',
        'random-seed': 'a job',
        options: '--log-level warn',
      };
      const { code, log, outputs, variables, path } = await runAction('one', given);
      expect(code, log).toBe(0);
      expect(log).toContain(`Sandbank is at ${outputs.url}`);
      expect(outputs).toMatchObject({ 'api-key': 'test_default', 'control-token': '' });
      expect(variables).toEqual({ SANDBANK_URL: outputs.url, SANDBANK_API_KEY: 'test_default' });
      expect(existsSync(outputs.log ?? '')).toBe(true);

      const PATH = [...path, environment().PATH].join(delimiter);
      const later = { cwd: packed.app, env: { ...variables, PATH } };
      const { stdout } = await run('sandbank', ['env', '--json'], later);
      const { sub_account_id } = JSON.parse(stdout);
      const answer = await fetch(`${outputs.url}/v2/accounts/sub_account/${sub_account_id}`, {
        headers: { 'api-key': outputs['api-key'] ?? '' },
      });
      expect(answer.status).toBe(200);
      const summary = (await (await fetch(`${outputs.url}/_sandbox`)).json()) as Record<string, unknown>;
      expect(summary).toMatchObject({ rails: 'manual' });
      // The end of an id comes from the seed, its beginning from the time.
      const endOf = (json: string): string => JSON.parse(json).client_id.slice(-12);
      const sameSeed = ['exec', '--random-seed', given['random-seed'], '--', 'sandbank', 'env', '--json'];
      expect(endOf((await run('sandbank', sameSeed, later)).stdout)).toBe(endOf(stdout));
      const otherSeed = ['exec', '--random-seed', 'another', '--', 'sandbank', 'env', '--json'];
      expect(endOf((await run('sandbank', otherSeed, later)).stdout)).not.toBe(endOf(stdout));
    },
    TIMEOUT_MS,
  );

  it(
    'masks the token of a bank on other addresses, and passes it on',
    async () => {
      const given = { version: packed.file, port: '0', options: '--host 0.0.0.0' };
      const another = { SANDBANK_URL: 'http://127.0.0.1:9' };
      const { code, log, outputs, variables } = await runAction('two', given, another);
      expect(code, log).toBe(0);
      const { url = '', 'control-token': token = '' } = outputs;
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(log).toContain(`::add-mask::${token}`);
      expect(variables).toMatchObject({ SANDBANK_URL: url, SANDBANK_CONTROL_TOKEN: token });
      expect((await fetch(`${url}/_sandbox`)).status).toBe(401);
      expect((await fetch(`${url}/_sandbox`, { headers: { 'x-control-token': token } })).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  it(
    'fails with the reason if the bank does not start',
    async () => {
      const { code, log } = await runAction('three', { version: packed.file, port: '0', rails: 'slow' });
      expect(code).toBe(1);
      expect(log).toMatch(/^::error title=Sandbank did not start::sandbank: .*SANDBANK_RAILS/m);
    },
    TIMEOUT_MS,
  );
});

describe('the action after the tests', () => {
  it('uploads the folder of traces, and starts nothing', () => {
    const [upload, ...others] = ACTION.runs.steps.filter((step) => step.if?.includes("== 'true'"));
    expect(others).toEqual([]);
    expect(upload?.uses).toMatch(/^actions\/upload-artifact@[0-9a-f]{40}$/);
    expect(upload?.with?.path?.split('\n')).toContain('sandbank-traces');
    expect(ACTION.inputs['upload-traces']?.default).toBe('false');
  });
});
