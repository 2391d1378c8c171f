/**
 * Runs the examples of a page like a reader: by bash, in a separate folder. An example is a block of commands and, if
 * a block of output follows directly, their output.
 */
import { spawn } from 'node:child_process';
import { makeFolder } from '../server/process/support.ts';

const BLOCK = /^```sh\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```$)?/gm;
/** For an example that hangs; on an idle machine one takes a second. */
const DEADLINE_MS = 100_000;
/** The time limit of a test that runs an example. */
export const EXAMPLE_TIMEOUT_MS = DEADLINE_MS + 5_000;
const STRICT = 'set -euo pipefail\n';

export interface Example {
  /** The heading of its section. */
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

/** Runs a script with only these variables; a script that hangs is ended with its child processes. */
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
    // A separate process group, so that background processes end with it.
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
      // No process of the group is left.
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
