/** Where marks stand on a line of time: by the logarithm of their time, and never one over another. */

/** Parts of the width, in percent: what is left free at both ends. */
export const EDGE = 3;
const WIDEST_GAP = 5;

/** The places in percent of marks at these seconds after the first, in order. */
export function placesOf(after: readonly number[]): number[] {
  const room = 100 - 2 * EDGE;
  const whole = Math.log1p(after.at(-1) ?? 0) || 1;
  const gap = after.length < 2 ? 0 : Math.min(WIDEST_GAP, room / (after.length - 1));
  const places: number[] = [];
  for (const seconds of after) {
    const wanted = EDGE + (Math.log1p(seconds) / whole) * room;
    places.push(Math.max(wanted, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  }
  // What went over the end moves back, and pushes those before it.
  for (let index = places.length - 1, most = 100 - EDGE; index >= 0; index -= 1, most -= gap) {
    places[index] = Math.min(places[index] ?? most, most);
  }
  return places;
}
