/**
 * Measures the processor time of the audit of a large bank: `node bench/audit.ts` creates a bank of 106,000
 * transactions and audits it in separate processes, five times in each. With `--other <folder>`, a checkout of
 * another commit with its packages, both versions run in alternating rounds, and each ratio compares two consecutive
 * runs. Commits without an audit of the bank audit only the ledger. `--file <path>` keeps the bank for the next run;
 * the default of `--rounds` is 3.
 * Source: docs/decisions/0025-audit.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { freshPath } from './children.ts';
import { median } from './numbers.ts';

const AUDITS = 5;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

type Audit = (db: unknown) => { problems: readonly string[] };

/** Audits a bank in memory, and prints the milliseconds of each audit as JSON. */
async function auditFile(file: string, folder: string): Promise<void> {
  // biome-ignore lint/suspicious/noExplicitAny: another commit may have other modules
  const load = (path: string): Promise<any> => import(pathToFileURL(join(folder, path)).href);
  const ofBank = 'src/bank/verbs/audit.ts';
  const audit: Audit = existsSync(join(folder, ofBank))
    ? (await load(ofBank)).auditBank
    : (await load('src/bank/ledger/audit.ts')).auditLedger;
  const { Database, drizzle } = await load('src/bank/store/drizzle.ts');
  const sqlite = new Database(readFileSync(file));
  const took: number[] = [];
  for (let number = 0; number < AUDITS; number += 1) {
    const before = process.cpuUsage();
    const { problems } = audit(drizzle(sqlite));
    const { user, system } = process.cpuUsage(before);
    if (problems.length > 0) throw new Error(problems[0]);
    took.push((user + system) / 1000);
  }
  process.stdout.write(JSON.stringify(took));
}

function measure(file: string, folder: string): number[] {
  const words = [fileURLToPath(import.meta.url), 'audit', file, folder];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
}

function compare(file: string, folder: string | undefined, rounds: number): void {
  const shown = (took: readonly number[]): string => took.map((ms) => ms.toFixed(0)).join(', ');
  /** The first audit of a process, and the median of the later ones. */
  const summary = ([first = 0, ...later]: readonly number[]): [number, number] => [first, median(later)];
  const ratios: [number, number][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const other = folder === undefined ? [] : measure(file, folder);
    const own = measure(file, ROOT);
    process.stdout.write(
      `round ${round}: ${folder === undefined ? '' : `other ${shown(other)}; `}own ${shown(own)} ms\n`,
    );
    if (folder === undefined) continue;
    const [ownFirst, ownLater] = summary(own);
    const [otherFirst, otherLater] = summary(other);
    ratios.push([ownFirst / otherFirst, ownLater / otherLater]);
  }
  if (folder === undefined) return;
  const of = (at: 0 | 1): string => median(ratios.map((ratio) => ratio[at])).toFixed(2);
  process.stdout.write(`first audit ${of(0)} times the other, later ones ${of(1)} times\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    other: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    file: { type: 'string' },
  },
});
const [command, file = '', folder = ''] = positionals;
if (command === 'audit') {
  await auditFile(file, folder);
} else {
  const made = values.file ?? freshPath('audit.db');
  try {
    if (!existsSync(made)) await (await import('./audit-bank.ts')).makeBank(made);
    compare(made, values.other === undefined ? undefined : resolve(values.other), Number(values.rounds));
  } finally {
    if (values.file === undefined) rmSync(made, { force: true });
  }
}
