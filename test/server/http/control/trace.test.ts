/** A trace: the masked responses that the inspector reads, in one file that a browser opens without a server. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createTraceMask } from '../../../../src/sandboxes/control/trace/mask.ts';
import { compressPart, makeTracePage, type Trace } from '../../../../src/sandboxes/control/trace/page.ts';
import { dataOf } from '../../../support/traces.ts';
import { type Bank, openBank, openServer, pull } from './server.ts';

const MOST_BYTES = 1_500_000;

/** Masks a single value. */
function maskTrace(value: unknown): unknown {
  const mask = createTraceMask();
  return JSON.parse(mask.hide(mask.write(value)).toString());
}

async function traceOf({ call }: Bank, body: object = {}, key?: string): Promise<Trace> {
  const { status, headers, bytes } = await call('POST', '/_sandbox/trace', body, key);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  return dataOf(bytes);
}

describe('a trace', () => {
  it('contains the test, the records, the requests, the events and the deliveries, and changes nothing', async () => {
    const server = await openBank({ hasWebhook: true });
    const payment = await pull(server, '62.40');
    await server.call('POST', '/_sandbox/drain');
    const before = await server.call('GET', '/_sandbox/requests?limit=1000');
    const trace = await traceOf(server, { test: 'pays the rent', error: 'expected settled' });
    expect(trace).toMatchObject({
      sandbox: server.name,
      test: 'pays the rent',
      error: 'expected settled',
      version: 1,
    });
    const { answers } = trace;
    expect(answers).toMatchObject({
      '/_sandbox/clock': (await server.call('GET', '/_sandbox/clock')).body,
      [`/_sandbox/explain/${payment.id}`]: { kind: 'transaction', status: 'originated' },
      '/v2/payments/transaction?limit=100': {
        data: expect.arrayContaining([expect.objectContaining({ id: payment.id })]),
      },
      '/_sandbox/requests?limit=1000': {
        requests: [expect.objectContaining({ path: '/v2/payments/ach/pull' })],
      },
    });
    const attempts = Object.keys(answers).filter((path) =>
      /^\/_sandbox\/events\/evt_\w+\/attempts$/.test(path),
    );
    expect(attempts.length).toBeGreaterThan(0);
    expect(answers[attempts[0] ?? '']).toMatchObject({ why: { reason: 'delivered' } });
    expect((await server.call('GET', '/_sandbox/requests?limit=1000')).body).toEqual(before.body);
  });

  it('belongs to the sandbox of its key', async () => {
    const server = await openBank();
    await pull(server, '7.00', 'test_alice');
    const { sandbox, answers } = await traceOf(server, {}, 'test_alice');
    expect(sandbox).toBe('alice');
    expect(JSON.stringify(answers)).toContain('"7.00"');
    expect(JSON.stringify((await traceOf(server)).answers)).not.toContain('"7.00"');
  });

  it('contains no secret, no full number of a card or account and no id number, anywhere', async () => {
    const server = await openBank({ hasWebhook: true });
    const { call } = server;
    const [webhook] = (await call('GET', '/_sandbox/webhooks')).body.webhooks;
    const { data: accounts } = (await call('GET', '/v2/accounts/sub_account?limit=100')).body;
    const numbers = accounts.map(
      (account: Record<string, string>) => account.sub_account_number ?? account.account_number,
    );
    const [first = ''] = numbers.filter((number: string) => number?.length >= 8);
    expect(first).toMatch(/^\d{8,}$/);
    await pull(server, '1.00');
    const error = `expected ${first} to be paid, signed with ${webhook.secret}`;
    const text = JSON.stringify(await traceOf(server, { test: `account ${first}`, error }));
    expect(webhook.secret.length).toBeGreaterThan(16);
    for (const secret of [webhook.secret, ...numbers.filter((number: string) => number?.length >= 8)]) {
      expect(text.includes(secret), secret).toBe(false);
    }
    expect(text).toContain(`account ******`);
  });

  it('contains the responses of the control plane', async () => {
    const server = await openBank({ hasWebhook: true });
    const { call } = server;
    const { id } = await pull(server, '12.00');
    await call('POST', `/_sandbox/simulate/transactions/${id}/settle`, {});
    await call('POST', '/_sandbox/drain');
    const { answers } = await traceOf(server);
    // Everything else in the trace may have changed since.
    const paths = Object.keys(answers).filter((path) => /explain|events|ledger|rails|attempts/.test(path));
    for (const path of paths) {
      const { status, body } = await call('GET', path);
      const expected = maskTrace(path.includes('resource=') ? { ...body, cursor: '', older: '' } : body);
      expect([status, answers[path]], path).toEqual([200, expected]);
    }
    expect(paths).toContain(`/_sandbox/explain/${id}`);
    expect(answers[`/_sandbox/explain/${id}`]).toMatchObject({ status: 'settled', path: expect.any(Array) });
    expect(answers[`/_sandbox/events?resource=${id}&limit=50`]).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ resource_id: id })]),
    });
  });

  it('reads the log of facts as often for many records as for one', async () => {
    const server = await openServer();
    const { outbox } = server.registry.default();
    const read = vi.spyOn(outbox, 'factsAbout');
    await pull(server, '1.00');
    await traceOf(server);
    const forOne = read.mock.calls.length;
    for (let number = 2; number <= 30; number += 1) await pull(server, `${number}.00`);
    const search = vi.spyOn(outbox, 'factsIn');
    read.mockClear();
    const { answers } = await traceOf(server);
    expect(
      Object.keys(answers).filter((path) => path.startsWith('/_sandbox/explain/txn_')).length,
    ).toBeGreaterThan(29);
    expect(read).toHaveBeenCalledTimes(forOne);
    expect(search.mock.calls.filter(([, { resourceId }]) => resourceId !== undefined)).toEqual([]);
  });

  it('shares responses with others that wait, and not with earlier ones', async () => {
    const server = await openServer();
    const read = vi.spyOn(server.registry.default().journal, 'counts');
    const first = traceOf(server, { test: 'first' });
    const { id } = await pull(server, '5.00');
    const others = ['second', 'third', 'fourth'].map((test) => traceOf(server, { test, error: `of ${id}` }));
    const elsewhere = traceOf(server, {}, 'test_alice');
    expect((await first).test).toBe('first');
    const traces = await Promise.all(others);
    expect(traces.map(({ test, error }) => `${test} ${error}`)).toEqual([
      `second of ${id}`,
      `third of ${id}`,
      `fourth of ${id}`,
    ]);
    for (const { answers } of traces) expect(answers).toHaveProperty([`/_sandbox/explain/${id}`]);
    expect((await elsewhere).sandbox).toBe('alice');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is created without the calls that fail', async () => {
    const failures: unknown[] = [];
    const server = await openServer({}, failures);
    const { id } = await pull(server, '12.00');
    vi.spyOn(server.registry.default().store.decisions, 'of').mockImplementation(() => {
      throw new Error('no decisions');
    });
    const { answers } = await traceOf(server);
    expect(Object.keys(answers)).toContain('/_sandbox/requests?limit=1000');
    expect(Object.keys(answers)).not.toContain(`/_sandbox/explain/${id}`);
    failures.length = 0;
  });

  it('of a typical test has at most 1.5 MB', async () => {
    const server = await openBank({ hasWebhook: true });
    for (let number = 1; number <= 20; number += 1) await pull(server, `${number}.00`);
    await server.call('POST', '/_sandbox/clock/settle', {});
    const { bytes } = await server.call('POST', '/_sandbox/trace', {});
    expect(bytes.length).toBeLessThan(MOST_BYTES);
  });

  it('that would be too large is refused with a solution', async () => {
    const trace: Trace = {
      version: 1,
      sandbox: 'x',
      made_at: '',
      program: '',
      test: '',
      error: '',
      answers: {},
    };
    const { answers, ...rest } = trace;
    const begin = await compressPart(Buffer.from(`{"answers":${JSON.stringify(answers)},`));
    const end = Buffer.from(JSON.stringify(rest).slice(1));
    await expect(makeTracePage(begin, end, 1024)).rejects.toMatchObject({
      code: 'trace_too_large',
      message: expect.stringMatching(
        /^the trace would have 0\.\d MB, and .* is the maximum: reset the sandbox/,
      ),
    });
    const page = await makeTracePage(begin, end);
    expect(page.toString('latin1', 0, 15)).toBe('<!doctype html>');
    expect(dataOf(page)).toEqual(trace);
  });
});

