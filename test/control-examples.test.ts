// Runs the examples of docs/control-plane.md in bash against the real server, each after the first lines of the page.
// The output must equal the text below the example.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { CONTROL_OPERATIONS } from '../src/sandboxes/control/index.ts';
import { type Running, startBank } from './server/process/support.ts';
import { EXAMPLE_TIMEOUT_MS, examplesOf, runScript } from './support/page-examples.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../docs/control-plane.md', import.meta.url)), 'utf8');
const [beginning, ...examples] = examplesOf(PAGE);

describe('the page on the control plane', () => {
  it('has an example in every section about operations', () => {
    const groups = [...new Set(CONTROL_OPERATIONS.map(({ group }) => group))];
    const headings = examples.map(({ heading }) => heading);
    expect(groups.filter((group) => !headings.includes(group))).toEqual([]);
  });

  it('shows the output below every example', () => {
    expect(examples.filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  it('lists every operation and no other one', () => {
    const format = (method: string, path: string): string =>
      `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    const listed = [...PAGE.matchAll(/^\| `([A-Z]+) (\/_sandbox[^`?]*)/gm)].map(
      ([, method = '', path = '']) => format(method, path),
    );
    const served = CONTROL_OPERATIONS.map(({ method, path }) => format(method, path));
    expect(listed.toSorted()).toEqual(served.toSorted());
  });
});

describe('an example of the control plane', () => {
  let bank: Running;

  beforeAll(async () => {
    bank = await startBank();
  });

  test.each(examples)(
    '$heading: prints the documented output',
    async ({ script, prints }) => {
      const outcome = await runScript(beginning?.script + script, { BANK: bank.url });
      expect(outcome).toEqual({ code: 0, stdout: prints, stderr: '' });
    },
    EXAMPLE_TIMEOUT_MS,
  );
});
