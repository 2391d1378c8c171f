/** The arithmetic of the bench. It uses medians, so that a single disturbed run has no effect. */

/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  if (low === undefined) throw new Error('the median of an empty list');
  return (low + (high ?? low)) / 2;
}
