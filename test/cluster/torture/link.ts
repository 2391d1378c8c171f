/**
 * A connection between two programs that can be cut: an address that passes bytes on to another one. While it is cut no byte gets
 * through and nobody is told, as when a network loses all packets. Afterwards what waited arrives late, or the connections
 * break.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Link {
  readonly port: number;
  /** Cuts the connections from these processes, also those that are made later; without any, all of them. */
  cut(from?: readonly number[]): void;
  heal(how: 'late' | 'broken'): void;
  close(): void;
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** Opens an address that leads to a port, which may change. */
export async function openLink(target: () => number): Promise<Link> {
  const pairs = new Set<Pair>();
  let isCut: ((near: Socket) => boolean) | undefined;
  const hold = ({ near, far }: Pair): void => {
    for (const socket of [near, far]) socket.pause();
  };
  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    const end = (): void => {
      near.destroy();
      far.destroy();
      pairs.delete(pair);
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (chunk) => void to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', end);
      from.on('close', end);
    }
    if (isCut?.(near) === true) hold(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut(from) {
      isCut =
        from === undefined ? () => true : (near) => from.some((pid) => holds(pid, near.remotePort ?? 0));
      for (const pair of pairs) if (isCut(pair.near)) hold(pair);
    },
    heal(how) {
      isCut = undefined;
      for (const { near, far } of pairs) {
        if (how === 'broken' && (near.isPaused() || far.isPaused())) near.destroy();
        near.resume();
        far.resume();
      }
    },
    close() {
      server.close();
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
    },
  };
}

/** Whether a process has the local end of a connection to this machine. */
function holds(pid: number, localPort: number): boolean {
  const hex = localPort.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((row) => row.trim().split(/\s+/)[1]?.endsWith(`:${hex}`));
  const inode = line?.trim().split(/\s+/)[9];
  if (inode === undefined) return false;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
