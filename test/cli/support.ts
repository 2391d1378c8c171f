/**
 * Runs the command line in this process, for tests of its output and its requests. For signals, streams and exit
 * codes, `launch` of test/server/process/support.ts starts a separate process.
 */
import { type AddressInfo, createServer } from 'node:net';
import type { Shell } from '../../src/cli/shell.ts';
import { runCli } from '../../src/command.ts';

/** The result of a command. */
export interface Printed {
  code: number;
  stdout: string;
  stderr: string;
}

/** A shell that records its output. */
export function memoryShell(
  environment: Shell['environment'] = {},
): Shell & { stdout: string; stderr: string } {
  const shell = {
    environment,
    isTerminal: false,
    colours: { answer: false, notify: false },
    exitCode: 0,
    stdout: '',
    stderr: '',
    answer: (text: string) => {
      shell.stdout += text;
    },
    notify: (text: string) => {
      shell.stderr += text;
    },
  };
  return shell;
}

/** Runs a command in this process, with exactly these environment variables. */
export async function sandbank(
  words: readonly string[],
  environment: Shell['environment'] = {},
): Promise<Printed> {
  const shell = memoryShell(environment);
  const code = await runCli(words, shell);
  return { code, stdout: shell.stdout, stderr: shell.stderr };
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
