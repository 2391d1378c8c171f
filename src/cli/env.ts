/**
 * `sandbank env`: the address of the bank and the ids of its records as shell variables: `eval "$(sandbank env)"`. The
 * examples of the guides use these variables, and the other commands find the bank and its control token in them.
 */
import { type Command, Option } from 'commander';
import { type BankOptions, bankOf, talksToBank } from './bank.ts';
import { httpUrl } from './options.ts';
import type { Shell } from './shell.ts';

type Syntax = 'sh' | 'fish' | 'powershell' | 'dotenv';

interface EnvOptions extends BankOptions {
  readonly shell: Exclude<Syntax, 'dotenv'>;
  readonly dotenv?: boolean;
  readonly as?: string;
}

/** A line that sets a variable; the values come from the bank, so they are quoted as they are. */
const LINES: Readonly<Record<Syntax, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  fish: (name, value) => `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  powershell: (name, value) => `$${name} = $env:${name} = '${value.replaceAll("'", "''")}'`,
  dotenv: (name, value) => `${name}=${value}`,
};

/**
 * The names that become variables. The names in a seed document are free, and the output must not set a variable of
 * other programs, such as PATH or http_proxy.
 */
const VARIABLE = /^(?!.*_proxy$)[a-z][a-z0-9_]*$/;

/** Adds the command. */
export function addEnv(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('env')
      .description('print the address of the bank and the ids of its records as shell variables')
      .addOption(
        new Option('--shell <shell>', 'syntax of the variables; sh is for bash and zsh too')
          .choices(['sh', 'fish', 'powershell'])
          .default('sh'),
      )
      .option('--dotenv', 'print the lines of a .env file instead')
      .option('--as <url>', 'print this address of the bank instead, if callers use another one', httpUrl),
  )
    .addHelpText(
      'after',
      '\nBANK and SANDBANK_URL are the address, SANDBANK_API_KEY is the API key, SANDBANK_CONTROL_TOKEN is the token of the\n' +
        'control plane if it requires one. Every other variable is the id of a record, named as in GET /_sandbox.\n' +
        'PATH="$PWD/node_modules/.bin:$PATH" makes sandbank a command of the terminal.\n\n' +
        'Examples:\n' +
        '  $ eval "$(sandbank env)"\n' +
        '  $ sandbank env --shell fish | source\n' +
        '  $ sandbank env --shell powershell | Out-String | Invoke-Expression\n' +
        '  $ sandbank env --dotenv > bank.env',
    )
    .action(async (options: EnvOptions) => {
      const bank = bankOf(shell, options);
      const url = (options.as ?? bank.url).replace(/\/+$/, '');
      const variables: Record<string, string> = { BANK: url, ...bank.env, SANDBANK_URL: url };
      for (const [name, value] of Object.entries(await bank.seeded())) {
        if (VARIABLE.test(name) && value !== undefined) variables[name] = value;
      }
      if (options.json === true) {
        shell.answer(`${JSON.stringify(variables)}\n`);
        return;
      }
      const line = LINES[options.dotenv === true ? 'dotenv' : options.shell];
      // In one write: a reader of only the first lines closes the pipe.
      shell.answer(
        Object.entries(variables)
          .map(([name, value]) => `${line(name, value)}\n`)
          .join(''),
      );
    });
}
