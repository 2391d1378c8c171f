/**
 * What a command is given from outside, and where it speaks: answers go to stdout, everything else to stderr. Whoever
 * runs a command in process gives it another shell and reads what it said.
 */

import { showsColour } from './colour.ts';

export interface Shell {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** stderr is read by a person: long work may say how it goes. */
  readonly isTerminal: boolean;
  /** Whether stdout and stderr show colours. */
  readonly colours: { readonly answer: boolean; readonly notify: boolean };
  /** What the command ends with: 0 unless it says otherwise. */
  exitCode: number;
  /** Writes to stdout. */
  answer(text: string): void;
  /** Writes to stderr. */
  notify(text: string): void;
}

/** The shell of this process. */
export function processShell(): Shell {
  // Whoever reads the first lines alone, as `head` does, wants no more.
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

/** Waits for some work, and on a terminal says every second how it goes; nothing of that stays. */
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
