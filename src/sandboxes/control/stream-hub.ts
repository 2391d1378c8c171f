/**
 * One hub for each observed sandbox. It formats an item once for all observers, and only while there are observers.
 * It writes in batches: all observers get the same buffer, at most every 50 ms. An observer that resumes first reads
 * the log of facts separately, and then joins the others.
 */
import type { Notification } from '../sandbox/listeners.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { formatItem } from './stream-items.ts';

/** The output of an observer. */
export interface Sink {
  push(chunk: Buffer): void;
  /** Resolves when there is room for more, and on another turn of the event loop. */
  ready(): Promise<void>;
  /** The sandbox was deleted. */
  end(): void;
}

export interface Hub {
  /** Sends the items from now on, or after the fact with the id `since`, until the returned function is called. */
  join(sink: Sink, since: string): () => void;
}

/** The time between two batches. Nobody reads faster, and fewer writes leave more time for payments. */
const BETWEEN_MS = 50;
const HEARTBEAT_MS = 15_000;
/** Facts that are read from the log in one turn. */
const STRETCH = 200;
const STILL_HERE = Buffer.from(': still here\n\n');

/** The part of the log that an observer still has to read. */
interface CatchUp {
  seq: number;
  /** Items since then that are in no log. */
  held: string[];
}

const hubs = new WeakMap<Sandbox, Hub>();

/** The hub of a sandbox; it listens while it has observers. */
export function hubOf(sandbox: Sandbox): Hub {
  let hub = hubs.get(sandbox);
  if (hub === undefined) {
    hub = createHub(sandbox);
    hubs.set(sandbox, hub);
  }
  return hub;
}

/** A hub; `format` writes an item. */
export function createHub(sandbox: Sandbox, format = formatItem, heartbeatMs = HEARTBEAT_MS): Hub {
  const live = new Set<Sink>();
  const behind = new Map<Sink, CatchUp>();
  let pending: Notification[] = [];
  let isScheduled = false;
  let bank = 0;
  /** The last fact that was sent or is pending. */
  let seq = 0;
  let stop: (() => void) | undefined;

  const flush = (): void => {
    if (pending.length === 0) return;
    const items = pending;
    pending = [];
    const texts = items.map((item) => format(item, bank));
    if (live.size > 0) {
      const batch = Buffer.from(texts.join(''));
      for (const sink of live) sink.push(batch);
    }
    // The facts among them are in the log.
    if (behind.size > 0) {
      const others = texts.filter((_, place) => items[place]?.type !== 'fact');
      for (const { held } of behind.values()) held.push(...others);
    }
  };
  const turn = (): void => {
    isScheduled = pending.length > 0;
    try {
      flush();
    } catch {
      // An observer can resume; its failure must not end the process.
      for (const sink of [...live, ...behind.keys()]) sink.end();
    }
    // The first item after a pause is sent at once, the next ones together.
    if (isScheduled) setTimeout(turn, BETWEEN_MS);
  };

  const take = (item: Notification): void => {
    if (item.type === 'replaced') {
      // Pending items belong to the old bank. The log of the new bank has its own numbers.
      flush();
      bank = sandbox.bankNumber;
      seq = sandbox.outbox.latestSeq();
      for (const one of behind.values()) one.seq = seq;
    }
    if (item.type === 'fact') {
      if (item.fact.seq <= seq) return;
      seq = item.fact.seq;
    }
    pending.push(item);
    if (item.type === 'closed') {
      flush();
      for (const sink of [...live, ...behind.keys()]) {
        for (const text of behind.get(sink)?.held ?? []) sink.push(Buffer.from(text));
        sink.end();
      }
      return;
    }
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  };

  const start = (): void => {
    bank = sandbox.bankNumber;
    seq = sandbox.outbox.latestSeq();
    const unlisten = sandbox.listeners.listen(take);
    const heartbeat = setInterval(() => {
      for (const sink of live) sink.push(STILL_HERE);
    }, heartbeatMs);
    heartbeat.unref();
    stop = () => {
      unlisten();
      clearInterval(heartbeat);
      pending = [];
      stop = undefined;
    };
  };

  const goLive = (sink: Sink): void => {
    flush();
    const held = behind.get(sink)?.held ?? [];
    behind.delete(sink);
    live.add(sink);
    if (held.length > 0) sink.push(Buffer.from(held.join('')));
  };
  const catchUp = async (sink: Sink, state: CatchUp): Promise<void> => {
    while (behind.get(sink) === state) {
      if (state.seq >= seq) {
        goLive(sink);
        return;
      }
      let text = '';
      const upTo = Math.min(state.seq + STRETCH, seq);
      while (state.seq < upTo) {
        state.seq += 1;
        const fact = sandbox.outbox.fact(state.seq);
        if (fact !== undefined) text += format({ type: 'fact', fact }, bank);
      }
      if (text !== '') sink.push(Buffer.from(text));
      await sink.ready();
    }
  };

  return {
    join(sink, since) {
      if (stop === undefined) start();
      const leave = (): void => {
        live.delete(sink);
        behind.delete(sink);
        if (live.size + behind.size === 0) stop?.();
      };
      const [, ofBank, after] = /^(?:(\d+)\.)?(\d+)$/.exec(since) ?? [];
      if (after === undefined) goLive(sink);
      else if (ofBank !== undefined && Number(ofBank) !== bank) {
        // The facts of a previous bank no longer exist.
        sink.push(Buffer.from(format({ type: 'replaced' }, bank)));
        goLive(sink);
      } else {
        const state = { seq: Math.min(Number(after), seq), held: [] };
        behind.set(sink, state);
        // A bank that cannot be read ends the stream; the client resumes when it can.
        catchUp(sink, state).catch(() => sink.end());
      }
      return leave;
    },
  };
}
