/**
 * Requests for an arriving slot wait until it has arrived, because the proxy sends them to this bank before the other
 * bank has transferred the slot. Only a bank of a fleet has this hook.
 * Source: decision `slot-moves` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { type Slot, slotOf } from '../kernel/slots.ts';
import { SECOND_MS } from '../kernel/time.ts';
import { nameInKey } from '../registry/keys.ts';
import { DEFAULT_SANDBOX } from '../registry/registry.ts';
import type { Slots } from '../registry/slots.ts';
import { slotOfToken } from '../registry/token-marks.ts';

/** Longer than the time limit of a delivery, for which the other bank waits. */
const PATIENCE_MS = 30 * SECOND_MS;

/** Makes requests for arriving slots wait. Refuses: `slot_moving` after half a minute. */
export function holdArriving(server: FastifyInstance, slots: Slots): void {
  server.addHook('onRequest', (request, _, done) => {
    const slot = slotOfRequest(request);
    const arrived = slot === undefined ? undefined : slots.arrived(slot);
    if (arrived === undefined) {
      done();
      return;
    }
    let isOver = false;
    const go = (refusal?: Refusal): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      done(refusal);
    };
    const late = setTimeout(go, PATIENCE_MS, refuse('slot_moving'));
    void arrived.then(() => go());
  });
}

/** The slot of a request, determined like in the proxy; `undefined` if the request is for no sandbox. */
function slotOfRequest({ headers, params, routeOptions }: FastifyRequest): Slot | undefined {
  const { sandboxIn, tokenHeader = '' } = routeOptions.config;
  if (sandboxIn === undefined) return undefined;
  if ('part' in sandboxIn) return slotOf((params as Record<string, string>)[sandboxIn.part] ?? '');
  const key = headers[sandboxIn.key];
  const token = headers[tokenHeader];
  if (typeof key !== 'string' || key === '') {
    if (typeof token === 'string') return slotOfToken(token);
    return sandboxIn.isOptional ? slotOf(DEFAULT_SANDBOX) : undefined;
  }
  const name = nameInKey(key);
  return name === undefined ? undefined : slotOf(name);
}
