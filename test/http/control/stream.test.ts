/**
 * The stream as a listener reads it off a real socket: facts in order and each once, also after it was cut off; requests
 * and attempts as they come; and an end when the sandbox or the server ends.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { streamNotices } from '../../../src/api/control/stream.ts';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();
let url = '';
beforeAll(async () => {
  url = await http.app.server.listen({ port: 0, host: '127.0.0.1' });
});

interface Message {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

interface Listener {
  readonly response: Response;
  /** The next message, comments left out; `undefined` at the end. */
  next(): Promise<Message | undefined>;
  /** The next `count` messages of a kind. */
  take(event: string, count: number): Promise<Message[]>;
  leave(): void;
}

async function listen(caller: Caller, query = '', headers: Record<string, string> = {}): Promise<Listener> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/_sandbox/stream${query}`, {
    headers: { 'api-key': caller.key, ...headers },
    signal: leaving.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  const next = async (): Promise<Message | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
        if (!block.startsWith(':'))
          return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
        continue;
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    response,
    next,
    async take(event, count) {
      const taken: Message[] = [];
      while (taken.length < count) {
        const message = await next();
        if (message === undefined) throw new Error(`the stream ended after ${taken.length} of ${count}`);
        if (message.event === event) taken.push(message);
      }
      return taken;
    },
    leave: () => leaving.abort(),
  };
}

const pull = (caller: Caller) =>
  caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '5.00',
  });

describe('the stream', () => {
  it('sends a payment: its fact with the kinds of both versions, then its request', async () => {
    const caller = http.caller();
    const listener = await listen(caller);
    expect(listener.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(listener.response.headers.get('access-control-allow-origin')).toBeNull();
    const answer = await pull(caller);
    const seq = caller.sandbox.outbox.latestSeq();
    expect(await listener.next()).toEqual({
      id: `0.${seq}`,
      event: 'fact',
      data: {
        seq,
        at: '2026-11-20T18:00:00Z',
        resource: 'transaction',
        resource_id: answer.id(),
        change: 'created',
        events: [
          { id: expect.stringMatching(/^evt_/), kind: 'transaction.created', generation: 'v2' },
          { id: expect.stringMatching(/^evt_/), kind: 'transfer.created', generation: 'v1' },
          { id: expect.stringMatching(/^evt_/), kind: 'ach.originated.credit', generation: 'v1' },
        ],
      },
    });
    expect(await listener.next()).toEqual({
      id: '',
      event: 'request',
      data: {
        id: answer.headers['x-request-id'],
        at: '2026-11-20T18:00:00Z',
        method: 'POST',
        path: '/v2/payments/ach/pull',
        operation: 'v2_originate_ach_pull',
        status: 201,
        ms: expect.any(Number),
        fault: '',
        facts: { from: seq, to: seq },
      },
    });
    listener.leave();
  });

  it('sends the attempts to deliver', async () => {
    const caller = http.caller();
    await caller.listen();
    const listener = await listen(caller);
    await pull(caller);
    const [attempt] = await listener.take('attempt', 1);
    expect(attempt?.data).toMatchObject({
      at: '2026-11-20T18:00:00Z',
      number: 1,
      status: 200,
      state: 'delivered',
      error: '',
    });
    expect(attempt?.data.event_id).toMatch(/^evt_/);
    listener.leave();
    await caller.receivedEvents();
  });

  it('goes on after the last fact that was seen, without a gap and without a repetition', async () => {
    const caller = http.caller();
    const first = await listen(caller);
    for (let count = 0; count < 3; count += 1) await pull(caller);
    const seen = await first.take('fact', 2);
    first.leave();
    for (let count = 0; count < 3; count += 1) await pull(caller);
    const last = String(seen[1]?.id);
    const again = await listen(caller, '', { 'last-event-id': last });
    const rest = await again.take('fact', 4);
    const seqs = [...seen, ...rest].map(({ data }) => Number(data.seq));
    expect(seqs).toEqual(seqs.map((_, place) => (seqs[0] ?? 0) + place));
    await pull(caller);
    const [live] = await again.take('fact', 1);
    expect(live?.data.seq).toBe(caller.sandbox.outbox.latestSeq());
    again.leave();
  });

  it('begins at the given position, from the first fact of the bank on', async () => {
    const caller = http.caller();
    const listener = await listen(caller, '?since=0');
    const facts = await listener.take('fact', caller.sandbox.outbox.latestSeq());
    expect(facts.map(({ data }) => data.seq)).toEqual(facts.map((_, place) => place + 1));
    listener.leave();
    expect((await caller.v2('GET', '/_sandbox/stream?since=x')).status).toBe(400);
  });

  it('says that the bank was exchanged, and goes on with the new one', async () => {
    const caller = http.caller();
    const listener = await listen(caller);
    const seeded = caller.sandbox.image();
    await pull(caller);
    await pull(caller);
    const facts = await listener.take('fact', 2);
    caller.sandbox.replaceWith(seeded);
    await listener.take('replaced', 1);
    await pull(caller);
    const [fact] = await listener.take('fact', 1);
    expect(fact?.id).toBe(`1.${caller.sandbox.outbox.latestSeq()}`);
    expect(fact?.data.seq).toBe(facts[0]?.data.seq);
    listener.leave();
    // What was seen of the old bank says nothing about the new one.
    const late = await listen(caller, '', { 'last-event-id': String(facts[0]?.id) });
    await pull(caller);
    expect((await late.take('fact', 1))[0]?.data.seq).toBe(caller.sandbox.outbox.latestSeq());
    late.leave();
  });

  it('stops listening when the client disconnects', async () => {
    const caller = http.caller();
    const listener = await listen(caller);
    await expect.poll(() => caller.sandbox.notices.hasListeners()).toBe(true);
    listener.leave();
    await expect.poll(() => caller.sandbox.notices.hasListeners()).toBe(false);
  });

  it('ends when the sandbox does', async () => {
    const caller = http.caller();
    const listener = await listen(caller);
    caller.sandbox.notices.emit({ type: 'closed' });
    expect(await listener.next()).toMatchObject({ event: 'closed' });
    expect(await listener.next()).toBeUndefined();
  });
});

describe('the text of the stream', () => {
  it('is kept alive by comments while nothing happens', async () => {
    const { sandbox } = http.caller();
    const ending = new AbortController();
    const text = streamNotices(sandbox, { since: '', signal: ending.signal, heartbeatMs: 5 });
    expect((await text.next()).value).toBe(`: ${sandbox.name}\n\n`);
    expect((await text.next()).value).toBe(': still here\n\n');
    ending.abort();
    expect((await text.next()).done).toBe(true);
    expect(sandbox.notices.hasListeners()).toBe(false);
  });

  it('ends for a listener that cannot keep up', async () => {
    const { sandbox } = http.caller();
    const text = streamNotices(sandbox, {
      since: '',
      signal: new AbortController().signal,
      heartbeatMs: 1000,
    });
    await text.next();
    for (let count = 0; count <= 10_000; count += 1) sandbox.notices.emit({ type: 'replaced' });
    expect((await text.next()).done).toBe(true);
    expect(sandbox.notices.hasListeners()).toBe(false);
  });
});
