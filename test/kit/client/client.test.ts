/**
 * The client without a bank: the request of a call, and the handling of its response. A function instead of `fetch`
 * is the bank.
 */
import { describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { type ClientOptions, createClient, SandbankError } from '../../../src/kit/client/index.ts';
import { nameOf } from '../../../src/kit/client/table.ts';
import { CONTROL_OPERATIONS } from '../../../src/sandboxes/control/index.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
}

/** A client whose bank returns the given response, and the requests to it. */
function clientOf(answer: () => Response = () => Response.json({}), options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const client = createClient({
    url: 'http://bank.example:4800/',
    apiKey: 'test_alice',
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init, headers: new Headers(init.headers) });
      return answer();
    },
    ...options,
  });
  const last = (): Sent => {
    const found = sent.at(-1);
    if (found === undefined) throw new Error('nothing was sent');
    return found;
  };
  return { client, last };
}

type Methods = Record<string, (request?: object) => Promise<unknown>>;

const refusal = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

describe('the methods', () => {
  it.each([
    ['v2', V2_OPERATIONS],
    ['v1', V1_OPERATIONS],
    ['sandbox', CONTROL_OPERATIONS],
  ] as const)('of %s are its operations, each with a unique name', async (name, operations) => {
    const { client, last } = clientOf(() => new Response(null, { status: 204 }));
    const methods = client[name] as unknown as Methods;
    expect(Object.keys(methods).sort()).toEqual(operations.map(({ id }) => nameOf(id)).sort());
    expect(new Set(Object.keys(methods)).size).toBe(operations.length);
    for (const { id, method, path } of operations) {
      const params = Object.fromEntries(
        [...path.matchAll(/:(\w+)/g)].map(([, part]) => [part, `the-${part}`]),
      );
      await methods[nameOf(id)]?.({ params });
      expect(last().init.method).toBe(method);
      expect(last().url).toBe(`http://bank.example:4800${path.replace(/:(\w+)/g, 'the-$1')}`);
    }
  });

  it('are named after the operations, without the name of the interface', () => {
    expect(nameOf('v2_create_webhook')).toBe('createWebhook');
    expect(nameOf('sandbox_take_snapshot')).toBe('takeSnapshot');
    expect(nameOf('createWebhook')).toBe('createWebhook');
  });
});

describe('a request', () => {
  it('has its parameters in the path, encoded', async () => {
    const { client, last } = clientOf();
    await client.v2.retrieveSubAccount({ params: { sub_account_id: 'a/b ?c' } });
    expect(last().url).toBe('http://bank.example:4800/v2/accounts/sub_account/a%2Fb%20%3Fc');
  });

  it('without a required path parameter is not sent', async () => {
    const { client } = clientOf();
    const call = client.v2 as unknown as Methods;
    await expect(call.retrieveSubAccount?.({})).rejects.toThrow(
      '/v2/accounts/sub_account/:sub_account_id needs the parameter sub_account_id',
    );
  });

  it('has a query string without undefined values', async () => {
    const { client, last } = clientOf();
    const call = client.v2 as unknown as Methods;
    await call.listSubAccounts?.({ query: { limit: 10, offset: undefined, label: 'Rent & more' } });
    expect(last().url).toBe('http://bank.example:4800/v2/accounts/sub_account?limit=10&label=Rent+%26+more');
    await call.listSubAccounts?.({ query: { offset: undefined } });
    expect(last().url).toBe('http://bank.example:4800/v2/accounts/sub_account');
  });

  it('has a JSON body, and no content type without a body', async () => {
    const { client, last } = clientOf();
    await client.sandbox.setClock({ body: { mode: 'frozen' } });
    expect(last().init.body).toBe('{"mode":"frozen"}');
    expect(last().headers.get('content-type')).toBe('application/json');
    await client.sandbox.reset();
    expect(last().init.body).toBeUndefined();
    expect(last().headers.get('content-type')).toBeNull();
  });

  it('has a body of another type unchanged, with its content type', async () => {
    const { client, last } = clientOf();
    const image = new Uint8Array([1, 2, 3]);
    await client.sandbox.import({ body: image });
    expect(last().init.body).toBe(image);
    expect(last().headers.get('content-type')).toMatch(/sqlite/);
  });

  it('has its files in a multipart form', async () => {
    const { client, last } = clientOf();
    const files = {
      front: new Blob(['front'], { type: 'image/png' }),
      back: new Blob(['back'], { type: 'image/jpeg' }),
    };
    await client.v1.uploadCheckImages({ params: { transferId: 'x' }, files });
    // `fetch` writes it, with the boundary.
    expect(last().headers.get('content-type')).toBeNull();
    const form = last().init.body as FormData;
    expect([...form.keys()]).toEqual(['front', 'back']);
    expect(await (form.get('back') as File).text()).toBe('back');
    expect((form.get('back') as File).type).toBe('image/jpeg');
  });

  it('sends the key in the form of its version', async () => {
    const { client, last } = clientOf(undefined, { personId: 'a-person', controlToken: 'a-token' });
    await client.v2.listSubAccounts();
    expect(Object.fromEntries(last().headers)).toEqual({ 'api-key': 'test_alice' });
    await client.v1.listPersons();
    expect(Object.fromEntries(last().headers)).toEqual({
      'sd-api-key': 'test_alice',
      'sd-person-id': 'a-person',
    });
    await client.sandbox.retrieveClock();
    expect(Object.fromEntries(last().headers)).toEqual({
      'api-key': 'test_alice',
      'x-control-token': 'a-token',
    });
  });

  it('sends its idempotency key in the header of its version', async () => {
    const { client, last } = clientOf();
    await client.v2.submitKyc({ params: { sub_account_holder_id: 'x' }, idempotencyKey: 'once' });
    expect(last().headers.get('idempotency-key')).toBe('once');
    await client.v1.listPersons({ idempotencyKey: 'once' });
    expect(last().headers.get('sd-idempotency-key')).toBe('once');
  });

  it('has its own headers before the default ones, and a signal', async () => {
    const { client, last } = clientOf(undefined, { personId: 'a-person' });
    const { signal } = new AbortController();
    await client.v1.listPersons({ headers: { 'sd-person-id': 'another' }, signal });
    expect(last().headers.get('sd-person-id')).toBe('another');
    expect(last().init.signal).toBe(signal);
  });
});

