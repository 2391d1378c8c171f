/**
 * A bank for one test that is a sandbox in an instance of workerd, called over its socket. Tests with the same
 * settings share an instance, and each has a sandbox with a name of its own, whose clock is frozen. Decisions about
 * its deliveries are made by a receiver in this process.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { databaseOf } from '../../../../src/bank/store/images.ts';
import { keyOf } from '../../../../src/sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX } from '../../../../src/sandboxes/registry/names.ts';
import { readable } from '../../../support/readable.ts';
import { START } from '../../../support/sandbox.ts';
import { digestOf } from '../../../support/tables.ts';
import { type Running, type Settings, shareBank, startBank, stop } from '../../process/support.ts';
import {
  type Bank,
  type BankOptions,
  type Call,
  openInProcess,
  type Reply,
  replyOf,
  requestOf,
} from './server.ts';

/** Collects what is sent to an address. */
interface Receiver {
  readonly url: string;
  readonly sent: Bank['sent'];
  readonly answer: NonNullable<BankOptions['answer']>;
}

let opening: Promise<string> | undefined;
/** By their paths. Seeded webhooks have the address of the whole, `/`. */
const receivers = new Map<string, Pick<Receiver, 'sent' | 'answer'>>();

/** The address of the receivers in this process. */
function receiversOfAll(): Promise<string> {
  opening ??= openReceivers();
  return opening;
}

