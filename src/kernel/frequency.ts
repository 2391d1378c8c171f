/**
 * How often something that is set up for a test happens: how many calls it lets pass, every which of the others it takes,
 * how often at most, and with what probability. A pure function of the counts and of a seeded random number, so
 * it happens to the same calls every time.
 */

export interface Frequency {
  /** At most so often; without it, without end. */
  times?: number;
  /** Every n-th: with 3 the third, the sixth, ... */
  every?: number;
  /** Lets so many pass first; `every` counts from there. */
  skipFirst?: number;
  /** From 0 to 1, of those that the others leave. */
  probability?: number;
}

/** How many calls there were before this one, and how many of them it took. */
export interface Counted {
  seen: number;
  hits: number;
}

/** Whether it happens to the next call. A random number is taken only if a probability is set and the counts allow it. */
export function applies(
  { times, every = 1, skipFirst = 0, probability = 1 }: Frequency,
  { seen, hits }: Counted,
  random: () => number,
): boolean {
  if (times !== undefined && hits >= times) return false;
  const position = seen + 1 - skipFirst;
  if (position < 1 || position % every !== 0) return false;
  return probability >= 1 || random() < probability;
}
