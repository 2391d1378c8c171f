/** `fetch` on the kit's own HTTP, for `bank.fetch` and the command line. */
import { URL } from 'node:url';
import { createSend } from './client/http.ts';
import { own } from './own.ts';

const NO_BODY: readonly number[] = [204, 205, 304];
const MOVED: readonly number[] = [301, 302, 303, 307, 308];
const SAME_METHOD: readonly number[] = [307, 308];
const MOST_REDIRECTS = 20;

/** `fetch` with the address as a text. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` that sends its requests with this function. */
export function createFetch(send = createSend()): Fetch {
  const call = async (url: string, init: RequestInit, hops: number): Promise<Response> => {
    const { method = 'GET', body, signal, redirect = 'follow' } = init;
    // A `Response` reads every kind of body, and knows its type.
    const content = body === undefined || body === null ? undefined : new own.Response(body);
    const type = content?.headers.get('content-type');
    const answer = await send(url, {
      method,
      headers: { accept: '*/*', ...(type && { 'content-type': type }), ...headersOf(init.headers) },
      ...(content !== undefined && { body: new Uint8Array(await content.arrayBuffer()) }),
      ...(signal && { signal }),
    });
    const { status, rawHeaders } = answer;
    const location = MOVED.includes(status) ? answer.headers.get('location') : null;
    if (location !== null && redirect !== 'manual') {
      if (redirect === 'error' || hops === MOST_REDIRECTS) {
        throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
      }
      await answer.arrayBuffer();
      const { body: _, ...others } = init;
      const next = SAME_METHOD.includes(status) ? init : { ...others, method: 'GET' };
      return call(new URL(location, url).href, next, hops + 1);
    }
    const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
    );
    const hasBody = method !== 'HEAD' && !NO_BODY.includes(status);
    if (!hasBody) await answer.arrayBuffer();
    const response = new own.Response(hasBody ? answer.body : null, { status, headers: pairs });
    return Object.defineProperty(response, 'url', { value: url });
  };
  return (url, init = {}) => call(url, init, 0);
}

/** The headers of a request in one of their three forms, with names in lower case. */
export function headersOf(headers: RequestInit['headers'] = {}): Record<string, string> {
  const pairs: Iterable<readonly string[]> =
    Symbol.iterator in headers ? headers : Object.entries(headers as Record<string, string>);
  return Object.fromEntries([...pairs].map(([name = '', value = '']) => [name.toLowerCase(), String(value)]));
}
