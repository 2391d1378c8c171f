/**
 * The part of HAProxy's runtime API that a move needs: it sends a line of text and reads the response, over TCP or
 * the path of a socket. Only the map of slots is changed, in the running proxy and not in its file.
 */
import { lookup } from 'node:dns/promises';
import { createConnection, type NetConnectOpts } from 'node:net';
import { CommandError } from './bank.ts';

/** A running proxy. */
export interface RunningProxy {
  /** Routes the requests of a slot, in the spelling of the map, to the bank of this name. */
  route(key: string, bank: string): Promise<void>;
}

const MAP_FILE = 'slots.map';
const TIMEOUT_MS = 5_000;

/**
 * The proxies at `host:port`, one for each address of the host, or the one at a path. Fails with a `CommandError` where there is
 * none, or one has no map of slots.
 */
export async function proxiesAt(address: string): Promise<RunningProxy[]> {
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(address) ?? [];
  if (port === '') return [await proxyAt(address, { path: address })];
  const found = await lookup(host, { all: true }).catch(({ message }: Error) => {
    throw new CommandError(`the proxy at ${address} cannot be found (${message})`);
  });
  return Promise.all(
    found.map((one) => proxyAt(`${one.address}:${port}`, { host: one.address, port: Number(port) })),
  );
}

async function proxyAt(address: string, target: NetConnectOpts): Promise<RunningProxy> {
  const maps = await sendCommand(address, target, 'show map');
  const found = maps.split('\n').find((line) => /[(/]slots\.map\)/.test(line));
  const id = found === undefined ? undefined : /^\d+/.exec(found)?.[0];
  if (id === undefined) {
    throw new CommandError(
      `the proxy at ${address} has no map from a file ${MAP_FILE}; see deploy/fleet/haproxy.cfg`,
    );
  }
  return {
    async route(key, bank) {
      const answer = await sendCommand(address, target, `set map #${id} ${key} ${bank}`);
      if (answer === '') return;
      throw new CommandError(`the proxy at ${address} did not accept slot ${key} for ${bank}: ${answer}`);
    },
  };
}

/** Sends one command and returns the response without surrounding lines. */
function sendCommand(address: string, target: NetConnectOpts, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      socket.destroy();
      reject(
        new CommandError(`the proxy at ${address} does not respond (${reason}): is its runtime API enabled?`),
      );
    };
    const socket = createConnection(target, () => void socket.end(`${command}\n`));
    let text = '';
    socket.setEncoding('utf8').setTimeout(TIMEOUT_MS, () => fail('it took too long'));
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', ({ message }) => fail(message));
    socket.on('end', () => resolve(text.trim()));
  });
}
