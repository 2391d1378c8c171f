/**
 * `sandbank env`: where the bank is and the ids of its records, as lines for a shell: `eval "$(sandbank env)"`. After that
 * the examples of the guides work as they stand, and the other commands find the bank and its control token.
 */
import { type Command, Option } from 'commander';
import { type BankOptions, bankOf, talksToBank } from './bank.ts';
import { httpUrl } from './options.ts';
import type { Shell } from './shell.ts';

type Format = 'sh' | 'powershell' | 'dotenv';

interface EnvOptions extends BankOptions {
  readonly format: Format;
  readonly as?: string;
}

/** A line that sets a variable; the values come from the bank, so they are quoted as they are. */
const LINES: Readonly<Record<Format, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  powershell: (name, value) => `$${name} = $env:${name} = '${value.replaceAll("'", "''")}'`,
  dotenv: (name, value) => `${name}=${value}`,
};

/**
 * The names that become variables. A seed document may name its records as it likes, and what a shell evaluates must not
 * set a variable that means something to other programs, such as PATH or http_proxy.
 */
const VARIABLE = /^(?!.*_proxy$)[a-z][a-z0-9_]*$/;

/** Adds the command. */
export function addEnv(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('env')
      .description('print where the bank is and the ids of its records, as variables for a shell')
      .addOption(
        new Option('--format <format>', 'for which shell, or for a file of variables')
          .choices(Object.keys(LINES))
          .default('sh'),
      )
      .option('--as <url>', 'print this address, where callers reach the bank by another', httpUrl),
  )
    .addHelpText(
      'after',
      '\nBANK and SANDBANK_URL are the address, SANDBANK_API_KEY is the key, SANDBANK_CONTROL_TOKEN is the token of the\n' +
        'control plane where it wants one. Every other variable is the id of a record under the name that GET /_sandbox\n' +
        'gives it, if that name is in lower case.\n\n' +
        'Examples:\n' +
        '  $ eval "$(npx sandbank env)"\n' +
        '  $ sandbank env --format powershell | Out-String | Invoke-Expression\n' +
        '  $ sandbank env --format dotenv > bank.env',
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
      const line = LINES[options.format];
      // In one piece: a reader of the first lines alone closes the pipe.
      shell.answer(
        Object.entries(variables)
          .map(([name, value]) => `${line(name, value)}\n`)
          .join(''),
      );
    });
}
