/**
 * The server in parts. The two API versions and the control plane have some 430 routes, and Fastify takes a sixth of a start to
 * register them, while most programs call one or two of the three. So each is a Fastify server of its own, which is made at the
 * first request below its path, behind the socket of the main one. What concerns all requests is registered with each.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { TlsOptions } from 'node:tls';
import {
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify';
import { parseTarget } from './hosts.ts';

export type Register = (server: FastifyInstance) => Promise<void>;
type HttpOptions = Required<Pick<FastifyServerOptions, 'requestTimeout' | 'clientErrorHandler'>> & {
  readonly http: object;
};

export interface PartsOptions {
  /** Of every part. */
  readonly options: FastifyServerOptions;
  /** Of the socket. */
  readonly socket: HttpOptions;
  /** The certificate and key for HTTPS. */
  readonly tls: Pick<TlsOptions, 'cert' | 'key'> | null;
  /** What every part has, before its own. */
  common(server: FastifyInstance): void;
  /** What is there from the start, and answers for all paths of nobody else. */
  readonly main: Register;
  /** The others, by the first segment of their paths. */
  readonly others: ReadonlyMap<string, Register>;
  /** Makes the server where the runtime has the sockets; then every part is made now, because it can be made only at the start. */
  readonly createServer?: CreateServer | undefined;
  /** A part could not be made: a mistake in the program. */
  onFailure(error: unknown): void;
}

/** Makes a server that listens on no socket of the process. */
export type CreateServer = (listener: (request: IncomingMessage, response: ServerResponse) => void) => Server;

type Injected = InjectOptions | string;

interface Part {
  readonly server: FastifyInstance;
  /** Into this part alone. */
  inject(given: Injected): Promise<LightMyRequestResponse>;
}

export interface Parts {
  /** The part that listens; what is injected into it reaches all parts. */
  readonly main: FastifyInstance;
  close(): Promise<void>;
}

/** Makes the main part. */
export async function createParts({ options, socket, tls, ...parts }: PartsOptions): Promise<Parts> {
  const made = new Map<string, Part>();
  const making = new Map<string, Promise<Part>>();

  const make = (name: string, register: Register): Promise<Part> => {
    const known = making.get(name);
    if (known !== undefined) return known;
    const part = equip(fastify(options), register).then(async (equipped) => {
      await equipped.server.ready();
      made.set(name, equipped);
      // What was compiled for it is there for the next start. Node would write it at its end, and a bank is often killed.
      flushCompileCache();
      return equipped;
    });
    making.set(name, part);
    return part;
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const name = segmentOf(parseTarget(request));
    const register = parts.others.get(name);
    const present = register === undefined ? main : made.get(name);
    if (register === undefined || present !== undefined) {
      (present ?? main).server.routing(request, response);
      return;
    }
    make(name, register).then(
      ({ server }) => server.routing(request, response),
      (error) => {
        parts.onFailure(error);
        response.writeHead(500).end();
      },
    );
  };

  const inject = async (given: Injected): Promise<LightMyRequestResponse> => {
    const { url } = typeof given === 'string' ? { url: given } : given;
    const name = segmentOf(typeof url === 'string' ? url : (url?.pathname ?? '/'));
    const register = parts.others.get(name);
    const part = register === undefined ? main : await make(name, register);
    return part.inject(given);
  };

  const equip = async (server: FastifyInstance, register: Register): Promise<Part> => {
    const own = { server, inject: server.inject.bind(server) as Part['inject'] };
    server.inject = inject as FastifyInstance['inject'];
    parts.common(server);
    await register(server);
    return own;
  };

  const main = await equip(
    fastify({
      ...options,
      requestTimeout: socket.requestTimeout,
      clientErrorHandler: socket.clientErrorHandler,
      serverFactory(_, { keepAliveTimeout }) {
        if (parts.createServer !== undefined) return parts.createServer(handle);
        const settings = {
          ...socket.http,
          requestTimeout: socket.requestTimeout,
          // Of the library, as it would set it.
          keepAliveTimeout: Number(keepAliveTimeout),
        };
        // An import would read all that these modules export, which takes 10 ms of a start.
        return tls === null
          ? process.getBuiltinModule('node:http').createServer(settings, handle)
          : process.getBuiltinModule('node:https').createServer({ ...settings, ...tls }, handle);
      },
    }),
    parts.main,
  );
  if (parts.createServer !== undefined) {
    for (const [name, register] of parts.others) await make(name, register);
  }
  return {
    main: main.server,
    async close() {
      // One that could not be made has nothing to close.
      const parts = await Promise.allSettled(making.values());
      await Promise.all(parts.map((part) => part.status === 'fulfilled' && part.value.server.close()));
      await main.server.close();
    },
  };
}

/** The first segment of a target's path. */
function segmentOf(target: string): string {
  const [, segment = ''] = /^\/([^/?#]*)/.exec(target) ?? [];
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
