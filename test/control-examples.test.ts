// The examples of docs/control-plane.md, run as a reader would run them: by bash, against the real server, each after
// the lines that the page begins with. What an example prints is what stands under it, to the letter.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { CONTROL_OPERATIONS } from '../src/http/control/operations.ts';
import { makeFolder, type Running, startBank } from './process/support.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../docs/control-plane.md', import.meta.url)), 'utf8');
/** A block of commands and, where one follows at once, what they print. */
const BLOCK = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```$)?/gm;
const DEADLINE_MS = 30_000;
const STRICT = 'set -euo pipefail\n';

interface Example {
  heading: string;
  script: string;
  prints: string | undefined;
}

const [beginning, ...examples] = [...PAGE.matchAll(BLOCK)].map(
  ({ 1: script = '', 2: prints, index }): Example => {
    const before = PAGE.slice(0, index);
    const heading = /.*/.exec(before.slice(before.lastIndexOf('\n## ') + '\n## '.length))?.[0] ?? '';
    return { heading, script, prints };
  },
);

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a script in a folder of its own; one that hangs is ended with whatever it started. */
function run(script: string, bank: string): Promise<Outcome> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-c', script], {
    cwd: makeFolder(),
    env: { PATH, HOME, BANK: bank },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a receiver in the background ends with it.
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  };
  const timer = setTimeout(endGroup, DEADLINE_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', endGroup);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...said });
    });
  });
}

describe('the page on the control plane', () => {
  it('has an example in every section on operations', () => {
    const groups = [...new Set(CONTROL_OPERATIONS.map(({ group }) => group))];
    const headings = examples.map(({ heading }) => heading);
    expect(groups.filter((group) => !headings.includes(group))).toEqual([]);
  });

  it('says under every example what it prints', () => {
    expect(examples.filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  it('lists every operation, and none that is not there', () => {
    const spell = (method: string, path: string): string => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    const listed = [...PAGE.matchAll(/^\| `([A-Z]+) (\/_sandbox[^`?]*)/gm)].map(
      ([, method = '', path = '']) => spell(method, path),
    );
    const served = CONTROL_OPERATIONS.map(({ method, path }) => spell(method, path));
    expect(listed.toSorted()).toEqual(served.toSorted());
  });
});

describe('an example of the control plane', () => {
  let bank: Running;

  beforeAll(async () => {
    bank = await startBank();
  });

  test.each(examples)(
    '$heading: prints what stands under it',
    async ({ script, prints }) => {
      const outcome = await run(STRICT + beginning?.script + script, bank.url);
      expect(outcome).toEqual({ code: 0, stdout: prints, stderr: '' });
    },
    DEADLINE_MS + 5_000,
  );
});
