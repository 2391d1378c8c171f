/**
 * A sandbox in a file whose database is closed while nobody needs it and opened again at the next use; whoever holds the
 * sandbox notices nothing. It rests only when the bank owes nothing by itself: no planned step, no delivery that waits,
 * no fault, nobody who listens. What else a sandbox has in memory alone (its journal and coverage, the chaos of its
 * webhooks) does not survive.
 */
import type { Sandbox } from './sandbox.ts';

export interface Handle {
  readonly sandbox: Sandbox;
  isOpen(): boolean;
  /** Closes the database if nothing is owed and nobody uses the sandbox meanwhile; false when it stays open. */
  rest(): Promise<boolean>;
  /** Closes for good. */
  close(): Promise<void>;
}

/** A handle that is open. */
export function createHandle(open: () => Sandbox): Handle {
  let inner: Sandbox | undefined = open();
  let closed = false;
  let uses = 0;
  let ending: Promise<unknown> = Promise.resolve();

  const awake = (): Sandbox => {
    uses += 1;
    if (inner === undefined) {
      if (closed) throw new Error('the sandbox is closed');
      inner = open();
    }
    return inner;
  };

  const members = Object.entries(inner).map(([name, value]): [string, PropertyDescriptor] => {
    // Its name is asked for by logs and lists, which is no use of it.
    if (typeof value === 'string') return [name, { enumerable: true, value }];
    return [name, { enumerable: true, get: () => awake()[name as keyof Sandbox] }];
  });
  const sandbox = Object.defineProperties({}, Object.fromEntries(members)) as Sandbox;

  return {
    sandbox,
    isOpen: () => inner !== undefined,
    async rest() {
      const resting = inner;
      if (resting === undefined || closed || !owesNothing(resting)) return false;
      const before = uses;
      // Keeps the position of its sequence, so that closing writes nothing: somebody may have opened it again by then.
      await resting.commit(() => undefined);
      if (inner !== resting || uses !== before || !owesNothing(resting)) return false;
      inner = undefined;
      ending = resting.close();
      await ending;
      return true;
    },
    async close() {
      closed = true;
      await ending;
      await inner?.close();
    },
  };
}

function owesNothing({ store, courier, queue, news, faults }: Sandbox): boolean {
  if (news.hasListeners() || faults.active || store.agenda.nextDueAt() !== undefined) return false;
  if (courier !== null && courier.inFlight() > 0) return false;
  const { first, retry } = queue.waiting();
  return first + retry === 0;
}
