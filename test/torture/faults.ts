/** The faults that strike under load: a server that is stopped, and observers. Each lasts until its promise settles. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';
import { type Observers, openObservers } from './observers.ts';
import type { Fault } from './plan.ts';

/** Begins a fault; settles when it is over. */
export async function strike(fault: Fault, client: Client, observers: Observers[]): Promise<void> {
  if (fault.kind === 'observers') {
    observers.push(openObservers(client, fault));
    return;
  }
  const { server } = client;
  const resume = server.pause();
  await Promise.race([pause(fault.forMs), server.gone]);
  resume();
}