describe('the masking of a trace', () => {
  const NAMES = [
    'secret',
    'api_key',
    'card_number',
    'cardNumber',
    'account_number',
    'ssn',
    'id_number',
    'idNumber',
    'token',
  ];
  const secret = fc.stringMatching(/^[A-Za-z0-9]{12,24}$/).filter((text) => !/^[a-z]+$/.test(text));
  const place = fc.constantFrom('field', 'event', 'text', 'path', 'error', 'list', 'lines', 'named');

  it('hides a value everywhere after a field with a secret name has it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        secret,
        fc.array(place, { minLength: 1 }),
        (name, value, places) => {
          const around: Record<string, unknown> = {
            field: { [name]: value },
            event: { data: { [name]: value } },
            text: JSON.stringify({ data: { [name]: value } }),
            path: { [`/v1/thing/${value}/show`]: {} },
            error: `expected ${value}, received ""`,
            list: [[value], `${value}.`],
            lines: `Straße\n${value}\t\u0001${value}\\"${value}"`,
            named: [{ [name]: [value] }],
          };
          const trace = { named: { [name]: value }, places: places.map((one) => around[one]) };
          const masked = JSON.stringify(maskTrace(trace));
          expect(masked).not.toContain(value);
        },
      ),
    );
  });

  it('keeps a number that is not in such a field, and other texts that contain the secret', () => {
    const trace = {
      account_number: '123456789012',
      sum: 123456789012,
      id: 'x123456789012',
      text: '1234567890123',
    };
    expect(maskTrace(trace)).toEqual({ ...trace, account_number: '********9012' });
  });

  it('keeps a word elsewhere', () => {
    const trace = { results: { ssn: 'approved' }, status: 'approved' };
    expect(maskTrace(trace)).toEqual({ results: { ssn: '****oved' }, status: 'approved' });
  });

  it('hides the user and password of an address', () => {
    const shown = 'http://***@hooks.example/';
    const url = 'http://ada:p@hooks.example/';
    expect(maskTrace({ url, body: JSON.stringify({ url }), error: `to ${url}` })).toEqual({
      url: shown,
      body: JSON.stringify({ url: shown }),
      error: `to ${shown}`,
    });
  });

  it('hides a part between separators', () => {
    expect(maskTrace([{ secret: 'abcdefghijkl' }, 'v1/abcdefghijkl=x'])).toEqual([
      { secret: '****ijkl' },
      'v1/****ijkl=x',
    ]);
  });

  it('hides a secret of eight characters in other texts, and keeps a shorter one there', () => {
    expect(maskTrace([{ secret: 'abcd1234' }, 'of abcd1234'])).toEqual([{ secret: '****' }, 'of ****']);
    expect(maskTrace([{ secret: 'abc1234' }, 'of abc1234'])).toEqual([{ secret: '****' }, 'of abc1234']);
  });

  it('keeps everything else', () => {
    const plain = {
      id: 'txn_0190',
      amount: '12.50',
      list: [1, null, true],
      text: 'not {json',
      nested: '{"a":1}',
    };
    expect(maskTrace(plain)).toEqual(plain);
  });
});
