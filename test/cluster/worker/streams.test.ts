/** The stream of several sandboxes, each of which answers with a stream of its own. */
import { describe, expect, it } from 'vitest';
import { joinStreams, keysOfStream } from '../../../src/cluster/worker/streams.ts';
import { write } from '../../../src/sandboxes/control/stream-items.ts';

const URL_OF_STREAM = 'http://bank.example/_sandbox/stream';
const requestFor = (keys: string, headers: Record<string, string> = {}): Request =>
  new Request(URL_OF_STREAM, { headers: { 'x-sandbox-keys': keys, ...headers } });
const place = (index: number): string => write('sandbox', { index });
const refusal = (status: number, code: string): Response =>
  Response.json({ error: { code, message: 'not now', hint: '' } }, { status });

/** A stream of a sandbox, to which the test writes. */
function openSource() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    response: new Response(readable, { headers: { 'content-type': 'text/event-stream', 'x-own': '1' } }),
    write: (text: string) => writer.write(Buffer.from(text)),
    end: () => writer.close(),
    closed: writer.closed,
  };
}

/** Joins streams; `next` reads until it has as much as is expected. */
async function join(responses: readonly Response[], headers?: Record<string, string>) {
  const asked: Request[] = [];
  const keys = responses.map((_, index) => `test_${index}`);
  const response = await joinStreams(requestFor(keys.join(','), headers), keys, async (request) => {
    asked.push(request);
    return responses[asked.length - 1] as Response;
  });
  const reader = !response.ok ? undefined : response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    asked,
    response,
    leave: () => reader?.cancel(),
    async expectNext(expected: string): Promise<void> {
      let text = '';
      while (text.length < expected.length) text += (await reader?.read())?.value ?? '(the end)';
      expect(text).toBe(expected);
    },
  };
}

describe('the keys of a stream', () => {
  it.each([
    ['two', requestFor('test_a, test_b'), ['test_a', 'test_b']],
    ['one', requestFor('test_a'), ['test_a']],
    ['none', new Request(URL_OF_STREAM), []],
    ['more than the server takes', requestFor(Array(101).fill('test_a').join()), []],
    ['elsewhere', new Request('http://bank.example/', { headers: { 'x-sandbox-keys': 'a,b' } }), []],
  ])('%s', (_, request, keys) => {
    expect(keysOfStream(request)).toEqual(keys);
  });
});

describe('the streams of several sandboxes', () => {
  it('are merged, with the position of the key before each batch, and complete items', async () => {
    const [first, second] = [openSource(), openSource()];
    const { asked, response, expectNext } = await join([first.response, second.response]);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-own')).toBe('1');
    expect(asked.map(({ headers }) => headers.get('api-key'))).toEqual(['test_0', 'test_1']);
    expect(asked.some(({ headers }) => headers.has('x-sandbox-keys'))).toBe(false);
    void first.write(': one\n\n');
    await expectNext(': one\n\n');
    const item = write('fact', { seq: 1 }, '0.1');
    void second.write(`: two\n\n${item}${item}${item.slice(0, 9)}`);
    await expectNext(`${place(1)}: two\n\n${item}${item}`);
    void second.write(item.slice(9));
    await expectNext(place(1) + item);
  });

  it('continue if one ends, or is refused', async () => {
    const [first, second] = [openSource(), openSource()];
    const refused = refusal(404, 'sandbox_not_found');
    const { expectNext } = await join([first.response, refused, second.response]);
    await expectNext(place(1) + write('refused', { code: 'sandbox_not_found', message: 'not now' }));
    void first.end();
    void second.write('data: 1\n\n');
    await expectNext(`${place(2)}data: 1\n\n`);
  });

  it('are resumed each at its own position', async () => {
    const sources = [openSource(), openSource(), openSource()];
    const { asked } = await join(
      sources.map(({ response }) => response),
      { 'last-event-id': '0.7,,1.9' },
    );
    expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual(['0.7', null, '1.9']);
  });

  it('are refused together if the refusal concerns all of them', async () => {
    const { response: open, closed } = openSource();
    const { response } = await join([open, refusal(401, 'control_token_wrong')]);
    expect([response.status, await response.json()]).toMatchObject([401, { error: { message: 'not now' } }]);
    await expect(closed).rejects.toBe(undefined);
  });

  it('end with the client', async () => {
    const [first, second] = [openSource(), openSource()];
    const { leave } = await join([first.response, second.response]);
    await leave();
    await expect(first.closed).rejects.toBe(undefined);
    await expect(second.closed).rejects.toBe(undefined);
  });
});
