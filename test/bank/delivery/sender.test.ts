// The sender against real sockets: a local server for each test, and workers that fail on purpose.

import { execFile } from 'node:child_process';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSender, type Sender, type SenderOptions } from '../../../src/bank/delivery/sender.ts';
import { createFetchSender } from '../../../src/cluster/worker/fetch-sender.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function openSender(options?: SenderOptions): Sender {
  const sender = createSender(options);
  closers.push(() => sender.close());
  return sender;
}

async function listen(listener: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const outgoing = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });

/** A worker with other code, which gets the same batches as the real one. */
const workerFrom = (onRequest: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      const answer = (id, status) => parentPort.postMessage([{ id, status, durationMs: 1, error: '', retryAfter: null }]);
      parentPort.on('message', (requests) => requests.forEach(({ id, url }) => { ${onRequest} }));
    `)}`,
  );

test('a request that cannot be passed to the thread is a failed attempt, and stops nothing', async () => {
  const result = await openSender().send({ ...outgoing('http://127.0.0.1:1/'), body: (() => {}) as never });
  expect(result).toMatchObject({ status: null, error: expect.stringContaining('the sender failed: ') });
});

const SENDERS = {
  'the thread': openSender,
  fetch: (options: Pick<SenderOptions, 'timeoutMs'> = {}) => ({ send: createFetchSender(options) }),
};

