/**
 * `sandbank completion`: a script with which bash, zsh or fish completes commands, options and their values. At each
 * Tab the script runs `sandbank complete -- <words>`, which reads the definitions of the commands, so the script
 * contains no list of them. Why no library: docs/decisions/0015-what-stays-by-hand.md.
 */
import { type Command, Option } from 'commander';
import { causedTypes, eventTypesOf } from '../kit/causes/trigger.ts';
import { withExamples } from './options.ts';
import type { Shell } from './shell.ts';

/** `sandbank complete` prints a line for each possible word: the word, a tab, and its description. */
const SCRIPTS = {
  bash: `_sandbank() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(sandbank complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sandbank sandbank
`,
  zsh: `#compdef sandbank
_sandbank() {
  local -a lines values
  local line
  lines=("\${(@f)$(sandbank complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  if (( \${#values} )); then _describe sandbank values; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _sandbank sandbank
`,
  fish: `complete -c sandbank -f -a '(sandbank complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c sandbank -F -n '__fish_seen_subcommand_from seed import export set'
`,
} as const;

/**
 * The values of arguments and options that are not in the parser's definitions, by the words of the command and the
 * name.
 */
const VALUES: Readonly<Record<string, () => readonly string[]>> = {
  'trigger event': causedTypes,
  'events --type': () => eventTypesOf(),
  'listen --events': () => eventTypesOf(),
  'webhook add --events': () => eventTypesOf(),
  'webhook send-example type': () => eventTypesOf(),
};

/** Adds the command, and the hidden command that the scripts call. */
export function addCompletion(program: Command, shell: Shell): void {
  withExamples(
    program.command('completion'),
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/sandbank.fish',
  )
    .description('print the completion script of a shell')
    .addArgument(program.createArgument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .action((name: keyof typeof SCRIPTS) => shell.answer(SCRIPTS[name]));

  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const [word, meaning] of completionsOf(program, words)) shell.answer(`${word}\t${meaning}\n`);
    });
}

/** The completions of the last of these words, with their descriptions; the words follow the program's name. */
export function completionsOf(program: Command, words: readonly string[]): [word: string, meaning: string][] {
  const begun = words.at(-1) ?? '';
  let command = program;
  let path = '';
  let position = 0;
  let open: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const inner = command.commands.find((one) => one.name() === word);
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-')) open = word.includes('=') ? undefined : takerOf(command, word);
    else if (inner === undefined) position += 1;
    else {
      command = inner;
      path = `${path} ${word}`.trim();
      position = 0;
    }
  }
  const fitting = (all: readonly (readonly [string, string])[]): [string, string][] =>
    all.filter(([word]) => word.startsWith(begun)).map(([word, meaning]) => [word, meaning]);
  const plain = (values: readonly string[] = []) => fitting(values.map((value) => [value, ''] as const));
  if (open !== undefined) return plain(open.argChoices ?? VALUES[`${path} ${open.long}`]?.());
  if (begun.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command);
    return fitting(options.map(({ long, description }) => [long ?? '', description] as const));
  }
  if (command.commands.length > 0) {
    const inner = command.createHelp().visibleCommands(command);
    return fitting(inner.map((one) => [one.name(), one.description()] as const));
  }
  const { registeredArguments } = command;
  const argument = registeredArguments[Math.min(position, registeredArguments.length - 1)];
  if (argument === undefined || (position >= registeredArguments.length && !argument.variadic)) return [];
  return plain(argument.argChoices ?? VALUES[`${path} ${argument.name()}`]?.());
}

/** The option of a word, if it takes a value. */
function takerOf(command: Command, word: string): Option | undefined {
  const option = command.options.find(({ long, short }) => long === word || short === word);
  return option instanceof Option && (option.required || option.optional) ? option : undefined;
}
