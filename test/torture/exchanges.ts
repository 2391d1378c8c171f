/**
 * The actions that replace the bank of a sandbox or take an image of it, with the possible contents afterwards.
 */
import { type Client, find, isUnavailable, request } from './client.ts';
import type { World } from './model.ts';
import type { Action } from './plan.ts';
import type { Reply } from './server.ts';

export type Exchange = Extract<
  Action,
  { do: 'snapshot' | 'restore' | 'export' | 'import' | 'reset' | 'remove' }
>;

/** Executes one of these actions. */
export async function exchange(client: Client, action: Exchange): Promise<void> {
  const { model } = client;
  const { sandbox } = action;
  const own = model.sandbox(sandbox);
  const outcomeOf = (reply: Reply | null) =>
    reply === null ? 'broken' : reply.status < 300 ? 'done' : ('refused' as const);
  const go = async (
    path: string,
    method: string,
    image: readonly World[],
    body?: unknown,
  ): Promise<Reply | null> => {
    const finish = model.exchange(sandbox);
    const isRemoval = method === 'DELETE';
    // The name of the sandbox is in the path.
    const reply = await request(client, { method, path, sandbox: isRemoval ? 'default' : sandbox, body });
    finish(outcomeOf(reply), image);
    return reply;
  };
  switch (action.do) {
    case 'snapshot': {
      const taken = model.take(sandbox);
      const path = `/_sandbox/snapshots/${action.name}`;
      const reply = await request(client, { method: 'PUT', path, sandbox });
      const worlds = taken();
      const before = own.snapshots.get(action.name);
      const outcome = outcomeOf(reply);
      if (outcome === 'done') own.snapshots.set(action.name, { worlds, mayMiss: false });
      else if (outcome === 'broken') {
        const stored = { worlds: [...(before?.worlds ?? []), ...worlds], mayMiss: before?.mayMiss ?? true };
        own.snapshots.set(action.name, stored);
      }
      return;
    }
    case 'restore': {
      const stored = own.snapshots.get(action.name);
      if (stored === undefined) return;
      const reply = await go(`/_sandbox/snapshots/${action.name}/restore`, 'POST', stored.worlds);
      if (reply?.status === 404 && !stored.mayMiss) {
        find(
          client,
          'a snapshot that was acknowledged is gone',
          `${action.name} of ${sandbox}: ${reply.text}`,
        );
      }
      return;
    }
    case 'export': {
      const taken = model.take(sandbox);
      const reply = await request(client, { method: 'GET', path: '/_sandbox/export', sandbox });
      const worlds = taken();
      if (reply?.status === 200) model.exports.set(action.name, { worlds, image: reply.bytes });
      return;
    }
    case 'import': {
      const stored = model.exports.get(action.name);
      if (stored === undefined) return;
      const reply = await go('/_sandbox/import', 'POST', stored.worlds, stored.image);
      if (reply !== null && reply.status >= 300 && !isUnavailable(reply)) {
        find(client, 'an image that was exported is not let in', `${sandbox}: ${reply.status} ${reply.text}`);
      }
      return;
    }
    case 'reset':
      await go('/_sandbox/reset', 'POST', [new Map()]);
      return;
    case 'remove': {
      const reply = await go(`/_sandbox/sandboxes/${sandbox}`, 'DELETE', [new Map()]);
      // Its snapshots are deleted too; if the result is unknown, some may remain.
      if (reply === null) {
        for (const [name, stored] of own.snapshots) own.snapshots.set(name, { ...stored, mayMiss: true });
      } else if (reply.status < 300) own.snapshots.clear();
      return;
    }
    default:
      return;
  }
}
