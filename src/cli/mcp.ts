/**
 * `sandbank mcp`: an MCP server on stdin and stdout, for coding agents. `sandbank skill`: the instructions for them.
 * Only `sandbank mcp` loads the server, so that other commands start quickly.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { projectFile } from '../bank/kernel/project.ts';
import { type BankOptions, bankOf, namesBank } from './bank.ts';
import { withExamples } from './options.ts';
import type { Shell } from './shell.ts';

const SKILL = 'skills/sandbank/SKILL.md';

/** Adds the commands. */
export function addAgents(program: Command, shell: Shell): void {
  namesBank(
    program
      .command('mcp')
      .description('serve tools for coding agents (MCP) on stdin and stdout')
      .addHelpText(
        'after',
        '\nA client starts this command itself. The configuration of most clients is\n' +
          '  {"mcpServers": {"sandbank": {"command": "node_modules/.bin/sandbank", "args": ["mcp"]}}}\n' +
          'The bank can be started before or after it; each call opens a new connection.',
      ),
    'mcp',
    'mcp --url http://127.0.0.1:5000 --key test_alice',
  ).action(async (options: BankOptions) => {
    const { serveTools } = await import('./mcp/server.ts');
    await serveTools(() => bankOf(shell, options));
  });

  withExamples(
    program.command('skill').description('print the instructions for coding agents (SKILL.md)'),
    'skill > .claude/skills/sandbank/SKILL.md',
  ).action(() => shell.answer(readFileSync(projectFile(SKILL), 'utf8')));
}
