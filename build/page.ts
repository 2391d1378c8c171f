/**
 * What the printed pages share: tables of Markdown, and the one way to write a page or to say that it is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** A page whose text follows from the code. */
export interface Page {
  /** From the root of the project. */
  readonly path: string;
  /** The command that prints it. */
  readonly printedBy: string;
  /** What the file should say, given what it says (`''` while there is none). */
  text(present: string): string;
}

const ROOT = new URL('../', import.meta.url);

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What the file of a page says; `''` while there is none. */
export function readPage({ path }: Page): string {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Writes the page; with `--check` it only says, by exit code 1, that the file differs. */
export function print(page: Page): void {
  const present = readPage(page);
  const wanted = page.text(present);
  if (!process.argv.includes('--check')) writeFileSync(new URL(page.path, ROOT), wanted);
  else if (present !== wanted) {
    process.stderr.write(`${page.path} is out of date: run ${page.printedBy}\n`);
    process.exitCode = 1;
  }
}
