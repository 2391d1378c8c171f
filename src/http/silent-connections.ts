/**
 * Connections that have never brought a request. Node closes the ones that are idle between two requests when a server stops, and waits
 * for these, so a port scanner or a load balancer that connects ahead would keep a bank from stopping.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A connection that was just made may have sent a request that was not read yet. */
const GRACE_MS = 50;

/** The connections of a server without a request, as it announces them. */
export function createSilentConnections(
  server: Pick<Server, 'on' | 'prependListener'>,
  announced: 'connection' | 'secureConnection',
): { end(): void } {
  const silent = new Set<Socket>();
  let isOver = false;
  server.on(announced, (socket: Socket) => {
    if (isOver) {
      socket.destroy();
      return;
    }
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  // Before its handler, which may stop the server.
  server.prependListener('request', ({ socket }) => silent.delete(socket));
  return {
    end() {
      isOver = true;
      if (silent.size === 0) return;
      setTimeout(() => {
        for (const socket of silent) socket.destroy();
      }, GRACE_MS);
    },
  };
}
