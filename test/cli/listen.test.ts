/**
 * `sandbank listen --forward-to`: every event reaches the receiver once and in order, even after interruptions, with
 * signatures that a client can verify.
 */
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from '../../src/command.ts';
import type { Sandbank } from '../../src/kit/bank.ts';
import { connectSandbank } from '../../src/kit/bank.ts';
import { startSandbank } from '../../src/kit/start.ts';
import { type Arrival, openReceiver, type Receiver, signaturesOf } from '../server/http/receiver.ts';
import { makeFolder, pull, startBank, stop, until } from '../server/process/support.ts';
import { freePort, memoryShell, type Printed, sandbank } from './support.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receive(): Promise<Receiver> {
  const receiver = await openReceiver();
  closing.push(() => receiver.close());
  return receiver;
}

async function openBank(): Promise<Sandbank> {
  const bank = await startSandbank({ rails: 'manual' });
  closing.push(() => bank.close());
  return bank;
}

const order = async (bank: Sandbank, amount: string): Promise<string> => {
  const { sub_account_id = '', ach_counterparty_id: counterparty_id = '' } = await bank.seeded();
  return (await bank.v2.originateAchPull({ body: { sub_account_id, counterparty_id, amount } })).id;
};

const recordOf = ({ json }: Arrival): string => (json.data as { id: string }).id;
const eventOf = ({ headers }: Arrival): string => String(headers['webhook-id']);

describe('a forwarded event', () => {
  it('has the body of a delivery, and both kinds of signatures', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const id = await order(bank, '40.00');
    const { code, stdout, stderr } = await sandbank(
      [
        'listen',
        '--forward-to',
        receiver.url,
        '--api-version',
        'v2',
        '--events',
        'transaction.*',
        '--since',
        'beginning',
        '--max',
        '1',
      ],
      bank.env,
    );
    const { webhook_secret: secret = '', webhook_id: webhook = '' } = await bank.seeded();
    expect(code).toBe(0);
    expect(stderr).toBe(
      `listening to ${bank.url} as test_default: transaction.* of v2, to ${receiver.url}; signed with the secret of ${webhook}, ${secret} (v2); Ctrl-C stops\n`,
    );
    const [arrival] = receiver.arrivals;
    if (arrival === undefined) throw new Error('nothing arrived');
    expect(stdout).toMatch(/^\S+ {2}evt_\w+ {2}transaction\.created +txn_\w+ {2}-> 200\n$/);
    expect(stdout).toContain(eventOf(arrival));
    expect(arrival.json).toMatchObject({ event_type: 'transaction.created', data: { amount: '5000.00' } });
    expect(id).not.toBe(recordOf(arrival));

    const { own, standard } = signaturesOf(arrival, secret);
    expect(arrival.headers['sd-webhook-sha256-signature']).toBe(own);
    expect(arrival.headers['webhook-signature']).toBe(standard);
    const library = new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
    expect(library.verify(arrival.body, arrival.headers as Record<string, string>)).toEqual(arrival.json);
  });

  it('of each version is signed with the secret of the oldest webhook of that version', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const url = 'http://elsewhere.example';
    const [own] = await Promise.all(
      ['first', 'second'].map((path) =>
        bank.sandbox.createWebhook({
          body: { api_version: 'v2', url: `${url}/${path}`, events: ['*'] },
        }),
      ),
    );
    const { webhook_id: seeded = '', webhook_secret: secret = '' } = await bank.seeded();
    const words = ['listen', '--forward-to', receiver.url, '--since', 'beginning', '--max', '8'];
    const { stderr } = await sandbank(words, bank.env);
    expect(stderr).toContain(
      `all events of v2 and v1, to ${receiver.url}; signed with the secret of ${own?.id}, ${own?.secret} (v2) and ${seeded}, ${secret} (v1)`,
    );
    const versionOf = ({ json }: Arrival) => ('event_type' in json ? 'v2' : 'v1');
    expect(new Set(receiver.arrivals.map(versionOf))).toEqual(new Set(['v1', 'v2']));
    for (const arrival of receiver.arrivals) {
      const signatures = signaturesOf(arrival, versionOf(arrival) === 'v2' ? String(own?.secret) : secret);
      expect(arrival.headers['sd-webhook-sha256-signature']).toBe(signatures.own);
      expect(arrival.headers['webhook-signature']).toBe(signatures.standard);
    }
  });

  it('is sent with the credentials of the address, which are not printed', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const to = receiver.url.replace('//', '//ada:hidden@');
    const words = ['listen', '--forward-to', to, '--since', 'beginning', '--max', '1'];
    const { code, stdout, stderr } = await sandbank(words, bank.env);
    const authorization = `Basic ${Buffer.from('ada:hidden').toString('base64')}`;
    expect(code).toBe(0);
    expect(receiver.arrivals.map(({ headers }) => headers.authorization)).toEqual([authorization]);
    expect(stderr).toContain(`to ${receiver.url.replace('//', '//***@')}; signed`);
    expect(stdout + stderr).not.toContain('hidden');
  });

  it('is signed with the secret of the selected webhook', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const body = { api_version: 'v1', url: 'http://elsewhere.example', events: ['*'] };
    const { id, secret } = await bank.sandbox.createWebhook({ body });
    const { code } = await sandbank(
      [
        'listen',
        '--forward-to',
        receiver.url,
        '--api-version',
        'v1',
        '--webhook',
        id,
        '--since',
        'beginning',
        '--max',
        '1',
      ],
      bank.env,
    );
    const [arrival] = receiver.arrivals;
    if (arrival === undefined) throw new Error('nothing arrived');
    expect(code).toBe(0);
    expect(arrival.headers['sd-webhook-sha256-signature']).toBe(signaturesOf(arrival, secret).own);
    expect(arrival.json.eventType).toBe('person.created');
  });

  it('has two signatures during the rotation of a secret', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const { webhook_id: id = '', webhook_secret: before = '' } = await bank.seeded();
    await bank.sandbox.rotateSecret({ params: { id }, body: {} });
    await sandbank(['listen', '--forward-to', receiver.url, '--since', 'beginning', '--max', '2'], bank.env);
    const [arrival] = receiver.arrivals;
    if (arrival === undefined) throw new Error('nothing arrived');
    const { webhook_secret: now = '' } = await bank.seeded();
    expect(String(arrival.headers['webhook-signature']).split(' ')).toEqual([
      signaturesOf(arrival, now).standard,
      signaturesOf(arrival, before).standard,
    ]);
  });
});

