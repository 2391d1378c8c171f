/**
 * The stream over a real socket: facts in order and once each, even after an interruption; requests and attempts; and
 * its end with the sandbox or the server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latestSeqOf } from '../../../support/tables.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();
let url = '';
beforeAll(async () => {
  url = await http.app.server.listen({ port: 0, host: '127.0.0.1' });
});

// A connection that fetch opened in advance never had a request, so a stop would wait for it.
afterAll(() => {
  if (!IS_WORKERD) http.app.server.server.closeAllConnections();
});

interface Message {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

interface Listener {
  readonly response: Response;
  /** The next message, without comments; `undefined` at the end. */
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
    const seq = latestSeqOf(caller.sandbox);
    expect(await listener.next()).toEqual({
      id: `0.${seq}`,
      event: 'fact',
      data: {
        type: 'fact',
        seq,
        at: '2026-11-20T18:00:00Z',
        resource: 'transaction',
        resource_id: answer.id(),
        change: 'created',
        summary: {
          title: 'ACH pull',
          name: 'Harbor Supplies',
          status: 'originated',
          amount: '5.00',
          direction: 'credit',
          reason: '',
        },
        events: [
          { id: expect.stringMatching(/^evt_/), type: 'transaction.created', api_version: 'v2' },
          { id: expect.stringMatching(/^evt_/), type: 'transfer.created', api_version: 'v1' },
          { id: expect.stringMatching(/^evt_/), type: 'ach.originated.credit', api_version: 'v1' },
        ],
      },
    });
    expect(await listener.next()).toEqual({
      id: '',
      event: 'request',
      data: {
        type: 'request',
        id: answer.headers['x-request-id'],
        at: '2026-11-20T18:00:00Z',
        wall_at: expect.stringMatching(/^\d{4}-/),
        api_version: 'v2',
        method: 'POST',
        path: '/v2/payments/ach/pull',
        operation: 'v2_originate_ach_pull',
        status: 201,
        ms: expect.any(Number),
        error_code: '',
        fault: '',
        facts: { from: seq, to: seq },
      },
    });
    listener.leave();
  });

  it('sends delivery attempts', async () => {
    const caller = http.caller();
    await caller.listen();
    const listener = await listen(caller);
    await pull(caller);
    const [attempt] = await listener.take('attempt', 1);
    expect(attempt?.data).toMatchObject({
      at: '2026-11-20T18:00:00Z',
      event_type: 'transfer.created',
      number: 1,
      status: 200,
      state: 'delivered',
      error: '',
    });
    expect(attempt?.data.event_id).toMatch(/^evt_/);
    // The list of the activity has the same item.
    const { items } = (await caller.v2('GET', '/_sandbox/activity')).body as { items: object[] };
    expect(items).toContainEqual(attempt?.data);
    listener.leave();
    await caller.receivedEvents();
  });

  it('continues after the last received fact, without gaps and repetitions', async () => {
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
    expect(live?.data.seq).toBe(latestSeqOf(caller.sandbox));
    again.leave();
  });

  it('starts at the requested position, from the first fact of the bank on', async () => {
    const caller = http.caller();
    const listener = await listen(caller, '?since=0');
    const facts = await listener.take('fact', latestSeqOf(caller.sandbox));
    expect(facts.map(({ data }) => data.seq)).toEqual(facts.map((_, place) => place + 1));
    listener.leave();
    expect((await caller.v2('GET', '/_sandbox/stream?since=x')).status).toBe(400);
  });

  it('reports that the bank was replaced, and continues with the new one', async () => {
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
    expect(fact?.id).toBe(`1.${latestSeqOf(caller.sandbox)}`);
    expect(fact?.data.seq).toBe(facts[0]?.data.seq);
    listener.leave();
    // A position in the old bank has no meaning in the new one.
    const late = await listen(caller, '', { 'last-event-id': String(facts[0]?.id) });
    expect(await late.next()).toMatchObject({ event: 'replaced' });
    await pull(caller);
    expect((await late.take('fact', 1))[0]?.data.seq).toBe(latestSeqOf(caller.sandbox));
    late.leave();
  });

  it('stops listening when the client disconnects', async () => {
    const caller = http.caller();
    const { listeners } = caller.sandbox;
    const listener = await listen(caller);
    await expect.poll(() => listeners.hasListeners()).toBe(true);
    listener.leave();
    await expect.poll(() => listeners.hasListeners()).toBe(false);
  });

  it('ends when the sandbox ends', async () => {
    const caller = http.caller();
    const listener = await listen(caller);
    caller.sandbox.listeners.emit({ type: 'closed' });
    expect(await listener.next()).toMatchObject({ event: 'closed' });
    expect(await listener.next()).toBeUndefined();
  });
});

describe('a stream of several sandboxes', () => {
  it('labels the items with the position of their key, and resumes each sandbox', async () => {
    const callers = [http.caller(), http.caller()] as const;
    const keys = callers.map(({ key }) => key).join(',');
    const listener = await listen(callers[0], '', { 'x-sandbox-keys': keys });
    await pull(callers[1]);
    expect(await listener.next()).toMatchObject({ event: 'sandbox', data: { index: 1 } });
    const [fact] = await listener.take('fact', 1);
    await pull(callers[0]);
    await listener.take('sandbox', 1);
    expect((await listener.take('fact', 1))[0]?.data.seq).toBe(latestSeqOf(callers[0].sandbox));
    listener.leave();
    await pull(callers[1]);
    const again = await listen(callers[0], '', { 'x-sandbox-keys': keys, 'last-event-id': `,${fact?.id}` });
    expect(await again.next()).toMatchObject({ event: 'sandbox', data: { index: 1 } });
    expect((await again.take('fact', 1))[0]?.data.seq).toBe(Number(fact?.data.seq) + 1);
    again.leave();
  });

  it('continues with the others if a key is invalid, and refuses a list that is too long', async () => {
    const caller = http.caller();
    const headers = { 'x-sandbox-keys': `nonsense,${caller.key}` };
    const listener = await listen(caller, '', headers);
    expect(await listener.next()).toMatchObject({ event: 'sandbox', data: { index: 0 } });
    expect(await listener.next()).toMatchObject({ event: 'refused', data: { code: 'sandbox_not_found' } });
    await pull(caller);
    expect(await listener.next()).toMatchObject({ event: 'sandbox', data: { index: 1 } });
    listener.leave();
    const { statusCode } = await http.app.server.inject({
      url: '/_sandbox/stream',
      headers: { 'x-sandbox-keys': Array(101).fill(caller.key).join(',') },
    });
    expect(statusCode).toBe(400);
  });
});
