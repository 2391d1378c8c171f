// The options of the long-running tools: an invalid number results in an explanation and the exit code for usage.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { partOfToday } from '../support/runs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// Each starts a program.
const INVALID: readonly [file: string, option: string, value: string][] = [
  ['test/torture/main.ts', '--minutes', 'soon'],
  ['test/torture/main.ts', '--seed', 'x'],
  ['test/torture/main.ts', '--from', '-1'],
  ['test/torture/main.ts', '--rounds', '1.5'],
  ['test/torture/main.ts', '--shrink', 'x'],
  ['test/torture/main.ts', '--times', 'x'],
  ['test/torture/main.ts', '--without', 'stops'],
  ['test/fuzz/main.ts', '--seed', 'x'],
  ['test/fuzz/main.ts', '--requests', 'many'],
  ['test/fuzz/main.ts', '--concurrency', '0'],
  ['test/fuzz/main.ts', '--only', 'x'],
  ['bench/main.ts', '--only', 'nothing'],
];

test.each(partOfToday(INVALID, 4))('%s %s %s', (file, option, value) => {
  const { status, stderr } = spawnSync(process.execPath, [file, `${option}=${value}`], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(status).toBe(2);
  expect(stderr).toContain(value);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
