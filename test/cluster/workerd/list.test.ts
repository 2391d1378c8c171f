/** The list of allowed differences between a bank in a process and one in workerd names what exists. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WORKERD } from '../../support/workerd-program.ts';
import { ALLOWED, IN_EVERY_RUN, NOT_RUN } from './allowed.ts';

const ROWS = [...ALLOWED, ...NOT_RUN];
const fileOf = ({ file }: { file: string }): URL => new URL(`../../${file}`, import.meta.url);

test('workerd is installed, so the tests that call a bank run against it', () => {
  expect(WORKERD, 'npm run test:long installs it from test/cluster/workerd').not.toBe('');
});

test('each row names a file and a reason', () => {
  expect(ROWS.filter((row) => !existsSync(fileOf(row)))).toEqual([]);
  expect(ROWS.filter(({ because }) => because.length < 10)).toEqual([]);
});

test('a file that does not run is named once, and in no other row', () => {
  const files = NOT_RUN.map(({ file }) => file);
  expect(files).toEqual([...new Set(files)]);
  expect(ALLOWED.filter(({ file }) => files.includes(file))).toEqual([]);
});

test('each file of every run exists, and is not one that does not run', () => {
  const root = new URL('../../../', import.meta.url);
  expect(IN_EVERY_RUN.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  expect(NOT_RUN.filter(({ file }) => IN_EVERY_RUN.includes(`test/${file}`))).toEqual([]);
});
