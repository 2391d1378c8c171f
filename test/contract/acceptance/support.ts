/**
 * A client program that stands in `examples/`, run as a person would run it against a bank on a free port; what it prints
 * is read back.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Running } from '../../server/process/support.ts';

const TIMEOUT_MS = 60_000;

/** Runs a program with the two settings that it takes and none of the environment's; answers its lines. */
export async function runExample(path: string, bank: Running, key: string): Promise<string[]> {
  const program = fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url));
  const { PATH = '' } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], {
    env: { PATH, SANDBANK_URL: bank.url, SANDBANK_API_KEY: key },
    timeout: TIMEOUT_MS,
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout.trimEnd().split('\n');
}

/** The only line that fits, and its groups. */
export function lineOf(lines: readonly string[], pattern: RegExp): string[] {
  const found = lines.map((line) => pattern.exec(line)).filter((match) => match !== null);
  if (found.length !== 1) throw new Error(`${found.length} lines fit ${pattern}:\n${lines.join('\n')}`);
  return [...(found[0] ?? [])];
}
