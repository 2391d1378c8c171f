/**
 * A sandbox as a Durable Object: the same program in workerd, on this machine. Every operation of both versions
 * returns the same response to its example in an object and in a process. An object that is killed still has all
 * acknowledged changes, and executes due work without a request. If workerd is not installed, a test with this name
 * fails, and the others are skipped.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../build/answers/bank.ts';
import { verifyWebhook } from '../../src/kit/client/webhook.ts';
import { CASES, type Case, prepareExample, TEN } from '../server/http/cases.ts';
import { type Method, useHttp } from '../server/http/support.ts';
import { type Running, startBank, startObjects, until } from '../server/process/support.ts';
import { CONTROL_CASES, callControlCase } from '../support/control-cases.ts';
import { START } from '../support/sandbox.ts';
import {
  endWorkerd,
  makeWorkerFolder,
  startWorkerd,
  type Workerd,
  type WorkerFolder,
} from '../support/workerd.ts';
import { CONTROL_DIFFERENCES, comparableText } from '../support/workerd-differences.ts';
import { WORKERD } from '../support/workerd-program.ts';

const SETTINGS = {
  SANDBANK_RAILS: 'manual',
  SANDBANK_SECRETS: 'seeded',
  // Of the server of `useHttp`.
  SANDBANK_RANDOM_SEED: 'http-tests',
};

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** One of the two servers. */
type Send = (
  method: Method,
  path: string,
  options: { body?: string | Buffer | undefined; headers: Record<string, string> },
) => Promise<Answer>;

const http = useHttp({ rails: 'manual' });

/** How an operation in an object is beside the same one in a process. */
type Outcome = 'equal' | 'different' | 'refused';
const outcomes: Record<'ten' | 'both' | 'control', Outcome[]> = { ten: [], both: [], control: [] };
/** Their rows in the guide. */
const OUTCOMES = {
  ten: 'the ten operations of the first steps',
  both: 'v1 and v2',
  control: 'control plane',
} as const;
const GUIDE = readFileSync(new URL('../../docs/guides/cluster.md', import.meta.url), 'utf8');

const comparableReply = ({ status, contentType, bytes }: Reply) => ({
  status,
  contentType,
  text: comparableText(bytes.toString('utf8')),
});

const sendTo =
  (url: () => string): Send =>
  async (method, path, { body, headers }) => {
    const response = await fetch(url() + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: body as string | Uint8Array<ArrayBuffer> }),
      redirect: 'manual',
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    };
  };

const readJson = async (send: Send, path: string, key: string) =>
  JSON.parse((await send('GET', path, { headers: { 'api-key': key } })).text);

/** The server, and the ids of its sandboxes' records. */
function createSide(send: Send) {
  const seeds = new Map<string, Record<string, string>>();
  return async ({ operation, apiVersion, name }: Case) => {
    // Reads share a sandbox: they change nothing.
    const key =
      operation.method === 'GET' ? 'test_reads' : `test_${name.replaceAll(/\W+/g, '_')}`.slice(0, 60);
    if (!seeds.has(key)) {
      // Hints name dates.
      const body = JSON.stringify({ mode: 'frozen', now: new Date(START).toISOString() });
      await send('PUT', '/_sandbox/clock', {
        body,
        headers: { 'api-key': key, 'content-type': 'application/json' },
      });
    }
    const seeded = seeds.get(key) ?? (await readJson(send, '/_sandbox', key)).seeded;
    seeds.set(key, seeded);
    const { path, body, form, headers } = prepareExample(operation, (one) => String(seeded[one]));
    const answer = await send(operation.method, path, {
      body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
      headers: { ...headers, [apiVersion === 'v1' ? 'sd-api-key' : 'api-key']: key },
    });
    const {
      'content-type': type,
      'x-sandbox-hint': hint,
      'content-disposition': disposition,
    } = answer.headers;
    return { status: answer.status, type, hint, disposition, text: comparableText(answer.text) };
  };
}

it('workerd is installed', () => {
  expect(WORKERD, 'npm run test:long installs it from test/cluster/workerd').not.toBe('');
});

