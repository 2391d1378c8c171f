/** The responses of a trace: lists are recorded as a whole, and are filtered and paged here. */
import type { Trace } from './trace.ts';

/** The response that `fetch` would return. */
export function answerFromTrace({ answers }: Pick<Trace, 'answers'>, method: string, url: URL): Response {
  if (method !== 'GET') {
    return refusal(405, 'read_only', 'this is a trace of a sandbox, which is read-only');
  }
  const found = find(answers, url);
  if (found === undefined) return refusal(404, 'not_in_trace', `the trace does not contain ${url.pathname}`);
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
  // A record of a recorded list.
  const end = pathname.lastIndexOf('/');
  const id = decodeURIComponent(pathname.slice(end + 1));
  for (const [path, answer] of Object.entries(answers)) {
    if (path.split('?', 1)[0] !== pathname.slice(0, end)) continue;
    const record = listIn(answer).find((item) => item.id === id);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The name and the records of the first list in a response. */
function listOf(answer: unknown): [string, Json[]] | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  return Object.entries(answer).find((entry): entry is [string, Json[]] => Array.isArray(entry[1]));
}

const listIn = (answer: unknown): Json[] => listOf(answer)?.[1] ?? [];

/** Parameters that select a page, not records. */
const PAGING = new Set(['limit', 'offset', 'cursor', 'before', 'since', 'starting_after', 'wait', 'points']);
/** The parameters of cursors, each with the field of the next one. */
const CURSORS = { cursor: 'cursor', before: 'older', starting_after: 'starting_after' };

function filtered(answer: unknown, params: URLSearchParams): unknown {
  const list = listOf(answer);
  if (list === undefined) return answer;
  const [name, records] = list;
  const kept = records.filter((record) =>
    [...params].every(([param, value]) => PAGING.has(param) || fits(record, param, value)),
  );
  const sent = ['offset', ...Object.keys(CURSORS)].map((param) => params.get(param) ?? '');
  const from = Number(sent.find((value) => value !== '') ?? 0);
  const upTo = Math.min(kept.length, from + Number(params.get('limit') ?? kept.length));
  const next = upTo < kept.length ? String(upTo) : '';
  const cursors = Object.values(CURSORS).filter((field) => field in (answer as Json));
  return {
    ...(answer as Json),
    ...Object.fromEntries(cursors.map((field) => [field, next])),
    [name]: kept.slice(from, upTo),
  };
}

function fits(record: Json, param: string, value: string): boolean {
  if (param === 'text') {
    const { method, path, operation, status } = record;
    return `${method} ${path} ${operation} ${status}`.toLowerCase().includes(value.toLowerCase());
  }
  if (param === 'resource') return record.resource === value || record.resource_id === value;
  const field = record[param];
  if (field === undefined) return true;
  if (value.endsWith('*')) return String(field).startsWith(value.slice(0, -1));
  if (/^[1-5]xx$/.test(value)) return String(field).startsWith(value.slice(0, 1));
  return String(field) === value;
}
