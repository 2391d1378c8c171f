/**
 * Where a reader was in each list: going back shows the same rows. A link that is followed begins at the top, as on any page.
 */
const positions = new Map<string, number>();
let isBack = false;

addEventListener('popstate', () => {
  isBack = true;
});
// The router's event for a link that is followed.
addEventListener('pushState', () => {
  isBack = false;
});

const keyOf = (list: string): string => `${location.pathname}${location.search} ${list}`;

/** Where a list of this address was left, in pixels from its top; 0 unless the reader came back. */
export function positionOf(list: string): number {
  return isBack ? (positions.get(keyOf(list)) ?? 0) : 0;
}

export function notePosition(list: string, top: number): void {
  positions.set(keyOf(list), top);
}
