/**
 * Converts the result of a comparison to a patch of data/decisions.json. A difference contradicts the decision that
 * explains it. A decision is confirmed if every field that it names had the same value on both sides. A decision
 * about refusals, states or events can only be contradicted, because an equal value does not show when something
 * happens.
 */
import { REGISTER, type RecordingProof, type RegisteredDecision, speaksOf } from '../bank/model/fidelity.ts';
import type { RunComparison } from './compare-runs.ts';
import { isAboutField, spokenOf } from './explain.ts';
import type { Report } from './report.ts';

/** Causes that equal values rule out. */
const OF_FIELDS = new Set([
  'missing',
  'extra',
  'type',
  'emptiness',
  'format',
  'vocabulary',
  'rounding',
  'value',
  'relation',
  'order',
  'items',
]);

/** The proofs of a comparison by the slugs of the rows. */
export function proofsOf(
  { differences }: Pick<Report, 'differences'>,
  { agreed }: Pick<RunComparison, 'agreed'>,
  date: string,
): ReadonlyMap<string, RecordingProof> {
  const proofs = new Map<string, RecordingProof>();
  for (const row of REGISTER)
    if (isConfirmed(row, agreed)) proofs.set(row.slug, { date, result: 'confirms' });
  for (const { decision } of differences) {
    if (decision !== null) proofs.set(decision.slug, { date, result: 'contradicts' });
  }
  return proofs;
}

function isConfirmed(row: RegisteredDecision, agreed: RunComparison['agreed']): boolean {
  const { fields, causes } = row.about ?? {};
  if (fields === undefined || causes?.some((cause) => !OF_FIELDS.has(cause)) === true) return false;
  const own = [...agreed].filter(([operation]) => speaksOf(row, spokenOf(operation)));
  return fields.every((field) =>
    own.some(([, paths]) =>
      [...paths].some((path) => isAboutField({ ...row, about: { fields: [field] } }, path)),
    ),
  );
}

const FILE = 'data/decisions.json';
const CONTEXT = 3;
const WIDTH = 110;

/** The unified diff of data/decisions.json for `git apply`; `''` if nothing changes. */
export function formatPatch(proofs: ReadonlyMap<string, RecordingProof>): string {
  const old = REGISTER.map(formatRow);
  const lines = formatRegister(REGISTER).trimEnd().split('\n');
  const hunks: string[] = [];
  let line = 1;
  let shift = 0;
  for (const [index, row] of REGISTER.entries()) {
    const before = old[index] ?? [];
    const recording = proofs.get(row.slug);
    const after = recording === undefined ? before : formatRow({ ...row, recording }, index);
    if (after.join('\n') !== before.join('\n')) {
      hunks.push(hunkOf(lines, line, before, after, shift));
      shift += after.length - before.length;
    }
    line += before.length;
  }
  return hunks.length === 0 ? '' : `--- a/${FILE}\n+++ b/${FILE}\n${hunks.join('')}`;
}

/** The hunk of one row, which begins after `start` lines of the file. */
function hunkOf(
  lines: readonly string[],
  start: number,
  before: readonly string[],
  after: readonly string[],
  shift: number,
): string {
  const first = before.findIndex((text, index) => text !== after[index]);
  let same = 0;
  while (
    same < before.length - first &&
    same < after.length - first &&
    before.at(-1 - same) === after.at(-1 - same)
  )
    same += 1;
  const removed = before.slice(first, before.length - same);
  const added = after.slice(first, after.length - same);
  const from = start + first;
  const head = lines.slice(Math.max(0, from - CONTEXT), from);
  const tail = lines.slice(from + removed.length, from + removed.length + CONTEXT);
  const around = head.length + tail.length;
  const at = from - head.length + 1;
  const marked = (sign: string, texts: readonly string[]): string =>
    texts.map((text) => `${sign}${text}\n`).join('');
  return (
    `@@ -${at},${around + removed.length} +${at + shift},${around + added.length} @@\n` +
    `${marked(' ', head)}${marked('-', removed)}${marked('+', added)}${marked(' ', tail)}`
  );
}

/** The text of data/decisions.json in the format of the project's formatter. */
export function formatRegister(rows: readonly RegisteredDecision[]): string {
  return ['[', ...rows.flatMap((row, index) => formatRow(row, index, rows)), ']', ''].join('\n');
}

function formatRow(
  { slug, area, question, answer, evidence, pages, recording, about }: RegisteredDecision,
  index: number,
  rows: readonly RegisteredDecision[] = REGISTER,
): string[] {
  const row = { slug, area, question, answer, evidence, pages, recording, about };
  const [first = '', ...rest] = formatValue(row, 1);
  const lines = [`  ${first}`, ...rest];
  return index === rows.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1)},`];
}

/** A value in lines; all lines except the first are indented. */
function formatValue(value: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth);
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.map((item) => `${indent}  ${JSON.stringify(item)}`);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const lines = entries.flatMap(([name, inner], at) => {
    const comma = at === entries.length - 1 ? '' : ',';
    const [head = '', ...more] = formatEntry(name, inner, depth + 1, WIDTH - comma.length);
    const all = [`${indent}  ${head}`, ...more];
    return [...all.slice(0, -1), `${all.at(-1)}${comma}`];
  });
  return ['{', ...lines, `${indent}}`];
}

function formatEntry(name: string, value: unknown, depth: number, width: number): string[] {
  const key = `${JSON.stringify(name)}: `;
  if (!Array.isArray(value)) {
    const [first = '', ...rest] = formatValue(value, depth);
    return [`${key}${first}`, ...rest];
  }
  const line = `${key}[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  if (2 * depth + line.length <= width) return [line];
  const items = formatValue(value, depth);
  return [
    `${key}[`,
    ...items.map((item, at) => (at === items.length - 1 ? item : `${item},`)),
    `${'  '.repeat(depth)}]`,
  ];
}
