/** The parts of the server: each is created once, at the first request below its path, and all share one socket. */
import type { FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createClientErrors } from '../../../src/server/http/errors.ts';
import { createParts } from '../../../src/server/http/parts.ts';

/** A server with the parts `a`, `b` and one that fails; `events` lists creations, requests and closings. */
async function build() {
  const events: string[] = [];
  const failures: unknown[] = [];
  const serve = (name: string, path: string) => async (server: FastifyInstance) => {
    events.push(`${name} made`);
    server.get(path, async ({ url }) => ({ name, url }));
    server.get(`${path}/ask`, async () => (await server.inject('/b')).json());
    server.addHook('onClose', async () => {
      events.push(`${name} closed`);
    });
  };
  const parts = await createParts({
    options: { logger: false, forceCloseConnections: 'idle' },
    socket: createClientErrors(1000, () => ({})).options,
    tls: null,
    common: (server) =>
      void server.addHook('onRequest', (_, reply, done) => {
        reply.header('x-common', 'yes');
        done();
      }),
    main: serve('main', '/'),
    others: new Map([
      ['a', serve('a', '/a')],
      ['b', serve('b', '/b')],
      [
        'broken',
        async () => {
          throw new Error('a mistake');
        },
      ],
    ]),
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(() => parts.close());
  const url = await parts.main.listen({ host: '127.0.0.1', port: 0 });
  return { parts, events, failures, url };
}

const read = async (url: string) => {
  const answer = await fetch(url);
  return [answer.status, answer.headers.get('x-common'), await answer.text()];
};

it('a part is created at the first request below its path, once', async () => {
  const { events, url } = await build();
  expect(await read(url)).toEqual([200, 'yes', '{"name":"main","url":"/"}']);
  expect(events).toEqual(['main made']);
  const answers = await Promise.all([1, 2, 3].map((n) => read(`${url}/a?${n}`)));
  expect(answers).toEqual([1, 2, 3].map((n) => [200, 'yes', `{"name":"a","url":"/a?${n}"}`]));
  expect(events).toEqual(['main made', 'a made']);
});

it('the part of a path with another spelling is found, and other paths belong to the main one', async () => {
  const { url } = await build();
  expect((await read(`${url}/%61`)).slice(0, 2)).toEqual([200, 'yes']);
  for (const path of ['/aa', '/A', '/x/a']) expect((await read(url + path))[0], path).toBe(404);
});

it('a request of one part to another is passed on', async () => {
  const { parts, url } = await build();
  expect((await read(`${url}/a/ask`))[2]).toBe('{"name":"b","url":"/b"}');
  expect((await parts.main.inject({ url: '/a' })).json()).toEqual({ name: 'a', url: '/a' });
});

it('a part that cannot be created responds with 500, and the others work', async () => {
  const { failures, url } = await build();
  expect((await read(`${url}/broken`))[0]).toBe(500);
  expect(failures).toEqual([new Error('a mistake')]);
  expect((await read(`${url}/a`))[0]).toBe(200);
});

it('created parts are closed', async () => {
  const { parts, events, url } = await build();
  await read(`${url}/a`);
  await parts.close();
  expect(events.sort()).toEqual(['a closed', 'a made', 'main closed', 'main made']);
});
