/** The faults under load besides kills and disks: a stopped server, and observers. A fault ends when its promise settles. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';
import { type Observers, openObservers } from './observers.ts';
import type { Fault } from './plan.ts';

/** Begins a fault; resolves when it ends. */
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