describe.each(Object.entries(SENDERS))('a sender by %s', (by, openSender) => {
  const isThread = by === 'the thread';

  describe('the request', () => {
    test('has body and headers unchanged, byte for byte', async () => {
      let arrived: { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer } | undefined;
      const { url } = await listen(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        arrived = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
        };
        response.end();
      });
      const body = `{"label":"Zoë’s €\\u0000 ${'x'.repeat(200_000)}"}`;
      const headers = {
        'content-type': 'application/json',
        'webhook-id': 'evt_1',
        'webhook-signature': 'v1,a+/= v1,b',
      };
      const outcome = await openSender().send({ url: `${url}/in/here?a=1&b=%20`, headers, body });

      expect(outcome).toMatchObject({ status: 200, error: '', retryAfter: null });
      expect(arrived).toMatchObject({ method: 'POST', path: '/in/here?a=1&b=%20', headers });
      expect(arrived?.headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(arrived?.body.equals(Buffer.from(body, 'utf8'))).toBe(true);
    });

    test('gets its own response, even with many at a time', async () => {
      const { url } = await listen((request, response) => {
        response.statusCode = Number(request.url?.slice(1));
        response.end();
      });
      const sender = openSender();
      const statuses = Array.from({ length: 50 }, (_, place) => 200 + place);
      const outcomes = await Promise.all(statuses.map((status) => sender.send(outgoing(`${url}/${status}`))));
      expect(outcomes.map(({ status }) => status)).toEqual(statuses);
    });
  });

  describe('the response', () => {
    test.each([200, 201, 204, 299, 400, 410, 500, 503])(
      'with the status %i is returned as it is',
      async (status) => {
        const { url } = await listen((_, response) => {
          response.statusCode = status;
          response.end();
        });
        const outcome = await openSender().send(outgoing(url));
        expect(outcome).toMatchObject({ status, error: '', retryAfter: null });
        expect(Number.isInteger(outcome.durationMs)).toBe(true);
      },
    );

    test.each([301, 302, 303, 307, 308])('with the redirect %i is not followed', async (status) => {
      const paths: unknown[] = [];
      const { url } = await listen((request, response) => {
        paths.push(request.url);
        response.writeHead(status, { location: '/elsewhere' }).end();
      });
      expect(await openSender().send(outgoing(`${url}/here`))).toMatchObject({ status });
      expect(paths).toEqual(['/here']);
    });

    test('has Retry-After as it was sent', async () => {
      const { url } = await listen((_, response) => response.writeHead(503, { 'retry-after': '120' }).end());
      expect(await openSender().send(outgoing(url))).toMatchObject({ status: 503, retryAfter: '120' });
    });

    test('is the final one after an informational response', async () => {
      const { url } = await listen((_, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.writeHead(202).end();
      });
      expect(await openSender().send(outgoing(url))).toMatchObject({ status: 202 });
    });

    test('has the part of the body that arrives immediately', async () => {
      const { url } = await listen((_, response) =>
        response.writeHead(500).end(`not now${'.'.repeat(10_000)}`),
      );
      const { body = '' } = await openSender().send(outgoing(url));
      expect([body.slice(0, 8), body.length]).toEqual(['not now.', 4096]);
    });

    test('requests with one ordering key are sent one after the other, in parallel with others', async () => {
      const arrived: (string | undefined)[] = [];
      const answers: (() => void)[] = [];
      const { url } = await listen((request, response) => {
        arrived.push(request.url);
        answers.push(() => response.end());
      });
      const { send } = openSender();
      const sent = ['/a1', '/a2', '/b1'].map((path) =>
        send({ ...outgoing(url + path), orderingKey: path.slice(1, 2) }),
      );
      await vi.waitFor(() => expect(arrived).toHaveLength(2), 30_000);
      expect([...arrived].sort()).toEqual(['/a1', '/b1']);
      for (const answer of answers.splice(0)) answer();
      await vi.waitFor(() => expect(arrived).toHaveLength(3), 30_000);
      for (const answer of answers) answer();
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    });

    test('a refused connection is an error', async () => {
      const { url, server } = await listen(() => {});
      await new Promise((resolve) => server.close(resolve));
      const outcome = await openSender().send(outgoing(url));
      expect(outcome).toMatchObject({ status: null, retryAfter: null });
      expect(outcome.error).toContain('ECONNREFUSED');
    });

    test('an interrupted connection is an error', async () => {
      const { url } = await listen((request) => request.socket.destroy());
      const outcome = await openSender().send(outgoing(url));
      expect(outcome.status).toBeNull();
      expect(outcome.error).not.toBe('');
    });

    test('a response that is not HTTP is an error', async () => {
      const server = createTcpServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('hello\r\n\r\n'),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closers.push(() => new Promise((resolve) => server.close(resolve)));
      const { port } = server.address() as AddressInfo;
      const outcome = await openSender().send(outgoing(`http://127.0.0.1:${port}/`));
      expect(outcome.status).toBeNull();
      expect(outcome.error).not.toBe('');
    });

    test.each([
      ['an invalid URL', { ...outgoing('not an address') }],
      ['an unsupported scheme', { ...outgoing('ftp://127.0.0.1/') }],
      ['a header that cannot be sent', { ...outgoing('http://127.0.0.1:9/'), headers: { 'a b': 'c' } }],
    ])('%s is an error', async (_, request) => {
      const outcome = await openSender().send(request);
      expect(outcome.status).toBeNull();
      expect(outcome.error).not.toBe('');
    });
  });

  describe('the time limit', () => {
    test('turns a missing response into an error, and closes the connection', async () => {
      let cut: (() => void) | undefined;
      const isCut = new Promise<void>((resolve) => {
        cut = resolve;
      });
      const { url, server } = await listen(() => {});
      // It is open as soon as the sender connects, although this busy process may see that after the time limit.
      server.on('connection', (socket) => socket.on('close', () => cut?.()));
      const outcome = await openSender({ timeoutMs: 500 }).send(outgoing(url));
      expect(outcome).toMatchObject({ status: null, error: 'no response within 500 ms', retryAfter: null });
      expect(outcome.durationMs).toBeGreaterThanOrEqual(499);
      await isCut;
    });

    test('applies to the head of a response, however long its body takes', async () => {
      const { url } = await listen((_, response) => {
        response.writeHead(200);
        response.write('the rest never comes');
      });
      expect(await openSender({ timeoutMs: 60_000 }).send(outgoing(url))).toMatchObject({ status: 200 });
    });

    test('ends a body that does not end', async () => {
      let cut: (() => void) | undefined;
      const isCut = new Promise<void>((resolve) => {
        cut = resolve;
      });
      const { url } = await listen((_, response) => {
        response.on('close', () => cut?.());
        response.writeHead(200);
        const more = () => {
          if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(more));
        };
        more();
      });
      expect(await openSender().send(outgoing(url))).toMatchObject({ status: 200 });
      await isCut;
    });

    test('of a slow request does not delay others', async () => {
      const { url } = await listen((request, response) => {
        if (request.url === '/quick') response.end();
      });
      const sender = openSender({ timeoutMs: 60_000 });
      let isSlowSettled = false;
      void sender.send(outgoing(`${url}/slow`)).then(() => {
        isSlowSettled = true;
      });
      expect(await sender.send(outgoing(`${url}/quick`))).toMatchObject({ status: 200 });
      expect(isSlowSettled).toBe(false);
    });
  });

  describe('a real-time request', () => {
    const question = (url: string, answerWithinMs = 60_000) => ({ ...outgoing(url), answerWithinMs });

    test('returns the whole response, whatever its status', async () => {
      const { url } = await listen((_, response) => {
        response.writeHead(418);
        response.write('{"status":');
        setTimeout(() => response.end('"Zoë"}'), 20);
      });
      expect(await openSender().send(question(url))).toMatchObject({
        status: 418,
        body: '{"status":"Zoë"}',
        error: '',
      });
    });

    test('has its own time limit, for the whole response', async () => {
      const { url } = await listen((_, response) => response.writeHead(200).write('the rest never comes'));
      const outcome = await openSender().send(question(url, 300));
      expect(outcome).toMatchObject({ status: null, error: 'no response within 300 ms' });
      expect(outcome).not.toHaveProperty('body');
    });

    test.each([
      [
        'is too long',
        (response: ServerResponse) => response.end('x'.repeat(64 * 1024 + 1)),
        /longer than 65536 bytes/,
      ],
      [
        'breaks off',
        (response: ServerResponse) => response.write('x', () => response.destroy()),
        isThread ? /^aborted$/ : /./,
      ],
      ['never begins', (response: ServerResponse) => response.destroy(), isThread ? /^socket hang up$/ : /./],
    ])('has no valid response if the response %s', async (_, respond, error) => {
      const { url } = await listen((_request, response) => void respond(response));
      const outcome = await openSender().send(question(url));
      expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(error) });
    });

    test('and a delivery are sent with the credentials of their URL', async () => {
      const { url } = await listen((request, response) => response.end(request.headers.authorization));
      const named = url.replace('//', '//Ada:pass%3Aword@');
      const body = `Basic ${Buffer.from('Ada:pass:word').toString('base64')}`;
      expect(await openSender().send(question(named))).toMatchObject({ body });
      const { answerWithinMs: _, ...delivery } = question(named);
      expect(await openSender().send(delivery)).toMatchObject({ body });
      const unescaped = await openSender().send(question(url.replace('//', '//%zz@')));
      expect(unescaped.body).toBe(`Basic ${Buffer.from('%zz:').toString('base64')}`);
    });

    test('gets its own response, even with many at a time', async () => {
      const { url } = await listen((request, response) => response.end(request.url));
      const sender = openSender();
      const paths = Array.from({ length: 50 }, (_, place) => `/${place}`);
      const outcomes = await Promise.all(paths.map((path) => sender.send(question(url + path))));
      expect(outcomes.map(({ body }) => body)).toEqual(paths);
    });
  });
});

