/**
 * `sandbank snapshot`, `reset` and `seed`: what a sandbox holds, kept, brought back, or made anew.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type BankOptions, bankOf, CommandError, columns, printAnswer, talksToBank } from './bank.ts';

type Control = ReturnType<typeof bankOf>['sandbox'];

/** Adds the commands. */
export function addState(program: Command): void {
  const snapshot = program.command('snapshot').description('keep a sandbox as it is, and bring it back');

  talksToBank(
    snapshot.command('take').description('keep the sandbox as it is').argument('<name>', 'under this name'),
  ).action(async (name: string, options: BankOptions) => {
    const answer = await bankOf(options).sandbox.takeSnapshot({ params: { name } });
    printAnswer(options, answer, () => `${answer.name}  ${answer.bytes} bytes`);
  });
  talksToBank(
    snapshot
      .command('restore')
      .description('bring the sandbox back to a snapshot')
      .argument('<name>', 'the snapshot'),
  ).action(async (name: string, options: BankOptions) => {
    const answer = await bankOf(options).sandbox.restoreSnapshot({ params: { name } });
    printAnswer(options, answer, () => `${answer.sandbox}  as of ${answer.clock.now}`);
  });
  talksToBank(snapshot.command('list').description('list the snapshots')).action(
    async (options: BankOptions) => {
      const answer = await bankOf(options).sandbox.listSnapshots();
      printAnswer(options, answer, () => columns(answer.snapshots.map((one) => [one.name, String(one.bytes)])));
    },
  );
  talksToBank(
    snapshot.command('delete').description('delete a snapshot').argument('<name>', 'the snapshot'),
  ).action(async (name: string, options: BankOptions) => {
    await bankOf(options).sandbox.deleteSnapshot({ params: { name } });
    printAnswer(options, {}, () => `${name} is deleted`);
  });

  talksToBank(
    program.command('reset').description('bring a sandbox back to how it was founded'),
  ).action(async (options: BankOptions) => {
    const answer = await bankOf(options).sandbox.reset();
    printAnswer(options, answer, () => `${answer.sandbox}  as of ${answer.clock.now}`);
  });

  talksToBank(
    program
      .command('seed')
      .description('found a sandbox anew from a seed document')
      .argument('<file>', 'a JSON document like fixtures/default.json'),
  ).action(async (file: string, options: BankOptions) => {
    const document = readDocument(file) as Parameters<Control['seed']>[0]['body'];
    const answer = await bankOf(options).sandbox.seed({ body: document });
    printAnswer(options, answer, () => JSON.stringify(answer, null, 2));
  });
}

function readDocument(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} is no JSON document that can be read: ${(error as Error).message}`);
  }
}
