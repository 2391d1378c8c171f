/** Reads, sets and advances the clock of a sandbox. An advance executes everything that is due on the way. */
import type { ControlMethods } from './client/types.ts';

/** An instant in a call. */
export type When = Date | string;

export interface Clock {
  now(): Promise<Date>;
  /** Stops the clock, at an instant if one is given. */
  freeze(at?: When): Promise<void>;
  /** Runs the clock from its current time, or from an instant. */
  run(from?: When): Promise<void>;
  /**
   * Advances the clock and executes every step that is due: by an ISO 8601 duration such as `P2D`, or to an instant.
   */
  advance(by: string | { readonly to: When } | { readonly businessDays: number }): Promise<void>;
  /** Advances the clock until every pending payment has settled; payments in review do not change. */
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

/** Throws if the advance ended early because deliveries or steps took longer than its deadline. */
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
