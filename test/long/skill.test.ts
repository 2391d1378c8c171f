/**
 * The programs in the instructions for coding agents, each run against a separate bank as described. The one for
 * vitest runs in test/recipes.test.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { succeed } from '../package/support.ts';
import { makeFolder } from '../server/process/support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SKILL = readFileSync(join(ROOT, 'skills/sandbank/SKILL.md'), 'utf8');
const TIMEOUT_MS = 120_000;

function programIn(language: string): string {
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(SKILL) ?? [];
  expect(code).not.toBe('');
  return code;
}

test.each([
  ['python', 'pull.py', ['/usr/bin/python3']],
  ['go', 'main.go', ['/usr/bin/go', 'run']],
])(
  'the skill has a program in %s that runs unchanged',
  async (language, name, command) => {
    // It fails unless the payment has settled.
    const folder = makeFolder();
    writeFileSync(join(folder, name), programIn(language));
    const words = [join(ROOT, 'bin/sandbank.mjs'), 'exec', '--', ...command, join(folder, name)];
    await succeed(process.execPath, words, { cwd: folder });
  },
  TIMEOUT_MS,
);
