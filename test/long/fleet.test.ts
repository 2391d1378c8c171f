/**
 * A fleet behind Debian's HAProxy: it responds like one bank, a failed bank affects only its own slots, a slot moves
 * during use, and no request opens a sandbox in the wrong bank. If HAProxy is not installed, a test with this name
 * fails, and the others are skipped.
 * Decisions `fleet-slots` and `slot-moves` in docs/fidelity.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnection } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { slotOf } from '../../src/kernel/slots.ts';
import { makeFolder, startBank, until } from '../process/support.ts';
import { openBetween, type Sent, send } from '../support/between.ts';
import { examplesOf, runScript } from '../support/page-examples.ts';
import { type Fleet, freePort, HAPROXY, IS_INSTALLED, startFleet } from './fleet.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SEED = readFileSync(join(ROOT, 'fixtures/default.json'), 'utf8');
const SETTINGS = { SANDBANK_SECRETS: 'seeded', SANDBANK_RAILS: 'manual', SANDBANK_MAX_SANDBOXES: '2000' };

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Body = any;

interface Answer {
  status: number;
  text: string;
  id: string | null;
  body: Body;
}

/** A call with these headers, as whoever uses a sandbox makes it. */
async function call(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: text }),
  });
  const answer = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    text: answer,
    id: response.headers.get('x-request-id'),
    body: isJson ? JSON.parse(answer) : undefined,
  };
}

/** What a client does in a sandbox; answers all that it was told, the address of the server left out. */
async function script(url: string, name: string, round: number): Promise<string[]> {
  const key = `test_${name}`;
  const v2 = { 'api-key': key };
  const v1 = { 'sd-api-key': key };
  const told: string[] = [];
  const make = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Body> => {
    const { status, text, id, body: read } = await call(url, method, path, headers, body);
    told.push(`${method} ${path.replaceAll(url, '')} ${status} ${id} ${text.replaceAll(url, '')}`);
    return read;
  };
  await call(url, 'PUT', '/_sandbox/clock', v2, { mode: 'frozen', now: '2026-12-01T09:00:00Z' });
  await call(url, 'POST', '/_sandbox/seed', v2, SEED);
  const { seeded } = (await call(url, 'GET', '/_sandbox', v2)).body;
  const { sub_account_id, ach_counterparty_id: counterparty_id, virtual_card_id, attachment_id } = seeded;
  const payment = { sub_account_id, counterparty_id, amount: `${round + 1}.00` };
  const keyed = { ...v2, 'idempotency-key': `key-${round}` };
  await make('POST', '/v2/payments/ach/pull', keyed, payment);
  await make('POST', '/v2/payments/ach/pull', keyed, payment);
  await make('POST', '/v2/payments/ach/pull', v2, { ...payment, amount: 'much' });
  await make('GET', `/v2/accounts/sub_account/${sub_account_id}`, v2);
  await make('GET', `/v1/account/${seeded.account_id}`, v1);
  await make('GET', '/v1/nothing', v1);
  await make('GET', '/_sandbox/events?limit=3', v2);
  // By a token alone, and by a link alone.
  const token = await make('POST', `/v2/issuing/card/${virtual_card_id}/show_token`, v2, {});
  const shown = token?.show_token ?? token?.token;
  await make('GET', `/v2/issuing/card/${virtual_card_id}/show`, { 'show-token': String(shown) });
  const { pathname, search } = new URL((await make('GET', `/v2/attachment/${attachment_id}`, v2)).url);
  await make('PUT', pathname + search, { 'content-type': 'text/plain' }, `the file of ${name}`);
  await make('GET', pathname + search, {});
  return told;
}

/** The texts of a runtime command's answer. */
function runtime(socket: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const connection = createConnection(socket, () => connection.end(`${command}\n`));
    let text = '';
    connection.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    connection.once('error', reject).once('end', () => resolve(text.trim()));
  });
}

/** Names whose slots are from `first` to `last`. */
function namesIn(first: number, last: number, count: number): string[] {
  const names: string[] = [];
  for (let at = 0; names.length < count; at += 1) {
    const slot = slotOf(`job-${at}`);
    if (slot >= first && slot <= last) names.push(`job-${at}`);
  }
  return names;
}

