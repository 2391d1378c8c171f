/**
 * The worker: the server of all sandboxes is built while the module starts, because code cannot be compiled later, and each
 * request goes to the object of its sandbox.
 */

import { createServer, STATUS_CODES } from 'node:http';
import type { Logger } from 'pino';
import { buildApp } from '../app.ts';
import { isLoopback } from '../http/hosts.ts';
import { compileAtOnce } from '../http/validation.ts';
import { packageVersion } from '../kernel/project.ts';
import { createObservers } from '../registry/observers.ts';
import { DEFAULT_SANDBOX } from '../registry/registry.ts';
import { tokenMarkIn } from '../registry/token-marks.ts';
import { createBackgroundJobs } from '../sandbox/background-jobs.ts';
import { type Bindings, directoryOf, NAME_HEADER, PORT } from './bank.ts';
import { here } from './here.ts';
import { createObjectImages, SEED_IMAGES, SNAPSHOTS } from './images.ts';
import { addressedBy } from './names.ts';
import { createObjectRegistry } from './registry.ts';
import { SETTINGS } from './settings.ts';
import { started } from './starting.ts';

export { Bank } from './bank.ts';
export { Directory } from './directory.ts';

const clock = { now: () => Date.now() };
const nothing = (): void => {};
/** Failures are printed; requests are what the runtime counts. */
const log = {
  info: nothing,
  warn: (detail: unknown) => console.warn(detail),
  error: (detail: { err?: unknown }) => console.error(detail.err ?? detail),
} as unknown as Logger;

compileAtOnce();
const { server } = await buildApp({
  registry: createObjectRegistry({
    here,
    clock,
    seed: SETTINGS.randomSeed,
    seedImages: SEED_IMAGES,
    snapshots: SNAPSHOTS,
    images: createObjectImages(),
    jobs: createBackgroundJobs({
      wallClock: clock,
      onFail: ({ error }) => log.error({ err: error }),
      onRecover: nothing,
    }),
  }),
  log,
  version: packageVersion(),
  bodyLimit: SETTINGS.bodyLimit,
  control: SETTINGS.control,
  guard: { token: SETTINGS.control ? SETTINGS.controlToken : null },
  hosts: { isLocal: isLoopback(SETTINGS.host), allowedHosts: SETTINGS.allowedHosts },
  strictFields: SETTINGS.strictFields,
  strictPersonHeader: SETTINGS.strictPersonHeader,
  observers: createObservers(SETTINGS.maxObservers),
  // The runtime has the sockets.
  createServer: (listener) => createServer(listener),
});
await server.ready();
server.server.listen(PORT);
started();

/** The sandbox that a request is about. */
async function nameOf(request: Request, env: Bindings): Promise<string> {
  const addressed = await addressedBy(request);
  if ('name' in addressed) return addressed.name;
  // Of two sandboxes with one mark, which is as rare as a guess of it, the first answers that it does not know the token.
  const [name = DEFAULT_SANDBOX] = await directoryOf(env).namesOfMark(tokenMarkIn(addressed.token));
  return name;
}

export default {
  async fetch(incoming: Request, env: Bindings): Promise<Response> {
    const name = await nameOf(incoming, env);
    const request = new Request(incoming);
    request.headers.set(NAME_HEADER, name);
    // The runtime, or what is before it, compresses; it would compress an answer that is compressed already once more.
    request.headers.delete('accept-encoding');
    const { status, headers, body } = await env.BANK.get(env.BANK.idFromName(name)).fetch(request);
    // The runtime's imitation of a server leaves the phrase out.
    return new Response(body, { status, statusText: STATUS_CODES[status] ?? '', headers });
  },
};
