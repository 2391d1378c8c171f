/**
 * The completion in shells. bash runs its script and is called as by the Tab key. test/long/completion.test.ts tests
 * zsh and fish, which not every machine has.
 */
import { describe, expect, it, test } from 'vitest';
import { completionsOf } from '../../src/cli/completion.ts';
import { commandLine } from '../../src/command.ts';
import { shellWithCommand } from './shells.ts';
import { memoryShell, sandbank } from './support.ts';

const PROGRAM = commandLine(memoryShell());
const words = (...line: string[]): string[] => completionsOf(PROGRAM, line).map(([word]) => word);

describe('completion', () => {
  test.each([
    [['cl'], ['clock', 'cluster']],
    [['clock', 'ad'], ['advance']],
    [['--key', 'test_x', 'clock', 'ad'], ['advance']],
    [['webhook', 'send'], ['send-example']],
    [['events', '--api-v'], ['--api-version']],
    [
      ['events', '--api-version', ''],
      ['v1', 'v2'],
    ],
    [['events', '--limit', '3', '--api-v'], ['--api-version']],
    [['trigger', 'transaction.status.ret'], ['transaction.status.returned']],
    [['simulate', 'incoming', 'do'], ['domestic_wire']],
    [['simulate', 'incoming', 'rtp', ''], []],
    [['events', '--type', 'card.status.bl'], ['card.status.blocked']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['seed', 'fix'], []],
    [['nothing', 'of', 'the', 'kind', 'x'], []],
  ])('%j', (line, completed) => {
    expect(words(...line)).toEqual(completed);
  });

  it('lists every command with a description', () => {
    const all = completionsOf(PROGRAM, ['']);
    expect(all.map(([word]) => word)).toContain('webhook');
    expect(all.map(([word]) => word)).not.toContain('complete');
    for (const [word, meaning] of all) expect(meaning, word).not.toBe('');
  });
});

it('has values only for existing arguments and options', () => {
  for (const line of [
    ['trigger', ''],
    ['events', '--type', ''],
    ['listen', '--events', ''],
    ['webhook', 'add', '--events', ''],
    ['webhook', 'send-example', 'whk_1', ''],
  ]) {
    expect(words(...line).length, line.join(' ')).toBeGreaterThan(50);
  }
});

it('for an unknown shell is refused, with the supported shells', async () => {
  const { code, stderr } = await sandbank(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});

test('works in bash with the printed script, and falls back to files', () => {
  const bash = shellWithCommand();
  const completes = (...line: string[]): string[] => {
    const quoted = ['sandbank', ...line].map((word) => `'${word}'`).join(' ');
    const script = `source <(sandbank completion bash) && source <(sandbank completion bash)
      COMP_WORDS=(${quoted}); COMP_CWORD=${line.length}; _sandbank
      printf '%s\\n' "\${COMPREPLY[@]}"; complete -p sandbank`;
    return bash('bash', ['--norc', '-c', script]).trim().split('\n');
  };
  expect(completes('clock', 'ad')).toEqual(['advance', 'complete -o default -F _sandbank sandbank']);
  expect(completes('trigger', 'card.status.bl')[0]).toBe('card.status.blocked');
  expect(completes('seed', 'fix')).toEqual(['complete -o default -F _sandbank sandbank']);
});
