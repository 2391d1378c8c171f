/**
 * The requests of the client with node:http: whether a program ends after its answers. The server never closes a
 * connection by itself.
 */
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MODULE = new URL('../../../src/kit/client/http.ts', import.meta.url).href;
const LIMIT_MS = 60_000;

/** In a thread, because the test waits for the program synchronously. */
const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const server = createServer((request, response) => {
  request.resume();
  response.statusCode = Number(request.url.slice(1));
  response.end(response.statusCode === 204 ? undefined : '{}');
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

describe('a program that has its answer', () => {
  let server: Worker;
  let url = '';

  beforeAll(async () => {
    server = new Worker(SERVER, { eval: true });
    const port = await new Promise((resolve) => server.once('message', resolve));
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.terminate());

  it.each([
    ['without a body', 'DELETE', 204, ''],
    ['whose body it does not read', 'GET', 200, ''],
    ['whose body it reads', 'GET', 200, 'await answer.json();'],
    ['whose empty body it reads at once', 'DELETE', 204, 'await answer.text();'],
    [
      'whose empty body it reads later',
      'DELETE',
      204,
      'await new Promise((resolve) => setTimeout(resolve, 200)); await answer.text();',
    ],
  ])('%s ends', (_, method, status, then) => {
    const program = `
      const { createSend } = await import(${JSON.stringify(MODULE)});
      const answer = await createSend()('${url}/${status}', { method: '${method}', headers: {} });
      ${then}
      console.log(answer.status);
    `;
    const { stdout, stderr, signal } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', timeout: LIMIT_MS },
    );
    expect({ stdout, stderr, signal }).toEqual({ stdout: `${status}\n`, stderr: '', signal: null });
  });
});
