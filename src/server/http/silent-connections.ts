/**
 * Connections without a request. When a server stops, Node closes connections that are idle between two requests, but
 * waits for connections that have never sent one. So a port scanner, or a load balancer that connects in advance, would
 * prevent a bank from stopping. With TLS this includes connections with an unfinished handshake, which Node's HTTP
 * server does not list yet.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A new connection may have sent a request that was not read yet. */
const GRACE_MS = 50;

/** The connections of a server without a request, with TLS or without. */
export function createSilentConnections(server: Pick<Server, 'on' | 'prependListener'>): { end(): void } {
  const silent = new Map<string, Socket>();
  let isOver = false;
  // After the handshake a connection has another socket with the same address.
  const add = (socket: Socket): void => {
    if (isOver) {
      socket.destroy();
      return;
    }
    const key = keyOf(socket);
    silent.set(key, socket);
    socket.once('close', () => {
      if (silent.get(key) === socket) silent.delete(key);
    });
  };
  server.on('connection', add);
  server.on('secureConnection', add);
  server.on('tlsClientError', (_, socket: Socket) => silent.delete(keyOf(socket)));
  // Registered before the handler, which may stop the server.
  server.prependListener('request', ({ socket }) => {
    // Under load there are usually none, and the key takes longer than the rest of this file.
    if (silent.size > 0) silent.delete(keyOf(socket));
  });
  return {
    end() {
      isOver = true;
      if (silent.size === 0) return;
      setTimeout(() => {
        for (const socket of silent.values()) socket.destroy();
      }, GRACE_MS);
    },
  };
}

const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
