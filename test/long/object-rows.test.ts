/**
 * The number of rows that a payment in an object writes and reads, of which the guide to a cluster derives its price. The runtime counts
 * them as Cloudflare bills them: each statement reports its rows with those of its indexes. The setting of an alarm and a value of the
 * key-value store are a row each.
 *
 *     npx vitest run --project long test/long/object-rows.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../server/process/support.ts';
import { endWorkerd, makeWorkerFolder, startWorkerd, type Workerd } from '../support/workerd.ts';
import { WORKERD } from '../support/workerd-program.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** The worker, with storage that counts the rows of each object. `POST /rows` starts again at 0. */
const COUNTING = `
import worker, { Bank as RealBank, Directory as RealDirectory } from './worker.js';
const names = new Map();
let cursors = [];
let others = [];
function wrap(object, method, after) {
  const type = Object.getPrototypeOf(object);
  const real = type[method];
  type[method] = function (...values) {
    const result = real.apply(this, values);
    after(names.get(this), result);
    return result;
  };
}
function count({ id, storage }) {
  const { sql, kv } = storage;
  if (names.size === 0) {
    wrap(sql, 'exec', (name, cursor) => cursors.push({ name, cursor }));
    for (const [part, method] of [[storage, 'setAlarm'], [kv, 'put']]) wrap(part, method, (name) => others.push(name));
  }
  for (const part of [storage, sql, kv]) names.set(part, id.name);
}
export class Bank extends RealBank {
  constructor(context, env) {
    super(context, env);
    count(context);
  }
}
export class Directory extends RealDirectory {
  constructor(context, env) {
    super(context, env);
    count(context);
  }
}
export default {
  fetch(request, env) {
    if (new URL(request.url).pathname !== '/rows') return worker.fetch(request, env);
    if (request.method === 'POST') {
      cursors = [];
      others = [];
    }
    const rows = {};
    const add = (name, written, read) => {
      const [before, after] = rows[name] ?? [0, 0];
      rows[name] = [before + written, after + read];
    };
    for (const { name, cursor } of cursors) add(name, cursor.rowsWritten, cursor.rowsRead);
    for (const name of others) add(name, 1, 0);
    return Response.json(rows);
  },
};
`;

/** The rows that each object has written and read, by the name of its sandbox. */
type Rows = Readonly<Record<string, readonly [written: number, read: number]>>;

interface Kind {
  readonly name: string;
  /** Of each sandbox. */
  readonly payments: number;
  readonly hasWebhook: boolean;
}

/** In the order of the guide. A payment alone has its own writes of the journal and of the alarm. */
const KINDS: readonly Kind[] = [
  { name: 'webhooks-series', payments: 25, hasWebhook: true },
  { name: 'webhooks-alone', payments: 1, hasWebhook: true },
  { name: 'plain-series', payments: 25, hasWebhook: false },
  { name: 'plain-alone', payments: 1, hasWebhook: false },
];
const SANDBOXES = 10;
/** Longer than all timers of an object: the report to the directory, the writing of the journal. */
const QUIET_MS = 7_000;
const LIMIT_MS = 180_000;
/** The events of a pull that settles. */
const EVENTS = 2;

/**
 * The parts by which the numbers may differ from the guide. They depend on how many payments share a write of the journal, and so on the
 * speed of the machine; the reads depend on it more, and cost a thousandth of the writes.
 */
const TOLERANCE = { written: 0.15, read: 0.5 };

const GUIDE = readFileSync(new URL('../../docs/guides/cluster.md', import.meta.url), 'utf8');

describe.runIf(WORKERD !== '')('an ACH pull in an object', () => {
  let workerd: Workerd;
  let delivered = 0;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1;
      response.end();
    });
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const folder = await makeWorkerFolder();
    writeFileSync(join(folder.path, 'counting.js'), COUNTING);
    workerd = await startWorkerd({ ...folder, main: 'counting.js' }, { SANDBANK_RAILS: 'fast' });
  });
  afterAll(async () => {
    receiver.close();
    await endWorkerd();
  });

  const call = async <T>(method: string, path: string, key = '', body?: object): Promise<T> => {
    const response = await fetch(workerd.url + path, {
      method,
      headers: { 'api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} is answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };

  /** The rows, when no more are written. */
  const finalRows = async (): Promise<Rows> => {
    let last = '';
    let since = 0;
    return until(
      'the last row',
      async () => {
        const rows = await call<Rows>('GET', '/rows');
        if (JSON.stringify(rows) === last) return performance.now() - since > QUIET_MS ? rows : undefined;
        last = JSON.stringify(rows);
        since = performance.now();
        return undefined;
      },
      LIMIT_MS,
    );
  };

  /** Prepares a sandbox; the result makes a payment in it. */
  const openSandbox = async (name: string, hasWebhook: boolean): Promise<() => Promise<unknown>> => {
    const key = `test_${name}`;
    const { seeded } = await call<{ seeded: Record<string, string> }>('GET', '/_sandbox', key);
    const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded;
    const { port } = receiver.address() as AddressInfo;
    const webhook = {
      api_version: 'v2',
      url: `http://127.0.0.1:${port}`,
      events: ['transaction.status.pending', 'transaction.status.settled'],
    };
    if (hasWebhook) await call('POST', '/_sandbox/webhooks', key, webhook);
    return () =>
      call('POST', '/v2/payments/ach/pull', key, { sub_account_id, counterparty_id, amount: '1.00' });
  };

  it('writes and reads the rows of the guide', async () => {
    const sandboxes: { kind: Kind; name: string; pay(): Promise<unknown> }[] = [];
    for (const kind of KINDS) {
      for (let number = 0; number < SANDBOXES; number += 1) {
        const name = `${kind.name}_${number}`;
        sandboxes.push({ kind, name, pay: await openSandbox(name, kind.hasWebhook) });
      }
    }
    // The first payment of an object fills its caches.
    for (const { pay } of sandboxes) await pay();
    await finalRows();
    delivered = 0;
    await call('POST', '/rows');
    for (const { kind, pay } of sandboxes) for (let made = 0; made < kind.payments; made += 1) await pay();
    const rows = await finalRows();
    const all = KINDS.map(({ name, payments }) => {
      const own = Object.entries(rows).filter(([of]) => of.startsWith(`${name}_`));
      const perPayment = (of: 0 | 1) =>
        own.reduce((sum, [, found]) => sum + found[of], 0) / (payments * SANDBOXES);
      return { name, written: perPayment(0), read: perPayment(1) };
    });
    const withWebhook = KINDS.filter(({ hasWebhook }) => hasWebhook);
    expect(delivered).toBe(withWebhook.reduce((sum, { payments }) => sum + EVENTS * payments * SANDBOXES, 0));
    const [, cost = ''] = GUIDE.split('### What it costs');
    const numbers = [...cost.matchAll(/(\d+)(?:\s+rows)?\s+and\s+(?:reads\s+)?(\d+)/g)].slice(
      0,
      KINDS.length,
    );
    const measured = `measured: ${JSON.stringify(all)}`;
    expect(numbers, measured).toHaveLength(KINDS.length);
    for (const [place, [text, written, read]] of numbers.entries()) {
      const found = all[place];
      const isNear = (of: 'written' | 'read', guide: number): boolean =>
        Math.abs((found?.[of] ?? 0) / guide - 1) <= TOLERANCE[of];
      expect([text, isNear('written', Number(written)), isNear('read', Number(read))], measured).toEqual([
        text,
        true,
        true,
      ]);
    }
  });
});