/** The payment of each sandbox: its ids are those of the bank that seeded it. */
async function paymentsOf(url: string, names: readonly string[]): Promise<Map<string, object>> {
  const payments = new Map<string, object>();
  for (const name of names) {
    const { body } = await call(url, 'GET', '/_sandbox', { 'api-key': `test_${name}` });
    const { sub_account_id, ach_counterparty_id: counterparty_id } = body.seeded;
    payments.set(name, { sub_account_id, counterparty_id, amount: '1.00' });
  }
  return payments;
}

/** Payments through the proxy, some at a time, until it is told to stop: what was answered, and how. */
function payThrough(url: string, payments: ReadonlyMap<string, object>, word: string) {
  const names = [...payments.keys()];
  const paid: { name: string; id: string; key: string }[] = [];
  const failed: { name: string; status: number; text: string; key: string }[] = [];
  let isOver = false;
  let drawn = 0;
  const work = async (): Promise<void> => {
    while (!isOver) {
      drawn += 1;
      const name = names[drawn % names.length] ?? '';
      const key = `${word}-${drawn}`;
      const headers = { 'api-key': `test_${name}`, 'idempotency-key': key };
      const body = payments.get(name);
      const answer = await call(url, 'POST', '/v2/payments/ach/pull', headers, body).catch(
        (error: Error): Answer => ({ status: 0, text: error.message, id: null, body: undefined }),
      );
      if (answer.status === 201) paid.push({ name, id: answer.body.id, key });
      else failed.push({ name, status: answer.status, text: answer.text, key });
    }
  };
  const all = Array.from({ length: 8 }, work);
  const stop = async (): Promise<void> => {
    isOver = true;
    await Promise.all(all);
  };
  // A test that fails has not stopped it.
  onTestFinished(stop);
  return { paid, failed, stop };
}

/** How many payments of the load each sandbox has, by asking the bank. */
async function transactionsOf(url: string, name: string): Promise<number> {
  const { body } = await call(url, 'GET', '/_sandbox', { 'api-key': `test_${name}` });
  return body.counts.transactions;
}

/**
 * Sends every payment of a load that had no answer again under its key, because it may have been made: then each sandbox has
 * each of its payments once.
 */
async function expectEachOnce(
  url: string,
  { paid, failed }: Pick<ReturnType<typeof payThrough>, 'paid' | 'failed'>,
  payments: ReadonlyMap<string, object>,
  before: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { name, key } of failed) {
    const headers = { 'api-key': `test_${name}`, 'idempotency-key': key };
    const again = await call(url, 'POST', '/v2/payments/ach/pull', headers, payments.get(name));
    expect([again.status, again.text]).toEqual([201, again.text]);
  }
  for (const name of payments.keys()) {
    const count = [...paid, ...failed].filter((one) => one.name === name).length;
    expect([name, await transactionsOf(url, name)]).toEqual([name, (before.get(name) ?? 0) + count]);
  }
}

it(`has HAProxy at ${HAPROXY}; where it is missing: apt-get install haproxy`, () => {
  expect(IS_INSTALLED).toBe(true);
});

