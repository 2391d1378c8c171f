/**
 * The server in parts. The two API versions and the control plane have some 430 routes, and registering them takes a
 * sixth of a start, but most programs call only one or two of the three. So each is a separate Fastify server behind
 * the socket of the main one, created at the first request below its path. Hooks for all requests are registered with
 * each server.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import module from 'node:module';
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
  /** The options of every part. */
  readonly options: FastifyServerOptions;
  /** The options of the socket. */
  readonly socket: HttpOptions;
  /** The certificate and key for HTTPS. */
  readonly tls: Pick<TlsOptions, 'cert' | 'key'> | null;
  /** Registers the common hooks of every part, before its own. */
  common(server: FastifyInstance): void;
  /** The part that exists from the start and serves all paths of no other part. */
  readonly main: Register;
  /** The other parts, by the first segment of their paths. */
  readonly others: ReadonlyMap<string, Register>;
  /**
   * Creates the server if the runtime owns the sockets. Then every part is created at the start, because that runtime
   * does not allow it later.
   */
  readonly createServer?: CreateServer | undefined;
  /** Reports that a part could not be created, which is a defect. */
  onFailure(error: unknown): void;
}

/** Creates a server that does not listen on a socket of the process. */
export type CreateServer = (listener: (request: IncomingMessage, response: ServerResponse) => void) => Server;

type Injected = InjectOptions | string;

interface Part {
  readonly server: FastifyInstance;
  /** Injects a request into this part only. */
  inject(given: Injected): Promise<LightMyRequestResponse>;
}

export interface Parts {
  /** The part that listens. A request that is injected into it reaches all parts. */
  readonly main: FastifyInstance;
  close(): Promise<void>;
}

const refuseToCompile = (): never => {
  throw new Error('a route validates with its own compiler, and none has the schema of a response');
};
/** Replaces the library's compilers, which load ajv and fast-json-stringify at the start. */
const NO_COMPILERS = {
  compilersFactory: { buildValidator: refuseToCompile, buildSerializer: refuseToCompile },
};

/** Makes the main part. */
export async function createParts({ options, socket, tls, ...parts }: PartsOptions): Promise<Parts> {
  const made = new Map<string, Part>();
  const making = new Map<string, Promise<Part>>();

  const make = (name: string, register: Register): Promise<Part> => {
    const known = making.get(name);
    if (known !== undefined) return known;
    const part = equip(fastify({ ...options, schemaController: NO_COMPILERS }), register).then(
      async (equipped) => {
        await equipped.server.ready();
        made.set(name, equipped);
        // Stores the compiled code for the next start. Node would do this when the process exits, but a bank is often
        // killed.
        module.flushCompileCache?.();
        return equipped;
      },
    );
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
      schemaController: NO_COMPILERS,
      requestTimeout: socket.requestTimeout,
      clientErrorHandler: socket.clientErrorHandler,
      serverFactory(_, { keepAliveTimeout }) {
        if (parts.createServer !== undefined) return parts.createServer(handle);
        const settings = {
          ...socket.http,
          requestTimeout: socket.requestTimeout,
          // The value that the library would set.
          keepAliveTimeout: Number(keepAliveTimeout),
        };
        // An import would read all exports of these modules, which takes 10 ms of a start.
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
      // A part that could not be created has nothing to close.
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