async function openReceivers(): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const [path = '/'] = /^\/([^/]+\/)?/.exec(request.url ?? '') ?? [];
    const receiver = receivers.get(path);
    receiver?.sent.push({ body, headers: request.headers as Record<string, string> });
    response.writeHead((await receiver?.answer()) ?? 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It does not keep this process alive.
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The settings of an instance that are these options of a test. */
function settingsOf(options: BankOptions, receiver: string): Settings {
  const { seed = 'control', rails = 'calendar', maxSandboxes } = options;
  return {
    SANDBANK_LOG_LEVEL: 'error',
    SANDBANK_RANDOM_SEED: seed,
    SANDBANK_RAILS: rails,
    SANDBANK_SECRETS: options.hasRandomSecrets === true ? 'random' : 'seeded',
    ...(options.hasWebhook === true && { SANDBANK_WEBHOOK_URL: receiver }),
    ...(options.isClosed === true && { SANDBANK_SANDBOXES: 'closed' }),
    ...(maxSandboxes !== undefined && { SANDBANK_MAX_SANDBOXES: String(maxSandboxes + OF_ALL) }),
    ...(typeof options.data === 'string' && { SANDBANK_DATA: options.data }),
  };
}

/** The default sandbox, and the one of which those of the tests are copies. */
const OF_ALL = 2;
const ORIGINAL = 'original';
/** Of the names of banks; they come first in a list. */
const PREFIX = '0-';
const images = new Map<string, Promise<Buffer>>();
const withOriginal = new WeakMap<Running, Promise<unknown>>();

/** A bank that this process seeded, so that it has the same ids and times as in a server of this process. */
function imageFor({ seed = 'control', at = START }: BankOptions, webhookUrl: string | null): Promise<Buffer> {
  const name = JSON.stringify([seed, at, webhookUrl]);
  const image = images.get(name) ?? seededImage({ seed, at, webhookUrl });
  images.set(name, image);
  return image;
}

async function seededImage(options: Parameters<typeof openInProcess>[0]): Promise<Buffer> {
  const server = await openInProcess(options);
  const image = Buffer.from(server.registry.default().image());
  await server.end();
  return image;
}

/** Opens a bank that belongs to the running test. */
export async function openInWorkerd(options: BankOptions): Promise<Bank> {
  const base = await receiversOfAll();
  const path = options.hasWebhook === true ? '/' : `/${randomUUID()}/`;
  const receiver: Receiver = { url: base + path.slice(1), sent: [], answer: options.answer ?? (() => 200) };
  receivers.set(path, receiver);
  const settings = settingsOf(options, receiver.url);
  const image = await imageFor(options, options.hasWebhook === true ? receiver.url : null);
  const bank = typeof options.data === 'string' ? await startBank(settings) : await shareBank(settings);
  const call = callerOf(bank, keyOf(DEFAULT_SANDBOX));
  const fill = async (key?: string): Promise<void> => {
    const now = new Date(options.at ?? START).toISOString();
    expectDone(await call('POST', '/_sandbox/import', readable(image), key));
    expectDone(await call('PUT', '/_sandbox/clock', { mode: 'frozen', now }, key));
  };
  if (typeof options.data === 'string') {
    // With a folder of its own it may be started again.
    if (!folders.has(options.data)) await fill();
    folders.add(options.data);
    return bankAt(call, DEFAULT_SANDBOX, { receiver, end: () => stop(bank) });
  }
  const make = async (body: object): Promise<string> => {
    const made = await call('POST', '/_sandbox/sandboxes', body);
    expectDone(made);
    return made.body.key;
  };
  const makeOriginal = async () => fill(await make({ name: ORIGINAL }));
  if (options.hasRandomSecrets !== true) {
    const original = withOriginal.get(bank) ?? makeOriginal();
    withOriginal.set(bank, original);
    await original;
  }
  const name = PREFIX + randomUUID();
  const from = options.hasRandomSecrets === true ? {} : { from: ORIGINAL };
  const own = callerOf(bank, await make({ name, ...from }));
  const removeAll = async (): Promise<void> => {
    const { sandboxes } = (await own('GET', '/_sandbox/sandboxes')).body;
    const names: string[] = sandboxes.map((row: { name: string }) => row.name);
    const left = names.filter((one) => ![DEFAULT_SANDBOX, ORIGINAL].includes(one) && !one.startsWith(PREFIX));
    for (const one of [...left, name]) expectDone(await own('DELETE', `/_sandbox/sandboxes/${one}`));
  };
  return bankAt(own, name, { receiver, end: removeAll });
}

const folders = new Set<string>();

function expectDone({ status, bytes }: Reply): void {
  expect(status, bytes.toString()).toBeLessThan(300);
}

/** The bank that a test gets, which audits its sandbox in the end. */
function bankAt(
  call: Call,
  name: string,
  { receiver, end }: { receiver: Receiver; end: () => Promise<unknown> },
): Bank {
  let ending: Promise<void> | undefined;
  /** Whether the test has set the clock. Then real time passes by itself. */
  let isSet = false;
  const endIt = async (): Promise<void> => {
    const { problems } = (await call('GET', '/_sandbox/ledger/verify')).body;
    await end();
    expect(problems).toEqual([]);
  };
  const bank: Bank = {
    name,
    receiver: receiver.url,
    sent: receiver.sent,
    call: (method, url, ...rest) => {
      isSet ||= method === 'PUT' && url === '/_sandbox/clock';
      return call(method, url, ...rest);
    },
    end() {
      ending ??= endIt();
      return ending;
    },
    async list() {
      const { sandboxes } = (await call('GET', '/_sandbox/sandboxes')).body;
      if (name === DEFAULT_SANDBOX) return sandboxes;
      return sandboxes.filter((row: { name: string }) => ![DEFAULT_SANDBOX, ORIGINAL].includes(row.name));
    },
    async advance(ms) {
      if (isSet) return;
      expectDone(await call('POST', '/_sandbox/clock/advance', { by: `PT${ms / 1000}S` }));
    },
    idle: () => call('POST', '/_sandbox/drain'),
    async image(key) {
      const exported = await call('GET', '/_sandbox/export', undefined, key);
      expectDone(exported);
      return databaseOf(exported.bytes);
    },
    async digest(key) {
      const image = await bank.image(key);
      // The clock is frozen at first, and live after a reset.
      return digestOf({ image: () => image }, 'clock');
    },
  };
  onTestFinished(bank.end);
  return bank;
}

/** Calls a bank over its socket. */
function callerOf({ url }: Running, ownKey: string): Call {
  return async (method, path, body, key = ownKey, headers = {}) => {
    const { payload, ...request } = requestOf(path, body, key, headers);
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      ...request,
      ...(payload !== undefined && { body: payload as string | Uint8Array<ArrayBuffer> }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return replyOf(response.status, Object.fromEntries(response.headers), bytes);
  };
}
