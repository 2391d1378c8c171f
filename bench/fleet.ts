/**
 * Payments through HAProxy to one, two and three banks that share the slots, compared with one bank without a proxy.
 * Banks, proxy and load share the cores of this machine, so more banks than cores have no effect.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_SLOTS, formatSlots, SLOT_COUNT, slotInHex, slotOf } from '../src/kernel/slots.ts';
import { caseOf, requestOf } from './cases.ts';
import { type Bank, freePort, freshPath, startBank, startClient, startProgram } from './children.ts';
import { cpuSeconds } from './proc.ts';
import { getJson } from './state.ts';

export interface FleetFigures {
  readonly cores: number;
  readonly runs: readonly FleetRun[];
}

interface FleetRun {
  readonly banks: number;
  /** Whether the load calls the bank directly. */
  readonly isDirect: boolean;
  readonly perSecond: number;
  /** Processor time of all banks, and of the proxy, in cores; `null` without /proc. */
  readonly bankCores: number | null;
  readonly proxyCores: number | null;
}

const HAPROXY = '/usr/sbin/haproxy';
const CONFIGURATION = fileURLToPath(new URL('../deploy/fleet/haproxy.cfg', import.meta.url));
/** The number of banks in the configuration. */
const MOST_BANKS = 3;
const CONNECTIONS = 48;
const WARM_UP_SECONDS = 1;

/** Measures each fleet for `seconds`; `null` if HAProxy is not installed. */
export async function measureFleet(seconds: number): Promise<FleetFigures | null> {
  if (!existsSync(HAPROXY)) return null;
  const runs = [await measure(1, true, seconds)];
  for (let banks = 1; banks <= MOST_BANKS; banks += 1) runs.push(await measure(banks, false, seconds));
  return { cores: cpus().length, runs };
}

async function measure(count: number, isDirect: boolean, seconds: number): Promise<FleetRun> {
  const banks = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      startBank('memory', isDirect ? {} : { slots: formatSlots(slotsOf(at, count)) }),
    ),
  );
  const proxy = isDirect ? undefined : await startProxy(banks);
  const port = proxy?.port ?? banks[0]?.port ?? 0;
  const loads = await Promise.all(
    banks.map((_, at) => startLoad(port, nameIn(at, count), CONNECTIONS / count)),
  );
  await Promise.all(loads.map((load) => load.run('warm', WARM_UP_SECONDS)));
  const bankBusy = banks.map(({ pid }) => busyOf(pid));
  const proxyBusy = proxy === undefined ? undefined : busyOf(proxy.pid);
  const rates = await Promise.all(loads.map((load) => load.run('run', seconds)));
  const shares = bankBusy.map((share) => share());
  const run: FleetRun = {
    banks: count,
    isDirect,
    perSecond: sum(rates),
    bankCores: shares.includes(null) ? null : sum(shares.map((share) => share ?? 0)),
    proxyCores: proxyBusy?.() ?? null,
  };
  await Promise.all([...loads, ...(proxy === undefined ? [] : [proxy]), ...banks].map((one) => one.stop()));
  return run;
}

/** Starts a load process for one sandbox. */
async function startLoad(port: number, sandbox: string, connections: number) {
  const url = `http://127.0.0.1:${port}`;
  const key = `test_${sandbox}`;
  const { seeded } = await getJson<{ seeded: Record<string, string> }>(url, '/_sandbox', key);
  const request = requestOf(caseOf('ach'), seeded);
  const client = startClient();
  return {
    stop: client.stop,
    async run(name: string, seconds: number): Promise<number> {
      const headers = { ...request.headers, 'api-key': key };
      const outcome = await client.run({ ...request, headers, port, name, connections, seconds });
      if (outcome.problem !== '') throw new Error(`a fleet: ${outcome.problem}`);
      return outcome.answers / outcome.seconds;
    },
  };
}

async function startProxy(banks: readonly Bank[]) {
  const folder = freshPath('proxy');
  mkdirSync(folder);
  writeFileSync(join(folder, 'haproxy.cfg'), readFileSync(CONFIGURATION));
  const slots = banks.flatMap((_, at) => slotsOf(at, banks.length).map((slot) => ({ slot, at })));
  const lines = slots.map(({ slot, at }) => `${slotInHex(slot)} bank-${at}\n`);
  writeFileSync(join(folder, 'slots.map'), lines.join(''));
  const port = await freePort();
  const addresses = Array.from({ length: MOST_BANKS }, (_, at) => {
    const bank = banks[at] ?? banks[0];
    return [`BANK_${at}`, `127.0.0.1:${bank?.port}`];
  });
  const program = await startProgram(
    [HAPROXY, '-db', '-f', join(folder, 'haproxy.cfg')],
    async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok,
    {
      HAPROXY_BIND: `127.0.0.1:${port}`,
      HAPROXY_RUNTIME_API: join(folder, 'runtime.sock'),
      ...Object.fromEntries(addresses),
    },
  );
  return { ...program, port };
}

/** The slots of the bank with this index. */
function slotsOf(at: number, count: number): number[] {
  return ALL_SLOTS.filter((slot) => Math.floor((slot * count) / SLOT_COUNT) === at);
}

/** A sandbox of the bank with this index. */
function nameIn(at: number, count: number): string {
  const slots = slotsOf(at, count);
  for (let number = 0; ; number += 1) if (slots.includes(slotOf(`bench-${number}`))) return `bench-${number}`;
}

/** Measures the share of a core that a process uses from now on. */
function busyOf(pid: number): () => number | null {
  const before = cpuSeconds(pid);
  const begun = performance.now();
  return () => {
    const after = cpuSeconds(pid);
    if (before === null || after === null) return null;
    return (after - before) / ((performance.now() - begun) / 1000);
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
