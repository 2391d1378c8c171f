/**
 * The contents of a sandbox: `snapshot` takes and restores snapshots, `reset` restores the initial records, `seed` replaces
 * them, `export` and `import` write and read a file. `sandbox` lists, creates and deletes sandboxes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { SandbankError } from '../kit/client/error.ts';
import type { ControlMethods } from '../kit/client/types.ts';
import {
  type BankOptions,
  bankOf,
  CommandError,
  columns,
  printAnswer,
  readDocument,
  talksToBank,
} from './bank.ts';
import { asDatabase, asRows, rowsIn } from './images.ts';
import { sentOnly } from './options.ts';
import type { Shell } from './shell.ts';

type Document = Parameters<ControlMethods['seed']>[0]['body'];
type State = Awaited<ReturnType<ControlMethods['reset']>>;

/** Adds the commands. */
export function addState(program: Command, shell: Shell): void {
  addSandbox(program, shell);
  addSnapshot(program, shell);

  talksToBank(
    program.command('reset').description('restore the initial records of a sandbox'),
    'reset --key test_alice',
  ).action(async (options: BankOptions) => {
    printState(shell, options, await bankOf(shell, options).sandbox.reset());
  });

  talksToBank(
    program
      .command('seed')
      .description(
        'replace the records of a sandbox with those of a seed document; a reset then restores these',
      )
      .argument('<file>', 'a JSON document like fixtures/default.json; - reads stdin'),
    'seed fixtures/default.json',
  ).action(async (file: string, options: BankOptions) => {
    const body = readDocument(file) as Document;
    const answer = await bankOf(shell, options).sandbox.seed({ body });
    printAnswer(shell, options, answer, () => columns(Object.entries(answer.ids)));
  });

  talksToBank(
    program
      .command('export')
      .description('export a sandbox to a file: a SQLite database that any SQLite program can read')
      .argument('<file>', 'the file to write, like bank.sqlite')
      .option('--force', 'overwrite an existing file')
      .option('--rows', 'write the rows alone, compressed, instead of a SQLite database'),
    'export bank.sqlite --key test_alice',
    'export bank.rows --rows',
  ).action(async (file: string, options: BankOptions & { force?: boolean; rows?: boolean }) => {
    const exported = await bankOf(shell, options).sandbox.export();
    const bytes = await (options.rows === true ? asRows(exported) : asDatabase(exported));
    writeNew(file, bytes, options.force === true);
    printAnswer(shell, options, { file, bytes: bytes.length }, () => `${file}  ${bytes.length} bytes`);
  });

  talksToBank(
    program
      .command('import')
      .description('replace the contents of a sandbox with an exported file')
      .argument('<file>', 'a file that "sandbank export" wrote'),
    'import bank.sqlite --key test_alice',
  ).action(async (file: string, options: BankOptions) => {
    const { sandbox } = bankOf(shell, options);
    const body = readFileSync(file);
    const answer = await sandbox.import({ body }).catch(async (error: unknown) => {
      // A bank of a cluster reads the rows alone.
      const rows =
        error instanceof SandbankError && error.code === 'image_invalid' ? await rowsIn(body) : null;
      if (rows === null) throw error;
      return sandbox.import({ body: rows });
    });
    printState(shell, options, answer);
  });
}

function addSandbox(program: Command, shell: Shell): void {
  const sandbox = program.command('sandbox').description('list, create and delete sandboxes');

  talksToBank(
    sandbox.command('list').description('list the sandboxes with their keys'),
    'sandbox list',
  ).action(async (options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.listSandboxes();
    printAnswer(shell, options, answer, () =>
      columns(
        answer.sandboxes.map(({ name, key, kept, open, problem }) => [
          name,
          key ?? '(random key)',
          kept === 'memory' ? 'in memory' : 'in a file',
          problem || (open ? 'open' : 'closed until its next use'),
        ]),
      ),
    );
  });

  talksToBank(
    sandbox
      .command('create')
      .description('create a sandbox with the initial records, or a copy of another')
      .argument('<name>', 'name of the sandbox')
      .option('--from <name>', 'copy this sandbox, or a snapshot of a sandbox: <sandbox>/<snapshot>'),
    'sandbox create alice',
    'sandbox create copy --from alice',
  ).action(async (name: string, options: BankOptions & { from?: string }) => {
    const body = { name, ...sentOnly({ from: options.from }) };
    const answer = await bankOf(shell, options).sandbox.createSandbox({ body });
    printAnswer(shell, options, answer, () => `${answer.name}  ${answer.key}`);
  });

  talksToBank(
    sandbox
      .command('delete')
      .description('delete a sandbox with its snapshots')
      .argument('<name>', 'name of the sandbox'),
    'sandbox delete alice',
  ).action(async (name: string, options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteSandbox({ params: { name } });
    printAnswer(shell, options, { name, deleted: true }, () => `${name} is deleted`);
  });
}

function addSnapshot(program: Command, shell: Shell): void {
  const snapshot = program.command('snapshot').description('take and restore snapshots of a sandbox');

  talksToBank(
    snapshot.command('take').description('take a snapshot').argument('<name>', 'name of the snapshot'),
    'snapshot take before',
  ).action(async (name: string, options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.takeSnapshot({ params: { name } });
    printAnswer(shell, options, answer, () => `${answer.name}  ${answer.bytes} bytes`);
  });

  talksToBank(
    snapshot.command('restore').description('restore a snapshot').argument('<name>', 'name of the snapshot'),
    'snapshot restore before',
  ).action(async (name: string, options: BankOptions) => {
    printState(shell, options, await bankOf(shell, options).sandbox.restoreSnapshot({ params: { name } }));
  });

  talksToBank(snapshot.command('list').description('list the snapshots'), 'snapshot list').action(
    async (options: BankOptions) => {
      const answer = await bankOf(shell, options).sandbox.listSnapshots();
      printAnswer(shell, options, answer, () =>
        columns(answer.snapshots.map(({ name, bytes }) => [name, `${bytes} bytes`])),
      );
    },
  );

  talksToBank(
    snapshot.command('delete').description('delete a snapshot').argument('<name>', 'name of the snapshot'),
    'snapshot delete before',
  ).action(async (name: string, options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteSnapshot({ params: { name } });
    printAnswer(shell, options, { name, deleted: true }, () => `${name} is deleted`);
  });
}

function printState(shell: Shell, options: BankOptions, state: State): void {
  printAnswer(shell, options, state, () => `${state.sandbox}  as of ${state.clock.now}`);
}

/** Writes a file that does not exist yet, or that may be overwritten. */
function writeNew(file: string, bytes: Uint8Array, mayOverwrite: boolean): void {
  try {
    writeFileSync(file, bytes, { flag: mayOverwrite ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandError(`${file} exists: choose another name, or overwrite it with --force`);
  }
}