describe('a receiver that rejects an event', () => {
  it('is not called again, and the command exits with 1 at the end', async () => {
    const bank = await openBank();
    const receiver = await receive();
    receiver.answer = ({ json }) => (json.event_type === 'card.created' ? 422 : 200);
    const { code, stdout } = await sandbank(
      [
        ...['listen', '--forward-to', receiver.url, '--api-version', 'v2'],
        ...['--events', 'card.*', '--since', 'beginning', '--max', '2'],
      ],
      bank.env,
    );
    expect(code).toBe(1);
    expect(stdout.split('\n').map((line) => line.replace(/^.*->/, '->'))).toEqual([
      '-> 422 refused',
      '-> 200',
      '',
    ]);
    expect(receiver.arrivals).toHaveLength(2);
  });
});

describe('without a receiver', () => {
  it('events are printed as lines of JSON', async () => {
    const bank = await openBank();
    const { stdout } = await sandbank(
      ['listen', '--since', 'beginning', '--max', '3', '--json', '--api-version', 'v2'],
      bank.env,
    );
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ type, forwarded }) => [type, forwarded])).toEqual([
      ['sub_account_holder.created', null],
      ['sub_account_holder.status.pending_activation', null],
      [expect.any(String), null],
    ]);
  });

  it('only new events are printed', async () => {
    const bank = await openBank();
    await order(bank, '1.00');
    const shell = memoryShell(bank.env);
    const listening = runCli(['listen', '--max', '1', '--json', '--api-version', 'v2'], shell);
    await until('its place', () => shell.stderr.startsWith('listening to '));
    const id = await order(bank, '2.00');
    expect(await listening).toBe(0);
    expect(JSON.parse(shell.stdout)).toMatchObject({ type: 'transaction.created', resource_id: id });
  });
});

