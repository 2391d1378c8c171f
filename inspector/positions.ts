/** The scroll position of each list, so that going back shows the same rows. After a link a list starts at the top. */
const positions = new Map<string, number>();
let isBack = false;

addEventListener('popstate', () => {
  isBack = true;
});
// The router's event after a link.
addEventListener('pushState', () => {
  isBack = false;
});

const keyOf = (list: string): string => `${location.pathname}${location.search} ${list}`;

/** The last scroll position of a list at this address, in pixels; 0 unless the user went back. */
export function positionOf(list: string): number {
  return isBack ? (positions.get(keyOf(list)) ?? 0) : 0;
}

export function notePosition(list: string, top: number): void {
  positions.set(keyOf(list), top);
}
