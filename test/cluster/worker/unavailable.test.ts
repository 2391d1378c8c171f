/** The guide to a cluster lists everything that an instance refuses: functions with 501, and settings at its start. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { REFUSED_VARIABLES } from '../../../src/cluster/cluster-settings.ts';
import { UNAVAILABLE } from '../../../src/cluster/worker/unavailable.ts';

const GUIDE = readFileSync(
  fileURLToPath(new URL('../../../docs/guides/cluster.md', import.meta.url)),
  'utf8',
);
/** The first cells of the tables of a section. */
const cells = (heading: string): string[] => {
  const section = GUIDE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell);
};

it('the guide names each unavailable function, and each refused setting', () => {
  const listed = cells('What is different').filter((cell) => !/^(?:---|Function|Setting)$/.test(cell));
  const functions = listed.filter((cell) => !cell.startsWith('`SANDBANK_'));
  expect(functions).toHaveLength(UNAVAILABLE.length);
  for (const [at, { what }] of UNAVAILABLE.entries()) expect(functions[at]).toContain(what);
  expect(listed.join(' ').match(/SANDBANK_\w+/g)).toEqual(REFUSED_VARIABLES);
});
