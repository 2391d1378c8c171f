/**
 * POST /v1/person/{personId}/document: the record and its link, with which the file is uploaded and downloaded for
 * 900 seconds of the sandbox's clock. Decisions `v1-success-status`, `value-strictness`, `id-format` and
 * `document-links` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { DOCUMENT } from '../../contract/v1/people.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const DOCUMENT_BODY = {
  name: 'Passport',
  description: 'front page',
  docType: 'passport',
  documentNumber: 'P0012345',
  expirationDate: '2031-05-01',
  issuingCountry: 'us',
  issuingState: 'Oregon',
};
const create = (caller: Caller, body: unknown, person = caller.seed('person_id')) =>
  caller.v1('POST', `/v1/person/${person}/document`, body);
const stamp = () => `${new Date(http.clock.now()).toISOString().slice(0, 19)}Z`;

async function linkOf(caller: Caller): Promise<string> {
  const { pathname, search } = new URL((await create(caller, DOCUMENT_BODY)).id('url'));
  return pathname + search;
}

/** Accepts bytes unchanged; the JSON of the other tests is text. */
const put = (url: string, payload: Buffer, type = 'image/png') =>
  http.app.server.inject({ method: 'PUT', url, payload, headers: { 'content-type': type } });

describe('a document (createPersonDocument)', () => {
  it('is created with every field of the record', async () => {
    const caller = http.caller();
    const answer = await create(caller, DOCUMENT_BODY);
    expectRecord(answer, 'createPersonDocument', DOCUMENT);
    expect(answer.body).toEqual({
      ...DOCUMENT_BODY,
      issuingCountry: 'US',
      id: expect.stringMatching(/^doc-[0-9a-f-]{36}$/),
      personId: caller.seed('person_id'),
      status: 'active',
      url: expect.stringMatching(/^http:\/\/.+\/doc-/),
      createdAt: stamp(),
      modifiedAt: stamp(),
    });
  });

  it('requires at least one field', async () => {
    const caller = http.caller();
    for (const body of [{}, '', { name: '' }]) {
      expect((await create(caller, body, caller.seed('person_id'))).status).toBe(400);
    }
    for (const field of ['name', 'description', 'docType', 'documentNumber', 'issuingState']) {
      const answer = await create(caller, { [field]: 'x' }, caller.seed('person_id'));
      expectRecord(answer, 'createPersonDocument', DOCUMENT);
      const blank = { name: '', docType: '', expirationDate: '', issuingCountry: '' };
      expect(answer.body).toMatchObject({ ...blank, [field]: 'x' });
    }
  });

  it('may belong to a person of v2, with the id in the format of v2', async () => {
    const caller = http.caller();
    const answer = await create(caller, DOCUMENT_BODY, caller.seed('person_holder_id'));
    expect({ status: answer.status, personId: answer.at('personId') }).toEqual({
      status: 201,
      personId: caller.seed('person_id'),
    });
  });

  it('is stored, and publishes no event', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await create(caller, DOCUMENT_BODY);
    const id = answer.id().slice('doc-'.length).replaceAll('-', '');
    expect(caller.sandbox.bank.documents.byId(id)).toMatchObject({ name: 'Passport', issuingCountry: 'US' });
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
  });

  it('has links with the address that the caller used', async () => {
    const caller = http.caller();
    const answer = await caller.v1('POST', `/v1/person/${caller.seed('person_id')}/document`, DOCUMENT_BODY, {
      host: 'bank.localhost:8443',
    });
    expect(answer.id('url')).toMatch(/^http:\/\/bank\.localhost:8443\//);
  });
});

