/** The run in progress: its bank, its clock, what is still to be done, and what differed. */
import { SandbankError } from '../../src/kit/client/error.ts';
import { Books, type Payment } from './books.ts';
import type { World } from './world.ts';

/** Numbers drawn from a seed (mulberry32). */
function drawFrom(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    chance: (percent: number): boolean => below(100) < percent,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}

export const iso = (instant: number): string => new Date(instant).toISOString();
/** As the bank shows instants: whole seconds. */
export const shown = (instant: number): string => `${iso(instant).slice(0, 19)}Z`;

export class Run {
  readonly world: World;
  now: number;
  readonly books = new Books();
  readonly draw: ReturnType<typeof drawFrom>;
  readonly differences: string[] = [];
  payments = 0;
  comparisons = 0;
  /** Payments that have changed for the last time, and are not compared yet. */
  ended = new Set<Payment>();
  #tasks: { at: number; act: () => Promise<void> }[] = [];

  constructor(world: World, begin: number, seed: number) {
    this.world = world;
    this.now = begin;
    this.draw = drawFrom(seed);
  }

  compare(what: string, actual: unknown, expected: unknown): void {
    this.comparisons += 1;
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.differences.push(`${iso(this.now)} ${what}: ${is}, expected ${should}`);
  }

  later(at: number, act: () => Promise<void>): void {
    this.#tasks.push({ at, act });
  }

  /** Advances the bank, and does what is due on the way. */
  async advance(to: number): Promise<void> {
    for (;;) {
      this.#tasks.sort((one, other) => one.at - other.at);
      const [task] = this.#tasks;
      if (task === undefined || task.at >= to) break;
      this.#tasks.shift();
      await this.#move(task.at);
      await task.act();
      this.pass();
    }
    await this.#move(to);
  }

  async #move(to: number): Promise<void> {
    if (to > this.now) await this.world.bank.clock.advance({ to: iso(to) });
    this.now = to;
    this.pass();
  }

  /** Takes the steps that the rules expect until now. */
  pass(): void {
    for (const payment of this.books.pass(this.now)) this.ended.add(payment);
  }
}

/** The code of a refusal, or `''`. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return '';
  } catch (error) {
    if (error instanceof SandbankError) return error.code;
    throw error;
  }
}