describe.runIf(WORKERD !== '')('a sandbox in a Durable Object', () => {
  let folder: WorkerFolder;
  let workerd: Workerd;
  const send = sendTo(() => workerd.url);
  const inObject = createSide(send);
  const inProcess = createSide(http.call);

  beforeAll(async () => {
    folder = await makeWorkerFolder();
    workerd = await startWorkerd(folder, SETTINGS);
  });
  afterAll(endWorkerd);

  const compare = async (entry: Case): Promise<void> => {
    const answer = await inObject(entry);
    expect(answer.status, answer.text.slice(0, 500)).toBe(entry.operation.status);
    expect(answer).toEqual(await inProcess(entry));
    if (isTen(entry)) outcomes.ten.push('equal');
    outcomes.both.push('equal');
  };
  const isTen = ({ name }: Case): boolean => TEN.includes(name);
  const titled = (cases: readonly Case[]) => cases.map((entry) => [entry.title, entry] as const);

  describe('has the same responses as a process for the ten common operations', () => {
    it.each(titled(CASES.filter(isTen)))('%s', (_, entry) => compare(entry));
  });

  describe('has the same responses as a process for every other operation', () => {
    it.each(titled(CASES.filter((entry) => !isTen(entry))))('%s', (_, entry) => compare(entry));
  });

  describe('answers every operation of the control plane as a process does, but for listed ones', () => {
    let objects: Running;
    let bank: Running;
    beforeAll(async () => {
      const settings = { SANDBANK_PROFILE: 'ci', ...SETTINGS };
      [objects, bank] = await Promise.all([startObjects(settings), startBank(settings)]);
    });

    it.each(CONTROL_CASES.map((row) => [`${row.id}: ${row.method} ${row.path}`, row] as const))(
      '%s',
      async (_, row) => {
        const [inObject, inProcess] = [
          comparableReply(await callControlCase(objects.url, row)),
          comparableReply(await callControlCase(bank.url, row)),
        ];
        const because = CONTROL_DIFFERENCES[row.id];
        const isRefused = inObject.status === 501;
        outcomes.control.push(because === undefined ? 'equal' : isRefused ? 'refused' : 'different');
        if (because === undefined) expect(inObject).toEqual(inProcess);
        else expect(inObject, `the list says that ${because}`).not.toEqual(inProcess);
      },
    );
  });

  it('has as many equal, different and refused operations as the guide says', () => {
    const counts = Object.entries(outcomes).map(([name, all]) => {
      const count = (one: Outcome): number => all.filter((outcome) => outcome === one).length;
      const numbers = [all.length, count('equal'), count('different'), count('refused')];
      return `| ${OUTCOMES[name as keyof typeof outcomes]} | ${numbers.join(' | ')} |`;
    });
    process.stdout.write(`${counts.join('\n')}\n`);
    expect(counts.filter((line) => !GUIDE.includes(line))).toEqual([]);
  });

  it('has books that balance after all of them', async () => {
    const { sandboxes } = await readJson(send, '/_sandbox/sandboxes', 'test_reads');
    expect(sandboxes.length).toBeGreaterThan(TEN.length);
    for (const { key } of sandboxes) {
      expect((await readJson(send, '/_sandbox/ledger/verify', key)).problems, key).toEqual([]);
    }
  });

  it('responds concurrently with many others, each with its own books', async () => {
    const keys = Array.from({ length: 8 }, (_, number) => `test_crowd_${number}`);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => keys)
        .flat()
        .map(async (key) => {
          const { seeded } = await readJson(send, '/_sandbox', key);
          const { data } = await readJson(send, '/v2/accounts/sub_account', key);
          return [key, data.map(({ id }: { id: string }) => id).includes(seeded.sub_account_id)];
        }),
    );
    expect(answers).toEqual(Array.from({ length: 5 }, () => keys.map((key) => [key, true])).flat());
  });

  it('is created and deleted by name, without an effect on others', async () => {
    const create = () =>
      send('POST', '/_sandbox/sandboxes', { body: '{"name":"spare"}', headers: {} }).then(
        ({ status, text }) => [status, text] as const,
      );
    const names = async () =>
      (await readJson(send, '/_sandbox/sandboxes', 'test_reads')).sandboxes.map(
        ({ name }: { name: string }) => name,
      );
    expect(await create()).toEqual([201, '{"name":"spare","key":"test_spare"}']);
    expect((await create())[0]).toBe(409);
    expect(await names()).toContain('spare');
    const before = await readJson(send, '/_sandbox', 'test_reads');
    expect((await send('DELETE', '/_sandbox/sandboxes/spare', { headers: {} })).status).toBe(204);
    expect(await names()).not.toContain('spare');
    expect((await readJson(send, '/_sandbox', 'test_reads')).counts).toEqual(before.counts);
    const { status } = await send('GET', '/v2/accounts/sub_account', {
      headers: { 'api-key': 'test_spare', 'x-sandbox-observer': 'test' },
    });
    expect(status).toBe(401);
  });

  it('refuses unsupported operations with 501 and a reason', async () => {
    const key = { 'api-key': 'test_reads' };
    const body = JSON.stringify({ connection: 'reset' });
    const { status, text } = await send('POST', '/_sandbox/faults', { headers: key, body });
    expect([status, text]).toEqual([
      501,
      expect.stringContaining('connection faults are not available here'),
    ]);
  });

  it('keeps acknowledged changes, and settles and delivers without a request, after it is lost', async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    let refusals = 1;
    const receiver = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString('utf8');
      refusals -= 1;
      if (refusals < 0) received.push({ headers: request.headers, body });
      response.writeHead(refusals < 0 ? 200 : 503).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void receiver.close());
    await until('the receiver', () => receiver.listening);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await workerd.kill();
    const settings = { ...SETTINGS, SANDBANK_RAILS: 'fast' };
    workerd = await startWorkerd(folder, settings);
    const key = { 'api-key': 'test_lost' };
    const { seeded } = await readJson(send, '/_sandbox', 'test_lost');
    const post = async (path: string, body: object) =>
      JSON.parse((await send('POST', path, { body: JSON.stringify(body), headers: key })).text);
    const webhook = await post('/v2/webhook', { url, events: ['transaction.status.settled'] });
    const payment = await post('/v2/payments/ach/pull', {
      sub_account_id: seeded.sub_account_id,
      counterparty_id: seeded.ach_counterparty_id,
      amount: '12.50',
    });
    await workerd.kill();
    workerd = await startWorkerd(folder, settings);
    await until('the events of the settlement', () => received.length > 0, 50_000);
    expect(received.map(({ body }) => JSON.parse(body).data.id)).toContain(payment.id);
    for (const { headers, body } of received) {
      expect(verifyWebhook(body, headers, webhook.secret)).toMatchObject({});
    }
  }, 180_000);
});
