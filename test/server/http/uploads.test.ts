// An image arrives in parts of about a megabyte, which are not joined to one buffer; an image that is too large is
// refused.

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Upload } from '../../../src/sandboxes/registry/image-import.ts';
import { answerRefusals } from '../../../src/server/http/refused.ts';
import { takeUploads } from '../../../src/server/http/uploads.ts';

const MB = 1024 * 1024;
const LIMIT = 4 * MB;

async function listen() {
  const app = Fastify();
  const failures: unknown[] = [];
  onTestFinished(() => app.close());
  answerRefusals(app, (error) => failures.push(error));
  takeUploads(app, LIMIT);
  const uploads: Upload[] = [];
  app.post('/', (http, reply) => {
    uploads.push(http.body as Upload);
    reply.code(204).send();
  });
  const aborted = new Promise<void>((resolve) => {
    app.addHook('onRequestAbort', (_, done) => {
      resolve();
      done();
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  /** Sends chunks, without a length in chunked encoding. */
  const send = (chunks: readonly Buffer[], headers: Record<string, string> = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      });
      call.once('error', reject);
      for (const chunk of chunks) call.write(chunk);
      call.end();
    });
  return { port, send, uploads, failures, aborted };
}

test('a body arrives completely, in pieces that can be passed to a thread', async () => {
  const { send, uploads } = await listen();
  const body = Buffer.from(Uint8Array.from({ length: 3 * MB + 7 }, (_, at) => (at * 31) % 251));
  expect(await send([body])).toBe(204);
  const [{ pieces, length } = { pieces: [], length: 0 }] = uploads;
  expect(length).toBe(body.length);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(2 * MB);
  expect(pieces.map((piece) => piece.buffer.byteLength)).toEqual(pieces.map((piece) => piece.length));
  expect(Buffer.concat(pieces).equals(body)).toBe(true);
});

test('a body beyond the limit is refused, by its declared or its actual length', async () => {
  const { send, uploads } = await listen();
  const large = Buffer.alloc(LIMIT + 1);
  expect(await send([large], { 'content-length': String(large.length) })).toBe(413);
  expect(await send([large])).toBe(413);
  expect(uploads).toEqual([]);
  expect(await send([large.subarray(1)])).toBe(204);
});

test('a client that disconnects is not a failure of the server', async () => {
  const { port, failures, send, aborted } = await listen();
  const call = request({ host: '127.0.0.1', port, method: 'POST', headers: { 'content-length': '100' } });
  call.once('error', () => {});
  call.write('half', () => call.destroy());
  await aborted;
  expect(await send([Buffer.from('x')])).toBe(204);
  expect(failures).toEqual([]);
});