describe("the sender's thread", () => {
  test('reuses connections', async () => {
    let connections = 0;
    const { url, server } = await listen((_, response) => response.end('ok'));
    server.on('connection', () => {
      connections += 1;
    });
    const sender = openSender();
    for (let sent = 0; sent < 5; sent += 1) await sender.send(outgoing(url));
    expect(connections).toBe(1);
  });

  test('uses a separate connection for a real-time request, and closes it afterwards', async () => {
    const connections: (string | undefined)[] = [];
    const { url, server } = await listen((request, response) => {
      connections.push(request.headers.connection);
      response.end('ok');
    });
    let opened = 0;
    server.on('connection', () => {
      opened += 1;
    });
    const sender = openSender();
    await sender.send(outgoing(url));
    for (let asked = 0; asked < 3; asked += 1)
      await sender.send({ ...outgoing(url), answerWithinMs: 60_000 });
    expect(opened).toBe(4);
    expect(connections).toEqual(['keep-alive', 'close', 'close', 'close']);
  });

  test('sends requests with one ordering key one after the other, in parallel with others', async () => {
    const order: string[] = [];
    let underWay = 0;
    let most = 0;
    const { url } = await listen((request, response) => {
      const { url: path = '' } = request;
      order.push(path);
      if (path.startsWith('/a')) {
        underWay += 1;
        most = Math.max(most, underWay);
      }
      setTimeout(() => {
        if (path.startsWith('/a')) underWay -= 1;
        response.statusCode = path === '/a2' ? 500 : 200;
        response.end();
      }, 30);
    });
    const sender = openSender();
    const post = (path: string, orderingKey?: string) =>
      sender.send({ ...outgoing(url + path), ...(orderingKey !== undefined && { orderingKey }) });
    const outcomes = await Promise.all([
      post('/a1', 'a'),
      post('/a2', 'a'),
      post('/b1', 'b'),
      post('/a3', 'a'),
      post('/c1'),
    ]);
    // A response with a failure releases the next one, too.
    expect(outcomes.map(({ status }) => status)).toEqual([200, 500, 200, 200, 200]);
    expect(most).toBe(1);
    expect(order.filter((path) => path.startsWith('/a'))).toEqual(['/a1', '/a2', '/a3']);
    expect(order.slice(0, 3).toSorted()).toEqual(['/a1', '/b1', '/c1']);
  });

  test('fails the requests in flight when it crashes, and is started again by the next request', async () => {
    const script = workerFrom(
      "if (url === 'crash') throw new Error('boom'); if (url !== 'hang') answer(id, 204);",
    );
    const sender = openSender({ script });
    const inFlight = [sender.send(outgoing('hang')), sender.send(outgoing('crash'))];
    for (const outcome of await Promise.all(inFlight))
      expect(outcome).toEqual({
        status: null,
        durationMs: 0,
        error: 'the sender failed: boom',
        retryAfter: null,
      });
    expect(await sender.send(outgoing('fine'))).toMatchObject({ status: 204 });
  });

  test('fails the requests in flight when it exits', async () => {
    const sender = openSender({ script: workerFrom('process.exit(0);') });
    expect(await sender.send(outgoing('any'))).toMatchObject({ status: null, error: 'the sender stopped' });
  });

  test('gets all requests of one turn in one message', async () => {
    const script = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        parentPort.on('message', (requests) => parentPort.postMessage(requests.map(({ id }) =>
          ({ id, status: requests.length, durationMs: 1, error: '', retryAfter: null }))));
      `)}`,
    );
    const sender = openSender({ script });
    const outcomes = await Promise.all([1, 2, 3].map(() => sender.send(outgoing('any'))));
    expect(outcomes.map(({ status }) => status)).toEqual([3, 3, 3]);
  });

  test('fails requests in flight and later ones after it is closed', async () => {
    const sender = openSender({ script: workerFrom('') });
    const inFlight = sender.send(outgoing('any'));
    await sender.close();
    expect(await inFlight).toMatchObject({ status: null, error: 'the sender stopped' });
    expect(await sender.send(outgoing('any'))).toMatchObject({
      status: null,
      error: 'the sender is closed',
    });
  });

  test('can be closed before it has sent anything', async () => {
    await expect(createSender().close()).resolves.toBeUndefined();
  });

  test('keeps the process alive only until it has the responses', async () => {
    const { url } = await listen((_, response) => setImmediate(() => response.end()));
    const program = `
      import { createSender } from ${JSON.stringify(new URL('../../../src/bank/delivery/sender.ts', import.meta.url).href)};
      createSender().send({ url: '${url}', headers: {}, body: '' }).then(({ status }) => console.log(status));
    `;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', program],
      { timeout: 60_000 },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '200\n', stderr: '' });
  });
});

test('is not blocked for a server by a path that never responds', async () => {
  let hanging = 0;
  const { url } = await listen((request, response) => {
    if (request.url === '/hangs') hanging += 1;
    else response.end();
  });
  const sender = openSender({ timeoutMs: 60_000 });
  for (let sent = 0; sent < 64; sent += 1) void sender.send(outgoing(`${url}/hangs`));
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => sender.send(outgoing(`${url}/answers`))),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(hanging).toBe(64);
});
