/**
 * Measures ACH pulls while clients observe the sandbox: payments per second and processor time per payment, with 0,
 * 10, 50 and 200 clients of `/_sandbox/stream` that read everything.
 */
import { connect, type Socket } from 'node:net';
import { caseOf, requestOf } from './cases.ts';
import { startBank, startClient } from './children.ts';
import { median } from './numbers.ts';
import { cpuSeconds } from './proc.ts';
import { readBank } from './state.ts';

export interface ObserverFigures {
  readonly observers: number;
  /** ACH pulls per second, and relative to those without observers in the same round. */
  readonly payments: number;
  readonly share: number;
  /** Processor time of the bank for a payment, in microseconds. */
  readonly cpuMicros: number | null;
  /** The megabytes per second that one observer received. */
  readonly megabytes: number;
}

interface Run extends Omit<ObserverFigures, 'share'> {}

const OBSERVERS = [0, 10, 50, 200] as const;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1;

/** Measures the medians of several rounds; each number of observers has a separate bank in memory. */
export async function measureObservers(seconds: number, rounds: number): Promise<ObserverFigures[]> {
  const client = startClient();
  const all: Run[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const runs: Run[] = [];
    for (const observers of OBSERVERS) runs.push(await measure(observers, client, seconds));
    all.push(runs);
  }
  await client.stop();
  return OBSERVERS.map((observers, place) => {
    const runs = all.map((round) => round[place] as Run);
    const cpus = runs.map(({ cpuMicros }) => cpuMicros);
    return {
      observers,
      payments: median(runs.map(({ payments }) => payments)),
      share: median(all.map((round) => (round[place] as Run).payments / (round[0] as Run).payments)),
      cpuMicros: cpus.includes(null) ? null : median(cpus as number[]),
      megabytes: median(runs.map(({ megabytes }) => megabytes)),
    };
  });
}

async function measure(
  observers: number,
  client: ReturnType<typeof startClient>,
  seconds: number,
): Promise<Run> {
  const bank = await startBank('memory');
  const { seeded } = await readBank(bank.url);
  const job = {
    ...requestOf(caseOf('ach'), seeded),
    port: bank.port,
    connections: CONNECTIONS,
  };
  await client.run({ ...job, name: 'warm', seconds: WARM_UP_SECONDS });
  let bytes = 0;
  const sockets = await Promise.all(
    Array.from({ length: observers }, () => observe(bank.port, (length) => (bytes += length))),
  );
  bytes = 0;
  const before = cpuSeconds(bank.pid);
  const { answers, problem, seconds: took } = await client.run({ ...job, name: 'run', seconds });
  const after = cpuSeconds(bank.pid);
  if (problem !== '') throw new Error(`payments with ${observers} observers: ${problem}`);
  for (const socket of sockets) socket.destroy();
  await bank.stop();
  return {
    observers,
    payments: answers / took,
    cpuMicros: before === null || after === null ? null : ((after - before) / answers) * 1e6,
    megabytes: observers === 0 ? 0 : bytes / observers / took / 1e6,
  };
}

/** Opens a stream and discards its data; resolves when it has begun. */
function observe(port: number, onBytes: (length: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const onread = {
      buffer: Buffer.alloc(262_144),
      callback(length: number): boolean {
        onBytes(length);
        resolve(socket);
        return true;
      },
    };
    const socket = connect({ host: '127.0.0.1', port, onread }, () => {
      socket.write('GET /_sandbox/stream HTTP/1.1\r\nhost: localhost\r\napi-key: test_default\r\n\r\n');
    });
    socket.on('error', reject);
  });
}
