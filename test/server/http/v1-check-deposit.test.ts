/**
 * A check deposit in v1: first the transfer, then a form with both sides. Decision `v1-check-image-upload` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { TRANSFER } from '../../contract/v1/money.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type FormPart, writeForm } from './forms.ts';
import { type Answer, type Caller, useHttp } from './support.ts';
import { available, entries, giveRails, kinds, order, orderOf } from './v1-orders.ts';

const MIB = 1_048_576;
const side = (name: string, change: Partial<FormPart> = {}): FormPart => ({
  name,
  filename: `${name}.png`,
  contentType: 'image/png',
  content: `the ${name} of a check`,
  ...change,
});
const BOTH = [side('front'), side('back', { contentType: 'image/jpeg' })];

const pathOf = (id: string) => `/v1/receive/check/${id}/files`;
function upload(
  caller: Caller,
  id: string,
  parts: readonly FormPart[] = BOTH,
  headers: Record<string, string> = {},
  boundary?: string,
): Promise<Answer> {
  const form = writeForm(parts, boundary);
  return caller.v1('PATCH', pathOf(id), form.body, { ...form.headers, ...headers });
}
async function deposit(caller: Caller): Promise<string> {
  await giveRails(caller);
  return (await order(caller, orderOf('/v1/receive/check'))).id();
}

describe('a check deposit (receiveCheck)', () => {
  const http = useHttp({ small: true, rails: 'fast' });
  const pass = async (caller: Caller): Promise<void> => {
    for (let second = 0; second < 8; second += 1) {
      http.clock.advance(1000);
      await caller.sandbox.agenda.runDue();
    }
  };

  it('waits for its files without a time limit', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    await pass(caller);
    const read = await caller.v1('GET', `/v1/receive/check/${id}`);
    expect(read.body).toMatchObject({ status: 'waitingForFiles', address: { addressType: 'check' } });
    const waiting = await caller.v1('GET', '/v1/receive/check?status=waitingForFiles');
    expect([waiting.at('total'), waiting.at('data.0.id')]).toEqual([1, id]);
    expect((await caller.v1('GET', '/v1/receive/check?status=pending')).at('total')).toBe(0);
    expect(await available(caller)).toBe('5000.00');
  });

  it('is pending after the upload, and then settled', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    await caller.listen();
    const answer = await upload(caller, id);
    expectRecord(answer, 'uploadCheckImages', TRANSFER);
    expect(answer.body).toMatchObject({ id, status: 'pending' });
    expect(await kinds(caller)).toEqual(['transfer.updated']);
    expect((await caller.v1('GET', '/v1/receive/check?status=pending')).at('total')).toBe(1);
    await pass(caller);
    expect(await kinds(caller)).toEqual(['transfer.updated', 'account.credit']);
    expect((await caller.v1('GET', `/v1/receive/check/${id}`)).at('status')).toBe('completed');
    expect(await available(caller)).toBe('5041.20');
    expect((await entries(caller))[0]).toMatchObject({ status: 'settled', balance: '5041.20' });
  });

  it('that is returned also returns the money', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    await upload(caller, id);
    await pass(caller);
    await caller.listen();
    await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/return`, {});
    expect(await kinds(caller)).toEqual(['transfer.updated', 'check.reversal.debit', 'account.debit']);
    expect(await available(caller)).toBe('5000.00');
  });

  it('stores the sent fields', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    await upload(caller, id);
    const { store } = caller.sandbox;
    const details = store.transactions.byId(id.slice(4).replaceAll('-', ''))?.details;
    if (details?.kind !== 'check') throw new Error('no check');
    const stored = [details.frontId, details.backId].map((file) => store.files.byId(file));
    expect(stored.map((file) => [file?.contentType, String(file?.content)])).toEqual([
      ['image/png', 'the front of a check'],
      ['image/jpeg', 'the back of a check'],
    ]);
  });
});

describe('the form with check images (uploadCheckImages)', () => {
  const http = useHttp({ small: true });

  const BAD: [what: string, parts: FormPart[], message: RegExp][] = [
    ['without a back', [side('front')], /back is required/],
    ['without anything', [], /front is required|not valid/],
    ['with another part only', [side('sides')], /front is required/],
    ['with an empty front', [side('front', { content: '' }), side('back')], /front is an empty file/],
    ['with a text for a back', [side('front'), { name: 'back', content: 'x' }], /back must be a file/],
    ['with two fronts', [...BOTH, side('front')], /front came twice/],
    [
      'with an HTML page for a front',
      [side('front', { contentType: 'text/html' }), side('back')],
      /image\/png/,
    ],
    ['with no types', BOTH.map(({ contentType: _, ...part }) => part), /front must be image\/png/],
  ];
  it.each(BAD)('%s is refused and changes nothing', async (_, parts, message) => {
    const caller = http.caller();
    const id = await deposit(caller);
    const before = digestOf(caller.sandbox);
    const answer = await upload(caller, id, parts);
    expectRefusedV1(answer, { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST', message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('may have other parts besides the two files, in any order', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    const parts = [...BOTH.toReversed(), { name: 'note', content: 'hello' }, side('extra')];
    expect((await upload(caller, id, parts)).status).toBe(200);
  });

  it('that is not multipart is 400, and another body is 415', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    const before = digestOf(caller.sandbox);
    const { body } = writeForm(BOTH);
    const send = (content: string | Buffer | undefined, type: string) =>
      caller.v1('PATCH', pathOf(id), content, { 'content-type': type });
    for (const [content, type] of [
      ['', 'multipart/form-data; boundary=x'],
      ['{}', 'multipart/form-data; boundary=x'],
      [body, 'multipart/form-data; boundary=another'],
      [body, 'multipart/form-data'],
      [body.subarray(0, 100), 'multipart/form-data; boundary=the-boundary'],
      [Buffer.from(String(body).replaceAll('\r\n', '\n')), 'multipart/form-data; boundary=the-boundary'],
    ] as const) {
      const answer = await send(content, type);
      expectRefusedV1(answer, { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST' });
    }
    for (const type of [
      'application/json',
      'text/plain',
      'image/png',
      'multipart/mixed; boundary=x',
      '*/*',
    ]) {
      const answer = await send(body, type);
      expectRefusedV1(answer, { status: 415, code: 'EC_UNSUPPORTED_MEDIA_TYPE' });
    }
    expect((await send('{}', 'application/json')).at('message')).toContain('multipart/form-data');
    const none = await caller.v1('PATCH', pathOf(id));
    expectRefusedV1(none, { status: 400, code: 'EC_TRANSFER_INVALID_REQUEST', message: /front is required/ });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('may have 10 MiB at most', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    const large = side('front', { content: Buffer.alloc(6 * MIB, 1) });
    const tooLarge = await upload(caller, id, [large, side('back', { content: Buffer.alloc(5 * MIB, 1) })]);
    expectRefusedV1(tooLarge, { status: 413, code: 'EC_REQUEST_TOO_LARGE' });
    expect((await upload(caller, id, [large, side('back')])).status).toBe(200);
  });

  it('is accepted only for a deposit that waits for files', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    expect((await upload(caller, id)).status).toBe(200);
    expectRefusedV1(await upload(caller, id), { status: 409, code: 'EC_TRANSFER_INVALID_STATE' });
    const sent = await order(caller, orderOf('/v1/send/check'));
    expectRefusedV1(await upload(caller, sent.id()), { status: 404, code: 'EC_TRANSFER_NOT_FOUND' });
    expectRefusedV1(await upload(caller, 'nobody'), { status: 404, code: 'EC_TRANSFER_NOT_FOUND' });
  });

  it('is the same request under its key with another boundary', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    const key = { 'sd-idempotency-key': 'once' };
    const first = await upload(caller, id, BOTH, key);
    const again = await upload(caller, id, BOTH, key, 'another-boundary');
    expect([again.status, again.text, again.headers['x-sandbox-hint']]).toEqual([200, first.text, undefined]);
    const other = await upload(caller, id, [side('front', { content: 'x' }), side('back')], key);
    expect(other.text).toBe(first.text);
    expect(other.headers['x-sandbox-hint']).toContain('used for another request');
  });

  it('is in the journal with the list of its parts', async () => {
    const caller = http.caller();
    const id = await deposit(caller);
    const answer = await upload(caller, id);
    const entry = await caller.v2('GET', `/_sandbox/requests/${answer.headers['x-request-id']}`);
    expect(entry.at('operation')).toBe('uploadCheckImages');
    expect(entry.at('request_body.front.0')).toMatchObject({ type: 'image/png', bytes: 20 });
    expect(entry.text).not.toContain('the front of a check');
  });

  it('is in the OpenAPI document', async () => {
    const answer = await http.call('GET', '/openapi/v1.json');
    const paths = answer.at('paths') as Record<string, { patch: { requestBody: object } }>;
    expect(paths['/v1/receive/check/{transferId}/files']?.patch.requestBody).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              front: { type: 'string', format: 'binary', description: expect.stringContaining('front') },
              back: { type: 'string', format: 'binary', description: expect.stringContaining('back') },
            },
            required: ['front', 'back'],
          },
          encoding: {
            front: { contentType: 'image/png, image/jpeg, image/tiff' },
            back: { contentType: 'image/png, image/jpeg, image/tiff' },
          },
        },
      },
    });
  });
});
