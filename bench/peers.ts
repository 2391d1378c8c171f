/**
 * Other mock servers under the same load as the bank: they mock the operation from our OpenAPI document, or store the
 * requests, without a ledger. They are installed from the registry into the bench's directory, in pinned versions.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseOf, requestOf, sampleOf } from './cases.ts';
import { directory, freePort, startBank, startClient, startFloor, startProgram } from './children.ts';
import type { Job } from './client.ts';
import { getJson, readBank } from './state.ts';

export interface PeerFigures {
  readonly name: string;
  /** Payments per second. */
  readonly perSecond: number;
}

interface Peer {
  readonly name: string;
  readonly package: string;
  /** Its command in `node_modules/.bin` and the arguments to serve `document` or `data` at a port. */
  readonly command: string;
  arguments(files: { document: string; data: string }, port: string): string[];
  /** The path to which the payment is sent. */
  path(ofBank: string): string;
}

const PEERS: readonly Peer[] = [
  {
    name: 'Prism, mocking the v2 document',
    package: '@stoplight/prism-cli@5.16.0',
    command: 'prism',
    arguments: ({ document }, port) => ['mock', document, '--host', '127.0.0.1', '--port', port],
    path: (ofBank) => ofBank,
  },
  {
    name: 'Mockoon, mocking the v2 document',
    package: '@mockoon/cli@9.9.0',
    command: 'mockoon-cli',
    arguments: ({ document }, port) => ['start', '--data', document, '--port', port, '--disable-log-to-file'],
    path: (ofBank) => ofBank,
  },
  {
    name: 'json-server, keeping the bodies',
    package: 'json-server@0.17.4',
    command: 'json-server',
    arguments: ({ data }, port) => [data, '--host', '127.0.0.1', '--port', port, '--quiet'],
    path: () => '/payments',
  },
];

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 1.5;
const SECONDS = 3;

/** Measures bare Fastify, the bank in memory, and each peer, one after the other. */
export async function measurePeers(): Promise<PeerFigures[]> {
  const payment = caseOf('ach');
  const install = ['install', '--prefix', directory, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', [...install, ...PEERS.map((peer) => peer.package)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the peers could not be installed');

  const bank = await startBank('memory');
  const { seeded } = await readBank(bank.url);
  const files = { document: join(directory, 'v2.json'), data: join(directory, 'payments.json') };
  writeFileSync(files.document, JSON.stringify(await getJson(bank.url, '/openapi/v2.json')));
  writeFileSync(files.data, '{"payments":[]}');
  const request = requestOf(payment, seeded);
  const figures: PeerFigures[] = [];
  const measure = async (name: string, port: number, path: string): Promise<void> => {
    figures.push({ name, perSecond: await loadOn({ ...request, port, path }) });
  };

  const floor = await startFloor({ [payment.name]: await sampleOf(payment, bank.url, seeded) });
  await measure('bare Fastify', floor.port, request.path);
  await floor.stop();
  await measure('bank in memory', bank.port, request.path);
  for (const peer of PEERS) {
    const port = await freePort();
    const program = join(directory, 'node_modules', '.bin', peer.command);
    const path = peer.path(request.path);
    const server = await startProgram(
      [process.execPath, program, ...peer.arguments(files, String(port))],
      async () => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: request.method,
          headers: { ...request.headers, 'content-type': 'application/json' },
          body: request.body,
        });
        return response.status === request.status;
      },
    );
    await measure(peer.name, port, path);
    await server.stop();
  }
  await bank.stop();
  return figures;
}

async function loadOn(request: Omit<Job, 'name' | 'connections' | 'seconds'>): Promise<number> {
  const client = startClient();
  const load = (name: string, seconds: number) =>
    client.run({ ...request, name, connections: CONNECTIONS, seconds });
  await load('warm', WARM_UP_SECONDS);
  const { answers, seconds, problem } = await load('run', SECONDS);
  await client.stop();
  if (problem !== '') throw new Error(`the load on ${request.path}: ${problem}`);
  return answers / seconds;
}
