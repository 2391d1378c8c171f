/**
 * What was exercised in all sandboxes of a server together: a thing counts once, wherever it was met. A sandbox that is
 * removed is looked at before it goes.
 */
import { OPERATION_IDS } from '../control/coverage.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** One kind of thing: operations, states, transitions, ... */
export interface Share {
  readonly exists: number;
  readonly exercised: number;
  readonly missing: readonly string[];
}

export interface CoverageReport {
  /** Of everything together, with one decimal. */
  readonly percent: number;
  readonly exists: number;
  readonly exercised: number;
  readonly shares: Readonly<Record<string, Share>>;
}

export interface CoverageCollector {
  /** Takes in what was met in a sandbox until now. */
  look(sandbox: Sandbox): Promise<void>;
  /** What was met in those that were looked at, and in those that are there. */
  report(registry: Registry): Promise<CoverageReport>;
}

/** Collects what is met in one server. */
export function collectCoverage(): CoverageCollector {
  /** By kind of thing, whether each thing was met. */
  const things = new Map<string, Map<string, boolean>>();

  const look = async (sandbox: Sandbox): Promise<void> => {
    await sandbox.coverage.catchUp(sandbox.outbox);
    for (const [kind, { counts, missing }] of Object.entries(sandbox.coverage.report(OPERATION_IDS).shares)) {
      const known = things.get(kind) ?? new Map<string, boolean>();
      things.set(kind, known);
      for (const name of missing) known.set(name, known.get(name) ?? false);
      for (const name of Object.keys(counts)) known.set(name, true);
    }
  };

  return {
    look,
    async report(registry) {
      for (const sandbox of registry.open()) await look(sandbox);
      const shares = Object.fromEntries([...things].map(([kind, known]) => [kind, shareOf(known)]));
      const exists = sum(shares, 'exists');
      const exercised = sum(shares, 'exercised');
      return { percent: Math.floor((1_000 * exercised) / exists) / 10, exists, exercised, shares };
    },
  };
}

function shareOf(known: ReadonlyMap<string, boolean>): Share {
  const missing = [...known].filter(([, met]) => !met).map(([name]) => name);
  return { exists: known.size, exercised: known.size - missing.length, missing };
}

function sum(shares: Readonly<Record<string, Share>>, figure: 'exists' | 'exercised'): number {
  return Object.values(shares).reduce((total, share) => total + share[figure], 0);
}
