/**
 * Two banks and their comparison, in this process. The second bank represents the platform; the test moves its clock,
 * and the tested code never does.
 */
import { type Catalogue, loadCatalogue } from '../../src/compare/catalogue.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { ownClock } from '../../src/compare/own-clock.ts';
import { type EventServer, startEventServer } from '../../src/compare/receive.ts';
import { type Report, reportOf } from '../../src/compare/report.ts';
import { requestedBy } from '../../src/compare/requested.ts';
import { type RunResult, runScenarios } from '../../src/compare/run.ts';
import { type Side, type SideOptions, sideAt } from '../../src/compare/side.ts';
import type { Sandbank } from '../../src/kit/bank.ts';
import { type StartOptions, startSandbank } from '../../src/kit/start.ts';

export const CATALOGUE: Catalogue = loadCatalogue();

/** Two sandboxes that are compared. */
export interface Banks {
  readonly here: Sandbank;
  readonly there: Sandbank;
  readonly server: EventServer;
}

export interface World extends Banks, AsyncDisposable {}

/** Two banks that differ only in their seeds. */
export async function startWorld(options: StartOptions = {}, seeds = ['one', 'other']): Promise<World> {
  const [here, there, server] = await Promise.all([
    startSandbank({ ...options, randomSeed: seeds[0] ?? '' }),
    startSandbank({ ...options, randomSeed: seeds[1] ?? '' }),
    startEventServer(0),
  ]);
  return {
    here,
    there,
    server,
    async [Symbol.asyncDispose]() {
      await Promise.all([here.close(), there.close(), server.close()]);
    },
  };
}

/** The same two banks, each in another sandbox, with another seed. */
export async function inSandboxes({ here, there, server }: World, name: string): Promise<Banks> {
  return { here: await here.inSandbox(name), there: await there.inSandbox(name), server };
}

let runs = 0;

export interface CompareSettings {
  readonly only?: (name: string) => boolean;
  /** The address of the other side, if it differs from the bank's. */
  readonly url?: string;
  readonly withEvents?: boolean;
  readonly isReadOnly?: boolean;
  readonly lateMs?: number;
  readonly patienceMs?: number;
  /** `left` does not move the clock of the other side, like the command. */
  readonly theirClock?: 'moved' | 'left';
  readonly there?: Partial<SideOptions>;
  readonly catalogue?: Catalogue;
}

export interface Compared {
  readonly report: Report;
  readonly result: RunResult;
}

/** Runs scenarios on both banks and compares. */
export async function compareBanks(world: Banks, settings: CompareSettings = {}): Promise<Compared> {
  const { only, withEvents = false, isReadOnly = false, lateMs = 10_000, patienceMs = 5_000 } = settings;
  const catalogue = settings.catalogue ?? CATALOGUE;
  const scenarios = catalogue.runnable.filter(({ name }) => only?.(name) ?? true);
  const sideOf = (name: 'here' | 'there', options: Partial<SideOptions> = {}): Side =>
    sideAt({
      url: world[name].url,
      keys: { v1: world[name].apiKey, v2: world[name].apiKey },
      ...(name === 'here' || settings.theirClock !== 'left' ? ownClock(world[name]) : {}),
      ...(withEvents && { events: world.server.sourceAt(name) }),
      ...options,
    });
  runs += 1;
  const result = await runScenarios({
    sides: {
      here: sideOf('here'),
      there: sideOf('there', { ...(settings.url !== undefined && { url: settings.url }), ...settings.there }),
    },
    scenarios,
    catalogue: catalogue.all,
    run: `cmp-${String(runs).padStart(8, '0')}`,
    today: new Date().toISOString().slice(0, 10),
    isReadOnly,
    patienceMs,
  });
  const { here, there } = result.transcripts;
  const comparison = compareRuns(here, there, { sameRecords: !isReadOnly, lateMs });
  const { operations, why } = requestedBy(scenarios, catalogue.all, only === undefined, result);
  return { report: reportOf(comparison, operations, why), result };
}

/** A difference in one line: `missing label`. */
export function linesOf({ differences }: Report): string[] {
  return differences.map(({ cause, field, here, there }) => `${cause} ${field} ${here} -> ${there}`);
}
