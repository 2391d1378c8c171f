/**
 * The environment and the output of a command: responses go to stdout, all other texts to stderr. A caller that runs
 * a command in process passes another shell and reads its output.
 */

import { showsColour } from './colour.ts';

export interface Shell {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether a person reads stderr, so that long work shows its progress. */
  readonly isTerminal: boolean;
  /** Whether stdout and stderr show colours. */
  readonly colours: { readonly answer: boolean; readonly notify: boolean };
  /** The exit code of the command; 0 by default. */
  exitCode: number;
  /** Writes to stdout. */
  answer(text: string): void;
  /** Writes to stderr. */
  notify(text: string): void;
}

/** The shell of this process. */
export function processShell(): Shell {
  // A reader that closes the pipe early, like `head`, needs no more output.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    environment: process.env,
    isTerminal: process.stderr.isTTY === true,
    colours: { answer: showsColour(process.stdout), notify: showsColour(process.stderr) },
    exitCode: 0,
    answer: (text) => void process.stdout.write(text),
    notify: (text) => void process.stderr.write(text),
  };
}

const TICK_MS = 1_000;
const CLEAR_LINE = '\r\u001B[K';

/** Waits for work, and on a terminal shows its progress every second; the progress is erased at the end. */
export async function withProgress<T>(
  shell: Shell,
  how: () => string | Promise<string>,
  work: Promise<T>,
): Promise<T> {
  if (!shell.isTerminal) return work;
  let isOver = false;
  const report = async (): Promise<void> => {
    const text = await Promise.resolve(how()).catch(() => '');
    if (!isOver && text !== '') shell.notify(`${CLEAR_LINE}${text}`);
  };
  const timer = setInterval(() => void report(), TICK_MS);
  try {
    return await work;
  } finally {
    isOver = true;
    clearInterval(timer);
    shell.notify(CLEAR_LINE);
  }
}
