/** Common functions for printed pages: Markdown tables, and writing a page or checking that it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs';

/** A page that is generated from the code. */
export interface Page {
  /** The path, relative to the root of the project. */
  readonly path: string;
  /** The command that prints it. */
  readonly printedBy: string;
  /** The new text of the file, given its present text (`''` if it does not exist). */
  text(present: string): string;
}

const ROOT = new URL('../', import.meta.url);

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The text of a page's file; `''` if it does not exist. */
export function readPage({ path }: Page): string {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Writes the page; with `--check` it only sets the exit code 1 if the file differs. */
export function print(page: Page): void {
  const present = readPage(page);
  const wanted = page.text(present);
  if (!process.argv.includes('--check')) writeFileSync(new URL(page.path, ROOT), wanted);
  else if (present !== wanted) {
    process.stderr.write(`${page.path} is out of date: run ${page.printedBy}\n`);
    process.exitCode = 1;
  }
}
