/** zsh and fish complete with their scripts, each in the shell itself. */
import { expect, test } from 'vitest';
import { shellWithCommand } from '../cli/shells.ts';

test('fish completes with its script (Debian package fish)', () => {
  const run = shellWithCommand();
  const completes = (line: string): string[] =>
    run('fish', ['-c', `sandbank completion fish | source; complete -C '${line}'`])
      .trim()
      .split('\n');
  expect(completes('sandbank clock ad')).toEqual(['advance\tadvance the clock and execute all due steps']);
  expect(completes('sandbank trigger card.status.bl').map((line) => line.trim())).toEqual([
    'card.status.blocked',
  ]);
  expect(completes('sandbank events --api-version ').map((line) => line.trim())).toEqual(['v1', 'v2']);
});

test('zsh completes with its script (Debian package zsh)', () => {
  const run = shellWithCommand();
  // A separate terminal, in which the Tab key is pressed.
  const completes = (line: string): string =>
    run('zsh', [
      '-fc',
      `zmodload zsh/zpty
       zpty shell zsh -f -i
       zpty -w shell "PS1='> '; autoload -Uz compinit && compinit -u; source <(sandbank completion zsh)"
       zpty -w -n shell $'${line}\\t\\C-a'"echo is: '"$'\\C-e'"'"$'\\n'
       sleep 3
       zpty -w shell "exit"
       while zpty -r shell text; do print -n -- $text; done`,
    ]);
  expect(completes('sandbank clock ad')).toContain('is: sandbank clock advance');
  expect(completes('sandbank trigger card.status.bl')).toContain('is: sandbank trigger card.status.blocked');
});
