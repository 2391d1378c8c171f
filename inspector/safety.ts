/**
 * Reset and restore with an undo: before each, the sandbox is stored as a snapshot, of which the last three are kept.
 */
import { client, explain, sandboxName, sendRequest } from './bank.ts';
import { ask } from './dialog.tsx';
import { say } from './parts.tsx';

const KEPT = 3;

/** Stores the current state as `before-<what>-<time>`; returns the name. */
async function keepBefore(what: 'reset' | 'restore'): Promise<string> {
  const name = `before-${what}-${new Date().toISOString().replace(/\D/g, '')}`;
  await client.value.sandbox.takeSnapshot({ params: { name } });
  return name;
}

/** Deletes all but the last automatic snapshots of a kind; their names sort by time. */
async function prune(what: 'reset' | 'restore'): Promise<void> {
  const { sandbox } = client.value;
  const { snapshots } = await sandbox.listSnapshots();
  const own = snapshots.map(({ name }) => name).filter((name) => name.startsWith(`before-${what}-`));
  for (const name of own.toSorted().slice(0, -KEPT)) await sandbox.deleteSnapshot({ params: { name } });
}

async function change(what: 'reset' | 'restore', run: () => Promise<unknown>, done: string): Promise<void> {
  const kept = await keepBefore(what);
  await run();
  await prune(what);
  say(done, 'good', { label: 'Undo', run: () => restoreNow(kept) });
}

const restoreNow = (name: string): Promise<void> =>
  change(
    'restore',
    () => client.value.sandbox.restoreSnapshot({ params: { name } }),
    `Snapshot ${name} is restored.`,
  );

/** Resets the sandbox after a confirmation. */
export async function reset(): Promise<void> {
  const isMeant = await ask({
    title: `Reset ${sandboxName.value}?`,
    text: 'All records return to the seed. The current state is saved as a snapshot, so you can undo this.',
    action: 'Reset',
    isDangerous: true,
  });
  if (isMeant === null) return;
  await change('reset', () => client.value.sandbox.reset(), `${sandboxName.value} is reset to the seed.`);
}

/** Restores a snapshot after a confirmation. */
export async function restore(name: string): Promise<void> {
  const isMeant = await ask({
    title: `Restore ${name}?`,
    text: `${sandboxName.value} returns to the state of this snapshot. The current state is saved as a snapshot, so you can undo this.`,
    action: 'Restore',
    isDangerous: true,
  });
  if (isMeant !== null) await restoreNow(name);
}

/** Replaces the sandbox with an export after a confirmation. */
export async function importImage(file: File): Promise<void> {
  const isMeant = await ask({
    title: `Import ${file.name}?`,
    text: `It replaces ${sandboxName.value}. The current state is saved as a snapshot, so you can undo this.`,
    action: 'Import',
    isDangerous: true,
  });
  if (isMeant === null) return;
  const send = async (): Promise<void> => {
    const type = 'application/vnd.sqlite3';
    const path = '/_sandbox/import';
    const answer = await sendRequest({ method: 'POST', path, type, body: file, idempotencyKey: '' });
    if (answer.ok) return;
    const { error } = (await answer.json()) as { error?: { message?: string } };
    throw new Error(error?.message ?? `The import answered ${answer.status}.`);
  };
  await change('restore', send, `${file.name} is imported.`).catch((error) =>
    say(explain(error).title, 'bad'),
  );
}

/** Asks for a confirmation before a deletion that cannot be undone; returns whether it was given. */
export async function isDeletionMeant(what: string): Promise<boolean> {
  return (
    (await ask({
      title: `Delete ${what}?`,
      text: 'This cannot be undone.',
      action: 'Delete',
      isDangerous: true,
    })) !== null
  );
}
