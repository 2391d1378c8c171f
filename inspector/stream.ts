/**
 * What happens in the sandbox, as it happens: the control plane's stream, read with `fetch` because it needs headers. A
 * lost connection is opened again after the last fact that was seen. What comes within a moment is shown at once,
 * so a burst does not freeze the page.
 */
import { effect, signal } from '@preact/signals';
import { createParser } from 'eventsource-parser';
import { isReachable, sandboxName, streamHeaders, wanted } from './bank.ts';

export interface FactItem {
  readonly type: 'fact';
  readonly number: number;
  /** Counts the banks that the sandbox had: each numbers its facts from 1. */
  readonly bank: number;
  readonly seq: number;
  readonly at: string;
  readonly resource: string;
  readonly resource_id: string;
  readonly change: string;
  readonly events: readonly {
    readonly id: string;
    readonly kind: string;
    readonly generation: 'v1' | 'v2';
  }[];
}
export interface RequestItem {
  readonly type: 'request';
  readonly number: number;
  readonly bank: number;
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly ms: number;
  readonly fault: string;
  /** The facts that it wrote, by their `seq`. */
  readonly facts: { readonly from: number; readonly to: number } | null;
}
export interface AttemptItem {
  readonly type: 'attempt';
  readonly number: number;
  readonly at: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly kind: string;
  /** Which attempt of the delivery. */
  readonly attempt: number;
  readonly status: number | null;
  readonly error: string;
  readonly state: string;
}
export type Item = FactItem | RequestItem | AttemptItem;

const MOST_ITEMS = 10_000;
/** Between two pictures of a burst: nobody reads faster, and the bank may work on the same processor. */
const BETWEEN_MS = 150;
/** A page in the background gets no frames, and must not pile up either. */
const HIDDEN_MS = 1_000;
const RETRY_MS = [250, 500, 1_000, 2_000, 5_000];

/** What happened since the page was opened, oldest first. */
export const items = signal<readonly Item[]>([]);
/** Counts up when facts came, a bank was replaced, or the connection was lost for a while. */
export const changes = signal(0);
export const streamState = signal<'opening' | 'open' | 'lost' | 'deleted'>('opening');

/** A browser opens six connections to a host, so a tab that nobody sees must not keep one. */
const isShown = signal(!document.hidden);

let number = 0;
let bank = 0;
/** Of the last fact that was seen: from there the stream resumes. */
let seen = '';
let followed = '';
let waiting: Item[] = [];
let scheduled = false;
let shownAt = 0;

function add(item: Item): void {
  waiting.push(item);
  if (scheduled) return;
  scheduled = true;
  if (document.hidden) setTimeout(show, HIDDEN_MS);
  else if (performance.now() - shownAt > BETWEEN_MS) requestAnimationFrame(show);
  else setTimeout(() => requestAnimationFrame(show), BETWEEN_MS);
}

function show(): void {
  scheduled = false;
  shownAt = performance.now();
  const now = waiting;
  waiting = [];
  items.value = [...items.value, ...now].slice(-MOST_ITEMS);
  changes.value += 1;
}

export function clearItems(): void {
  items.value = [];
}

async function read(headers: Record<string, string>, isResumed: boolean, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  for (let tries = 0; !signal.aborted; ) {
    try {
      const answer = await fetch('/_sandbox/stream', {
        headers: { ...headers, ...(seen !== '' && { 'last-event-id': seen }) },
        signal,
      });
      if (answer.status === 401) wanted.value = 'token';
      if (answer.status === 404) wanted.value = 'key';
      if (!answer.ok || answer.body === null)
        throw new Error(`the stream was answered with ${answer.status}`);
      // What is in no log was missed meanwhile.
      if (streamState.value === 'lost' || (isFirst && isResumed)) changes.value += 1;
      isFirst = false;
      streamState.value = 'open';
      isReachable.value = true;
      tries = 0;
      const parser = createParser({
        onEvent: ({ event, data, id }) => {
          if (id !== undefined) seen = id;
          take(event ?? '', data);
        },
      });
      const decoder = new TextDecoder();
      for await (const chunk of answer.body) parser.feed(decoder.decode(chunk, { stream: true }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof TypeError) isReachable.value = false;
    }
    if (signal.aborted || streamState.value === 'deleted') return;
    streamState.value = 'lost';
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]));
    tries += 1;
  }
}

function take(event: string, data: string): void {
  number += 1;
  const value = JSON.parse(data) as Record<string, unknown>;
  if (event === 'fact') add({ ...value, type: 'fact', number, bank } as FactItem);
  else if (event === 'request') add({ ...value, type: 'request', number, bank } as RequestItem);
  else if (event === 'attempt') {
    add({ ...value, attempt: value.number, type: 'attempt', number } as unknown as AttemptItem);
  } else if (event === 'replaced') {
    bank += 1;
    changes.value += 1;
  } else if (event === 'closed') streamState.value = 'deleted';
}

/** Follows the sandbox on show while the page is seen: not in a hidden tab, nor after the page was left. */
export function followSandbox(): void {
  const look = (): void => {
    isShown.value = !document.hidden;
  };
  document.addEventListener('visibilitychange', look);
  // The page may be kept to go back to, with its connections.
  addEventListener('pagehide', () => {
    isShown.value = false;
  });
  addEventListener('pageshow', look);
  effect(() => {
    const headers = streamHeaders.value;
    const place = JSON.stringify([sandboxName.value, headers]);
    if (!isShown.value) return undefined;
    const isResumed = place === followed;
    if (!isResumed) {
      followed = place;
      seen = '';
      streamState.value = 'opening';
      items.value = [];
    } else if (streamState.peek() === 'deleted') return undefined;
    const controller = new AbortController();
    void read(headers, isResumed, controller.signal);
    return () => controller.abort();
  });
}
