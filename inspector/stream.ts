/**
 * The live activity of the sandbox: the control plane's stream, which the visible tabs of a browser share. After an
 * interruption it continues after the last received fact. Items that arrive together are rendered together, so that a
 * burst does not freeze the page.
 */
import { effect, signal } from '@preact/signals';
import type { Client } from '../src/kit/client/client.ts';
import { isReachable, sandboxName, streamAccess, wanted } from './bank.ts';
import { createHub, type FromHub, PING_MS, type ToHub } from './stream-hub.ts';

type Listed = Awaited<ReturnType<Client['sandbox']['listActivity']>>['items'][number];
/** An item of the activity, with its number in this page and the number of the sandbox's bank. */
type Numbered<T> = T & { readonly number: number; readonly bank: number };
export type FactItem = Numbered<Extract<Listed, { type: 'fact' }>>;
export type RequestItem = Numbered<Extract<Listed, { type: 'request' }>>;
export type AttemptItem = Omit<Numbered<Extract<Listed, { type: 'attempt' }>>, 'number'> & {
  readonly number: number;
  /** The number of the attempt. */
  readonly attempt: number;
};
export type Item = FactItem | RequestItem | AttemptItem;

const MOST_ITEMS = 10_000;
/** The time between two renderings in a burst: people do not read faster, and the bank may use the same processor. */
const BETWEEN_MS = 150;
/** The same for a page in the background, which gets no frames and must not accumulate items. */
const HIDDEN_MS = 1_000;
/** A worker that does not respond for so long has ended. */
const UNANSWERED_MS = 6_000;

/** The activity since the page was opened, oldest first. */
export const items = signal<readonly Item[]>([]);
/** Counts every change, and every interruption in which changes may have been missed. */
const changes = signal(0);
/** The count at the last change of a resource, an id, `request` or `attempt`. */
const touched = new Map<string, number>();
const MOST_TOUCHED = 5_000;
/**
 * The count at which everything may have changed: a bank was replaced, a connection was lost, or the page changed
 * something.
 */
let allTouched = 0;
let allTouchedAt = 0;

function touch(about: string): void {
  touched.delete(about);
  touched.set(about, changes.peek() + 1);
  if (touched.size > MOST_TOUCHED) touched.delete(touched.keys().next().value ?? '');
}

/** Notes that everything may have changed. */
export function touchAll(): void {
  allTouchedAt = performance.now();
  allTouched = changes.peek() + 1;
  changes.value = allTouched;
}

/** Notes that everything may have changed before the stream was open. No user waits for it. */
function touchMissed(): void {
  allTouched = changes.peek() + 1;
  touch('resumed');
  changes.value = allTouched;
}

/** The time of that: the effect of a button is shown without delay. */
export const lastAsked = (): number => allTouchedAt;

/**
 * A number that grows with a change of one of these: a resource, an id, `request` or `attempt`; with every change if
 * the list is empty.
 */
export function versionOf(about: readonly string[]): number {
  const now = changes.value;
  if (about.length === 0) return now;
  return Math.max(allTouched, ...about.map((one) => touched.get(one) ?? 0));
}

/** The number that `versionOf` compares with. */
export const changesUntilNow = (): number => changes.peek();

export const streamState = signal<'opening' | 'open' | 'lost' | 'deleted'>('opening');

/** A hidden tab needs no stream. */
const isShown = signal(!document.hidden);

let number = 0;
let bank = 0;
/** The id of the last received fact, from which the stream resumes. */
let seen = '';
let followed = '';
/** Whether the page was hidden and follows the same sandbox again. */
let isAgain = false;
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
  for (const item of now) {
    if (item.type === 'fact') {
      touch(item.resource);
      touch(item.resource_id);
      touch('fact');
    } else {
      touch(item.type);
      touch(item.type === 'request' ? item.id : item.event_id);
      if (item.type === 'attempt') touch(item.webhook_id);
    }
  }
  changes.value += 1;
}

export function clearItems(): void {
  items.value = [];
}

function numbered(value: Listed): Item {
  number += 1;
  if (value.type === 'attempt') return { ...value, attempt: value.number, number, bank };
  return { ...value, number, bank };
}

