/** Before and after each test of the project `workerd`: a test with an allowed difference has to fail. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, type RunnerTask, type RunnerTestFile } from 'vitest';
import { ALLOWED, type Allowed } from './allowed.ts';

const TESTS = fileURLToPath(new URL('../..', import.meta.url));
const matches = (row: Allowed, name: string): boolean =>
  row.tests === undefined ||
  row.tests.some((one) => (typeof one === 'string' ? one === name : one.test(name)));
const rowsOf = ({ filepath }: RunnerTestFile): Allowed[] =>
  ALLOWED.filter(({ file }) => file === relative(TESTS, filepath));
const nameOf = ({ fullTestName = '' }: RunnerTask): string => fullTestName;

/** Says whether a test has to fail; its row of the list is known before it begins. */
const expectFailure = (task: RunnerTask, has: boolean): void => {
  Object.assign(task, { fails: has });
};

let file: RunnerTestFile | undefined;

beforeEach(({ task, onTestFailed }) => {
  file = task.file;
  const row = rowsOf(task.file).find((one) => matches(one, nameOf(task)));
  if (row === undefined) return;
  expectFailure(task, true);
  onTestFailed(() => {
    const errors = task.result?.errors ?? [];
    // Another failure than that of the row.
    if (!errors.some(({ message }) => row.shows.test(message))) expectFailure(task, false);
  });
});

afterEach(({ task }) => {
  if (task.fails !== true || task.result?.state === 'fail') return;
  expectFailure(task, false);
  throw new Error('this test succeeds against workerd: remove its row in test/cluster/workerd/allowed.ts');
});

afterAll(() => {
  if (file === undefined) return;
  const names = testsIn(file).map(nameOf);
  const unknown = rowsOf(file)
    .flatMap(({ tests = [] }) => tests)
    .filter((one) => !names.some((name) => (typeof one === 'string' ? one === name : one.test(name))));
  if (unknown.length > 0)
    throw new Error(`test/cluster/workerd/allowed.ts names tests that do not exist: ${unknown}`);
});

function testsIn({ tasks }: Pick<RunnerTestFile, 'tasks'>): RunnerTask[] {
  return tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task) : [task]));
}
