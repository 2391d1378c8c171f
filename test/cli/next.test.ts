/** The suggestion after each command: every command has a line, and the commands in it exist. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { NEXT, WITHOUT_NEXT, wordsOf } from '../../src/cli/next.ts';
import { commandLine, runCli } from '../../src/command.ts';
import { startBank } from '../server/process/support.ts';
import { memoryShell } from './support.ts';

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
const LEAVES = leavesOf(commandLine(memoryShell()));
const WORDS = LEAVES.map(wordsOf);

describe('each command', () => {
  it('has a hint for the next step, or a documented reason for none', () => {
    expect([...Object.keys(NEXT), ...Object.keys(WITHOUT_NEXT)].sort()).toEqual(WORDS.toSorted());
  });

  it.each(Object.entries(NEXT))('%s names only existing commands and options', (_, line) => {
    for (const [, named = ''] of line.matchAll(/\bsandbank ((?:[a-z-]+ ?)+)/g)) {
      const found = WORDS.find((words) => `${named} `.startsWith(`${words} `));
      expect(found, `sandbank ${named}`).toBeDefined();
    }
    for (const [, words = '', option = ''] of line.matchAll(
      /\bsandbank ([a-z -]+?) (?:[\w<>.]+ )?(--[a-z-]+)/g,
    )) {
      const command = LEAVES.find((leaf) => `${words} `.startsWith(`${wordsOf(leaf)} `));
      const options = command?.options.map(({ long }) => long) ?? [];
      expect([...options, '--help'], `${words} ${option}`).toContain(option);
    }
  });
});

describe('the hint line', () => {
  it('is the last line, only on a terminal, and never with JSON', async () => {
    const bank = await startBank();
    const run = async (isTerminal: boolean, ...words: string[]) => {
      const shell = { ...memoryShell({ SANDBANK_URL: bank.url }), isTerminal };
      let stderr = '';
      shell.notify = (text) => {
        stderr += text;
      };
      expect(await runCli(words, shell)).toBe(0);
      return stderr.trimEnd().split('\n').at(-1);
    };
    expect(await run(true, 'clock')).toBe(`next: ${NEXT['clock show']}`);
    expect(await run(false, 'clock')).toBe('');
    expect(await run(true, 'clock', 'show', '--json')).toBe('');
  });
});
