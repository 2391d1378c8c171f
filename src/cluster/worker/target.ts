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

/** A host that the runtime accepts in the address of a request to an object. */
const ORDINARY_HOST = /^https?:\/\/[\w.:[\]-]+\//;

/**
 * The address at which an object accepts a request; the server reads the host from its header. A `Host` that is no
 * host, such as `<b>`, is part of the address in which the runtime passes the request on to the worker, but it refuses
 * to pass that address on to an object.
 */
export function addressOf(url: string): string {
  return ORDINARY_HOST.test(url) ? url : `http://localhost${targetOf(url)}`;
}
