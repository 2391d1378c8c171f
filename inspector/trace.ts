/**
 * The data of a trace: a file with this page and the responses of one sandbox at one moment. The page reads them and
 * calls no server.
 */
import { useHashLocation } from 'wouter-preact/use-hash-location';

export interface Trace {
  readonly sandbox: string;
  readonly made_at: string;
  readonly program: string;
  readonly test: string;
  readonly error: string;
  /** The responses by path and query. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The address that the client calls instead of a server. */
export const TRACE_URL = 'http://trace.invalid';

/** The trace in this page; `null` if the page was loaded from a bank. */
export const trace: Trace | null = await readTrace();

async function readTrace(): Promise<Trace | null> {
  const data = document.getElementById('trace')?.textContent;
  if (data == null) return null;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  return (await text.json()) as Trace;
}

/**
 * A file has one path, so the view is in the fragment. A link without a query removes the filters of the previous
 * view.
 */
export const useTraceLocation = Object.assign(
  (): ReturnType<typeof useHashLocation> => {
    const [path, go] = useHashLocation();
    return [path, (to, options) => go(to.includes('?') ? to : `${to}?`, options)];
  },
  { hrefs: (href: string) => `#${href}` },
);