describe('a response', () => {
  it('with JSON is returned as a value', async () => {
    const { client } = clientOf(() => Response.json({ id: 'sub_1' }));
    expect(await client.v2.retrieveSubAccount({ params: { sub_account_id: 'x' } })).toEqual({ id: 'sub_1' });
  });

  it('without a body is returned as undefined', async () => {
    const { client } = clientOf(() => new Response(null, { status: 204 }));
    expect(await client.sandbox.deleteFaults()).toBeUndefined();
  });

  it('of another type is returned as bytes', async () => {
    const { client } = clientOf(
      () => new Response('%PDF-1.3', { headers: { 'content-type': 'application/pdf' } }),
    );
    const params = { accountId: 'x', year: '2026', month: '1' };
    const file = await client.v1.retrieveStatement({ params, query: { export: 'pdf' } });
    expect(file).toBeInstanceOf(Uint8Array);
    expect(new TextDecoder().decode(file)).toBe('%PDF-1.3');
  });

  it('that is a stream is returned as a stream of bytes', async () => {
    const { client } = clientOf(
      () => new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }),
    );
    const stream = await client.sandbox.stream();
    expect(stream).toBeInstanceOf(ReadableStream);
    expect(await new Response(stream).text()).toBe('data: 1\n\n');
  });
});

describe('an error response', () => {
  const refused = async (answer: Response): Promise<SandbankError> => {
    const { client } = clientOf(() => answer);
    return client.v2.submitKyc({ params: { sub_account_holder_id: 'x' } }).then(
      () => {
        throw new Error('it was not refused');
      },
      (error) => error as SandbankError,
    );
  };

  it.each([
    [
      'v2',
      { error: { code: 'ERROR_CODE_INVALID_FIELD', message: 'no', field_name: 'amount' } },
      { code: 'ERROR_CODE_INVALID_FIELD', field: 'amount', hint: '' },
    ],
    ['v1', { code: 'EC_AMOUNT_INVALID', message: 'no' }, { code: 'EC_AMOUNT_INVALID', field: '', hint: '' }],
    [
      'the control plane',
      { error: { code: 'field_invalid', message: 'no', hint: 'amount' } },
      { code: 'field_invalid', field: '', hint: 'amount' },
    ],
  ])('in the format of %s is an error with its fields', async (_, body, parts) => {
    const error = await refused(refusal(400, body, { 'x-request-id': 'req_1' }));
    expect(error).toBeInstanceOf(SandbankError);
    expect(error).toMatchObject({ name: 'SandbankError', status: 400, requestId: 'req_1', body, ...parts });
    expect(error.message).toBe(`POST /v2/accounts/sub_account_holder/x/kyc: 400 ${parts.code} no`);
  });

  it('from a proxy is also an error, with its text', async () => {
    const error = await refused(refusal(502, '<h1>Bad Gateway</h1>'));
    expect(error).toMatchObject({
      status: 502,
      code: '',
      field: '',
      requestId: '',
      body: '<h1>Bad Gateway</h1>',
    });
    expect((await refused(refusal(500, 'null'))).body).toBeNull();
  });
});

describe('a failed request', () => {
  it('is an error with the address of the bank and the cause', async () => {
    const { client } = clientOf(() => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      });
    });
    const failed = client.sandbox.retrieveClock();
    await expect(failed).rejects.toThrow(
      'no answer from http://bank.example:4800 (connect ECONNREFUSED): is a bank running there?',
    );
    await expect(failed).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('with the code in the error itself, as in Bun, has the address, too', async () => {
    const reason = Object.assign(new Error('Unable to connect'), { code: 'ECONNREFUSED' });
    const { client } = clientOf(() => {
      throw reason;
    });
    const failed = client.sandbox.retrieveClock();
    await expect(failed).rejects.toThrow('no answer from http://bank.example:4800 (Unable to connect)');
    await expect(failed).rejects.toMatchObject({ cause: reason });
  });

  it("that the caller aborted is rejected with the caller's reason", async () => {
    const reason = new DOMException('enough', 'AbortError');
    const { client } = clientOf(() => {
      throw reason;
    });
    await expect(client.sandbox.retrieveClock()).rejects.toBe(reason);
  });
});
