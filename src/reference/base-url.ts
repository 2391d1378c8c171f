/** The address of the server as its caller sees it, for links in answers, documents and pages. */
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The URL by which a caller reached the server; without a Host header, the address of the socket. */
export function baseUrlOf({ protocol, host, raw: { socket } }: FastifyRequest): string {
  if (host !== '') return `${protocol}://${host}`;
  const { localAddress = '127.0.0.1', localPort } = socket;
  return `${protocol}://${isIP(localAddress) === 6 ? `[${localAddress}]` : localAddress}:${localPort}`;
}
