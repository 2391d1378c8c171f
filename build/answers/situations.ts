/**
 * Banks that refuse every request: full, over a rate limit, with a damaged file. A refusal that depends on the bank
 * and not on the request is recorded from them with the operation's example.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RefusalCode } from '../../src/bank/kernel/refusals.ts';
import { keyOf } from '../../src/sandboxes/registry/keys.ts';
import { openBank, type RecordedBank, type Reply, replyOf, type Wire } from './bank.ts';
import { type Draft, wireOf } from './requests.ts';

/** The sandbox for which the banks below refuse requests. */
const NAME = 'refused';
const KEY = keyOf(NAME);
const KEYS = { 'api-key': KEY, 'sd-api-key': KEY };
/** One more read or write than the limit per second. */
const TOO_MANY = 51;

interface Situation {
  /** Opens the bank; `folder` is an empty one for its data. */
  open(folder: string): RecordedBank | Promise<RecordedBank>;
  send?(bank: RecordedBank, request: Wire): Promise<Reply>;
}

const SITUATIONS: Readonly<Partial<Record<RefusalCode, Situation>>> = {
  rate_limited: {
    async open() {
      const bank = openBank({ areLimited: true });
      for (const method of ['GET', 'POST']) {
        for (let n = 0; n < TOO_MANY; n += 1) {
          await bank.send({ method, url: '/v2/none', headers: KEYS });
          await bank.send({ method, url: '/v1/none', headers: KEYS });
        }
      }
      return bank;
    },
  },
  sandboxes_full: { open: () => openBank({ maxSandboxes: 1 }) },
  sandbox_damaged: {
    open(data) {
      writeFileSync(join(data, `${NAME}.sqlite`), 'not a database'.repeat(100));
      return openBank({ data });
    },
  },
  sandboxes_busy: { open: (data) => openBank({ data, maxOpen: 1 }) },
  data_not_written: {
    open(data) {
      const bank = openBank({ data });
      rmSync(data, { recursive: true });
      return bank;
    },
  },
  headers_too_large: {
    open: () => openBank(),
    send: (bank, { headers, ...request }) =>
      sendBytes(bank, { ...request, headers: { ...headers, 'x-padding': 'x'.repeat(20_000) } }),
  },
  body_unreadable: {
    // The first request below a path waits until its interface is created. A body that is aborted before that is
    // refused before its key is read.
    async open() {
      const bank = openBank();
      for (const url of ['/v1', '/v2', '/_sandbox']) await bank.send({ method: 'GET', url, headers: {} });
      return bank;
    },
    send: (bank, { headers, ...request }) =>
      sendBytes(bank, {
        ...request,
        headers: { ...headers, 'transfer-encoding': 'chunked' },
        payload: 'invalid length of a chunk\r\n',
      }),
  },
};

export interface Situations {
  /** The response of the bank that refuses everything with this code; `undefined` if there is no such bank. */
  refuse(code: RefusalCode, draft: Draft): Promise<Reply | undefined>;
  close(): Promise<void>;
}

/** Opens each bank on demand. */
export function createSituations(): Situations {
  const folders: string[] = [];
  const banks = new Map<RefusalCode, Promise<RecordedBank>>();
  const makeFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-answers-'));
    folders.push(folder);
    return folder;
  };
  return {
    async refuse(code, draft) {
      const situation = SITUATIONS[code];
      if (situation === undefined) return undefined;
      const known = banks.get(code) ?? Promise.resolve(situation.open(makeFolder()));
      banks.set(code, known);
      const bank = await known;
      const request = wireOf(toRefused(draft));
      const reply = await (situation.send?.(bank, request) ?? bank.send(request));
      // The request was not refused, and may have repaired the state that causes the refusal.
      if (reply.status < 400) {
        banks.delete(code);
        await bank.close();
      }
      return folders.reduce(withoutFolder, reply);
    },
    async close() {
      for (const bank of banks.values()) await (await bank).close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Removes the data folder from a message, because it differs between runs. */
function withoutFolder(reply: Reply, folder: string): Reply {
  const text = reply.bytes.toString().replaceAll(folder, '/data');
  return replyOf(reply.status, reply.contentType, Buffer.from(text));
}

/** The same request to the refused sandbox, which its key or its path names. */
function toRefused(draft: Draft): Draft {
  const { params, headers, row } = draft;
  const named = row.path.startsWith('/_sandbox/sandboxes/:name') ? { name: NAME } : {};
  const keys = Object.fromEntries(Object.keys(KEYS).map((name) => [name, KEY]));
  const own = Object.fromEntries(Object.entries(keys).filter(([name]) => name in headers));
  return { ...draft, params: { ...params, ...named }, headers: { ...headers, ...own } };
}

/** Sends malformed HTTP over a socket. */
async function sendBytes(bank: RecordedBank, { method, url, headers, payload = '' }: Wire): Promise<Reply> {
  const head = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(await bank.listen(), '127.0.0.1');
  socket.end([`${method} ${url} HTTP/1.1`, ...head, '', payload].join('\r\n'));
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
  return replyOf(status, 'application/json', Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4)));
}