function take(event: string, data: string): void {
  if (event === 'replaced') {
    bank += 1;
    touchAll();
  } else if (event === 'closed') streamState.value = 'deleted';
  else if (/^(fact|request|attempt)$/.test(event)) add(numbered(JSON.parse(data) as Listed));
}

/** A text that identifies an item within its bank. */
function identityOf(item: Item): string {
  if (item.type === 'fact') return `fact ${item.seq}`;
  return item.type === 'request'
    ? item.id
    : `${item.event_id} ${item.webhook_id} ${item.attempt} ${item.status}`;
}

/** Adds earlier activity before the received items; duplicates are removed. */
export function addHistory(listed: readonly Listed[]): void {
  const now = items.value;
  const places = new Map(now.map((item, at) => [identityOf(item), at]));
  const older = listed.map((value) => {
    const item = numbered(value);
    // An item that is already shown stays the same object.
    return now[places.get(identityOf(item)) ?? -1] ?? item;
  });
  const known = new Set(older.map(identityOf));
  const first = now.findIndex((item) => known.has(identityOf(item)));
  const isNew = (item: Item): boolean => !known.has(identityOf(item));
  const before = first < 0 ? [] : now.slice(0, first);
  items.value = [...before, ...older, ...now.slice(before.length).filter(isNew)].slice(-MOST_ITEMS);
}

/**
 * The hub of the stream: in the shared worker of all tabs, or in this page if the browser has none or its worker has
 * ended.
 */
function connect(onMessage: (message: FromHub) => void): (message: ToHub) => void {
  const address = document.getElementById('page')?.dataset.worker ?? '';
  if (typeof SharedWorker === 'undefined' || address === '') return createHub().connect(onMessage);
  let send: (message: ToHub) => void = () => {};
  let last: ToHub = { type: 'leave' };
  let answeredAt = Date.now();
  const open = (): void => {
    answeredAt = Date.now();
    const worker = new SharedWorker(address, { type: 'module' });
    worker.onerror = () => {
      send = createHub().connect(onMessage);
      clearInterval(timer);
      send(last);
    };
    worker.port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      answeredAt = Date.now();
      onMessage(data);
    };
    send = (message) => worker.port.postMessage(message);
  };
  const timer = setInterval(() => {
    if (last.type !== 'follow') return;
    // A page that was suspended gets responses late.
    if (Date.now() - answeredAt > UNANSWERED_MS) {
      send({ type: 'leave' });
      open();
      send({ ...last, since: seen });
    }
    send({ type: 'ping' });
  }, PING_MS);
  open();
  return (message) => {
    last = message;
    answeredAt = Date.now();
    send(message);
  };
}

function hear(message: FromHub): void {
  switch (message.type) {
    case 'item':
      if (message.id !== '') seen = message.id;
      take(message.event, message.data);
      return;
    case 'open':
      // Notices that are in no log were missed meanwhile.
      if (message.isResumed || streamState.peek() === 'lost' || isAgain) {
        touch('resumed');
        touchAll();
      } else if (streamState.peek() === 'opening') touchMissed();
      isAgain = false;
      streamState.value = 'open';
      isReachable.value = true;
      return;
    case 'lost':
      if (streamState.peek() === 'deleted') return;
      streamState.value = 'lost';
      if (!message.isReachable) isReachable.value = false;
      return;
    case 'wanted':
      wanted.value = message.what;
      return;
    case 'pong':
  }
}

/** Follows the shown sandbox while the page is visible: not in a hidden tab, and not after the page was left. */
export function followSandbox(): void {
  const look = (): void => {
    isShown.value = !document.hidden;
  };
  document.addEventListener('visibilitychange', look);
  // The browser may keep the page, with its connections, to go back to it.
  addEventListener('pagehide', () => {
    isShown.value = false;
  });
  addEventListener('pageshow', look);
  const send = connect(hear);
  effect(() => {
    const { key, token } = streamAccess.value;
    const place = JSON.stringify([sandboxName.value, key, token]);
    if (!isShown.value) {
      send({ type: 'leave' });
      return;
    }
    isAgain = place === followed;
    if (!isAgain) {
      followed = place;
      seen = '';
      streamState.value = 'opening';
      items.value = [];
    } else if (streamState.peek() === 'deleted') return;
    send({ type: 'follow', key, token, since: seen });
  });
}
