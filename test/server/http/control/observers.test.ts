/**
 * The cost of observers: an item is formatted once for all of them and written in batches, and slow readers are
 * disconnected. Their number is limited.
 */
import type { Readable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { openStream } from '../../../../src/sandboxes/control/stream.ts';
import { createHub, type Sink } from '../../../../src/sandboxes/control/stream-hub.ts';
import { formatItem } from '../../../../src/sandboxes/control/stream-items.ts';
import { createObservers } from '../../../../src/sandboxes/registry/observers.ts';
import type { Notification } from '../../../../src/sandboxes/sandbox/listeners.ts';
import { createMetrics } from '../../../../src/server/http/metrics.ts';
import { useHttp } from '../support.ts';
import { openServer } from './server.ts';

const http = useHttp();

const attempt = (error = ''): Notification => ({
  type: 'attempt',
  attempt: {
    at: 0,
    webhookId: 'wh_1',
    eventId: 'evt_1',
    kind: 'card.created',
    number: 1,
    status: null,
    error,
    state: 'waiting',
  },
});

/** Stores what it receives. */
function createSink(): Sink & { readonly chunks: Buffer[]; readonly seqs: number[]; isEnded: boolean } {
  const chunks: Buffer[] = [];
  return {
    chunks,
    get seqs() {
      return [
        ...Buffer.concat(chunks)
          .toString()
          .matchAll(/"seq":(\d+)/g),
      ].map(([, seq]) => Number(seq));
    },
    isEnded: false,
    push: (chunk) => void chunks.push(chunk),
    ready: () => new Promise((resolve) => setImmediate(resolve)),
    end() {
      this.isEnded = true;
    },
  };
}

it('an item is formatted once for all observers, in one buffer per turn', async () => {
  const { sandbox } = http.caller();
  const format = vi.fn(formatItem);
  const hub = createHub(sandbox, format);
  const sinks = [createSink(), createSink(), createSink()];
  const leaves = sinks.map((sink) => hub.join(sink, ''));
  for (let count = 0; count < 10; count += 1) sandbox.listeners.emit(attempt());
  await expect.poll(() => sinks[2]?.chunks.length).toBe(1);
  expect(format).toHaveBeenCalledTimes(10);
  expect(sinks[0]?.chunks[0]).toBe(sinks[2]?.chunks[0]);
  for (const leave of leaves) leave();
  sandbox.listeners.emit(attempt());
  expect([format.mock.calls.length, sandbox.listeners.hasListeners()]).toEqual([10, false]);
});

it('items after a batch wait for the next one', async () => {
  const { sandbox } = http.caller();
  const sink = createSink();
  const leave = createHub(sandbox).join(sink, '');
  sandbox.listeners.emit(attempt());
  await expect.poll(() => sink.chunks.length).toBe(1);
  for (let count = 0; count < 10; count += 1) {
    sandbox.listeners.emit(attempt());
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sink.chunks.length).toBeLessThan(4);
  await expect.poll(() => Buffer.concat(sink.chunks).toString().split('event: attempt').length).toBe(12);
  leave();
});

it('an observer that resumes gets each fact once during new ones', async () => {
  const caller = http.caller();
  const { sandbox } = caller;
  const sink = createSink();
  const leave = createHub(sandbox).join(sink, '0');
  for (let count = 0; count < 5; count += 1) {
    await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '5.00',
    });
  }
  const latest = sandbox.outbox.latestSeq();
  await expect.poll(() => sink.seqs.at(-1)).toBe(latest);
  expect(sink.seqs).toEqual(Array.from({ length: latest }, (_, place) => place + 1));
  leave();
});

it('an observer of an idle sandbox receives comments', async () => {
  const { sandbox } = http.caller();
  const sink = createSink();
  const leave = createHub(sandbox, formatItem, 5).join(sink, '');
  await expect.poll(() => sink.chunks.at(-1)?.toString()).toBe(': still here\n\n');
  leave();
});

it('a slow observer is disconnected and counted; the others continue', async () => {
  const { sandbox } = http.caller();
  const observers = createObservers();
  const { signal } = new AbortController();
  const open = (): Readable => openStream([{ sandbox, since: '' }], { observers, signal });
  const slow = open();
  const quick = open();
  let read = 0;
  quick.on('data', (chunk: Buffer) => {
    read += chunk.length;
  });
  for (let count = 0; count < 60; count += 1) {
    sandbox.listeners.emit(attempt('x'.repeat(1_000_000)));
    if (count % 10 === 0) await expect.poll(() => read).toBeGreaterThan(count * 1_000_000);
    if (slow.destroyed) break;
  }
  expect([slow.destroyed, quick.destroyed]).toEqual([true, false]);
  expect(observers.counts()).toEqual({ connected: 1, refused: 0, cutOff: 1 });
  quick.destroy();
  await expect.poll(() => sandbox.listeners.hasListeners()).toBe(false);
  expect(observers.counts().connected).toBe(0);
});

it('an observer above the maximum is refused with 503 until another disconnects', async () => {
  const observers = createObservers(2);
  const server = await openServer({ observers });
  const release = observers.admit();
  observers.admit();
  const { status, body } = await server.call('GET', '/_sandbox/stream');
  expect(status).toBe(503);
  expect(body.error).toMatchObject({
    code: 'observers_full',
    message: expect.stringContaining('SANDBANK_MAX_OBSERVERS'),
  });
  release();
  const url = await server.app.server.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  const answer = await fetch(`${url}/_sandbox/stream`, { signal: leaving.signal });
  expect([answer.status, observers.counts()]).toEqual([200, { connected: 2, refused: 1, cutOff: 0 }]);
  leaving.abort();
  await expect.poll(() => observers.counts().connected).toBe(1);
});

it('metrics count observers', async () => {
  const observers = createObservers(1);
  observers.admit();
  expect(() => observers.admit()).toThrow('SANDBANK_MAX_OBSERVERS');
  observers.noteCutOff();
  const { text } = await createMetrics().print(http.registry, observers);
  expect(text).toContain('sandbank_observers 1');
  expect(text).toContain('sandbank_observers_ended_total{reason="refused"} 1');
  expect(text).toContain('sandbank_observers_ended_total{reason="too_slow"} 1');
});
