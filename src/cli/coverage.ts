/**
 * The combined coverage of all sandboxes of a server: an item counts once, even if several sandboxes exercised it. A
 * sandbox is read before it is removed.
 */
import { OPERATION_IDS } from '../sandboxes/control/coverage.ts';
import type { Registry } from '../sandboxes/registry/registry.ts';
import type { Sandbox } from '../sandboxes/sandbox/sandbox.ts';

/** One kind of item: operations, states, transitions, ... */
interface Share {
  readonly exists: number;
  readonly exercised: number;
  readonly missing: readonly string[];
}

export interface CoverageReport {
  /** The percentage of all items, with one decimal. */
  readonly percent: number;
  readonly exists: number;
  readonly exercised: number;
  readonly shares: Readonly<Record<string, Share>>;
}

export interface CoverageCollector {
  /** Adds the current coverage of a sandbox. */
  look(sandbox: Sandbox): Promise<void>;
  /** The coverage of the sandboxes that were added and of the existing ones. */
  report(registry: Registry): Promise<CoverageReport>;
}

/** Collects the coverage of one server. */
export function collectCoverage(): CoverageCollector {
  /** By kind, whether each item was exercised. */
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
