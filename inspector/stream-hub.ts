/**
 * Shares one event stream among all visible tabs of a browser, because a browser opens only six connections to a
 * host. It runs in a shared worker, or in the page if the browser has none. A tab follows the sandbox of a key, and
 * the stream contains the sandboxes of all followed keys.
 */
import { createParser } from 'eventsource-parser';

/** A message from a tab. */
export type ToHub =
  | { readonly type: 'follow'; readonly key: string; readonly token: string; readonly since: string }
  | { readonly type: 'leave' }
  | { readonly type: 'ping' };

/** A message to a tab. `resumed`: notices that are in no log may have been missed meanwhile. */
export type FromHub =
  | { readonly type: 'pong' }
  | { readonly type: 'open'; readonly isResumed: boolean }
  | { readonly type: 'lost'; readonly isReachable: boolean }
  | { readonly type: 'wanted'; readonly what: 'token' | 'key' }
  | { readonly type: 'item'; readonly event: string; readonly data: string; readonly id: string };

interface Follower {
  readonly post: (message: FromHub) => void;
  readonly key: string;
  readonly token: string;
  /** The id of the last fact that it received. */
  seen: string;
  /** Facts up to this one are skipped, because they are repeated for another follower. */
  skipTo: string;
  /** True once it was notified that the stream is open. */
  isTold: boolean;
  /** The time of its last message. */
  heardAt: number;
  /** Whether it sent nothing for too long: it is closed, or stopped in a debugger. */
  isSilent: boolean;
}

/** A stream that is open or being opened, and its sandboxes. */
interface Source {
  readonly keys: readonly string[];
  readonly controller: AbortController;
  isOpen: boolean;
}

/** Tabs that open or close together cause one new stream. */
const GATHER_MS = 20;
const RETRY_MS = [250, 500, 1_000, 2_000, 5_000];
/** How often a tab sends a sign of life, and the silence after which it counts as closed. */
export const PING_MS = 2_000;
const SILENCE_MS = 20_000;

const compare = (left: string, right: string): number => {
  const [a, b] = [left, right].map((id) => id.split('.').map(Number));
  return (a?.[0] ?? 0) - (b?.[0] ?? 0) || (a?.[1] ?? 0) - (b?.[1] ?? 0);
};

export interface Hub {
  /** Connects a tab, which receives messages through `post`. Returns the function for the messages of the tab. */
  connect(post: (message: FromHub) => void): (message: ToHub) => void;
}

/** The tabs that follow a sandbox, in groups that share a stream. */
function createFollowers() {
  const all = new Set<Follower>();
  /** Keys that the shared stream cannot contain, for example because the file of their sandbox cannot be used. */
  const apart = new Set<string>();

  const groupOf = ({ key, token }: Follower): string =>
    JSON.stringify(apart.has(key) ? [token, key] : [token]);
  const membersOf = (group: string): Follower[] => [...all].filter((one) => groupOf(one) === group);
  const membersWith = (group: string, key: string): Follower[] =>
    membersOf(group).filter((one) => one.key === key);

  /** The position from which the facts of a key are needed: the first fact that one of its tabs has not received. */
  const sinceOf = (group: string, key: string): string => {
    const members = membersWith(group, key);
    const since = members
      .map(({ seen }) => seen)
      .filter((seen) => seen !== '')
      .toSorted(compare)[0];
    for (const one of members) one.skipTo = since !== undefined && one.seen !== since ? one.seen : '';
    return since ?? '';
  };

  return {
    all,
    apart,
    groupOf,
    membersOf,
    membersWith,
    headersOf(group: string, keys: readonly string[]): Record<string, string> {
      const [token = ''] = JSON.parse(group) as string[];
      const seen = keys.map((key) => sinceOf(group, key)).join(',');
      return {
        'x-sandbox-keys': keys.join(','),
        'x-sandbox-observer': 'inspector',
        // If its sandbox cannot be used, the call is refused and repeated.
        ...(keys.length === 1 && { 'api-key': keys[0] ?? '' }),
        ...(token !== '' && { 'x-control-token': token }),
        ...(seen !== '' && { 'last-event-id': seen }),
      };
    },
  };
}

/** The handlers of a reader of a stream. */
interface StreamReader {
  readonly keys: readonly string[];
  readonly signal: AbortSignal;
  headers(): Record<string, string>;
  onAnswer(status: number): void;
  onOpen(): void;
  onItem(key: string, event: string, data: string, id: string): void;
  onLost(isReachable: boolean): void;
}

/** Reads a stream until its signal aborts, and opens it again after each interruption. */
async function readStream(reader: StreamReader): Promise<void> {
  const { keys, signal } = reader;
  for (let tries = 0; !signal.aborted; tries += 1) {
    let isReachable = true;
    try {
      const answer = await fetch('/_sandbox/stream', { headers: reader.headers(), signal });
      reader.onAnswer(answer.status);
      if (!answer.ok || answer.body === null) throw new Error(`the stream answered ${answer.status}`);
      tries = 0;
      reader.onOpen();
      let key = keys[0] ?? '';
      const parser = createParser({
        onEvent: ({ event = '', data, id = '' }) => {
          if (event === 'sandbox') key = keys[(JSON.parse(data) as { index: number }).index] ?? '';
          else if (!signal.aborted) reader.onItem(key, event, data, id);
        },
      });
      const decoder = new TextDecoder();
      for await (const chunk of answer.body) parser.feed(decoder.decode(chunk, { stream: true }));
    } catch (error) {
      if (signal.aborted) return;
      isReachable = !(error instanceof TypeError);
    }
    if (signal.aborted) return;
    reader.onLost(isReachable);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]));
  }
}

