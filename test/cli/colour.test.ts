/** Colour is used on a terminal and if it is forced, and not otherwise. */
import { expect, it, test } from 'vitest';
import { highlight } from '../../src/cli/colour.ts';
import { shellWithCommand } from './shells.ts';

const ESC = '\u001B[';
/** The codes that end faint text and a colour. */
const ENDS = ['22', '39'];

test.each([
  ['txn_01a206ad72e7701ebbd39c0b94a50542  settle -> settled', ['2', '32']],
  ['2026-11-23T04:32:40Z  503  GET     /v2/x  2.19 ms', ['2', '31']],
  ['pull 400.00 pending', ['33']],
  ['rent of 500.00', []],
  ['Harbor Books', []],
])('%s', (line, styles) => {
  const parts = highlight(line).split(ESC);
  const used = parts.slice(1).map((part) => part.split('m', 1)[0] ?? '');
  expect(used.filter((style) => !ENDS.includes(style))).toEqual(styles);
  expect(parts.map((part, at) => (at === 0 ? part : part.slice(part.indexOf('m') + 1))).join('')).toBe(line);
});

it('colour is used on terminals and on request', () => {
  const run = shellWithCommand();
  const help = 'sandbank clock --help';
  expect(run('sh', ['-c', help])).not.toContain(ESC);
  expect(run('sh', ['-c', `FORCE_COLOR=1 ${help}`])).toContain(`${ESC}1m`);
  const terminal = (variables: string): string =>
    run('script', ['-qec', `env TERM=xterm-256color ${variables} ${help}`, '/dev/null']);
  expect(terminal('')).toContain(`${ESC}1m`);
  expect(terminal('NO_COLOR=1')).not.toContain(ESC);
});
