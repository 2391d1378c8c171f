/**
 * What a fault does to a connection: it waits in real time, and then resets, ends, holds or cuts it, as broken networks
 * and proxies do. A server that stops waits for none of it.
 */
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionFault } from '../sandboxes/faults.ts';

export interface FaultEffects {
  /** Settles after real milliseconds, or at once when the server stops. */
  wait(ms: number): Promise<void>;
  /** Breaks the connection; `answer` is what a truncated one begins to send. The reply is out of the framework's hands. */
  breakConnection(
    kind: ConnectionFault,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: { status: number; body: string },
  ): void;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The effects of one scope of the server. */
export function createFaultEffects(app: FastifyInstance): FaultEffects {
  const waiting = new Set<() => void>();
  const held = new Set<FastifyReply>();

  app.addHook('preClose', (done) => {
    for (const go of waiting) go();
    for (const reply of held) destroy(reply);
    done();
  });

  return {
    wait(ms) {
      if (ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const go = (): void => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = setTimeout(go, ms);
        waiting.add(go);
      });
    },
    breakConnection(kind, request, reply, { status, body }) {
      const bytes = Buffer.from(body);
      reply.hijack();
      if (kind === 'hang') {
        held.add(reply);
        request.raw.socket.once('close', () => held.delete(reply));
      } else if (kind === 'reset') {
        const { socket } = request.raw;
        if (socket instanceof Socket) socket.resetAndDestroy();
        else destroy(reply);
      } else if (kind === 'empty' || bytes.length === 0) {
        endEarly(reply);
      } else {
        const headers = { ...reply.getHeaders(), 'content-type': JSON_TYPE, 'content-length': bytes.length };
        reply.raw.writeHead(status, headers as Record<string, string | number>);
        reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => endEarly(reply));
      }
    },
  };
}

/** Sends what was written, and then the end of the connection. */
function endEarly(reply: FastifyReply): void {
  const { socket } = reply.raw;
  if (socket instanceof Socket) socket.destroySoon();
  else destroy(reply);
}

/** A request that was injected has no socket, and learns of it by this. */
function destroy({ raw }: FastifyReply): void {
  if (raw.socket instanceof Socket) raw.socket.destroy();
  else raw.destroy();
}