function tellOpen(one: Follower, isResumed: boolean): void {
  if (one.isTold && !isResumed) return;
  one.post({ type: 'open', isResumed: isResumed && one.isTold });
  one.isTold = true;
}

export function createHub(): Hub {
  const followers = createFollowers();
  const { groupOf, membersOf } = followers;
  const sources = new Map<string, Source>();
  const scheduled = new Set<string>();

  const refresh = (group: string): void => {
    if (scheduled.has(group)) return;
    scheduled.add(group);
    setTimeout(() => {
      scheduled.delete(group);
      update(group);
    }, GATHER_MS);
  };

  const close = (group: string): void => {
    sources.get(group)?.controller.abort();
    sources.delete(group);
  };

  /** Opens the stream of a group again if it does not contain all followed sandboxes. */
  const update = (group: string): void => {
    const members = membersOf(group);
    if (members.length === 0) {
      close(group);
      return;
    }
    const source = sources.get(group);
    const isCarried = ({ key }: Follower): boolean => source?.keys.includes(key) === true;
    const isCurrent = (one: Follower): boolean =>
      one.isTold || one.seen === '' || members.some(({ isTold, seen }) => isTold && seen === one.seen);
    const isNeeded = (key: string): boolean => members.some((one) => one.key === key);
    if (source?.keys.every(isNeeded) && members.every((one) => isCarried(one) && isCurrent(one))) {
      if (source.isOpen) for (const one of members) tellOpen(one, false);
      return;
    }
    close(group);
    const keys = [...new Set(members.map(({ key }) => key))].toSorted();
    const next: Source = { keys, controller: new AbortController(), isOpen: false };
    sources.set(group, next);
    void readStream({
      keys,
      signal: next.controller.signal,
      headers: () => followers.headersOf(group, keys),
      onAnswer: (status) => refuse(group, keys, status),
      onOpen() {
        next.isOpen = true;
        for (const one of membersOf(group)) tellOpen(one, true);
      },
      onItem: (key, event, data, id) => take(group, key, event, data, id),
      onLost(isReachable) {
        next.isOpen = false;
        for (const one of membersOf(group)) one.post({ type: 'lost', isReachable });
      },
    });
  };

  /** Drops a tab until it follows again. */
  const drop = (one: Follower): void => {
    followers.all.delete(one);
    refresh(groupOf(one));
  };

  /** Asks tabs for a missing token or key; they follow again with it. */
  const want = (what: 'token' | 'key', members: readonly Follower[]): void => {
    for (const one of members) {
      one.post({ type: 'wanted', what });
      followers.all.delete(one);
    }
  };

  const refuse = (group: string, keys: readonly string[], status: number): void => {
    if (status !== 401 && !(status === 404 && keys.length === 1)) return;
    want(status === 401 ? 'token' : 'key', membersOf(group));
    refresh(group);
  };

  const take = (group: string, key: string, event: string, data: string, id: string): void => {
    const members = followers.membersWith(group, key);
    if (event === 'refused') {
      if ((JSON.parse(data) as { code?: string }).code === 'sandbox_not_found') want('key', members);
      else {
        followers.apart.add(key);
        for (const one of members) refresh(groupOf(one));
      }
      refresh(group);
      return;
    }
    for (const one of members) {
      if (id !== '' && one.skipTo !== '' && compare(id, one.skipTo) <= 0) continue;
      one.skipTo = '';
      if (id !== '') one.seen = id;
      one.post({ type: 'item', event, data, id });
      // Following its key would create the sandbox again.
      if (event === 'closed') followers.all.delete(one);
    }
    if (event === 'closed') refresh(group);
  };

  const add = (one: Follower): void => {
    followers.all.add(one);
    refresh(groupOf(one));
  };

  // A tab that was killed sends no message.
  setInterval(() => {
    for (const one of followers.all) {
      if (Date.now() - one.heardAt <= SILENCE_MS) continue;
      one.isSilent = true;
      drop(one);
    }
  }, PING_MS);

  return {
    connect(post) {
      let own: Follower | undefined;
      return (message) => {
        if (own !== undefined) own.heardAt = Date.now();
        if (own?.isSilent) {
          Object.assign(own, { isSilent: false, isTold: false });
          add(own);
        }
        if (message.type === 'ping') post({ type: 'pong' });
        else {
          if (own !== undefined) drop(own);
          own = undefined;
        }
        if (message.type === 'follow') {
          const { key, token, since } = message;
          const fresh = { skipTo: '', isTold: false, heardAt: Date.now(), isSilent: false };
          own = { post, key, token, seen: since, ...fresh };
          add(own);
        }
      };
    },
  };
}
