/**
 * The data of a trace: a file that holds this page and the answers of one sandbox at one moment. The page reads from them and
 * calls no server. A list that was recorded whole answers its filters here.
 */
import { useHashLocation } from 'wouter-preact/use-hash-location';

export interface Trace {
  readonly sandbox: string;
  readonly made_at: string;
  readonly program: string;
  readonly test: string;
  readonly error: string;
  /** By path and query. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The address that the client calls in place of a server. */
export const TRACE_URL = 'http://trace.invalid';

/** The trace in this page; `null` where the page was loaded from a bank. */
export const trace: Trace | null = await readTrace();

async function readTrace(): Promise<Trace | null> {
  const data = document.getElementById('trace')?.textContent;
  if (data == null) return null;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  return (await text.json()) as Trace;
}

/** A file has one path, so the view is in the fragment. A link without a query ends the filters of the view before. */
export const useTraceLocation = Object.assign(
  (): ReturnType<typeof useHashLocation> => {
    const [path, go] = useHashLocation();
    return [path, (to, options) => go(to.includes('?') ? to : `${to}?`, options)];
  },
  { hrefs: (href: string) => `#${href}` },
);

/** What `fetch` would have answered. */
export function answerFromTrace({ answers }: Trace, method: string, url: URL): Response {
  if (method !== 'GET') {
    return refusal(405, 'read_only', 'this is a trace of a sandbox: it can be read and not changed');
  }
  const found = find(answers, url);
  if (found === undefined) return refusal(404, 'not_in_trace', `the trace does not hold ${url.pathname}`);
  return new Response(JSON.stringify(found), { headers: { 'content-type': 'application/json' } });
}

function refusal(status: number, code: string, message: string): Response {
  const body = JSON.stringify({ error: { code, message, hint: '' } });
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

type Json = Record<string, unknown>;

function find(answers: Trace['answers'], { pathname, search, searchParams }: URL): unknown {
  const exact = answers[pathname + search];
  if (exact !== undefined) return exact;
  const own = Object.keys(answers).filter((path) => path.split('?', 1)[0] === pathname);
  const widest = own.toSorted((a, b) => listIn(answers[b]).length - listIn(answers[a]).length)[0];
  if (widest !== undefined) return filtered(answers[widest], searchParams);
  // One record of a list that was recorded.
  const end = pathname.lastIndexOf('/');
  const id = decodeURIComponent(pathname.slice(end + 1));
  for (const [path, answer] of Object.entries(answers)) {
    if (path.split('?', 1)[0] !== pathname.slice(0, end)) continue;
    const record = listIn(answer).find((item) => item.id === id);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The name and the records of the first list in an answer. */
function listOf(answer: unknown): [string, Json[]] | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  return Object.entries(answer).find((entry): entry is [string, Json[]] => Array.isArray(entry[1]));
}

const listIn = (answer: unknown): Json[] => listOf(answer)?.[1] ?? [];

/** Parameters that choose a page, and not records. */
const PAGING = new Set(['limit', 'offset', 'cursor', 'before', 'since', 'starting_after', 'wait', 'points']);

function filtered(answer: unknown, params: URLSearchParams): unknown {
  const list = listOf(answer);
  if (list === undefined) return answer;
  const [name, records] = list;
  // What comes after the recorded page is not there.
  if (['offset', 'cursor', 'before', 'starting_after'].some((one) => (params.get(one) ?? '0') !== '0')) {
    return { ...(answer as Json), [name]: [], cursor: '' };
  }
  const kept = records.filter((record) =>
    [...params].every(([param, value]) => PAGING.has(param) || fits(record, param, value)),
  );
  return { ...(answer as Json), [name]: kept.slice(0, Number(params.get('limit') ?? kept.length)) };
}

function fits(record: Json, param: string, value: string): boolean {
  if (param === 'resource') return record.resource === value || record.resource_id === value;
  const field = record[param];
  if (field === undefined) return true;
  if (value.endsWith('*')) return String(field).startsWith(value.slice(0, -1));
  if (/^[1-5]xx$/.test(value)) return String(field).startsWith(value.slice(0, 1));
  return String(field) === value;
}
