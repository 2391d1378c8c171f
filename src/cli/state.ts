/**
 * `sandbank snapshot`, `reset` and `seed`: what a sandbox holds, kept, brought back, or made anew.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ControlMethods } from '../client/types.ts';
import { type BankOptions, bankOf, CommandError, columns, printAnswer, talksToBank } from './bank.ts';
import type { Shell } from './shell.ts';

type Document = Parameters<ControlMethods['seed']>[0]['body'];
type State = Awaited<ReturnType<ControlMethods['reset']>>;

/** Adds the commands. */
export function addState(program: Command, shell: Shell): void {
  addSnapshot(program, shell);

  talksToBank(program.command('reset').description('bring a sandbox back to how it was seeded'))
    .addHelpText('after', '\nExample:\n  $ sandbank reset --key test_alice')
    .action(async (options: BankOptions) => {
      printState(shell, options, await bankOf(shell, options).sandbox.reset());
    });

  talksToBank(
    program
      .command('seed')
      .description('found a sandbox anew from a seed document; a reset then comes back to that')
      .argument('<file>', 'a JSON document like fixtures/default.json; - is what comes in'),
  )
    .addHelpText('after', '\nExample:\n  $ sandbank seed fixtures/default.json')
    .action(async (file: string, options: BankOptions) => {
      const body = readDocument(file) as Document;
      const answer = await bankOf(shell, options).sandbox.seed({ body });
      printAnswer(shell, options, answer, () => columns(Object.entries(answer.ids)));
    });
}

function addSnapshot(program: Command, shell: Shell): void {
  const snapshot = program
    .command('snapshot')
    .description('keep a sandbox as it is, and bring it back')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbank snapshot take before\n  $ sandbank snapshot restore before',
    );

  talksToBank(
    snapshot.command('take').description('keep the sandbox as it is').argument('<name>', 'under this name'),
  ).action(async (name: string, options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.takeSnapshot({ params: { name } });
    printAnswer(shell, options, answer, () => `${answer.name}  ${answer.bytes} bytes`);
  });

  talksToBank(
    snapshot
      .command('restore')
      .description('bring the sandbox back to a snapshot')
      .argument('<name>', 'the snapshot'),
  ).action(async (name: string, options: BankOptions) => {
    printState(shell, options, await bankOf(shell, options).sandbox.restoreSnapshot({ params: { name } }));
  });

  talksToBank(snapshot.command('list').description('list the snapshots')).action(
    async (options: BankOptions) => {
      const answer = await bankOf(shell, options).sandbox.listSnapshots();
      printAnswer(shell, options, answer, () =>
        columns(answer.snapshots.map(({ name, bytes }) => [name, `${bytes} bytes`])),
      );
    },
  );

  talksToBank(
    snapshot.command('delete').description('delete a snapshot').argument('<name>', 'the snapshot'),
  ).action(async (name: string, options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteSnapshot({ params: { name } });
    printAnswer(shell, options, { name, deleted: true }, () => `${name} is deleted`);
  });
}

function printState(shell: Shell, options: BankOptions, state: State): void {
  printAnswer(shell, options, state, () => `${state.sandbox}  as of ${state.clock.now}`);
}

const STDIN = 0;

function readDocument(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? STDIN : file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} is no JSON document that can be read: ${(error as Error).message}`);
  }
}
