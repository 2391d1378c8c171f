/**
 * The connection of the page to the bank, through the project's own client. The page records each call to show it as
 * a curl line. It asks once for the token of the control plane and for random keys, and stores them until the tab is
 * closed.
 */
import { computed, signal } from '@preact/signals';
import { type Client, createClient } from '../src/kit/client/client.ts';
import { SandbankError } from '../src/kit/client/error.ts';
import { TRACE_URL, trace } from './trace.ts';
import { answerFromTrace } from './trace-answers.ts';

/** The path of the page; the name of the sandbox follows. */
export const BASE = '/_sandbox/ui';
const MOST_CALLS = 200;
const TOKEN = 'sandbank-token';
const keyItem = (name: string): string => `sandbank-key-${name}`;

/** A call of the page. */
export interface Call {
  readonly number: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly keyHeader: string;
  readonly hasToken: boolean;
  readonly body: string;
  /** 0 while it is in progress, and without a response. */
  readonly status: number;
  readonly ms: number;
}

/** The calls, newest first. */
export const calls = signal<readonly Call[]>([]);
/** False while the server does not respond. */
export const isReachable = signal(true);
/** The values that the user has to enter before the page can continue. */
export const wanted = signal<'token' | 'key' | null>(null);

/** The sandbox of the address: `/_sandbox/ui/<name>/...`. */
export const sandboxName = signal(trace?.sandbox ?? nameIn(location.pathname));
const token = signal(sessionStorage.getItem(TOKEN) ?? '');
const keys = signal<Readonly<Record<string, string>>>({});

/** The key of the shown sandbox. */
export const apiKey = computed(
  () =>
    keys.value[sandboxName.value] ??
    sessionStorage.getItem(keyItem(sandboxName.value)) ??
    `test_${sandboxName.value}`,
);

/** The client of the shown sandbox. */
export const client = computed<Client>(() =>
  createClient({
    url: trace === null ? location.origin : TRACE_URL,
    apiKey: apiKey.value,
    ...(token.value !== '' && { controlToken: token.value }),
    fetch: remember,
  }),
);

/** Whether the value that is wanted was entered before, so it was refused. */
export const isRefused = computed(
  () =>
    (wanted.value === 'token' && token.value !== '') ||
    (wanted.value === 'key' && apiKey.value !== `test_${sandboxName.value}`),
);

/** The credentials of the stream. */
export const streamAccess = computed(() => ({ key: apiKey.value, token: token.value }));

export function nameIn(path: string): string {
  return decodeURIComponent(path.slice(BASE.length).split('/')[1] || 'default');
}

/** Stores the entered token or key, and retries. */
export function give(what: 'token' | 'key', text: string): void {
  if (what === 'token') {
    sessionStorage.setItem(TOKEN, text);
    token.value = text;
  } else {
    sessionStorage.setItem(keyItem(sandboxName.value), text);
    keys.value = { ...keys.value, [sandboxName.value]: text };
  }
  wanted.value = null;
}

/** Stores the key of a new sandbox. */
export function keepKey(name: string, key: string): void {
  sessionStorage.setItem(keyItem(name), key);
  keys.value = { ...keys.value, [name]: key };
}

/** Creates the sandbox of the address, and shows it. */
export async function makeSandbox(): Promise<void> {
  const { name, key } = await client.value.sandbox.createSandbox({ body: { name: sandboxName.value } });
  keepKey(name, key);
  location.reload();
}

const UNKNOWN =
  'This sandbox has no such record. A reset may have removed it, or it belongs to another sandbox.';

/** The error in one sentence, with the advice of the bank. */
export function explain(error: unknown): { title: string; advice: string } {
  if (error instanceof SandbankError) {
    const { status, message, hint, field } = error;
    const title = message.replace(/^\S+ \S+: \d+ \S+ ?/, '') || message;
    if (status === 404) return { title, advice: UNKNOWN };
    if (hint === 'id') return { title, advice: 'Copy the whole id, with its prefix.' };
    // The control plane sends the name of a wrong field as its hint.
    const name = field || (/\s/.test(hint) ? '' : hint);
    return { title, advice: name === '' ? hint : `Field: ${name}` };
  }
  return { title: error instanceof Error ? error.message : String(error), advice: '' };
}

