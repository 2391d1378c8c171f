/**
 * Selects the calls to which a fault or chaos applies: how many calls to skip, every n-th of the others, a maximum
 * number, and a probability. It is a pure function of the counts and of a seeded random number, so it always selects
 * the same calls.
 */

export interface Frequency {
  /** The maximum number of times; unlimited by default. */
  times?: number;
  /** Every n-th call: 3 selects the third, the sixth, ... */
  every?: number;
  /** The number of calls to skip first; `every` counts after these. */
  skipFirst?: number;
  /** From 0 to 1, applied to the calls that the other fields select. */
  probability?: number;
}

/** The number of earlier calls, and how many of them were selected. */
export interface Counted {
  seen: number;
  hits: number;
}

/** Whether the next call is selected. A random number is used only if a probability is set and the counts match. */
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