describe('the link of a document', () => {
  it('accepts the file and returns it, byte for byte, without a key', async () => {
    const link = await linkOf(http.caller());
    const file = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe, 0x0d, 0x0a]);
    expect((await put(link, file)).statusCode).toBe(200);
    const got = await http.app.server.inject({ method: 'GET', url: link });
    expect(got.statusCode).toBe(200);
    expect(got.rawPayload).toEqual(file);
    expect(got.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
    });
  });

  it('accepts another file in place of the first', async () => {
    const link = await linkOf(http.caller());
    await put(link, Buffer.from('one'));
    await put(link, Buffer.from('{"two":2}'), 'application/json');
    const got = await http.app.server.inject({ method: 'GET', url: link });
    expect([got.payload, got.headers['content-type']]).toEqual(['{"two":2}', 'application/json']);
  });

  it('accepts a file without a name, and no empty file', async () => {
    const link = await linkOf(http.caller());
    const sent = await http.app.server.inject({ method: 'PUT', url: link, payload: Buffer.from('x') });
    expect(sent.statusCode).toBe(200);
    const got = await http.app.server.inject({ method: 'GET', url: link });
    expect([got.payload, got.headers['content-type']]).toEqual(['x', 'application/octet-stream']);
    const empty = await http.app.server.inject({ method: 'PUT', url: link });
    expect([empty.statusCode, empty.json().message]).toEqual([
      400,
      expect.stringMatching(/the file is empty/),
    ]);
    expect((await http.app.server.inject({ method: 'GET', url: link })).payload).toBe('x');
  });

  it('accepts files that are larger than other requests', async () => {
    const link = await linkOf(http.caller());
    const file = Buffer.alloc(2 * 1024 * 1024, 7);
    expect((await put(link, file)).statusCode).toBe(200);
    expect((await http.app.server.inject({ method: 'GET', url: link })).rawPayload.equals(file)).toBe(true);
    expect((await put(link, Buffer.alloc(10 * 1024 * 1024 + 1))).statusCode).toBe(413);
  });

  it('returns 404 before there is a file', async () => {
    const link = await linkOf(http.caller());
    expect((await http.call('GET', link)).status).toBe(404);
  });

  it('expires after 900 seconds, and not before', async () => {
    const caller = http.caller();
    const link = await linkOf(caller);
    await put(link, Buffer.from('x'));
    http.clock.advance(900_000 - 1);
    expect((await http.call('GET', link)).status).toBe(200);
    http.clock.advance(1);
    const expired = await http.call('GET', link);
    expect(expired.status).toBe(410);
    expect(expired.text).toMatch(/expired/i);
    const before = digestOf(caller.sandbox);
    expect((await put(link, Buffer.from('y'))).statusCode).toBe(410);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([
    [
      'another end',
      (link: string) => link.replace(/expires=(\d+)/, (_, end) => `expires=${Number(end) + 1}`),
    ],
    ['another signature', (link: string) => link.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['no signature', (link: string) => link.replace(/&signature=.*/, '')],
    ['two signatures', (link: string) => `${link}&signature=x`],
    ['another document', (link: string) => link.replace(/doc-.{36}/, `doc-${crypto.randomUUID()}`)],
    ['another sandbox', (link: string) => link.replace(/files\/[^/]+/, 'files/default')],
    ['no sandbox', (link: string) => link.replace(/files\/[^/]+/, 'files/__proto__')],
  ])('with %s is unknown', async (_, forge) => {
    const link = await linkOf(http.caller());
    await put(link, Buffer.from('x'));
    const forged = forge(link);
    expect(forged).not.toBe(link);
    expect((await http.call('GET', forged)).status).toBe(404);
    expect((await put(forged, Buffer.from('y'))).statusCode).toBe(404);
  });
});

describe('a refused document (createPersonDocument)', () => {
  const invalid = { status: 400, code: 'EC_DOCUMENT_INVALID_REQUEST' };
  it.each([
    ['a name that is a number', { name: 1 }, { ...invalid, message: /name/ }],
    [
      'a description that is too long',
      { description: 'x'.repeat(501) },
      { ...invalid, message: /description/ },
    ],
    ['a kind that is a number', { docType: 1 }, { ...invalid, message: /docType/ }],
    ['an invalid date', { expirationDate: '2031-02-29' }, { ...invalid, message: /expirationDate/ }],
    ['a date in another format', { expirationDate: '05/01/2031' }, { ...invalid, message: /expirationDate/ }],
    ['a country in full', { issuingCountry: 'Portugal' }, { ...invalid, message: /issuingCountry/ }],
    ['a state that is a list', { issuingState: ['OR'] }, { ...invalid, message: /issuingState/ }],
  ])('%s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await create(caller, { ...DOCUMENT_BODY, ...change }), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([
    ['nobody', () => `per-${crypto.randomUUID()}`],
    ['a malformed id', () => 'per-1'],
    ['a business', (caller: Caller) => caller.seed('business_holder_id')],
    ['an account', (caller: Caller) => caller.seed('account_id')],
  ])('is one for %s', async (_, id) => {
    const caller = http.caller();
    expectRefusedV1(await create(caller, DOCUMENT_BODY, id(caller)), {
      status: 404,
      code: 'EC_PERSON_NOT_FOUND',
      message: 'person not found',
    });
  });
});
