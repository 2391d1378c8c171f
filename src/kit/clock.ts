/**
 * The clock of a sandbox: it is read, set and moved, and the caller who moves it gets everything that was due on the way.
 */
import type { ControlMethods } from '../client/types.ts';

/** An instant as a caller has it. */
export type When = Date | string;

export interface Clock {
  now(): Promise<Date>;
  /** Stops the clock, at an instant if one is given. */
  freeze(at?: When): Promise<void>;
  /** Lets it go on from where it stands, or from an instant. */
  run(from?: When): Promise<void>;
  /** Lets time pass, with every step that is due on the way: an ISO 8601 duration such as `P2D`, or an instant. */
  advance(by: string | { readonly to: When } | { readonly businessDays: number }): Promise<void>;
  /** Lets time pass until every payment under way has arrived; what waits for a review stays. */
  settle(): Promise<void>;
}

/** The clock of the sandbox behind these methods. */
export function clockOf(sandbox: ControlMethods): Clock {
  const set = async (mode: 'frozen' | 'live', at?: When): Promise<void> => {
    await sandbox.setClock({ body: { mode, ...(at !== undefined && { now: iso(at) }) } });
  };
  return {
    now: async () => new Date((await sandbox.retrieveClock()).now),
    freeze: (at) => set('frozen', at),
    run: (from) => set('live', from),
    async advance(by) {
      requireQuiet(await sandbox.advanceClock({ body: requestOf(by) }));
    },
    async settle() {
      requireQuiet(await sandbox.settleClock({ body: {} }));
    },
  };
}

/** The journey ends early when deliveries or steps outlast its deadline. */
function requireQuiet({ quiescent, problem }: { quiescent: boolean; problem: string }): void {
  if (!quiescent) {
    const reason = problem === '' ? 'in time: something was still due or in flight' : `(${problem})`;
    throw new Error(`the clock did not reach its target ${reason}`);
  }
}

function requestOf(by: Parameters<Clock['advance']>[0]) {
  if (typeof by === 'string') return { by };
  return 'to' in by ? { to: iso(by.to) } : { business_days: by.businessDays };
}

function iso(at: When): string {
  return typeof at === 'string' ? at : at.toISOString();
}
