/**
 * The server receives a request of the runtime as one of node:http, and the runtime gets the server's response, whole
 * or in parts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answerOf, serveWith } from '../../../src/cluster/worker/front.ts';

const ask = (
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  path = '/v2/things?a=1',
  init: RequestInit = {},
): Promise<Response> => {
  serveWith(serve);
  return answerOf(new Request(`http://bank.example${path}`, init));
};

describe('a request', () => {
  it.each([
    ['of a known size', { 'content-length': '7' }],
    ['of an unknown size', {}],
  ])('has its method, target, headers and body %s', async (_, length) => {
    const headers = { 'api-key': 'test_default', ...length };
    const response = await ask(
      (request, answer) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => void chunks.push(chunk));
        request.on('end', () => {
          const { method, url, headers: seen, complete } = request;
          const body = Buffer.concat(chunks).toString('utf8');
          answer.writeHead(201, { 'content-type': 'application/json' });
          const key = seen['api-key'];
          answer.end(JSON.stringify({ method, url, key, body, complete }));
        });
      },
      undefined,
      { method: 'POST', headers, body: '{"n":1}' },
    );
    expect([response.status, response.statusText]).toEqual([201, 'Created']);
    expect(await response.json()).toEqual({
      method: 'POST',
      url: '/v2/things?a=1',
      key: 'test_default',
      body: '{"n":1}',
      complete: true,
    });
  });

  it('without a body ends for a reader that listens for its data first', async () => {
    const response = await ask(
      (request, answer) => {
        request.on('data', () => expect.fail('there is no body'));
        request.on('end', () => answer.end('ended'));
      },
      '/',
      { method: 'DELETE', headers: { 'content-type': 'application/json' } },
    );
    expect(await response.text()).toBe('ended');
  });

  it.each([
    ['of a known size', { 'content-length': '7' }],
    ['of an unknown size', {}],
  ])('that is interrupted while its body %s is read is an error', async (_, headers) => {
    const body = new ReadableStream({
      start: (controller) => controller.error(new Error('gone')),
    });
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const response = await ask(
      (request, answer) => {
        request.on('error', (error) => answer.end(error.message));
        request.resume();
      },
      '/',
      init,
    );
    expect(await response.text()).toBe('gone');
  });
});

describe('a response', () => {
  it('has each header, several times for a list, and none of the connection', async () => {
    const { headers } = await ask((_, answer) => {
      answer.setHeader('Set-Cookie', ['a=1', 'b=2']);
      answer.setHeader('connection', 'close');
      expect([answer.hasHeader('set-cookie'), answer.getHeader('SET-COOKIE')]).toEqual([
        true,
        ['a=1', 'b=2'],
      ]);
      answer.setHeader('x-gone', '1');
      answer.removeHeader('x-gone');
      answer.end('x');
    });
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([headers.get('connection'), headers.get('x-gone')]).toEqual([null, null]);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('to %s with %i has no body', async (method, status) => {
    const response = await ask((_, answer) => void answer.writeHead(status).end('a body'), '/', { method });
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('that is written in parts arrives in parts, and ends when it ends', async () => {
    let finished = 0;
    const response = await ask((_, answer) => {
      answer.on('finish', () => {
        finished += 1;
      });
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write('one,');
      setImmediate(() => answer.end('two'));
    });
    expect(await response.text()).toBe('one,two');
    expect(finished).toBe(1);
  });

  it('without a reader makes its writer wait, and closes if it is cancelled', async () => {
    const wants: boolean[] = [];
    const closed = Promise.withResolvers<void>();
    const response = await ask((_, answer) => {
      answer.on('close', () => closed.resolve());
      wants.push(answer.write('x'), answer.write('x'.repeat(100_000)));
    });
    expect(wants).toEqual([true, false]);
    await response.body?.cancel();
    await closed.promise;
  });

  it('that fails before its head is no response, and afterwards fails its body', async () => {
    await expect(ask((_, answer) => void answer.destroy())).rejects.toThrow('closed the connection');
    const response = await ask((_, answer) => {
      answer.write('half');
      setImmediate(() => answer.destroy());
    });
    await expect(response.text()).rejects.toThrow('closed the connection');
  });
});
