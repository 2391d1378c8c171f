// A connection without a request does not prevent a server from stopping; a request in progress is completed.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import { createServer as createTlsServer, get as getWithTls } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { connect as connectWithTls } from 'node:tls';
import { expect, test } from 'vitest';
import { createSilentConnections } from '../../../src/server/http/silent-connections.ts';
import { makeCertificate } from '../../support/certificates.ts';
import { makeFolder } from '../../support/folder.ts';
import { openServer } from './control/server.ts';

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('a bank stops even if a silent client is connected', async () => {
  const { app } = await openServer();
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.server.address() as AddressInfo;
  const accepted = once(app.server.server, 'connection');
  const silent = connect(port, '127.0.0.1').on('error', () => {});
  await accepted;
  const closed = once(silent, 'close');
  await app.stop();
  expect(app.server.server.listening).toBe(false);
  // The server ends the connection without an error.
  expect(await closed).toEqual([false]);
});

test('a bank stops without a deadline during a hanging response, a delayed one and a stream', async () => {
  const { app } = await openServer();
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.server.address() as AddressInfo;
  const call = (path: string, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'api-key': 'test_default', 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const hits = async (): Promise<number[]> =>
    ((await (await call('/_sandbox/faults')).json()) as { faults: { hits: number }[] }).faults.map(
      (fault) => fault.hits,
    );
  for (const fault of [{ connection: 'hang' }, { latency: { fixed_ms: 600_000 } }]) {
    expect((await call('/_sandbox/faults', { ...fault, times: 1 })).status).toBe(201);
  }
  const stream = await call('/_sandbox/stream');
  const hanging = call('/v2/webhook').catch(() => 'broken');
  await expect.poll(hits).toEqual([1, 0]);
  const delayed = call('/v2/webhook');
  await expect.poll(hits).toEqual([1, 1]);
  await app.stop();
  expect(await hanging).toBe('broken');
  expect((await delayed).status).toBe(200);
  expect(await stream.text()).toContain('event: request');
});

test('a running request is completed', async () => {
  const server = createServer((_, reply) => {
    silent.end();
    reply.end('whole');
  });
  const silent = createSilentConnections(server);
  const port = await listen(server);
  const [response] = await once(get(`http://127.0.0.1:${port}/`), 'response');
  expect((await response.toArray()).join('')).toBe('whole');
  server.closeAllConnections();
  server.close();
});

test('with TLS, a connection without a handshake or without a request does not prevent a stop', async () => {
  const files = makeCertificate(makeFolder(), ['localhost']);
  const [cert, key] = [files.certificate, files.key].map((file) => readFileSync(file));
  const server = createTlsServer({ cert, key }, (_, reply) => {
    silent.end();
    reply.end('whole');
  });
  const silent = createSilentConnections(server);
  const port = await listen(server);
  const withoutHandshake = connect(port, '127.0.0.1').on('error', () => {});
  await once(server, 'connection');
  const withoutRequest = connectWithTls({ port, rejectUnauthorized: false }).on('error', () => {});
  await once(server, 'secureConnection');
  const ends = [withoutHandshake, withoutRequest].map((socket) => once(socket, 'close'));
  const request = getWithTls({ port, rejectUnauthorized: false, agent: false });
  const [response] = await once(request, 'response');
  expect((await response.toArray()).join('')).toBe('whole');
  await Promise.all(ends);
  await new Promise((resolve) => server.close(resolve));
});
