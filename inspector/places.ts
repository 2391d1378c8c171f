/** The positions of marks on a timeline: by the logarithm of their time, without overlaps. */

/** The free space at both ends, in percent of the width. */
export const EDGE = 3;
const WIDEST_GAP = 5;

/** The positions in percent of marks at these seconds after the first, in order. */
export function placesOf(after: readonly number[]): number[] {
  const room = 100 - 2 * EDGE;
  const whole = Math.log1p(after.at(-1) ?? 0) || 1;
  const gap = after.length < 2 ? 0 : Math.min(WIDEST_GAP, room / (after.length - 1));
  const places: number[] = [];
  for (const seconds of after) {
    const wanted = EDGE + (Math.log1p(seconds) / whole) * room;
    places.push(Math.max(wanted, (places.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  }
  // Marks beyond the end are moved back, with those before them.
  for (let index = places.length - 1, most = 100 - EDGE; index >= 0; index -= 1, most -= gap) {
    places[index] = Math.min(places[index] ?? most, most);
  }
  return places;
}
