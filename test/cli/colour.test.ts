/** Colour: on a terminal and where it is forced, and nowhere else. */
import { expect, it, test } from 'vitest';
import { highlight } from '../../src/cli/colour.ts';
import { shellWithCommand } from './shells.ts';

const ESC = '\u001B[';

test.each([
  ['txn_01a206ad72e7701ebbd39c0b94a50542  settle -> settled', ['2', '32']],
  ['2026-11-23T04:32:40Z  503  GET     /v2/x  2.19 ms', ['2', '31']],
  ['pull 400.00 pending', ['33']],
  ['rent of 500.00', []],
  ['Harbor Books', []],
])('%s', (line, styles) => {
  const coloured = highlight(line);
  expect(
    [...coloured.matchAll(/\u001B\[(\d+)m/g)]
      .map(([, style]) => style)
      .filter((style) => !['22', '39'].includes(style ?? '')),
  ).toEqual(styles);
  expect(coloured.replaceAll(/\u001B\[\d+m/g, '')).toBe(line);
});

it('is for terminals, and for those that ask for it', () => {
  const run = shellWithCommand();
  const help = 'sandbank clock --help';
  expect(run('sh', ['-c', help])).not.toContain(ESC);
  expect(run('sh', ['-c', `FORCE_COLOR=1 ${help}`])).toContain(`${ESC}1m`);
  const terminal = (variables: string): string =>
    run('script', ['-qec', `env TERM=xterm-256color ${variables} ${help}`, '/dev/null']);
  expect(terminal('')).toContain(`${ESC}1m`);
  expect(terminal('NO_COLOR=1')).not.toContain(ESC);
});