/** Sends a request like a program: it is in the journal, and faults apply to it. */
export function sendRequest({
  method,
  path,
  body,
  type,
  idempotencyKey,
}: {
  method: string;
  path: string;
  body: BodyInit | undefined;
  type: string;
  idempotencyKey: string;
}): Promise<Response> {
  const isV1 = path.startsWith('/v1/');
  const headers = {
    [isV1 ? 'sd-api-key' : 'api-key']: apiKey.value,
    ...(body !== undefined && { 'content-type': type || 'application/json' }),
    ...(idempotencyKey !== '' && { [isV1 ? 'sd-idempotency-key' : 'idempotency-key']: idempotencyKey }),
    ...(path.startsWith('/_sandbox') && token.value !== '' && { 'x-control-token': token.value }),
  };
  return remember(path, { method, headers, ...(body !== undefined && { body }) }, false);
}

let made = 0;
let admit = (): void => {};
/**
 * Fulfilled when the control plane has answered for the shown sandbox. No other call is sent before, because the page
 * shows nothing of a bank whose token it does not have.
 */
const admitted = new Promise<void>((resolve) => {
  admit = resolve;
});

async function remember(
  input: RequestInfo | URL,
  init: RequestInit = {},
  isObserver = true,
): Promise<Response> {
  const url = new URL(String(input), location.origin);
  if (trace !== null) return answerFromTrace(trace, init.method ?? 'GET', url);
  const isControl = url.pathname.startsWith('/_sandbox');
  if (!isControl) await admitted;
  const headers = new Headers(init.headers);
  // A read of the page is not in the journal and uses no id, and no call creates a sandbox.
  if (isObserver) headers.set('x-sandbox-observer', 'inspector');
  const begun = performance.now();
  const keyHeader = headers.has('sd-api-key') ? 'sd-api-key' : 'api-key';
  made += 1;
  const call: Call = {
    number: made,
    at: Date.now(),
    method: init.method ?? 'GET',
    path: url.pathname + url.search,
    key: headers.get(keyHeader) ?? '',
    keyHeader,
    hasToken: headers.has('x-control-token'),
    body: typeof init.body === 'string' ? init.body : '',
    status: 0,
    ms: 0,
  };
  const note = (status: number): void => {
    const done = { ...call, status, ms: Math.round(performance.now() - begun) };
    calls.value = [done, ...calls.value].slice(0, MOST_CALLS);
  };
  try {
    const answer = await fetch(input, { ...init, headers });
    isReachable.value = true;
    note(answer.status);
    // A call that was sent before the token was entered says nothing about it.
    const isCurrent = (headers.get('x-control-token') ?? '') === token.value;
    if (!isControl) return answer;
    if (answer.status === 401 && isCurrent) wanted.value = 'token';
    // The stream reports the deletion of the sandbox of the page; a read that is late asks for nothing.
    const isLate = call.method === 'GET' && isObserver && hasAnswered;
    if (answer.status === 404 && !isLate) await noticeMissing(answer.clone());
    if (answer.ok) {
      hasAnswered = true;
      admit();
    }
    return answer;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') {
      isReachable.value = false;
      note(0);
    }
    throw error;
  }
}

/** Whether the sandbox of the page has existed since the page was opened. */
let hasAnswered = false;

/** The key `test_<name>` does not open a sandbox with a random key. */
async function noticeMissing(answer: Response): Promise<void> {
  const body = (await answer.json().catch(() => ({}))) as { error?: { code?: string } };
  if (body.error?.code === 'sandbox_not_found') wanted.value = 'key';
}

/** The call as a line for a shell; secrets are variables. */
export function curlOf({ method, path, key, keyHeader, hasToken, body }: Call): string {
  const parts = [`curl -s ${quote(location.origin + path)}`];
  if (method !== (body === '' ? 'GET' : 'POST')) parts.push(`-X ${method}`);
  if (key !== '')
    parts.push(
      isSecret(key) ? `-H "${keyHeader}: $SANDBANK_API_KEY"` : `-H ${quote(`${keyHeader}: ${key}`)}`,
    );
  if (hasToken) parts.push('-H "x-control-token: $SANDBANK_CONTROL_TOKEN"');
  if (body !== '') parts.push(`--json ${quote(body)}`);
  return parts.join(' ');
}

/** True for a key that cannot be derived from the name of its sandbox. */
function isSecret(key: string): boolean {
  return key !== `test_${sandboxName.value}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
