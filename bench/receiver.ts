/**
 * A healthy receiver of webhooks: answers 200 to every POST and counts them. It sends its port to the parent process,
 * and its count on request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let received = 0;
const server = createServer((request, response) => {
  received += 1;
  request.resume();
  response.end();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => process.send?.(received));
