/**
 * The files that GitHub reads: GitHub's own parser accepts them, and the files that they name exist.
 * `workflows.test.ts` runs their shell steps.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';

/** The package imports JSON in a way that only bundlers support, so it is bundled first. */
const PARSER = `
  export * from '@actions/workflow-parser';
  export { parseAction } from '@actions/workflow-parser/actions/action-parser';
`;
const { outputFiles } = await build({
  stdin: { contents: PARSER, resolveDir: import.meta.dirname },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
});
const parser = outputFiles[0]?.contents ?? new Uint8Array();
const { convertWorkflowTemplate, NoOperationTraceWriter, parseAction, parseWorkflow } = (await import(
  `data:text/javascript;base64,${Buffer.from(parser).toString('base64')}`
)) as typeof import('@actions/workflow-parser') &
  typeof import('@actions/workflow-parser/actions/action-parser');

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url))).map((name) => `${folder}/${name}`);

const WORKFLOWS = filesIn('.github/workflows');
/** It is copied by others, so it names actions by their major version, which people can read. */
const EXAMPLE = 'examples/docker/github-workflow.yml';
const FORMS = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('/config.yml'));

interface Step {
  uses?: string;
  run?: string;
}

/** The steps of a workflow or an action. */
function stepsOf(path: string): Step[] {
  const { jobs, runs } = parse(read(path)) as {
    jobs?: Record<string, { steps: Step[] }>;
    runs?: { steps: Step[] };
  };
  return runs?.steps ?? Object.values(jobs ?? {}).flatMap(({ steps }) => steps);
}

async function problemsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const found = context.errors.getErrors().map(String);
  if (value === undefined) return [...found, 'it is empty'];
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return [...found, ...errors.map(({ Message }) => Message)];
}

describe('a GitHub workflow', () => {
  test.each([...WORKFLOWS, EXAMPLE])("%s matches GitHub's schema", async (path) => {
    expect(await problemsOf(path, read(path))).toEqual([]);
  });

  it("that does not match GitHub's schema is detected", async () => {
    const text = read('.github/workflows/ci.yml');
    for (const [right, wrong] of [
      ['timeout-minutes', 'timout-minutes'],
      ['matrix.node', 'matrx.node'],
      ['contents: read', 'contents: reed'],
    ] as const) {
      expect(text).toContain(right);
      expect(await problemsOf('ci.yml', text.replace(right, wrong)), wrong).not.toEqual([]);
    }
  });

  test.each(WORKFLOWS)('%s pins every action to a commit and names its version', (path) => {
    const lines = read(path)
      .split('\n')
      .filter((line) => line.includes('uses:'));
    const loose = lines.filter((line) => !/uses: (\.\/|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(loose).toEqual([]);
  });
});

it("the action matches GitHub's schema", () => {
  const { context } = parseAction(
    { name: 'action.yml', content: read('action.yml') },
    new NoOperationTraceWriter(),
  );
  expect(context.errors.getErrors().map(String)).toEqual([]);
});

describe.each([...WORKFLOWS, 'action.yml'])('the scripts of %s', (path) => {
  const scripts = stepsOf(path).flatMap(({ run }) => (run === undefined ? [] : [run]));

  it('are valid shell scripts', () => {
    for (const script of scripts) expect(() => execFileSync('bash', ['-n'], { input: script })).not.toThrow();
  });

  it('receive inputs only as environment variables, never by substitution', () => {
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('call existing scripts of package.json', () => {
    const { scripts: known } = JSON.parse(read('package.json'));
    const called = scripts.flatMap((script) =>
      [...script.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
    );
    expect(Object.keys(known)).toEqual(expect.arrayContaining(called));
  });
});

test.each(FORMS)('%s is a form with unique field names', (path) => {
  const { name, description, body } = parse(read(path)) as {
    name: string;
    description: string;
    body: { type: string; id?: string; attributes: { label?: string; value?: string } }[];
  };
  expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
  const fields = body.filter(({ type }) => type !== 'markdown');
  expect(fields.map(({ type }) => type)).toEqual(
    fields.map(() => expect.stringMatching(/^(input|textarea|dropdown|checkboxes)$/)),
  );
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
  expect(fields.every(({ id, attributes: { label } }) => id !== undefined && label !== undefined)).toBe(true);
});
