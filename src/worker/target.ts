/**
 * The parts of a request's address. The runtime has already normalized it, and a `URL` would take as long as reading a
 * row.
 */

/** The path with the query, as on the first line of a request. */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('#', start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** The path alone. */
export function pathOf(url: string): string {
  const target = targetOf(url);
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}
