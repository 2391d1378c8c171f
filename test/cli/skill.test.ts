/**
 * The instructions for coding agents: `sandbank skill` prints the file of the package, its commands run, and the
 * names in it exist. test/long/skill.test.ts runs its programs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { TOOLS } from '../../src/cli/mcp/tools.ts';
import { CONTROL_OPERATIONS } from '../../src/sandboxes/control/index.ts';
import { makeFolder, type Running, startBank } from '../server/process/support.ts';
import { EXAMPLE_TIMEOUT_MS, examplesOf, runScript } from '../support/page-examples.ts';
import { sandbank } from './support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SKILL = readFileSync(join(ROOT, 'skills/sandbank/SKILL.md'), 'utf8');
const EXAMPLES = examplesOf(SKILL).map((example, at) => ({ ...example, key: `test_skill_${at}` }));

/** A part of the output of a section's example. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'Add a bank to a project': /transaction\.status\.settled/,
  'Debug a decline': /perTransactionLimit/,
  'Debug a missing webhook': /wbh-/,
};

describe('the skill', () => {
  it('is printed by the command', async () => {
    expect(await sandbank(['skill'])).toEqual({ code: 0, stdout: SKILL, stderr: '' });
  });

  it('begins with the name of its folder and a description, as agents expect', () => {
    expect(SKILL).toMatch(/^---\nname: sandbank\ndescription: .{50,1024}\n---\n/);
  });

  it('names every tool of the MCP server', () => {
    for (const { name } of TOOLS) expect(SKILL).toContain(name);
  });

  it('names only existing operations of the control plane', () => {
    const calls = [...SKILL.matchAll(/`(GET|POST) (\/_sandbox[^\s`?]*)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(calls.length).toBeGreaterThan(2);
    expect(CONTROL_OPERATIONS.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([...new Set(calls)]),
    );
  });
});

describe('an example of the skill', () => {
  let bank: Running;
  let path: string;

  beforeAll(async () => {
    bank = await startBank({ SANDBANK_RAILS: 'manual' });
    const folder = join(makeFolder(), 'bin');
    mkdirSync(folder);
    const launcher = join(ROOT, 'bin/sandbank.mjs');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`;
    writeFileSync(join(folder, 'sandbank'), script, { mode: 0o755 });
    path = `${folder}${delimiter}${process.env.PATH}`;
  });

  it('exists for each task', () => {
    expect(EXAMPLES.map(({ heading }) => heading)).toEqual(Object.keys(PRINTED));
  });

  test.each(EXAMPLES)(
    '$heading: runs unchanged',
    async ({ heading, script, key }) => {
      const variables = { PATH: path, SANDBANK_URL: bank.url, SANDBANK_API_KEY: key };
      const { code, stdout, stderr } = await runScript(script, variables);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(PRINTED[heading] ?? /never/);
    },
    EXAMPLE_TIMEOUT_MS,
  );
});
