/**
 * Measures the costs of the process: the time from its start to the first answer, its memory when idle and with a
 * thousand sandboxes that were just used, and the time to open a new sandbox. The first start has an empty compile cache in the
 * bench's directory, so that the cache of this checkout does not change; the disk cache is warm in every start. Bare
 * Fastify is started in alternation.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { freshPath, type Place, startBank, timeBareStart } from './children.ts';
import { median } from './numbers.ts';
import { residentMb } from './proc.ts';
import { accountPath, getJson, readBank } from './state.ts';

export interface ProcessFigures {
  readonly place: Place;
  readonly coldStartMs: number;
  readonly startMs: number;
  /** The start of bare Fastify's process, measured in alternation. */
  readonly bareStartMs: number;
  /** `null` without /proc. */
  readonly idleMb: number | null;
  /** With `sandboxes` sandboxes, each used a few seconds ago at most. */
  readonly openMb: number | null;
  readonly sandboxes: number;
  readonly newSandboxMs: number;
}

const IDLE_AFTER_MS = 2000;

export async function measureProcess(
  place: Place,
  starts: number,
  sandboxes: number,
): Promise<ProcessFigures> {
  const cache = freshPath('compile-cache');
  const coldStartMs = await timeStart(place, cache);
  await timeBareStart(cache);
  const warm: number[] = [];
  const bare: number[] = [];
  while (warm.length < starts) {
    warm.push(await timeStart(place, cache));
    bare.push(await timeBareStart(cache));
  }

  const bank = await startBank(place, { compileCache: cache });
  await sleep(IDLE_AFTER_MS);
  const idleMb = residentMb(bank.pid);
  const path = accountPath((await readBank(bank.url)).seeded);
  const extra: number[] = [];
  for (let number = 0; number < sandboxes; number += 1) {
    const request = () => getJson(bank.url, path, `test_bench${number}`);
    const first = await timeOf(request);
    extra.push(first - (await timeOf(request)));
  }
  const openMb = residentMb(bank.pid);
  await bank.stop();
  return {
    place,
    coldStartMs,
    startMs: median(warm),
    bareStartMs: median(bare),
    idleMb,
    openMb,
    sandboxes,
    newSandboxMs: median(extra),
  };
}

async function timeStart(place: Place, cache: string): Promise<number> {
  const bank = await startBank(place, { compileCache: cache });
  await bank.stop();
  return bank.startedInMs;
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
