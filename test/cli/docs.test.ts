/**
 * Runs the examples of docs/cli.md, each in its own sandbox. The output must equal the text below the example, in
 * which `…` matches any text of a line.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { commandLine } from '../../src/command.ts';
import { LAUNCHER, makeFolder, type Running, startBank } from '../server/process/support.ts';
import { EXAMPLE_TIMEOUT_MS, examplesOf, runScript } from '../support/page-examples.ts';
import { memoryShell } from './support.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/cli.md', import.meta.url)), 'utf8');
const EXAMPLES = examplesOf(PAGE).map((example, at) => ({ ...example, key: `test_page_${at}` }));
const PROGRAM = commandLine(memoryShell());

describe('the page on the command line', () => {
  it('has a section with an example for each command, in the order of the help', () => {
    const names = PROGRAM.createHelp()
      .visibleCommands(PROGRAM)
      .map((command) => command.name())
      .filter((name) => name !== 'help');
    expect([...new Set(EXAMPLES.map(({ heading }) => heading))]).toEqual(names);
    for (const { heading, script } of EXAMPLES) expect(script).toContain(`sandbank ${heading}`);
  });

  it('shows the output below every example', () => {
    expect(EXAMPLES.filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  it('names only existing options', () => {
    const sections = PAGE.split(/^## /m).slice(2);
    const wrong = sections.flatMap((section) => {
      const name = /^\w+/.exec(section)?.[0];
      const command = PROGRAM.commands.find((one) => one.name() === name);
      const known = [command, ...(command?.commands ?? [])].flatMap(
        (one) => one?.options.map(({ long }) => long) ?? [],
      );
      const prose = section.replaceAll(/^```[\s\S]*?^```$/gm, '');
      return [...prose.matchAll(/`(--[a-z-]+)/g)]
        .filter(([, option]) => !known.includes(option))
        .map(([, option]) => `${name} ${option}`);
    });
    expect(wrong).toEqual([]);
  });
});

/**
 * Lines of `listen` besides its results: its address, and that a receiver that is still starting is retried.
 */
const REMARKS = /^(listening to .*|sandbank: .* did not take .*; trying again)\n/gm;

describe('an example of the command line', () => {
  let bank: Running;
  let path: string;

  beforeAll(async () => {
    bank = await startBank({ SANDBANK_RAILS: 'manual' });
    const folder = join(makeFolder(), 'bin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'sandbank'), `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`, {
      mode: 0o755,
    });
    path = `${folder}${delimiter}${process.env.PATH}`;
  });

  test.each(EXAMPLES)(
    '$heading: prints the documented output',
    async ({ script, prints = '', key }) => {
      const variables = { PATH: path, SANDBANK_URL: bank.url, SANDBANK_API_KEY: key };
      const { code, stdout, stderr } = await runScript(script, variables);
      expect({ code, stderr: stderr.replaceAll(REMARKS, '') }).toEqual({
        code: 0,
        stderr: '',
      });
      expect(stdout).toMatch(patternOf(prints));
    },
    EXAMPLE_TIMEOUT_MS,
  );
});

function patternOf(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`);
}