describe.skipIf(!IS_INSTALLED)('a fleet of three banks behind HAProxy', () => {
  let fleet: Fleet;
  let receiver: Server;
  const received = new Map<string, string[]>();

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('end', () => {
        const path = request.url ?? '';
        received.set(path, [...(received.get(path) ?? []), JSON.parse(body).id]);
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    fleet = await startFleet(SETTINGS);
  });

  afterAll(async () => {
    await fleet?.stop();
    receiver?.close();
  });

  it('gives 300 sandboxes byte for byte the answers that one bank gives', async () => {
    const alone = await startBank(SETTINGS);
    const names = Array.from({ length: 300 }, (_, at) => `same-${at}`);
    const wrong: string[] = [];
    const shares = Array.from({ length: 6 }, (_, at) => names.filter((__, index) => index % 6 === at));
    /** What was opened without a key. */
    const opened = { byToken: 0, byLink: 0 };
    await Promise.all(
      shares.map(async (share) => {
        for (const name of share) {
          const round = Number(name.slice('same-'.length));
          const [one, three] = await Promise.all([
            script(alone.url, name, round),
            script(fleet.url, name, round),
          ]);
          opened.byToken += three.filter((line) => /\/show 200 /.test(line)).length;
          opened.byLink += three.filter((line) => line.endsWith(`the file of ${name}`)).length;
          if (one.join('\n') !== three.join('\n')) {
            wrong.push(...one.flatMap((line, at) => (line === three[at] ? [] : [`${line}\n${three[at]}`])));
          }
        }
      }),
    );
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(opened).toEqual({ byToken: 300, byLink: 300 });
    const status = JSON.parse((await fleet.sandbank('fleet', 'status', '--json')).stdout);
    const counts = status.banks.map(({ sandboxes }: { sandboxes: number }) => sandboxes);
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(301);
    expect(Math.min(...counts)).toBeGreaterThan(60);
    const listed = JSON.parse((await fleet.sandbank('sandbox', 'list', '--json')).stdout);
    expect(new Set(listed.sandboxes.map(({ name }: { name: string }) => name)).size).toBe(301);
  });

  it('serves the documents and the inspector from any bank, and refuses a request without a key', async () => {
    for (const path of ['/', '/docs/', '/openapi/v2.json', '/_sandbox/ui/', '/livez']) {
      expect([path, (await call(fleet.url, 'GET', path, {})).status]).toEqual([path, 200]);
    }
    for (const path of ['/v2/webhook', '/v1/webhook']) {
      expect((await call(fleet.url, 'GET', path, {})).status).toBe(401);
    }
    expect((await call(fleet.url, 'GET', '/_sandbox/slots', {})).status).toBe(404);
  });

  it('makes a sandbox in its bank, for the client and for whoever names it in a header', async () => {
    const name = namesIn(171, 255, 1)[0] ?? '';
    const made = await fleet.begin('sandbox', 'create', name, '--url', fleet.url).ended;
    expect(made).toMatchObject({ code: 0, stdout: `${name}  test_${name}\n` });
    const other = namesIn(86, 170, 1)[0] ?? '';
    const body = { name: other };
    const refused = await call(fleet.url, 'POST', '/_sandbox/sandboxes', {}, body);
    expect([refused.status, refused.body.error.code]).toEqual([421, 'slot_elsewhere']);
    expect(refused.body.error.hint).toContain('x-sandbox-name');
    const named = await call(fleet.url, 'POST', '/_sandbox/sandboxes', { 'x-sandbox-name': other }, body);
    expect(named.status).toBe(201);
    expect((await call(fleet.url, 'DELETE', `/_sandbox/sandboxes/${other}`, {})).status).toBe(204);
  });

  it('refuses with 421 where the map is wrong, and opens no empty bank', async () => {
    const name = namesIn(0, 85, 400).at(-1) ?? '';
    const key = slotOf(name).toString(16).toUpperCase().padStart(2, '0');
    const headers = { 'api-key': `test_${name}` };
    const before = (await call(fleet.url, 'GET', '/_sandbox', headers)).body.counts;
    const map = /^(\d+) \(slots\.map\)/m.exec(await runtime(fleet.socket, 'show map'))?.[1];
    await runtime(fleet.socket, `set map #${map} ${key} bank-2`);
    const refused = await call(fleet.url, 'GET', '/v2/webhook', headers);
    expect([refused.status, refused.body.error.code]).toEqual([421, 'ERROR_CODE_MISDIRECTED_REQUEST']);
    expect(refused.body.error.message).toContain(`slot ${slotOf(name)}`);
    const listed = await call(fleet.banks[2]?.url ?? '', 'GET', '/_sandbox/sandboxes', {});
    expect(listed.body.sandboxes.map((row: { name: string }) => row.name)).not.toContain(name);
    await runtime(fleet.socket, `set map #${map} ${key} bank-0`);
    expect((await call(fleet.url, 'GET', '/_sandbox', headers)).body.counts).toEqual(before);
  });

  it('loses nothing when a bank is killed, and only its slots are away until it is back', async () => {
    const mine = namesIn(86, 170, 8);
    const others = [...namesIn(0, 85, 8), ...namesIn(171, 255, 8)];
    const before = new Map<string, number>();
    for (const name of [...mine, ...others]) before.set(name, await transactionsOf(fleet.url, name));
    const payments = await paymentsOf(fleet.url, [...mine, ...others]);
    const load = payThrough(fleet.url, payments, 'killed');
    await until('some payments', () => load.paid.length > 300, 30_000);
    await fleet.banks[1]?.kill();
    const seen = load.paid.length;
    await until('payments of the others', () => load.paid.length > seen + 300, 30_000);
    await fleet.banks[1]?.start();
    await until(
      'the slots again',
      () => load.paid.slice(-50).some(({ name }) => mine.includes(name)),
      30_000,
    );
    await load.stop();
    // What had begun when it died has no answer, and 502 or 503 say so; the others heard nothing of it.
    expect(load.failed.filter(({ name }) => others.includes(name))).toEqual([]);
    expect(load.failed.length).toBeGreaterThan(0);
    expect([...new Set(load.failed.map(({ status }) => status))].toSorted()).toEqual(
      expect.arrayContaining([503]),
    );
    expect(load.failed.filter(({ status }) => ![0, 502, 503, 504].includes(status))).toEqual([]);
    for (const { name, id } of load.paid) {
      const { status } = await call(fleet.url, 'GET', `/v2/payments/transaction/${id}`, {
        'api-key': `test_${name}`,
      });
      expect([name, id, status]).toEqual([name, id, 200]);
    }
    for (const name of others) {
      const count = load.paid.filter((one) => one.name === name).length;
      expect([name, await transactionsOf(fleet.url, name)]).toEqual([name, (before.get(name) ?? 0) + count]);
    }
    await expectEachOnce(fleet.url, load, payments, before);
  });

  it('moves slots under load: no request fails, no payment is lost or doubled, each event is told once', async () => {
    const names = namesIn(0, 30, 20);
    const { port } = receiver.address() as AddressInfo;
    const before = new Map<string, number>();
    for (const name of names) {
      const made = await call(
        fleet.url,
        'POST',
        '/v2/webhook',
        { 'api-key': `test_${name}` },
        {
          url: `http://127.0.0.1:${port}/${name}`,
          label: 'events of the load',
          events: ['transaction.created'],
        },
      );
      expect([made.status, made.text]).toEqual([201, made.text]);
      before.set(name, await transactionsOf(fleet.url, name));
    }
    const load = payThrough(fleet.url, await paymentsOf(fleet.url, names), 'moved');
    const move = async (from: string, to: string) => {
      const words = ['--slots', '0-30', '--from', from, '--to', to, '--proxy', fleet.socket, '--json'];
      const { code, stdout, stderr } = await fleet.sandbank('fleet', 'move', ...words);
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    await until('some payments', () => load.paid.length > 100, 30_000);
    expect(await move('bank-0', 'bank-2')).toMatchObject({ slots: '0-30', from: 'bank-0', to: 'bank-2' });
    const moved = load.paid.length;
    await until('payments in the new bank', () => load.paid.length > moved + 100, 30_000);
    await move('bank-2', 'bank-0');
    await pause(200);
    await load.stop();
    expect(load.failed).toEqual([]);
    expect(load.paid.length).toBeGreaterThan(300);
    for (const name of names) {
      const count = load.paid.filter((one) => one.name === name).length;
      expect([name, await transactionsOf(fleet.url, name)]).toEqual([name, (before.get(name) ?? 0) + count]);
      const told = () => received.get(`/${name}`) ?? [];
      await until(`the events of ${name}`, () => told().length >= count, 30_000);
      expect([told().length, new Set(told()).size]).toEqual([count, count]);
      const audit = await call(fleet.url, 'GET', '/_sandbox/ledger/verify', { 'api-key': `test_${name}` });
      expect(audit.body).toMatchObject({ balanced: true });
    }
    expect((await fleet.sandbank('fleet', 'status')).code).toBe(0);
  });
});

describe.skipIf(!IS_INSTALLED)('a fleet whose moves are disturbed', () => {
  let fleet: Fleet;

  // Each has a fleet of its own: what one of them leaves half moved is no matter of the next.
  beforeEach(async () => {
    fleet = await startFleet(SETTINGS);
  });

  afterEach(async () => {
    await fleet.stop();
  });

  it('loses nothing when either bank is killed in the middle of a move', async () => {
    const names = namesIn(31, 40, 10);
    const before = new Map<string, number>();
    for (const name of names) before.set(name, await transactionsOf(fleet.url, name));
    const payments = await paymentsOf(fleet.url, names);
    const load = payThrough(fleet.url, payments, 'cut');
    // At a time that nobody chose: the one that gives, the one that gets, and again.
    for (const [from, to, killed, ms] of [
      [0, 1, 0, 500],
      [1, 2, 2, 800],
      [2, 1, 1, 1100],
      [1, 0, 1, 650],
    ] as const) {
      const slots = ['--slots', '31-40', '--from', `bank-${from}`, '--to', `bank-${to}`];
      const words = ['fleet', 'move', ...slots, '--proxy', fleet.socket];
      const broken = fleet.begin(...words);
      await pause(ms);
      await fleet.banks[killed]?.kill();
      await broken.ended;
      await fleet.banks[killed]?.start();
      const again = await fleet.sandbank(...words);
      const status = await fleet.sandbank('fleet', 'status');
      const what = `bank-${killed} killed after ${ms} ms; ${(await broken.ended).stderr}${status.stdout}`;
      expect([again.code, again.stderr, again.stdout], what).toEqual([0, '', again.stdout]);
      expect(status.code, what).toBe(0);
    }
    await load.stop();
    expect(load.paid.length).toBeGreaterThan(300);
    expect(load.failed.filter(({ status }) => ![0, 502, 503, 504].includes(status))).toEqual([]);
    await expectEachOnce(fleet.url, load, payments, before);
  });

  it('gives each slot one bank after opposite moves whose calls are delayed, and loses no payment', async () => {
    const names = namesIn(41, 43, 6);
    const slots = ['--slots', [...new Set(names.map(slotOf))].join(',')];
    const before = new Map<string, number>();
    for (const name of names) before.set(name, await transactionsOf(fleet.url, name));
    const payments = await paymentsOf(fleet.url, names);
    const load = payThrough(fleet.url, payments, 'opposed');
    const late: { url: string; sent: Sent }[] = [];
    /** The banks as one command sees them: each change arrives after one of these times. */
    const delayed = async (delaysMs: readonly number[]): Promise<string[]> => {
      const list = fleet.banks.map(async ({ name, url }) => {
        let at = 0;
        const between = await openBetween({ url }, (sent) => {
          if (sent.method !== 'PUT') return undefined;
          late.push({ url, sent });
          at += 1;
          return pause(delaysMs[at % delaysMs.length]);
        });
        onTestFinished(() => between.close());
        return `${name}=${between.url}`;
      });
      return ['--banks', (await Promise.all(list)).join(',')];
    };
    const words = (from: string, to: string) => [
      ...['fleet', 'move', ...slots, '--from', from, '--to', to, '--proxy', fleet.socket],
    ];
    let refused = 0;
    for (const [there, back] of [
      [[0, 250, 20], [90]],
      [[150], [0, 60, 300]],
      [[40], [40]],
    ] as const) {
      const ahead = fleet.begin(...words('bank-0', 'bank-1'), ...(await delayed(there))).ended;
      // The other one begins while the first has changed something, so that they meet.
      await expect.poll(() => late.length, { timeout: 20_000 }).toBeGreaterThan(0);
      const behind = fleet.begin(...words('bank-1', 'bank-0'), ...(await delayed(back))).ended;
      const [first, second] = await Promise.all([ahead, behind]);
      // Whoever loses says so and changes nothing more.
      for (const { code, stderr } of [first, second]) {
        expect([code, stderr]).toEqual([code === 0 ? 0 : 1, stderr]);
        if (code !== 0) refused += 1;
      }
      // An interrupted move is continued, or given up by the other direction.
      for (let tries = 0; tries < 3; tries += 1) {
        if ((await fleet.sandbank(...words('bank-1', 'bank-0'))).code === 0) break;
        await fleet.sandbank(...words('bank-0', 'bank-1'));
      }
      const status = await fleet.sandbank('fleet', 'status');
      expect([status.code, status.stdout]).toEqual([
        0,
        expect.stringContaining('each slot is served by one'),
      ]);
      for (const { url, sent } of late.splice(0)) {
        const answer = await send(url, sent);
        expect([sent.path, sent.body.toString('latin1', 0, 60), answer.status]).toEqual([
          sent.path,
          expect.anything(),
          409,
        ]);
      }
    }
    await load.stop();
    expect(refused, 'moves that met another one').toBeGreaterThan(0);
    expect(load.paid.length).toBeGreaterThan(200);
    expect(load.failed.filter(({ status }) => ![0, 421, 502, 503, 504].includes(status))).toEqual([]);
    await expectEachOnce(fleet.url, load, payments, before);
  });

  it('ends a move that broke off, and leaves the slots where they were when it is given up', async () => {
    const [name = ''] = namesIn(171, 180, 1);
    const slot = slotOf(name);
    const before = await transactionsOf(fleet.url, name);
    const words = (from: string, to: string, proxy = fleet.socket) => [
      ...['fleet', 'move', '--slots', '171-180', '--from', from, '--to', to, '--proxy', proxy],
    ];
    // The command is killed at a time that nobody chose; the next one goes on.
    for (const ms of [250, 500, 900]) {
      const broken = fleet.begin(...words('bank-2', 'bank-1'));
      await pause(ms);
      broken.child.kill('SIGKILL');
      await broken.ended;
    }
    const again = await fleet.sandbank(...words('bank-2', 'bank-1'));
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`slot ${slot} is served by bank-1`);
    expect(await transactionsOf(fleet.url, name)).toBe(before);
    const served = await call(fleet.banks[1]?.url ?? '', 'GET', `/_sandbox/slots/${slot}`, {});
    expect(served.body.state).toBe('served');
    expect(served.body.sandboxes.map((row: { name: string }) => row.name)).toContain(name);
    // The bank that handed it over remembers that, whatever its setting says.
    await fleet.banks[2]?.kill();
    await fleet.banks[2]?.start();
    expect((await fleet.sandbank('fleet', 'status')).code).toBe(0);
    const map = (await fleet.sandbank('fleet', 'map')).stdout;
    expect(map).toContain(`${slot.toString(16).toUpperCase()} bank-1\n`);
    // A proxy that is not there keeps everything where it is.
    const unreachable = await fleet.sandbank(...words('bank-1', 'bank-2', '/nowhere/runtime.sock'));
    expect([unreachable.code, unreachable.stderr]).toEqual([1, expect.stringContaining('does not respond')]);
    expect(await transactionsOf(fleet.url, name)).toBe(before);
    await fleet.sandbank(...words('bank-1', 'bank-2'));
    expect(await transactionsOf(fleet.url, name)).toBe(before);
  });
});

