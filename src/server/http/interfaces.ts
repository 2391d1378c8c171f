/**
 * The interfaces besides the main part: the API versions, the control plane, the OpenAPI documents and the pages.
 * Each is loaded at its first request, because creating the shapes of its operations takes longer than the rest of a
 * start.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerDocs } from '../../reference/pages.ts';
import type { Observers } from '../../sandboxes/registry/observers.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import type { Api } from './api-versions.ts';
import { registerChecks } from './checks.ts';
import { compressAnswer } from './compression.ts';
import type { ReadOwn } from './control.ts';
import { registerDisclosures } from './disclosures.ts';
import { registerFiles } from './files.ts';
import type { GuardOptions } from './guard.ts';
import { INSPECTOR_PATH, registerInspector } from './inspector.ts';
import type { Register } from './parts.ts';
import type { RateLimiter } from './rate-limits.ts';
import { servedBy } from './served.ts';

export interface InterfaceOptions {
  readonly registry: Registry;
  readonly observers: Observers;
  readonly version: string;
  readonly versions: readonly Api[];
  /** Whether the control plane is on. */
  readonly control: boolean;
  readonly guard: GuardOptions;
  readonly strictFields: boolean;
  /** The rate limiter, which exists once the main part was created. */
  limit(): RateLimiter | undefined;
  read?: ReadOwn | undefined;
  onFailure(error: unknown, request: FastifyRequest): void;
  onBroken(request: FastifyRequest, reply: FastifyReply): void;
}

/** The functions that register the interfaces, by the first segment of their paths. */
export function createInterfaces(options: InterfaceOptions): ReadonlyMap<string, Register> {
  const documents = documentsOf(options);
  return new Map<string, Register>([
    ...options.versions.map((api) => [api.name, registerVersion(api, options)] as const),
    ['_sandbox', (server) => registerSandbox(server, options)],
    [
      'openapi',
      async (server) => {
        const [{ registerOpenApi }, own] = await documents();
        await server.register(async (scope) => registerOpenApi(scope, own), { prefix: '/openapi' });
      },
    ],
    [
      'docs',
      async (server) => {
        const read = async () => (await documents())[1];
        await server.register(async (scope) => registerDocs(scope, read), { prefix: '/docs' });
      },
    ],
  ]);
}

function registerVersion(api: Api, options: InterfaceOptions): Register {
  return async (server) => {
    const { createRefusalFormatter, registerApi, registerPreflights } = await import('./api.ts');
    const served = await servedBy(api);
    const { registry, strictFields, onFailure, onBroken } = options;
    const limit = options.limit();
    await server.register(
      async (scope) =>
        registerApi(scope, { version: api, served, registry, strictFields, limit, onFailure, onBroken }),
      { prefix: api.prefix },
    );
    registerPreflights(server, served.operations, createRefusalFormatter(api, registry));
  };
}

/** Registers the targets of the bank's links, the inspector and the control plane. */
async function registerSandbox(server: FastifyInstance, options: InterfaceOptions): Promise<void> {
  const { registry } = options;
  await server.register(
    async (scope) => {
      await scope.register(async (files) => registerFiles(files, registry));
      await scope.register(async (pages) => registerDisclosures(pages, registry));
      await scope.register(async (pages) => registerChecks(pages, registry));
    },
    { prefix: '/_sandbox' },
  );
  if (!options.control) return;
  const { registerControl } = await import('./control.ts');
  await server.register(
    async (scope) => {
      scope.addHook('onSend', compressAnswer);
      registerInspector(scope);
    },
    { prefix: INSPECTOR_PATH },
  );
  await server.register(
    async (scope) => {
      scope.addHook('onSend', compressAnswer);
      registerControl(scope, options);
    },
    { prefix: '/_sandbox' },
  );
}

/** The OpenAPI documents, which the pages show too. */
function documentsOf({ registry, version, control }: InterfaceOptions) {
  const read = async () => {
    const module = await import('../../reference/openapi/document.ts');
    return [module, module.createDocuments({ registry, version, control })] as const;
  };
  let made: ReturnType<typeof read> | undefined;
  return () => {
    made ??= read();
    return made;
  };
}
