/**
 * The faults that strike under load: banks that are stopped or killed, proxies that are killed, observers, and opposite moves whose
 * calls are delayed. Each lasts until its promise settles, and a fleet is mended afterwards as a person would do it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { slotOf } from '../../src/kernel/slots.ts';
import { openBetween, send } from '../support/between.ts';
import { type Client, find, isUnavailable, request } from './client.ts';
import type { FleetServer } from './fleet.ts';
import { type Observers, openObservers } from './observers.ts';
import type { Fault } from './plan.ts';

/** What a fault has to do with. */
export interface Struck {
  readonly client: Client;
  readonly fleet: FleetServer | undefined;
  readonly observers: Observers[];
  /** Processes that were killed. */
  noteKill(): void;
}

type FaultOf<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

/** Begins a fault; settles when it is over. */
export function strike(fault: Fault, struck: Struck): Promise<void> {
  switch (fault.kind) {
    case 'stop':
      return stopBank(fault, struck);
    case 'observers':
      struck.observers.push(openObservers(struck.client, fault));
      return Promise.resolve();
    case 'bank':
      return absent(struck, fault.forMs, {
        away: (fleet) => fleet.killBank(fault.bank),
        back: (fleet) => fleet.startBank(fault.bank),
      });
    case 'proxy':
      return absent(struck, fault.forMs, {
        away: (fleet) => fleet.killProxy(),
        back: (fleet) => fleet.startProxy(),
      });
    case 'moves':
      return oppose(fault, struck);
  }
}

async function stopBank({ bank, forMs }: FaultOf<'stop'>, { client, fleet }: Struck): Promise<void> {
  const { server } = client;
  const resume = fleet === undefined ? server.pause() : fleet.pauseBank(bank);
  await Promise.race([pause(forMs), server.gone]);
  resume();
}

async function absent(
  { fleet, noteKill }: Struck,
  forMs: number,
  { away, back }: Record<'away' | 'back', (fleet: FleetServer) => Promise<void>>,
): Promise<void> {
  if (fleet === undefined) return;
  await away(fleet);
  noteKill();
  await Promise.race([pause(forMs), fleet.gone]);
  if (!fleet.ending) await back(fleet);
}

/** Two commands that move the same slots in opposite directions. Both see the banks through addresses that delay each change. */
async function oppose(fault: FaultOf<'moves'>, { client, fleet }: Struck): Promise<void> {
  if (fleet === undefined) return;
  const { banks } = fleet;
  const slots = slotsOf(fault.sandboxes);
  const opened = await Promise.all(
    fault.delaysMs.map((delaysMs) =>
      Promise.all(
        banks.map((bank) => {
          let at = 0;
          return openBetween(bank, ({ method }) => {
            if (method !== 'PUT') return undefined;
            at += 1;
            return pause(delaysMs[at % delaysMs.length]);
          });
        }),
      ),
    ),
  );
  const [there = [], back = []] = opened.map((betweens) => betweens.map(({ url }) => url));
  const ended = await Promise.all([
    fleet.command(['move', '--slots', slots, '--from', 'bank-0', '--to', 'bank-1'], there, fault.killAfterMs),
    fleet.command(['move', '--slots', slots, '--from', 'bank-1', '--to', 'bank-0'], back),
  ]);
  for (const { code, output } of ended) {
    // 1 is for a command that lost, or met a bank or a proxy that was away.
    if (code !== 0 && code !== 1 && code !== null) {
      find(client, 'a command of the fleet failed', `${code}: ${output}`);
    }
  }
  for (const [at, betweens] of opened.flatMap((row) => row.map((one, bank) => [bank, one] as const))) {
    const url = banks[at]?.url ?? '';
    for (const sent of fault.repeats ? betweens.calls : []) {
      if (sent.method === 'PUT') await send(url, sent).catch(() => undefined);
    }
    betweens.close();
  }
}

const slotsOf = (sandboxes: readonly string[]): string => [...new Set(sandboxes.map(slotOf))].join(',');

/** A move goes on, or is given up by the other direction; more than two tries say nothing new. */
const DIRECTIONS = [
  ['bank-0', 'bank-1'],
  ['bank-1', 'bank-0'],
] as const;

/** Brings the slots of these sandboxes together in one bank; afterwards each slot has exactly one. */
export async function mend(client: Client, fleet: FleetServer, sandboxes: readonly string[]): Promise<void> {
  const pardon = client.excuses.begin('down');
  if (await fleet.ready()) await mendReady(client, fleet, sandboxes);
  else find(client, 'the fleet is not ready again', fleet.log().slice(-1_500));
  pardon();
}

async function mendReady(client: Client, fleet: FleetServer, sandboxes: readonly string[]): Promise<void> {
  const tried: string[] = [];
  for (const [from, to] of [...DIRECTIONS, ...DIRECTIONS]) {
    const words = ['move', '--slots', slotsOf(sandboxes), '--from', from, '--to', to];
    const { code, output } = await fleet.command(words);
    if (code === 0) break;
    tried.push(`${from} to ${to}: ${code} ${output}`);
  }
  await reach(client, sandboxes);
  const { code, output } = await fleet.command(['status']);
  if (code !== 0) {
    find(client, 'a slot has no bank or two, and no move mends it', `${output}\n${tried.join('\n')}`);
  }
}

const REACH_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Waits until the proxy has noticed which banks are there. */
async function reach(client: Client, sandboxes: readonly string[]): Promise<void> {
  const since = performance.now();
  for (const sandbox of sandboxes) {
    for (;;) {
      const reply = await request(client, { method: 'GET', path: '/v2/webhook', sandbox });
      if (reply !== null && !isUnavailable(reply)) break;
      if (performance.now() - since > REACH_MS) {
        const output = `${sandbox}: ${reply?.status} ${reply?.text} for ${REACH_MS} ms`;
        find(client, 'a sandbox cannot be reached after all moves have ended', output);
        return;
      }
      await pause(LOOK_EVERY_MS);
    }
  }
}