describe.skipIf(!IS_INSTALLED)('the guide', () => {
  it('is followed as it is written, on other ports', async () => {
    const page = readFileSync(join(ROOT, 'docs/guides/fleet.md'), 'utf8');
    const ports = await Promise.all([4800, 4801, 4802, 4803].map(async (port) => [port, await freePort()]));
    let script = examplesOf(page)
      .map((example) => example.script)
      .join('');
    for (const [port, free] of ports) script = script.replaceAll(String(port), String(free));
    const bin = makeFolder();
    writeFileSync(
      join(bin, 'sandbank'),
      `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'bin/sandbank.mjs')} "$@"\n`,
      { mode: 0o755 },
    );
    const PATH = [bin, dirname(process.execPath), process.env.PATH, dirname(HAPROXY)].join(delimiter);
    const { code, stdout, stderr } = await runScript(script, { PATH, CLONE: ROOT }, 90_000);
    expect([code, stderr, stdout]).toEqual([0, stderr, stdout]);
    for (const name of ['alice', 'bob', 'carol', 'dave']) {
      expect(stdout).toContain(`${name} 200\n`);
      expect(stdout).toMatch(new RegExp(`^${name} +test_${name} +in a file +\\S.* bank-[012]$`, 'm'));
    }
    expect(stdout).toContain('ERROR_CODE_MISDIRECTED_REQUEST');
    expect(stdout).toMatch(/^slot 20 is served by bank-1: /m);
    expect(stdout).toMatch(/^bank-1 .* slots 0-20,86-170 /m);
    expect(stdout.match(/^each slot is served by one bank$/gm)?.length).toBeGreaterThanOrEqual(2);
  });
});