describe('an invalid receiver address', () => {
  it.each([
    [['--since', 'evt_01a2a7edf0e470008200000000000019'], /this sandbox has no such event/],
    [
      ['--webhook', 'whk_0', '--forward-to', 'http://127.0.0.1:3000'],
      /there is no webhook whk_0 in this sandbox; its webhooks are wbh-/,
    ],
  ])('%j exits with 1', async (words, text) => {
    const bank = await openBank();
    const { code, stdout, stderr } = await sandbank(['listen', ...words], bank.env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(text);
  });
});

describe('an event during a failure', () => {
  const kinds = ['--events', 'transaction.created', '--api-version', 'v2', '--json'];

  /** The accepted events, in order. */
  const taken = (receiver: Receiver, refused: ReadonlySet<Arrival>): string[] =>
    receiver.arrivals.filter((arrival) => !refused.has(arrival)).map(recordOf);

  it('is forwarded afterwards, in order and once, if the receiver fails or the bank restarts', async () => {
    const settings = {
      SANDBANK_PORT: String(await freePort()),
      SANDBANK_DATA: makeFolder(),
      SANDBANK_RAILS: 'manual',
    };
    const bank = await startBank(settings);
    const receiver = await receive();
    const refused = new Set<Arrival>();
    const ids: unknown[] = [];
    const again = async (running: typeof bank): Promise<void> => {
      ids.push((await pull(running, '1.00')).body.id);
    };

    const { cursor } = await connectSandbank({ url: bank.url }).sandbox.listEvents();
    const environment = { SANDBANK_URL: bank.url };
    const listening: Promise<Printed> = sandbank(
      ['listen', '--forward-to', receiver.url, '--since', cursor, '--max', '6', ...kinds],
      environment,
    );
    await again(bank);
    await again(bank);
    await until('the first two', () => receiver.arrivals.length === 2);

    receiver.answer = (arrival) => {
      refused.add(arrival);
      return 503;
    };
    await again(bank);
    await again(bank);
    await until('two attempts at the third', () => refused.size >= 2);
    await again(bank);
    await stop(bank);
    receiver.answer = () => 200;
    const restarted = await startBank(settings);
    await again(restarted);

    const { code, stdout, stderr } = await listening;
    expect(code).toBe(0);
    expect(taken(receiver, refused)).toEqual(ids);
    expect(new Set([...refused].map(recordOf))).toEqual(new Set([ids[2]]));
    const received = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(received.map(({ resource_id: id, forwarded }) => [id, forwarded])).toEqual(
      ids.map((id) => [id, 200]),
    );
    expect(stderr).toContain('did not accept evt_');
    expect(stderr).not.toMatch(/seeded again|brought back/);
  });

  it('in a new bank is forwarded from its seed on', async () => {
    const settings = { SANDBANK_PORT: String(await freePort()), SANDBANK_RAILS: 'manual' };
    const bank = await startBank(settings);
    const receiver = await receive();
    const { cursor } = await connectSandbank({ url: bank.url }).sandbox.listEvents();
    const listening = sandbank(
      ['listen', '--forward-to', receiver.url, '--since', cursor, '--max', '2', ...kinds],
      { SANDBANK_URL: bank.url },
    );
    const { body: before } = await pull(bank, '1.00');
    await until('the first', () => receiver.arrivals.length === 1);
    await stop(bank);
    const restarted = await startBank(settings);
    const { body: after } = await pull(restarted, '2.00');

    const { code, stderr } = await listening;
    expect(code).toBe(0);
    expect(receiver.arrivals.map(recordOf)).toEqual([before.id, after.id]);
    expect(stderr).toContain('waiting for it');
    expect(stderr).toContain('sandbank: the bank responds again\n');
    expect(stderr).toContain('sandbank: the bank was seeded again; continuing after its initial records\n');
  });

  it('in a bank that is reset is forwarded from there on', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const { cursor } = await bank.sandbox.listEvents();
    const listening = sandbank(
      [
        'listen',
        '--forward-to',
        receiver.url,
        '--since',
        cursor,
        '--max',
        '2',
        '--events',
        'transaction.created',
        '--api-version',
        'v2',
      ],
      bank.env,
    );
    const before = await order(bank, '1.00');
    await until('the first', () => receiver.arrivals.length === 1);
    await bank.reset();
    const after = await order(bank, '2.00');
    const { stderr } = await listening;
    expect(receiver.arrivals.map(recordOf)).toEqual([before, after]);
    expect(stderr).toContain('restored to an earlier state');
  });

  it('in a bank that is restored from a snapshot is forwarded from there on', async () => {
    const bank = await openBank();
    const receiver = await receive();
    const { cursor } = await bank.sandbox.listEvents();
    const words = ['--since', cursor, '--max', '4', ...kinds];
    const listening = sandbank(['listen', '--forward-to', receiver.url, ...words], bank.env);
    const ids = [await order(bank, '1.00')];
    await bank.snapshot('kept');
    for (const amount of ['2.00', '3.00']) ids.push(await order(bank, amount));
    await until('the three', () => receiver.arrivals.length === 3);
    await bank.restore('kept');
    ids.push(await order(bank, '4.00'));
    const { stderr } = await listening;
    expect(receiver.arrivals.map(recordOf)).toEqual(ids);
    expect(stderr).toMatch(/restored to an earlier state; continuing after evt_\w+\n$/);
  });
});
