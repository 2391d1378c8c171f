/**
 * The examples of a page, and how they are run: as a reader would run them, by bash, in a folder of their own. An example
 * is a block of commands and, where one follows at once, what they print.
 */
import { spawn } from 'node:child_process';
import { makeFolder } from '../process/support.ts';

const BLOCK = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```$)?/gm;
const DEADLINE_MS = 30_000;
/** What a test that runs an example may take. */
export const EXAMPLE_TIMEOUT_MS = DEADLINE_MS + 5_000;
const STRICT = 'set -euo pipefail\n';

export interface Example {
  /** Of the section that it stands in. */
  heading: string;
  script: string;
  prints: string | undefined;
}

/** The examples of a page, in their order. */
export function examplesOf(page: string): Example[] {
  return [...page.matchAll(BLOCK)].map(({ 1: script = '', 2: prints, index }) => {
    const before = page.slice(0, index);
    const heading = /.*/.exec(before.slice(before.lastIndexOf('\n## ') + '\n## '.length))?.[0] ?? '';
    return { heading, script, prints };
  });
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a script with these variables and none of the environment's; one that hangs is ended with whatever it started. */
export function runScript(
  script: string,
  variables: Readonly<Record<string, string>>,
  deadlineMs = DEADLINE_MS,
): Promise<Outcome> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-c', STRICT + script], {
    cwd: makeFolder(),
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what runs in the background ends with it.
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  };
  const timer = setTimeout(endGroup, deadlineMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', endGroup);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}
